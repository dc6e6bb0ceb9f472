/**
 * YAML 1.2, core schema, to plain data: one mapping, no aliases, tags or merge keys, no key twice,
 * bounded depth and size. Objects have no prototype, so that no key is mistaken for something else.
 */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Pair } from 'yaml';
import { problem, type Problem } from '../../core/model/problem.ts';
import { placeAt, type Place } from '../markdown/encoding.ts';
import type { Data, Located } from './plain-yaml.ts';
import {
  checkTokens,
  tooDeep,
  tooMany,
  YAML_DEPTH_MAX,
  YAML_NODES_MAX,
  YamlRefusal,
} from './yaml-tokens.ts';

export const HEAD_CHARS_MAX = 64 * 1024;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype', '<<']);

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
  return { head, places };
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
