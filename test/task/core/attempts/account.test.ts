/** An account is the sum of its records, whatever they are; an agent's words have its name beside them. */
import { expect, test } from 'vitest';
import { accountOf, accountWords } from '../../../../src/task/core/attempts/account.ts';
import * as fc from '../../../support/property.ts';

const SINCE = Date.parse('2026-01-31T12:00:00Z');
const at = fc
  .integer({ min: -3600, max: 3600 })
  .map((seconds) => new Date(SINCE + seconds * 1000).toISOString());
const outcome = fc.record({
  outcome: fc.constantFrom('complete', 'failed', 'needs_work', 'unverified', 'approved'),
  reason: fc.constantFrom('too short', 'x'.repeat(200), ''),
  gate: fc.constantFrom('qa', 'person', undefined),
  seconds: fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined }),
  cost_usd: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
  input_tokens: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
  at,
});
const file = fc.record({
  path: fc.constantFrom('a', 'b', 'c', 'd'),
  added: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
  removed: fc.constant(1),
});
const task = fc.record({
  is_done: fc.boolean(),
  attempts: fc.array(fc.record({ lost: fc.boolean(), outcome: fc.option(outcome, { nil: undefined }) })), // prettier-ignore
  receipts: fc.array(fc.record({ passed: fc.boolean() })),
  files: fc.uniqueArray(file, { selector: (one) => one.path }),
});

test('each figure is a sum over what ended since then, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(task, { maxLength: 4 }), (made) => {
      const tasks = made.map((one, i) => ({
        ...one,
        id: `t${i}`,
        attempts: one.attempts.map((attempt, n) => ({ ...attempt, number: n + 1, kind: 'review' })),
      }));
      const account = accountOf(tasks as never, SINCE);
      const isNew = (one: { at: string } | undefined): boolean =>
        one !== undefined && Date.parse(one.at) >= SINCE;
      const ended = tasks.map(({ attempts }) => attempts.filter(({ outcome: one }) => isNew(one)));
      const touched = tasks.filter((_, i) => ended[i]?.length !== 0);
      const calls = ended.flat().flatMap(({ outcome: one }) => (one?.seconds === undefined ? [] : [one])); // prettier-ignore
      const sent = ended
        .flat()
        .filter(({ lost, outcome: one }) => !lost && /needs_work|unverified/.test(one?.outcome ?? '')); // prettier-ignore
      expect(account).toMatchObject({
        done: touched.filter(({ is_done }) => is_done).map(({ id }) => id),
        files: new Set(touched.flatMap(({ files }) => files.map(({ path }) => path))).size,
        checks_passed: touched.flatMap(({ receipts }) => receipts).filter((one) => one.passed).length, // prettier-ignore
        calls: calls.length,
        seconds: calls.reduce((sum, one) => sum + (one.seconds ?? 0), 0),
        use: {
          cost_usd: calls.reduce((sum, one) => sum + (one.cost_usd ?? 0), 0),
          tokens: calls.reduce((sum, one) => sum + (one.input_tokens ?? 0), 0),
        },
      });
      expect(account.sent_back).toHaveLength(sent.length);
      if (touched.flatMap(({ files }) => files).some(({ added }) => added === null))
        expect(account.added === undefined || account.files > 0).toBe(true);
    }),
  );
});

test('words: nothing where nothing was; reasons of gates have a name, and are cut', () => {
  const words = (sent_back: readonly { task: string; by: string; reason: string }[]): string =>
    accountWords({ files: 2, added: 7, removed: 0, checks_passed: 1, sent_back }).join(' ');
  expect(accountWords({ files: 0, checks_passed: 0, sent_back: [] })).toEqual([]);
  expect(words([])).toBe('2 files changed (+7 −0), 1 check passed.');
  const sent = { task: 'song', by: 'qa', reason: 'no second verse' };
  expect(words([{ ...sent, reason: 'first' }, sent])).toContain(
    'Sent back: song 2 times by qa: "no second verse".',
  );
  expect(words([{ ...sent, by: 'verification' }])).toContain(
    'song by its verification (no second verse)',
  );
  expect(words([{ ...sent, by: 'person', reason: 'y'.repeat(99) }])).toContain(
    `song by a person: "${'y'.repeat(63)}…"`,
  );
  expect(words(['a', 'b', 'c', 'd'].map((task) => ({ ...sent, task })))).toContain('and 1 more.');
});
