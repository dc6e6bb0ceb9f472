/**
 * YAML 1.2, core schema, to plain data, for front matter: one mapping, no aliases, tags or merge
 * keys, no key twice, bounded depth and size. Objects have no prototype, so that no key can be
 * mistaken for something else. It knows no file; it throws YamlRefusal, with an offset.
 */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Pair } from 'yaml';
import type { Place } from '../markdown/encoding.ts';
import { linesOf, type Located } from './located.ts';
import type { Data } from './plain-yaml.ts';
import {
  checkTokens,
  tooDeep,
  tooMany,
  YAML_DEPTH_MAX,
  YAML_NODES_MAX,
  YamlRefusal,
} from './yaml-tokens.ts';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype', '<<']);

/** Also for the other YAML files of a workspace: the same limits hold for them. */
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
    throw new YamlRefusal(
      `not YAML: ${(error.message.split('\n')[0] ?? '').replace(/\.$/, '')}`,
      error.pos[0],
      'Correct the line; quote texts that contain : # or start with a mark',
    );
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
  return { head, places, keyLines: linesOf(head, places) };
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
  const offset = (node as { range?: [number, number, number] } | null)?.range?.[0] ?? 0;
  if (reading.nodes > YAML_NODES_MAX) throw tooMany(offset);
  if (isScalar(node)) return node.value;
  if (node === null || node === undefined) return null;
  if (depth > YAML_DEPTH_MAX) throw tooDeep(offset);
  if (isSeq(node)) {
    return node.items.map((item, index) => {
      const at = (item as { range?: [number, number, number] } | null)?.range?.[0] ?? offset;
      const inner = `${path}.${index}`;
      reading.note(inner, at);
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

function keyOf(pair: Pair, offset: number): { key: string; at: number } {
  const { key } = pair;
  const at = isScalar(key) ? (key.range?.[0] ?? offset) : offset;
  if (isScalar(key) && typeof key.value === 'string') return { key: key.value, at };
  throw new YamlRefusal('a key that is not a text', at, 'Write key: value');
}
