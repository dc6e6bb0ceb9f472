/** review: everything that waits for the person, acted on at a terminal, listed with its commands elsewhere. */
import { listTasks, type ListedTask } from '../../engine/queries/list.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { colourState } from '../output/output.ts';
import { walkThrough } from '../prompts/review-walk.ts';
import { idsOf, verb, type Verb } from '../terminal/verb-context.ts';

export const runs = {
  review: verb(async (verb, _flags: unknown, typed: readonly string[]) => {
    const ids = idsOf(verb, typed);
    const { tasks } = listTasks(verb.ws, { waits_for: ['person'], sort: 'turn' });
    const waiting = tasks.filter(({ id }) => ids.length === 0 || ids.includes(id));
    if (waiting.length === 0) verb.out.print('Nothing waits for you.');
    else if (verb.ask === undefined) listWaiting(verb, waiting);
    else await walkThrough(verb, verb.ask, waiting);
  }),
};

function listWaiting(verb: Verb, waiting: readonly ListedTask[]): void {
  for (const task of waiting) {
    verb.out.data({ v: 1, event: 'waiting', ...task });
    verb.out.print(
      `${colourState(task.state, task.state.padEnd(11))} ${task.id}  ${escapeText(task.title)}`,
    );
    verb.out.printWrapped(`            ${escapeText(task.reason)}  → ${escapeText(task.fix)}`);
  }
  verb.frame.code = EXIT.people;
}
