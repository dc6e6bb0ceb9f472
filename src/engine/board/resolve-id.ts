/**
 * Which task a person means: its id, its short name, the beginning, end or words of its id, or a path of
 * its folder. Nothing is guessed: ambiguous and unknown words are refused with the tasks that they may mean.
 */
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isTaskId, shortNames, stemOf } from '../../task/core/model/id.ts';
import { nearestId } from '../../task/core/base/nearest.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { isState, LIVE_STATES, STATES, type State } from '../../task/core/model/state.ts';
import { archiveFolder, shown } from '../../task/store/tasks/layout.ts';
import { listOrNothing, listState, locate } from '../../task/store/tasks/tasks.ts';
import { isSomewhere } from './archive.ts';
import { strangerProblem } from './board.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const SHOWN_MAX = 8;
/** Shorter ends of ids mean nothing. */
const END_CHARS_MIN = 3;

/** The strictest first. */
const MATCHES: readonly ((id: string, text: string) => boolean)[] = [
  (id, text) => stemOf(id) === text,
  (id, text) => text !== '' && id.startsWith(text),
  (id, text) => (text.length >= END_CHARS_MIN && id.endsWith(text)) || hasWords(id, text),
];

/**
 * A path may be relative to `from`. Ended tasks are looked into only where no live one matches as well; one of them is
 * not meant where the text begins a live one, as lists print it.
 */
export function resolveId(ws: Workspace, text: string, from = '.'): Result<string> {
  if (isTaskId(text) && isSomewhere(ws, text)) return ok(text);
  const folder = /\/|^\.+$/.test(text) ? idOfPath(ws, text, from) : undefined;
  if (folder !== undefined) return ok(folder);
  const live = idsIn(ws, LIVE_STATES);
  let all = live;
  for (const matches of MATCHES) {
    const found = live.filter((id) => matches(id, text));
    if (found.length > 0) return only(ws, text, found, live);
    if (all === live) all = [...live, ...idsIn(ws, ['done', 'aborted'])];
    const ended = all.filter((id) => matches(id, text));
    const begun = live.filter((id) => text !== '' && id.startsWith(text));
    if (ended.length > 0) return only(ws, text, [...begun, ...ended], all);
  }
  const archived = archivedIds(ws);
  const old = archived.filter((id) => MATCHES.some((matches) => matches(id, text)));
  return old.length > 0
    ? only(ws, text, old, archived)
    : refused([strangerNamed(ws, text) ?? unknown(ws, text, all)]);
}

/** A folder in a state that has this name, which is no id: as a board reports it. */
export function strangerNamed(ws: Workspace, text: string): Problem | undefined {
  const isMeant = ({ name, kind }: { readonly name: string; readonly kind: string }): boolean =>
    kind === 'folder' && name === basename(text);
  for (const state of isTaskId(text) ? [] : STATES) {
    const stranger = listState(ws.disk, ws.layout, state).strangers.find(isMeant);
    const found = stranger && strangerProblem(ws, state, stranger);
    if (found !== undefined) return { ...found, found: found.file };
  }
  return undefined;
}

function hasWords(id: string, text: string): boolean {
  const words = text.replace(/[_\s]+/g, '-');
  return words !== '' && `-${id.replaceAll('_', '-')}-`.includes(`-${words}-`);
}

/** The id in a path to or into a task's folder, live or archived. */
function idOfPath(ws: Workspace, text: string, from: string): string | undefined {
  const { layout } = ws;
  const archive = dirname(archiveFolder(layout, 'x'));
  for (const path of [resolve(from, text), join(layout.root, text)]) {
    const [state = '', id = ''] = relative(layout.tasks, path).split('/');
    const [archived = ''] = relative(archive, path).split('/');
    const named = isState(state) ? id : archived;
    if (isTaskId(named) && isSomewhere(ws, named)) return named;
  }
  return undefined;
}

function idsIn(ws: Workspace, states: readonly State[]): readonly string[] {
  const ids = states.flatMap((state) => listState(ws.disk, ws.layout, state).ids);
  return [...new Set(ids)].sort();
}

export function archivedIds({ disk, layout }: Workspace): readonly string[] {
  const names = listOrNothing(disk, dirname(archiveFolder(layout, 'x'))).map(({ name }) => name);
  return names.filter(isTaskId).sort();
}

function only(ws: Workspace, text: string, ids: readonly string[], all: readonly string[]) {
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return ok(id);
  const short = shortNames(all);
  const stateOf = (one: string) => locate(ws.disk, ws.layout, one)[0] ?? 'archived';
  const named = (one: string) => `${short.get(one) ?? one} (${stateOf(one)})`;
  return refused({
    code: 'bad_id',
    file: shown(ws.layout, ws.layout.tasks),
    message: `${ids.length} tasks match this`,
    found: text,
    fix: `Write more of the id: ${some(ids, named)}; see them all: contracts list --all`,
  });
}

function unknown(ws: Workspace, text: string, ids: readonly string[]): Problem {
  const near = nearestId(text, [...ids, ...ids.map(stemOf)]);
  const inside = text.length < 3 ? [] : ids.filter((id) => id.includes(text));
  const meant = near === undefined ? inside : [near];
  const hint = meant.length === 0 ? '' : `Did you mean ${some(meant)}? `;
  return problem({
    code: 'missing_file',
    file: shown(ws.layout, ws.layout.tasks),
    message: `there is no task ${/\s|^$/.test(text) ? JSON.stringify(text) : text}`,
    fix: `${hint}See which there are: contracts list`,
  });
}

function some(ids: readonly string[], named = (id: string): string => id): string {
  const more = ids.length - SHOWN_MAX;
  return ids.slice(0, SHOWN_MAX).map(named).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
