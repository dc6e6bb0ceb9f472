/** Paths outside of any workspace, links followed. Never fails: undefined instead. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

export function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** undefined for anything else, and where nothing is. */
export function kindOf(path: string): 'file' | 'folder' | undefined {
  const stat = orNothing(() => statSync(path));
  if (stat?.isDirectory()) return 'folder';
  return stat?.isFile() ? 'file' : undefined;
}

export function realOf(path: string): string | undefined {
  return orNothing(() => realpathSync(path));
}

/** Empty where it cannot be read. */
export function textOf(file: string): string {
  return orNothing(() => readFileSync(file, 'utf8')) ?? '';
}

export function namesIn(folder: string): string[] {
  return orNothing(() => readdirSync(folder)) ?? [];
}

/** Of neither this user nor root; false where that is not known. */
export function isSomebodyElses(path: string): boolean {
  const uid = orNothing(() => statSync(path).uid);
  return uid !== undefined && uid !== 0 && uid !== process.getuid?.();
}

/** Of a link itself; undefined where nothing is. */
export function ownerOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.uid;
}

/** With its parents, for one user alone; `kindOf` shows whether it worked. */
export function makeFolder(path: string): void {
  orNothing(() => mkdirSync(path, { recursive: true, mode: 0o700 }));
}
