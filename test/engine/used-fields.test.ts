/** What an attempt used, of a client that tells the totals of a session that went on in several attempts. */
import { expect, test } from 'vitest';
import { usedFields } from '../../src/engine/call/client-outcome.ts';
import { makeAttempt, makeTask } from './core/make.ts';

const report = { denied: [], asked: [], last_message: '', session: 's', of_session: true } as const;
const used = (session: string, input_tokens: number, cost_usd: number) => {
  const attempt = makeAttempt(1, { outcome: 'questions' });
  const outcome = { ...attempt.outcome!, session, input_tokens, cost_usd };
  return { task: makeTask('ready', { attempts: [{ ...attempt, outcome }] }) };
};

test.each([
  ['what the session had used before is not counted again', used('s', 200, 0.5), 300, 0.25],
  ['another session has nothing to do with it', used('other', 200, 0.5), 500, 0.75],
  ['a count that began again is taken as it is', used('s', 600, 0.5), 500, 0.25],
])('%s', (_name, running, input_tokens, cost_usd) => {
  const told = { report: { ...report, input_tokens: 500, cost_usd: 0.75 }, model: undefined };
  expect(usedFields(running, told)).toMatchObject({ input_tokens, cost_usd });
});

test('a client that tells each call alone is taken at its word', () => {
  const told = {
    report: { ...report, of_session: undefined, input_tokens: 500 },
    model: undefined,
  };
  const { of_session: _, ...alone } = told.report;
  expect(usedFields(used('s', 200, 0.5), { ...told, report: alone }).input_tokens).toBe(500);
});
