/**
 * A workspace of another user is refused, as git refuses a repository (CVE-2022-24765). Root by sudo may
 * act for that user, and git's safe.directory names exceptions.
 */
import { dirname, join } from 'node:path';
import { ownerOf } from '../../process/path-kind.ts';
import type { RunGit } from '../../git/runner-git.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { SETTINGS, TASKS } from '../../task/store/tasks/layout.ts';
import { isSafeDirectory } from './safe-directory.ts';

interface Known {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly git: RunGit;
}

/** undefined when all of it belongs to the caller. */
export function othersOwn(ports: Known, root: string): Problem | undefined {
  const names = [SETTINGS, `${SETTINGS}/config.yaml`, TASKS].map((name) => join(root, name));
  const odd = [...names, repositoryOf(root)].find((path) => path && isOthers(ports, path));
  if (odd === undefined || isSafeDirectory(ports.git, root)) return undefined;
  const message = `this belongs to another user (${ownerOf(odd)}), who could choose the programs that run as you`;
  const fix = `Work as that user. If the folder is yours: git config --global --add safe.directory ${root}`;
  return problem({ code: 'untrusted', file: odd, message, fix });
}

/** The nearest `.git` upwards. */
function repositoryOf(folder: string): string | undefined {
  const path = join(folder, '.git');
  if (ownerOf(path) !== undefined) return path;
  return dirname(folder) === folder ? undefined : repositoryOf(dirname(folder));
}

/** It belongs to another user, and no safe.directory names it. */
export function isStrangers(ports: Known, root: string, path: string): boolean {
  return isOthers(ports, path) && !isSafeDirectory(ports.git, root);
}

function isOthers(ports: Known, path: string): boolean {
  const [owner, me] = [ownerOf(path), process.getuid?.()];
  if (owner === undefined || me === undefined || owner === me) return false;
  return me !== 0 || String(owner) !== ports.env['SUDO_UID'];
}
