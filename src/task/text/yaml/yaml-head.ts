/**
 * YAML 1.2, core schema, to plain data: one mapping, no aliases, tags or merge keys, no key twice,
 * bounded depth and size. Objects have no prototype, so that no key is mistaken for something else.
 */
import { CST, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, type Pair } from 'yaml';
import { ok, problem, refused, type Problem, type Result } from '../../core/model/problem.ts';
import { bareReturn, placeAt, type Place } from '../markdown/encoding.ts';
import { conflictProblems } from '../markdown/merge-markers.ts';
import { plainMapping, type Data, type Located } from './plain-yaml.ts';

export const HEAD_CHARS_MAX = 64 * 1024;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype', '<<']);
const YAML_DEPTH_MAX = 16;
const YAML_NODES_MAX = 5000;
/** Columns that can be open at once; a column holds at most a mapping and a list. */
const COLUMNS_MAX = 2 * YAML_DEPTH_MAX;
const TOKENS_MAX = 20 * YAML_NODES_MAX;

/** `offset` counts from the start of the YAML source. */
class YamlRefusal extends Error {
  readonly offset: number;
  readonly fix: string;
  constructor(message: string, offset: number, fix: string) {
    super(message);
    this.offset = offset;
    this.fix = fix;
  }
}

/** Words of the parser, what they mean, and what to write. */
const MISTAKES: readonly (readonly [RegExp, string, string])[] = [
  [/^Nested map/, 'a value has a second ": " in it', 'Quote a text such as "a: b"'],
  [/^Flow \w+ in/, 'a bracket is not closed', 'Close it with ] or }, or write - item lines'],
  [/^Missing closing/, 'a quote is not closed', 'Close it at the end of the text'],
  [/^Tabs/, 'a line begins with a tab', 'Write spaces there'],
  [/^Plain value/, 'a text begins with a mark that YAML reserves', 'Quote the text'],
  [/at node end$/, 'there is more behind the end of a value', 'Quote the whole value once'],
  [/^Implicit/, 'a line is not key: value', 'Write key: value, one on a line'],
  [/same column$/, 'a line is not indented as those beside it', 'Begin it in their column'],
  [/^Unexpected flow-/, 'a bracket is closed that was not opened', 'Remove it, or quote the text'],
  [/within flow/, 'there is a key inside of brackets', 'Quote a text such as "a: b"'],
];

/** Throws YamlRefusal, with an offset in `source`. */
export function parseYamlHead(source: string): Located {
  checkTokens(source);
  const lineCounter = new LineCounter();
  const document = parseDocument(source, {
    version: '1.2',
    schema: 'core',
    merge: false,
    stringKeys: true,
    // Our own check is linear; the library's compares all pairs.
    uniqueKeys: false,
    strict: true,
    prettyErrors: false,
    lineCounter,
    logLevel: 'silent',
  });
  const error = document.errors[0] ?? document.warnings[0];
  if (error !== undefined) {
    const said = (error.message.split('\n')[0] ?? '').replace(/\.$/, '');
    const [
      ,
      message = `not YAML: ${said}`,
      fix = 'Correct the line; quote texts that contain : #',
    ] = MISTAKES.find(([known]) => known.test(said)) ?? [];
    throw new YamlRefusal(message, error.pos[0], fix);
  }
  const places = new Map<string, Place>();
  const note = (path: string, offset: number): void => {
    places.set(path, lineCounter.linePos(offset));
  };
  const { contents } = document;
  if (contents !== null && !isMap(contents)) {
    throw new YamlRefusal('not a mapping', contents.range[0], 'Write key: value, one on a line');
  }
  const head =
    contents === null ? emptyObject() : (toData(contents, '', 1, { note, nodes: 0 }) as Data);
  return { head, places };
}

/** A whole file of YAML, such as the configuration, under the rules of a front matter. */
export function readYaml(text: string, file: string): Result<Located> {
  const bare = bareReturn(text, file);
  if (bare !== undefined) return bare;
  // Not by gray-matter, which ends silently at the first line of dashes. A first one is usual here.
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const source = plain.startsWith('---\n') ? `#${plain.slice(1)}` : plain;
  if (source.length > HEAD_CHARS_MAX) {
    const message = `the file has more than ${HEAD_CHARS_MAX} characters`;
    return refused({ code: 'too_large', file, message, fix: 'Write less.' });
  }
  try {
    return ok(plainMapping(source) ?? parseYamlHead(source));
  } catch (error) {
    const conflicts = conflictProblems(text, file);
    return refused(conflicts.length > 0 ? conflicts : [yamlProblem(error, source, file)]);
  }
}

export function yamlProblem(error: unknown, source: string, file: string): Problem {
  const refusal = error instanceof YamlRefusal ? error : undefined;
  const place = refusal === undefined ? { line: 1, col: 1 } : placeAt(source, refusal.offset);
  return problem({
    code: 'yaml',
    file,
    ...place,
    message: refusal?.message ?? 'the YAML cannot be read',
    expected: 'a plain YAML mapping',
    fix: `${(refusal?.fix ?? 'Write key: value, one on a line').replace(/\.$/, '')}.`,
  });
}

function emptyObject(): Data {
  return Object.create(null) as Data;
}

interface Reading {
  readonly note: (path: string, offset: number) => void;
  nodes: number;
}

function toData(node: unknown, path: string, depth: number, reading: Reading): unknown {
  reading.nodes += 1;
  const offset = offsetOf(node, 0);
  if (reading.nodes > YAML_NODES_MAX) throw tooMany(offset);
  if (isScalar(node)) return node.value;
  if (node === null || node === undefined) return null;
  if (depth > YAML_DEPTH_MAX) throw tooDeep(offset);
  if (isSeq(node)) {
    return node.items.map((item, index) => {
      const inner = `${path}.${index}`;
      reading.note(inner, offsetOf(item, offset));
      return toData(item, inner, depth + 1, reading);
    });
  }
  if (!isMap(node)) throw new YamlRefusal('an alias is not allowed', offset, 'Write the value out');
  const object = emptyObject();
  for (const pair of node.items) {
    const { key, at } = keyOf(pair, offset);
    if (FORBIDDEN_KEYS.has(key))
      throw new YamlRefusal(`the key ${key} is not allowed`, at, 'Rename or remove the key');
    if (key in object)
      throw new YamlRefusal(`the key ${key.slice(0, 60)} is given twice`, at, 'Keep one of them');
    const inner = path === '' ? key : `${path}.${key}`;
    reading.note(inner, at);
    object[key] = toData(pair.value, inner, depth + 1, reading);
  }
  return object;
}

function offsetOf(node: unknown, otherwise: number): number {
  return (node as { range?: [number, number, number] } | null)?.range?.[0] ?? otherwise;
}

function keyOf(pair: Pair, offset: number): { key: string; at: number } {
  const { key } = pair;
  const at = isScalar(key) ? offsetOf(key, offset) : offset;
  if (isScalar(key) && typeof key.value === 'string') return { key: key.value, at };
  throw new YamlRefusal('a key that is not a text', at, 'Write key: value');
}

function tooDeep(offset: number): YamlRefusal {
  const message = `nested deeper than ${YAML_DEPTH_MAX} levels`;
  return new YamlRefusal(message, offset, 'Write it flatter');
}

function tooMany(offset: number): YamlRefusal {
  return new YamlRefusal(`more than ${YAML_NODES_MAX} nodes`, offset, 'Write less');
}

const REFUSED_TOKENS: Readonly<Record<string, readonly [string, string]>> = {
  anchor: [
    'an anchor (&) is not allowed',
    'Write the value out, or quote a text that starts with &',
  ],
  alias: ['an alias (*) is not allowed', 'Write the value out, or quote a text that starts with *'],
  tag: ['a tag (!) is not allowed', 'Leave the tag out, or quote a text that starts with !'],
  'directive-line': ['a directive (%) is not allowed', 'Quote a text that starts with %'],
  'doc-start': ['a second document is not allowed', 'Keep one mapping between the two --- lines'],
  'doc-end': ['a document end is not allowed', 'Keep one mapping between the two --- lines'],
};

// Two of the lexer's tokens are marks without a length of their own.
const DOC_MODE = '\u0002';
const SCALAR_NEXT = '\u001f';
const FLOW_ERROR_END = '\u0018';

/**
 * A look at the tokens in linear time: deep nesting does not merely throw in a recursive parser, it can
 * end the whole process.
 */
function checkTokens(source: string): void {
  // The lexer's marks among them may not be in the text itself.
  // oxlint-disable-next-line no-control-regex
  const control = source.search(/[\u0000-\u0008\u000b-\u001f\u007f]/);
  if (control !== -1) throw new YamlRefusal('a control character', control, 'Remove the character');
  let offset = 0;
  let lineStart = 0;
  let flow = 0;
  let tokens = 0;
  let fresh = true;
  let scalar = false;
  const columns: number[] = [];
  for (const token of new Lexer().lex(source)) {
    if (token === DOC_MODE || token === FLOW_ERROR_END) continue;
    if (token === SCALAR_NEXT) {
      scalar = true;
      continue;
    }
    const type = scalar ? 'scalar' : CST.tokenType(token);
    scalar = false;
    const refusal = type === null ? undefined : REFUSED_TOKENS[type];
    if (refusal !== undefined) throw new YamlRefusal(refusal[0], offset, refusal[1]);
    tokens += 1;
    if (type === 'flow-seq-start' || type === 'flow-map-start') flow += 1;
    if (type === 'flow-seq-end' || type === 'flow-map-end') flow = Math.max(0, flow - 1);
    const indicator = type === 'seq-item-ind' || type === 'explicit-key-ind';
    const content = type !== 'space' && type !== 'newline' && type !== 'comment';
    if (indicator || (fresh && content)) open(columns, offset - lineStart);
    if (content) fresh = indicator;
    if (columns.length + flow > COLUMNS_MAX) throw tooDeep(offset);
    if (tokens > TOKENS_MAX) throw tooMany(offset);
    const lastBreak = token.lastIndexOf('\n');
    if (lastBreak !== -1) {
      lineStart = offset + lastBreak + 1;
      fresh = true;
    }
    offset += token.length;
  }
}

/** Keeps the stack of open block columns ascending. */
function open(columns: number[], column: number): void {
  while (columns.length > 0 && columns.at(-1)! > column) columns.pop();
  if (columns.at(-1) !== column) columns.push(column);
}
