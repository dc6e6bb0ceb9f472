/** Paths outside of any workspace, links followed. Never fails: undefined instead. */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

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

/** Mark of the folder that is there now: device, inode and birth time, since an inode is used again. Empty where none is. */
export function folderMark(path: string): string {
  const stat = orNothing(() => statSync(path, { bigint: true }));
  return stat?.isDirectory() ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : '';
}

/** As the kernel does: `..` behind a link is the folder above its target. */
export function realOf(path: string): string | undefined {
  return orNothing(() => realpathSync.native(path));
}

/** Without links, as far as it exists; a link to what is missing leads there. */
export function realBelow(path: string): string {
  const real = realOf(path);
  if (real !== undefined) return real;
  const folder = realBelow(dirname(path));
  const target = isLoop(path) ? undefined : orNothing(() => readlinkSync(path));
  return target === undefined
    ? resolve(folder, basename(path))
    : realBelow(target.startsWith('/') ? target : `${folder}/${target}`);
}

function isLoop(path: string): boolean {
  try {
    return !statSync(path);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ELOOP';
  }
}

/** Empty where it cannot be read. */
export function textOf(file: string): string {
  return orNothing(() => readFileSync(file, 'utf8')) ?? '';
}

export function namesIn(folder: string): string[] {
  return orNothing(() => readdirSync(folder)) ?? [];
}

/** True if it belongs to neither this user nor root; false where that is not known. */
export function isSomebodyElses(path: string): boolean {
  const uid = orNothing(() => statSync(path).uid);
  return uid !== undefined && uid !== 0 && uid !== process.getuid?.();
}

/** The owner, of a link itself; undefined where nothing is. */
export function ownerOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.uid;
}

/** With its parents, for one user alone; `kindOf` shows whether it worked. */
export function makeFolder(path: string): void {
  orNothing(() => mkdirSync(path, { recursive: true, mode: 0o700 }));
}
