/**
 * With the verdict of a person, the lines that their comments are about are quoted in review.md: the next
 * attempt finds them even where the file has changed. A file that was edited just now is left alone.
 */
import { join } from 'node:path';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { inside } from '../../task/store/tasks/tasks.ts';
import { quoteLines } from '../../task/text/documents/line-comments.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { readBytes, textIfThere } from '../../workspace/open/text-file.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Workdir } from '../../worktrees/engine/workdir.ts';
import { worktreeOf } from '../../worktrees/engine/worktree.ts';

export function quoteComments({ ws }: Running, folder: string, { root }: Workdir): void {
  const path = join(folder, 'review.md');
  const bytes = readBytes(ws.disk, path, 'review.md');
  if (!bytes.ok) return;
  const text = Buffer.from(bytes.value).toString('utf8');
  const edited = quoteLines(text, (file, number) => linesOf(ws, root, file)?.[number - 1]);
  if (edited === text) return;
  putIfUnchanged(ws.putting, path, sha256(bytes.value), bytesOf(edited));
}

/** undefined where no such file is in the tree. */
function linesOf({ disk }: Workspace, root: string, file: string): readonly string[] | undefined {
  const found = inside(disk, root, file);
  return found.ok ? textIfThere(disk, found.path)?.replace(/\n$/, '').split('\n') : undefined;
}

/** Sentences about the comments in its review.md, for the person who wrote them. */
export function commentWords(ws: Workspace, id: string): readonly string[] {
  const file = join(taskFolder(ws.layout, 'review', id), 'review.md');
  const lost: string[] = [];
  let n = 0;
  quoteLines(textIfThere(ws.disk, file) ?? '', (path, number) => {
    const lines = linesOf(ws, worktreeOf(ws, id) ?? ws.layout.root, path);
    const all = `${lines?.length} line${lines?.length === 1 ? '' : 's'}`;
    const why = lines ? `has ${all}; no line ${number}` : 'is no readable file here';
    if (lines?.[number - 1] !== undefined) n++;
    else lost.push(escapeText(`${path} ${why}. Your words are kept, without a line.`));
    return undefined;
  });
  const taken = n === 1 ? '1 comment at a line goes' : `${n} comments at lines go`;
  return n === 0 ? lost : [...lost, `${taken} to the next attempt.`];
}
