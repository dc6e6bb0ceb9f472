/** Copies the workspace of the demo out of the package. Writes into a new or an empty folder alone. */
import { copySync } from 'fs-extra/esm';
import { errorCode, type Disk } from '../../task/store/disk/disk.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';

const FULL = 'this folder is not empty, and demo overwrites nothing';
const FILE = 'a file is in the way, and demo needs a folder';
const SHUT = 'you may not write here';
const WHY: Readonly<Record<string, string>> = {
  ENOTDIR: FILE,
  EEXIST: FILE,
  EACCES: SHUT,
  EPERM: SHUT,
  EROFS: 'this disk is read-only',
  ENOSPC: 'the disk is full',
};

/** Returns why nothing, or not all, was copied. */
export function copyWorkspace(disk: Disk, folder: string): string | undefined {
  try {
    const isThere = disk.stat(folder) !== undefined;
    if (isThere && disk.names(folder).length > 0) return FULL;
    copySync(`${packageFolder()}templates/demo`, folder, { overwrite: false, errorOnExist: true });
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return WHY[code] ?? `the demo cannot be copied here (${code})`;
  }
}

/** The first of `name-2`, `name-3`, … that does not exist. */
export function freeName(disk: Disk, name: string): string {
  for (let i = 2; ; i++) if (disk.stat(`${name}-${i}`) === undefined) return `${name}-${i}`;
}
