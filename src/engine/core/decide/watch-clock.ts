/**
 * When a watch looks again: soon after changes have come to rest, else by its interval, because a
 * notification may be lost. Pure; times are of one clock that never jumps.
 */
const QUIET_MS = 150;
/** Many changes delay the next look no longer than this. */
const LATE_MS = 1000;
const FAULT_MS = 1000;
const FAULT_MS_MAX = 60_000;

export interface Rings {
  /** The first and the last since the last look began. */
  readonly first_ms: number;
  readonly last_ms: number;
}

export function rung(rings: Rings | undefined, now_ms: number): Rings {
  return { first_ms: rings?.first_ms ?? now_ms, last_ms: now_ms };
}

export function nextLookAt(
  rested_ms: number,
  interval_ms: number,
  rings: Rings | undefined,
  /** After a fault of the whole step: not before. */
  not_before_ms = 0,
): number {
  const rung_at =
    rings === undefined ? Infinity : Math.min(rings.last_ms + QUIET_MS, rings.first_ms + LATE_MS);
  return Math.max(not_before_ms, Math.min(rested_ms + interval_ms, rung_at));
}

/** How long a task that met a fault is left alone: 1 s, 2, 4 … 60. */
export function backOffMs(before_ms: number | undefined): number {
  return before_ms === undefined ? FAULT_MS : Math.min(FAULT_MS_MAX, before_ms * 2);
}
