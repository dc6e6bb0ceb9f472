/** When a person is asked, and what an answer means. */
import { describe, expect, test } from 'vitest';
import {
  answerOf,
  askedIn,
  questionOf,
  reasonToAsk,
  type Assumption,
} from '../../../src/assumptions/core/assumption.ts';
import { assumed } from '../assumed.ts';

const unsure = assumed({ confidence: 0.59 });
const asked = assumed({ confidence: 0.1, asked: true });
const sure = assumed({ confidence: 0.6 });
const decision = assumed({ kind: 'decision', confidence: 0 });
const times = (count: number, one: Assumption): readonly Assumption[] =>
  Array.from({ length: count }, () => one);

describe('thresholds', () => {
  test.each<[says: string, open: readonly Assumption[], done: number, reason: string | undefined]>([
    ['none is open', [], 100, undefined],
    ['two are unsure', times(2, unsure), 9, undefined],
    ['three are unsure', times(3, unsure), 0, '3 assumptions are below 0.6'],
    ['many are sure enough', times(50, sure), 9, undefined],
    ['three decisions are open', times(3, decision), 9, undefined],
    ['four decisions are open', times(4, decision), 0, '4 decisions are open'],
    [
      'two are unsure and three decisions are open',
      [...times(2, unsure), ...times(3, decision)],
      9,
      undefined,
    ],
    ['a person dismissed four', times(4, asked), 9, undefined],
    ['two are new beside them', [...times(4, asked), ...times(2, unsure)], 9, undefined],
    ['three are new', [...times(4, asked), ...times(3, unsure)], 9, '3 assumptions are below 0.6'],
    ['ten were done since', times(4, asked), 10, '10 tasks were done while some are open'],
    ['nine were done since', [sure], 9, undefined],
    ['ten were done since', [sure], 10, '10 tasks were done while one is open'],
    [
      'ten were done since the first of them',
      [assumed({ done: 5 }), assumed({ done: 14 })],
      15,
      '10 tasks were done while some are open',
    ],
    ['fewer are done than there were', [assumed({ done: 30 })], 3, undefined],
  ])('%s', (_, open, done, reason) => expect(reasonToAsk(open, done)).toBe(reason));
});

describe('an answer about an assumption', () => {
  test.each([
    'ja',
    'Oui',
    'sí',
    '예',
    'はい',
    '是的',
    'yes',
    'Yes.',
    'YES!',
    ' ok ',
    'Keep it',
    'correct',
    'True.',
    'y',
    'sure\n',
  ])('%j confirms it', (text) =>
    expect(answerOf('assumption', text)).toEqual({ means: 'confirmed' }),
  );

  test.each(['holds', 'It holds.', 'agreed', 'That is right', 'fine', 'I agree'])(
    '%j confirms it, too',
    (text) => expect(answerOf('assumption', text)).toEqual({ means: 'confirmed' }),
  );

  test.each([
    '?',
    '??',
    "I don't know",
    'no idea',
    'not sure',
    'Not sure, ask Bob',
    'I don’t know yet',
    'Maybe in euros',
    'Not sure yet.',
    'maybe',
    'later',
    '-',
  ])('%j leaves it open', (text) =>
    expect(answerOf('assumption', text)).toEqual({ means: 'open' }),
  );

  test.each([
    'Yes, that is right',
    'yes but in cents',
    'OK, for now',
    'yes — until the launch',
    'Correct, prices are in euros',
    'Sure, keep it',
    'Agreed, for now',
  ])('%j confirms it with these words', (text) =>
    expect(answerOf('assumption', text)).toEqual({ means: 'decided', text }),
  );

  test.each<[text: string, instead: string]>([
    ['no', ''],
    ['No.', ''],
    ['No!', ''],
    ['nope', ''],
    ['wrong', ''],
    ['', ''],
    ['no, in francs', 'in francs'],
    ['No. In francs', 'In francs'],
    ['no - in francs', 'in francs'],
    ['no: in francs', 'in francs'],
    ['no,\n  in\nfrancs', 'in francs'],
    ['In francs', 'In francs'],
    ['None of them', 'None of them'],
    ['No more than two', 'No more than two'],
    ['Reject payloads above 1 MB', 'Reject payloads above 1 MB'],
    ['no-one pays', 'no-one pays'],
    ['Right now in francs', 'Right now in francs'],
    ['Yes-men pay in euros', 'Yes-men pay in euros'],
  ])('%j rejects it: %j', (text, instead) =>
    expect(answerOf('assumption', text)).toEqual({ means: 'rejected', instead }),
  );
});

test.each(['yes', 'no', 'Use SQLite'])('an answer to a decision is the decision: %s', (text) =>
  expect(answerOf('decision', ` ${text}\n`)).toEqual({ means: 'decided', text }),
);

test('a question says which one it is about', () => {
  const one = assumed({ id: 'prices-2', source: ['a', 'b', 'c', 'd'] });
  expect(questionOf(one)).toBe(
    '`prices-2`: Prices are in euros (a, b, c) Assumed with confidence 0.5. Answer yes, or say what holds instead.',
  );
  expect(questionOf({ ...one, kind: 'decision', source: [] })).toBe(
    '`prices-2`: Prices are in euros What is to be done?',
  );
  expect(askedIn(questionOf(one))).toBe('prices-2');
  expect(askedIn('Which colour? `prices-2`: no')).toBeUndefined();
});
