/**
 * A whole file of YAML, such as the configuration: read under the rules of a front matter, by the plain
 * reader where it is plain. Refused with file, line and column, or read as it stands.
 */
import { ok, problem, refused, type Result } from '../core/problem.ts';
import { bareReturn, type Place } from './encoding.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { parseYamlHead } from './yaml-head.ts';
import { HEAD_CHARS_MAX, located, type Located, yamlProblem } from './located.ts';

/** A whole file of YAML, such as the configuration, under the same rules. */
export function readYaml(text: string, file: string): Result<Located> {
  const bare = bareReturn(text, file);
  if (bare !== undefined) return bare;
  // Not by gray-matter: it would end at the first line of dashes and leave out the rest unsaid.
  // A first line of --- is usual in such files and says nothing.
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const source = plain.startsWith('---\n') ? `#${plain.slice(1)}` : plain;
  if (source.length > HEAD_CHARS_MAX) {
    const message = `the file has more than ${HEAD_CHARS_MAX} characters`;
    return refused([problem({ code: 'too_large', file, message, fix: 'Write less.' })]);
  }
  const head = readPlainYaml(source);
  if (head !== undefined) return ok(new PlainYaml(source, head));
  try {
    return ok(located(parseYamlHead(source), source));
  } catch (error) {
    return refused([yamlProblem(error, source, file)]);
  }
}

/** Places are for problems: found, by the full reader, when one is told. */
class PlainYaml implements Located {
  readonly head: Record<string, unknown>;
  readonly #source: string;
  #full: Located | undefined;

  constructor(source: string, head: Record<string, unknown>) {
    this.head = head;
    this.#source = source;
  }

  get #located(): Located {
    return (this.#full ??= located(parseYamlHead(this.#source), this.#source));
  }

  get places(): ReadonlyMap<string, Place> {
    return this.#located.places;
  }

  get keyLines(): ReadonlyMap<string, number> {
    return this.#located.keyLines;
  }
}
