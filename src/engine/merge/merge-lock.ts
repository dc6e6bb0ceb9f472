/**
 * One merge at a time: `contracts-merge.lock` in git's folder names the process. The lock of a dead process
 * is taken over; that of another machine stays until a person removes it.
 */
import { join, relative } from 'node:path';
import { parsedJson } from '../../task/core/base/json.ts';
import { processRefSchema } from '../../task/core/attempts/record.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { errorCode, isGone, ReadRefused } from '../../task/store/disk/disk.ts';
import { linkFile } from '../../task/store/disk/real-disk.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Checkout } from '../../worktrees/engine/checkout.ts';
import { removeIfThere } from '../../worktrees/engine/write-tree.ts';
import type { Repository } from '../../workspace/open/repository.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

const LOCK = 'contracts-merge.lock';
const LOCK_BYTES_MAX = 4096;
const EMPTY_MAX_MS = 60_000;

/** The merge that runs there now, as a problem. */
export function mergeAtWork(ws: Workspace, { git_dir }: Repository): Problem | undefined {
  const path = join(git_dir, LOCK);
  const text = textOf(ws, path);
  if (text === undefined || isDead(ws, path, text)) return undefined;
  const { pid, host } = refOf(text) ?? {};
  const who = pid === undefined ? '' : ` (process ${pid} on ${escapeText(host ?? '')})`;
  return problem({
    code: 'environment',
    file: '.',
    message: `another merge is at work here${who}`,
    fix: `Wait for it, then merge again; if there is none: rm ${shellWord(relative(ws.layout.root, path))}`,
  });
}

/** Refused while another merge runs. */
export function mergingAlone<T>(ws: Workspace, at: Checkout, job: () => Result<T>): Result<T> {
  const lock = lockMerge(ws, at);
  if (!lock.ok) return lock;
  try {
    return job();
  } finally {
    lock.value();
  }
}

/** The value releases it. Refused while another merge runs. */
export function lockMerge(ws: Workspace, at: Checkout): Result<() => void> {
  const path = join(at.repo.git_dir, LOCK);
  dropDeadLock(ws, at);
  const prepared = asideOf(ws, path);
  try {
    // Whole or not there: one that is killed while it writes leaves no lock.
    ws.disk.create(prepared, Buffer.from(JSON.stringify(ws.machine.self())));
    linkFile(prepared, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const other = mergeAtWork(ws, at.repo);
    return other === undefined ? lockMerge(ws, at) : refused([other]);
  } finally {
    if (ws.disk.stat(prepared) !== undefined) ws.disk.remove(prepared);
  }
  return ok(() => {
    try {
      ws.disk.remove(path);
    } catch {
      // An error that does not last, such as of a full disk.
      removeIfThere(ws, path);
    }
  });
}

/** Renamed first, so that two who look at the same time do not remove a live lock. */
export function dropDeadLock(ws: Workspace, { repo, branch }: Checkout): void {
  const path = join(repo.git_dir, LOCK);
  const text = textOf(ws, path);
  if (text === undefined || !isDead(ws, path, text)) return;
  const aside = asideOf(ws, path);
  const boot = refOf(text)?.boot ?? ws.machine.self().boot;
  try {
    ws.disk.rename(path, aside);
    // The git of that merge ended with the machine. No git holds these for longer than an instant.
    if (boot !== ws.machine.self().boot) {
      removeIfThere(ws, join(repo.common_dir, 'refs/heads', `${branch}.lock`));
      for (const name of ['HEAD', 'ORIG_HEAD'])
        removeIfThere(ws, join(repo.git_dir, `${name}.lock`));
    }
    if (textOf(ws, aside) === text) ws.disk.remove(aside);
    else ws.disk.rename(aside, path);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function asideOf(ws: Workspace, path: string): string {
  return `${path}.${ws.machine.nonce().slice(0, 12)}`;
}

/** An empty one was cut off by a crash, once it is old enough for its writer to be gone. */
function isDead(ws: Workspace, path: string, text: string): boolean {
  const empty = text === '' ? ws.disk.stat(path) : undefined;
  if (empty?.kind === 'file') return ws.machine.now().getTime() - empty.mtime_ms > EMPTY_MAX_MS;
  const ref = refOf(text);
  return ref !== undefined && ws.machine.judge(ref) === 'dead';
}

/** undefined where the lock is cut short, or not ours. */
function refOf(text: string) {
  return processRefSchema().safeParse(parsedJson(text)).data;
}

function textOf(ws: Workspace, path: string): string | undefined {
  try {
    return Buffer.from(ws.disk.read(path, LOCK_BYTES_MAX)).toString('utf8');
  } catch (error) {
    if (isGone(error)) return undefined;
    if (error instanceof ReadRefused) return '';
    throw error;
  }
}
