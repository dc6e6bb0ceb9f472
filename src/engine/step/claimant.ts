/** What a task would take if it were claimed, and what others have taken by now. Reads; decides nothing. */
import type { Action, Wait } from '../../task/core/model/action.ts';
import { admit, type Claimant, type Taken } from '../core/decide/admission.ts';
import { wait } from '../core/words/waits.ts';
import type { AttemptKind } from '../../task/core/attempts/record.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { awaitedReview } from '../../task/core/attempts/counters.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { writesOf } from '../../task/core/base/glob-overlap.ts';
import { HERE, slotLimits } from '../../task/core/model/policy.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { executorOf, roleOf } from '../../agents/engine/roles.ts';
import { turnKeyOf } from '../../workspace/tasks/capability.ts';
import { holderOf } from '../../workspace/tasks/liveness.ts';
import { pauseWords, STOP } from '../../workspace/open/pause-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isShared } from '../../worktrees/engine/workdir.ts';
import { runningTasks, type Board } from '../board/board.ts';
import { dayBudgetOf } from './over-budget.ts';

export function claimantOf(ws: Workspace, task: TaskRead, action: Action): Claimant | undefined {
  if (action.kind !== 'claim') return undefined;
  const { id } = task;
  const calls =
    action.work === 'work'
      ? action.owner === 'process'
      : action.work === 'ask'
        ? !action.recovers
        : ![PERSON, ''].includes(action.gate) && awaitedReview(task.attempts) === undefined;
  if (!task.contract.ok) return { id, action, calls, turn: undefined, writes: [], shared: false };
  const contract = task.contract.value;
  // Who only reads takes no turn and no file.
  const isAsk = action.work === 'ask';
  const turn = isAsk ? undefined : turnKeyOf(ws, contract);
  const by = (): string =>
    (action.work === 'review' ? roleOf(ws, action.gate) : executorOf(ws, contract)).adapter_name;
  return {
    id,
    action,
    calls,
    slots: slotsOf(ws, action.work, calls ? by : () => ''),
    turn,
    writes: isAsk ? [] : writesOf(contract.head),
    shared: isShared(ws, contract),
  };
}

/** Its state, its adapter, the client of that, and this machine; nothing where no limit is by these. */
function slotsOf({ config }: Workspace, work: AttemptKind, adapter: () => string): string[] {
  if (Object.keys(slotLimits(config).of).length === 0) return [];
  const name = adapter();
  const type = config.adapters[name]?.type ?? '';
  return [work === 'ask' ? 'work' : work, name, type, type === 'queue' ? '' : HERE];
}

export interface Others
  extends Pick<Taken, 'full' | 'conflicts'>, Required<Pick<Taken, 'limits' | 'holders'>> {
  readonly running: number;
}

/** Resources that attempts of others take. `parallel` is the limit of all, where a person gave one. */
export function othersOf(
  ws: Workspace,
  board: Board,
  { parallel, own }: { readonly parallel?: number | undefined; readonly own: ReadonlySet<string> },
): Others {
  const { all, of: limits } = slotLimits(ws.config);
  const inOthers = (task: TaskRead): string => (own.has(task.id) ? '' : holderOf(ws, task));
  const tasks = runningTasks(board, inOthers);
  const running = own.size + tasks.length;
  const limit = parallel ?? all;
  const holders = tasks.map((task) => {
    const open = openAttempt(task);
    const work = open?.kind ?? 'work';
    return [task.id, slotsOf(ws, work, () => open?.agent?.adapter ?? '')] as const;
  });
  return {
    running,
    full: running < limit ? undefined : limit,
    limits,
    holders: new Map(holders),
    conflicts: ws.config.conflicts,
  };
}

/** Why a step would not make this claim now, for those who only look. */
export function heldNow(ws: Workspace, others: Others, task: TaskRead, one: Claimant) {
  const stopped = stoppedBy(ws, undefined);
  const day_budget = dayBudgetOf(ws, task, one);
  const nothing = { held: new Map(), turns: new Map(), writers: [] };
  return admit(one, { ...nothing, ...others, stopped, day_budget });
}

/** A person paused everything, or the time of this run is over. */
export function stoppedBy(ws: Workspace, until: Until | undefined): Wait | undefined {
  const words = pauseWords(ws);
  if (words !== undefined) {
    return wait('paused', { reason: words.find((line) => line !== STOP) ?? '' });
  }
  return until !== undefined && ws.machine.now().getTime() >= until.ms
    ? wait('run_until', { until: until.words })
    : undefined;
}

export interface Until {
  readonly ms: number;
  /** As a person typed it. */
  readonly words: string;
}
