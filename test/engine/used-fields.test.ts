/** What an attempt used, of a client that reports the totals of a session that went on in several attempts. */
import { expect, test } from 'vitest';
import type { OutcomeRecord } from '../../src/task/core/attempts/record.ts';
import { usedFields } from '../../src/engine/call/client-outcome.ts';
import { makeAttempt, makeTask } from './core/make.ts';

const report = {
  denied: [],
  asked: [],
  last_message: '',
  session: 's',
  of_session: 'all',
} as const;
const after = (...earlier: readonly Partial<OutcomeRecord>[]) => {
  const attempts = earlier.map((used, i) => {
    const attempt = makeAttempt(i + 1, { outcome: 'questions' });
    return { ...attempt, outcome: { ...attempt.outcome!, session: 's', ...used } };
  });
  return { task: makeTask('ready', { attempts }) };
};
const used = (session: string, input_tokens: number, cost_usd: number) =>
  after({ session, input_tokens, cost_usd });

test.each([
  ['what the session had used before is not counted again', used('s', 200, 0.5), 300, 0.25],
  ['another session has nothing to do with it', used('other', 200, 0.5), 500, 0.75],
  ['a count that began again is taken as it is', used('s', 600, 0.5), 500, 0.25],
])('%s', (_name, running, input_tokens, cost_usd) => {
  const told = { report: { ...report, input_tokens: 500, cost_usd: 0.75 }, model: undefined };
  expect(usedFields(running, told)).toMatchObject({ input_tokens, cost_usd });
});

const of = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });

test.each([
  ['several attempts', after(of(100, 10), of(200, 20)), of(500, 50), of(200, 20)],
  ['one that crashed before it reported is in the difference', after({}), of(500, 50), of(500, 50)],
  ['one without figures between', after(of(100, 10), {}), of(500, 50), of(400, 40)],
  ['both counts begin again together', after(of(100, 10)), of(50, 30), of(50, 30)],
  [
    'after a count that began again the later attempts are subtracted',
    after(of(400, 40), of(100, 10)),
    of(150, 15),
    of(50, 5),
  ],
  [
    'what was taken over is in two records, and is subtracted once',
    after(of(100, 10), { ...of(100, 10), adopted: 1 }),
    of(300, 30),
    of(200, 20),
  ],
])('%s', (_name, running, total, own) => {
  const told = { report: { ...report, ...total }, model: undefined };
  expect(usedFields(running, told)).toMatchObject(own);
});

test('the cost alone may be that of the session', () => {
  const told = { ...report, of_session: 'cost_usd', ...of(100, 10), cost_usd: 0.3 } as const;
  const earlier = after({ ...of(80, 8), cost_usd: 0.1 }, { ...of(10, 1), cost_usd: 0.2 });
  // The sum of the two is a little more than 0.3.
  const expected = { ...of(100, 10), cost_usd: 0 };
  expect(usedFields(earlier, { report: told, model: undefined })).toMatchObject(expected);
});

test('a client that reports each call alone is taken at its word', () => {
  const { of_session: _, ...alone } = { ...report, input_tokens: 500 };
  const told = { report: alone, model: undefined };
  expect(usedFields(used('s', 200, 0.5), told).input_tokens).toBe(500);
});
