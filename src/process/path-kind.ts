/**
 * What stands at a path, links followed, and where it really is: for places of the machine outside of
 * any workspace. Never fails: what cannot be looked at or made is undefined.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** Whatever the reason is for which it fails. */
export function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** undefined for what is not there, and for what is neither. */
export function kindOf(path: string): 'file' | 'folder' | undefined {
  const stat = orNothing(() => statSync(path));
  if (stat?.isDirectory()) return 'folder';
  return stat?.isFile() ? 'file' : undefined;
}

export function realOf(path: string): string | undefined {
  return orNothing(() => realpathSync(path));
}

/** The text of a file; empty where it cannot be read. */
export function textOf(file: string): string {
  return orNothing(() => readFileSync(file, 'utf8')) ?? '';
}

export function namesIn(folder: string): string[] {
  return orNothing(() => readdirSync(folder)) ?? [];
}

/** Of neither this user nor root; false where nobody can tell. */
export function isSomebodyElses(path: string): boolean {
  const uid = orNothing(() => statSync(path).uid);
  return uid !== undefined && uid !== 0 && uid !== process.getuid?.();
}

/** The user id of what stands there, a link not followed; undefined for what is not there. */
export function ownerOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.uid;
}

/** With those above it, for one user alone. Whether it is there now, `kindOf` says. */
export function makeFolder(path: string): void {
  orNothing(() => mkdirSync(path, { recursive: true, mode: 0o700 }));
}
