/** The progress of a plan, read from the folders each time; nothing of it is stored. */
import { expandPlan } from '../../core/expand.ts';
import type { PlanData } from '../../core/plan-lines.ts';
import { BOX_MARKS } from '../../core/plan-document.ts';
import { planIds } from '../../core/plan-ids.ts';
import { meaningOf, projectedBoxes } from '../../core/box-projection.ts';
import type { DependencyState } from '../../../task/core/model/task.ts';
import { problem, type Problem } from '../../../task/core/model/problem.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { stateNow } from '../records/live-task.ts';
import { aroundPlan } from './plan-context.ts';
import { isPaused } from '../follow/plan-facts.ts';
import { makerOfPlan, planFileOf, type Plan } from './find-plans.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { listTasks } from '../../../engine/queries/list.ts';
import { renamedIn } from './drafts.ts';

export type PlanStatus = PlanData<'plan_status'>;
export type PlanRow = PlanStatus['rows'][number];
export type PlanTask = PlanRow['tasks'][number];

export function statusOfPlan(ws: Workspace, plan: Plan): PlanStatus {
  const { document, name } = plan;
  const { items, drafts, problems } = expandPlan(document, aroundPlan(ws, name));
  const live = new Map(listTasks(ws, { plans: [name] }).tasks.map((task) => [task.id, task]));
  const agents = new Map(drafts.map(({ id, agent }) => [id, agent]));
  const taskOf = (id: string, named = ''): PlanTask => {
    const task = live.get(id);
    if (task === undefined) {
      const nothing = { waits_for: 'nothing', code: 'nothing', reason: '', fix: '' } as const;
      return { id, state: stateNow(ws, id), agent: agents.get(id) ?? named, ...nothing };
    }
    const { state, agent, waits_for, code, reason, fix } = task;
    return { id, state, agent, waits_for, code, reason, fix };
  };
  const known = new Map(
    items.map(({ item, tasks }) => [item, tasks.map((id, i) => taskOf(id, item.executors[i]))]),
  );
  const marks = projectedBoxes(document, (item) => known.get(item) ?? []);
  const marked = new Map(marks.map(({ box, now }) => [box, now]));
  const depths = new Map<string, number>();
  const rows = items.map(({ item, wave }): PlanRow => {
    const { key, kind, title, box, within } = item;
    const depth = within === undefined ? 0 : (depths.get(within) ?? -1) + 1;
    depths.set(key, depth);
    return {
      key,
      kind,
      title,
      line: box.line,
      ...(wave === undefined ? {} : { wave }),
      depth,
      mark: BOX_MARKS[marked.get(box) ?? box.meaning],
      tasks: known.get(item) ?? [],
    };
  });
  const all = withCheckpoints(plan, rows, (id) => {
    const task = taskOf(id);
    return { ...task, agent: agents.get(id) ?? task.agent };
  });
  const isMade = ({ state }: PlanTask): boolean => state !== 'unknown';
  const unmade = items.flatMap(({ item, tasks }) =>
    tasks.length > 0 && known.get(item)?.some(isMade) !== true ? [item] : [],
  );
  const errors = [...document.warnings, ...problems].filter(({ severity }) => severity === 'error');
  const counts = countsOf(rows);
  const guard = guardOfPlan(ws, name);
  const left = counts.items - counts.dropped;
  return {
    plan: name,
    title: document.title,
    file: plan.file,
    ...(document.squad === undefined ? {} : { squad: document.squad }),
    paused: isPaused(ws, name),
    started: rows.some(({ tasks }) => tasks.some(isMade)),
    waves: document.waves.map(({ number, title }) => ({ number, title })),
    rows: all,
    counts,
    percent: left === 0 ? 0 : Math.floor((100 * counts.done) / left),
    problems: [...errors, ...renamedIn(ws, plan, items, unmade), ...(guard ? [guard] : [])],
  };
}

/** The gate that the plan waits for: nothing of it begins before, and no advice names it. */
export function guardOfPlan(ws: Workspace, name: string): Problem | undefined {
  const file = planFileOf(ws, name);
  const by = makerOfPlan(ws, name);
  if (by === undefined) return undefined;
  const { id, state, attempts } = by;
  const refused = {
    reason: attempts.at(-1)?.outcome?.reason,
    fix: `contracts retry ${id} --again`,
  };
  const { reason, fix } = listTasks(ws).tasks.find((one) => one.id === id) ?? refused;
  const message = 'this plan is not approved yet, so nothing of it begins';
  const found = `${id} (${state}): ${reason}`;
  return problem({ code: 'undecided', severity: 'warning', file, message, found, fix });
}

const WORKING: ReadonlySet<DependencyState> = new Set(['in_progress', 'review', 'questions']);

/** A checkpoint comes after the last item of its wave, once it exists. */
function withCheckpoints(
  { name, document }: Plan,
  rows: readonly PlanRow[],
  taskOf: (id: string) => PlanTask,
): readonly PlanRow[] {
  const ids = planIds(name, sha256);
  return rows.flatMap((row, i) => {
    const { wave } = row;
    const isLast = wave !== undefined && !rows.slice(i + 1).some((one) => one.wave === wave);
    if (!isLast) return [row];
    const task = taskOf(ids.checkpoint(wave));
    if (task.state === 'unknown') return [row];
    const place = document.waves.find(({ number }) => number === wave);
    const checkpoint: PlanRow = {
      key: `checkpoint-wave-${wave}`,
      kind: 'checkpoint',
      title: `Checkpoint after wave ${wave}`,
      line: place?.line ?? row.line,
      wave,
      depth: 0,
      mark: BOX_MARKS[meaningOf([task]) ?? 'open'],
      tasks: [task],
    };
    return [row, checkpoint];
  });
}

/** Each item counts once; blocked only where none of its tasks is under way. */
function countsOf(rows: readonly PlanRow[]): PlanStatus['counts'] {
  const counts = { items: 0, done: 0, dropped: 0, working: 0, blocked: 0, open: 0 };
  for (const { kind, mark, tasks } of rows) {
    if (kind !== 'task') continue;
    counts.items += 1;
    if (mark === BOX_MARKS.done) counts.done += 1;
    else if (mark === BOX_MARKS.dropped) counts.dropped += 1;
    else if (tasks.some(({ state }) => WORKING.has(state))) counts.working += 1;
    else if (tasks.some(({ state }) => state === 'blocked')) counts.blocked += 1;
    else counts.open += 1;
  }
  return counts;
}
