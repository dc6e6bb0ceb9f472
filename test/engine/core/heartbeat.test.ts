/** When an agent that runs is called silent: a table of looks at its status.md. */
import { describe, expect, test } from 'vitest';
import { beat, silenceLimitMs, type Pulse } from '../../../src/engine/core/decide/heartbeat.ts';
import type { ContractHead } from '../../../src/task/core/model/contract-shape.ts';
import { makeContract } from './make.ts';

describe('the limit follows the size of the work', () => {
  const rows: [says: string, criteria: number, head: Partial<ContractHead>, limit_s: number][] = [
    ['nothing is asked for', 0, {}, 30],
    ['a simple task', 1, {}, 30],
    ['two criteria', 2, {}, 45],
    ['a criterion and two deliverables', 1, { deliverables: ['a', 'b'] }, 60],
    ['many', 7, {}, 120],
    ['very many', 70, { deliverables: ['a', 'b'] }, 120],
    ['what a person says wins: low', 70, { complexity: 'low' }, 30],
    ['medium', 1, { complexity: 'medium' }, 60],
    ['high', 1, { complexity: 'high' }, 120],
    ['a long timeout changes nothing', 2, { timeout: '3h', stall: '1h' }, 45],
    ['half of a short timeout', 7, { timeout: '90s' }, 45],
    ['also below what complexity says', 7, { complexity: 'high', timeout: '100s' }, 50],
    ['half of stall', 7, { stall: '80s' }, 40],
    ['the shorter of both', 7, { stall: '80s', timeout: '70s' }, 35],
    ['but it is never less than 30 seconds', 7, { timeout: '1s' }, 30],
    ['a timeout that is no duration counts for nothing', 1, { timeout: 'soon' }, 30],
  ];
  test.each(rows)('%s', (_, criteria, head, limit_s) => {
    const names = Array.from({ length: criteria }, (_, i) => `criterion ${i}`);
    expect(silenceLimitMs(makeContract({ head, criteria: names }))).toBe(limit_s * 1000);
  });
});

describe('a walk of looks', () => {
  /** [when we look, the sign then, the news expected, the silence that is told] */
  type Look = readonly [number, number, 'lags' | 'goes_on' | undefined, number];
  function walk(looks: readonly Look[]): void {
    let pulse: Pulse = { sign: 7, heard_ms: 1000, lagging: false };
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
