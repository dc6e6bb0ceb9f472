/** What holds for any learning: it is read as it was written, and an edit changes its own keys alone. */
import { expect, test } from 'vitest';
import { LEARNING_TYPES, type Learning } from '../../../src/memory/core/learning.ts';
import { editHead, parseLearning, renderLearning } from '../../../src/memory/text/learning-file.ts';
import { learningIn } from '../../../src/memory/text/harvest.ts';
import * as fc from '../../support/property.ts';

const piece = fc.constantFrom(
  ...'---|# |- |: |, |{|[|"|\'|`|<!--|-->|$(x)|{{x}}|0123|yes|null|~|é|🔥|日本|word|__proto__'.split(
    '|',
  ),
  '\n',
  '\r\n',
  '\t',
  '\u0000',
  '\u001b[31m',
  '\u0085',
  '\u202e',
  '\u2028',
  '\uFEFF',
  ' ',
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
);
/** One line with words in it, as everything that writes a learning gives it. */
const sentence = anyText.map((text) => `Use ${text}`.replace(/\s+/g, ' ').trim());
const word = anyText.map((text) => `a${text.replace(/[\s,]+/g, '')}`);
const words = fc.uniqueArray(word, { maxLength: 3 });
const learning: fc.Arbitrary<Learning> = fc.record({
  type: fc.constantFrom(...LEARNING_TYPES),
  information: sentence,
  entities: words,
  tags: words,
  confidence: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  source: words,
  uses: words,
  returned: words,
  feedback: fc.integer({ min: -20, max: 20 }),
  created: fc.constant('2026-11-01T00:00:00.000Z'),
});

function parsed(text: string): Learning {
  const read = parseLearning(text, 'a.md', undefined);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.learning;
}

test('it is read as it was written', () => {
  fc.assert(
    fc.property(learning, (one) => {
      expect(parsed(renderLearning(one))).toEqual(one);
    }),
  );
});

test('what is harvested is kept word for word', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(...LEARNING_TYPES), (text, type) => {
      const found = learningIn(`[${type}] Use ${text}`);
      const rest = { source: ['one'], uses: [], returned: [], feedback: 0, created: '' };
      if (found === undefined) return;
      expect(parsed(renderLearning({ ...found, ...rest }))).toEqual({ ...found, ...rest });
    }),
  );
});

test('an edit changes its own keys, and every foreign line stays', () => {
  const foreign = fc.array(
    fc.constantFrom('# mine', 'colour: red', 'shape: [a]', 'list:\n  - a', ''),
    { maxLength: 3 },
  );
  const change = fc.record(
    { source: words, uses: words, feedback: fc.integer({ min: 1, max: 9 }), information: sentence },
    { requiredKeys: [] },
  );
  const ends = fc.constantFrom('\n', '\r\n');
  fc.assert(
    fc.property(learning, foreign, anyText, change, ends, (one, lines, body, changes, eol) => {
      const unique = lines.filter((line, i) => line === '# mine' || lines.indexOf(line) === i);
      const own = renderLearning(one).replace(/---\n$/, '');
      const below = body.replace(/\r\n?/g, '\n');
      const text = [own, ...unique.map((line) => `${line}\n`), '---\n', below].join('');
      const edited = editHead(text.replaceAll('\n', eol), changes);
      expect(parsed(edited)).toEqual({ ...parsed(text), ...changes });
      const rest = edited.replaceAll(eol, '\n');
      for (const line of unique) expect(rest).toContain(line);
      expect(rest.endsWith(`\n---\n${below}`)).toBe(true);
      if (eol === '\r\n') expect(edited).not.toMatch(/[^\r]\n/);
    }),
  );
});
