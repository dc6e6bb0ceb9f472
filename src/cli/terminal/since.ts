/** The value of `--since`: an age, or a day. */
import { ageMs } from '../../task/core/base/duration.ts';
import { refuseUse, type Place } from './verb-context.ts';

/** Milliseconds since 1970; a day begins at midnight here. */
export function sinceOf(place: Place, text: string, now: Date): number {
  const age = ageMs(text);
  if (age !== undefined) return now.getTime() - age;
  const day = new Date(`${text}T00:00`);
  if (day.getDate() === Number(text.slice(8))) return day.getTime();
  const fix = 'Write --since 7d or --since 2026-01-31';
  return refuseUse(place, '--since takes an age or a day', fix, text);
}
