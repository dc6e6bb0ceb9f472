/**
 * Edits of JSON that a person keeps, with comments and trailing commas as some of them have: bytes that are not
 * edited stay as they are, and what was put in can be taken out again. Pure.
 */
import {
  findNodeAtLocation,
  getNodeValue,
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

/** The value at a path. */
export function valueIn(text: string, path: Path = []): unknown {
  const node = treeOf(text);
  const found = node && at(node, path);
  // Objects of the library have no prototype.
  return found && parsedJson(JSON.stringify(getNodeValue(found)));
}

/** At the end of its object or list; undefined where something else is in the way. Of a list the key is not looked at. */
export function withValue(text: string, path: Path, value: unknown): string | undefined {
  const tree = treeOf(text);
  if (tree === undefined) return undefined;
  let depth = path.length - 1;
  while (depth > 0 && at(tree, path.slice(0, depth)) === undefined) depth -= 1;
  const holder = at(tree, path.slice(0, depth));
  const [key = '', ...below] = path.slice(depth);
  const whole = below.reduceRight<unknown>(
    (inner, name) => (typeof name === 'number' ? [inner] : { [name]: inner }),
    value,
  );
  const isList = typeof key === 'number';
  if (holder?.type !== (isList ? 'array' : 'object')) return undefined;
  return inserted(text, holder, depth + 1, isList ? '' : `${JSON.stringify(key)}: `, whole);
}

function inserted(text: string, holder: Node, depth: number, key: string, value: unknown): string {
  const { offset, length, children = [] } = holder;
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const last = children.at(-1);
  const held = text.slice(offset, offset + length);
  // One line stays one line, unless it is the whole file.
  const isFlat = last !== undefined && !held.includes('\n') && depth > 1;
  if (isFlat) {
    const from = last.offset + last.length;
    return `${text.slice(0, from)}, ${key}${JSON.stringify(value)}${text.slice(from)}`;
  }
  const indent = `${end}${unit.repeat(depth)}`;
  const lines = `${indent}${key}${JSON.stringify(value, null, unit).replaceAll('\n', indent)}`;
  if (last !== undefined) {
    const from = last.offset + last.length;
    return `${text.slice(0, from)},${lines}${text.slice(from)}`;
  }
  const inner = held.slice(1, -1);
  const after = inner.trim() === '' ? `${end}${unit.repeat(depth - 1)}` : inner;
  return `${text.slice(0, offset + 1)}${lines}${after}${text.slice(offset + length - 1)}`;
}

/** Takes a value out, and each object or list that holds nothing more; empty where the whole file holds nothing. */
export function withoutValue(text: string, path: Path): string {
  const tree = treeOf(text);
  const found = tree && at(tree, path);
  if (found === undefined) return text;
  const node = typeof path.at(-1) === 'number' ? found : (found.parent ?? found);
  const { children = [], offset = 0, length = 0 } = node.parent ?? {};
  const [before, after] = [
    children[children.indexOf(node) - 1],
    children[children.indexOf(node) + 1],
  ];
  if (before !== undefined) {
    const from = before.offset + before.length;
    return text.slice(0, from) + text.slice(node.offset + node.length);
  }
  if (after !== undefined) return text.slice(0, node.offset) + text.slice(after.offset);
  const inner =
    text.slice(offset + 1, node.offset).trimEnd() +
    text.slice(node.offset + node.length, offset + length - 1).replace(/^,/, '');
  const isBare = inner.trim() === '';
  if (isBare && path.length > 1) return withoutValue(text, path.slice(0, -1));
  if (isBare && text.slice(0, offset).trim() === '' && text.slice(offset + length).trim() === '')
    return '';
  return `${text.slice(0, offset + 1)}${isBare ? '' : inner}${text.slice(offset + length - 1)}`;
}
