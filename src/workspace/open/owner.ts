/**
 * A workspace of another user is refused, as git refuses a repository (CVE-2022-24765). Root by sudo may
 * act for that user, and git's safe.directory names exceptions.
 */
import { join } from 'node:path';
import { ownerOf } from '../../process/path-kind.ts';
import type { RunGit } from '../../git/runner-git.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { findGit, type Finding } from '../../git/find-git.ts';
import { SETTINGS, TASKS } from '../../task/store/tasks/layout.ts';
import { isSafeDirectory } from './safe-directory.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

interface Known extends Finding {
  readonly git: RunGit;
}

/** undefined when all of it belongs to the caller. */
export function othersOwn(ports: Known, root: string): Problem | undefined {
  const found = findGit(ports, root);
  const git = found === undefined ? [] : [join(found.top, '.git'), found.own];
  const own = [SETTINGS, `${SETTINGS}/config.yaml`, TASKS].map((name) => join(root, name));
  // Each is looked at once: it may be gone, or another one, at a second look.
  const owners = [...new Set([...own, ...git])].map((path) => [path, ownerOf(path)] as const);
  const [odd, owner] = owners.find(([, one]) => isAnother(ports, one)) ?? [];
  if (odd === undefined || isSafeDirectory(ports.git, root)) return undefined;
  const message = `this belongs to another user (${owner}), who could choose the programs that run as you`;
  const fix = `Work as that user. If the folder is yours: git config --global --add safe.directory ${shellWord(root)}`;
  return problem({ code: 'untrusted', file: odd, message, fix });
}

/** True if it belongs to another user, and no safe.directory names it. */
export function isStrangers(ports: Known, root: string, path: string): boolean {
  return isAnother(ports, ownerOf(path)) && !isSafeDirectory(ports.git, root);
}

function isAnother(ports: Known, owner: number | undefined): boolean {
  const me = process.getuid?.();
  if (owner === undefined || me === undefined || owner === me) return false;
  return me !== 0 || String(owner) !== ports.env['SUDO_UID'];
}
