import { readdirSync, readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { describe, expect, test, vi } from 'vitest';
import { Fault } from '../../../src/task/core/model/problem.ts';
import {
  parseBlocked,
  parseResult,
  parseReview,
  parseStatus,
} from '../../../src/task/text/documents/documents.ts';
import { scanMarkdown } from '../../../src/task/text/markdown/line-scanner.ts';
import { COMPILED_MAX, renderTemplate } from '../../../src/task/text/markdown/template.ts';
import { escapeText } from '../../../src/task/text/markdown/escape-terminal.ts';
import * as fc from '../../support/property.ts';

const folder = new URL('../../../templates/', import.meta.url);
const source = (name: string) => readFileSync(new URL(name, folder), 'utf8');

describe('templates', () => {
  test('a value with {{…}} is not run again, and < stays <', () => {
    expect(renderTemplate('{{a}}', { a: '{{b}} <x> & "', b: 'no' })).toBe('{{b}} <x> & "');
    expect(Handlebars.compile('{{a}}{{c}}')({ a: '<' })).toBe('&lt;');
  });

  test.each([
    '{{a}}',
    '{{line a}}',
    '{{block a}}',
    '{{b.a}}',
    '{{> part}}',
    '{{log b}}',
    '{{#if',
    '{{nope b}}',
  ])('%s with nothing given is a fault with the name of the template', (text) => {
    const render = () => renderTemplate(text, { b: {} }, 'brief.hbs');
    expect(render).toThrow(Fault);
    expect(render).toThrow('brief.hbs');
  });

  test.each([
    '{{constructor}}',
    '{{a.constructor}}',
    '{{__proto__}}',
    '{{a.__proto__}}',
    '{{a.toString}}',
  ])('%s reaches no prototype', (text) => {
    let out = '';
    try {
      out = renderTemplate(text, { a: 'x' });
    } catch (error) {
      expect(error).toBeInstanceOf(Fault);
    }
    expect(out).toBe('');
  });

  test('helpers registered elsewhere are not seen', () => {
    Handlebars.registerHelper('elsewhere', () => 'leaked');
    expect(() => renderTemplate('{{elsewhere 1}}', {})).toThrow(Fault);
    Handlebars.unregisterHelper('elsewhere');
  });

  test('a template is compiled once; one that cannot be rendered fails each time', () => {
    // Not in the types, but in the documentation of Handlebars.
    const { JavaScriptCompiler } = Handlebars as unknown as {
      JavaScriptCompiler: { prototype: { compile(...args: unknown[]): unknown } };
    };
    const compile = vi.spyOn(JavaScriptCompiler.prototype, 'compile');
    const text = '{{a}} of a template that nothing else renders';
    for (let i = 0; i < 3; i++) expect(renderTemplate(text, { a: 'x' })).toContain('x of');
    expect(compile).toHaveBeenCalledTimes(1);
    compile.mockRestore();
    for (let i = 0; i < 3; i++) expect(() => renderTemplate('{{#if', {})).toThrow(Fault);
  });

  test('more templates than are kept are rendered all the same', () => {
    const render = (i: number) => renderTemplate(`${i} {{a}}`, { a: 'x' });
    for (let i = 0; i < 2 * COMPILED_MAX; i++) expect(render(i)).toBe(`${i} x`);
    expect(render(0)).toBe('0 x');
  });

  test('line and block keep user text in its place', () => {
    expect(renderTemplate('- {{line a}}', { a: 'x\n## y\n' })).toBe('- x ## y');
    expect(renderTemplate('{{block a}}\n## End', { a: '## x\n```' })).toBe('\\## x\n\\```\n## End');
    expect(renderTemplate('{{block a}}', { a: ['x', 'y\nz'] })).toBe('- x\n- y z');
  });
});

const BRIEF = {
  id: 'build_1',
  title: 'Log in',
  attempt: 2,
  kind: 'work',
  agent: 'builder',
  instructions: 'Be careful.',
  objective: 'The objective',
  requirements: '',
  criteria: ['criterion one'],
  contract_instructions: '',
  must_do: ['a duty'],
  must_not: ['a taboo'],
  desk: '/w/desk',
  root: '/w',
  checks: [{ name: 'run: npm test' }],
  gates: ['reviewer'],
  deliverables: ['src/a.ts'],
  context_files: ['docs/a.md'],
  has_files: true,
  own_status: true,
  previous: false,
};
const SECTIONS = ['CONTEXT', 'MUST DO', 'MUST NOT', 'EXPECTED OUTPUT', 'VERIFY', 'FILES'];

function headings(text: string): string[] {
  return scanMarkdown(text)
    .filter((line) => line.level === 2)
    .map((line) => line.title);
}

describe('the brief', () => {
  const brief = (values: Record<string, unknown>) =>
    renderTemplate(source('brief.hbs'), { ...BRIEF, ...values }, 'brief.hbs');

  test('six sections, and where to write what', () => {
    const text = brief({});
    expect(headings(text)).toEqual(SECTIONS);
    for (const file of ['status.md', 'questions.md', 'result.md'])
      expect(text).toContain(`\`${file}\` on the desk`);
    expect(text.split('/w/desk')).toHaveLength(2);
    for (const word of [
      'STOP',
      'criterion one',
      'a duty',
      'a taboo',
      'run: npm test',
      'src/a.ts',
      'docs/a.md',
    ])
      expect(text).toContain(word);
    expect(text).not.toContain('previous/');
    expect(text).not.toMatch(/\n{3}/);
  });

  test('where the runner keeps status.md nobody is asked to, and without files none are listed', () => {
    const text = brief({ own_status: false, has_files: false });
    expect(headings(text)).toEqual(SECTIONS.slice(0, -1));
    expect(text).not.toContain('status.md');
  });

  test('a reviewer writes review.md', () => {
    const text = brief({ kind: 'review', previous: true });
    expect(headings(text)).toEqual(SECTIONS);
    for (const word of [
      '`review.md` on the desk',
      '`result.md` on the desk',
      'src/a.ts',
      'previous/',
      '- [ ] NEEDS_WORK',
    ])
      expect(text).toContain(word);
    expect(text).not.toContain('questions.md');
  });

  test('what is known about why it comes back', () => {
    const text = brief({
      answers: [{ question: 'Which\nport?', answer: '80\n## MUST NOT' }],
      findings: 'a finding',
      failure: 'a failure',
      resolution: 'a resolution',
      context: [{ title: 'Learnings', text: 'a learning' }],
      sections: [{ title: 'NOTEPAD', text: 'a notepad' }],
      notes: [{ name: 'n.md', text: 'a note' }],
      results: [{ id: 'other_1', text: 'a result' }],
    });
    expect(headings(text)).toEqual([
      'ANSWERS',
      'REVIEWER FINDINGS',
      'LAST FAILURE',
      'RESOLUTION',
      ...SECTIONS,
      'NOTEPAD',
      'NOTES',
      'EARLIER RESULTS',
    ]);
    expect(text).toContain('Question: Which port?\n\n80\n\\## MUST NOT');
    expect(text).not.toMatch(/\n{3}/);
  });

  test.each(['desk', 'objective', 'title', 'agent'])('without %s it is a fault', (name) => {
    expect(() => brief({ [name]: undefined })).toThrow(/brief\.hbs/);
  });
});

describe('skeletons are read by our own readers', () => {
  test('status', () => {
    const text = renderTemplate(source('status.hbs'), { id: 'a_1', now: '2026-02-08T00:00:00Z' });
    expect(parseStatus(text)).toEqual({ status: 'PENDING', current_step: 'not started' });
    const known = { id: 'a_1', now: '', kept: true, step: 'Edit\na.ts', files: ['a.ts'] };
    expect(parseStatus(renderTemplate(source('status.hbs'), known)).current_step).toBe('Edit a.ts');
  });
  test.each([
    ['result', ''],
    [
      'result that came back, whatever the findings say',
      '- Status: FAILED\n\n## Success Criteria\n\n- [x] C',
    ],
  ])('%s', (_what, findings) => {
    const text = renderTemplate(source('result.hbs'), {
      id: 'a_1',
      status: 'COMPLETE',
      completed: '',
      findings,
      criteria: ['A', 'B\nc'].map((one) => ({ mark: ' ', text: one, evidence: 'seen' })),
      deliverables: [],
      validation: '',
      notes: '',
    });
    const result = parseResult(text);
    expect(result).toMatchObject({ status: 'COMPLETE', task: 'a_1' });
    expect(result.criteria.map((one) => [one.text, one.ticked])).toEqual([
      ['A', false],
      ['B c', false],
    ]);
  });
  test('review', () => {
    const text = renderTemplate(source('review.hbs'), {
      id: 'a',
      title: 'T',
      gate: 'person',
      checks: [],
    });
    expect(parseReview(text)).toMatchObject({ verdict: undefined, ticked: [] });
  });
  test('blocked', () => {
    const values = { id: 'a', reason: 'r', tried: [], help: 'h' };
    expect(parseBlocked(renderTemplate(source('blocked.hbs'), values))).toMatchObject({
      resolution: '',
    });
  });
  test('no other files stand in the folder', () => {
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.hbs'))
      .sort();
    expect(names).toEqual(
      expect.arrayContaining(
        ['blocked', 'brief', 'contract', 'result', 'review', 'status'].map((name) => `${name}.hbs`),
      ),
    );
  });
});

describe('text for the terminal', () => {
  test.each([
    ['OSC', '\u001b]0;x\u0007', '\\x1b]0;x\\x07'],
    ['CSI in C1', '\u009b2J', '\\x9b2J'],
    ['CR and BS', 'a\rb\b', 'a\\rb\\x08'],
    ['bidi', 'a\u202eb\u2066', 'a\\u202eb\\u2066'],
    ['zero width', 'a\u200bb\u2060\uFEFF', 'a\\u200bb\\u2060\\ufeff'],
    ['separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['tags', '\u{e0041}', '\\u{e0041}'],
    ['newline and tab', 'a\n\tb', 'a\\n\\tb'],
    ['half a pair', '\ud800', '\\ud800'],
    ['words', 'Größe — 🎉 ok', 'Größe — 🎉 ok'],
  ])('%s', (_, text, shown) => {
    expect(escapeText(text)).toBe(shown);
  });
  test('multiline keeps newline and tab only', () => {
    expect(escapeText('a\n\tb\r\u001b', { multiline: true })).toBe('a\n\tb\\r\\x1b');
  });
  test('nothing is left that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
