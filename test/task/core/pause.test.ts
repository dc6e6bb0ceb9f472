/** Until when calls wait: tables over outcomes, as a clock that is only in them. */
import { describe, expect, test } from 'vitest';
import {
  errorsPause,
  inWords,
  isOutTooLong,
  outagePause,
  silencePause,
  type Call,
} from '../../../src/task/core/attempts/pause.ts';
import { sessionToResume } from '../../../src/task/core/attempts/counters.ts';
import type { OutcomeRecord } from '../../../src/task/core/attempts/record.ts';
import { resetTime } from '../../../src/clients/core/reset-time.ts';
import { makeAttempt } from '../../engine/core/make.ts';

const START = new Date(2026, 10, 23, 12).getTime();
const MINUTE = 60_000;

const at = (minute: number): string => new Date(START + minute * MINUTE).toISOString();

function call(minute: number, change: Partial<OutcomeRecord>, task = 'a'): Call {
  const { outcome } = makeAttempt(minute + 1, {
    outcome: 'interrupted',
    record: { at: at(minute), adapter: 'claude', attempt: minute + 1, ...change },
  });
  if (outcome === undefined) throw new Error('it has an outcome');
  return { ...outcome, task };
}

const out = (minute: number, change: Partial<OutcomeRecord> = {}): Call =>
  call(minute, { error: 'outage', ...change });
const well = (minute: number, seconds = 30): Call => call(minute, { outcome: 'complete', seconds });

/** Minutes after the last call. */
function minutes(calls: readonly Call[]): number | undefined {
  const pause = outagePause(calls, undefined);
  const last = Date.parse(calls.at(-1)?.at ?? '');
  return pause === undefined ? undefined : (pause.until_ms - last) / MINUTE;
}

describe('an outage', () => {
  test('pauses 1, 2, 4 … 30 minutes, and up to a fifth more', () => {
    const calls: Call[] = [];
    for (const base of [1, 2, 4, 8, 16, 30, 30]) {
      calls.push(out(calls.length * 60));
      const pause = minutes(calls) ?? 0;
      expect(pause).toBeGreaterThanOrEqual(base);
      expect(pause).toBeLessThanOrEqual(base * 1.2);
      expect(minutes(calls)).toBe(pause);
    }
  });

  test('a time that the client reported is half a minute away at least', () => {
    expect(minutes([out(0, { resets_at: at(0.001) })])).toBe(0.5);
    expect(minutes([out(0, { resets_at: at(0.6) })])).toBeCloseTo(0.6);
  });

  test('times that the client reports again and again pause longer too', () => {
    const calls = [0, 60, 120, 180, 240, 300, 360, 420].map((minute) =>
      out(minute, { resets_at: at(minute + 0.3) }),
    );
    const pauses = calls.map((_, i) => minutes(calls.slice(0, i + 1)));
    expect(pauses).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30]);
    expect(minutes([...calls, out(480, { resets_at: at(680) })])).toBe(200);
  });

  test.each<[string, Call[], 'none' | number]>([
    ['the time that the client told', [out(0, { resets_at: at(200) })], 200],
    ['an answer ends it', [out(0), well(2)], 'none'],
    ['an answer to a call that began before it does not', [out(0), well(1, 120)], 0],
    ['calls side by side are one', [out(0), call(0, { error: 'outage' }, 'b')], 1],
    ['a call that was stopped says nothing', [out(0), call(0, {})], 1],
    ['no outage', [well(0)], 'none'],
  ])('%s', (_, calls, base) => {
    const pause = minutes(calls);
    if (base === 'none') expect(pause).toBeUndefined();
    else expect(Math.floor(pause ?? -1)).toBe(base);
  });

  test('of one model leaves the others', () => {
    const calls = [out(0, { model: 'opus' })];
    expect(outagePause(calls, 'haiku')).toBeUndefined();
    expect(outagePause(calls, 'opus')).toBeDefined();
  });

  test('a day of them is too long, unless a reset was told', () => {
    const hourly = (count: number, change: Partial<OutcomeRecord> = {}) =>
      Array.from({ length: count }, (_, hour) =>
        makeAttempt(hour + 1, {
          outcome: 'interrupted',
          record: { error: 'outage', at: at(hour * 60), ...change },
        }),
      );
    const day = START + 24 * 60 * MINUTE;
    expect(isOutTooLong(hourly(23), day)).toBe(true);
    expect(isOutTooLong(hourly(23), day - 1)).toBe(false);
    expect(isOutTooLong(hourly(23, { resets_at: at(600) }), day)).toBe(false);
    expect(isOutTooLong(hourly(23, { resets_at: at(24 * 60) }), day)).toBe(false);
    expect(isOutTooLong(hourly(23, { resets_at: at(1) }), day)).toBe(true);
    expect(isOutTooLong([], day)).toBe(false);
  });

  test('the time is said with seconds where it is near, with the day where it is far', () => {
    const said = (ms: number): string =>
      inWords({ until_ms: START + ms, reason: 'R' }, START).reason;
    expect(said(5_000)).toMatch(/^waits until \d\d:\d\d:05 R$/);
    expect(said(30 * MINUTE)).toMatch(/^waits until \d\d:30 R$/);
    expect(said(48 * 60 * MINUTE)).toMatch(/^waits until 2026-11-25 \d\d:00 R$/);
  });
});

describe('errors of an adapter in a row', () => {
  const FAILED: Partial<OutcomeRecord> = { outcome: 'failed', no_result: 'working' };
  const failed = (change = FAILED) => [0, 1, 2, 3, 4].map((minute) => call(minute, change));
  test.each<[string, Call[], boolean]>([
    ['without a result', failed(), true],
    ['timed out', failed({ outcome: 'timed_out', no_result: 'working' }), true],
    ['stalled', failed({ outcome: 'stalled', no_result: 'working' }), true],
    ['crashed', failed({ outcome: 'crashed' }), true],
    ['reviews without a verdict', failed({ no_verdict: true }), true],
    ['four', failed().slice(1), false],
    ['results that say FAILED', failed({ outcome: 'failed' }), false],
    ['scripts', failed({ outcome: 'failed', no_result: 'same_again' }), false],
    ['outages', failed({ error: 'outage' }), false],
    ['one that answered', failed().toSpliced(2, 1, well(2)), false],
    ['one that was stopped', [...failed(), call(5, {})], true],
  ])('%s', (_, calls, pauses) => {
    expect(errorsPause(calls) !== undefined).toBe(pauses);
  });
});

describe('calls that ended at once', () => {
  const silent = { no_result: 'silent', seconds: 0.1, at: at(0) } as const;
  test.each<[string, Partial<OutcomeRecord>[], number | undefined]>([
    ['once', [silent], 5],
    ['twice', [silent, silent], 20],
    ['three times', [silent, silent, silent], 60],
    ['five times', [silent, silent, silent, silent, silent], 60],
    ['after a longer one', [silent, { ...silent, seconds: 5 }, silent], 5],
    ['five seconds', [{ ...silent, seconds: 5 }], undefined],
    ['with a status or an event', [{ ...silent, no_result: 'working' }], undefined],
    ['with a result', [{ seconds: 0.1, at: at(0) }], undefined],
    ['none', [], undefined],
  ])('%s', (_, records, seconds) => {
    const attempts = records.map((record, i) => makeAttempt(i + 1, { outcome: 'failed', record }));
    const pause = silencePause(attempts);
    expect(pause && (pause.until_ms - START) / 1000).toBe(seconds);
  });
});

describe('the session to resume', () => {
  const first = { adapter: 'claude', session: 's' } as const;
  test.each<[string, Partial<OutcomeRecord>[], string | undefined]>([
    ['after a failure', [first], 's'],
    ['not after a model that never answered', [{ ...first, error: 'model' }], undefined],
    ['not after an outage at the first call', [{ ...first, error: 'outage' }], undefined],
    ['after a model that had answered', [{ ...first, error: 'model', output_tokens: 9 }], 's'],
    ['after an outage of a session that is saved', [first, { ...first, error: 'outage' }], 's'],
    ['not after it was gone', [first, { ...first, error: 'session' }], undefined],
    ['not of another adapter', [{ ...first, adapter: 'codex' }], undefined],
  ])('%s', (_, records, session) => {
    const attempts = records.map((record, i) => makeAttempt(i + 1, { outcome: 'failed', record }));
    expect(sessionToResume(attempts, false, 'claude')).toBe(session);
  });
});

describe('when a limit ends', () => {
  const now = new Date('2026-11-23T12:00:30Z');
  test.each([
    ['resets 8pm (UTC)', '2026-11-23T20:00:00.000Z'],
    ['resets 8pm (Europe/Berlin)', '2026-11-23T19:00:00.000Z'],
    ['resets at 11:30am (UTC)', '2026-11-24T11:30:00.000Z'],
    ['resets 20:15 (UTC)', '2026-11-23T20:15:00.000Z'],
    ['resets Nov 25 at 9am (UTC)', '2026-11-25T09:00:00.000Z'],
    ['resets Nov 25, 9am (UTC)', '2026-11-25T09:00:00.000Z'],
    ['try again in 2 days 1 hour 3 minutes.', '2026-11-25T13:03:30.000Z'],
    ['try again in 20s', '2026-11-23T12:00:50.000Z'],
    ['Please retry in 36.5s.', '2026-11-23T12:01:06.500Z'],
    ['retry-after: 60', '2026-11-23T12:01:30.000Z'],
    ['retry-after-ms: 500', '2026-11-23T12:00:30.500Z'],
    ['"resets_at": 1795460400', '2026-11-23T19:00:00.000Z'],
    ['resets in 5 min', '2026-11-23T12:05:30.000Z'],
    ['resets in 5 mins, 2 secs', '2026-11-23T12:05:32.000Z'],
    ['try again in 3hrs', '2026-11-23T15:00:30.000Z'],
    ['retry in 500 ms', '2026-11-23T12:00:30.500Z'],
    ['Your quota will reset after 5h0m0s.', '2026-11-23T17:00:30.000Z'],
    ['resets in 5 months', undefined],
    ['resets in 2 mondays', undefined],
    ['try again later', undefined],
    ['resets in 90 days', undefined],
    ['resets 8', undefined],
    ['resets_at: 1700000000', undefined],
    ['', undefined],
  ])('%s', (words, expected) => {
    expect(resetTime(words, now)).toBe(expected);
  });

  test('a clock without a zone is the one of here', () => {
    const noon = new Date(2026, 10, 23, 12);
    expect(resetTime('resets 8pm', noon)).toBe(new Date(2026, 10, 23, 20).toISOString());
    expect(resetTime('resets 8am', noon)).toBe(new Date(2026, 10, 24, 8).toISOString());
  });
});
