/**
 * A small reader for plain settings: mappings in mappings, lists of scalars, either of them also as
 * `{…}` and `[…]` on one line, comments, quotes without escapes. As the reader of plain front matter
 * it answers exactly as the full YAML reader would, or declines; it knows no file and cannot fail.
 */
import { DECLINED, FORBIDDEN, scalar, WIDE } from './plain-head.ts';

const CHARS_MAX = 8 * 1024;
const DEPTH_MAX = 6;
const PRINTABLE = new RegExp(`^[\\n -~${WIDE}]*$`);
const LINE = /^( *)(.*)$/;
const KEY = /^([A-Za-z][A-Za-z0-9_-]*):(?: +(.+))?$/;
const ITEM = /^- +(.+)$/;
/** What would be cut off as a comment: looked for only where no quotes are. */
const COMMENT = / +#.*$/;
const WORDS = /^(?:true|false|null)$/i;
const OPTION = /^--?[A-Za-z][A-Za-z0-9-]*$/;
const FLOW_KEY = /([A-Za-z][A-Za-z0-9_-]*): +/y;
const FLOW_PLAIN =
  /(?:--?(?=[A-Za-z]))?[A-Za-z0-9/_.($][A-Za-z0-9/_.()$*+=@~^-]*(?: +[A-Za-z0-9/_.()$*+=@~^-]+)*/y;
const FLOW_QUOTED = /"[ !#-[\]-~]*"|'[ -&(-~]*'/y;

type Data = Record<string, unknown>;
interface Row {
  readonly indent: number;
  readonly text: string;
}
interface Rows {
  readonly rows: readonly Row[];
  at: number;
}

/** undefined: not plain. `source` has no BOM and no CR, or it is declined. */
export function readPlainYaml(source: string): Data | undefined {
  if (source.length > CHARS_MAX || !PRINTABLE.test(source)) return undefined;
  const rows: Row[] = [];
  for (const line of source.split('\n')) {
    const [, spaces = '', text = ''] = LINE.exec(line) ?? [];
    // Not one of spaces alone, nor one that is only a comment.
    if (text !== '' && !text.startsWith('#')) rows.push({ indent: spaces.length, text });
  }
  const reading = { rows, at: 0 };
  if (rows[0]?.indent !== 0) return undefined;
  const data = mapping(reading, 0, 1);
  return data === DECLINED || reading.at < rows.length ? undefined : (data as Data);
}

function mapping(reading: Rows, indent: number, depth: number): unknown {
  if (depth > DEPTH_MAX) return DECLINED;
  const data = Object.create(null) as Data;
  for (let row = reading.rows[reading.at]; row?.indent === indent;) {
    const pair = KEY.exec(row.text);
    if (pair === null) return DECLINED;
    const [, key = '', value] = pair;
    if (key in data || FORBIDDEN.has(key) || WORDS.test(key)) return DECLINED;
    reading.at++;
    const bare = value === undefined || value.startsWith('#');
    const read = bare ? nested(reading, indent, depth) : whole(value, depth);
    if (read === DECLINED) return DECLINED;
    data[key] = read;
    row = reading.rows[reading.at];
    // What stands further in would belong to the value before it.
    if (row !== undefined && row.indent > indent) return DECLINED;
  }
  return data;
}

/** What a key without a value on its line has: a list, a mapping, or nothing. */
function nested(reading: Rows, indent: number, depth: number): unknown {
  const next = reading.rows[reading.at];
  if (next === undefined) return null;
  if (next.indent >= indent && next.text.startsWith('- ')) return list(reading, next.indent, depth);
  return next.indent > indent ? mapping(reading, next.indent, depth + 1) : null;
}

function list(reading: Rows, indent: number, depth: number): unknown {
  const items: unknown[] = [];
  for (let row = reading.rows[reading.at]; row?.indent === indent;) {
    const item = ITEM.exec(row.text);
    if (item === null) break;
    reading.at++;
    const read = whole(item[1] ?? '', depth + 1);
    if (read === DECLINED) return DECLINED;
    items.push(read);
    row = reading.rows[reading.at];
    if (row !== undefined && row.indent > indent) return DECLINED;
  }
  return items;
}

/** The rest of a line. */
function whole(text: string, depth: number): unknown {
  const first = text[0];
  if (first === '{' || first === '[') {
    const flow = { text, at: 0 };
    const read = inFlow(flow, depth + 1);
    return read !== DECLINED && /^ *$|^ +#/.test(text.slice(flow.at)) ? read : DECLINED;
  }
  if (first === '"' || first === "'") return scalar(text.trimEnd());
  const plain = text.replace(COMMENT, '').trimEnd();
  return OPTION.test(plain) ? plain : scalar(plain);
}

interface Flow {
  readonly text: string;
  at: number;
}

function inFlow(flow: Flow, depth: number): unknown {
  if (depth > DEPTH_MAX) return DECLINED;
  const { text } = flow;
  if (text[flow.at] === '[') return flowList(flow, depth);
  if (text[flow.at] === '{') return flowMapping(flow, depth);
  const quoted = text[flow.at] === '"' || text[flow.at] === "'";
  const found = taken(flow, quoted ? FLOW_QUOTED : FLOW_PLAIN)?.[0];
  if (found === undefined) return DECLINED;
  return OPTION.test(found) ? found : scalar(found);
}

function flowList(flow: Flow, depth: number): unknown {
  const items: unknown[] = [];
  for (let more = opens(flow, ']'); more; more = goesOn(flow, ']')) {
    const item = inFlow(flow, depth + 1);
    if (item === DECLINED) return DECLINED;
    items.push(item);
  }
  return flow.text[flow.at++] === ']' ? items : DECLINED;
}

function flowMapping(flow: Flow, depth: number): unknown {
  const data = Object.create(null) as Data;
  for (let more = opens(flow, '}'); more; more = goesOn(flow, '}')) {
    const key = taken(flow, FLOW_KEY)?.[1];
    if (key === undefined || key in data || FORBIDDEN.has(key) || WORDS.test(key)) return DECLINED;
    const value = inFlow(flow, depth + 1);
    if (value === DECLINED) return DECLINED;
    data[key] = value;
  }
  return flow.text[flow.at++] === '}' ? data : DECLINED;
}

/** Behind the opening mark; false when it closes at once. */
function opens(flow: Flow, close: string): boolean {
  flow.at++;
  skip(flow);
  return flow.text[flow.at] !== close;
}

/** Behind a comma; false at anything else. A comma before the end is declined where it ends. */
function goesOn(flow: Flow, close: string): boolean {
  skip(flow);
  if (flow.text[flow.at] !== ',') return false;
  flow.at++;
  skip(flow);
  if (flow.text[flow.at] === close) flow.at = flow.text.length;
  return true;
}

function skip(flow: Flow): void {
  while (flow.text[flow.at] === ' ') flow.at++;
}

function taken(flow: Flow, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = flow.at;
  const found = pattern.exec(flow.text);
  if (found !== null) flow.at += found[0].length;
  return found;
}
