/**
 * The archive: puts ended tasks there and knows what they were. Also mends its one accident, a task that
 * was renamed to be the archive (`mv task .contracts/archive`), where nothing can be lost.
 */
import { dirname, join } from 'node:path';
import { isTaskId } from '../../task/core/model/id.ts';
import { archivedSchema } from '../../task/core/attempts/record.ts';
import type { DependencyState, TaskRead } from '../../task/core/model/task.ts';
import { Fault, problem, type Problem } from '../../task/core/model/problem.ts';
import { isTerminal, LIVE_STATES, type State } from '../../task/core/model/state.ts';
import { archiveFolder, shown, stateFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { put, TEMPORARY } from '../../task/store/disk/put.ts';
import { isGone } from '../../task/store/disk/disk.ts';
import { listOrNothing, locate } from '../../task/store/tasks/tasks.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { readAttempts, readRecord } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Finding {
  readonly problem: Problem;
  /** Only where it loses nothing. */
  readonly mend?: () => void;
}

export function isArchived(ws: Workspace, id: string): boolean {
  return isTaskId(id) && ws.disk.stat(archiveFolder(ws.layout, id)) !== undefined;
}

/** The task's folder; else its place in the archive, which may not exist. */
export function lastFolder(ws: Workspace, id: string): string {
  const [state] = locate(ws.disk, ws.layout, id);
  return state === undefined ? archiveFolder(ws.layout, id) : taskFolder(ws.layout, state, id);
}

export function isSomewhere(ws: Workspace, id: string): boolean {
  return locate(ws.disk, ws.layout, id).length > 0 || isArchived(ws, id);
}

/** Another task of its id is in the archive: the live one counts. */
export function livesAgain(ws: Workspace, { id, state }: TaskRead): readonly Problem[] {
  if (!isArchived(ws, id)) return [];
  const archived = shown(ws.layout, archiveFolder(ws.layout, id));
  return [
    problem({
      code: 'two_states',
      severity: 'warning',
      file: shown(ws.layout, taskFolder(ws.layout, state, id)),
      message: `task ${id} is in ${state} and in the archive; the one in ${state} counts`,
      fix: `Give this one another id, or move ${archived} away`,
    }),
  ];
}

/** The former state of an archived task: by the record of its archiving, else by its last outcome. */
export function archivedState(ws: Workspace, id: string): DependencyState {
  const folder = archiveFolder(ws.layout, id);
  if (!isTaskId(id) || ws.disk.stat(folder)?.kind !== 'folder') return 'unknown';
  const { attempts } = readAttempts(ws, folder, id);
  const record = readRecord(ws, join(folder, RECORD), archivedSchema());
  if (record?.ok === true && record.value.attempt === (attempts.at(-1)?.number ?? 0)) {
    return `archived_${record.value.state}`;
  }
  const last = attempts.findLast((attempt) => !attempt.lost && attempt.outcome !== undefined);
  if (last?.outcome?.outcome === 'approved') return 'archived_done';
  return last?.outcome?.outcome === 'reject' ? 'archived_aborted' : 'archived';
}

const PLACE_TRIES = 3;

/** The live one, if it is in two states. */
export function stateOfTask(ws: Workspace, id: string): DependencyState {
  for (let tries = 1; ; tries++) {
    const states = locate(ws.disk, ws.layout, id);
    const found = states.find((state) => !isTerminal(state)) ?? states[0];
    if (found !== undefined) return found;
    // One that is moved while the states are looked through may be missed in all of them.
    const archived = archivedState(ws, id);
    if (archived !== 'unknown' || tries === PLACE_TRIES) return archived;
  }
}

export function isOpen(state: DependencyState): state is State {
  return (LIVE_STATES as readonly string[]).includes(state);
}

const RECORD = 'archived.md';

/**
 * The record first, then one rename and the sync of both parents, as with every move. `gone`: it does
 * not stand there any more; `taken`: the archive holds that id already. `attempt`: the highest, or 0.
 */
export function putIntoArchive(
  ws: Workspace,
  id: string,
  from: 'done' | 'aborted',
  attempt: number,
): 'moved' | 'gone' | 'taken' {
  const [source, target] = [taskFolder(ws.layout, from, id), archiveFolder(ws.layout, id)];
  makeArchive(ws);
  if (ws.disk.stat(target) !== undefined) return 'taken';
  const record = { v: 1, task: id, state: from, attempt, at: ws.machine.now().toISOString() };
  try {
    put(ws.putting, join(source, RECORD), bytesOf(renderRecord(record, '')));
    ws.disk.rename(source, target);
  } catch (error) {
    if (isGone(error)) return 'gone';
    throw error;
  }
  ws.disk.sync(dirname(target));
  ws.disk.sync(stateFolder(ws.layout, from));
  return 'moved';
}

function makeArchive(ws: Workspace): void {
  const archive = dirname(archiveFolder(ws.layout, 'x'));
  for (const folder of [dirname(archive), archive]) {
    const kind = ws.disk.stat(folder)?.kind;
    if (kind !== undefined && kind !== 'folder') {
      throw new Fault('tree', `${shown(ws.layout, folder)} is a link or a file, not a folder`, {
        fix: 'Put a real folder there',
      });
    }
    if (kind === 'folder') continue;
    ws.disk.mkdir(folder);
    ws.disk.sync(dirname(folder));
  }
}

export function taskAsArchive(ws: Workspace): Finding | undefined {
  const archive = dirname(archiveFolder(ws.layout, 'x'));
  const contract = join(archive, 'contract.md');
  if (ws.disk.stat(contract) === undefined) return undefined;
  const id = idOf(ws, archive);
  const home = shown(ws.layout, archiveFolder(ws.layout, id ?? 'ID'));
  const safe = id !== undefined && isAlone(ws, archive, id);
  const found = problem({
    code: 'bad_value',
    file: shown(ws.layout, contract),
    message: 'a task was renamed to be the archive, so nothing in it is found',
    ...(id === undefined ? {} : { found: id }),
    fix: safe
      ? `contracts doctor --fix moves it to ${home}`
      : `Make ${home} and move the files of that task into it`,
  });
  return safe ? { problem: found, mend: () => putInside(ws, archive, id) } : { problem: found };
}

/** The id that all attempts name; undefined without attempts, or when they differ. */
function idOf(ws: Workspace, folder: string): string | undefined {
  const { attempts } = readAttempts(ws, folder, '');
  const ids = new Set(attempts.flatMap(({ owner }) => (owner === undefined ? [] : [owner.task])));
  const [id] = ids;
  return ids.size === 1 && id !== undefined && isTaskId(id) ? id : undefined;
}

/** No other task is in it, and none of that id anywhere. */
function isAlone(ws: Workspace, archive: string, id: string): boolean {
  const others = listOrNothing(ws.disk, archive).some(
    ({ name, kind }) => kind === 'folder' && ws.disk.stat(join(archive, name, 'contract.md')),
  );
  return !others && !isSomewhere(ws, id);
}

function putInside(ws: Workspace, archive: string, id: string): void {
  const aside = join(dirname(archive), `${TEMPORARY}${id}-${ws.putting.unique()}`);
  ws.disk.rename(archive, aside);
  ws.disk.mkdir(archive);
  ws.disk.rename(aside, archiveFolder(ws.layout, id));
  ws.disk.sync(archive);
  ws.disk.sync(dirname(archive));
}
