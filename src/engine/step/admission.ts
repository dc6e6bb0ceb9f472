/**
 * Who is not claimed in this step though nothing is in the way of the task itself: its one call is
 * used, all slots are taken, the run has spent what it may, another task of this step writes the same.
 */
import type { Action, Wait } from '../../task/core/model/action.ts';
import { pauseWait } from '../core/decide/waits-for-facts.ts';
import { wait } from '../core/words/waits.ts';
import { overBudget } from '../../task/core/attempts/budget.ts';
import { PERSON, type Contract } from '../../task/core/model/contract.ts';
import { awaitedReview } from '../../task/core/attempts/counters.ts';
import { deadBase, leftBehind } from '../../task/core/attempts/open-attempt.ts';
import { type Writers, writesOf } from '../../task/core/base/glob-overlap.ts';
import { takesSlot } from '../core/decide/schedule.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Context } from '../../workspace/tasks/attempt-context.ts';
import type { Board } from '../board/board.ts';
import { heldBack, otherWriter, type Crew } from './in-flight.ts';
import { pauseOf } from '../board/pauses.ts';
import { turnKeyOf } from '../../workspace/tasks/capability.ts';
import { executorOf, roleOf, type Role } from '../../agents/engine/roles.ts';
import type { Spending } from './step-report.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isShared } from '../../worktrees/engine/workdir.ts';

/** What else goes on in this step. */
export interface Around {
  readonly context: Context;
  readonly board: Board;
  readonly crew: Crew;
  readonly spending: Spending;
  /** Set when all slots were taken before. */
  readonly full: Wait | undefined;
  /** What the tasks of this step are working on. */
  readonly taken: Writers;
}

/** One call a step; and no two tasks of a step write the same deliverable. */
export function holdBack(
  around: Around,
  task: TaskRead,
  action: Action,
  called: boolean,
): Wait | undefined {
  if (action.kind !== 'claim') return undefined;
  // An agent of this very step may have changed what the next one would obey.
  const distrusted = whyUntrusted(around.context.ws);
  if (distrusted !== undefined) {
    return wait('untrusted', { reason: distrusted.message, fix: distrusted.fix });
  }
  const first = heldBack(around.crew, task.id, action);
  if (first !== undefined) return first;
  if (around.full !== undefined && takesSlot(action)) return around.full;
  if (called && isCall(task, action)) {
    return wait('next_step', { gate: action.work === 'review' ? action.gate : undefined });
  }
  const spent = runWait(around, task, action);
  const pause = isCall(task, action) ? pauseOf(around.context.ws, task, around) : undefined;
  const held = spent ?? (pause && pauseWait(pause, task.id)) ?? holdForTurn(around, task);
  if (held !== undefined) return held;
  if (action.work !== 'work' || !task.contract.ok) return undefined;
  return holdForRival(around, task.id, task.contract.value);
}

/** From its claim until no step has it in hand any more, it has its turn. */
function holdForTurn({ context, crew }: Around, { id, contract }: TaskRead): Wait | undefined {
  const turn = contract.ok ? turnKeyOf(context.ws, contract.value) : undefined;
  if (turn === undefined) return undefined;
  const other = crew.turns.get(turn) ?? id;
  if (other !== id) return wait('turn', { turn, other });
  crew.turns.set(turn, id);
  return undefined;
}

/** Two that write the same do not run together in a shared tree; elsewhere it is told. */
function holdForRival(around: Around, id: string, contract: Contract): Wait | undefined {
  const { ws, emit } = around.context;
  const writes = writesOf(contract.head);
  const shared = isShared(ws, contract);
  const rival = otherWriter(around.crew, id, writes);
  const { conflicts } = ws.config;
  if (rival !== undefined && conflicts !== 'ignore') {
    const { path } = rival;
    if (conflicts === 'serialize' && shared && rival.shared) {
      return wait('same_file', rival);
    }
    const where = shared && rival.shared ? 'in one tree' : 'in worktrees apart';
    const reason = `${rival.id} writes ${path} as well, ${where}`;
    emit({ event: 'overlaps', task: id, with: rival.id, path, reason });
  }
  around.taken.add(id, writes, shared);
  return undefined;
}

/** The run has used what it may: clients of models are called by another one. */
function runWait({ context, spending }: Around, task: TaskRead, action: Action): Wait | undefined {
  const { run_cost_max, run_tokens_max } = context.ws.config;
  const budget = { cost_max: run_cost_max, tokens_max: run_tokens_max };
  const over = overBudget(budget, spending.use);
  if (over === undefined || action.kind !== 'claim' || !isCall(task, action)) return undefined;
  // What a dead runner's agent came to is taken over: nobody is called.
  if (action.recovers && leftBehind(task, deadBase(task)) !== undefined) return undefined;
  const role =
    action.work === 'review' ? roleOf(context.ws, action.gate) : executorOfTask(context.ws, task);
  if (role?.adapter?.client === undefined) return undefined;
  return wait('run_budget', { used: over.words, key: over.key });
}

function executorOfTask(ws: Workspace, { contract }: TaskRead): Role | undefined {
  return contract.ok ? executorOf(ws, contract.value) : undefined;
}

/** Whether the action calls an agent: an executor, or a gate that is no person. */
export function isCall(task: TaskRead, action: Action): boolean {
  if (action.kind !== 'claim') return false;
  if (action.work === 'work') return action.owner === 'process';
  return ![PERSON, ''].includes(action.gate) && awaitedReview(task.attempts) === undefined;
}
