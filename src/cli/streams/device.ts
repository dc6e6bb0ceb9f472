/** Whether a file descriptor can be a terminal. */
import { fstatSync, statSync } from 'node:fs';
import { errorCode } from '../../task/store/disk/disk.ts';

/** A pipe, a file or /dev/null is no terminal, and that is known without a library. */
export function mayBeTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(fd);
    return (
      stats.isCharacterDevice() &&
      stats.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev
    );
  } catch (error) {
    if (errorCode(error) === 'EBADF') return false;
    throw error;
  }
}
