/** When an agent that runs is called silent: a table of looks at its status.md. */
import { describe, expect, test } from 'vitest';
import {
  beat,
  isLagging,
  STALL_MS,
  type Complexity,
  type Pulse,
} from '../../../src/engine/core/decide/heartbeat.ts';

describe('the limit follows the complexity', () => {
  const rows: [Complexity, number, boolean][] = [
    ['low', 30_000, false],
    ['low', 30_001, true],
    ['medium', 30_001, false],
    ['medium', 60_001, true],
    ['high', 60_001, false],
    ['high', 120_000, false],
    ['high', 120_001, true],
  ];
  for (const [complexity, silent_ms, lags] of rows) {
    test(`${complexity}, silent for ${silent_ms} ms: ${lags ? 'lags' : 'does not lag'}`, () => {
      expect(isLagging(silent_ms, complexity)).toBe(lags);
    });
  }

  test('a simple task is expected to speak sooner', () => {
    expect(STALL_MS).toEqual({ low: 30_000, medium: 60_000, high: 120_000 });
  });
});

describe('a walk of looks', () => {
  /** [when we look, mtime of status.md then, the news expected, the silence that is told] */
  type Look = readonly [number, number, 'lags' | 'goes_on' | undefined, number];
  function walk(looks: readonly Look[]): void {
    let pulse: Pulse = { written_ms: 7, heard_ms: 1000, lagging: false };
    for (const [now, written, news, silent] of looks) {
      const seen = beat(pulse, written, now, 'low');
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
