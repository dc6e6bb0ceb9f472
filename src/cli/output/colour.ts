/**
 * Colour where a terminal shows it: never with NO_COLOR, never into a pipe or a file, unless
 * FORCE_COLOR asks for it. That a CI runs us does not count: its pipes feed other programs too.
 */
import pc from 'picocolors';
import { isTerminal } from '../terminal/is-terminal.ts';

const { env } = process;
const shows =
  !env['NO_COLOR'] && (Boolean(env['FORCE_COLOR']) || (env['TERM'] !== 'dumb' && isTerminal(1)));

const plain = (text: string): string => text;
const PLAIN = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  blue: plain,
  magenta: plain,
  cyan: plain,
};

/** The library is not even loaded where nothing is coloured: it looks at stdout when it is loaded. */
export const colours: typeof PLAIN = shows ? pc.createColors(true) : PLAIN;
