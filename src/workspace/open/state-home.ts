/** The person's folder for what a program must remember outside of projects (XDG base directories). */
import { basename, isAbsolute, join } from 'node:path';
import { realBelow, realOf } from '../../process/path-kind.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import type { Environment } from '../../process/adapter.ts';

/** Absolute; below /var/tmp for a user without a home. It may not exist. */
export function stateHome({ HOME = '', XDG_STATE_HOME = '' }: Environment): string {
  if (isAbsolute(XDG_STATE_HOME)) return realBelow(XDG_STATE_HOME);
  return isAbsolute(HOME) ? realBelow(join(HOME, '.local/state')) : stateInVar();
}

export function stateInVar(): string {
  return join(realBelow('/var/tmp'), `contracts-${process.getuid?.() ?? 'user'}`);
}

/** Folder of private keys, outside of the workspace, whose writers would own them. */
export function keyFolder(env: Environment, root: string): string {
  return join(outsideOf(env, [root]), 'contracts', 'keys');
}

/** Folder of what is remembered of one workspace: trust, notes, the journal. */
export function workspaceState(env: Environment, root: string, of = root): string {
  return join(outsideOf(env, [of, root]), 'contracts', 'trust', keyOfFolder(of));
}

/** The state folder, or the one in /var/tmp where that lies in one of these folders. */
function outsideOf(env: Environment, roots: readonly string[]): string {
  const usual = stateHome(env);
  const isInside = roots.some((one) => `${usual}/`.startsWith(`${realBelow(one)}/`));
  return isInside ? stateInVar() : usual;
}

/** A readable name that is unique to a folder. */
export function keyOfFolder(folder: string): string {
  const real = realOf(folder) ?? folder;
  return `${basename(real).replace(/[^\w.-]+/g, '-')}-${sha256(real).slice(0, 12)}`;
}
