/** Plans that are not started, and open items without a task: shown where nothing else is to do. */
import { planIds, tasksIn } from '../../core/plan-ids.ts';
import { isClosed, type PlanItem } from '../../core/plan-document.ts';
import { renamedItems } from '../../core/plan-renamed.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { isSomewhere } from '../../../engine/board/archive.ts';
import { oldNameOf } from '../follow/missing-plans.ts';
import { orphansAmong, unowned } from '../follow/orphan-tasks.ts';
import { planFileOf, planNames, readPlan, withoutGuard } from './find-plans.ts';
import { problem, type Problem } from '../../../task/core/model/problem.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

const ADVICE = 'contracts plan start';
const SHOWN_MAX = 3;

/** undefined where there is none. `busy`: those that are not started do not count. */
export function unstartedWords(ws: Workspace, busy = false): string | undefined {
  const all = planNames(ws).flatMap((name) => leftOf(ws, name) ?? []);
  const left = withoutGuard(ws, all);
  const begun = left
    .filter(({ started }) => started)
    .map((one) => incomplete(ws, one))
    .map(({ message, fix }) => `${message}: ${fix}`);
  const more = begun.length - SHOWN_MAX;
  const fresh = left.filter(({ started }) => !started && !busy);
  const lines = [
    ...newWords(ws, fresh),
    ...begun.slice(0, SHOWN_MAX),
    ...(more > 0 ? [`and ${more} more plans: contracts plan list`] : []),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

function newWords(ws: Workspace, plans: readonly Left[]): readonly string[] {
  const [first, ...others] = plans;
  if (first === undefined) return [];
  const { name, document } = first;
  if (others.length > 0) {
    return [`Plans ${plans.map((one) => one.name).join(', ')} are not started: ${ADVICE} NAME`];
  }
  const was = oldNameOf(ws, name, document);
  return was === undefined
    ? [`Plan ${name} is not started: ${ADVICE} ${name}`]
    : [
        `Plan ${name} is not started, and its tasks are there as those of ${was}: contracts plan check ${name}`,
      ];
}

/** A plan that is started and of which items have no task. */
function incomplete(ws: Workspace, { name, unmade, renamed }: Left): Problem {
  const have = unmade === 1 ? `1 item of plan ${name} has` : `${unmade} items of plan ${name} have`;
  const fix = `${renamed ? 'contracts plan check' : ADVICE} ${name}`;
  const how = { severity: 'warning', file: planFileOf(ws, name), fix } as const;
  return problem({ code: 'missing_file', message: `${have} no task`, ...how });
}

export function incompletePlans(ws: Workspace): readonly Problem[] {
  const left = planNames(ws).flatMap((name) => leftOf(ws, name) ?? []);
  return left.filter(({ started }) => started).map((one) => incomplete(ws, one));
}

/** A plan with this text, but for its boxes, of which items have no task: its start was cut off. */
export function unfinishedPlan(ws: Workspace, text: string, only?: string): string | undefined {
  const bare = (one: string): string => one.replace(/^- \[.\]/gm, '- [ ]');
  return planNames(ws).find((name) => {
    const plan = only === undefined || only === name ? readPlan(ws, name) : undefined;
    const isSame = plan?.ok === true && bare(plan.value.text) === bare(text);
    return isSame && leftOf(ws, name) !== undefined;
  });
}

type Left = NonNullable<ReturnType<typeof leftOf>>;

/** `renamed`: its items without a task may be renamed ones. */
function leftOf(ws: Workspace, name: string) {
  const plan = readPlan(ws, name);
  if (!plan.ok) return undefined;
  const { document, file, text } = plan.value;
  const tasksOf = tasksIn(document.items, planIds(name, sha256));
  const tasks = document.items.filter(({ kind }) => kind === 'task');
  const idsOf = (item: PlanItem): readonly string[] => tasksOf(item).map(({ id }) => id);
  const hasTask = (item: PlanItem): boolean => idsOf(item).some((id) => isSomewhere(ws, id));
  const open = tasks.filter(({ box }) => !isClosed(box.meaning));
  const unmade = open.filter((item) => !hasTask(item));
  if (unmade.length === 0) return undefined;
  const started = unmade.length < open.length || tasks.some(hasTask);
  const owned = new Set(tasks.flatMap(idsOf));
  const orphans = orphansAmong(name, unowned(ws, name, owned, true), owned);
  const renamed = renamedItems({ name, file }, unmade, orphans).length > 0;
  return { name, text, document, started: started || renamed, unmade: unmade.length, renamed };
}
