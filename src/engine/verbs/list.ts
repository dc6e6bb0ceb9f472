/** What stands where, and what each task waits for: the plan of a step, never applied. */
import type { WaitsFor } from '../../core/decide.ts';
import type { Problem } from '../../core/problem.ts';
import type { Priority } from '../../core/contract.ts';
import type { State } from '../../core/state.ts';
import { listState } from '../../store/tasks.ts';
import { readBoard } from '../board.ts';
import { readTask } from '../read-task.ts';

import { executorOf } from '../preflight.ts';
import { doubleProblem, lookAt, nextWords } from '../look.ts';
import type { Workspace } from '../workspace.ts';

/** The last moment that a Date can hold. */
const DATE_MS_MAX = 8.64e15;

export interface ListedTask {
  readonly id: string;
  readonly state: State;
  readonly title: string;
  readonly agent: string;
  readonly priority: Priority;
  /** Highest attempt number; 0 when never claimed. */
  readonly attempt: number;
  /** ISO 8601; when contract.md was last written. */
  readonly since: string;
  readonly waits_for: WaitsFor | 'nothing';
  /** What it waits for, or what the next step does. */
  readonly reason: string;
  readonly fix: string;
}

export interface Listing {
  readonly tasks: readonly ListedTask[];
  readonly problems: readonly Problem[];
}

/** Live tasks in the order of the states; `done` and `aborted` only when asked for. */
export function listTasks(ws: Workspace, states?: ReadonlySet<State>): Listing {
  const board = readBoard(ws);
  const live = [...board.tasks.values()];
  const ended = (['done', 'aborted'] as const)
    .filter((state) => states?.has(state) === true)
    .flatMap((state) =>
      listState(ws.disk, ws.layout, state).ids.map((id) => readTask(ws, state, id)),
    )
    .filter((task) => task !== undefined);
  const tasks = [...live, ...ended]
    .filter((task) => states?.has(task.state) !== false)
    .map((task): ListedTask => {
      const contract = task.contract.ok ? task.contract.value : undefined;
      const action = lookAt(ws, board, task);
      const waits = action.kind === 'wait' ? action : undefined;
      return {
        id: task.id,
        state: task.state,
        title: contract?.title ?? '',
        agent: contract === undefined ? '' : executorOf(ws, contract).name,
        priority: contract?.head.priority ?? 'medium',
        attempt: task.attempts.at(-1)?.number ?? 0,
        since: isoTime(task.since_ms),
        waits_for: waits?.on ?? 'nothing',
        reason:
          task.state === 'done'
            ? doneWords(task.attempts.at(-1)?.outcome?.outcome)
            : action.kind === 'wait'
              ? action.reason
              : nextWords(task, action),
        fix: waits?.fix ?? 'contracts step',
      };
    });
  const doubles = [...board.doubles].map(([id, at]) => doubleProblem(ws, id, at));
  return { tasks, problems: [...ws.problems, ...board.problems, ...doubles] };
}

/** A file's time can be one that no calendar has: then the nearest that there is. */
function isoTime(ms: number): string {
  return new Date(Math.max(-DATE_MS_MAX, Math.min(DATE_MS_MAX, ms))).toISOString();
}

/** `done` by hand stands, and is shown as what it is (DESIGN §5). */
function doneWords(last: string | undefined): string {
  return last === 'approved' ? 'done, with receipts' : 'done by hand, no receipts';
}
