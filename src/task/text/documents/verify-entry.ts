/**
 * One entry under `verify:` as a check; a name that is not known is left to a squad or a capability. A
 * form that cannot be meant is a problem, never a guess: a check misread is a check not made.
 */
import type { Check } from '../../core/model/contract.ts';
import { ok, problem, refused, type Result } from '../../core/model/problem.ts';
import { checkGlob, checkPath } from './paths.ts';

const PATTERN_CHARS_MAX = 500;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
/** Checks of the runner itself; any other word is a name of a squad or a capability. */
const WORDS = 'run file_exists checklist matches template result json';
export const CHECK_WORDS = WORDS.split(' ');

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
  if (word === 'checklist') return checklist(value ?? '');
  if (value === undefined) return bareCheck(word);
  switch (word) {
    case 'run':
      return value === ''
        ? bad('run has no command', value, 'Write the command after run:.')
        : ok({ kind: 'run', command: value });
    case 'file_exists':
      return withPath(checkGlob(value), value, { kind: 'file_exists', path: value });
    case 'matches':
      return matches(value);
    case 'template':
      return twoFiles(value, 'headings', (path, headings) => ({ kind: word, path, headings }));
    case 'json':
      return twoFiles(value, 'schema', (path, schema) => ({ kind: word, path, schema }));
    case 'result':
      return result(value);
    default:
      return named(word, value);
  }
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

/** Alone, or with the name of a file in the squad's checklists/. */
function checklist(value: string): Result<Check> {
  const name = value.replace(/\.md$/, '');
  if (name === '') return ok({ kind: 'checklist' });
  if (NAME.test(name)) return ok({ kind: 'checklist', name });
  const fix = "Write the name of a file in the squad's checklists/, or checklist alone.";
  return bad('not a valid checklist name', value, fix);
}

function bareCheck(word: string): Result<Check> {
  if (CHECK_WORDS.includes(word))
    return bad(`${word} has no value`, word, `Write it after ${word}:.`);
  if (!NAME.test(word)) {
    const fix = 'A shell command needs run: before it.';
    return bad('not a valid check name', word, fix);
  }
  return ok({ kind: 'named', name: word });
}

function withPath(wrong: string | undefined, path: string, check: Check): Result<Check> {
  return wrong === undefined ? ok(check) : refused([pathProblem(wrong, path, '', 1)]);
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
  if (path === '') return bareCheck(name);
  if (NAME.test(name) && checkPath(path) === undefined) return ok({ kind: 'named', name, path });
  const fix = `Use one of ${CHECK_WORDS.join(', ')}, or the name of a check with at most a path.`;
  return bad(`verify knows no ${quoted(name)} with this value`, name, fix);
}

function matches(value: string): Result<Check> {
  const at = value.search(/\s\//);
  if (at === -1 || !value.endsWith('/') || value.length < at + 4) {
    const fix = 'Write matches: <file> /<pattern>/.';
    return bad('matches has no file and /pattern/', value, fix);
  }
  const path = value.slice(0, at).trim();
  const pattern = value.slice(at + 2, -1);
  if (pattern.length > PATTERN_CHARS_MAX) {
    const message = `the pattern has more than ${PATTERN_CHARS_MAX} characters`;
    return bad(message, pattern, 'Write a shorter pattern.');
  }
  try {
    new RegExp(pattern, 'mu');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not a pattern';
    const fix = 'Correct the regular expression (JavaScript, flags m and u).';
    return bad(`the pattern cannot be read: ${reason}`, pattern, fix);
  }
  return withPath(checkPath(path), path, { kind: 'matches', path, pattern });
}

function twoFiles(
  value: string,
  second: string,
  make: (path: string, other: string) => Extract<Check, { kind: 'template' | 'json' }>,
): Result<Check> {
  const [path = '', other = '', ...rest] = value.split(/\s+/);
  const check = make(path, other);
  if (other === '' || rest.length > 0) {
    const fix = `Write ${check.kind}: <file> <${second} file>.`;
    return bad(`${check.kind} needs two files`, value, fix);
  }
  const wrong = checkPath(path) ?? checkPath(other);
  const found = checkPath(path) === undefined ? other : path;
  return withPath(wrong, found, check);
}

function result(value: string): Result<Check> {
  const headings = value.split(',').map((one) => one.replace(/^[\s#]+/, '').trim());
  if (headings.every((one) => one !== '')) return ok({ kind: 'result', headings });
  return bad('result has no headings', value, 'Write result: <heading>, <heading>.');
}
