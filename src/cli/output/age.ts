/** How long ago something was, as short as it can be said: `now`, `5m`, `3h`, `2d`. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `now` for less than a minute, and for what the clock says is still to come. */
export function ageText(ms: number): string {
  if (ms >= DAY) return `${Math.floor(ms / DAY)}d`;
  if (ms >= HOUR) return `${Math.floor(ms / HOUR)}h`;
  return ms >= MINUTE ? `${Math.floor(ms / MINUTE)}m` : 'now';
}
