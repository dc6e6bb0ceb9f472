/**
 * The only door to gray-matter. Front matter is written by agents and people whom nobody checked,
 * so it is YAML of one kind or it is refused: never code, never a guess, never a cached object.
 * Refusals are problems with file, line and column.
 */
import matter from 'gray-matter';
import { ok, problem, refused, type Problem, type Result } from '../core/problem.ts';
import { bareReturn, placeAt, type Place } from './encoding.ts';
import { readPlainHead, type PlainHead } from './plain-head.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { parseYamlHead, type YamlHead } from './yaml-head.ts';
import { YamlRefusal } from './yaml-tokens.ts';

export { dumpFrontMatter } from './dump.ts';
export { decodeText, type Place } from './encoding.ts';

export interface FrontMatter {
  /** Plain data; its objects have no prototype. */
  readonly head: Record<string, unknown>;
  /** What follows the closing line, byte for byte; the whole text when there is no front matter. */
  readonly body: string;
  /** 1-based line of the first line of the body. */
  readonly bodyLine: number;
  /** 1-based lines of the top-level keys. */
  readonly keyLines: ReadonlyMap<string, number>;
  /** Places of everything in the head, by path: `verify`, `verify.0`. */
  readonly places: ReadonlyMap<string, Place>;
  readonly present: boolean;
}

const HEAD_CHARS_MAX = 64 * 1024;
const HEAD_LINES_MAX = 2000;

export function readFrontMatter(text: string, file: string): Result<FrontMatter> {
  const bare = bareReturn(text, file);
  if (bare !== undefined) return bare;
  const plain = readPlain(text);
  return plain === undefined ? readFully(text, file) : ok(plain);
}

function readPlain(text: string): FrontMatter | undefined {
  const plain = readPlainHead(text);
  return plain === undefined ? undefined : new PlainFront(text, plain);
}

/** What is plain needs no YAML parser; the places, which only problems name, are found when asked. */
class PlainFront implements FrontMatter {
  readonly head: Record<string, unknown>;
  readonly bodyLine: number;
  readonly present = true;
  readonly #text: string;
  readonly #bodyStart: number;

  constructor(text: string, plain: PlainHead) {
    this.head = plain.head;
    this.bodyLine = plain.bodyLine;
    this.#text = text;
    this.#bodyStart = plain.bodyStart;
  }

  get body(): string {
    return this.#text.slice(this.#bodyStart);
  }

  get places(): ReadonlyMap<string, Place> {
    const places = new Map<string, Place>();
    readPlainHead(this.#text, places);
    return places;
  }

  get keyLines(): ReadonlyMap<string, number> {
    return linesOf(this.head, this.places);
  }
}

/** By gray-matter and the YAML parser, whatever it is. */
export function readFully(text: string, file: string): Result<FrontMatter> {
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const first = lineAt(text, bom);
  if (!first.line.startsWith('---')) return ok(absent(text));
  if (first.line !== '---')
    return badFence(file, 1, 'the first line must be exactly ---', first.line);
  const close = closingLine(text, first.next, file);
  if (!close.ok) return close;
  const { end, bodyStart, bodyLine } = close.value;
  const block = text.slice(bom, end).replaceAll('\r\n', '\n');
  const head = readHead(block, file);
  if (!head.ok) return head;
  return ok({ ...head.value, body: text.slice(bodyStart), bodyLine, present: true });
}

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

type Located = Pick<FrontMatter, 'head' | 'keyLines' | 'places'>;

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

function absent(text: string): FrontMatter {
  return {
    head: Object.create(null) as Record<string, unknown>,
    body: text,
    bodyLine: 1,
    keyLines: new Map(),
    places: new Map(),
    present: false,
  };
}

function lineAt(text: string, start: number): { line: string; end: number; next: number } {
  const newline = text.indexOf('\n', start);
  const stop = newline === -1 ? text.length : newline;
  const end = stop > start && text[stop - 1] === '\r' ? stop - 1 : stop;
  return { line: text.slice(start, end), end, next: newline === -1 ? text.length : newline + 1 };
}

function badFence(file: string, line: number, message: string, found?: string): Result<never> {
  return refused([
    problem({
      code: 'front_matter',
      file,
      line,
      message,
      ...(found === undefined ? {} : { found: JSON.stringify(found.slice(0, 60)) }),
      expected: '---',
      fix: 'Put the front matter between two lines of exactly three dashes.',
    }),
  ]);
}

/** Any other line that starts with --- is refused: gray-matter would take it for the end. */
function closingLine(
  text: string,
  start: number,
  file: string,
): Result<{ end: number; bodyStart: number; bodyLine: number }> {
  let number = 2;
  for (let at = start; at < text.length; number++) {
    const { line, end, next } = lineAt(text, at);
    if (line === '---') return ok({ end, bodyStart: next, bodyLine: number + 1 });
    if (line.startsWith('---'))
      return badFence(file, number, 'the closing line must be exactly ---', line);
    if (next - start > HEAD_CHARS_MAX || number > HEAD_LINES_MAX) {
      const limit = `${HEAD_LINES_MAX} lines and ${HEAD_CHARS_MAX} characters`;
      return badFence(file, number, `no closing line within ${limit}`);
    }
    at = next;
  }
  return badFence(file, 1, 'the front matter is not closed');
}

function rejectEngine(): never {
  throw new YamlRefusal('only YAML is read', 0, 'Write the front matter in YAML.');
}

const REJECT = { parse: rejectEngine, stringify: rejectEngine };

function readHead(
  block: string,
  file: string,
): Result<Pick<FrontMatter, 'head' | 'keyLines' | 'places'>> {
  // gray-matter hands over the source from behind the first ---, its line end included.
  let source = '';
  let parsed: YamlHead | undefined;
  const yaml = {
    parse: (text: string): object => {
      source = text;
      parsed = parseYamlHead(text);
      return parsed.data;
    },
    stringify: rejectEngine,
  };
  try {
    // Options are always passed: without them gray-matter caches, and shares, by text.
    matter(`${block}\n`, {
      language: 'yaml',
      engines: {
        yaml,
        yml: yaml,
        json: REJECT,
        js: REJECT,
        javascript: REJECT,
        coffee: REJECT,
        coffeescript: REJECT,
        cson: REJECT,
        toml: REJECT,
      },
      // A key of the head can make gray-matter look for an excerpt.
      excerpt: (input: unknown) => input as never,
    } as never);
  } catch (error) {
    return refused([yamlProblem(error, source, file)]);
  }
  if (parsed === undefined) return ok(pick(absent('')));
  return ok(located(parsed, source));
}

function located(
  parsed: YamlHead,
  source: string,
): Pick<FrontMatter, 'head' | 'keyLines' | 'places'> {
  const places = new Map<string, Place>();
  const newlines = newlineOffsets(source);
  for (const [path, offset] of parsed.offsets) places.set(path, placeIn(newlines, offset));
  return { head: parsed.data, keyLines: linesOf(parsed.data, places), places };
}

function linesOf(head: object, places: ReadonlyMap<string, Place>): Map<string, number> {
  return new Map(Object.keys(head).map((key) => [key, places.get(key)?.line ?? 1]));
}

function pick({ head, keyLines, places }: FrontMatter) {
  return { head, keyLines, places };
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

function yamlProblem(error: unknown, source: string, file: string): Problem {
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
