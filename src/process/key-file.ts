/** Files of keys, beside the workspace's own disk: made once, never over another, and read by their owner alone. */
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nonce } from './nonce.ts';
import { isSomebodyElses, makeFolder, orNothing } from './path-kind.ts';

/** The bytes of the private key. Throws where it cannot be made or others can read it. */
export function privateKeyFile(folder: string, make: () => string | Buffer): Buffer {
  const file = join(folder, 'ed25519.pem');
  makeFolder(folder);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) {
    const temporary = join(folder, `.new-${nonce()}`);
    writeFileSync(temporary, make(), { flag: 'wx', mode: 0o600, flush: true });
    // Whole or not at all, and never over another: who comes second reads the key of the first.
    orNothing(() => linkSync(temporary, file));
    rmSync(temporary);
  }
  const stat = lstatSync(file);
  if (!stat.isFile() || isSomebodyElses(file) || (stat.mode & 0o077) !== 0)
    throw new Error(`${file} is not a file that only you can read`);
  return readFileSync(file);
}

/** Never over another, and through no link. */
export function publicKeyFile(folder: string, name: string, text: string): void {
  orNothing(() => mkdirSync(folder));
  if (lstatSync(folder).isDirectory())
    orNothing(() => writeFileSync(join(folder, name), text, { flag: 'wx' }));
}
