/** A throw-away folder of the real file system, and a Disk of which one operation is replaced. */
import type { Disk } from '../../../src/task/store/disk/disk.ts';
import type { Putting } from '../../../src/task/store/disk/put.ts';
import { realDisk } from '../../../src/task/store/disk/real-disk.ts';
import { sealedFolder } from '../../support/sealed-folder.ts';

export function makeFolder(): string {
  const folder = sealedFolder('store');
  return folder;
}

let count = 0;

export function puttingOn(disk: Disk = realDisk): Putting {
  return { disk, unique: () => `u${++count}` };
}

export function errno(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** The real disk, with the operations that the test replaces. */
export const diskWith = (change: Partial<Disk>): Disk => ({ ...realDisk, ...change });

export const bytes = (text: string): Uint8Array => Buffer.from(text);
