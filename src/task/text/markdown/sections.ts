/** Sections, bullets and fields of visible lines. What is not there is an empty list or string. */
import { indentOf, scanMarkdown, type Line } from './line-scanner.ts';

/** As most titles are: only their case changes. */
const BARE = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;
const ASCII = /^[\n\t -~]*$/;

/** Titles are compared without case, marks and a closing colon. */
export function plainTitle(title: string): string {
  if (BARE.test(title)) return title.toLowerCase();
  // The same for ASCII: V8 takes longer to prepare the classes of Unicode than to read a contract.
  const others = ASCII.test(title) ? /[^A-Za-z0-9]+/g : /[^\p{L}\p{N}]+/gu;
  return title.replace(/[*_`]/g, ' ').replace(others, ' ').trim().toLowerCase();
}

export interface Section {
  readonly heading: Line;
  /** Up to the next heading of the same or a higher level. */
  readonly lines: readonly Line[];
}

/** All sections with one of these titles: those of level 2, else those of the other levels. */
export function sectionsNamed(lines: readonly Line[], ...names: string[]): Section[] {
  const wanted = new Set(names.map(plainTitle));
  const found = lines.filter(
    (line) =>
      line.kind === 'heading' && line.title.length < 200 && wanted.has(plainTitle(line.title)),
  );
  const second = found.filter((line) => line.level === 2);
  const chosen = second.length > 0 ? second : found.slice(0, 1);
  return chosen.map((heading) => ({ heading, lines: sectionLines(lines, heading) }));
}

function sectionLines(lines: readonly Line[], heading: Line): Line[] {
  const from = heading.index - (lines[0]?.index ?? 0) + 1;
  let end = from;
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    if (line.kind === 'heading' && line.level <= heading.level) break;
  }
  return lines.slice(from, end);
}

/** The text of lines as a reader sees it: no comments, no front matter, no blank edges. */
export function visibleText(lines: readonly Line[]): string {
  const shown = lines.filter((line) => line.kind !== 'comment' && line.kind !== 'front');
  const text = shown.map((line) => line.visible).join('\n');
  return text.trim();
}

export function sectionText(lines: readonly Line[], ...names: string[]): string {
  const first = sectionsNamed(lines, ...names)[0];
  return first === undefined ? '' : visibleText(first.lines);
}

export interface Bullet {
  readonly column: number;
  /** Column at which the bullet's text starts. */
  readonly content: number;
  readonly ordered: boolean;
  /** `undefined`: no box. */
  readonly ticked: boolean | undefined;
  readonly text: string;
}

const BULLET = /^([-*+]|\d{1,9}[.)])(?:[ \t]+|$|(?=\[[ xX]\]))/;
/** In brackets, with the marks of other editors too, or a ballot box of its own. */
const BOX = /^(?:\[([ xX✓✔☑✅])\uFE0F?\]|([☐☑])\uFE0F?)(?=[ \t]|$)/u;
const ANY_BOX = /\[[ xX✓✔☑✅]\uFE0F?\]|[☐☑]\uFE0F?/u;

export function bulletOf(line: Line): Bullet | undefined {
  if (line.kind !== 'text') return undefined;
  const indent = indentOf(line.visible);
  const rest = line.visible.slice(indent.length);
  const marker = BULLET.exec(rest);
  if (marker === null) return undefined;
  const text = rest.slice(marker[0].length);
  const box = BOX.exec(text);
  return {
    column: indent.column,
    content: indent.column + (marker[1] ?? '').length + 1,
    ordered: /\d/.test(marker[1] ?? ''),
    ticked: box === null ? undefined : !/[ ☐]/u.test(box[1] ?? box[2] ?? ''),
    text: (box === null ? text : text.slice(box[0].length)).trim(),
  };
}

/** The line of a bullet with a box, ticked or not. */
export function withBox(raw: string, ticked: boolean): string {
  return raw.replace(ANY_BOX, ticked ? '[x]' : '[ ]');
}

export interface Box<Word> {
  readonly line: Line;
  readonly word: Word;
  readonly ticked: boolean;
}

/** The boxes in the sections of that title of which `read` knows the word. */
export function boxesBelow<Word>(
  lines: readonly Line[],
  title: string,
  read: (text: string) => Word | undefined,
): Box<Word>[] {
  const inside = sectionsNamed(lines, title).flatMap((section) => section.lines);
  return inside.flatMap((line) => {
    const { ticked, text = '' } = bulletOf(line) ?? {};
    const word = ticked === undefined ? undefined : read(text);
    return ticked === undefined || word === undefined ? [] : [{ line, word, ticked }];
  });
}

export interface Item extends Pick<Bullet, 'ticked' | 'text'> {
  readonly line: Line;
  /** The lines below that belong to it, nested bullets included, each trimmed. */
  readonly below: readonly string[];
}

/** The top-level items of all lists in these lines; with `prose`, each paragraph beside them too. */
export function itemsOf(lines: readonly Line[], prose = false): Item[] {
  return listItems(lines, { prose });
}

/** Lists these items, each box as one of its own, however deep it stands. */
export function boxItemsOf(lines: readonly Line[]): Item[] {
  return listItems(lines, { nested: true });
}

function listItems(
  lines: readonly Line[],
  { prose = false, nested = false }: { prose?: boolean; nested?: boolean },
): Item[] {
  const items: (Item & { below: string[]; content: number })[] = [];
  let open: (typeof items)[number] | undefined;
  let top = Infinity;
  let gap = false;
  for (const line of lines) {
    if (line.kind === 'blank') gap = true;
    if (line.kind === 'heading') open = undefined;
    if (line.kind !== 'text' && line.kind !== 'indented') continue;
    const bullet = bulletOf(line);
    const isTop = open === undefined || (bullet?.column ?? Infinity) < top;
    if (bullet !== undefined && (isTop || (nested && bullet.ticked !== undefined))) {
      open = { line, ...bullet, below: [] };
      if (isTop) top = bullet.content;
      items.push(open);
    } else if (open !== undefined) {
      const outside = gap && indentOf(line.visible).column < open.content;
      if (outside) open = undefined;
      else open.below.push(bullet === undefined ? line.visible.trim() : boxed(bullet));
    }
    if (prose && open === undefined) {
      // Any blank line ends it, and any bullet.
      const text = line.visible.trim();
      open = { line, ticked: undefined, text, below: [], content: Infinity };
      top = Infinity;
      items.push(open);
    }
    gap = false;
  }
  return items;
}

function boxed(bullet: Bullet): string {
  return bullet.ticked === undefined
    ? bullet.text
    : `[${bullet.ticked ? 'x' : ' '}] ${bullet.text}`;
}

/** One line of words: white space is one blank. */
export function oneLine(text: string): string {
  return text.split(/\s+/u).filter(Boolean).join(' ');
}

/** With a full stop, unless it ends with a mark of its own. */
export function sentence(text: string): string {
  return /[.!?…:;]$/u.test(text) ? text : `${text}.`;
}

export interface Field {
  readonly key: string;
  readonly value: string;
  readonly line: Line;
  readonly form: 'table' | 'bullet' | 'plain';
}

const KEY = /^[A-Za-z][A-Za-z0-9 _-]{0,40}$/;

/** `| Key | value |`, `- Key: value`, `**Key**: value`, `Key: value` before the first section. */
export function fieldsOf(lines: readonly Line[]): Field[] {
  const fields: Field[] = [];
  let titles = 0;
  for (const line of lines) {
    if (line.kind === 'heading' && (line.level > 1 || titles++ > 0)) break;
    if (line.kind !== 'text') continue;
    const trimmed = line.visible.trim();
    const bullet = bulletOf(line);
    const form = trimmed.startsWith('|') ? 'table' : bullet === undefined ? 'plain' : 'bullet';
    const pair = form === 'table' ? tableRow(trimmed) : colonPair(bullet?.text ?? trimmed);
    if (pair !== undefined) fields.push({ ...pair, line, form });
  }
  return fields;
}

function tableRow(row: string): { key: string; value: string } | undefined {
  const inner = row.slice(1, row.endsWith('|') && row.length > 1 ? -1 : undefined);
  const at = inner.indexOf('|');
  if (at === -1) return undefined;
  const key = unmarked(inner.slice(0, at));
  const value = inner
    .slice(at + 1)
    .replaceAll('\\|', '|')
    .trim();
  return KEY.test(key) ? { key: plainTitle(key), value } : undefined;
}

function colonPair(text: string): { key: string; value: string } | undefined {
  const at = text.slice(0, 60).indexOf(':');
  if (at === -1) return undefined;
  const key = unmarked(text.slice(0, at));
  // In `**Key:** value` the closing marks follow the colon.
  const value = text.slice(at + 1);
  const open = /^\s*(\*\*|__)/.exec(text)?.[1];
  const closed = open !== undefined && value.startsWith(open) ? value.slice(open.length) : value;
  return KEY.test(key) ? { key: plainTitle(key), value: closed.trim() } : undefined;
}

function unmarked(text: string): string {
  return text
    .replace(/[*`]/g, '')
    .replace(/^[\s_]+/, '')
    .trim();
}

/** The titles of all headings, as plain words, in order. */
export function headingsOf(text: string): string[] {
  return scanMarkdown(text)
    .filter((line) => line.kind === 'heading')
    .map((line) => plainTitle(line.title));
}
