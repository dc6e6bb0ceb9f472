/** Files of keys, beside the workspace's own disk: made once, never over another, and read by their owner alone. */
import { linkSync, lstatSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nonce } from './nonce.ts';
import { isSomebodyElses, makeFolder, orNothing } from './path-kind.ts';

/** The bytes of the private key. Throws where it cannot be made or others can read it. */
export function privateKeyFile(folder: string, make: () => string | Buffer): Buffer {
  const file = join(folder, 'ed25519.pem');
  makeFolder(folder);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) {
    // Whole or not at all, and never over another: who comes second reads the key of the first.
    put(folder, make(), 0o600, (temporary) => orNothing(() => linkSync(temporary, file)));
  }
  const stat = lstatSync(file);
  if (!stat.isFile() || isSomebodyElses(file) || (stat.mode & 0o077) !== 0)
    throw new Error(`${file} is not a file that only you can read`);
  return readFileSync(file);
}

/** Replaces what is there: whole or not at all, and through no link. Makes the folder, one level. */
export function wholeFile(folder: string, name: string, text: string, mode = 0o644): void {
  orNothing(() => mkdirSync(folder));
  if (!lstatSync(folder).isDirectory()) return;
  try {
    put(folder, text, mode, (temporary) => renameSync(temporary, join(folder, name)));
  } catch (error) {
    orNothing(() => rmdirSync(folder));
    throw error;
  }
}

function put(folder: string, bytes: string | Buffer, mode: number, move: (from: string) => void) {
  const temporary = join(folder, `.new-${nonce()}`);
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode, flush: true });
    move(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}
