/** What is behind a number, before anything is said. */
import { fstatSync, statSync } from 'node:fs';
import { errorCode } from '../../task/store/disk/disk.ts';

/** Only a device can be a terminal, and not the one that swallows all; a pipe or a file is none. */
export function mayBeTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isCharacterDevice() && stats.rdev !== nothing();
  } catch (error) {
    if (errorCode(error) === 'EBADF') return false;
    throw error;
  }
}

function nothing(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
