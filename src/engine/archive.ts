/**
 * The archive: tasks that were moved out of the states for good. Knows which ids are there, and the
 * one accident that it can meet: a task renamed to be the archive itself (`mv task .contracts/archive`
 * where there was none), which hides it and every dependency on it. Mends that only where nothing
 * can be lost or buried.
 */
import { dirname, join } from 'node:path';
import { isTaskId } from '../core/id.ts';
import { problem, type Problem } from '../core/problem.ts';
import { archiveFolder, shown } from '../store/layout.ts';
import { TEMPORARY } from '../store/put.ts';
import { listOrNothing, locate } from '../store/tasks.ts';
import { readAttempts } from './attempts.ts';
import type { Workspace } from './workspace.ts';

export function isArchived(ws: Workspace, id: string): boolean {
  return isTaskId(id) && ws.disk.stat(archiveFolder(ws.layout, id)) !== undefined;
}

export interface TaskAsArchive {
  readonly problem: Problem;
  readonly mend?: () => void;
}

export function taskAsArchive(ws: Workspace): TaskAsArchive | undefined {
  const archive = dirname(archiveFolder(ws.layout, 'x'));
  const contract = join(archive, 'contract.md');
  if (ws.disk.stat(contract) === undefined) return undefined;
  const id = idOf(ws, archive);
  const home = shown(ws.layout, archiveFolder(ws.layout, id ?? 'ID'));
  const safe = id !== undefined && isAlone(ws, archive, id);
  const said = problem({
    code: 'bad_value',
    file: shown(ws.layout, contract),
    message: 'a task was renamed to be the archive, so nothing in it is found',
    ...(id === undefined ? {} : { found: id }),
    fix: safe
      ? `contracts doctor --fix moves it to ${home}`
      : `Make ${home} and move the files of that task into it`,
  });
  return safe ? { problem: said, mend: () => putInside(ws, archive, id) } : { problem: said };
}

/** As the attempts have it; undefined without any, or when they do not agree. */
function idOf(ws: Workspace, folder: string): string | undefined {
  const { attempts } = readAttempts(ws, folder, '');
  const ids = new Set(attempts.flatMap(({ owner }) => (owner === undefined ? [] : [owner.task])));
  const [id] = ids;
  return ids.size === 1 && id !== undefined && isTaskId(id) ? id : undefined;
}

/** No other task stands in it, and none of that id anywhere. */
function isAlone(ws: Workspace, archive: string, id: string): boolean {
  const others = listOrNothing(ws.disk, archive).some(
    ({ name, kind }) => kind === 'folder' && ws.disk.stat(join(archive, name, 'contract.md')),
  );
  return !others && !isArchived(ws, id) && locate(ws.disk, ws.layout, id).length === 0;
}

function putInside(ws: Workspace, archive: string, id: string): void {
  const aside = join(dirname(archive), `${TEMPORARY}${id}-${ws.putting.unique()}`);
  ws.disk.rename(archive, aside);
  ws.disk.mkdir(archive);
  ws.disk.rename(aside, archiveFolder(ws.layout, id));
  ws.disk.sync(archive);
  ws.disk.sync(dirname(archive));
}
