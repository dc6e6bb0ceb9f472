/** Where tasks of plans are, and their records, read when they are needed. */
import type { Standing } from '../../core/box-projection.ts';
import type { PlanDocument, PlanItem } from '../../core/plan-document.ts';
import { planIds, tasksIn } from '../../core/plan-ids.ts';
import { onceFor } from '../../../task/core/base/memoize.ts';
import type { Attempt } from '../../../task/core/attempts/record.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import { isTaskId } from '../../../task/core/model/id.ts';
import type { State } from '../../../task/core/model/state.ts';
import type { DependencyState } from '../../../task/core/model/task.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { taskFolder } from '../../../task/store/tasks/layout.ts';
import { locate } from '../../../task/store/tasks/tasks.ts';
import { archivedState } from '../../../engine/board/archive.ts';
import { readAttempts } from '../../../workspace/tasks/read-attempts.ts';
import { readContract } from '../../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export interface LiveTask {
  readonly state: State;
  readonly folder: string;
  /** True if it is in two state folders: a person has to decide which one counts. */
  readonly doubled: boolean;
  /** undefined: unreadable. */
  readonly contract: Contract | undefined;
  readonly attempts: readonly Attempt[];
}

/** undefined: in no state folder. */
export function liveTask(ws: Workspace, id: string): LiveTask | undefined {
  const [state, ...others] = isTaskId(id) ? locate(ws.disk, ws.layout, id) : [];
  if (state === undefined) return undefined;
  const folder = taskFolder(ws.layout, state, id);
  return {
    state,
    folder,
    doubled: others.length > 0,
    get contract() {
      const { contract } = readContract(ws, folder, id);
      return contract.ok ? contract.value : undefined;
    },
    get attempts() {
      return readAttempts(ws, folder, id).attempts;
    },
  };
}

/** Looks in done and aborted alone. */
export function endedIn(ws: Workspace, id: string): State | undefined {
  return (['done', 'aborted'] as const).find(
    (state) => ws.disk.stat(taskFolder(ws.layout, state, id))?.kind === 'folder',
  );
}

/** The state, in the archive too. */
export function stateNow(ws: Workspace, id: string): DependencyState {
  return locate(ws.disk, ws.layout, id)[0] ?? archivedState(ws, id);
}

/** Each item is looked up once; `stateOf` says where a task is. */
export function standingIn(
  ws: Workspace,
  plan: string,
  { items }: PlanDocument,
  stateOf = (id: string): DependencyState => stateNow(ws, id),
): Standing {
  const tasksOf = tasksIn(items, planIds(plan, sha256));
  return onceFor((item: PlanItem) => tasksOf(item).map(({ id }) => ({ id, state: stateOf(id) })));
}
