/**
 * Colour where a terminal shows it: never with NO_COLOR, never into a pipe or a file, unless
 * FORCE_COLOR asks for it. That a CI runs us does not count: its pipes feed other programs too.
 */
import pc from 'picocolors';

const { env, stdout } = process;
const shows = stdout.isTTY === true && env['TERM'] !== 'dumb';

export const colours = pc.createColors(!env['NO_COLOR'] && (Boolean(env['FORCE_COLOR']) || shows));
