/** Whether a plan runs one task at a time. Each step asks this, so not all of it is parsed. */
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { bulletOf } from '../../task/text/markdown/sections.ts';

const WORDS = /one[ _-]at[ _-]a[ _-]time/i;
const LINE =
  /^[^\p{L}]*one[ _-]at[ _-]a[ _-]time[^\p{L}]*:[^\p{L}]*(yes|true|on|no|false|off)[\s*_`"']*(?:\s#.*)?$/iu;

/** Only above the first box, and between a heading and its first box. */
export function isOneAtATimeIn(text: string): boolean {
  if (!WORDS.test(text)) return false;
  let in_item = false;
  for (const line of scanMarkdown(text)) {
    if (line.kind === 'heading') in_item = false;
    else if (bulletOf(line)?.ticked !== undefined) in_item = true;
    if (in_item || (line.kind !== 'text' && line.kind !== 'front')) continue;
    const match = LINE.exec(line.kind === 'front' ? line.raw : line.visible);
    if (match !== null) return /yes|true|on/i.test(match[1] ?? '');
  }
  return false;
}
