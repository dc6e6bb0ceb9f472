/**
 * Whether a running agent has fallen silent: its status.md is its heartbeat
 * (docs/troubleshooting.md#lagging-is-shown-beside-a-running-task). Times are of one clock that never jumps.
 * Silence is reported, never acted upon: only the timeout ends an agent.
 */
import type { ContractHead } from '../../../task/core/model/contract-shape.ts';

const LIMIT_MS: Readonly<Record<NonNullable<ContractHead['complexity']>, number>> = {
  low: 30_000,
  medium: 60_000,
  high: 120_000,
};
/** For each criterion and deliverable after the first. */
const PART_MS = 15_000;
const LIMIT_MIN_MS = 5000;

export interface Size extends Pick<ContractHead, 'complexity'> {
  /** Its criteria and deliverables. */
  readonly parts: number;
  readonly timeout_ms: number;
  readonly stall_ms: number;
}

/** How long its agent may be silent. Silence is reported before `timeout` or `stall` ends the call. */
export function silenceLimitMs({ complexity, parts, timeout_ms, stall_ms }: Size): number {
  const sized = Math.min(LIMIT_MS.high, LIMIT_MS.low + PART_MS * Math.max(0, parts - 1));
  const wanted = complexity === undefined ? sized : LIMIT_MS[complexity];
  return Math.max(LIMIT_MIN_MS, Math.min(wanted, timeout_ms / 2, stall_ms / 2));
}

export interface Pulse {
  /** The modification time of status.md as last seen; only ever compared with the next one. */
  readonly written_ms: number;
  /** When we saw it change, on our own clock. */
  readonly heard_ms: number;
  readonly lagging: boolean;
}

/** One look: `written_ms` of the file now, `now_ms` of our own clock. */
export function beat(before: Pulse, written_ms: number, now_ms: number, limit_ms: number) {
  const changed = written_ms !== before.written_ms;
  const silent_ms = changed ? 0 : Math.max(0, now_ms - before.heard_ms);
  const lagging = silent_ms > limit_ms;
  return {
    pulse: { written_ms, heard_ms: changed ? now_ms : before.heard_ms, lagging },
    news:
      lagging === before.lagging ? undefined : lagging ? ('lags' as const) : ('goes_on' as const),
    silent_ms: changed ? Math.max(0, now_ms - before.heard_ms) : silent_ms,
  };
}
