/** Where the command keeps the code that V8 compiled: only where no other user can write, since it is run. */
import type { Environment } from '../../process/adapter.ts';

/** Absolute, by the XDG base directories; undefined for a user without a home. */
export function codeFolder({ HOME = '', XDG_CACHE_HOME = '' }: Environment): string | undefined {
  if (XDG_CACHE_HOME.startsWith('/')) return `${XDG_CACHE_HOME}/contracts`;
  return HOME.startsWith('/') ? `${HOME}/.cache/contracts` : undefined;
}

/** True if it belongs to this user, and no other can write it. */
export function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}
