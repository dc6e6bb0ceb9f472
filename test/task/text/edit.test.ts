import { saysSomething } from '../../../src/task/text/documents/answer-words.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { VERDICTS } from '../../../src/task/core/model/documents.ts';
import {
  parseBlocked,
  parseQuestions,
  parseReview,
} from '../../../src/task/text/documents/documents.ts';
import {
  addAnswerSlots,
  addVerdict,
  tickBox,
  tickVerdict,
  writeAnswer as answerOr,
  writeResolution as resolutionOr,
} from '../../../src/task/text/documents/edit.ts';
import { renderTemplate } from '../../../src/task/text/markdown/template.ts';
import * as fc from '../../support/property.ts';

type Edit = ReturnType<typeof answerOr>;
const edited = (edit: Edit): string | undefined => (typeof edit === 'string' ? edit : undefined);
const writeAnswer = (...given: Parameters<typeof answerOr>) => edited(answerOr(...given));
const writeResolution = (...given: Parameters<typeof resolutionOr>) =>
  edited(resolutionOr(...given));

/** The lines that were put in, when `after` is `before` with lines put in; else undefined. */
function inserted(before: string, after: string): string[] | undefined {
  const lines = before.split('\n');
  const rest: string[] = [];
  let at = 0;
  for (const line of after.split('\n')) {
    // The last line may have got its line end.
    const same = line === lines[at] || (at === lines.length - 1 && line === `${lines[at]}\r`);
    if (same) at += 1;
    else rest.push(line.replace(/\r$/, ''));
  }
  return at === lines.length ? rest : undefined;
}

const eols = fc.constantFrom('\n', '\r\n');
const boms = fc.constantFrom('', '\uFEFF');
const words = fc.stringMatching(/^[A-Z][a-z ]{0,12}\?$/);

/** An agent's questions, in every form, with the bytes that must survive. */
const asked = fc
  .record({
    eol: eols,
    bom: boms,
    form: fc.constantFrom('1. ', '- ', '### Q: '),
    questions: fc.uniqueArray(words, { minLength: 1, maxLength: 5 }),
    gap: fc.constantFrom('', '\n', '\n\n'),
    more: fc.constantFrom('', '\n   - a choice', '\n   <!-- why -->', '\n~~~\n## x\n~~~'),
    tail: fc.constantFrom('', '\n', '\n\n## What Is Unclear\n\nx\t \n'),
  })
  .map(({ eol, bom, form, questions, gap, more, tail }) => {
    const mark = (k: number) => (form === '1. ' ? `${k + 1}. ` : form);
    const list = questions.map((text, k) => `${mark(k)}${text}${more}`).join(`\n${gap}`);
    const text = `# Questions: x\n\n## Questions\n\n${list}${tail}`;
    return { text: bom + text.replaceAll('\n', eol), count: questions.length };
  });

const answerLine = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '# H',
    '## Questions',
    '### Answer',
    '---',
    '1. A?',
    '2. B?',
    '- x',
    '```',
    '<!-- x',
    '-->',
  ),
  fc.constantFrom(
    '<!-- all -->',
    '\\<!-- x -->',
    '## What Is Unclear',
    '{{x}}',
    '> q',
    '<pre>',
    '    code',
  ),
);
const answer = fc
  .array(answerLine, { minLength: 1, maxLength: 5 })
  .map((lines) => lines.join('\n').replace(/\r\n?/g, '\n').trim())
  // What may be the beginning of a heading at the end of a half-saved file is refused.
  .filter((text) => saysSomething(text) && !/(?:^|\n)#+$/.test(text));

describe('answer slots', () => {
  test.each([
    [
      'tight list',
      '## Questions\n1. A?\n2. B?\n',
      '## Questions\n1. A?\n\n### Answer\n\n2. B?\n\n### Answer\n\n',
    ],
    [
      'loose list',
      '## Questions\n\n1. A?\n\n2. B?\n\n## X\n',
      '## Questions\n\n1. A?\n\n### Answer\n\n2. B?\n\n### Answer\n\n## X\n',
    ],
    ['no line end', '## Questions\n1. A?', '## Questions\n1. A?\n\n### Answer\n'],
    ['CRLF', '## Questions\r\n1. A?\r\n', '## Questions\r\n1. A?\r\n\r\n### Answer\r\n\r\n'],
    ['headings', '## Questions\n### Q1\nA?\n', '## Questions\n### Q1\nA?\n\n#### Answer\n\n'],
    [
      'one has it',
      '## Questions\n1. A?\n### Answer\n\n2. B?\n',
      '## Questions\n1. A?\n### Answer\n\n2. B?\n\n### Answer\n\n',
    ],
    ['nothing asked', '', ''],
  ])('%s', (_, text, wanted) => {
    expect(addAnswerSlots(text)).toBe(wanted);
  });

  test('every question gets one, nothing else changes, a second time changes nothing', () => {
    fc.assert(
      fc.property(asked, ({ text, count }) => {
        const slotted = addAnswerSlots(text);
        const lines = inserted(text, slotted)!.filter((line) => line !== '');
        expect(lines.map((line) => line.replace(/^####? Answer$/, ''))).toEqual(
          Array.from({ length: count }, () => ''),
        );
        for (const original of [undefined, text]) {
          const { questions } = parseQuestions(slotted, original);
          expect(questions.map(({ has_slot, answer: said }) => [has_slot, said])).toEqual(
            Array.from({ length: count }, () => [true, '']),
          );
        }
        expect(addAnswerSlots(slotted)).toBe(slotted);
        if (text.includes('\r\n')) expect(slotted).not.toMatch(/[^\r]\n/);
      }),
    );
  });
});

describe('answers', () => {
  test('one that would be read as another question is refused', () => {
    const text = '# Questions: x\n\n## Questions\n\n1. A?\n2. B?';
    expect(writeAnswer(text, 1, '2. B?\n### Answer', text)).toBeUndefined();
    expect(writeAnswer(text, 1, 'as in 2. B?', text)).toContain('as in 2. B?');
  });

  test('all answers are read back as they were, and only they are put in', () => {
    fc.assert(
      fc.property(
        asked,
        fc.array(answer, { minLength: 5, maxLength: 5 }),
        fc.boolean(),
        fc.boolean(),
        ({ text, count }, said, slots, backwards) => {
          // One that repeats a question could not be told from it: it is refused, below.
          const asks = new Set(text.split(/\r?\n/).filter((line) => /^(\d+\.|-|###) /.test(line)));
          fc.pre(!said.some((one) => one.split('\n').some((line) => asks.has(line.trim()))));
          let file = slots ? addAnswerSlots(text) : text;
          const numbers = Array.from({ length: count }, (_, k) => k + 1);
          for (const number of backwards ? numbers.toReversed() : numbers) {
            const edited = writeAnswer(file, number, said[number - 1]!, text);
            expect(edited?.length).toBeGreaterThan(file.length);
            const start = [...file].findIndex((char, k) => [...edited!][k] !== char);
            const from = start === -1 ? file.length : [...file].slice(0, start).join('').length;
            const grown = edited!.length - file.length;
            expect(edited!.slice(0, from) + edited!.slice(from + grown)).toBe(file);
            file = edited!;
          }
          const { questions } = parseQuestions(file, text);
          // A code block that was left open is closed.
          const read = questions.map((question, k) => {
            const more = question.answer.slice(said[k]!.length);
            return /^\n[`~]{3,}$/.test(more) ? said[k]! : question.answer;
          });
          expect(read).toEqual(said.slice(0, count));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('CRLF is kept', () => {
    const text = '## Questions\r\n1. A?\r\n\r\n### Answer\r\n\r\n2. B?\r\n';
    expect(writeAnswer(text, 1, 'x\ny', '## Questions\r\n1. A?\r\n2. B?\r\n')).toBe(
      '## Questions\r\n1. A?\r\n\r\n### Answer\r\n\r\nx\r\ny\r\n\r\n2. B?\r\n',
    );
  });

  test('a comment that a person left open does not swallow the answer', () => {
    const original = '1. A?\n2. B?\n';
    const text = '1. A?\n### Answer\n<!-- open\n\n2. B?\n### Answer\n\n';
    const edited = writeAnswer(text, 1, 'x', original)!;
    expect(edited).toBe('1. A?\n### Answer\n\nx\n\n<!-- open\n\n2. B?\n### Answer\n\n');
    expect(parseQuestions(edited, original).questions[0]?.answer).toBe('x');
  });

  test.each([
    ['there is no question 2; there is 1', '1. A?\n', 2, 'x'],
    ['every question is already answered', '1. A?\n', 0, 'x'],
    ['the text is empty', '1. A?\n', 1, ' \n'],
    ['question 1 is already answered', '1. A?\n### Answer\nyes\n', 1, 'no'],
    ['no question can be read in this file', '', 1, 'x'],
  ])('nothing, since %s', (message, text, number, said) => {
    expect(answerOr(text, number, said)).toMatchObject({ message });
  });
});

describe('boxes', () => {
  const review = renderTemplate(
    readFileSync(new URL('../../../templates/review.hbs', import.meta.url), 'utf8'),
    { id: 'a_1', title: 'T', gate: 'person', checks: ['- [ ] APPROVED', '## Verdict'] },
  );
  test.each(VERDICTS)('%s is one byte', (verdict) => {
    expect(parseReview(review)).toMatchObject({ verdict: undefined, ticked: [] });
    for (const text of [review, `\uFEFF${review.replaceAll('\n', '\r\n')}`]) {
      const edited = tickVerdict(text, verdict)!;
      expect(parseReview(edited).verdict).toBe(verdict);
      const changed = [...text].filter((char, k) => edited[k] !== char);
      expect(changed).toEqual([' ']);
      expect(edited).toHaveLength(text.length);
      expect(tickVerdict(edited, verdict)).toBe(edited);
    }
  });

  test('the latest word counts: the own box is ticked, the others are unticked', () => {
    fc.assert(
      fc.property(
        fc.subarray([...VERDICTS]),
        fc.constantFrom(...VERDICTS),
        fc.constantFrom('x', 'X'),
        (ticked, verdict, mark) => {
          const text = ticked.reduce<string>(
            (all, one) => all.replace(`- [ ] ${one}\n`, `- [${mark}] ${one}\n`),
            review,
          );
          const edited = tickVerdict(text, verdict)!;
          expect(parseReview(edited)).toMatchObject({ verdict, ticked: [verdict] });
          const plain = (one: string): string => one.replaceAll(/- \[[xX ]\] (?=[A-Z])/g, '');
          expect(plain(edited)).toBe(plain(text));
          expect(edited).toHaveLength(text.length);
        },
      ),
    );
  });

  test('of one verdict ticked twice, one stays', () => {
    const text = '## Verdict\n- [x] REJECT\n- [ ] APPROVED\n- [X] APPROVED\n- [x] APPROVED\n';
    expect(tickVerdict(text, 'APPROVED')).toBe(
      '## Verdict\n- [ ] REJECT\n- [ ] APPROVED\n- [X] APPROVED\n- [ ] APPROVED\n',
    );
  });

  test.each([
    ['no section', '- [ ] APPROVED\n'],
    ['in a fence', '## Verdict\n```\n- [ ] APPROVED\n```\n'],
    ['another verdict above', '---\nverdict: REJECT\n---\n## Verdict\n- [ ] APPROVED\n'],
    ['a box in a comment before it', '## Verdict\n- <!-- [ ] --> [ ] APPROVED\n'],
  ])('no verdict is ticked: %s', (_, text) => {
    expect(tickVerdict(text, 'APPROVED')).toBeUndefined();
  });

  test.each(['## Verdict\n- [?] APPROVED\n', 'words', 'words\r\n', '\uFEFF## Findings\n\nx\n', ''])(
    'where no box can be read a section is added behind: %j',
    (text) => {
      const edited = addVerdict(text, 'REJECT')!;
      expect(edited.startsWith(text)).toBe(true);
      expect(parseReview(edited).verdict).toBe('REJECT');
      expect(addVerdict(edited, 'REJECT')).toBeUndefined();
      const other = addVerdict(edited, 'APPROVED')!;
      expect(parseReview(other)).toMatchObject({ verdict: 'APPROVED', ticked: ['APPROVED'] });
    },
  );

  test.each(['## Verdict\n- [ ] REJECT\n', '---\nverdict: APPROVED\n---\n', '```\nopen\n'])(
    'and none where it would not be read as said: %j',
    (text) => expect(addVerdict(text, 'REJECT')).toBeUndefined(),
  );

  test('tickBox', () => {
    const text = '# P\r\n- [ ] a\r\n- [x] b\r\n- c\r\n```\r\n- [ ] d\r\n```\r\n  * [ ] e';
    expect(tickBox(text, 2)).toBe(text.replace('[ ] a', '[x] a'));
    expect(tickBox(text, 3)).toBe(text);
    expect(tickBox(text, 8)).toBe(text.replace('[ ] e', '[x] e'));
    for (const line of [0, 1, 4, 5, 6, 9, -1, 1.5]) expect(tickBox(text, line)).toBeUndefined();
  });
});

describe('resolution', () => {
  const source = readFileSync(new URL('../../../templates/blocked.hbs', import.meta.url), 'utf8');
  const blocked = (reason: string) =>
    renderTemplate(source, { id: 'a_1', reason, tried: ['one', 'two\n## Resolution'], help: '' });

  test('is read back as it was, whatever the reason said', () => {
    fc.assert(
      fc.property(answer, answer, eols, boms, (reason, said, eol, bom) => {
        const text = bom + blocked(reason).replaceAll('\n', eol);
        expect(parseBlocked(text).resolution).toBe('');
        const edited = writeResolution(text, said)!;
        expect(inserted(text, edited)).toBeDefined();
        expect(parseBlocked(edited).resolution).toBe(said);
        expect(writeResolution(edited, 'other')).toBeUndefined();
      }),
    );
  });

  test('nothing without a slot or words', () => {
    expect(resolutionOr('# B\n', 'x')).toMatchObject({
      message: expect.stringContaining('no slot') as string,
    });
    expect(resolutionOr(blocked('r'), ' \n ')).toMatchObject({ message: 'the text is empty' });
  });
});
