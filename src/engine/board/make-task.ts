/** New task folders, each whole before it is visible. May be repeated after a crash: what is there already is left as it is. */
import { join } from 'node:path';
import { STATES, type State } from '../../task/core/model/state.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { archiveFolder, stateFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { TEMPORARY } from '../../task/store/disk/put.ts';
import {
  listOrNothing,
  locate,
  makeState,
  makeTasksFolder,
  namesInState,
} from '../../task/store/tasks/tasks.ts';
import { isSomewhere } from './archive.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import type { NamedBytes } from '../../workspace/tasks/capability.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface NewTask {
  readonly state: State;
  readonly id: string;
  /** Its files besides contract.md, in `notes/`. */
  readonly notes?: readonly NamedBytes[];
  /** contract.md. */
  readonly text: string;
}

/**
 * The folder is made aside and renamed into its state: half of it is never visible. `false`: it is there, in
 * any state. Another process may make it too, and a runner may begin it.
 */
export function makeTaskOnce(ws: Workspace, state: State, id: string, text: string): boolean {
  return makeTasks(ws, [{ state, id, text }]).size > 0;
}

/**
 * The same for many: all bytes are durable before the first of them is visible, and each folder is synced
 * once. Returns the ids that were made.
 */
export function makeTasks(ws: Workspace, wanted: readonly NewTask[]): ReadonlySet<string> {
  const taken = wanted.length > 1 ? namesTaken(ws) : undefined;
  const free = wanted.filter(({ id }) => !(taken?.has(id) ?? isSomewhere(ws, id)));
  const states = new Set(free.map(({ state }) => state));
  const prepared = new Map<NewTask, string>();
  const made = new Set<string>();
  if (free.length === 0) return made;
  makeTasksFolder(ws.disk, ws.layout);
  for (const state of states) makeState(ws.disk, ws.layout, state);
  try {
    for (const task of free) prepare(ws, task, prepared, free.length === 1);
    // What was written together is made durable together.
    if (free.length > 1) for (const [task, at] of prepared) syncFiles(ws, task, at);
    for (const at of prepared.values()) ws.disk.sync(at);
    for (const [task, at] of prepared) {
      if (publish(ws, task, at)) made.add(task.id);
      prepared.delete(task);
    }
  } catch (error) {
    for (const [task, at] of prepared) discard(ws, task, at);
    throw error;
  }
  ws.disk.sync(ws.layout.tasks);
  for (const state of states) ws.disk.sync(stateFolder(ws.layout, state));
  return made;
}

/** All names of tasks: of many one list is cheaper than a look at each place of each. */
export function namesTaken({ disk, layout }: Workspace): ReadonlySet<string> {
  const archived = listOrNothing(disk, archiveFolder(layout, '.')).map(({ name }) => name);
  return new Set([...STATES.flatMap((state) => namesInState(disk, layout, state)), ...archived]);
}

/** Beside the states: what a crash leaves of it is in none of them, and is no task's folder. */
function prepare(ws: Workspace, task: NewTask, prepared: Map<NewTask, string>, durable: boolean) {
  const at = join(ws.layout.tasks, `${TEMPORARY}${ws.putting.unique()}`);
  const { notes = [] } = task;
  ws.disk.mkdir(at);
  prepared.set(task, at);
  if (notes.length > 0) ws.disk.mkdir(join(at, NOTES));
  for (const { name, bytes } of notes) ws.disk.create(join(at, NOTES, name), bytes, { durable });
  ws.disk.create(join(at, 'contract.md'), bytesOf(task.text), { durable });
  if (durable && notes.length > 0) ws.disk.sync(join(at, NOTES));
}

function syncFiles({ disk }: Workspace, { notes = [] }: NewTask, at: string): void {
  disk.sync(join(at, 'contract.md'));
  for (const { name } of notes) disk.sync(join(at, NOTES, name));
  if (notes.length > 0) disk.sync(join(at, NOTES));
}

const NOTES = 'notes';

/** false: another one was faster. */
function publish(ws: Workspace, task: NewTask, at: string): boolean {
  const { state, id } = task;
  const folder = taskFolder(ws.layout, state, id);
  try {
    ws.disk.rename(at, folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    discard(ws, task, at);
    return false;
  }
  // The other one was begun between our look and our rename: ours is the one without attempts.
  const isFirst = locate(ws.disk, ws.layout, id).length < 2;
  if (!isFirst) for (const path of pathsOf(task, folder)) ws.disk.remove(path);
  return isFirst;
}

/** Contents and folder, in the order in which they are removed. */
function pathsOf({ notes = [] }: NewTask, at: string): readonly string[] {
  const inner = notes.map(({ name }) => join(at, NOTES, name));
  return [...inner, ...(inner.length > 0 ? [join(at, NOTES)] : []), join(at, 'contract.md'), at];
}

/** Best effort: what stays is found by `doctor`, and the error that led here is the one to report. */
function discard({ disk }: Workspace, task: NewTask, at: string): void {
  for (const path of pathsOf(task, at)) {
    try {
      disk.remove(path);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
    }
  }
}
