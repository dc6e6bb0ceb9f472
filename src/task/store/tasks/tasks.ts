/**
 * Task folders: listing, finding, moving. A move is one rename(2) and the fsync of both parents. Nothing
 * is ever made at a target: a rename onto an empty folder would replace it silently.
 */
import { dirname, join, relative } from 'node:path';
import { areTaskIds, isTaskId } from '../../core/model/id.ts';
import { Fault } from '../../core/model/problem.ts';
import { STATES, type State } from '../../core/model/state.ts';
import { errorCode, isGone, makeFolder, unlessGone, type Disk } from '../disk/disk.ts';
import { stateFolder, taskFolder, type Layout } from './layout.ts';

export interface Listed {
  readonly ids: readonly string[];
  /** Names in the state folder that are not tasks: reported and left alone. */
  readonly strangers: readonly { readonly name: string; readonly kind: string }[];
  /** The name of the state folder is taken by a link or a file: what is behind it is not ours. */
  readonly foreign?: true;
}

/** The tasks of one state folder, sorted; a missing folder has none (git drops empty ones). */
export function listState(disk: Disk, layout: Layout, state: State): Listed {
  if (isForeign(disk, layout, state)) return { ids: [], strangers: [], foreign: true };
  const all = tasksAlone(disk, layout, state);
  return all === undefined ? sift(disk, layout, state) : { ids: all.toSorted(), strangers: [] };
}

function sift(disk: Disk, layout: Layout, state: State): Listed {
  const ids: string[] = [];
  const strangers: { name: string; kind: string }[] = [];
  for (const entry of listOrNothing(disk, stateFolder(layout, state))) {
    if (entry.kind === 'folder' && isTaskId(entry.name)) ids.push(entry.name);
    else if (entry.name !== '.gitkeep') strangers.push(entry);
  }
  return { ids, strangers };
}

/** The tasks of a state in any order, which is cheaper; of more than `most` some. */
export function namesInState(disk: Disk, layout: Layout, state: State, most?: number) {
  if (isForeign(disk, layout, state)) return [];
  return tasksAlone(disk, layout, state, most) ?? sift(disk, layout, state).ids;
}

/** The names in a state folder of many tasks and nothing else; undefined where that is not certain. */
function tasksAlone(disk: Disk, layout: Layout, state: State, most?: number) {
  const names = disk.folders?.(stateFolder(layout, state), most);
  return names !== undefined && areTaskIds(names) ? names : undefined;
}

/** A link or a file has the name of a state folder: its contents are not ours. */
export function isForeign(disk: Disk, layout: Layout, state: State): boolean {
  return (disk.stat(stateFolder(layout, state))?.kind ?? 'folder') !== 'folder';
}

export function listOrNothing(disk: Disk, folder: string): ReturnType<Disk['list']> {
  return unlessGone(() => disk.list(folder), []);
}

/** Every state with a folder of that name; a person resolves more than one. */
export function locate(disk: Disk, layout: Layout, id: string): readonly State[] {
  return STATES.filter((state) => isIn(disk, layout, state, id));
}

export function isIn(disk: Disk, layout: Layout, state: State, id: string): boolean {
  const folder = disk.stat(taskFolder(layout, state, id));
  return folder?.kind === 'folder' && !isForeign(disk, layout, state);
}

export type MoveResult = 'moved' | 'gone' | 'taken';

/** `taken`: the target has that id already, nothing was moved. `gone`: it is no longer in `from`. */
export function moveTask(
  disk: Disk,
  layout: Layout,
  id: string,
  from: State,
  to: State,
): MoveResult {
  makeState(disk, layout, to);
  const moved = moveInto(disk, layout, id, from, to);
  if (moved === 'moved') {
    disk.sync(stateFolder(layout, to));
    disk.sync(stateFolder(layout, from));
  }
  return moved;
}

/** The rename alone, where the folder of the target state is known to be a folder. */
export function moveInto(
  disk: Disk,
  layout: Layout,
  id: string,
  from: State,
  to: State,
): MoveResult {
  const target = taskFolder(layout, to, id);
  const source = taskFolder(layout, from, id);
  if (disk.stat(target) !== undefined) {
    // A person may have just moved it there.
    return disk.stat(source) === undefined ? 'gone' : 'taken';
  }
  try {
    disk.rename(source, target);
  } catch (error) {
    if (isGone(error)) return 'gone';
    if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) return 'taken';
    throw error;
  }
  return 'moved';
}

/** With those above it, each durable. */
export function makeFolders(disk: Disk, folder: string): void {
  if (disk.stat(folder) !== undefined || dirname(folder) === folder) return;
  makeFolders(disk, dirname(folder));
  if (makeFolder(disk, folder)) disk.sync(dirname(folder));
}

/** Makes a folder of the workspace with those above it, each durable. Throws a Fault where a link or a file is in the way. */
export function makeDurable(disk: Disk, { root }: Layout, folder: string): void {
  const segments = relative(root, folder).split('/');
  for (let length = 1; length <= segments.length; length++) {
    const name = segments.slice(0, length).join('/');
    const path = join(root, name);
    if (makeFolder(disk, path)) disk.sync(dirname(path));
    if (disk.stat(path)?.kind === 'folder') continue;
    throw new Fault('tree', `${name} is a link or a file`, { fix: 'Put a real folder there' });
  }
}

/** False where a link or a file is in the way: then it stays protected. */
export function makeBelow(disk: Disk, root: string, folder: string, made: string[]): boolean {
  const segments = folder === '.' ? [] : folder.split('/');
  for (let length = 1; length <= segments.length; length++) {
    const path = join(root, ...segments.slice(0, length));
    const kind = disk.stat(path)?.kind;
    if (kind === 'folder') continue;
    if (kind !== undefined) return false;
    disk.mkdir(path);
    made.push(path);
  }
  return true;
}

/** For a new task, never for a move: the folder of a task that is gone must not come back. */
export function makeTasksFolder(disk: Disk, { tasks }: Layout): void {
  makeFolders(disk, tasks);
}

export function makeState(disk: Disk, layout: Layout, state: State): void {
  const folder = stateFolder(layout, state);
  const found = disk.stat(folder);
  if (found !== undefined && found.kind !== 'folder') {
    throw new Fault('tree', `${folder} is a link or a file, not a folder`, {
      fix: 'Put a real folder there, then run this again',
    });
  }
  if (found !== undefined) return;
  makeFolder(disk, folder);
  disk.sync(layout.tasks);
}

/** A path inside the workspace: every segment a real folder, the last a regular file. */
export type InsideResult =
  | { readonly ok: true; readonly path: string; readonly bytes: number; readonly mtime_ms: number }
  | { readonly ok: false; readonly missing: boolean; readonly why: string };

/** Refuses links at every segment, and hard links where `single_link` is asked for. */
export function inside(
  disk: Disk,
  root: string,
  relative: string,
  options = { single_link: false },
): InsideResult {
  const segments = relative.split('/').filter((segment) => segment !== '' && segment !== '.');
  const no = (why: string, missing = false): InsideResult => ({ ok: false, missing, why });
  let path = root;
  for (const [i, segment] of segments.entries()) {
    if (segment === '..') return no('it leads out of the workspace');
    path = join(path, segment);
    const found = disk.stat(path);
    if (found === undefined) return no('there is no such file', true);
    const last = i === segments.length - 1;
    if (!last && found.kind !== 'folder') return no(`${segment} is a link or not a folder`);
    if (!last) continue;
    if (found.kind !== 'file') {
      return no(found.kind === 'folder' ? 'it is a folder' : 'it is a link or a special file');
    }
    if (options.single_link && found.links > 1) return no('it is a hard link');
    return { ok: true, path, bytes: found.bytes, mtime_ms: found.mtime_ms };
  }
  return no('it names no file');
}
