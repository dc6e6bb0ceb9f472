/**
 * Front matter, which nobody checked before: YAML of one kind between two lines of three dashes, or a
 * problem. The only door to gray-matter, which by itself runs code, guesses and shares cached objects.
 */
import matter from 'gray-matter';
import { ok, refused, type Result } from '../../core/model/problem.ts';
import { bareReturn } from '../markdown/encoding.ts';
import { plainMapping, type Located } from './plain-yaml.ts';
import { HEAD_CHARS_MAX, parseYamlHead, yamlProblem } from './yaml-head.ts';

export { dumpFrontMatter } from './dump.ts';

export { decodeText, type Place } from '../markdown/encoding.ts';

export interface FrontMatter extends Located {
  /** Text behind the closing line, byte for byte; the whole text when there is no front matter. */
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
  const after = end + '\n---'.length;
  if (end === -1 || (after < text.length && text[after] !== '\n')) return undefined;
  // Its first line is the rest of the opening one, so that lines are counted as in the file.
  const read = plainMapping(text.slice('---'.length, end + 1));
  return read && Object.assign(read, { body: text.slice(after + 1), present: true });
}

/** By gray-matter and the YAML parser, whatever it is. */
export function readFully(text: string, file: string): Result<FrontMatter> {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  if (!text.startsWith('---', start)) return ok({ ...noHead(), body: text, present: false });
  const first = lineAt(text, start);
  if (first !== '---') return badFence(file, 1, 'the first line must be exactly ---', first);
  const end = text.indexOf('\n---', start) + 1;
  const head = text.slice(start, end === 0 ? undefined : end);
  const line = head.split('\n').length;
  if (head.length > HEAD_CHARS_MAX || line > HEAD_LINES_MAX) {
    const limit = `${HEAD_LINES_MAX} lines and ${HEAD_CHARS_MAX} characters`;
    return badFence(file, 1, `no closing line within ${limit}`);
  }
  if (end === 0) return badFence(file, 1, 'the front matter is not closed');
  const close = lineAt(text, end);
  // gray-matter would take any line that starts with --- for the end.
  if (close !== '---') return badFence(file, line, 'the closing line must be exactly ---', close);
  const read = readHead(`${head.replaceAll('\r\n', '\n')}---\n`, file);
  if (!read.ok) return read;
  const next = text.indexOf('\n', end);
  return ok({ ...read.value, body: next === -1 ? '' : text.slice(next + 1), present: true });
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? undefined : end).replace(/\r$/, '');
}

function noHead(): Located {
  return { head: Object.create(null) as Located['head'], places: new Map() };
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

function readHead(block: string, file: string): Result<Located> {
  let source = '';
  let read = noHead();
  const yaml = (text: string): object => {
    source = text;
    read = parseYamlHead(text);
    return read.head;
  };
  try {
    // Options are always passed: without them gray-matter caches, and shares, by text.
    matter(block, {
      engines: { yaml },
      // A key of the head can make gray-matter look for an excerpt.
      excerpt: (input: unknown) => input as never,
    } as never);
  } catch (error) {
    return refused([yamlProblem(error, source, file)]);
  }
  return ok(read);
}
