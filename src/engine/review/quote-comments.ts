/**
 * With the verdict of a person, the lines that their comments are about are quoted in review.md: the next
 * attempt finds them even where the file has changed. A file that was edited just now is left alone.
 */
import { join } from 'node:path';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { inside } from '../../task/store/tasks/tasks.ts';
import { quoteLines } from '../../task/text/documents/line-comments.ts';
import { readBytes, textIfThere } from '../../workspace/open/text-file.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';
import type { Workdir } from '../../worktrees/engine/workdir.ts';

export function quoteComments({ ws }: Running, folder: string, { root }: Workdir): void {
  const path = join(folder, 'review.md');
  const bytes = readBytes(ws.disk, path, 'review.md');
  if (!bytes.ok) return;
  const text = Buffer.from(bytes.value).toString('utf8');
  const edited = quoteLines(text, (file, number) => {
    const found = inside(ws.disk, root, file);
    return found.ok ? textIfThere(ws.disk, found.path)?.split('\n')[number - 1] : undefined;
  });
  if (edited === text) return;
  putIfUnchanged(ws.putting, path, sha256(bytes.value), bytesOf(edited));
}
