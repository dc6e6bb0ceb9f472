/** Whether a person's terminal is behind a number: asked before anything is said. Never loads more than it must. */
import { fstatSync, statSync } from 'node:fs';
import { isatty } from 'node:tty';
import { errorCode } from '../store/disk.ts';

/** Only a device can be a terminal: for a pipe, a file or /dev/null the library is not even loaded. */
export function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(fd);
    if (!stats.isCharacterDevice() || stats.rdev === nothing()) return false;
    return isatty(fd);
  } catch (error) {
    if (errorCode(error) === 'EBADF') return false;
    throw error;
  }
}

function nothing(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
