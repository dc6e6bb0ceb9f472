/**
 * The smallest edits of a front matter: one value, or one entry of a list. Every other byte stays, comments too. An
 * edit that would be read back as something else is not made.
 */
import { isCollection, isMap, isScalar, isSeq, parseDocument, type Pair, type YAMLSeq } from 'yaml';
import { dumpFrontMatter, readFrontMatter } from './front-matter.ts';
import { parseYamlHead } from './yaml-head.ts';

type Value = string | number | boolean | undefined;

export interface HeadChange {
  readonly how: 'set' | 'add' | 'remove';
  readonly key: string;
  /** undefined, for `remove`: the key with all that it has. */
  readonly value: Value;
}

class NoEdit extends Error {}

/** The edited text, or why there is none. */
export function editHead(text: string, changes: readonly HeadChange[]) {
  const front = readFrontMatter(text, '');
  if (!front.ok) return { why: front.problems[0]?.message ?? 'it cannot be read' };
  if (!front.value.present) return { why: 'the contract has no front matter' };
  const start = text.indexOf('\n') + 1;
  const end = text.indexOf('\n---', start - 1) + 1;
  const head = text.slice(start, end);
  const eol = text[start - 2] === '\r' ? '\r\n' : '\n';
  const plain = head.replaceAll('\r\n', '\n');
  if (plain.replaceAll('\n', eol) !== head) return { why: 'its line ends are not all the same' };
  try {
    const edited = changes.reduce(changed, plain).replaceAll('\n', eol);
    return { text: text.slice(0, start) + edited + text.slice(end) };
  } catch (error) {
    if (!(error instanceof NoEdit)) throw error;
    return { why: error.message };
  }
}

/** Makes the text for a head that is known before, and reads it back. */
function changed(source: string, change: HeadChange): string {
  const { head } = parseYamlHead(source);
  head[change.key] = valueAfter(head[change.key], change);
  const edited = splice(source, change);
  const readBack = (): string => JSON.stringify(parseYamlHead(edited).head);
  try {
    if (readBack() === JSON.stringify(head)) return edited;
  } catch {
    // It is not even YAML.
  }
  throw new NoEdit(`an edit of ${change.key} would be read back differently`);
}

function valueAfter(now: unknown, { how, key, value }: HeadChange): unknown {
  if (how === 'set') {
    if (typeof now !== 'object' || now === null) return value;
    throw new NoEdit(`${key} is more than one value: --add and --remove change a list`);
  }
  if (how === 'remove' && value === undefined && now !== undefined) return undefined;
  const list = [now ?? []].flat() as readonly unknown[];
  if (how === 'add') return list.includes(value) ? now : [...list, value];
  if (!list.includes(value)) throw new NoEdit(`${key} does not have ${value ?? 'a value'}`);
  return list.length === 1 ? undefined : list.toSpliced(list.indexOf(value), 1);
}

function splice(source: string, { how, key, value }: HeadChange): string {
  const { contents } = parseDocument(source, {
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
  });
  const isLines = contents === null || (isMap(contents) && contents.flow !== true);
  if (!isLines) throw new NoEdit('the front matter is not one key a line');
  const pair = contents?.items.find((one) => isScalar(one.key) && one.key.value === key);
  if (pair === undefined) return source + dumped({ [key]: how === 'set' ? value : [value] });
  const { value: node } = pair;
  if (how === 'remove') {
    const isEntry = isSeq(node) && value !== undefined && node.items.length > 1;
    return put(source, isEntry ? entryIn(source, node, value) : linesOf(source, pair), '');
  }
  if (isSeq(node)) return withEntry(source, node, value);
  const words = how === 'set' ? one(value) : `[${one(value, true)}]`;
  const [from, to] = rangeOf(node);
  const now = source.slice(from, to);
  if (now.includes('\n')) throw new NoEdit(`${key} has more than one line`);
  if (how === 'set' && now !== '') return put(source, [from, to], words);
  if (now !== '')
    return isSame(node, value) ? source : put(source, [from, to], `[${now}, ${words.slice(1)}`);
  const colon = source.indexOf(':', rangeOf(pair.key)[1]) + 1;
  return put(source, [colon, colon], ` ${words}`);
}

function withEntry(source: string, list: YAMLSeq, value: Value): string {
  if (list.items.some((entry) => isSame(entry, value))) return source;
  const last = list.items.at(-1);
  const [from, to] = rangeOf(list);
  if (list.flow === true) {
    const at = last === undefined ? from + 1 : rangeOf(last)[1];
    return put(source, [at, at], `${last === undefined ? '' : ', '}${one(value, true)}`);
  }
  const indent = source.slice(source.lastIndexOf('\n', from) + 1, from);
  // Comments behind the list may belong to the next key.
  const end = lineEnd(source, isCollection(last) ? to : rangeOf(last)[1]);
  return put(source, [end, end], `${indent}- ${one(value)}\n`);
}

/** One of several entries, with its comma or its line. */
function entryIn(source: string, { items, flow }: YAMLSeq, value: Value): Range {
  const at = items.findIndex((entry) => isSame(entry, value));
  const [start, end] = rangeOf(items[at]);
  if (flow !== true) return [source.lastIndexOf('\n', start) + 1, lineEnd(source, end)];
  const range: Range = at === 0 ? [start, rangeOf(items[1])[0]] : [rangeOf(items[at - 1])[1], end];
  if (source.slice(...range).includes('#')) throw new NoEdit('a comment is beside this entry');
  return range;
}

/** The lines of a key and its value. What is on one line goes with its comment; those between lines are somebody's. */
function linesOf(source: string, { key, value }: Pair): Range {
  const [from, keyEnd] = rangeOf(key);
  const end = lineEnd(source, Math.max(keyEnd + 1, rangeOf(value ?? key)[1]));
  const between = source.slice(from, end).split('\n').slice(1);
  if (between.some((line) => line.includes('#'))) throw new NoEdit('a comment is among its lines');
  return [from, end];
}

type Range = readonly [from: number, to: number];

const rangeOf = (node: unknown): Range => (node as { range: Range }).range;

/** Behind the last line of a node, whose range may have blank lines at its end. Heads end with a line end. */
function lineEnd(source: string, stop: number): number {
  return source.indexOf('\n', source.slice(0, stop).trimEnd().length) + 1;
}

function put(source: string, [from, to]: Range, words: string): string {
  return source.slice(0, from) + words + source.slice(to);
}

function isSame(node: unknown, value: Value): boolean {
  return isScalar(node) && node.value === value;
}

function dumped(head: Record<string, unknown>): string {
  return dumpFrontMatter(head).slice('---\n'.length, -'---\n'.length);
}

/** A value on one line. In brackets, a text with marks of YAML is quoted. */
function one(value: Value, inBrackets = false): string {
  const words = dumped({ x: value }).slice('x: '.length, -1);
  return inBrackets && /^(?!["']).*[,[\]{}]/.test(words) ? JSON.stringify(value) : words;
}
