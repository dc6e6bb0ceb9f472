/**
 * The diff of an attempt where no git keeps trees: a file that was not there before the work is all added lines,
 * as it is now. Of a file that was there the earlier lines are not known.
 */
import { join } from 'node:path';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { bytesAt } from '../../task/store/snapshots/folder-snapshot.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** Larger files are in no diff, as with git. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** Git looks for a zero byte as far. */
const HEAD_BYTES = 8000;

/** Why no lines of a file are given. */
interface Unknown {
  readonly why: string;
}

const OLD: Unknown = {
  why: 'was there before, and only a git repository keeps what was in it (git init, before the next attempt)',
};
const NO_END = '\\ No newline at end of file';

/** Paths that changed, sorted, and whether each came with this work. `work`: the first attempt first. */
export function plainChanges(work: readonly Attempt[]): readonly (readonly [string, boolean])[] {
  const isNew = new Map<string, boolean>();
  for (const { outcome } of work)
    for (const path of outcome?.changed ?? [])
      if (!isNew.has(path)) isNew.set(path, outcome?.created?.includes(path) === true);
  return [...isNew].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** As git prints a patch; instead of lines that are not known a sentence says why. */
export function plainPatch(ws: Workspace, work: readonly Attempt[]): string {
  return plainChanges(work)
    .map(([path, isNew]) => {
      const lines = isNew ? linesNow(ws, path) : OLD;
      return 'why' in lines ? `${path} ${lines.why}.\n` : patchOfNew(path, lines);
    })
    .join('');
}

/** Lines of a file that is new. */
function linesNow(ws: Workspace, path: string): readonly string[] | Unknown {
  const whole = join(ws.layout.root, path);
  const bytes = bytesAt(ws.disk, whole, FILE_BYTES_MAX);
  if (bytes === undefined) {
    const kind = ws.disk.stat(whole)?.kind;
    if (kind === undefined) return { why: 'is new, and is not there any more' };
    return {
      why: kind === 'file' ? 'is new, and too large to be shown' : 'is new, and not a file',
    };
  }
  if (bytes.subarray(0, HEAD_BYTES).includes(0)) return { why: 'is new, and binary' };
  return Buffer.from(bytes).toString('utf8').split('\n');
}

function patchOfNew(path: string, lines: readonly string[]): string {
  const isOpen = lines.at(-1) !== '';
  const added = isOpen ? lines : lines.slice(0, -1);
  const head = `diff --git a/${path} b/${path}\nnew file\n`;
  if (added.length === 0) return head;
  const range = added.length === 1 ? '1' : `1,${added.length}`;
  const hunk = ['--- /dev/null', `+++ b/${path}`, `@@ -0,0 +${range} @@`];
  const all = [...hunk, ...added.map((one) => `+${one}`), ...(isOpen ? [NO_END] : [])];
  return `${head}${all.join('\n')}\n`;
}
