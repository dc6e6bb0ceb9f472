/** Words that deny a criterion, behind a tick. */
import { expect, test } from 'vitest';
import type { TickedCriterion } from '../../../src/task/core/model/documents.ts';
import { unmetCriteria } from '../../../src/engine/core/judge/unmet.ts';
import { parseResult } from '../../../src/task/text/documents/documents.ts';
import { makeContract } from '../../engine/core/make.ts';

const said = (text: string): TickedCriterion => ({
  number: 1,
  line: 7,
  text,
  ticked: true,
  evidence: '',
});

test.each<[string, string[], TickedCriterion[], RegExp[]]>([
  [
    'struck',
    ['Login works'],
    [said('~~Login works~~')],
    [/1 is not ticked, or is denied, in line 7/],
  ],
  [
    'crossed',
    ['Login works'],
    [said('❌ login works')],
    [/1 is not ticked, or is denied, in line 7/],
  ],
  [
    'denied',
    ['Login works'],
    [said('NOT DONE: login works')],
    [/1 is not ticked, or is denied, in line 7/],
  ],
  [
    'denied behind it',
    ['It works'],
    [said('It works not yet')],
    [/1 is not ticked, or is denied, in line 7/],
  ],
  ...[
    '(untested)',
    '(pending)',
    '(skipped)',
    '(blocked)',
    '(unverified)',
    '(failing)',
    '(ungetestet)',
  ].map((words): [string, string[], TickedCriterion[], RegExp[]] => [
    `hedged ${words}`,
    ['Login works'],
    [said(`Login works ${words}`)],
    [/1 is not ticked, or is denied, in line 7/],
  ]),
  ['its own hedge', ['Blocked users are skipped'], [said('Blocked users are skipped')], []],
  ['a number in brackets', ['Login works'], [said('(1) Login works')], []],
  [
    'the other way round',
    ['Export is faster than import'],
    [said('Import is faster than export')],
    [/1 has no box/],
  ],
  ['in another order', ['Names are sorted and unique'], [said('Unique and sorted: names')], []],
  [
    'denied by number',
    ['A'],
    [said('Criterion 1: not done')],
    [/1 is not ticked, or is denied, in line 7/],
  ],
  [
    'denied twice',
    ['It never ends'],
    [said('Not so: it never ends')],
    [/1 is not ticked, or is denied, in line 7/],
  ],
  [
    'its denial lost',
    ['It never ends'],
    [said('It ends')],
    [/1 is not ticked, or is denied, in line 7/],
  ],
  [
    'the opposite',
    ['Login rejects wrong passwords'],
    [said('Login does not reject wrong passwords yet')],
    [/1 is not ticked, or is denied, in line 7/],
  ],
  ['denied alike', ['It does not crash'], [said('Now it does not crash')], []],
  ['no errors', ['It works'], [said('Works'), said('It works without any errors')], []],
  ['a number in words', ['It ends'], [said('No. 1: yes')], []],
  ['evidence with a no', ['A'], [{ ...said('A'), evidence: 'no errors' }], []],
])('%s', (_name, criteria, there, expected) => {
  const result = { ...parseResult('Status: COMPLETE\n'), criteria: there };
  const found = unmetCriteria(makeContract({ criteria }), result);
  expect(found.length, found.join('; ')).toBe(expected.length);
  for (const [i, words] of expected.entries()) expect(found[i]?.words).toMatch(words);
});

test.each([
  ['NO, it fails for everybody', false],
  ['not yet', false],
  ['no', false],
  ['failed', false],
  ['not checked', false],
  ['untested', false],
  ['pending', false],
  ['could not be checked', false],
  ['unverified, as no machine was there', false],
  ['nein', false],
  ['partially', false],
  ['❌', false],
  ['**failed**', false],
  ['FAIL: timeout', false],
  ["doesn't work", false],
  ['(failed)', false],
  ['fail', false],
  ['incomplete', false],
  ['does not work yet', false],
  ['it was not tested', false],
  ['⚠️ not verified', false],
  ['I did not test this', false],
  ['noch nicht', false],
  ['fails over to the copy, see a.ts', true],
  ['I did it by hand', true],
  ['no errors in the log', true],
  ['failed before, passes since a.ts', true],
  ['open a.html and look', true],
  ['not needed for guests, see a.ts', true],
])('a tick with the evidence %j: %j', (evidence, ticked) => {
  const { criteria } = parseResult(`## Success Criteria\n\n- [x] Login works — ${evidence}\n`);
  expect(criteria[0]).toMatchObject({ ticked, evidence });
});

test.each([
  ['Not done', false],
  ['Not Met', false],
  ['Open', false],
  ['What is left', false],
  ['Unverified', false],
  ['Done', true],
  ['Not Mentioned', true],
])('a tick below the heading %j: %j', (title, ticked) => {
  const { criteria } = parseResult(`## Result\n\n## ${title}\n\n- [x] Login works\n`);
  expect(criteria[0]).toMatchObject({ ticked });
});
