/**
 * Where the command keeps the code that V8 made of its files (cli/startup/load.ts). What is there runs as the
 * person: it is taken only where nobody else can write.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** Of the person (XDG base directories), absolute; undefined for a user without a home. */
export function codeFolder({ HOME = '', XDG_CACHE_HOME = '' }: Environment): string | undefined {
  if (XDG_CACHE_HOME.startsWith('/')) return `${XDG_CACHE_HOME}/contracts`;
  return HOME.startsWith('/') ? `${HOME}/.cache/contracts` : undefined;
}

/** Of this user, and nobody else can write it. */
export function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}
