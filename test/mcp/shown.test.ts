/** The answer of the tool `show`: which machine an attempt was done on, where a worker did it. */
import { expect, test } from 'vitest';
import { answerOf, shownOf } from '../../src/mcp/core/answer.ts';

const attempt = { number: 1, kind: 'work', outcome: 'complete', reason: 'says so', findings: '' };

test('an attempt names the machine of its worker, and none where there was none', () => {
  const away = { ...attempt, number: 2, machine: 'host 7', findings: 'well' };
  const story = { id: 'one', state: 'review', attempts: [attempt, away] };
  const shown = shownOf(story, answerOf(story, null));
  expect(shown['attempts']).toEqual([
    { number: 1, kind: 'work', outcome: 'complete', reason: 'says so' },
    expect.objectContaining({ number: 2, machine: 'host 7', findings: 'well' }),
  ]);
});
