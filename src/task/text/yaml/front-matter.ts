/**
 * The only door to gray-matter. Front matter is written by agents and people whom nobody checked,
 * so it is YAML of one kind or it is refused: never code, never a guess, never a cached object.
 * Refusals are problems with file, line and column.
 */
import matter from 'gray-matter';
import { ok, refused, type Result } from '../../core/model/problem.ts';
import { bareReturn } from '../markdown/encoding.ts';
import { HEAD_CHARS_MAX, PlainLocated, type Located, yamlProblem } from './located.ts';
import { readPlainYaml, type Data } from './plain-yaml.ts';
import { parseYamlHead } from './yaml-head.ts';
import { YamlRefusal } from './yaml-tokens.ts';

export { dumpFrontMatter } from './dump.ts';

export { decodeText, type Place } from '../markdown/encoding.ts';

export interface FrontMatter extends Located {
  /** What follows the closing line, byte for byte; the whole text when there is no front matter. */
  readonly body: string;
  readonly present: boolean;
}

const HEAD_LINES_MAX = 2000;

export function readFrontMatter(text: string, file: string): Result<FrontMatter> {
  const bare = bareReturn(text, file);
  if (bare !== undefined) return bare;
  const plain = readPlain(text);
  return plain === undefined ? readFully(text, file) : ok(plain);
}

/** Without the YAML parser; undefined where that could mean something else. */
export function readPlain(text: string): FrontMatter | undefined {
  if (!text.startsWith('---\n')) return undefined;
  const end = text.indexOf('\n---', '---'.length);
  const behind = end + '\n---'.length;
  if (end === -1 || (behind < text.length && text[behind] !== '\n')) return undefined;
  // Its first line is the rest of the opening one, so that lines are counted as in the file.
  const source = text.slice('---'.length, end + 1);
  const head = readPlainYaml(source);
  return head === undefined ? undefined : new PlainFront(source, head, text.slice(behind + 1));
}

class PlainFront extends PlainLocated implements FrontMatter {
  readonly present = true;
  readonly body: string;

  constructor(source: string, head: Data, body: string) {
    super(source, head);
    this.body = body;
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
  const { end, bodyStart } = close.value;
  const block = text.slice(bom, end).replaceAll('\r\n', '\n');
  const head = readHead(block, file);
  if (!head.ok) return head;
  return ok({ ...head.value, body: text.slice(bodyStart), present: true });
}

function absent(text: string): FrontMatter {
  return {
    head: Object.create(null) as Data,
    body: text,
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
  return refused({
    code: 'front_matter',
    file,
    line,
    message,
    ...(found === undefined ? {} : { found: JSON.stringify(found.slice(0, 60)) }),
    expected: '---',
    fix: 'Put the front matter between two lines of exactly three dashes.',
  });
}

/** Any other line that starts with --- is refused: gray-matter would take it for the end. */
function closingLine(
  text: string,
  start: number,
  file: string,
): Result<{ end: number; bodyStart: number }> {
  let number = 2;
  for (let at = start; at < text.length; number++) {
    const { line, end, next } = lineAt(text, at);
    if (line === '---') return ok({ end, bodyStart: next });
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

/** Those that gray-matter knows besides, and those whose names it would look up in vain. */
const OTHERS = ['json', 'js', 'javascript', 'coffee', 'coffeescript', 'cson', 'toml'];
const REJECT = { parse: rejectEngine, stringify: rejectEngine };
const REJECTED = Object.fromEntries(OTHERS.map((name) => [name, REJECT]));

function readHead(block: string, file: string): Result<Located> {
  // gray-matter hands over the source from behind the first ---, its line end included.
  let source = '';
  let read: Located = absent('');
  const yaml = {
    parse: (text: string): object => {
      source = text;
      read = parseYamlHead(text);
      return read.head;
    },
    stringify: rejectEngine,
  };
  try {
    // Options are always passed: without them gray-matter caches, and shares, by text.
    matter(`${block}\n`, {
      language: 'yaml',
      engines: { ...REJECTED, yaml, yml: yaml },
      // A key of the head can make gray-matter look for an excerpt.
      excerpt: (input: unknown) => input as never,
    } as never);
  } catch (error) {
    return refused([yamlProblem(error, source, file)]);
  }
  return ok(read);
}
