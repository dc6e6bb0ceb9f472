/**
 * Which task is meant when a verb is given none: the person chooses among those that wait for just
 * that. Reads the board as `list` does; writes nothing.
 */
import type { State } from '../../task/core/model/state.ts';
import { listTasks } from '../../engine/queries/list.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { cut, screenOf } from '../output/text-width.ts';
import { Misread } from '../terminal/command-shape.ts';
import { idOf, type Verb } from '../terminal/verb-context.ts';

export interface ToPick {
  /** Where the tasks stand. */
  readonly state: State;
  readonly question: string;
  /** What is said when there is none. */
  readonly none: string;
}

/** Refuses as commander does; `shown` is the command with everything that it needs. */
export function missing(name: string, shown: string): never {
  throw new Misread(
    `error: missing required argument '${name}'\nGive it: ${shown}`,
    'commander.missingArgument',
  );
}

/** The id that was typed, or one that is chosen; undefined, and said, when there is none. */
export async function typedOrChosen(
  verb: Verb,
  typed: string | undefined,
  which: ToPick,
): Promise<string | undefined> {
  if (typed !== undefined) return idOf(verb, typed);
  if (verb.ask === undefined) return undefined;
  const { tasks } = listTasks(verb.ws, { states: new Set([which.state]) });
  const waiting = tasks.filter((task) => task.waits_for === 'person');
  if (waiting.length === 0) {
    verb.out.say(which.none);
    return undefined;
  }
  // The frame, the mark and the space before it take seven cells of the line.
  const cells = screenOf(verb.frame.streams).cells - 7;
  return verb.ask.choose(
    which.question,
    waiting.map(({ id, title }) => ({
      value: id,
      label: cut(`${id}  ${escapeText(title)}`, cells),
    })),
  );
}
