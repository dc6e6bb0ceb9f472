/** When an agent that runs is called silent: a table of looks at its status.md. */
import { describe, expect, test } from 'vitest';
import {
  beat,
  silenceLimitMs,
  type Pulse,
  type Size,
} from '../../../src/engine/core/decide/heartbeat.ts';

const LONG = { timeout_ms: 3_600_000, stall_ms: 600_000 };

describe('the limit follows the size of the work', () => {
  const rows: [says: string, size: Partial<Size>, limit_s: number][] = [
    ['nothing is asked for', { parts: 0 }, 30],
    ['a simple task', { parts: 1 }, 30],
    ['two criteria', { parts: 2 }, 45],
    ['three', { parts: 3 }, 60],
    ['many', { parts: 7 }, 120],
    ['very many', { parts: 70 }, 120],
    ['what a person says wins: low', { parts: 70, complexity: 'low' }, 30],
    ['medium', { parts: 1, complexity: 'medium' }, 60],
    ['high', { parts: 1, complexity: 'high' }, 120],
    ['a short timeout bounds it', { parts: 7, timeout_ms: 60_000 }, 30],
    ['also what a person says', { complexity: 'high', timeout_ms: 100_000 }, 50],
    ['and so does stall', { parts: 7, stall_ms: 40_000 }, 20],
    ['the shorter of both', { parts: 7, stall_ms: 40_000, timeout_ms: 30_000 }, 15],
    ['but it is never less than 5 seconds', { parts: 1, timeout_ms: 1000 }, 5],
    ['nor without any time', { parts: 1, timeout_ms: 0, stall_ms: 0 }, 5],
  ];
  test.each(rows)('%s', (_, size, limit_s) => {
    expect(silenceLimitMs({ parts: 1, ...LONG, ...size })).toBe(limit_s * 1000);
  });

  test('it grows with the parts, and each of them by little', () => {
    for (let parts = 0; parts < 20; parts++) {
      const [less, more] = [parts, parts + 1].map((one) =>
        silenceLimitMs({ parts: one, ...LONG }),
      ) as [number, number];
      expect(more - less).toBeGreaterThanOrEqual(0);
      expect(more - less).toBeLessThanOrEqual(15_000);
    }
  });
});

describe('a walk of looks', () => {
  /** [when we look, mtime of status.md then, the news expected, the silence that is told] */
  type Look = readonly [number, number, 'lags' | 'goes_on' | undefined, number];
  function walk(looks: readonly Look[]): void {
    let pulse: Pulse = { written_ms: 7, heard_ms: 1000, lagging: false };
    for (const [now, written, news, silent] of looks) {
      const seen = beat(pulse, written, now, 30_000);
      expect([now, seen.news, seen.silent_ms]).toEqual([now, news, silent]);
      pulse = seen.pulse;
    }
  }

  test('each change is told once: it lags, it goes on, it lags again', () => {
    walk([
      [20_000, 7, undefined, 19_000],
      [31_001, 7, 'lags', 30_001],
      [40_000, 7, undefined, 39_000],
      [50_000, 8, 'goes_on', 49_000],
      [51_000, 8, undefined, 1000],
      [80_001, 8, 'lags', 30_001],
    ]);
  });

  test('one that keeps writing never lags, whatever time its files carry', () => {
    walk([
      [30_000, 5_000_000, undefined, 29_000],
      [59_000, 3, undefined, 29_000],
      [88_000, -1, undefined, 29_000],
    ]);
  });

  test('a clock that would go back counts as no silence', () => {
    walk([[0, 7, undefined, 0]]);
  });
});
