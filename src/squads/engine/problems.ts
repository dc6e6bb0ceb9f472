/**
 * Where what is wrong with a squad stands: at the key of SQUAD.yaml or of an agent's own file, by the
 * word that is written there; what nobody wrote, at what it would stand in. Pure; it knows no rule.
 */
import type { HeadNote } from '../../agents/core/agent-head.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { placeOf, valueAt } from '../../task/text/documents/contract-head.ts';
import type { Located } from '../../task/text/yaml/plain-yaml.ts';

/** A file in which something of a squad is said. */
export interface Source {
  readonly file: string;
  /** undefined: of what is in it no places are known. */
  readonly located?: Pick<Located, 'head' | 'places'> | undefined;
  /** The key in it below which that stands; empty: at its top. */
  readonly under: string;
}

/** What wins first. */
export type Sources = readonly [Source, ...Source[]];

type Where = Pick<Problem, 'file' | 'line' | 'col'>;
type Place = Pick<Problem, 'line' | 'col'>;

/** Other words for a key, each way. */
const SAME: Readonly<Record<string, string>> = {
  write: 'write_paths',
  write_paths: 'write',
  models: 'fallback',
  fallback: 'models',
};

/** `value`: one of the entries that stand there. */
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

/** Names in a list, as they are meant. */
function entriesAt({ located }: Source, path: readonly string[]): readonly string[] {
  const found = valueAt(located?.head, path);
  if (!Array.isArray(found)) return [];
  return found.map((one) => (typeof one === 'string' ? one.trim().replace(/^@/, '') : ''));
}
