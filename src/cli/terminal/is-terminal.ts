/** Whether a person's terminal is behind a number. For a pipe or a file the library is not even loaded. */
import { isatty } from 'node:tty';
import { mayBeTerminal } from './device.ts';

/** It stays what it was when the process began; asked for the streams and for their colours. */
const known = new Map<number, boolean>();

export function isTerminal(fd: 0 | 1 | 2): boolean {
  const said = known.get(fd) ?? (mayBeTerminal(fd) && isatty(fd));
  known.set(fd, said);
  return said;
}
