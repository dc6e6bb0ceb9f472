/**
 * The check `plan_valid`: whether a plan, in whatever folder an agent worked in, can be read, has
 * something to do, and makes contracts with the agents, squads and verifiers that there are. The same as
 * `plan check`, of what lies there now. Changes nothing.
 */
import type { Contract } from '../../../task/core/model/contract.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { errorsIn } from '../../../task/core/model/problem.ts';
import { inside } from '../../../task/store/tasks/tasks.ts';
import { planFileOf } from './find-plans.ts';
import { draftsOfPlan } from './drafts.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

const PLAN_PATH = /^(?:\.\/)?\.contracts\/plans\/([^/]+)(?:\/(?:plan\.md)?)?$/;

/** Why it does not hold, or nothing. `said` is a name or a path; else the deliverable that is a plan. */
export function invalidPlan(
  ws: Workspace,
  root: string,
  { head: { deliverables } }: Contract,
  said: string | undefined,
): string | undefined {
  const named = said ?? deliverables.find((path) => PLAN_PATH.test(path));
  if (named === undefined) {
    return 'it names no plan, and no deliverable is one: write plan_valid: <name>';
  }
  const name = PLAN_PATH.exec(named)?.[1] ?? named;
  if (!PLAN_NAME.test(name)) return `${named} is no name of a plan: .contracts/plans/NAME/plan.md`;
  // What lies there now, and not what was read before the work.
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
