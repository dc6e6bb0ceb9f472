/**
 * The only door to gray-matter. Front matter is written by agents and people whom nobody checked,
 * so it is YAML of one kind or it is refused: never code, never a guess, never a cached object.
 * Refusals are problems with file, line and column.
 */
import matter from 'gray-matter';
import { ok, problem, refused, type Result } from '../core/problem.ts';
import { bareReturn, type Place } from './encoding.ts';
import { readPlainHead, type PlainHead } from './plain-head.ts';
import { parseYamlHead, type YamlHead } from './yaml-head.ts';
import { YamlRefusal } from './yaml-tokens.ts';
import { HEAD_CHARS_MAX, linesOf, located, type Located, yamlProblem } from './located.ts';

export { dumpFrontMatter } from './dump.ts';

export { decodeText, type Place } from './encoding.ts';

export interface FrontMatter extends Located {
  /** What follows the closing line, byte for byte; the whole text when there is no front matter. */
  readonly body: string;
  /** 1-based line of the first line of the body. */
  readonly bodyLine: number;
  readonly present: boolean;
}

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

function readHead(block: string, file: string): Result<Located> {
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

function pick({ head, keyLines, places }: FrontMatter) {
  return { head, keyLines, places };
}
