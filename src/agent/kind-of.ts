/**
 * What stands at a path, links followed, and where it really is: for places of the machine outside of
 * any workspace. Reads no content; never fails: what cannot be looked at or made is undefined.
 */
import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';

/** undefined for what is not there, and for what is neither. */
export function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return 'folder';
    return stat.isFile() ? 'file' : undefined;
  } catch {
    return undefined;
  }
}

export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Of neither this user nor root; false where nobody can tell. */
export function isSomebodyElses(path: string): boolean {
  try {
    const { uid } = statSync(path);
    return uid !== 0 && uid !== process.getuid?.();
  } catch {
    return false;
  }
}

/** The user id of what stands there, a link not followed; undefined for what is not there. */
export function ownerOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.uid;
}

/** With those above it, for one user alone. Whether it is there now, `kindOf` says. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // The next look says what is missing.
  }
}
