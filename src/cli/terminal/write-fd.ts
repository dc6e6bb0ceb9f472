/**
 * stdout and stderr by their numbers: the streams of Node for them take longer to make than most calls
 * of the command take to answer. Whoever reads the output may stop before its end (`contracts list |
 * head`), and a terminal may be closed: what follows is then not written any more, the work goes on and
 * the exit code is the usual one. A full disk below stops the output too, with one line on stderr and
 * the exit code of a fault.
 */
import { writeSync } from 'node:fs';
import { errorCode } from '../../task/store/disk/disk.ts';
import { mayBeTerminal } from './device.ts';

const closed = new Set<number>();
/** Not because a reader had enough: the exit code says so then. */
export const output = { failed: false };

/** How long to wait until a reader that is slower than we are has made room. */
const WAIT_MS = 2;

export function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && !closed.has(fd);) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EPIPE' || (code === 'EIO' && mayBeTerminal(fd))) closed.add(fd);
      // A pipe that somebody else made not to block.
      else if (code === 'EAGAIN')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      else if (code === undefined) throw error;
      else giveUp(fd, code);
    }
  }
}

/** The work goes on all the same: an agent may be running. */
function giveUp(fd: 1 | 2, code: string): void {
  closed.add(fd);
  output.failed = true;
  const fix =
    'The command continues without output. Free space on the disk below, then call it again';
  if (fd === 1) writeAll(2, `fault: stdout cannot be written (${code}). ${fix}\n`);
}
