/**
 * A small reader for plain YAML, as most front matter and settings are. It answers exactly as the full
 * YAML reader would, places included, or declines: what could be read in two ways is never guessed.
 */
import type { Place } from '../markdown/encoding.ts';

/** Larger ones are for the reader that counts nodes and depth. */
const CHARS_MAX = 8 * 1024;
const DEPTH_MAX = 6;
// Letters of any script and marks that mean nothing to YAML or to JavaScript's idea of white space.
export const WIDE =
  '\\u00a1-\\u167f\\u1681-\\u180d\\u180f-\\u1fff\\u2010-\\u2027\\u2030-\\u205e\\u2070-\\u2fff\\u3001-\\ufdff';
const PRINTABLE = new RegExp(`^[\\n -~${WIDE}]*$`);
const PLAIN = new RegExp(`^[A-Za-z0-9/_.($${WIDE}][ -~${WIDE}]*$`);
const QUOTED = new RegExp(`^"[ !#-[\\]-~${WIDE}]*"$`);
const SINGLE = new RegExp(`^'[ -&(-~${WIDE}]*'$`);
const KEY = /^([A-Za-z][A-Za-z0-9_-]*):(?: +(.+))?$/;
const ITEM = /^- +(.+)$/;
/** Text that would be cut off as a comment: looked for only where no quotes are. */
const COMMENT = / +#.*$/;
const WORDS = /^(?:true|false|null)$/i;
const OPTION = /^--?[A-Za-z][A-Za-z0-9-]*$/;
const FLOW_KEY = /([A-Za-z][A-Za-z0-9_-]*): +/y;
const FLOW_PLAIN =
  /(?:--?(?=[A-Za-z]))?[A-Za-z0-9/_.($][A-Za-z0-9/_.()$*+=@~^-]*(?: +[A-Za-z0-9/_.()$*+=@~^-]+)*/y;
const FLOW_QUOTED = /"[ !#-[\]-~]*"|'[ -&(-~]*'/y;
const FORBIDDEN = new Set(['constructor', 'prototype']);
const DECLINED = Symbol('declined');

export type Data = Record<string, unknown>;

/** A mapping of YAML, and where everything in it is. */
export interface Located {
  /** Plain data; its objects have no prototype. */
  readonly head: Data;
  /** By path: `verify`, `verify.0`. */
  readonly places: ReadonlyMap<string, Place>;
}

interface Row {
  /** 1-based. */
  readonly line: number;
  readonly indent: number;
  readonly text: string;
}

interface Reading {
  readonly rows: Row[];
  at: number;
  readonly places: Map<string, Place> | undefined;
}

/** undefined: not plain. The places, which only problems name, are found when they are asked for. */
export function plainMapping(source: string): Located | undefined {
  const head = readPlainYaml(source);
  return (
    head && {
      head,
      get places() {
        const places = new Map<string, Place>();
        readPlainYaml(source, places);
        return places;
      },
    }
  );
}

/** undefined: not plain. `source` has no BOM and no CR, or it is declined. */
export function readPlainYaml(source: string, places?: Map<string, Place>): Data | undefined {
  if (source.length > CHARS_MAX || !PRINTABLE.test(source)) return undefined;
  const rows: Row[] = [];
  for (const [i, whole] of source.split('\n').entries()) {
    let indent = 0;
    while (whole[indent] === ' ') indent++;
    const text = indent === 0 ? whole : whole.slice(indent);
    // Not one of spaces alone, nor one that is only a comment.
    if (text !== '' && !text.startsWith('#')) rows.push({ line: i + 1, indent, text });
  }
  const reading = { rows, at: 0, places };
  if (rows[0]?.indent !== 0) return undefined;
  const data = mapping(reading, 0, 1, '');
  return data === DECLINED || reading.at < rows.length ? undefined : (data as Data);
}

function mapping(reading: Reading, indent: number, depth: number, path: string): unknown {
  if (depth > DEPTH_MAX) return DECLINED;
  const data = Object.create(null) as Data;
  for (let row = reading.rows[reading.at]; row?.indent === indent;) {
    const [, key, value] = KEY.exec(row.text) ?? [];
    if (key === undefined || isOdd(key, data)) return DECLINED;
    const inner = path === '' ? key : `${path}.${key}`;
    reading.places?.set(inner, { line: row.line, col: indent + 1 });
    reading.at++;
    const bare = value === undefined || value.startsWith('#');
    const read = bare
      ? nested(reading, indent, depth, inner)
      : rest(reading, row, row.text.length - value.length, depth, inner);
    if (read === DECLINED) return DECLINED;
    data[key] = read;
    row = reading.rows[reading.at];
    // What is further in would belong to the value before it.
    if (row !== undefined && row.indent > indent) return DECLINED;
  }
  return data;
}

function isOdd(key: string, data: Data): boolean {
  return key in data || FORBIDDEN.has(key) || WORDS.test(key);
}

/** The value below a key without one on its line: a list, a mapping, or nothing. */
function nested(reading: Reading, indent: number, depth: number, path: string): unknown {
  const next = reading.rows[reading.at];
  if (next === undefined) return null;
  if (next.indent >= indent && next.text.startsWith('- ')) return list(reading, next, depth, path);
  return next.indent > indent ? mapping(reading, next.indent, depth + 1, path) : null;
}

function list(reading: Reading, { indent }: Row, depth: number, path: string): unknown {
  const items: unknown[] = [];
  for (let row = reading.rows[reading.at]; row?.indent === indent;) {
    const item = ITEM.exec(row.text)?.[1];
    if (item === undefined) break;
    const from = row.text.length - item.length;
    const inner = `${path}.${items.length}`;
    reading.places?.set(inner, { line: row.line, col: indent + from + 1 });
    const isMapping = KEY.test(item);
    // Its first key comes after the dash, the others below that key.
    if (isMapping) reading.rows[reading.at] = { ...row, indent: indent + from, text: item };
    else reading.at++;
    const read = isMapping
      ? mapping(reading, indent + from, depth + 1, inner)
      : rest(reading, row, from, depth + 1, inner);
    if (read === DECLINED) return DECLINED;
    items.push(read);
    row = reading.rows[reading.at];
    if (row !== undefined && row.indent > indent) return DECLINED;
  }
  return items;
}

/** The value that a line has from there on. */
function rest({ places }: Reading, row: Row, from: number, depth: number, path: string): unknown {
  const text = row.text.slice(from);
  const first = text[0];
  if (first === '{' || first === '[') {
    const flow = { row, at: from, places };
    const read = inFlow(flow, depth + 1, path);
    return read !== DECLINED && /^ *$|^ +#/.test(row.text.slice(flow.at)) ? read : DECLINED;
  }
  if (first === '"' || first === "'") return scalar(text.trimEnd());
  return scalar(text.replace(COMMENT, '').trimEnd());
}

interface Flow {
  readonly row: Row;
  /** In its text. */
  at: number;
  readonly places: Reading['places'];
}

function inFlow(flow: Flow, depth: number, path: string): unknown {
  if (depth > DEPTH_MAX) return DECLINED;
  const first = flow.row.text[flow.at];
  if (first === '[') return flowList(flow, depth, path);
  if (first === '{') return flowMapping(flow, depth, path);
  const isQuoted = first === '"' || first === "'";
  const found = taken(flow, isQuoted ? FLOW_QUOTED : FLOW_PLAIN)?.[0];
  return found === undefined ? DECLINED : scalar(found);
}

function flowList(flow: Flow, depth: number, path: string): unknown {
  const items: unknown[] = [];
  for (let more = opens(flow, ']'); more; more = continues(flow, ']')) {
    const inner = `${path}.${items.length}`;
    note(flow, inner);
    const item = inFlow(flow, depth + 1, inner);
    if (item === DECLINED) return DECLINED;
    items.push(item);
  }
  return flow.row.text[flow.at++] === ']' ? items : DECLINED;
}

function flowMapping(flow: Flow, depth: number, path: string): unknown {
  const data = Object.create(null) as Data;
  for (let more = opens(flow, '}'); more; more = continues(flow, '}')) {
    const { at } = flow;
    const key = taken(flow, FLOW_KEY)?.[1];
    if (key === undefined || isOdd(key, data)) return DECLINED;
    note({ ...flow, at }, `${path}.${key}`);
    const value = inFlow(flow, depth + 1, `${path}.${key}`);
    if (value === DECLINED) return DECLINED;
    data[key] = value;
  }
  return flow.row.text[flow.at++] === '}' ? data : DECLINED;
}

function note({ row: { line, indent }, at, places }: Flow, path: string): void {
  places?.set(path, { line, col: indent + at + 1 });
}

/** Behind the opening mark; false when it closes at once. */
function opens(flow: Flow, close: string): boolean {
  flow.at++;
  skip(flow);
  return flow.row.text[flow.at] !== close;
}

/** Behind a comma; false at anything else. A comma before the end is declined where it ends. */
function continues(flow: Flow, close: string): boolean {
  const { text } = flow.row;
  skip(flow);
  if (text[flow.at] !== ',') return false;
  flow.at++;
  skip(flow);
  if (text[flow.at] === close) flow.at = text.length;
  return true;
}

function skip(flow: Flow): void {
  while (flow.row.text[flow.at] === ' ') flow.at++;
}

function taken(flow: Flow, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = flow.at;
  const found = pattern.exec(flow.row.text);
  if (found !== null) flow.at += found[0].length;
  return found;
}

function scalar(text: string): unknown {
  const first = text[0];
  if (first === '"') return QUOTED.test(text) ? text.slice(1, -1) : DECLINED;
  if (first === "'") return SINGLE.test(text) ? text.slice(1, -1) : DECLINED;
  if (first === '-') return OPTION.test(text) ? text : DECLINED;
  if (!PLAIN.test(text) || text.endsWith(' ') || text.endsWith(':')) return DECLINED;
  if (text.includes(': ') || text.includes(' #')) return DECLINED;
  return resolved(text);
}

/** By the core schema of YAML 1.2; declines what takes more than a glance. */
function resolved(text: string): unknown {
  const code = text.charCodeAt(0);
  if (code >= 0x30 && code <= 0x39) return numeral(text);
  if (code === 0x2e) return /^\.(?:[0-9.]|inf|nan|$)/i.test(text) ? DECLINED : text;
  if (text.length > 5) return text;
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return WORDS.test(text) ? DECLINED : text;
}

function numeral(text: string): unknown {
  if (text.length <= 15 && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return Number(text);
  // Leading zeros, exponents, other bases, more digits than are exact; all else is a word.
  return /^(?:\d+\.?\d*(?:[eE][-+]?\d+)?|0[xXoO].*)$/.test(text) ? DECLINED : text;
}
