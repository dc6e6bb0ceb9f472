/**
 * An ordinary user for tests that run as root: another uid, which can read neither root's home nor
 * perhaps this folder. What it calls is put where everybody can read: the package as it is installed,
 * and a client, by hard links where they can be made. Run by somebody else than root, that user is us.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINARY } from './binary.ts';
import { clientFolder, type BridgeName, type ClientName } from './clients.ts';
import { sealedFolder } from './sealed-folder.ts';

const UID = 61_001;
const IS_ROOT = process.getuid?.() === 0;
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** As package.json lists them, and itself. */
const PACKAGE = ['.claude-plugin', 'dist', 'plugin', 'templates', 'schemas', 'package.json'];

export interface OrdinaryUser {
  /** In front of a command, to run it as this user. */
  readonly before: readonly string[];
  /** The built command. */
  readonly binary: string;
  /** The folder that the client's program is in. */
  readonly programs: string;
  /** Gives it a folder with all in it. */
  own(folder: string): void;
}

/** The user alone, for what everybody can read. */
export function otherUser(uid = UID): Pick<OrdinaryUser, 'before' | 'own'> {
  if (!IS_ROOT) return { before: [], own: () => undefined };
  return {
    before: ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'],
    own: (folder) => execFileSync('chown', ['-R', `${uid}:${uid}`, folder]),
  };
}

export function ordinaryUser(client: ClientName | BridgeName): OrdinaryUser {
  const programs = clientFolder(client);
  if (!IS_ROOT) return { ...otherUser(), binary: BINARY, programs };
  const shelf = sealedFolder('for-all');
  chmodSync(shelf, 0o755);
  for (const name of PACKAGE) copied(join(PROJECT, name), shelf);
  const installed = resolve(programs, '..');
  copied(installed, shelf);
  return {
    ...otherUser(),
    binary: join(shelf, BINARY.slice(PROJECT.length)),
    programs: join(shelf, basename(installed), 'bin'),
  };
}

function copied(path: string, into: string): void {
  const linked = spawnSync('cp', ['-al', path, into], { stdio: 'ignore' }).status === 0;
  if (!linked) execFileSync('cp', ['-a', path, into]);
}
