/** After an agent worked: compares with the baseline, saves patches, reverts where configured. */
import { attemptFolder } from '../../../task/store/tasks/layout.ts';
import { findPlace, type Running, atPlace } from '../../../workspace/tasks/attempt-context.ts';
import type { Workdir } from '../../../worktrees/engine/workdir.ts';
import { compare, type Compared, type CompareOptions } from './compare.ts';
import { distrust } from './mark-untrusted.ts';
import { dropBaseline, readBaseline } from './snapshot-file.ts';
import { revertViolations, reportLeft } from './revert.ts';
import { type Baseline, KEPT_BYTES_MAX } from './snapshot.ts';
import { join } from 'node:path';
import type { Found } from '../../core/judge-changes.ts';
import { put } from '../../../task/store/disk/put.ts';
import { bytesAt } from '../../../task/store/snapshots/folder-snapshot.ts';
import { filePatch } from '../../../task/text/markdown/unified-diff.ts';
import { redacted } from '../../../workspace/tasks/redact.ts';

export function compareAfter(
  running: Running,
  baseline: Baseline,
  options: CompareOptions,
): Compared {
  const compared = compare(running, baseline, options);
  keepPatch(running, baseline, compared.violating, 'violation.patch');
  const shown = keepPatch(running, baseline, compared.noticing, 'noticed.patch');
  const { kept, trusted } = baseline;
  const beyond = [...compared.violating, ...compared.noticing];
  distrust(running, { kept, trusted, files: baseline.seen.tree?.files }, beyond);
  if (running.revert_violations === true) {
    revertViolations(running, baseline, compared);
    reportLeft(running, compared, shown);
  }
  return compared;
}

/** As it was saved in that attempt, which a recovery may have put aside (`lost`). */
export function leftBaseline(
  running: Running,
  workdir: Workdir,
  number: number,
  lost: boolean,
): Baseline | undefined {
  const folder = findPlace(running)?.folder;
  return folder === undefined
    ? undefined
    : readBaseline(running.ws, attemptFolder(folder, number, lost), workdir);
}

/** Once the outcome is committed; also that of an attempt that was taken over. */
export function forgetBaseline(running: Running, folder: string, source: number | undefined): void {
  const { number, ws } = running;
  dropBaseline(ws, attemptFolder(folder, number));
  if (source !== undefined) dropBaseline(ws, attemptFolder(folder, source, true));
}

const PATCH_BYTES_MAX = 1024 * 1024;
const NAMED_MAX = 200;

type PatchName = 'violation.patch' | 'noticed.patch';

/** Keeps a bounded patch for `git apply`, the rest by name. Returns the paths in it; writes nothing where there is nothing to show. */
function keepPatch(
  running: Running,
  baseline: Baseline,
  found: readonly Found[],
  name: PatchName,
): ReadonlySet<string> {
  const files = found.filter(({ area }) => area === 'file' || area === 'settings');
  if (files.length === 0) return new Set();
  const patch = patchOf(running, baseline, files, name);
  const bytes = redacted(running.ws, Buffer.from(patch.text, 'latin1'));
  const written = atPlace(running, ({ folder }) => {
    put(running.ws.putting, join(attemptFolder(folder, running.number), name), bytes);
    return true;
  });
  return written === true ? patch.paths : new Set();
}

function patchOf(running: Running, baseline: Baseline, files: readonly Found[], name: PatchName) {
  const missing: string[] = [];
  const paths = new Set<string>();
  let body = '';
  for (const file of files) {
    const made = patchOfFile(running, baseline, file);
    if (typeof made !== 'string') missing.push(`${file.kind} ${ascii(file.path)}: ${made.why}`);
    else if (body.length + made.length > PATCH_BYTES_MAX) {
      missing.push(`${file.kind} ${ascii(file.path)}: the patch would be too large`);
    } else {
      body += made;
      paths.add(file.path);
    }
  }
  const whose = name === 'violation.patch' ? 'It changed' : 'While it ran, somebody changed';
  const head = [`${whose} files outside its permissions. Undo it with: git apply -R ${name}`];
  if (missing.length > 0)
    head.push('Not in this patch:', ...missing.slice(0, NAMED_MAX).map((one) => `  ${one}`));
  return { text: `${head.map((line) => `# ${line}\n`).join('')}\n${body}`, paths };
}

function patchOfFile(
  { ws }: Running,
  baseline: Baseline,
  { path, kind }: Found,
): string | { readonly why: string } {
  const kept = baseline.kept.get(path);
  if (kind !== 'create' && kept === undefined) return { why: 'its earlier content was not saved' };
  const full = join(ws.layout.root, path);
  const there = ws.disk.stat(full);
  const now = bytesAt(ws.disk, full, KEPT_BYTES_MAX);
  if (there !== undefined && now === undefined) {
    return { why: there.kind === 'file' ? 'it is too large' : 'it is not a regular file' };
  }
  const before = kind === 'create' ? undefined : textOf(kept?.bytes);
  const after = textOf(now);
  if (before?.includes('\0') === true || after?.includes('\0') === true)
    return { why: 'it is binary' };
  return filePatch({ path, before, after, mode_before: kept?.mode, mode_after: there?.mode });
}

/** Latin-1: a character for each byte. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('latin1');
}

function ascii(path: string): string {
  return JSON.stringify(path).replace(/[^\x20-\x7e]/g, '?');
}
