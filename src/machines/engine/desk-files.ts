/** The files of a desk on their way through the queue: small, all of them text or documents, so no pack is made. */
import { dirname, join } from 'node:path';
import type { Disk } from '../../task/store/disk/disk.ts';
import { put } from '../../task/store/disk/put.ts';
import { snapshotFolder } from '../../task/store/snapshots/folder-snapshot.ts';
import { makeBelow } from '../../task/store/tasks/tasks.ts';
import { checkPath } from '../../task/text/documents/paths.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { DESK_BYTES_MAX, DESK_FILES_MAX, Refusal, type DeskFiles } from '../core/job.ts';

/** Regular files alone, without those named and what is below them. */
export function filesOf(disk: Disk, desk: string, without: readonly string[]): DeskFiles {
  let left = DESK_BYTES_MAX;
  const about = { files_max: DESK_FILES_MAX, left_out: new Set<string>() };
  const seen = snapshotFolder(disk, desk, { ...about, skipped: new Set(without) });
  if (seen === undefined) throw new Refusal(`its desk has more than ${DESK_FILES_MAX} files`);
  return [...seen.files.keys()].flatMap((path) => {
    if (disk.stat(join(desk, path))?.kind !== 'file') return [];
    const bytes = disk.read(join(desk, path), DESK_BYTES_MAX);
    left -= bytes.length;
    if (left < 0) throw new Refusal(`the files of its desk have more than ${DESK_BYTES_MAX} bytes`);
    return { path, data: Buffer.from(bytes).toString('base64') };
  });
}

/** result.md last: where it is, all that belongs to it is there. */
export function putFiles(ws: Workspace, desk: string, files: DeskFiles): void {
  for (const { path } of files) {
    const wrong = checkPath(path);
    if (wrong !== undefined) throw new Refusal(`a file of its desk cannot be taken: ${wrong}`);
  }
  const isResult = ({ path }: DeskFiles[number]): number => Number(path === 'result.md');
  for (const { path, data } of files.toSorted((a, b) => isResult(a) - isResult(b))) {
    if (!makeBelow(ws.disk, desk, dirname(path), []))
      throw new Refusal(`${JSON.stringify(path)} cannot be put on its desk`);
    put(ws.putting, join(desk, path), Buffer.from(data, 'base64'), { durable: false });
  }
}
