/** Durations and ages as they are written; what cannot be read is undefined. */
import { lazily } from './lazy.ts';
import * as z from 'zod/mini';

/** `10m`, `90s`, `1h`, `500ms`. At most seven days. */
const DURATION_PATTERN = /^(\d{1,9})(ms|s|m|h)$/;

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

const DURATION_MAX_MS = 7 * 24 * 3_600_000;

/** Milliseconds, at least `least_ms`; undefined when the text is not a duration that we accept. */
export function durationMs(text: string, least_ms = 1): number | undefined {
  const ms = msOf(DURATION_PATTERN, text);
  return ms !== undefined && ms >= least_ms && ms <= DURATION_MAX_MS ? ms : undefined;
}

const AGE_PATTERN = /^(\d{1,6})([dwhms])$/;

/** How long ago, up to years: `30d`, `2w`, `12h`; undefined for anything else. */
export function ageMs(text: string): number | undefined {
  return msOf(AGE_PATTERN, text);
}

function msOf(pattern: RegExp, text: string): number | undefined {
  const [, count, unit = ''] = pattern.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}

export const DURATION_WORDS = 'a duration such as 90s, 10m or 1h';

export const durationSchema = lazily(() =>
  z.string().check(
    z.refine((text) => durationMs(text) !== undefined, DURATION_WORDS),
    // For the JSON Schema, which cannot say: at most seven days.
    z.meta({ pattern: DURATION_PATTERN.source, not: { pattern: '^0*[a-z]' } }),
  ),
);
