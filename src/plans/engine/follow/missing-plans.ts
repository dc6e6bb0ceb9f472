/**
 * Plans that their tasks name and that are missing, and new plans whose tasks exist under another name,
 * such as after a rename of the folder.
 */
import { PLAN_NAME, type PlanDocument } from '../../core/plan-document.ts';
import { isTaskOfPlan, planOfTask, planTaskId } from '../../core/plan-ids.ts';
import { problem, type Problem } from '../../../task/core/model/problem.ts';
import { STATES } from '../../../task/core/model/state.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { planFolder, shown } from '../../../task/store/tasks/layout.ts';
import { listState } from '../../../task/store/tasks/tasks.ts';
import { readBoard, type Board } from '../../../engine/board/board.ts';
import { requestedPlan } from './plan-facts.ts';
import { planFileOf, planNames } from '../start/find-plans.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

/** One problem for each plan. A task that only names a plan was made by a person. */
export function lostPlans(
  ws: Workspace,
  board: Pick<Board, 'tasks'> = readBoard(ws, { quick: true }),
  names = planNames(ws),
): readonly Problem[] {
  const known = new Set(names);
  const lost = new Set<string>();
  for (const { id, contract } of board.tasks.values()) {
    const plan = contract.ok ? contract.value.head.plan : undefined;
    if (!contract.ok || plan === undefined || known.has(plan) || lost.has(plan)) continue;
    if (contract.value.head.parent !== undefined || !isTaskOfPlan(plan, id)) continue;
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
  const ids = new Set(STATES.flatMap((state) => listState(ws.disk, ws.layout, state).ids));
  const named = new Set([...ids].flatMap((id) => planOfTask(id) ?? []));
  const others = [...named].filter((one) => PLAN_NAME.test(one) && one !== name);
  const known = new Set(others.length === 0 ? [] : planNames(ws));
  const keys = items.filter(({ kind }) => kind === 'task').map(({ key }) => key);
  return others.find(
    (one) => !known.has(one) && keys.some((key) => ids.has(planTaskId(one, key, sha256))),
  );
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
