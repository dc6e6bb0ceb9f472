/**
 * What the rules of admission need to know (core/decide/admission.ts): what each task would take, and, at its claim,
 * what is taken by then. Reads; decides nothing.
 */
import type { Wait } from '../../task/core/model/action.ts';
import { admit, rivalOf, startsProgram, type Claimant } from '../core/decide/admission.ts';
import type { Candidate } from '../core/decide/schedule.ts';
import type { Writers } from '../../task/core/base/glob-overlap.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Context } from '../../workspace/tasks/attempt-context.ts';
import { claimantOf, stoppedBy, type Others } from './claimant.ts';
import type { Board } from '../board/board.ts';
import { pauseOf } from '../board/pauses.ts';
import type { InFlight } from '../board/in-flight.ts';
import { glanceAt } from './glance.ts';
import { askAt } from './next-action.ts';
import { dayBudgetOf, runBudgetOf } from './over-budget.ts';
import { WHOLE_STEP, type Spending, type StepOptions } from './step-report.ts';
import { mustBeTrusted, whyNothing, whyUntrusted } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Around {
  readonly context: Context;
  readonly board: Board;
  readonly in_flight: InFlight;
  readonly spending: Spending;
  readonly others: Others;
  readonly until: StepOptions['until'];
  readonly taken: Writers;
}

/** Undefined after a fault, which is reported then. A bug of ours goes up. */
type OrFault = <T>(id: string, look: () => T) => T | undefined;

/** Each task that the step looks at, with its action; without trust, those that only write and move files. */
export function candidatesOf(
  ws: Workspace,
  board: Board,
  { only, asks, wants, except, in_flight, dry_run }: StepOptions,
  orFault: OrFault,
): readonly Candidate[] {
  const isChosen = (id: string): boolean =>
    only?.has(id) !== false && except?.has(id) !== true && in_flight?.busy.has(id) !== true;
  const found = [...board.tasks.values()].flatMap((task) => {
    const { id } = task;
    const chosen = isChosen(id) && wants?.(task) !== false;
    if (asks !== undefined)
      return chosen && asks.has(id) ? asked(ws, board, task, { asks, orFault }) : [];
    const glance = chosen ? orFault(id, () => glanceAt(ws, board, task)) : undefined;
    if (glance === undefined) return [];
    const { since_ms, action } = glance;
    const { priority } = glance.task;
    return [{ id, priority, since_ms, action, claimant: claimantOf(ws, task, action) }];
  });
  const starts = ({ action }: Candidate) => dry_run !== true && startsProgram(action);
  if (!found.some(starts) || orFault(WHOLE_STEP, () => mustBeTrusted(ws) ?? true)) return found;
  return found.filter((one) => one.action.kind !== 'wait' && !starts(one));
}

function asked(
  ws: Workspace,
  board: Board,
  task: TaskRead,
  { asks, orFault }: { asks: ReadonlyMap<string, number>; orFault: OrFault },
): Candidate[] {
  const { id, since_ms } = task;
  const action = orFault(id, () => askAt(ws, board, task, asks));
  if (action === undefined) return [];
  return [{ id, priority: 'medium', since_ms, action, claimant: claimantOf(ws, task, action) }];
}

/** Why the task is not claimed now; else what it takes is taken from here on. `called`: its one call was made. */
export function holdBack(
  { context, board, in_flight, spending, others, taken, until }: Around,
  task: TaskRead,
  one: Claimant,
  called: boolean,
): Wait | undefined {
  const { ws, emit } = context;
  // An agent of this very step may have changed what the next one would obey.
  const distrusted = startsProgram(one.action) ? whyUntrusted(ws) : whyNothing(ws);
  const writers = { writers: in_flight.taken, conflicts: ws.config.conflicts };
  const held = admit(one, {
    ...writers,
    ...others,
    held: in_flight.held,
    holders: new Map([...others.holders, ...in_flight.slots]),
    stopped: stoppedBy(ws, until),
    turns: in_flight.turns,
    untrusted: distrusted && { reason: distrusted.message, fix: distrusted.fix },
    called,
    run_budget: runBudgetOf(ws, task, one, spending.use),
    day_budget: dayBudgetOf(ws, task, one),
    pause: one.calls ? pauseOf(ws, task, { board, in_flight }) : undefined,
  });
  if (held !== undefined) return held;
  const { id, turn, writes, shared, slots } = one;
  if (slots !== undefined) in_flight.slots.set(id, slots);
  // Until no step has the task in hand any more.
  if (turn !== undefined) in_flight.turns.set(turn, id);
  const rival = rivalOf(one, writers);
  if (rival !== undefined) {
    const where = shared && rival.shared ? 'in one tree' : 'in worktrees apart';
    const reason = `${rival.id} writes ${rival.path} as well, ${where}`;
    emit({ event: 'overlaps', task: id, with: rival.id, path: rival.path, reason });
  }
  if (one.action.work === 'work') taken.add(id, writes, shared);
  return undefined;
}
