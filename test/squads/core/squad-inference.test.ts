/** Which squad words point to: a table, and that any words and squads give an answer. */
import { describe, expect, test } from 'vitest';
import { chooseSquad, CONFIDENCE_MIN } from '../../../src/squads/core/squad-inference.ts';
import * as fc from '../../support/property.ts';

type Known = Parameters<typeof chooseSquad>[1][number];

const squad = (name: string, tags: string[], more: Partial<Known> = {}): Known => ({
  name,
  description: '',
  tags,
  agents: [],
  categories: new Map(),
  ...more,
});

const SQUADS: readonly Known[] = [
  squad('dev', ['code', 'bug', 'login', 'test', 'api']),
  squad('marketing', ['campaign', 'ads', 'landing page', 'newsletter']),
  squad('legal', ['contract law', 'privacy'], {
    agents: [{ name: 'compliance', full: 'legal/compliance', is_chief: false }],
  }),
];

test.each([
  ['Create a holiday marketing campaign', 'marketing', 'inferred'],
  ['Two ads and one LANDING PAGE, please', 'marketing', 'inferred'],
  ['Fix the bug in the login', 'dev', 'inferred'],
  ['Ask compliance about privacy', 'legal', 'inferred'],
  ['Fix the bug on the campaign page', 'dev', 'default'],
  ['Hello', 'dev', 'default'],
  ['', 'dev', 'default'],
])('%j is for %s, %s', (text, name, how) => {
  expect(chooseSquad(text, SQUADS)).toMatchObject({ name, how });
});

describe('whatever is said', () => {
  const word = fc.string({ maxLength: 20 });
  const squads = fc.array(
    fc.record({
      name: word,
      description: fc.string(),
      tags: fc.array(word, { maxLength: 5 }),
      agents: fc.array(
        word.map((name) => ({ name, full: name, is_chief: false })),
        { maxLength: 3 },
      ),
      categories: fc
        .array(word, { maxLength: 3 })
        .map((all) => new Map(all.map((one) => [one, {}]))),
    }),
    { maxLength: 4 },
  );

  test('there is an answer, of a squad that is there or the default, with its confidence and why', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), squads, (text, known) => {
        const { name, how, confidence, why } = chooseSquad(text, known);
        expect(why).not.toBe('');
        if (how === 'default') expect([name, confidence]).toEqual(['dev', 0]);
        else {
          expect(known.map((one) => one.name)).toContain(name);
          expect(confidence).toBeGreaterThanOrEqual(CONFIDENCE_MIN);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('the same words give the same squad, in whatever order the squads stand', () => {
    fc.assert(
      fc.property(fc.constantFrom('a campaign', 'bug in the api', 'privacy'), (text) => {
        expect(chooseSquad(text, SQUADS.toReversed())).toEqual(chooseSquad(text, SQUADS));
      }),
    );
  });

  test('who is named is not asked for', () => {
    fc.assert(
      fc.property(fc.string(), word, (text, name) => {
        expect(chooseSquad(text, SQUADS, name)).toMatchObject({ name, how: 'explicit' });
      }),
    );
  });
});
