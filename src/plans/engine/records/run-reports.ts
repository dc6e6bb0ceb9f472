/**
 * The reports in `runs/` of a plan: one of each blocked task, and one of each end of a wave, written once. A
 * missing one is written at the end of the next step, or when a person asks.
 */
import { isClosed, type PlanDocument, type PlanItem } from '../../core/plan-document.ts';
import type { Standing } from '../../core/box-projection.ts';
import type { Attempt } from '../../../task/core/attempts/record.ts';
import type { TaskRead } from '../../../task/core/model/task.ts';
import { highestAttempt } from '../../../task/store/tasks/claims.ts';
import { planFolder, shown, taskFolder } from '../../../task/store/tasks/layout.ts';
import { putIfUnchanged } from '../../../task/store/disk/put.ts';
import { listOrNothing, locate } from '../../../task/store/tasks/tasks.ts';
import { runOfTask } from '../../../checkpoints/engine/wave-runs.ts';
import { renderStop, renderWave, type RunOfWave } from '../../text/run-report.ts';
import { readAttempts } from '../../../workspace/tasks/read-attempts.ts';
import { bytesOf } from '../../../workspace/tasks/attempt-context.ts';
import { readBoard } from '../../../engine/board/board.ts';
import { planOf } from '../../../engine/cache/known-task.ts';
import type { Plan } from '../start/find-plans.ts';
import { standingIn } from './live-task.ts';
import { hasPlanFolder } from './notepad.ts';
import { keepStory, madeFolder } from './stories.ts';
import { textIfThere } from '../../../workspace/open/text-file.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

const RUNS = 'runs';
const ENDED: ReadonlySet<string> = new Set(['done', 'aborted']);

/** Writes what can be reported now: stories, and the reports that are missing. Returns them, as they are shown. */
export function reportPlan(ws: Workspace, { name, document }: Plan): readonly string[] {
  const live = [...readBoard(ws, { quick: 'rows' }).tasks.values()];
  const own = live.filter((task) => planOf(task) === name);
  const standing = standingIn(ws, name, document);
  const items = document.items.filter(({ kind }) => kind === 'task').flatMap(standing);
  const ids = [...new Set([...own, ...items].map((one) => one.id))];
  const stories = ids.flatMap((id) => keepStory(ws, id) ?? []);
  const stops = keepStops(ws, own, new Set());
  return [...stories, ...stops, ...keepWaves(ws, name, document, standing, new Set(ids))];
}

/** Tasks that are blocked since before this step, or since a move in it. */
export function keepStops(
  ws: Workspace,
  tasks: Iterable<TaskRead>,
  moved: ReadonlySet<string>,
): readonly string[] {
  const kept: (string | undefined)[] = [];
  for (const task of tasks) {
    const { id, state } = task;
    if (state !== 'blocked' && !moved.has(id)) continue;
    const plan = planOf(task);
    if (plan === undefined || !hasPlanFolder(ws, plan)) continue;
    const [now, ...others] = moved.has(id) ? locate(ws.disk, ws.layout, id) : [state];
    if (now === 'blocked' && others.length === 0) kept.push(keepStop(ws, plan, task));
  }
  return kept.flatMap((one) => one ?? []);
}

function keepStop(ws: Workspace, plan: string, { id, contract }: TaskRead): string | undefined {
  const folder = taskFolder(ws.layout, 'blocked', id);
  const number = highestAttempt(ws.disk, folder);
  const name = `${id}-${number}.md`;
  if (ws.disk.stat(`${planFolder(ws.layout, plan)}/${RUNS}/${name}`) !== undefined)
    return undefined;
  const blocked = textIfThere(ws.disk, `${folder}/blocked.md`);
  if (blocked === undefined || !contract.ok) return undefined;
  const { title } = contract.value;
  const agent = lastAgent(readAttempts(ws, folder, id).attempts);
  const at = ws.machine.now().toISOString();
  return keep(ws, plan, name, renderStop({ id, title, attempt: number, agent, blocked, at }));
}

function lastAgent(attempts: readonly Attempt[]): string {
  return attempts.findLast((one) => !one.lost)?.outcome?.agent ?? '';
}

/** Waves whose tasks have all ended, at least one as done. */
function endedWaves(
  ws: Workspace,
  plan: string,
  { items, waves }: Pick<PlanDocument, 'items' | 'waves'>,
  standing: Standing,
): readonly RunOfWave[] {
  return waves.flatMap(({ number, title }) => {
    const own = items.filter(({ wave, kind }) => wave === number && kind === 'task');
    const isMade = (item: PlanItem): boolean =>
      standing(item).some(({ state }) => state !== 'unknown');
    const by_hand = own.filter((item) => !isMade(item));
    const tasks = own.filter(isMade).flatMap(standing);
    const isOver =
      by_hand.every(({ box }) => isClosed(box.meaning)) &&
      tasks.every(({ state }) => state.startsWith('archived') || ENDED.has(state)) &&
      tasks.some(({ state }) => state === 'done' || state === 'archived_done');
    if (!isOver) return [];
    return {
      plan,
      number,
      title,
      at: ws.machine.now().toISOString(),
      tasks: tasks.map((one) => runOfTask(ws, one)),
      by_hand: by_hand.map((item) => item.title),
    };
  });
}

/** True if a report tells the same, at the time that it names. */
function isReportOf(run: RunOfWave, text: string): boolean {
  const [, at = ''] = /^- (?:At|Ended): (.*)$/m.exec(text) ?? [];
  return renderWave({ ...run, at }) === text;
}

/** `moved`: a wave with one of these tasks may have ended again, which is one more report. */
export function keepWaves(
  ws: Workspace,
  plan: string,
  { items, waves }: PlanDocument,
  standing: Standing,
  moved: ReadonlySet<string>,
): readonly string[] {
  const folder = `${planFolder(ws.layout, plan)}/${RUNS}`;
  const there = listOrNothing(ws.disk, folder).map(({ name }) => name);
  const reportsOf = (wave: number) => there.filter((name) => name.startsWith(`wave-${wave}.`));
  const hasMoved = (item: PlanItem): boolean => standing(item).some(({ id }) => moved.has(id));
  const again = new Set(moved.size > 0 ? items.filter(hasMoved).map(({ wave }) => wave) : []);
  const asked = waves.filter(({ number }) => again.has(number) || reportsOf(number).length === 0);
  return endedWaves(ws, plan, { items, waves: asked }, standing).flatMap((run) => {
    const kept = reportsOf(run.number);
    const text = (name: string): string => textIfThere(ws.disk, `${folder}/${name}`) ?? '';
    if (kept.some((name) => isReportOf(run, text(name)))) return [];
    const name = `wave-${run.number}${kept.length === 0 ? '' : `.${kept.length + 1}`}.md`;
    return keep(ws, plan, name, renderWave(run)) ?? [];
  });
}

/** Another runner may write first, and its file stays. A link in place of the folder is left alone. */
function keep(ws: Workspace, plan: string, name: string, text: string): string | undefined {
  const folder = `${planFolder(ws.layout, plan)}/${RUNS}`;
  if (!madeFolder(ws, folder)) return undefined;
  const path = `${folder}/${name}`;
  const put = putIfUnchanged(ws.putting, path, undefined, bytesOf(text));
  return put === 'put' ? shown(ws.layout, path) : undefined;
}
