/** Which other stores a repository takes objects from, read without running git. */
import { basename, join, resolve } from 'node:path';
import { kindOf, realOf, textOf } from '../process/path-kind.ts';

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
