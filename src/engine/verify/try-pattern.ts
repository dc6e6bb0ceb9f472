/** Tries a regular expression with a time limit, because one can take for ever. */
import { runInNewContext } from 'node:vm';

const PATTERN_MS = 2000;

/** Throws where the pattern cannot be tried, or not in time. */
export function isMatch(pattern: string, flags: string, text: string): boolean {
  try {
    const code = 'new RegExp(pattern, flags).test(text)';
    return runInNewContext(code, { pattern, flags, text }, { timeout: PATTERN_MS }) === true;
  } catch (error) {
    // Thrown in the other context, it is no Error of this one.
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
    const late = `the pattern was given up after ${PATTERN_MS / 1000} s: it takes too long`;
    const why = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? late : undefined;
    throw new Error(why ?? `the pattern could not be tried: ${String(message)}`, { cause: error });
  }
}
