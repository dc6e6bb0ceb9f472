/** Comments at a line of a file, as `src/a.ts:12: words`, in the findings of a review. */
import { escapeComments } from '../markdown/escape.ts';
import { escapeText } from '../markdown/escape-terminal.ts';
import { scanMarkdown, type Line } from '../markdown/line-scanner.ts';
import { sectionsNamed } from '../markdown/sections.ts';

const COMMENT =
  /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`([^`:]+):([1-9]\d{0,6})`|([^\s`:]+):([1-9]\d{0,6})):?\s+\S/;
const SHOWN_MAX = 200;

export function isLineComment({ kind, visible }: Line): boolean {
  return kind === 'text' && COMMENT.test(visible);
}

/**
 * Quotes below each comment the line that it is about, once. `lineOf` gives it, the first line being 1;
 * undefined where there is none. Only findings are edited: elsewhere a quote could pass for a verdict.
 */
export function quoteLines(
  text: string,
  lineOf: (path: string, number: number) => string | undefined,
): string {
  const lines = scanMarkdown(text);
  const inside = sectionsNamed(lines, 'Findings').flatMap((section) => section.lines);
  let out = '';
  let from = 0;
  for (const [at, line] of inside.entries()) {
    const [, quoted, n, plain, m] = isLineComment(line) ? (COMMENT.exec(line.visible) ?? []) : [];
    const path = quoted ?? plain;
    if (path === undefined || inside[at + 1]?.visible.trimStart().startsWith('>') === true)
      continue;
    const found = lineOf(path, Number(n ?? m));
    if (found === undefined) continue;
    const end = line.start + line.raw.length;
    const shown = escapeComments(escapeText(found.trim().slice(0, SHOWN_MAX)));
    out += `${text.slice(from, end)}${line.eol || '\n'}> ${shown}`;
    from = end;
  }
  return out + text.slice(from);
}
