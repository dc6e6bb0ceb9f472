/** Edits a file that a person or another runner may write at the same time. */
import { join } from 'node:path';
import type { Result } from '../../task/core/model/problem.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putInTurn } from '../../task/store/disk/put.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { readText } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const TRIES = 4;

/** Repeated where somebody else wrote it. False: it is gone, or either text cannot be read. */
export function editFile<T>(
  ws: Workspace,
  file: string,
  parse: (text: string) => Result<T>,
  edit: (read: T, text: string) => string,
): boolean {
  const path = join(ws.layout.root, file);
  for (let tries = 1; tries <= TRIES; tries++) {
    const text = ws.disk.stat(path) && readText(ws.disk, path, file);
    const read = text?.ok === true ? parse(text.value) : undefined;
    if (text?.ok !== true || read?.ok !== true) return false;
    const edited = edit(read.value, text.value);
    if (edited === text.value) return true;
    if (!parse(edited).ok) return false;
    if (putInTurn(ws.putting, path, sha256(text.value), bytesOf(edited)) === 'put') return true;
  }
  return false;
}
