/** How a worktree was prepared, kept in git's folder of it: no agent finds it among its files. */
import { join } from 'node:path';
import { put } from '../../task/store/disk/put.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

interface Prepared {
  /** Digest of the commands and what they depend on; empty while they have not all succeeded. */
  readonly digest: string;
  /** Files from the main tree, from the top of the worktree: never committed. */
  readonly copied: readonly string[];
}

const FILE = 'contracts-prepared';
const BYTES_MAX = 1024 * 1024;

/** `admin`: git's folder of the worktree. */
export function readPrepared(ws: Workspace, admin: string): Prepared {
  const path = join(admin, FILE);
  const isThere = ws.disk.stat(path)?.kind === 'file';
  const text = isThere ? Buffer.from(ws.disk.read(path, BYTES_MAX)).toString() : '';
  const [digest = '', ...copied] = text.split('\0');
  return { digest, copied };
}

export function keepPrepared(ws: Workspace, admin: string, { digest, copied }: Prepared): void {
  const bytes = Buffer.from([digest, ...copied].join('\0'));
  put(ws.putting, join(admin, FILE), bytes, { durable: false });
}
