/** Finds the repository of a folder by reading `.git` upwards, without running git. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { kindOf, realOf, textOf } from '../process/path-kind.ts';

export interface GitFolders {
  readonly top: string;
  /** For this working tree alone: HEAD, index. In the main one the same as `common`. */
  readonly admin: string;
  /** Objects, refs, configuration, hooks. */
  readonly common: string;
}

export function gitFolders(from: string): GitFolders | undefined {
  for (let top = from; ; top = dirname(top)) {
    const dot = join(top, '.git');
    const kind = kindOf(dot);
    if (kind === 'folder') return { top, admin: dot, common: dot };
    if (kind === 'file') return linked(top, dot);
    if (dirname(top) === top) return undefined;
  }
}

/** The limit of git itself. */
const STORES_DEEP = 5;

/** Stores that this one takes objects from, and theirs: absolute, without links. */
export function storesBeside(objects: string): readonly string[] {
  const found = new Set<string>();
  let last = [objects];
  for (let depth = 0; depth <= STORES_DEEP && last.length > 0; depth++) {
    last = last.flatMap(namedIn).filter((store) => !found.has(store));
    for (const store of last) found.add(store);
  }
  return [...found];
}

function namedIn(objects: string): string[] {
  return textOf(join(objects, 'info', 'alternates'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('"'))
    .flatMap((line) => realOf(resolve(objects, line)) ?? [])
    .filter((path) => basename(path) === 'objects' && kindOf(join(path, '..', 'HEAD')) === 'file');
}

function linked(top: string, dot: string): GitFolders | undefined {
  const named = /^gitdir: (.+)/.exec(textOf(dot))?.[1];
  if (named === undefined) return undefined;
  const admin = resolve(top, named);
  const common = resolve(admin, textOf(join(admin, 'commondir')).trim() || '.');
  return existsSync(common) ? { top, admin, common } : undefined;
}
