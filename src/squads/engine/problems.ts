/** The place of a problem: the key in SQUAD.yaml or in an agent's file, else the key that would contain it. */
import type { HeadNote } from '../../agents/core/head-permissions.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { placeOf, valueAt } from '../../task/text/documents/contract-head.ts';
import type { Located } from '../../task/text/yaml/plain-yaml.ts';

/** A file with keys of a squad. */
export interface Source {
  readonly file: string;
  /** undefined: places are unknown. */
  readonly located?: Pick<Located, 'head' | 'places'> | undefined;
  /** The key above them; empty at the top. */
  readonly under: string;
}

/** The first one wins. */
export type Sources = readonly [Source, ...Source[]];

type Where = Pick<Problem, 'file' | 'line' | 'col'>;
type Place = Pick<Problem, 'line' | 'col'>;

/** Other names of a key. */
const SAME: Readonly<Record<string, string>> = {
  write: 'write_paths',
  write_paths: 'write',
  models: 'fallback',
  fallback: 'models',
};

/** `value`: one entry of the list. */
export function placeIn(sources: Sources, key: string, value?: string): Where {
  for (const source of sources) {
    const place = keyIn(source, key, value);
    if (place !== undefined) return { file: source.file, ...place };
  }
  const last = sources.at(-1) ?? sources[0];
  const place = placeOf(parts(last.under), last.located?.places);
  return { file: last.file, ...(place ?? { line: 1, col: 1 }) };
}

export function noteProblem(sources: Sources, { key, ...note }: HeadNote): Problem {
  return problem({ code: 'bad_value', severity: 'warning', ...placeIn(sources, key), ...note });
}

function parts(key: string): string[] {
  return key === '' ? [] : key.split('.');
}

function keyIn(source: Source, key: string, value: string | undefined): Place | undefined {
  const [first = '', ...rest] = parts(key);
  const words = [first, SAME[first] ?? first];
  const under = parts(source.under);
  for (const word of words) {
    const path = [...under, word, ...rest];
    const i = value === undefined ? -1 : entriesAt(source, path).indexOf(value);
    const named = i === -1 ? path : [...path, String(i)];
    const place = placeOf(named, source.located?.places, under.length + 1);
    if (place !== undefined) return place;
  }
  return undefined;
}

function entriesAt({ located }: Source, path: readonly string[]): readonly string[] {
  const found = valueAt(located?.head, path);
  if (!Array.isArray(found)) return [];
  return found.map((one) => (typeof one === 'string' ? one.trim().replace(/^@/, '') : ''));
}
