/**
 * Compares what a round of questions may not change, where no sandbox holds its agent: files of all tasks, and where
 * they stand. What runners and commands wrote meanwhile is theirs.
 */
import { dirname } from 'node:path';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import {
  bytesAt,
  changesBetween,
  snapshotFolder,
  type Marks,
} from '../../task/store/snapshots/folder-snapshot.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { archiveFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import type { Baseline } from '../../permissions/engine/audit/snapshot.ts';
import type { Compared } from '../../permissions/engine/audit/compare.ts';
import { TASKS_MAX, WAITED } from '../../permissions/engine/audit/task-snapshot.ts';
import { isState, isTerminal } from '../../task/core/model/state.ts';
import { lastFolder } from '../board/archive.ts';
import { NOTHING, writtenSince } from '../../workspace/open/journal.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { isByRunner, movesBetween } from '../core/judge/judge-ask.ts';

/** More files than that are not compared. */
const FILES_MAX = 5_000;
const BYTES_MAX = 1024 * 1024;
/** Between an outcome and what its runner writes of it into the folder of the task. */
const ROLL_MS = 5_000;

/** Marks of the files of all tasks, by `<id>/<path>`, but records of attempts and what others compare. */
export function filesOfTasks({ ws }: Running): Marks | undefined {
  const how = {
    files_max: FILES_MAX,
    left_out: new Set(['attempts', '.desk']),
    skipped: new Set<string>(),
  };
  const live = snapshotFolder(ws.disk, ws.layout.tasks, how)?.files;
  const archived = snapshotFolder(ws.disk, dirname(archiveFolder(ws.layout, 'x')), how)?.files;
  if (live === undefined || archived === undefined) return undefined;
  const files: Marks = new Map(archived);
  for (const [path, mark] of live) {
    const [state = '', id = '', ...rest] = path.split('/');
    const name = rest.join('/');
    const isSeen =
      isState(state) && !isTerminal(state) && ['contract.md', WAITED[state]].includes(name);
    if (name !== '' && !isSeen) files.set(`${id}/${name}`, mark);
  }
  return files;
}

/** Lines of what changed in files of tasks. */
export function changedFiles(running: Running, guard: Baseline, before?: Marks): readonly string[] {
  const after = filesOfTasks(running);
  if (before === undefined) return [];
  if (after === undefined) return ['the folders of tasks have too many files now'];
  const isTheirs = theirs(running, guard);
  return changesBetween(before, after).flatMap(({ path }) => {
    const [id = ''] = path.split('/');
    const name = path.slice(id.length + 1);
    if (id === running.id) return `${name} of the task was changed`;
    return isTheirs(id, name, true) ? [] : `${path} was changed`;
  });
}

type Theirs = (id: string, name: string, of_file?: boolean) => boolean;

/** True where a runner has had the task in hand since, or a command in the journal wrote this file of it. */
function theirs({ ws, owner }: Running, guard: Baseline): Theirs {
  const written = writtenSince(ws, guard.journal);
  const shortly = new Date(Date.parse(owner.claimed) - ROLL_MS).toISOString();
  return (id, name, of_file = false) => {
    const [state] = locate(ws.disk, ws.layout, id);
    const task = state && readTask(ws, state, id);
    if (task !== undefined && isByRunner(task, of_file ? shortly : owner.claimed)) return true;
    if (task !== undefined && of_file && openAttempt(task) !== undefined) return true;
    const bytes = bytesAt(ws.disk, `${lastFolder(ws, id)}/${name}`, BYTES_MAX);
    return written.leadsTask(id, name, bytes === undefined ? NOTHING : sha256(bytes));
  };
}

/** Lines of any other change; what is said of a changed file is not said again. */
export function changesBeside(
  running: Running,
  guard: Baseline,
  found: Compared,
): readonly string[] {
  const { violations, changed, noticed, after } = found;
  const isNew = (one: string): boolean => !changed.some((path) => one.includes(path));
  const others = [...new Set([...violations, ...noticed])].filter(isNew);
  const moves = movesBetween(guard.seen.tasks.places, after.tasks.places);
  const isFull = guard.seen.tasks.places.size >= TASKS_MAX;
  const isTheirs = theirs(running, guard);
  const odd = moves.filter(
    ({ id, to }) => !(isFull && to === undefined) && !isTheirs(id, 'contract.md'),
  );
  const words = odd.map(({ id, from, to }) => `${id} was moved from ${from} to ${to ?? 'its end'}`);
  return [...changed, ...others, ...words];
}
