/** How long ago something was, as short as it can be said: `now`, `5m`, `3h`, `2d`. */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** `now` for less than a minute, and for what the clock says is still to come. */
export function ageText(ms: number): string {
  for (const [unit, length] of UNITS) {
    if (ms >= length) return `${Math.floor(ms / length)}${unit}`;
  }
  return 'now';
}
