/**
 * Lines that name something: `**Executor**: @x`, `Verify: y`, `**Wave 2: Build**`. Pure; what the
 * names mean is not known here.
 */
import { isReference } from './attributes.ts';
import { plainWords } from './values.ts';
import { plainTitle } from '../../task/text/markdown/sections.ts';

export interface Label {
  readonly key: string;
  readonly value: string;
  readonly bold: boolean;
}

const BOLD =
  /^(?:\*\*|__)([^*_:]{1,60})(?:(?::(?:\*\*|__))|(?:(?:\*\*|__)[ \t]{0,4}(?:\([^()]{0,120}\))?[ \t]{0,4}:))(.*)$/s;
const PLAIN = /^`?([A-Za-z][A-Za-z0-9 _-]{0,40})`?:(?=\s|$)(.*)$/s;

/** Without a colon, before what items are called: `**Depends on** T012`, `Blocked by 2.1.` */
const WAITS =
  /^(\*\*|__)?((?:D|(?<=[*_])d)epends on|(?:B|(?<=[*_])b)locked (?:by|on))(?:\1)?[ \t]+([^\s.](?:.{0,200}[^\s.])?)\.?$/;

/** Longer lines are words. */
export const LABEL_CHARS_MAX = 8000;

/** Undefined for a line that is just words. */
export function labelOf(words: string): Label | undefined {
  if (words.length > LABEL_CHARS_MAX) return undefined;
  const text = words.trim();
  const bold = BOLD.exec(text);
  if (bold !== null) return { key: bold[1]!.trim(), value: bold[2]!.trim(), bold: true };
  const plain = PLAIN.exec(text);
  if (plain !== null) return { key: plain[1]!.trim(), value: plain[2]!.trim(), bold: false };
  const [, mark, key = '', value = ''] = WAITS.exec(text) ?? [];
  return isReference(value) ? { key, value, bold: mark !== undefined } : undefined;
}

const WAVE = /^[^\p{L}\p{N}]{0,4}wave[ \t]+(\d{1,4})(?![\p{L}\p{N}.])(.*)$/iu;
const BOLD_LINE = /^(?:\*\*[^*]{1,120}\*\*|__[^_]{1,120}__)[ \t]*(?:$|[:(—–-])/;

/** A heading that begins with it: `Wave 2: Build`. */
export function waveOf(title: string): { number: number; title: string } | undefined {
  if (title.length > 200 || !/wave/i.test(title)) return undefined;
  const match = WAVE.exec(plainWords(title));
  if (match === null) return undefined;
  const rest = (match[2] ?? '').replace(/^[^\p{L}\p{N}(]+/u, '').trim();
  return { number: Number(match[1]), title: rest === '' ? `Wave ${match[1]}` : rest };
}

/** The same of a line, where it must be bold: `**Wave 2** — Build`. */
export function boldWaveOf(words: string): { number: number; title: string } | undefined {
  return BOLD_LINE.test(words) ? waveOf(words) : undefined;
}

const PLAIN_WAVE = /^wave[ \t]+(\d{1,4})[ \t]{0,4}(?:$|[:(—–])/iu;

/** The number of what looks like the beginning of a wave, and is neither a heading nor bold. */
export function plainWaveOf(words: string): number | undefined {
  const match = words.length > 200 ? null : PLAIN_WAVE.exec(words);
  return match === null ? undefined : Number(match[1]);
}

const CRITERIA = new Set([
  'acceptance criteria',
  'success criteria',
  'definition of done',
  'final checklist',
  'done when',
]);

/** Boxes below such a title are no work: they say when it is done. */
export function isCriteria(title: string): boolean {
  return title.length < 100 && CRITERIA.has(plainTitle(title));
}
