/**
 * A mapping of YAML with the places of everything in it, for problems that name line and column; and
 * the problem of one that cannot be read. Knows no file format.
 */
import { problem, type Problem } from '../../core/model/problem.ts';
import { placeAt, type Place } from '../markdown/encoding.ts';
import { readPlainYaml, type Data } from './plain-yaml.ts';
import { YamlRefusal } from './yaml-tokens.ts';

export const HEAD_CHARS_MAX = 64 * 1024;

/** A mapping of YAML, and where what in it stands. */
export interface Located {
  /** Plain data; its objects have no prototype. */
  readonly head: Data;
  /** 1-based lines of the top-level keys. */
  readonly keyLines: ReadonlyMap<string, number>;
  /** Places of everything in the head, by path: `verify`, `verify.0`. */
  readonly places: ReadonlyMap<string, Place>;
}

/** What is plain needs no YAML parser; the places, which only problems name, are found when asked. */
export class PlainLocated implements Located {
  readonly head: Data;
  readonly #source: string;

  constructor(source: string, head: Data) {
    this.head = head;
    this.#source = source;
  }

  get places(): ReadonlyMap<string, Place> {
    const places = new Map<string, Place>();
    readPlainYaml(this.#source, places);
    return places;
  }

  get keyLines(): ReadonlyMap<string, number> {
    return linesOf(this.head, this.places);
  }
}

export function linesOf(head: object, places: ReadonlyMap<string, Place>): Map<string, number> {
  return new Map(Object.keys(head).map((key) => [key, places.get(key)?.line ?? 1]));
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
