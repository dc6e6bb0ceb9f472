import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/task/text/documents/contract.ts';
import {
  parseQuestions,
  parseResult,
  parseReview,
} from '../../../src/task/text/documents/documents.ts';
import { escapeBlock, unescapeBlock } from '../../../src/task/text/markdown/escape.ts';
import { scanMarkdown } from '../../../src/task/text/markdown/line-scanner.ts';
import * as fc from '../../support/property.ts';
import { LONG_BYTES } from '../../support/share.ts';

const kinds = (text: string) => scanMarkdown(text).map((line) => line.kind);

describe('kinds of lines', () => {
  test.each([
    ['fence', '```js\n# x\n```\n# y', ['fence', 'code', 'fence', 'heading']],
    ['longer fence', '````\n```\n````\nx', ['fence', 'code', 'fence', 'text']],
    ['other mark', '~~~\n```\n~~~ \nx', ['fence', 'code', 'fence', 'text']],
    ['a tick in the info', '``` a`b\nx', ['text', 'text']],
    ['end of its list', '- ```\n  x\n# y', ['fence', 'code', 'heading']],
    [
      'in a list',
      '1. a\n\n   ```\n   - b\n   ```\n2. c',
      ['text', 'blank', 'fence', 'code', 'fence', 'text'],
    ],
    ['front matter', '---\na: 1\n---\n# x', ['front', 'front', 'front', 'heading']],
    ['open front matter', '---\n# x', ['text', 'heading']],
    ['comment', '<!--\n# x\n--> y\n# z', ['comment', 'comment', 'html', 'heading']],
    ['comment on a line', '<!-- a -->\nb <!-- c --> d', ['comment', 'text']],
    ['open comment in words', 'use <!-- to open\n\n# x', ['text', 'blank', 'heading']],
    ['comment mark in code', 'use `<!--` here\n-->\n# x', ['text', 'text', 'heading']],
    ['escaped comment', '\\<!-- a\n-->\n# x', ['text', 'text', 'heading']],
    ['quote', '> # x\n> ```\n# y', ['quote', 'quote', 'heading']],
    ['raw HTML', '<pre>\n# x\n</pre>\n# y', ['html', 'html', 'html', 'heading']],
    ['too far right', '    # x\n\t- y', ['indented', 'indented']],
    ['not a heading', '#x\n####### y\n\\# z', ['text', 'text', 'text']],
    ['line separators are words', 'a\u2028# b\u0085# c', ['text']],
  ])('%s', (_, text, wanted) => {
    expect(kinds(text)).toEqual(wanted);
    const crlf = `\uFEFF${text.replaceAll('\n', '\r\n')}`;
    expect(kinds(crlf)).toEqual(wanted);
  });

  test.each([
    ['# a #', 'a'],
    ['## a b ###  ', 'a b'],
    ['# a#', 'a#'],
    ['#', ''],
    ['### <!-- x --> a', 'a'],
  ])('title of %j', (text, title) => {
    expect(scanMarkdown(text)[0]).toMatchObject({ kind: 'heading', title });
  });

  test('lines and their ends make up the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '\n', '\r\n', '\r', '```', '<!--', '\uFEFF', ' ')),
        (parts) => {
          const text = parts.join('');
          const lines = scanMarkdown(text);
          const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
          expect(bom + lines.map((line) => line.raw + line.eol).join('')).toBe(text);
          for (const line of lines) expect(text.startsWith(line.raw, line.start)).toBe(true);
        },
      ),
    );
  });

  test('a block is given back as it was, and never ends its section', () => {
    const line = fc.constantFrom(
      '# a',
      '## b',
      '### c',
      '```',
      '~~~ x',
      '<!-- d',
      '-->',
      '\\# e',
      '- ```',
      '1. # f',
      '<pre>',
      '',
      'g',
      '    h',
      '\\\\<!-- i -->',
      '> j',
    );
    fc.assert(
      fc.property(
        fc.array(line).map((all) => all.join('\n').trim()),
        (text) => {
          const escaped = escapeBlock(text);
          expect(unescapeBlock(escaped)).toBe(text);
          const lines = scanMarkdown(`## S\n\n${escaped}\n\n## End\n`);
          expect(
            lines.filter(({ level }) => level === 1 || level === 2).map(({ title }) => title),
          ).toEqual(['S', 'End']);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

/** Each took minutes, or all memory, in some naive reading; here they only have to end well. */
describe('very long input', () => {
  test.each([
    ['open fences', '```\n~~~\n'],
    ['open comments', 'a <!-- b\n'],
    ['open comments on one line', '<!-- '],
    ['backslashes', '\\'],
    ['blanks', ' '],
    ['blank lines', '\n'],
    ['stars', '*'],
    ['hashes', '#'],
    ['bars', '|'],
    ['bullets on one line', '- '],
    ['numbers', '1.\n'],
    ['nested lists', '- a\n  - b\n'],
    ['boxes', '- [ ] a\n'],
    ['answers', '1. A?\n### Answer\n'],
    ['quotes', '> '],
    ['ticks', '` '],
    ['colons', 'a: '],
  ])('%s', (_, unit) => {
    const body = unit.repeat(LONG_BYTES / unit.length);
    for (const start of ['## Success Criteria\n', '## Questions\n']) {
      const text = start + body;
      expect(scanMarkdown(text).at(-1)).toBeDefined();
      expect(parseResult(text).status).toBeUndefined();
      expect(parseReview(text).verdict).toBeUndefined();
      expect(parseQuestions(text, text).questions.every(({ answer }) => answer === '')).toBe(true);
      expect(parseContract(`---\nagent: a\n---\n${text}`, 'c.md').ok).toBe(true);
    }
  });
});
