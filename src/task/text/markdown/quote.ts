/** What programs printed, as a quotation: nothing in it can pass for a heading, a box or a verdict. */
import { escapeComments } from './escape.ts';
import { escapeText } from './escape-terminal.ts';

export function quoted(output: string): string {
  if (output.trim() === '') return '';
  const text = escapeComments(
    escapeText(output.replace(/\r\n/g, '\n').trim(), { multiline: true }),
  );
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}
