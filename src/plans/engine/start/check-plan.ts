/** The check `plan_valid`: as `plan check`, for a plan in the folder in which an agent worked. */
import type { Contract } from '../../../task/core/model/contract.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { errorsIn } from '../../../task/core/model/problem.ts';
import { inside } from '../../../task/store/tasks/tasks.ts';
import { planFileOf } from './find-plans.ts';
import { draftsOfPlan } from './drafts.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

const PLAN_PATH = /^(?:\.\/)?\.contracts\/plans\/([^/]+)(?:\/(?:plan\.md)?)?$/;

/** Why the plan is not valid, or undefined. `named`: a name or a path; else the deliverable that is a plan. */
export function invalidPlan(
  ws: Workspace,
  root: string,
  { head: { deliverables } }: Contract,
  named: string | undefined,
): string | undefined {
  const plan = named ?? deliverables.find((path) => PLAN_PATH.test(path));
  if (plan === undefined) {
    return 'it names no plan, and no deliverable is one: write plan_valid: <name>';
  }
  const name = PLAN_PATH.exec(plan)?.[1] ?? plan;
  if (!PLAN_NAME.test(name)) return `${plan} is no name of a plan: .contracts/plans/NAME/plan.md`;
  // Everything is read again there, since the work may have changed it.
  const there: Workspace = { ...ws, layout: { ...ws.layout, root } };
  const file = planFileOf(there, name);
  const found = inside(ws.disk, root, file);
  if (!found.ok) return `${file}: ${found.why}`;
  const read = draftsOfPlan(there, name);
  if (read.ok && read.value.items.every(({ item }) => item.kind !== 'task')) {
    return `${file}:1:1: there is nothing to do in it. Write its work as boxes: - [ ] What is to be done`;
  }
  return errorsIn(read.ok ? read.value.problems : read.problems);
}
