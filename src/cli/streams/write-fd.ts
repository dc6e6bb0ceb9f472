/**
 * stdout and stderr by their numbers: to make Node's streams takes longer than most calls. A reader that has
 * enough (`contracts list | head`) ends the output, not the work; a full disk too, and that is a fault.
 */
import { writeSync } from 'node:fs';
import { errorCode } from '../../task/store/disk/disk.ts';
import { mayBeTerminal } from './device.ts';

const closed = new Set<number>();
/** A failure that is no reader with enough: the exit code reports it. */
export const output = { failed: false };

/** Until a slow reader has made room. */
const WAIT_MS = 2;

export function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && !closed.has(fd);) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EPIPE' || (code === 'EIO' && mayBeTerminal(fd))) closed.add(fd);
      // Another process made the pipe non-blocking.
      else if (code === 'EAGAIN')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
      else if (code === undefined) throw error;
      else giveUp(fd, code);
    }
  }
}

/** An agent may be running. */
function giveUp(fd: 1 | 2, code: string): void {
  closed.add(fd);
  output.failed = true;
  const fix =
    'The command continues without output. Free space on the disk below, then call it again';
  if (fd === 1) writeAll(2, `fault: stdout cannot be written (${code}). ${fix}\n`);
}
