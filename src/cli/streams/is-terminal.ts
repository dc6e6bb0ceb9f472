/** Whether a person's terminal is behind a number. */
import { isatty } from 'node:tty';
import { mayBeTerminal } from './device.ts';

const known = new Map<number, boolean>();

export function isTerminal(fd: 0 | 1 | 2): boolean {
  const is = known.get(fd) ?? (mayBeTerminal(fd) && isatty(fd));
  known.set(fd, is);
  return is;
}
