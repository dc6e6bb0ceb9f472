/**
 * Which task a person means: the id as typed, or the only one that starts so. Nothing is guessed:
 * ambiguous and unknown words are refused with the ids that may have been meant.
 */
import { isTaskId } from '../../task/core/model/id.ts';
import { nearestId } from '../../task/core/base/nearest.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { LIVE_STATES, STATES, type State } from '../../task/core/model/state.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { listState } from '../../task/store/tasks/tasks.ts';
import { isArchived } from './archive.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const SHOWN_MAX = 8;

/** `done` and `aborted` are looked into only where no live task starts so. */
export function resolveId(ws: Workspace, text: string): Result<string> {
  if (isTaskId(text) && (isStanding(ws, text) || isArchived(ws, text))) return ok(text);
  const live = idsIn(ws, LIVE_STATES);
  const begun = startingSo(live, text);
  if (begun.length > 0) return only(ws, text, begun);
  const ended = idsIn(ws, ['done', 'aborted']);
  const other = startingSo(ended, text);
  if (other.length > 0) return only(ws, text, other);
  return refused([unknown(ws, text, [...live, ...ended])]);
}

function isStanding(ws: Workspace, id: string): boolean {
  return STATES.some((state) => ws.disk.stat(taskFolder(ws.layout, state, id))?.kind === 'folder');
}

function idsIn(ws: Workspace, states: readonly State[]): readonly string[] {
  const ids = states.flatMap((state) => listState(ws.disk, ws.layout, state).ids);
  return [...new Set(ids)].sort();
}

function startingSo(ids: readonly string[], text: string): readonly string[] {
  return text === '' ? [] : ids.filter((id) => id.startsWith(text));
}

function only(ws: Workspace, text: string, ids: readonly string[]): Result<string> {
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return ok(id);
  return refused({
    code: 'bad_id',
    file: shown(ws.layout, ws.layout.tasks),
    message: `${ids.length} tasks start with these letters`,
    found: text,
    fix: `Write more of the id; there are ${some(ids)}; see them all: contracts list`,
  });
}

function unknown(ws: Workspace, text: string, ids: readonly string[]): Problem {
  const near = nearestId(text, ids);
  const inside = text.length < 3 ? [] : ids.filter((id) => id.includes(text));
  const meant = near === undefined ? inside : [near];
  const hint = meant.length === 0 ? '' : `Did you mean ${some(meant)}? `;
  return problem({
    code: 'missing_file',
    file: shown(ws.layout, ws.layout.tasks),
    message: 'there is no such task',
    found: text,
    fix: `${hint}See which there are: contracts list`,
  });
}

function some(ids: readonly string[]): string {
  const more = ids.length - SHOWN_MAX;
  return ids.slice(0, SHOWN_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
