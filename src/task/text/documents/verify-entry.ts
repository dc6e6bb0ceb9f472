/**
 * One entry under `verify:` as a check; a name that is not known is left to a squad or a capability. A
 * form that cannot be meant is a problem, never a guess: a check misread is a check not made.
 */
import { ALONE, CHECK_WORDS, factsOf, type Check, type Form } from '../../core/model/checks.ts';
import { ok, problem, refused, type Result } from '../../core/model/problem.ts';
import { checkGlob, checkPath } from './paths.ts';

const PATTERN_CHARS_MAX = 500;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

function bad(message: string, found: string, fix: string): Result<never> {
  return refused({ code: 'bad_value', ...NOWHERE, message, found: quoted(found), fix });
}

/** Until parseCheck sets the place. */
const NOWHERE = { file: '', line: 1 };

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** `entry` is the string form (`run: npm test`) or a mapping with one key. */
export function parseCheck(entry: unknown, file: string, line: number): Result<Check> {
  const read = readCheck(entry);
  return read.ok ? read : refused(read.problems.map((one) => ({ ...one, file, line })));
}

function readCheck(entry: unknown): Result<Check> {
  const pair = pairOf(entry);
  if (pair === undefined) {
    const message = 'a verify entry is neither a text nor a mapping with one key';
    const found = JSON.stringify(entry) ?? 'nothing';
    return bad(message, found, 'Write run: <command>, file_exists: <path> or a name.');
  }
  const { word, value } = pair;
  const kind = CHECK_WORDS.find((one) => one === word);
  if (kind === undefined) return named(word, value ?? '');
  // What it holds is what its fields say.
  if (ALONE.includes(kind) && (value ?? '') === '') return ok({ kind } as Check);
  return value === undefined
    ? bad(`${word} has no value`, word, `Write it after ${word}:.`)
    : withValue(kind, value);
}

function pairOf(entry: unknown): { word: string; value: string | undefined } | undefined {
  if (typeof entry === 'string') {
    const text = entry.trim();
    const match = /^([a-z_]+):(?:\s+|$)/.exec(text);
    if (match === null) return { word: text, value: undefined };
    return { word: match[1] ?? '', value: text.slice(match[0].length).trim() };
  }
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
  const pairs = Object.entries(entry);
  const [word, value] = pairs[0] ?? ['', undefined];
  if (pairs.length !== 1) return undefined;
  if (value === null || value === true) return { word, value: undefined };
  return typeof value === 'string' ? { word, value: value.trim() } : undefined;
}

function withValue(kind: Check['kind'], value: string): Result<Check> {
  const fields = Object.entries(factsOf({ kind }).fields);
  const parts = partsOf(value, fields.length, fields.at(-1)?.[1]);
  const check: Record<string, unknown> = { kind };
  // Without the parts, the last says what was expected.
  for (const [i, [name, form]] of (parts ? fields : fields.slice(-1)).entries()) {
    const read = READ[form](parts?.[i], kind, name);
    if (Array.isArray(read)) return bad(read[0], value, read[1]);
    if (!read.ok) return read;
    check[name] = read.value;
  }
  return ok(check as unknown as Check);
}

/** undefined where they are more or less than the fields. Only a path before a pattern may have a blank. */
function partsOf(value: string, count: number, last?: Form): readonly string[] | undefined {
  if (count === 1) return [value];
  const at = last === 'pattern' ? value.search(/\s\//) : -1;
  if (at !== -1 && value.endsWith('/') && value.length >= at + 4)
    return [value.slice(0, at).trim(), value.slice(at + 2, -1)];
  const parts = last === 'pattern' ? [] : value.split(/\s+/);
  return parts.length === count ? parts : undefined;
}

type Value = string | readonly string[];
type Lacks = [message: string, fix: string];

/** The value of a field, or what its entry lacks; no text: the parts of the entry are not its fields. */
const READ: Readonly<
  Record<Form, (text: string | undefined, word: string, field: string) => Result<Value> | Lacks>
> = {
  command: (text, word) =>
    text ? ok(text) : [`${word} has no command`, `Write the command after ${word}:.`],
  glob: (text = '') => pathOr(checkGlob(text), text),
  path: (text, word, field) =>
    text === undefined
      ? [`${word} needs two files`, `Write ${word}: <file> <${field} file>.`]
      : pathOr(checkPath(text), text),
  pattern: (text, word) =>
    text === undefined
      ? [`${word} has no file and /pattern/`, `Write ${word}: <file> /<pattern>/.`]
      : pattern(text),
  headings(text = '', word) {
    const all = text.split(',').map((one) => one.replace(/^[\s#]+/, '').trim());
    if (!all.includes('')) return ok(all);
    return [`${word} has no headings`, `Write ${word}: <heading>, <heading>.`];
  },
  'name?'(text = '', word) {
    const name = text.replace(/\.md$/, '');
    if (NAME.test(name)) return ok(name);
    const fix = `Write the name of a file in the squad's ${word}s/, or ${word} alone.`;
    return [`not a valid ${word} name`, fix];
  },
  'path?': (text = '') => pathOr(checkPath(text), text),
};

function pathOr(wrong: string | undefined, path: string): Result<string> {
  return wrong === undefined ? ok(path) : refused([pathProblem(wrong, path, '', 1)]);
}

export function pathProblem(wrong: string, path: string, file: string, line: number) {
  return problem({
    code: 'bad_path',
    file,
    line,
    message: wrong,
    found: quoted(path),
    expected: 'a path below the workspace, with /',
    fix: 'Write the path from the workspace root, without ./ or ../ before it.',
  });
}

/** A check of a capability; its name is checked before the call, where the workspace is known. */
function named(name: string, path: string): Result<Check> {
  const isName = NAME.test(name);
  if (path === '') {
    const fix = 'A shell command needs run: before it.';
    return isName ? ok({ kind: 'named', name }) : bad('not a valid check name', name, fix);
  }
  if (isName && checkPath(path) === undefined) return ok({ kind: 'named', name, path });
  const fix = `Use one of ${CHECK_WORDS.join(', ')}, or the name of a check with at most a path.`;
  return bad(`verify knows no ${quoted(name)} with this value`, name, fix);
}

function pattern(text: string): Result<string> {
  if (text.length > PATTERN_CHARS_MAX) {
    const message = `the pattern has more than ${PATTERN_CHARS_MAX} characters`;
    return bad(message, text, 'Write a shorter pattern.');
  }
  try {
    new RegExp(text, 'mu');
    return ok(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not a pattern';
    const fix = 'Correct the regular expression (JavaScript, flags m and u).';
    return bad(`the pattern cannot be read: ${reason}`, text, fix);
  }
}
