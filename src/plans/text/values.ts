/** Text of a plan without its markup, and the keys of items. Pure, in linear time. */
import { checkGlob } from '../../task/text/documents/paths.ts';

/** The separators of a list outside of backticks and double quotes. */
export function* pieces(text: string): Generator<{ at: number; char: string }> {
  const missing = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\\') at += 1;
    else if (char === '`' || char === '"') {
      let end = at;
      while (text[end] === char) end += 1;
      const run = text.slice(at, end);
      const close = missing.has(run) ? -1 : text.indexOf(run, end);
      if (close === -1) missing.add(run);
      // Two quotes are an empty text.
      if (close === -1 || (char === '"' && run.length > 1)) at = end - 1;
      else at = close + run.length - 1;
    } else if ('()[],;'.includes(char)) yield { at, char };
  }
}

/** No value: `None`, `n/a`, `-`, `[]`, `None (can start at once)`. */
export function nothing(value: string): boolean {
  const word = /^[\s*_`]*(?:none|n\/a|nothing|\[\s*\]|[-–—])[\s*_`.]*(.?)/i.exec(
    value.slice(0, 100),
  );
  return word !== null && ['', '(', '—', '–', '-', ',', '.'].includes(word[1] ?? '');
}

/** A relative path, and not a word, command or address. */
export function isPathLike(text: string): boolean {
  const shaped = /^[^\s@-][^\s]*$/.test(text) && /\/|\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(text);
  return shaped && checkGlob(text) === undefined;
}

const WRAPS = ['**', '__', '`', '"', "'", '*'] as const;

/** Without backticks, quotes and bold around it. */
export function bare(value: string): string {
  let text = value.trim();
  for (const wrap of WRAPS) {
    const long = text.length > 2 * wrap.length;
    if (!long || !text.startsWith(wrap) || !text.endsWith(wrap)) continue;
    if (text.indexOf(wrap, wrap.length) === text.length - wrap.length)
      text = text.slice(wrap.length, -wrap.length).trim();
  }
  return text;
}

const LINK = /!?\[([^[\]]*)\](?:\([^()\s]*(?:\s+"[^"()]*")?\)|\[[^[\]]*\])/g;
const STAR = /(?<![\p{L}\p{N}*])\*(?=\S)([^*]*[^\s*])\*(?![\p{L}\p{N}*])/gu;
const BAR = /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]*[^\s_])_(?![\p{L}\p{N}_])/gu;
const BARS = /(?<![\p{L}\p{N}_])__(?=[^\s_])([^_]*[^\s_])__(?![\p{L}\p{N}_])/gu;

/** On one line, without bold, italic, strikethrough, links and backticks. */
export function plainWords(text: string): string {
  const parts = text.split(/`([^`]+)`/);
  const plain = parts.map((part, index) => (index % 2 === 1 ? part : unmarked(part)));
  return plain.join('').replace(/\s+/g, ' ').trim();
}

function unmarked(text: string): string {
  return text
    .replace(LINK, '$1')
    .replace(/\*\*|~~/g, '')
    .replace(STAR, '$1')
    .replace(BARS, '$1')
    .replace(BAR, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

const LABEL =
  /^(?:(?:task|item)\s+#?(\d+(?:\.\d+)*)\s*[:.)–—-]+|(\d+(?:\.\d+)*)[.):]|(\d+(?:\.\d+)+)|(T\d{2,5})[.:]?)(?:\s+|$)/i;

/** The number before a title: `1. Task`, `2.1 Task`, `Task 3: …`, `T004 …`. */
export function takeLabel(title: string): { label: string | undefined; title: string } {
  const match = LABEL.exec(title.slice(0, 80));
  const rest = match === null ? '' : title.slice(match[0].length).replace(TAGS, '').trim();
  if (match === null || rest === '') return { label: undefined, title };
  return { label: match[1] ?? match[2] ?? match[3] ?? match[4], title: rest };
}

/** Tags of spec-kit: `T012 [P] [US1] …`. */
const TAGS = /^(?:\[(?:P|US\d{1,3})\][ \t]*){1,4}/;

const KEY_CHARS_MAX = 60;

/** A long key is cut and gets a hash. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u);
  const slug = words.filter(Boolean).join('-');
  const chars = [...slug];
  if (chars.length <= KEY_CHARS_MAX) return slug;
  return `${chars.slice(0, KEY_CHARS_MAX - 8).join('')}-${markOf(slug)}`;
}

/** FNV-1a, 32 bits. */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
