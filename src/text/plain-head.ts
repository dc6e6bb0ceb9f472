/**
 * A small reader for plain front matter: `key: value`, lists of them in either form, mappings in
 * a list, quotes without escapes. It answers exactly as the full YAML reader would, places
 * included, or not at all: whatever could be read in two ways is declined, never guessed, and then
 * read by the full one. It knows no file and cannot fail.
 */
import type { Place } from './encoding.ts';

export interface PlainHead {
  readonly head: Record<string, unknown>;
  /** Offset of what follows the closing line. */
  readonly bodyStart: number;
  /** 1-based line of it. */
  readonly bodyLine: number;
}

/** Larger heads are for the reader that counts nodes and depth. */
const CHARS_MAX = 16 * 1024;
const LINES_MAX = 400;

const OPEN = '---\n';
// Letters of any script and marks that mean nothing to YAML or to JavaScript's idea of white space.
export const WIDE =
  '\\u00a1-\\u167f\\u1681-\\u180d\\u180f-\\u1fff\\u2010-\\u2027\\u2030-\\u205e\\u2070-\\u2fff\\u3001-\\ufdff';
const KEY = /^([A-Za-z][A-Za-z0-9_]*):(?: (.+))?$/;
const ITEM = /^( *)- (.+)$/;
const PAIR = /^([a-z][a-z_]*): (.+)$/;
const PLAIN = new RegExp(`^[A-Za-z0-9/_.($${WIDE}][ -~${WIDE}]*$`);
const QUOTED = new RegExp(`^"[ !#-[\\]-~${WIDE}]*"$`);
const SINGLE = new RegExp(`^'[ -&(-~${WIDE}]*'$`);
const FLOW_PLAIN = /[A-Za-z0-9/_.($][A-Za-z0-9/_.()$*+=@~^ -]*/y;
const FLOW_QUOTED = /"[ !#-[\]-~]*"/y;
export const FORBIDDEN = new Set(['constructor', 'prototype']);
export const DECLINED = Symbol('declined');

/** undefined: not plain. `text` has no BOM and no CR, or it is declined. */
export function readPlainHead(text: string, places?: Map<string, Place>): PlainHead | undefined {
  if (!text.startsWith(OPEN)) return undefined;
  const head = Object.create(null) as Record<string, unknown>;
  let at = OPEN.length;
  let list: OpenList | undefined;
  for (let line = 2; line <= LINES_MAX && at <= CHARS_MAX; line++) {
    const end = text.indexOf('\n', at);
    const stop = end === -1 ? text.length : end;
    const raw = text.slice(at, stop);
    if (raw === '---') {
      const bodyStart = end === -1 ? stop : stop + 1;
      return isEmpty(head) ? undefined : { head, bodyStart, bodyLine: line + 1 };
    }
    if (end === -1) return undefined;
    at = end + 1;
    const pair = KEY.exec(raw);
    if (pair !== null) {
      const [, key = '', value] = pair;
      if (key in head || FORBIDDEN.has(key)) return undefined;
      places?.set(key, { line, col: 1 });
      if (value === undefined) {
        head[key] = null;
        list = { key, indent: undefined, items: [] };
        continue;
      }
      list = undefined;
      const read = value[0] === '[' ? flowList(value, key, line, places) : scalar(value);
      if (read === DECLINED) return undefined;
      head[key] = read;
      continue;
    }
    if (list === undefined) return undefined;
    const item = ITEM.exec(raw);
    if (item === null) {
      if (!anotherKey(raw, list, line, places)) return undefined;
      continue;
    }
    const [, indent = '', value = ''] = item;
    if ((list.indent ??= indent) !== indent) return undefined;
    const path = `${list.key}.${list.items.length}`;
    places?.set(path, { line, col: indent.length + 3 });
    const read = listItem(value, path, { line, col: indent.length + 3 }, places);
    if (read === DECLINED) return undefined;
    list.items.push(read);
    head[list.key] = list.items;
  }
  return undefined;
}

function isEmpty(head: object): boolean {
  for (const _ in head) return false;
  return true;
}

interface OpenList {
  readonly key: string;
  indent: string | undefined;
  readonly items: unknown[];
}

/** A further key of the mapping that the last item began; false when the line is anything else. */
function anotherKey(
  raw: string,
  { key, indent, items }: OpenList,
  line: number,
  places: Map<string, Place> | undefined,
): boolean {
  const object = items.at(-1);
  const col = (indent?.length ?? 0) + 2;
  if (typeof object !== 'object' || object === null) return false;
  if (raw.length <= col || raw.slice(0, col).trim() !== '' || raw[col] === ' ') return false;
  const [, inner = '', value = ''] = PAIR.exec(raw.slice(col)) ?? [];
  if (inner === '' || inner in object || FORBIDDEN.has(inner)) return false;
  const read = scalar(value);
  if (read === DECLINED) return false;
  places?.set(`${key}.${items.length - 1}.${inner}`, { line, col: col + 1 });
  (object as Record<string, unknown>)[inner] = read;
  return true;
}

/** A scalar, or a mapping, of which this line gives the first key. */
function listItem(
  value: string,
  path: string,
  place: Place,
  places: Map<string, Place> | undefined,
): unknown {
  const pair = PAIR.exec(value);
  if (pair === null) return scalar(value);
  const [, key = '', inner = ''] = pair;
  if (FORBIDDEN.has(key)) return DECLINED;
  const read = scalar(inner);
  if (read === DECLINED) return DECLINED;
  places?.set(`${path}.${key}`, place);
  const object = Object.create(null) as Record<string, unknown>;
  object[key] = read;
  return object;
}

export function scalar(text: string): unknown {
  const first = text[0];
  if (first === '"') return QUOTED.test(text) ? text.slice(1, -1) : DECLINED;
  if (first === "'") return SINGLE.test(text) ? text.slice(1, -1) : DECLINED;
  if (!PLAIN.test(text) || text.endsWith(' ') || text.endsWith(':')) return DECLINED;
  if (text.includes(': ') || text.includes(' #')) return DECLINED;
  return resolved(text);
}

/** By the core schema of YAML 1.2, as far as it can be said at a glance. */
function resolved(text: string): unknown {
  const code = text.charCodeAt(0);
  if (code >= 0x30 && code <= 0x39) return numeral(text);
  if (code === 0x2e) return /^\.(?:[0-9.]|inf|nan|$)/i.test(text) ? DECLINED : text;
  if (text.length > 5) return text;
  switch (text) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
    default:
      return /^(?:true|false|null)$/i.test(text) ? DECLINED : text;
  }
}

function numeral(text: string): unknown {
  if (text.length <= 15 && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return Number(text);
  // Leading zeros, exponents, other bases, more digits than are exact; all else is a word.
  return /^(?:\d+\.?\d*(?:[eE][-+]?\d+)?|0[xXoO].*)$/.test(text) ? DECLINED : text;
}

/** `[a, "b c"]` on one line, of scalars without marks. */
function flowList(
  value: string,
  key: string,
  line: number,
  places: Map<string, Place> | undefined,
): unknown {
  if (value === '[]') return [];
  const items: unknown[] = [];
  for (let at = 1; ;) {
    while (value[at] === ' ') at++;
    const pattern = value[at] === '"' ? FLOW_QUOTED : FLOW_PLAIN;
    pattern.lastIndex = at;
    const found = pattern.exec(value)?.[0];
    if (found === undefined) return DECLINED;
    const item = scalar(pattern === FLOW_PLAIN ? found.trimEnd() : found);
    if (item === DECLINED) return DECLINED;
    places?.set(`${key}.${items.length}`, { line, col: key.length + 3 + at });
    items.push(item);
    at += found.length;
    while (value[at] === ' ') at++;
    if (value[at] === ']') return at === value.length - 1 ? items : DECLINED;
    if (value[at] !== ',') return DECLINED;
    at++;
  }
}
