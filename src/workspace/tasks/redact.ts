/**
 * Secrets stay out of what is published from a desk: the values of the variables that any adapter here
 * may inherit, and tokens by their form. Files of a person are not rewritten.
 */
import { join, posix } from 'node:path';
import { namesFor, secretValues } from '../../process/adapter.ts';
import { redactFileInPlace, redactLine } from '../../process/redact.ts';
import { adapterFor, adapterNames, type AdapterConfig } from '../../clients/adapters/registry.ts';
import { globMatcher } from '../../task/core/base/glob.ts';
import { secretsOf, withoutSecrets, type Secrets } from '../../task/core/base/secrets.ts';
import { errorCode, ReadRefused } from '../../task/store/disk/disk.ts';
import { put } from '../../task/store/disk/put.ts';
import { inside, listOrNothing } from '../../task/store/tasks/tasks.ts';
import { isShut } from '../../task/store/snapshots/folder-snapshot.ts';
import { SETUP_LOG } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../open/workspace.ts';

/** Larger files of a desk are published nowhere. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const FILES_MAX = 10_000;

/** Addresses and folders of clients are none. */
export function valuesHere(config: AdapterConfig, env: Workspace['env']): readonly string[] {
  return adapterNames(config).flatMap((name) => {
    const { plain_env = [], ...adapter } = adapterFor(name, config) ?? {};
    const names = namesFor(adapter, env).filter((one) => !plain_env.includes(one));
    return secretValues(names, env);
  });
}

const known = new WeakMap<Workspace['active'], Secrets>();

/** Values whose names sound like secrets, in files that are copied into worktrees, such as `.env`. */
function copiedValues({ config, disk, layout }: Workspace): readonly string[] {
  const paths = (config.worktree?.copy ?? []).flatMap((glob) => {
    const folder = posix.dirname(glob);
    const names = listOrNothing(disk, join(layout.root, folder)).map(({ name }) => name);
    return names.map((name) => posix.join(folder, name)).filter(globMatcher(glob));
  });
  return paths.flatMap((path) => {
    const found = inside(disk, layout.root, path);
    const text = found.ok ? Buffer.from(disk.read(found.path, FILE_BYTES_MAX)).toString() : '';
    const named = text.matchAll(
      /^(?:export )?\w*(?:key|token|secret|pass|pwd|auth|url|dsn)\w* *= *(["']?)(.+?)\1 *\r?$/gim,
    );
    return [...named].map(([, , value = '']) => value);
  });
}

export function secretsHere(ws: Workspace): Secrets {
  const { config, env, active } = ws;
  const secrets = known.get(active) ?? secretsOf([...valuesHere(config, env), ...copiedValues(ws)]);
  known.set(active, secrets);
  return secrets;
}

/** Redacts; the same bytes where they have no secret, or are no text. */
export function redacted(ws: Workspace, bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const kept = text.includes('\0') ? text : withoutSecrets(text, secretsHere(ws));
  return kept === text ? bytes : Buffer.from(kept, 'latin1');
}

export function redactedRecord<T>(ws: Workspace, record: T): T {
  const secrets = secretsHere(ws);
  const text = JSON.stringify(record, (_, value: unknown) =>
    typeof value === 'string' ? redactLine(value, secrets) : value,
  );
  return JSON.parse(text) as T;
}

/** Before anything of the desk is judged, so that no crash publishes a secret. Returns how many files had some. */
export function redactDesk(ws: Workspace, desk: string): number {
  let [left, found] = [FILES_MAX, 0];
  const below = (folder: string): void => {
    for (const { name, kind } of listOrNothing(ws.disk, folder)) {
      const path = join(folder, name);
      if (left-- <= 0) return;
      if (kind === 'folder') unlessShut(() => below(path));
      if (kind === 'file') unlessShut(() => (found += redactFile(ws, path) ? 1 : 0));
    }
  };
  if (ws.disk.stat(desk)?.kind === 'folder') below(desk);
  return found;
}

export function redactedWords(files: number): readonly string[] {
  const count = files === 1 ? '1 file' : `${files} files`;
  return files === 0 ? [] : [`Secrets were redacted in ${count} of its desk.`];
}

/** Redacts what a dead runner left; the values are those of this process. */
export function redactLost(ws: Workspace, attempt: string): void {
  redactDesk(ws, join(attempt, 'desk'));
  for (const name of ['output.log', SETUP_LOG]) {
    const log = join(attempt, name);
    if (ws.disk.stat(log)?.kind === 'file') redactFileInPlace(log, secretsHere(ws));
  }
}

function redactFile(ws: Workspace, path: string): boolean {
  const bytes = ws.disk.read(path, FILE_BYTES_MAX);
  const kept = redacted(ws, bytes);
  if (kept === bytes) return false;
  put(ws.putting, path, kept);
  return true;
}

/** Leaves out what an agent shut or took away: it is published nowhere either. */
function unlessShut(act: () => void): void {
  try {
    act();
  } catch (error) {
    const isLink = errorCode(error) === 'ELOOP';
    if (!isLink && !isShut(error) && !(error instanceof ReadRefused)) throw error;
  }
}
