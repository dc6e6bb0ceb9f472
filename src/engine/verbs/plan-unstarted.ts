/**
 * Plans that somebody wrote and nobody has started: for who asks what there is to do where no task is.
 * A tree without plans costs one look.
 */
import { aboveIn, executorsOf } from '../../core/plan-nesting.ts';
import { tasksOfItem } from '../../core/plan-ids.ts';
import type { PlanDocument } from '../../core/plan-document.ts';
import { sha256 } from '../../store/hash.ts';
import { plansFolder } from '../../store/layout.ts';
import { isSomewhere } from '../archive.ts';
import { oldNameOf } from '../plan-lost.ts';
import { planNames, readPlan } from '../plans.ts';
import type { Workspace } from '../workspace.ts';

const ADVICE = 'contracts plan start';

/** One line; undefined where there is none. */
export function unstartedWords(ws: Workspace): string | undefined {
  if (ws.disk.stat(plansFolder(ws.layout)) === undefined) return undefined;
  const names = planNames(ws).filter((name) => isUnstarted(ws, name));
  const [first, ...others] = names;
  if (first === undefined) return undefined;
  if (others.length > 0) return `Plans ${names.join(', ')} are not started: ${ADVICE} NAME`;
  const plan = readPlan(ws, first);
  const was = plan.ok ? oldNameOf(ws, first, plan.value.document) : undefined;
  return was === undefined
    ? `Plan ${first} is not started: ${ADVICE} ${first}`
    : `Plan ${first} is not started, and its tasks are there as those of ${was}: contracts plan check ${first}`;
}

/** Something of it is open, and it has no task. */
function isUnstarted(ws: Workspace, name: string): boolean {
  const plan = readPlan(ws, name);
  if (!plan.ok) return false;
  const { items }: PlanDocument = plan.value.document;
  const above = aboveIn(items);
  const tasks = items.filter(({ kind }) => kind === 'task');
  const isOpen = tasks.some(({ box: { meaning } }) => meaning !== 'done' && meaning !== 'dropped');
  const hasTask = (item: (typeof tasks)[number]): boolean =>
    tasksOfItem(name, { key: item.key, executors: executorsOf(item, above) }, sha256).some(
      ({ id }) => isSomewhere(ws, id),
    );
  return isOpen && !tasks.some(hasTask);
}
