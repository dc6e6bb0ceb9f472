/** Whether a person's terminal is behind a number. For a pipe or a file the library is not even loaded. */
import { isatty } from 'node:tty';
import { mayBeTerminal } from './device.ts';

export function isTerminal(fd: 0 | 1 | 2): boolean {
  return mayBeTerminal(fd) && isatty(fd);
}
