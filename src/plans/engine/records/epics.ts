/** The ledger shows plans that are at work as epics, and those whose boxes are all closed as archived. */
import type { Standing } from '../../core/box-projection.ts';
import { isClosed } from '../../core/plan-document.ts';
import { aboveIn, executorsOf } from '../../core/plan-ids.ts';
import { planFolder } from '../../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../../task/store/tasks/tasks.ts';
import { textIfThere } from '../../../workspace/open/text-file.ts';
import { lastFolder } from '../../../engine/board/archive.ts';
import { readAttempts } from '../../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import type { LedgerPart } from '../../../workspace/tasks/ledger-part.ts';
import { planNames, readPlan, type Plan } from '../start/find-plans.ts';
import { standingIn } from './live-task.ts';

export function epicsOfPlans(ws: Workspace): readonly LedgerPart[] {
  return planNames(ws).flatMap((name) => {
    const plan = readPlan(ws, name);
    return plan.ok ? partOf(ws, plan.value) : [];
  });
}

function partOf(ws: Workspace, { name: id, document }: Plan): LedgerPart {
  const { items, title } = document;
  const own = items.filter(({ kind }) => kind === 'task');
  if (own.length === 0) return {};
  if (own.every(({ box }) => isClosed(box.meaning))) {
    const done = own.filter(({ box }) => box.meaning === 'done').length;
    const outcome = done === own.length ? 'done' : `${done} of ${own.length} done`;
    const date = endOf(ws, id, () => own.flatMap(standingIn(ws, id, document)));
    return { archived: [{ id, title, outcome, date }] };
  }
  const standing = standingIn(ws, id, document);
  const above = aboveIn(items);
  const tasks = own.flatMap((item) => {
    const agents = executorsOf(item, above);
    return standing(item).map((one, i) => ({ ...one, title: item.title, agent: agents[i] ?? '' }));
  });
  return tasks.every(({ state }) => state === 'unknown') ? {} : { epics: [{ id, title, tasks }] };
}

/** Day of the last report of a wave, else of the last attempt; empty without one: the time of a file is that of its checkout. */
function endOf(ws: Workspace, plan: string, tasksOf: () => ReturnType<Standing>): string {
  const runs = `${planFolder(ws.layout, plan)}/runs`;
  const ends = listOrNothing(ws.disk, runs).flatMap(
    ({ name }) =>
      /^- Ended: (\S+)$/m.exec(textIfThere(ws.disk, `${runs}/${name}`) ?? '')?.[1] ?? [],
  );
  const tasks = ends.length > 0 ? [] : tasksOf();
  const attempts = tasks.flatMap(({ id }) => readAttempts(ws, lastFolder(ws, id), id).attempts);
  ends.push(...attempts.flatMap(({ outcome }) => outcome?.at ?? []));
  return (ends.toSorted().at(-1) ?? '').slice(0, 10);
}
