/** Plans that tasks name and that are missing, such as after a rename of the folder. */
import type { PlanDocument } from '../../core/plan-document.ts';
import { isTaskOfPlan, planIds } from '../../core/plan-ids.ts';
import { wordsOf } from '../../../task/core/model/id.ts';
import { problem, type Problem } from '../../../task/core/model/problem.ts';
import { STATES } from '../../../task/core/model/state.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { planFolder, shown, taskFolder } from '../../../task/store/tasks/layout.ts';
import { namesInState } from '../../../task/store/tasks/tasks.ts';
import { readBoard, type Board } from '../../../engine/board/board.ts';
import { planOf } from '../../../engine/cache/known-task.ts';
import { requestedPlan } from './plan-facts.ts';
import { planFileOf, planNames } from '../start/find-plans.ts';
import { readContract } from '../../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

/** One problem for each plan. A task that only names a plan was made by a person. */
export function lostPlans(
  ws: Workspace,
  board: Pick<Board, 'tasks'> = readBoard(ws, { quick: 'rows' }),
  names = planNames(ws),
): readonly Problem[] {
  const known = new Set(names);
  const lost = new Set<string>();
  for (const task of board.tasks.values()) {
    const plan = planOf(task);
    if (plan === undefined || known.has(plan) || lost.has(plan)) continue;
    const { id, contract } = task;
    if (!contract.ok) continue;
    const { parent, workflow } = contract.value.head;
    if (parent !== undefined || !isTaskOfPlan(id, workflow ?? '')) continue;
    if (requestedPlan(ws, contract.value) === undefined) lost.add(plan);
  }
  return [...lost].toSorted().map((plan) =>
    problem({
      code: 'missing_file',
      severity: 'warning',
      file: planFileOf(ws, plan),
      message: 'tasks name this plan, and it is not there',
      found: plan,
      fix: 'Put it back under this name; plan start under another one makes its tasks again',
    }),
  );
}

/** undefined where the plan has tasks of its own. */
export function oldNameOf(
  ws: Workspace,
  name: string,
  { items }: Pick<PlanDocument, 'items'>,
): string | undefined {
  const keys = items.filter(({ kind }) => kind === 'task').map(({ key }) => key);
  const begins = new Set(keys.map((key) => wordsOf(key).split('-')[0]));
  const known = new Set(planNames(ws));
  for (const state of STATES) {
    for (const id of namesInState(ws.disk, ws.layout, state)) {
      if (!id.split(/[-_]/).some((word) => begins.has(word))) continue;
      const { contract } = readContract(ws, taskFolder(ws.layout, state, id), id);
      const plan = contract.ok ? contract.value.head.plan : undefined;
      if (plan === undefined || plan === name || known.has(plan)) continue;
      const ids = planIds(plan, sha256);
      if (keys.some((key) => ids.task(key) === id)) return plan;
    }
  }
  return undefined;
}

export function renamedPlan(ws: Workspace, name: string, was: string): Problem {
  return problem({
    code: 'bad_id',
    severity: 'warning',
    file: planFileOf(ws, name),
    message: `its items are those of the plan ${was}, which is not there; started under this name all are made again`,
    found: name,
    fix: `Rename the folder back: ${shown(ws.layout, planFolder(ws.layout, was))}`,
  });
}
