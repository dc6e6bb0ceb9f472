/**
 * Whether a running agent has fallen silent: its status.md is its heartbeat
 * (docs/troubleshooting.md#lagging-is-shown-beside-a-running-task). Times are of one clock that never jumps.
 * Silence is reported, never acted upon: only the timeout ends an agent.
 */
import type { ContractHead } from '../../../task/core/model/contract-shape.ts';

export type Complexity = ContractHead['complexity'];

export const STALL_MS: Readonly<Record<Complexity, number>> = {
  low: 30_000,
  medium: 60_000,
  high: 120_000,
};

/** `silent_ms`: how long ago status.md was last written. */
export function isLagging(silent_ms: number, complexity: Complexity): boolean {
  return silent_ms > STALL_MS[complexity];
}

export interface Pulse {
  /** The modification time of status.md as last seen; only ever compared with the next one. */
  readonly written_ms: number;
  /** When we saw it change, on our own clock. */
  readonly heard_ms: number;
  readonly lagging: boolean;
}

/** One look: `written_ms` of the file now, `now_ms` of our own clock. */
export function beat(before: Pulse, written_ms: number, now_ms: number, complexity: Complexity) {
  const changed = written_ms !== before.written_ms;
  const silent_ms = changed ? 0 : Math.max(0, now_ms - before.heard_ms);
  const lagging = isLagging(silent_ms, complexity);
  return {
    pulse: { written_ms, heard_ms: changed ? now_ms : before.heard_ms, lagging },
    news:
      lagging === before.lagging ? undefined : lagging ? ('lags' as const) : ('goes_on' as const),
    silent_ms: changed ? Math.max(0, now_ms - before.heard_ms) : silent_ms,
  };
}
