/**
 * stdout and stderr by their numbers: the streams of Node for them take longer to make than most calls
 * of the command take to answer. Whoever reads the output may stop before its end (`contracts list |
 * head`): what follows is then not written any more, the work goes on and the exit code is the usual
 * one. Any other error is thrown.
 */
import { fstatSync, statSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { errorCode } from '../store/disk.ts';

const closed = new Set<number>();

/** How long to wait until a reader that is slower than we are has made room. */
const WAIT_MS = 2;

export function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && !closed.has(fd);) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EPIPE') closed.add(fd);
      // A pipe that somebody else made not to block.
      else if (code === 'EAGAIN')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      else throw error;
    }
  }
}

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
