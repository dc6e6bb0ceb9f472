/** ask: each task's own agent is asked once, before the work, what is unclear. */
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { askRound, type Round } from '../../engine/commands/ask-round.ts';
import { openQuestions } from '../../engine/queries/same-questions.ts';
import { planOf } from '../../engine/cache/known-task.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { many } from '../../task/core/base/plural.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { withLive } from '../output/live-screen.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { askForTrust, idsOf, unwrap, verb, type Verb } from '../terminal/verb-context.ts';

interface AskFlags {
  readonly plan: readonly string[];
  readonly parallel?: number;
}

export const runs = { ask: verb(doAsk) };

/** True where an agent could answer, and did not. */
function isUnasked({ ends, report }: Round, id: string): boolean {
  const end = ends.get(id);
  if (end !== undefined) return end.outcome === 'interrupted';
  return report.waiting.find(({ task }) => task === id)?.code !== 'not_asked';
}

export async function doAsk(verb: Verb, { plan, parallel }: AskFlags, typed: readonly string[]) {
  const { ws, out } = verb;
  const ids = idsOf(verb, typed);
  for (const id of ids) unwrap(verb, findTask(ws, id));
  const wants = (task: TaskRead): boolean => plan.includes(planOf(task) ?? '');
  await askForTrust(verb, () => Promise.resolve(true));
  const round = await interruptible((signal) =>
    withLive(verb, ({ out: live }) => {
      const emit = (event: Event): void => {
        if (event.event !== 'waits' || live.json) live.event(event);
      };
      return askRound(ws, { ids, ...(plan.length > 0 && { wants }) }, { signal, emit, parallel });
    }),
  );
  const { asked, ends, report } = round;
  verb.frame.changed = true;
  for (const id of asked) {
    const end = ends.get(id);
    // Questions, and what went wrong, were printed as they came.
    if (end !== undefined && end.outcome !== 'asked') continue;
    const why = report.waiting.find(({ task }) => task === id)?.reason ?? 'was not asked';
    out.printWrapped(`${id}  ${escapeText(end?.reason ?? why)}`);
  }
  const { questions, tasks } = openQuestions(ws, asked);
  out.data({ v: 1, event: 'asked', tasks: asked.length, called: ends.size, of: tasks, questions });
  if (asked.length === 0) out.print('No draft or ready task is left to ask.');
  const failed = asked.filter((id) => isUnasked(round, id));
  if (failed.length > 0)
    out.print(
      `${many(failed.length, 'task')} gave no answer.\nNext: contracts ask ${failed.join(' ')}`,
    );
  else if (asked.length > 0 && questions === 0)
    out.print('No question is open.\nNext: contracts run');
  if (questions > 0) {
    const of = `${many(questions, 'question')} of ${many(tasks, 'task')}`;
    out.print(`${of}${tasks > 1 ? '; equal ones are answered once' : ''}.\nNext: contracts review`);
  }
  const isCut = report.interrupted;
  const isFault = report.faulted.size > 0 || report.gave_up_on !== undefined;
  verb.frame.code = isCut
    ? EXIT.interrupted
    : isFault
      ? EXIT.fault
      : questions + failed.length > 0
        ? EXIT.people
        : EXIT.fine;
}
