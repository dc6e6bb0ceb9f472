/** Finds and reads the plans of a workspace, `.contracts/plans/<name>/plan.md`. */
import { guardOf } from '../../../engine/board/guards.ts';
import type { TaskRead } from '../../../task/core/model/task.ts';
import { slugOf } from '../../../task/core/model/id.ts';
import { didYouMean } from '../../../task/core/base/nearest.ts';
import { PLAN_NAME, type PlanDocument } from '../../core/plan-document.ts';
import {
  ok,
  problem,
  refused,
  type Problem,
  type Result,
} from '../../../task/core/model/problem.ts';
import { withInputs } from '../../core/inputs.ts';
import type { SquadChoice } from '../../../squads/core/squad-inference.ts';
import { plansFolder, shown } from '../../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../../task/store/tasks/tasks.ts';
import { parsePlan } from '../../text/plan.ts';
import { planPath } from '../follow/plan-facts.ts';
import { readText } from '../../../workspace/open/text-file.ts';
import { squadNeeded } from '../../../squads/engine/infer-squad.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export interface Plan {
  readonly name: string;
  /** Relative to the workspace root. */
  readonly file: string;
  readonly text: string;
  readonly document: PlanDocument;
  /** Chosen for a plan that needs a squad and names none. */
  readonly choice?: SquadChoice | undefined;
}

/** Sorted; only folders with a plan.md, whose names are valid for plans or, if asked, are not. */
export function planNames(ws: Workspace, isValid = true): readonly string[] {
  const fits = (name: string): boolean => PLAN_NAME.test(name) === isValid && hasPlan(ws, name);
  return listOrNothing(ws.disk, plansFolder(ws.layout))
    .filter(({ name, kind }) => kind === 'folder' && fits(name))
    .map(({ name }) => name);
}

/** Folders with a plan.md whose names are not valid for plans. */
export function strangePlans(ws: Workspace): readonly Problem[] {
  return planNames(ws, false).map((name) => badName(ws, name));
}

function badName(ws: Workspace, name: string): Problem {
  const near = slugOf(name).slice(0, 48);
  return problem({
    code: 'bad_id',
    file: planFileOf(ws, name),
    message: 'this folder name is not a valid plan name, so no command finds the plan',
    found: name,
    expected: 'a-z, 0-9, _ and -, starting with a letter or digit, at most 48',
    fix: PLAN_NAME.test(near) ? `Rename the folder: ${near}` : 'Rename the folder',
  });
}

export function hasPlan(ws: Workspace, name: string): boolean {
  return ws.disk.stat(planPath(ws, name)) !== undefined;
}

export function planFileOf(ws: Workspace, name: string): string {
  return shown(ws.layout, planPath(ws, name));
}

/** The task whose gate the plan waits for; a copy waits for the gate of what it was copied from. */
export function makerOfPlan(ws: Workspace, name: string): TaskRead | undefined {
  const text = textOfPlan(ws, name);
  const from = text.ok ? guardedWith(ws, text.value, name) : undefined;
  return makerOf(ws, from ?? name);
}

/** Plans that wait for no gate; each is asked about once. */
export function withoutGuard<P extends Pick<Plan, 'name' | 'text'>>(
  ws: Workspace,
  plans: readonly P[],
): readonly P[] {
  const own = plans.filter(({ name }) => makerOf(ws, name) !== undefined);
  return plans.filter(({ text }) => own.every((one) => one.text !== text));
}

function makerOf(ws: Workspace, name: string): TaskRead | undefined {
  return guardOf(ws, { file: planFileOf(ws, name), check: 'plan_valid', name });
}

/** The plan with this text that waits for its gate; of several that one. */
export function guardedWith(ws: Workspace, text: string, first?: string): string | undefined {
  const isSame = (name: string): boolean => {
    const other = textOfPlan(ws, name);
    return other.ok && other.value === text;
  };
  const names = [...(first === undefined ? [] : [first]), ...planNames(ws).filter(isSame)];
  return names.find((name) => makerOf(ws, name) !== undefined);
}

function textOfPlan(ws: Workspace, name: string): Result<string> {
  return readText(ws.disk, planPath(ws, name), planFileOf(ws, name), { single_link: false });
}

/** The exact name, a unique beginning of one, or the only plan where none is given. */
export function resolvePlan(ws: Workspace, typed: string | undefined): Result<string> {
  const name = typed
    ?.replace(/^(?:\.\/)?\.contracts\/plans\//, '')
    .replace(/(?:\/plan\.md)?\/?$/, '');
  if (name !== undefined && PLAN_NAME.test(name) && hasPlan(ws, name)) return ok(name);
  const strange = name !== undefined && /^[^/\0]{1,200}$/.test(name) && !/^\.\.?$/.test(name);
  if (strange && !PLAN_NAME.test(name) && hasPlan(ws, name)) return refused([badName(ws, name)]);
  const names = planNames(ws);
  const begun =
    name === undefined ? names : name === '' ? [] : names.filter((one) => one.startsWith(name));
  const [only] = begun;
  if (only !== undefined && begun.length === 1) return ok(only);
  return refused([unknownPlan(ws, name, names, begun)]);
}

/** A plan that is not in its place yet, such as on a desk: `/…/plans/NAME/plan.md`. */
export function planElsewhere(ws: Workspace, typed: string) {
  const [, plans, name] = /^(\/.+\/plans)\/([^/]+)\/plan\.md$/.exec(typed) ?? [];
  if (plans === undefined || name === undefined || !PLAN_NAME.test(name)) return undefined;
  const there: Workspace = { ...ws, layout: { ...ws.layout, plans } };
  return hasPlan(there, name) ? { name, ws: there } : undefined;
}

const SHOWN_MAX = 8;

function unknownPlan(
  ws: Workspace,
  name: string | undefined,
  names: readonly string[],
  begun: readonly string[],
): Problem {
  const some = names.slice(0, SHOWN_MAX).join(', ') + (names.length > SHOWN_MAX ? ', …' : '');
  const several = begun.length > 1;
  const none = 'Write one: .contracts/plans/NAME/plan.md, a list of boxes';
  const which = didYouMean(name ?? '', names).trim() || 'Name one: contracts plan list';
  return problem({
    code: several ? 'bad_id' : 'missing_file',
    file: shown(ws.layout, plansFolder(ws.layout)),
    message: several ? 'there are several plans that this may mean' : 'there is no such plan',
    ...(name === undefined ? {} : { found: name }),
    ...(names.length === 0 ? {} : { expected: some }),
    fix: names.length === 0 ? none : which,
  });
}

export function readPlan(ws: Workspace, name: string): Result<Plan> {
  const file = planFileOf(ws, name);
  const text = textOfPlan(ws, name);
  if (!text.ok) return text;
  const read = parsePlan(text.value, file);
  if (!read.ok) return read;
  const { squad, items } = read.value;
  const open = squad === undefined ? items.filter((item) => item.squad === undefined) : [];
  const [choice] = open.flatMap((item) => squadNeeded(ws, text.value, item) ?? []);
  const titled = withInputs(read.value, name);
  const document = { ...titled, ...(choice && { squad: choice.name }) };
  return ok({ name, file, text: text.value, document, choice }, read.warnings);
}
