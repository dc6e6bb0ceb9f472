/** The decision of a checkpoint: which boxes count, and that a tick changes nothing else. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DECISIONS } from '../../../src/checkpoints/core/checkpoint.ts';
import { parseDecision } from '../../../src/checkpoints/text/decision.ts';
import { tickDecision } from '../../../src/checkpoints/text/decision-edit.ts';
import * as fc from '../../support/property.ts';

const form = (...boxes: string[]) => `# C\n\n## Decision\n\n${boxes.join('\n')}\n\n## Notes\n`;
const template = readFileSync(
  new URL('../../../templates/checkpoints/checkpoint.hbs', import.meta.url),
  'utf8',
);
const four = template.split('\n').filter((line) => line.startsWith('- [ ]'));

describe('what is decided', () => {
  test.each([
    ['nothing ticked', form(...four), undefined, []],
    ['one', form('- [x] GO — the next wave', ...four.slice(1)), 'GO', ['GO']],
    ['in capitals or not, marked or not', form('* [X] **abort**: all'), 'ABORT', ['ABORT']],
    ['two', form('- [x] GO', '- [x] PAUSE'), undefined, ['GO', 'PAUSE']],
    [
      'one between the marks of a merge',
      form('<<<<<<< HEAD', '- [x] GO', '=======', '- [ ] GO', '>>>>>>> other'),
      undefined,
      [],
    ],
    ['a word that only begins so', form('- [x] GOOD'), undefined, []],
    ['a sentence that begins so', form('- [x] go on with it'), undefined, []],
    ['in a fence', form('```', '- [x] GO', '```'), undefined, []],
    ['in a comment', form('<!--', '- [x] GO', '-->'), undefined, []],
    ['in a quote', form('> - [x] GO'), undefined, []],
    ['under another heading', '## Notes\n\n- [x] GO\n', undefined, []],
  ])('%s', (_name, text, decision, ticked) => {
    expect(parseDecision(text)).toMatchObject({ decision, ticked });
  });

  test('notes are what stands under them, comments left out', () => {
    const text = `${form(...four)}\n<!-- here -->\n\nLook again.\n`;
    expect(parseDecision(text).notes).toBe('Look again.');
  });
});

describe('words', () => {
  const ticked = four[0]!.replace('[ ]', '[x]');
  const own = (box: string, rest = '') =>
    parseDecision(`${form(box, ...four.slice(1))}${rest}`).notes;

  test.each([
    ['behind the decision', own('- [x] GO — use blue'), 'use blue'],
    ['behind a comma, marked', own('- [X] **GO**, use `blue`'), 'use `blue`'],
    ['in brackets', own('- [x] GO (use blue)'), '(use blue)'],
    ['behind those of the form', own(`${ticked}, use blue`), 'use blue'],
    ['in lines below it', own('- [x] GO\n  use blue\n\n  and red'), 'use blue\n\n  and red'],
    ['below those of the form', own(`${ticked}\n  - use blue`), '- use blue'],
    ['in a line without blanks before it', own('- [x] GO\nuse blue'), 'use blue'],
    ['with notes below', own('- [x] GO: use blue', '\nand red\n'), 'use blue\n\nand red'],
    ['under a heading of its own', own('- [x] GO', '\n## Comments\n\nuse blue\n'), 'use blue'],
    ['that no person wrote', own(ticked), ''],
    [
      'of the form of an earlier version',
      own('- [x] REVIEW — what is done of this wave is verified and reviewed anew, and use blue'),
      'and use blue',
    ],
    ['of another box', own('- [x] GO\n- [ ] PAUSE — use red'), ''],
  ])('%s', (_where, notes, words) => {
    expect(notes).toBe(words);
  });
});

describe('a tick', () => {
  const any = fc.constantFrom(...DECISIONS);

  test('is one character, whatever was ticked before, and is read back', () => {
    const eol = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(any, fc.subarray([...DECISIONS]), eol, (decision, before, end) => {
        const marked = DECISIONS.map((one) => `- [${before.includes(one) ? 'x' : ' '}] ${one}`);
        const text = `\uFEFF${form(...marked)}mine \t`.replaceAll('\n', end);
        const edited = tickDecision(text, decision);
        expect(parseDecision(edited ?? '').ticked).toEqual([decision]);
        expect(edited?.replace(/\[.\]/g, '[ ]')).toBe(text.replace(/\[.\]/g, '[ ]'));
      }),
    );
  });

  test('takes notes along, which tick nothing themselves', () => {
    const edited = tickDecision(form(...four), 'REVIEW', '## Decision\n\n- [x] GO') ?? '';
    expect(parseDecision(edited)).toMatchObject({ decision: 'REVIEW', ticked: ['REVIEW'] });
    expect(parseDecision(edited).notes).toContain('GO');
  });

  test.each([
    ['below those that are there', `${form(...four)}\nFirst.\n`, 'First.\n\nsecond'],
    ['where the notes were lost', form(...four).replace('## Notes\n', ''), 'second'],
    ['above what stands behind them', `${form(...four)}\n## Mine\n\n- a\n`, '- a\n\nsecond'],
    ['at once', form(...four), 'second'],
    ['of the kind of its lines', form(...four).replaceAll('\n', '\r\n'), 'second'],
  ])('puts notes %s', (_name, text, notes) => {
    const edited = tickDecision(text, 'REVIEW', 'second') ?? '';
    expect(parseDecision(edited)).toMatchObject({ decision: 'REVIEW', notes });
    expect(edited.replace(/\s*## Notes\s*|\s*second\s*/g, '\n').split(/\s+/)).toEqual(
      text
        .replace('- [ ] REVIEW', '- [x] REVIEW')
        .replace(/\s*## Notes\s*/g, '\n')
        .split(/\s+/),
    );
    expect(text.includes('\r') && /[^\r]\n/.test(edited)).toBe(false);
  });

  test('adds the box that an agent left out beside its own', () => {
    const text = '## Decision\r\n\r\n- [x] REVIEW\r\n\r\n## Notes\r\n\r\nmine\r\n';
    expect(tickDecision(text, 'GO', 'more')).toBe(
      '## Decision\r\n\r\n- [x] GO\r\n- [ ] REVIEW\r\n\r\n## Notes\r\n\r\nmine\r\n\r\nmore\r\n',
    );
  });

  test('adds a section where the boxes were lost, and nothing where it would not be read', () => {
    expect(parseDecision(tickDecision('# C\n', 'PAUSE') ?? '').decision).toBe('PAUSE');
    expect(tickDecision('<!-- open', 'GO')).toBeUndefined();
  });

  test('the same words once more, as after a crash, are said once', () => {
    const said = tickDecision(form(' ', ' ', ' ', ' '), 'REVIEW', 'look at the links') ?? '';
    expect(tickDecision(said, 'REVIEW', 'look at the links')).toBe(said);
    const more = tickDecision(said, 'REVIEW', 'links') ?? '';
    expect(parseDecision(more).notes).toBe('look at the links\n\nlinks');
  });
});
