/**
 * Free text inside our own Markdown, escaped by backslashes where it would change the structure around
 * it. `unescapeBlock(escapeBlock(x))` is x.
 */
import { escapeText } from './escape-terminal.ts';
import { scanMarkdown } from './line-scanner.ts';

// The look behind keeps a long run of backslashes linear.
const COMMENT = /(?<!\\)\\*<!--/g;
const ESCAPED_COMMENT = /(?<!\\)\\(\\*<!--)/g;
// Behind the indent and the bullets of a line: what could open a heading, a code block or HTML.
const MARK = /^((?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*[ \t]*)(\\*)(?=#|```|~~~|<(?!!--))/;
const ESCAPED_MARK =
  /^((?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*[ \t]*)\\(\\*)(?=#|```|~~~|<(?!!--))/;

export function escapeComments(text: string): string {
  return text.replace(COMMENT, (match) => `\\${match}`);
}

export function unescapeComments(text: string): string {
  return text.replace(ESCAPED_COMMENT, '$1');
}

function addMark(line: string): string {
  return line.replace(MARK, '$1\\$2');
}

/** Text for a section of level 2: no line of it may end the section or hide what follows. */
export function escapeBlock(text: string): string {
  const clean = escapeComments(text.replace(/\r\n?/g, '\n').trim());
  const lines = scanMarkdown(clean, { whole: false });
  // What follows could close or continue what is open here.
  const after = scanMarkdown(`${clean}\n\n## x\n`, { whole: false }).at(-1);
  const breaks = after?.kind !== 'heading';
  return lines
    .map((line) => {
      if (breaks) return addMark(line.raw);
      if (line.kind === 'code' || line.kind === 'fence') return line.raw;
      if (line.kind === 'heading' && line.level <= 2) return addMark(line.raw);
      return ESCAPED_MARK.test(line.raw) ? addMark(line.raw) : line.raw;
    })
    .join('\n');
}

export function unescapeBlock(text: string): string {
  const lines = scanMarkdown(text, { whole: false });
  const plain = lines.map((line) => {
    if (line.kind === 'code' || line.kind === 'fence') return line.raw;
    return line.raw.replace(ESCAPED_MARK, '$1$2');
  });
  return unescapeComments(plain.join('\n'));
}

/** Output of programs as a quotation: nothing in it can pass for a heading, a box or a verdict. */
export function quotedOutput(output: string): string {
  if (output.trim() === '') return '';
  const plain = output.replace(/\r\n/g, '\n').trim();
  const text = escapeComments(escapeText(plain, { multiline: true }));
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}
