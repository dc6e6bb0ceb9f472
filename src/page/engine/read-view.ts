/** Reads what the report and the page show, by the functions that the verbs call. Changes nothing. */
import { basename, join } from 'node:path';
import { decides } from '../../engine/commands/write-words.ts';
import { patchOf } from '../../engine/attempt/attempt-diff.ts';
import { findAny } from '../../engine/queries/find-task.ts';
import { graphOf } from '../../engine/queries/graph.ts';
import { listTasks, type ListQuery } from '../../engine/queries/list.ts';
import { storyOf } from '../../engine/queries/show.ts';
import { planNames, readPlan } from '../../plans/engine/start/find-plans.ts';
import { statusOfPlan } from '../../plans/engine/start/plan-status.ts';
import { rowsOf } from '../../stats/core/figures.ts';
import { readStats } from '../../stats/engine/read-stats.ts';
import type { TaskGraph, TaskNode } from '../../task/core/base/dependency-graph.ts';
import { ok, type Result } from '../../task/core/model/problem.ts';
import { PLAIN } from '../../task/core/model/task.ts';
import { STATES } from '../../task/core/model/state.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

import type { BoardView, Figures, PlanStatus, ReportView, TaskView } from '../core/model.ts';

const FILES = ['contract.md', 'status.md', 'questions.md', 'result.md', 'review.md', 'blocked.md'];

export function readBoardView(ws: Workspace, query: ListQuery = {}): BoardView {
  const { tasks, problems } = listTasks(ws, { states: new Set(STATES), sort: 'turn', ...query });
  const at = ws.machine.now().toISOString();
  return { name: basename(ws.layout.root), at, tasks, problems };
}

/** `lines_max`: of its patch. */
export async function readTaskView(
  ws: Workspace,
  id: string,
  lines_max: number,
): Promise<Result<TaskView>> {
  const story = await storyOf(ws, id);
  if (!story.ok) return story;
  const found = findAny(ws, id);
  if (!found.ok) return found;
  const { folder, task } = found.value;
  const lines = (patchOf(ws, folder, task.attempts) ?? '').split('\n');
  const shown = fitting(lines, lines_max);
  const files = FILES.flatMap((name) => {
    const text = textIfThere(ws.disk, join(folder, name));
    return text === undefined ? [] : [[name, text] as const];
  });
  const { decision } = decides(task) ? task.kind : PLAIN;
  const isAsking = task.state === 'questions' && decision === undefined;
  const questions = isAsking && task.questions?.ok ? task.questions.value.questions : [];
  return ok({
    asked: questions.filter(({ answer, missing }) => answer === '' && !missing),
    decision: [...(decision?.words ?? [])],
    story: story.value,
    patch: lines.slice(0, shown).join('\n'),
    cut: lines.length - shown,
    files: Object.fromEntries(files),
  });
}

/** A line of a generated file can be as long as many. */
const LINE_CHARS = 120;

/** Counts the first lines that are shown: at most so many, and no more characters than they usually have. */
function fitting(lines: readonly string[], lines_max: number): number {
  let chars = lines_max * LINE_CHARS;
  const over = lines.slice(0, lines_max).findIndex((line) => (chars -= line.length + 1) < 0);
  return over === -1 ? Math.min(lines.length, lines_max) : over;
}

/** The plans of these names, or all that can be read. */
export function readPlans(ws: Workspace, names: readonly string[] = planNames(ws)) {
  return names.flatMap((name): PlanStatus[] => {
    const plan = readPlan(ws, name);
    return plan.ok ? [statusOfPlan(ws, plan.value)] : [];
  });
}

export function readFigures(ws: Workspace, plan: string | undefined, since_ms: number): Figures {
  return rowsOf(
    readStats(ws).tasks,
    (one) => one.at_ms >= since_ms && (plan === undefined || one.plan === plan),
  );
}

export interface Asked {
  readonly plan?: string | undefined;
  /** Milliseconds since 1970; -Infinity for all. */
  readonly since_ms: number;
  readonly about: string;
}

/** Lines of patches in the whole report, and in one task. */
const PATCH_LINES = { all: 1000, task: 100 } as const;

/** Tasks that ended before `since_ms` are left out. */
export async function readReport(
  ws: Workspace,
  { plan, since_ms, about }: Asked,
): Promise<ReportView> {
  const query = plan === undefined ? {} : { plans: [plan] };
  const all = readBoardView(ws, query);
  const isNew = (one: (typeof all.tasks)[number]): boolean =>
    !['done', 'aborted'].includes(one.state) || Date.parse(one.stands_since) >= since_ms;
  const board = { ...all, tasks: all.tasks.filter(isNew) };
  const tasks: TaskView[] = [];
  let left: number = PATCH_LINES.all;
  for (const { id } of board.tasks) {
    const view = await readTaskView(ws, id, Math.min(left, PATCH_LINES.task));
    // It may have been moved away since it was listed.
    if (!view.ok) continue;
    left -= view.value.patch === '' ? 0 : view.value.patch.split('\n').length;
    tasks.push(view.value);
  }
  return {
    board,
    tasks,
    plans: readPlans(ws, plan === undefined ? undefined : [plan]),
    graph: graphAmong(ws, tasks),
    figures: readFigures(ws, plan, since_ms),
    about,
  };
}

/** Between these tasks, ended ones too, and what they name. */
function graphAmong(ws: Workspace, tasks: readonly TaskView[]): TaskGraph {
  const { edges: live, cycles } = graphOf(ws);
  const turning = new Set(live.flatMap((one) => (one.on_cycle ? [`${one.from} ${one.to}`] : [])));
  const stories = tasks.map(({ story }) => story);
  const edges = stories.flatMap(({ id: to, depends_on }) =>
    depends_on.map(({ id: from }) => ({ from, to, on_cycle: turning.has(`${from} ${to}`) })),
  );
  const known = new Map(stories.map(({ id, state, title }) => [id, { id, state, title }]));
  const named = stories.flatMap(({ id, depends_on }) => [...depends_on.map((one) => one.id), id]);
  const states = new Map(
    stories.flatMap(({ depends_on }) => depends_on.map((one) => [one.id, one.state])),
  );
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const nodes = [...new Set(named)].flatMap((id) => {
    const state = (states.get(id) ?? 'unknown') as TaskNode['state'];
    return linked.has(id) ? [known.get(id) ?? { id, state, title: '' }] : [];
  });
  return { nodes, edges, cycles };
}
