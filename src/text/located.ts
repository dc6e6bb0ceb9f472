/**
 * A mapping of YAML with the places of everything in it, for problems that name line and column; and
 * the problem of one that cannot be read. Knows no file format.
 */
import { problem, type Problem } from '../core/problem.ts';
import { placeAt, type Place } from './encoding.ts';
import type { YamlHead } from './yaml-head.ts';
import { YamlRefusal } from './yaml-tokens.ts';

export const HEAD_CHARS_MAX = 64 * 1024;

/** A mapping of YAML, and where what in it stands. */
export interface Located {
  /** Plain data; its objects have no prototype. */
  readonly head: Record<string, unknown>;
  /** 1-based lines of the top-level keys. */
  readonly keyLines: ReadonlyMap<string, number>;
  /** Places of everything in the head, by path: `verify`, `verify.0`. */
  readonly places: ReadonlyMap<string, Place>;
}

export function located(parsed: YamlHead, source: string): Located {
  const places = new Map<string, Place>();
  const newlines = newlineOffsets(source);
  for (const [path, offset] of parsed.offsets) places.set(path, placeIn(newlines, offset));
  return { head: parsed.data, keyLines: linesOf(parsed.data, places), places };
}

export function linesOf(head: object, places: ReadonlyMap<string, Place>): Map<string, number> {
  return new Map(Object.keys(head).map((key) => [key, places.get(key)?.line ?? 1]));
}

function newlineOffsets(source: string): number[] {
  const offsets: number[] = [];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1))
    offsets.push(at);
  return offsets;
}

/** The first line of the source is the rest of line 1 of the file, which is empty. */
function placeIn(newlines: readonly number[], offset: number): Place {
  let low = 0;
  let high = newlines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (newlines[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return { line: low + 1, col: low === 0 ? offset + 1 : offset - newlines[low - 1]! };
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
