/**
 * `archive`: tasks out of done and aborted into `.contracts/archive/`, by age or by name. Refuses what
 * somebody still works on; moves nothing over anything.
 */
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { ok, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { archiveFolder, desksFolder, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { listOrNothing, listState, locate } from '../../task/store/tasks/tasks.ts';
import { isArchived, putIntoArchive, taskAsArchive } from '../board/archive.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { holderOf } from '../../workspace/tasks/liveness.ts';
import { doubleProblem } from '../step/next-action.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { keptWork } from '../../worktrees/engine/worktree.ts';
import { findTask } from '../queries/find-task.ts';
import { wrongState } from './moves.ts';

export interface Archived {
  readonly id: string;
  readonly from: 'done' | 'aborted';
  /** Relative to the workspace root. */
  readonly to: string;
  readonly reason: string;
}

export interface ArchiveOptions {
  /** Tasks, whatever their age; without any, all that are old enough. */
  readonly ids?: readonly string[];
  readonly older_than_ms: number;
  readonly dry_run?: boolean;
}

export interface Archiving {
  readonly archived: readonly Archived[];
  /** Tasks that were asked for or old enough, and were not moved. */
  readonly problems: readonly Problem[];
  /** Tasks that are too young. */
  readonly kept: number;
}

export function archiveTasks(ws: Workspace, options: ArchiveOptions): Archiving {
  const hidden = taskAsArchive(ws);
  if (hidden !== undefined) return { archived: [], problems: [hidden.problem], kept: 0 };
  const ids = options.ids ?? [];
  const looked = ids.length > 0 ? ids.map((id) => named(ws, id)) : old(ws, options.older_than_ms);
  const archived: Archived[] = [];
  const problems: Problem[] = [];
  for (const one of looked) {
    const moved = one === 'young' ? one : one.ok ? putAway(ws, one.value, options) : one;
    if (moved === 'young') continue;
    if (moved.ok) archived.push(moved.value);
    else problems.push(...moved.problems);
  }
  return { archived, problems, kept: looked.filter((one) => one === 'young').length };
}

type Candidate = Pick<Archived, 'from' | 'reason'> & { readonly task: TaskRead };

function named(ws: Workspace, id: string): Result<Candidate> {
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const { state } = found.value;
  if (state === 'done' || state === 'aborted') {
    return ok({ task: found.value, from: state, reason: `${state}, and asked for` });
  }
  return refused([wrongState(ws, id, 'archive', state, 'done or aborted')]);
}

function old(ws: Workspace, older_than_ms: number): (Result<Candidate> | 'young')[] {
  const now = ws.machine.now().getTime();
  return (['done', 'aborted'] as const).flatMap((from) =>
    listState(ws.disk, ws.layout, from).ids.flatMap((id): (Result<Candidate> | 'young')[] => {
      const task = readTask(ws, from, id);
      if (task === undefined) return [];
      const since = endedAt(ws, task);
      if (now - since < older_than_ms) return ['young'];
      const states = locate(ws.disk, ws.layout, id);
      if (states.length > 1) return [refused([doubleProblem(ws, id, states)])];
      return [ok({ task, from, reason: `${from} since ${new Date(since).toISOString()}` })];
    }),
  );
}

/** By its own word where the last attempt brought it there, else when its folder came there. */
function endedAt(ws: Workspace, task: TaskRead): number {
  const last = task.attempts.at(-1)?.outcome;
  const brought = task.state === 'done' ? 'approved' : 'reject';
  const ended = last?.outcome === brought ? Date.parse(last.at) : Number.NaN;
  if (!Number.isNaN(ended)) return ended;
  return ws.disk.stat(taskFolder(ws.layout, task.state, task.id))?.ctime_ms ?? Number.NaN;
}

function putAway(ws: Workspace, candidate: Candidate, options: ArchiveOptions): Result<Archived> {
  const { task, from, reason } = candidate;
  const { id } = task;
  const hindrance = heldBy(ws, task);
  const file = shown(ws.layout, taskFolder(ws.layout, from, id));
  if (hindrance !== undefined) {
    const fix = `Let it end: contracts step; then contracts archive ${id}`;
    return refused({ code: 'bad_value', file, message: hindrance, fix });
  }
  const to = shown(ws.layout, archiveFolder(ws.layout, id));
  const attempt = task.attempts.at(-1)?.number ?? 0;
  const planned = isArchived(ws, id) ? 'taken' : 'moved';
  const moved = options.dry_run === true ? planned : putIntoArchive(ws, id, from, attempt);
  const kept = keptWork(ws, id);
  const why = kept === undefined ? reason : `${reason}; ${kept}`;
  if (moved === 'moved') return ok({ id, from, to, reason: why });
  const [message, fix] =
    moved === 'taken'
      ? [`${to} is there already`, 'Look at both, and move one of them away']
      : ['it was moved just now', `Look again: contracts show ${id}`];
  return refused({ code: 'two_states', file, message, fix });
}

/** An attempt works on it, or left a desk that the next step puts into its attempt. */
function heldBy(ws: Workspace, task: TaskRead): string | undefined {
  const desk = listOrNothing(ws.disk, desksFolder(ws.layout)).some(({ name }) =>
    name.startsWith(`${task.id}.`),
  );
  if (desk) return 'a desk of it is in .desk/';
  const holder = openAttempt(task) === undefined ? 'none' : holderOf(ws, task);
  // A person's runs nowhere: it ended with their move.
  const over = holder === 'none' || holder === 'dead' || holder === 'person';
  return over ? undefined : 'an attempt of it is still open';
}
