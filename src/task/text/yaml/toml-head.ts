/**
 * The part of a TOML file that describes an agent of Codex: texts, numbers, booleans and lists of texts
 * before the first table. What cannot be read there is reported with its line. Of tables, those that are asked
 * for are read: their booleans, and null for any other value.
 */

/** Lines are 1-based. */
export type TomlRead =
  | {
      readonly ok: true;
      readonly head: Record<string, unknown>;
      readonly lines: ReadonlyMap<string, number>;
    }
  | { readonly ok: false; readonly line: number; readonly message: string };

const KEY = /^([A-Za-z0-9_-]+)[ \t]*=[ \t]*/;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const WORD = /^(true|false|[+-]?\d[\d_]*(?:\.\d+)?)(?=[ \t]*(?:#.*)?(?:\n|$))/;
const ESCAPES = new Map(
  Object.entries({ b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', '"': '"', '\\': '\\' }),
);

class Refusal extends Error {}

export function readTomlHead(source: string, isRead: (table: string) => boolean): TomlRead {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const head = Object.create(null) as Record<string, unknown>;
  const lines = new Map<string, number>();
  let at = 0;
  const lineHere = (): number => text.slice(0, at).split('\n').length;
  try {
    for (;;) {
      at += matched(/^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:#[^\n]*$)?/, text.slice(at));
      if (at >= text.length || text[at] === '[') {
        for (const [name, { line, of }] of tablesIn(text.slice(at), lineHere())) {
          if (!isRead(name)) continue;
          head[name] = of;
          lines.set(name, line);
        }
        return { ok: true, head, lines };
      }
      const key = KEY.exec(text.slice(at));
      const name = key?.[1] ?? '';
      if (key === null) throw new Refusal('not a line of key = value');
      if (name in head || FORBIDDEN.has(name))
        throw new Refusal(`the key ${name} is not allowed here`);
      lines.set(name, lineHere());
      at += key[0].length;
      const read = value(text.slice(at));
      head[name] = read.value;
      at += read.length;
      const rest = /^[ \t]*(?:#[^\n]*)?(?:\n|$)/.exec(text.slice(at));
      if (rest === null) throw new Refusal('more than a value on this line');
      at += rest[0].length;
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, line: lineHere(), message: error.message };
  }
}

/** By the first part of their names. A line in a text that looks like the head of a table is taken for one. */
function tablesIn(text: string, first: number) {
  const tables = new Map<string, { readonly line: number; readonly of: Record<string, unknown> }>();
  let of: Record<string, unknown> = {};
  for (const [nth, line] of text.split('\n').entries()) {
    const [, table, part = ''] = /^\s*\[\[?[\s"']*([\w-]+)["']?(\s*\.)?/.exec(line) ?? [];
    const [, key = line, word] =
      /^\s*["']?([\w-]+)["']?\s*=\s*(?:(true|false)\s*(?:#.*)?$)?/.exec(line) ?? [];
    if (table !== undefined) {
      of = tables.get(table)?.of ?? {};
      if (part !== '') of[line.trim()] = null;
      if (!tables.has(table)) tables.set(table, { line: first + nth, of });
    } else if (!/^\s*(?:#|$)/.test(line)) of[key] = word === undefined ? null : word === 'true';
  }
  return tables;
}

function matched(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.[0].length ?? 0;
}

interface Value {
  readonly value: unknown;
  readonly length: number;
}

function value(text: string): Value {
  const word = WORD.exec(text)?.[1];
  if (word !== undefined) {
    const number = Number(word.replaceAll('_', ''));
    return { value: word === 'true' || (word === 'false' ? false : number), length: word.length };
  }
  return text.startsWith('[') ? list(text) : quoted(text);
}

function list(text: string): Value {
  const items: unknown[] = [];
  let at = 1;
  for (;;) {
    at += matched(/^(?:\s|#[^\n]*\n)*/, text.slice(at));
    if (text[at] === ']') return { value: items, length: at + 1 };
    const item = quoted(text.slice(at));
    items.push(item.value);
    at += item.length;
    at += matched(/^(?:\s|#[^\n]*\n)*/, text.slice(at));
    if (text[at] === ',') at++;
    else if (text[at] !== ']') throw new Refusal('a list that is not closed');
  }
}

function quoted(text: string): Value {
  const long = /^(?:"""|''')/.exec(text)?.[0];
  const mark = long ?? text[0] ?? '';
  if (mark === '' || !`"'`.includes(mark[0] ?? ' '))
    throw new Refusal('a value that is not supported here');
  const end = closing(text, mark);
  const inner = text.slice(mark.length, end);
  if (long === undefined && inner.includes('\n')) throw new Refusal('a text that is not closed');
  const words = long === undefined ? inner : inner.replace(/^\n/, '');
  return { value: mark.startsWith("'") ? words : unescaped(words), length: end + mark.length };
}

function closing(text: string, mark: string): number {
  for (let at = mark.length; at < text.length; at++) {
    if (text[at] === '\\' && mark.startsWith('"')) at++;
    else if (text.startsWith(mark, at)) return at;
  }
  throw new Refusal('a text that is not closed');
}

function unescaped(text: string): string {
  return text
    .replace(/\\[ \t]*\n\s*/g, '')
    .replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs, (_, u4, u8, sign: string) => {
      const code = Number.parseInt(String(u4 ?? u8), 16);
      if (sign === undefined && code <= 0x10ffff) return String.fromCodePoint(code);
      const plain = ESCAPES.get(sign);
      if (plain === undefined) throw new Refusal('an escape that TOML does not have');
      return plain;
    });
}
