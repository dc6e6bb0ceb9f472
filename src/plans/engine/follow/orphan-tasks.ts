/** Tasks of a plan that lost their item. */
import { isCheckpoint } from '../../../checkpoints/core/checkpoint.ts';
import type { Contract } from '../../../task/core/model/contract.ts';
import { isTaskOfPlan, planIds } from '../../core/plan-ids.ts';
import type { Orphan } from '../../core/plan-renamed.ts';
import { LIVE_STATES } from '../../../task/core/model/state.ts';
import type { TaskRead } from '../../../task/core/model/task.ts';
import { unlessGone } from '../../../task/store/disk/disk.ts';
import { planOf } from '../../../engine/cache/known-task.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { taskFolder } from '../../../task/store/tasks/layout.ts';
import { listState } from '../../../task/store/tasks/tasks.ts';
import { slugOf } from '../../text/values.ts';
import { readContract } from '../../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export type Known = Pick<TaskRead, 'id' | 'contract' | 'state'>;

/** Items with the same title differ by their order. */
const TWINS_MAX = 9;

/** `owned`: ids of tasks that have an item. */
export function orphansAmong(
  plan: string,
  tasks: Iterable<Known>,
  owned: ReadonlySet<string>,
): readonly Orphan[] {
  return [...tasks].flatMap((task) => {
    const { id, state } = task;
    if (owned.has(id) || planOf(task) !== plan) return [];
    const contract = madeFor(plan, task);
    if (contract === undefined || isCheckpoint(contract)) return [];
    const { title } = contract;
    return [{ id, title, key: keyOf(plan, id, title), done: state === 'done' }];
  });
}

/** undefined: not of this plan, a child task, a person's own task that names it, or the task that wrote it. */
function madeFor(plan: string, { id, contract }: Known): Contract | undefined {
  if (!contract.ok) return undefined;
  const { head } = contract.value;
  if (head.plan !== plan || !isTaskOfPlan(id, head.workflow ?? '')) return undefined;
  const wrote = head.deliverables.some((file) => file.endsWith(`/plans/${plan}/plan.md`));
  return head.parent === undefined && !wrote ? contract.value : undefined;
}

function keyOf(plan: string, id: string, title: string): string | undefined {
  const slug = slugOf(title);
  const twins = Array.from({ length: TWINS_MAX - 1 }, (_, i) => `${slug}-${i + 2}`);
  return [slug, ...twins].find((key) => planIds(plan, sha256).task(key) === id);
}

/** Includes checkpoints. Only tasks whose ids a plan may have made are read. */
export function unowned(
  ws: Workspace,
  plan: string,
  owned: ReadonlySet<string>,
  done = false,
): readonly Known[] {
  const states = done ? ([...LIVE_STATES, 'done'] as const) : LIVE_STATES;
  const known = states.flatMap((state) =>
    listState(ws.disk, ws.layout, state)
      .ids.filter((id) => isTaskOfPlan(id) && !owned.has(id))
      .flatMap((id) =>
        unlessGone(() => {
          const { contract } = readContract(ws, taskFolder(ws.layout, state, id), id);
          return [{ id, contract, state }];
        }, []),
      ),
  );
  return known.filter((one) => madeFor(plan, one) !== undefined);
}
