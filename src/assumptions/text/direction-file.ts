/** A line added to a part of direction.md; everything else in it stays. Pure. */
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { sectionsNamed } from '../../task/text/markdown/sections.ts';

export const PARTS = ['goals', 'constraints', 'priorities'] as const;

export function withDirection(text: string, part: (typeof PARTS)[number], words: string): string {
  const title = `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const section = sectionsNamed(scanMarkdown(text), title)[0];
  if (section === undefined) {
    const before = text.trim() === '' ? '# Direction' : text.trimEnd();
    return [before, '', `## ${title}`, '', `- ${words}`, ''].join(eol);
  }
  if (section.lines.some(({ raw }) => raw.trim() === `- ${words}`)) return text;
  const last = section.lines.findLast(({ kind }) => kind !== 'blank') ?? section.heading;
  const end = last.start + last.raw.length;
  const gap = last === section.heading ? eol : '';
  return `${text.slice(0, end)}${eol}${gap}- ${words}${text.slice(end) || eol}`;
}
