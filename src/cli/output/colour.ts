/** Colour at a terminal, or where FORCE_COLOR asks for it; never with NO_COLOR, and none in a CI. */
import pc from 'picocolors';
import { isTerminal } from '../streams/is-terminal.ts';

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

/** The library looks at stdout when it is loaded: only where something is coloured. */
export const colours: typeof PLAIN = shows ? pc.createColors(true) : PLAIN;
