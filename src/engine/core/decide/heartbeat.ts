/**
 * Judges whether a running agent has fallen silent: its heartbeat is what its client reports, or else its status.md
 * (docs/troubleshooting.md#lagging-is-shown-beside-a-running-task). Times are of one clock that never jumps.
 * Silence is reported, never acted upon: only the timeout ends an agent.
 */
import { durationMs } from '../../../task/core/base/duration.ts';
import type { Contract } from '../../../task/core/model/contract.ts';

const LIMIT_MS = { low: 30_000, medium: 60_000, high: 120_000 } as const;
/** For each criterion and deliverable after the first. */
const PART_MS = 15_000;

/** How long its agent may be silent: if possible, less than until its own `timeout` or `stall` ends it. */
export function silenceLimitMs({ head, criteria }: Contract): number {
  const { complexity, deliverables, timeout = '', stall = '' } = head;
  const more = Math.max(0, criteria.length + deliverables.length - 1);
  const sized = complexity === undefined ? LIMIT_MS.low + PART_MS * more : LIMIT_MS[complexity];
  const half = (text: string): number => (durationMs(text) ?? Infinity) / 2;
  return Math.max(LIMIT_MS.low, Math.min(LIMIT_MS.high, sized, half(timeout), half(stall)));
}

export interface Pulse {
  /** The last sign of life: a count of events, or the time of status.md. Only ever compared with the next one. */
  readonly sign: number;
  /** When we saw it change, on our own clock. */
  readonly heard_ms: number;
  readonly lagging: boolean;
}

/** One look: the sign now, `now_ms` of our own clock. */
export function beat(before: Pulse, sign: number, now_ms: number, limit_ms: number) {
  const changed = sign !== before.sign;
  const silent_ms = changed ? 0 : Math.max(0, now_ms - before.heard_ms);
  const lagging = silent_ms > limit_ms;
  return {
    pulse: { sign, heard_ms: changed ? now_ms : before.heard_ms, lagging },
    news:
      lagging === before.lagging ? undefined : lagging ? ('lags' as const) : ('goes_on' as const),
    silent_ms: changed ? Math.max(0, now_ms - before.heard_ms) : silent_ms,
  };
}
