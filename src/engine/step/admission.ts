/**
 * What the rules of admission need to know (core/decide/admission.ts): what each task would take, and, at its claim,
 * what is taken by then. Reads; decides nothing.
 */
import type { Action, Wait } from '../../task/core/model/action.ts';
import { admit, rivalOf, type Claimant, type Taken } from '../core/decide/admission.ts';
import type { Candidate } from '../core/decide/schedule.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { awaitedReview } from '../../task/core/attempts/counters.ts';
import { type Writers, writesOf } from '../../task/core/base/glob-overlap.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Context } from '../../workspace/tasks/attempt-context.ts';
import { turnKeyOf } from '../../workspace/tasks/capability.ts';
import type { Board } from '../board/board.ts';
import { pauseOf } from '../board/pauses.ts';
import type { InFlight } from './in-flight.ts';
import { lookAt } from './next-action.ts';
import { runBudgetOf } from './over-budget.ts';
import type { Spending, StepOptions } from './step-report.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isShared } from '../../worktrees/engine/workdir.ts';

/** What else happens in this step. */
export interface Around {
  readonly context: Context;
  readonly board: Board;
  readonly in_flight: InFlight;
  readonly spending: Spending;
  readonly full: Taken['full'];
  /** What the tasks of this step are working on. */
  readonly taken: Writers;
}

/** Undefined after a fault, which is reported then. A bug of ours goes up. */
type OrFault = <T>(id: string, look: () => T) => T | undefined;

/** What a step could do: each task that is looked at, with its action. */
export function candidatesOf(
  ws: Workspace,
  board: Board,
  { only, except, in_flight }: StepOptions,
  orFault: OrFault,
): readonly Candidate[] {
  const isChosen = (id: string): boolean =>
    only?.has(id) !== false && except?.has(id) !== true && in_flight?.busy.has(id) !== true;
  return [...board.tasks.values()].flatMap((task) => {
    const { id, contract, since_ms } = task;
    const action = isChosen(id) ? orFault(id, () => lookAt(ws, board, task)) : undefined;
    if (action === undefined) return [];
    const priority = contract.ok ? contract.value.head.priority : 'medium';
    return [{ id, priority, since_ms, action, claimant: claimantOf(ws, task, action) }];
  });
}

export function claimantOf(ws: Workspace, task: TaskRead, action: Action): Claimant | undefined {
  if (action.kind !== 'claim') return undefined;
  const { id } = task;
  const calls =
    action.work === 'work'
      ? action.owner === 'process'
      : ![PERSON, ''].includes(action.gate) && awaitedReview(task.attempts) === undefined;
  if (!task.contract.ok) return { id, action, calls, turn: undefined, writes: [], shared: false };
  const contract = task.contract.value;
  const turn = turnKeyOf(ws, contract);
  return {
    id,
    action,
    calls,
    turn,
    writes: writesOf(contract.head),
    shared: isShared(ws, contract),
  };
}

/** Why the task is not claimed now; else what it takes is taken from here on. `called`: its one call was made. */
export function holdBack(
  { context, board, in_flight, spending, full, taken }: Around,
  task: TaskRead,
  one: Claimant,
  called: boolean,
): Wait | undefined {
  const { ws, emit } = context;
  // An agent of this very step may have changed what the next one would obey.
  const distrusted = whyUntrusted(ws);
  const writers = { writers: in_flight.taken, conflicts: ws.config.conflicts };
  const held = admit(one, {
    ...writers,
    held: in_flight.held,
    full,
    turns: in_flight.turns,
    untrusted: distrusted && { reason: distrusted.message, fix: distrusted.fix },
    called,
    run_budget: runBudgetOf(ws, task, one, spending.use),
    pause: one.calls ? pauseOf(ws, task, { board, in_flight }) : undefined,
  });
  if (held !== undefined) return held;
  const { id, turn, writes, shared } = one;
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
