/** Changes of a commit outside the permissions, as a bounded patch after those of audit/patch.ts. */
import { join, posix, relative } from 'node:path';
import { unlessGone } from '../../task/store/disk/disk.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { atPlace, type Running } from '../../workspace/tasks/attempt-context.ts';
import { redacted } from '../../workspace/tasks/redact.ts';
import type { Workdir, Worktree } from './workdir.ts';

const PATCH_BYTES_MAX = 1024 * 1024;
const PATHS_MAX = 200;

export interface Beyond {
  /** The tree or commit before, the commit of the work, and the ref that keeps it. */
  readonly from: string;
  readonly to: string;
  readonly ref: string;
  /** From the root of the workspace. */
  readonly paths: readonly string[];
}

export function keepViolated(
  running: Running,
  { root, worktree }: Workdir & { readonly worktree: Worktree },
  { from, to, ref, paths }: Beyond,
): void {
  if (paths.length === 0) return;
  const prefix = relative(worktree.folder, root);
  const named = paths.slice(0, PATHS_MAX).map((path) => posix.join(prefix, path));
  const how = ['-p', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
  const patch = worktree.git.out(['diff-tree', ...how, from, to, '--', ...named]);
  const files = patch.split(/^(?=diff --git )/m);
  let body = '';
  let left = paths.length - named.length;
  for (const file of files) {
    if (body.length + file.length > PATCH_BYTES_MAX) left += 1;
    else body += file;
  }
  const more = left === 0 ? '' : `# Too large to be shown here: ${left} more\n`;
  const head = `# It changed outside its permissions, in its worktree; the whole is ${ref}\n${more}`;
  const { ws, number } = running;
  atPlace(running, ({ folder }) => {
    const path = join(attemptFolder(folder, number), 'violation.patch');
    const bytes = redacted(ws, Buffer.from(`${head}\n${body.trimEnd()}\n`));
    put(ws.putting, path, Buffer.concat([elsewhere(running, path), bytes]));
  });
}

/** Contents as patch.ts wrote them; nothing where this was written before a crash. */
function elsewhere({ ws }: Running, path: string): Uint8Array {
  const bytes = unlessGone(() => ws.disk.read(path, 2 * PATCH_BYTES_MAX), new Uint8Array());
  return Buffer.from(bytes).includes('in its worktree; the whole is ') ? new Uint8Array() : bytes;
}
