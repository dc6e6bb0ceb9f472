/**
 * Edits of JSON that a person keeps, with comments and trailing commas as some of them have: bytes that are not
 * edited stay as they are, and what was put in can be taken out again. Pure.
 */
import {
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { parsedJson } from '../../task/core/base/json.ts';

/** Keys from the root on; a number is a place in a list. */
export type Path = readonly (string | number)[];

/** undefined where it is no JSON object. */
function treeOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const bare = text.replace(/^\uFEFF/, ' ');
  const tree = parseTree(bare, errors, { allowTrailingComma: true });
  return errors.length === 0 && tree?.type === 'object' ? tree : undefined;
}

const at = (tree: Node, path: Path): Node | undefined => findNodeAtLocation(tree, [...path]);

export function valueIn(text: string, path: Path = []): unknown {
  const node = treeOf(text);
  const found = node && at(node, path);
  // Objects of the library have no prototype.
  return found && parsedJson(JSON.stringify(getNodeValue(found)));
}

/** Puts it at the end of its object or list, as the file is indented; undefined where something else is in the way. */
export function withValue(text: string, path: Path, value: unknown): string | undefined {
  const tree = treeOf(text);
  if (tree === undefined) return undefined;
  let depth = path.length - 1;
  while (depth > 0 && at(tree, path.slice(0, depth)) === undefined) depth -= 1;
  const { type, offset = 0, length = 0 } = at(tree, path.slice(0, depth)) ?? {};
  const [key = '', ...below] = path.slice(depth);
  if (type !== (typeof key === 'number' ? 'array' : 'object')) return undefined;
  const whole = below.reduceRight<unknown>(
    (inner, name) => (typeof name === 'number' ? [inner] : { [name]: inner }),
    value,
  );
  // Where it goes, and whether another stands before it.
  const [{ offset: from = 0, content = '' } = {}] = modify(text, path.slice(0, depth + 1), 0, {});
  const isFirst = !content.startsWith(',');
  const name = typeof key === 'number' ? '' : `${JSON.stringify(key)}: `;
  const held = text.slice(offset, offset + length);
  const put = (made: string, to = from): string => text.slice(0, from) + made + text.slice(to);
  // One line stays one line, unless it is the whole file.
  if (!isFirst && depth > 0 && !held.includes('\n'))
    return put(`, ${name}${JSON.stringify(whole)}`);
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = `${end}${unit.repeat(depth + 1)}`;
  const lines = `${indent}${name}${JSON.stringify(whole, null, unit).replaceAll('\n', indent)}`;
  if (!isFirst) return put(`,${lines}`);
  const isBlank = held.slice(1, -1).trim() === '';
  return isBlank ? put(`${lines}${end}${unit.repeat(depth)}`, offset + length - 1) : put(lines);
}

/**
 * Takes a value out, and each object or list that holds nothing more; empty where the whole file holds nothing.
 * Comments around it stay.
 */
export function withoutValue(text: string, path: Path): string {
  const tree = treeOf(text);
  const above = path.slice(0, -1);
  const holder = tree && at(tree, above);
  const found = tree && at(tree, path);
  if (holder === undefined || found === undefined) return text;
  const own = holder.type === 'array' ? found : found.parent;
  // In the order of the text, each name as often as it is there.
  const { children: entries = [] } = holder;
  const place = entries.findIndex((one) => one === own);
  const [before, after] = [entries[place - 1], entries[place + 1]];
  const [start, end] = [own?.offset ?? 0, endOf(own)];
  if (before !== undefined) {
    const kept = commentsIn(text.slice(endOf(before), start));
    return text.slice(0, endOf(before)) + joined(kept, text.slice(end));
  }
  if (after !== undefined) {
    const kept = commentsIn(text.slice(end, after.offset)).trimStart();
    return text.slice(0, start) + kept + text.slice(after.offset);
  }
  const [from, to] = [holder.offset + 1, endOf(holder) - 1];
  const inner = joined(text.slice(from, start), commentsIn(text.slice(end, to)));
  const isBare = inner.trim() === '';
  if (isBare && above.length > 0) return withoutValue(text, above);
  const isAll = (text.slice(0, from - 1) + text.slice(to + 1)).trim() === '';
  if (isBare && isAll) return '';
  return text.slice(0, from) + joined(isBare ? '' : inner, text.slice(to));
}

const endOf = (node: Node | undefined): number => (node?.offset ?? 0) + (node?.length ?? 0);

/** Comments between two values, without the comma there; empty where there is none. */
function commentsIn(between: string): string {
  const kept = between.replace(/\/\/[^\r\n]*|\/\*[^]*?\*\/|,/g, (part) =>
    part === ',' ? '' : part,
  );
  return kept.trim() === '' ? '' : kept;
}

/** Both, without the blank end of the first; a comment to the end of its line keeps that. */
function joined(first: string, rest: string): string {
  const isOpen = /\/\/[^\r\n]*\s*$/.test(first) && !/^[ \t]*\r?\n/.test(rest);
  return (isOpen ? first : first.trimEnd()) + rest;
}
