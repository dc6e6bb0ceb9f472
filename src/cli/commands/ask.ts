/** ask: each task's own agent is asked once, before the work, what is unclear. */
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { askRound, type Asking, type Round } from '../../engine/commands/ask-round.ts';
import { openQuestions, questionForm } from '../../engine/queries/same-questions.ts';
import { planOf } from '../../engine/cache/known-task.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { listTasks } from '../../engine/queries/list.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { many } from '../../task/core/base/plural.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { withLive } from '../output/live-screen.ts';
import { exitOf } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import {
  askForTrust,
  idsOf,
  refuseUse,
  unwrap,
  verb,
  type Verb,
} from '../terminal/verb-context.ts';

interface AskFlags {
  readonly plan: readonly string[];
  readonly parallel?: number;
}

export const runs = { ask: verb(doAsk) };

/** True where an agent could answer, and did not. */
function isUnasked({ ends, report }: Round, id: string): boolean {
  const end = ends.get(id);
  if (end !== undefined) return end.outcome === 'interrupted';
  const { code, state } = report.waiting.find(({ task }) => task === id) ?? {};
  if (code === 'not_asked') return state !== 'draft' && state !== 'ready';
  return code !== 'asked_since';
}

/** The line that names the next command. */
function nextAfter(
  { ws }: Verb,
  { asked, ends, report }: Round,
  failed: readonly string[],
  own: number,
) {
  if (own > 0) return 'Next: contracts review';
  // Of the others each says what holds it.
  const again = failed.filter((id) => ends.has(id) || report.interrupted);
  if (failed.length > 0) return again.length > 0 ? `Next: contracts ask ${again.join(' ')}` : '';
  const open = questionForm(ws).length;
  if (open > 0)
    return `${many(open, 'question')} of before ${open === 1 ? 'is' : 'are'} open.\nNext: contracts review`;
  const isDraft = (id: string): boolean => locate(ws.disk, ws.layout, id)[0] === 'draft';
  const next = asked.every(isDraft) ? `confirm ${asked.join(' ')}` : 'run';
  return `No question is open.\nNext: contracts ${next}`;
}

export async function doAsk(verb: Verb, { plan, parallel }: AskFlags, typed: readonly string[]) {
  const { ws } = verb;
  const ids = idsOf(verb, typed);
  for (const id of ids) unwrap(verb, findTask(ws, id));
  if (plan.length > 0) {
    const { unknownFilter } = await import('../output/unknown-filters.ts');
    const query = { plans: plan };
    const odd = unknownFilter(ws, query, listTasks(ws, query).tasks);
    if (odd !== undefined) refuseUse(verb, ...odd);
  }
  const wants = (task: TaskRead): boolean => plan.includes(planOf(task) ?? '');
  return askThem(verb, { ids, ...(plan.length > 0 && { wants }) }, parallel);
}

/** Has the round, and prints what came of it and the next command. */
export async function askThem(verb: Verb, asking: Asking, parallel?: number) {
  const { ws, out } = verb;
  await askForTrust(verb, () => Promise.resolve(true));
  const round = await interruptible((signal) =>
    withLive(verb, ({ out: live }) => {
      const emit = (event: Event): void => {
        if (event.event !== 'waits' || live.json) live.event(event);
      };
      return askRound(ws, asking, { signal, emit, parallel });
    }),
  );
  const { asked, ends, report } = round;
  verb.frame.changed = true;
  for (const id of asked) {
    const end = ends.get(id);
    // Questions, and what went wrong, were printed as they came.
    if (end !== undefined && end.outcome !== 'asked') continue;
    const waits = report.waiting.find(({ task }) => task === id);
    const fix = waits?.fix ? `  → ${escapeText(waits.fix)}` : '';
    const why = end?.reason ?? waits?.reason ?? 'was not asked';
    out.printWrapped(`${id}  ${escapeText(why)}${end === undefined ? fix : ''}`);
  }
  const { questions, tasks } = openQuestions(ws, asked);
  out.data({ v: 1, event: 'asked', tasks: asked.length, called: ends.size, of: tasks, questions });
  if (asked.length === 0) out.print('No draft or ready task is left to ask.');
  const failed = asked.filter((id) => isUnasked(round, id));
  if (failed.length > 0) out.print(`${many(failed.length, 'task')} gave no answer.`);
  if (questions > 0) {
    const of = `${many(questions, 'question')} of ${many(tasks, 'task')}`;
    out.print(`${of}${tasks > 1 ? '; equal ones are answered once' : ''}.`);
  }
  const next = nextAfter(verb, round, failed, questions);
  const waits = asked.length > 0 || questionForm(ws).length > 0;
  if (waits && next !== '') out.print(next);
  const isFault = report.faulted.size > 0 || report.gave_up_on !== undefined;
  verb.frame.code = exitOf(report.interrupted, isFault, questions + failed.length > 0);
}
