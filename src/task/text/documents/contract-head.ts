/** The raw head of a contract to the typed head: what is refused becomes problems with a place. */
import type * as z from 'zod';
import { HEAD_KEYS, type ContractHead } from '../../core/model/contract-shape.ts';
import { DURATION_WORDS } from '../../core/base/duration.ts';
import { MEANT } from '../../core/model/refused-keys.ts';
import { EMPTY_HEAD, parseContractHead } from '../../core/model/parse-head.ts';
import { didYouMean, nearest } from '../../core/base/nearest.ts';
import { ok, problem, refused, type Problem, type Result } from '../../core/model/problem.ts';
import type { Place } from '../yaml/front-matter.ts';
import type { Located } from '../yaml/plain-yaml.ts';
import type { Line } from '../markdown/line-scanner.ts';
import { fieldsOf } from '../markdown/sections.ts';

export interface RawHead extends Located {
  /** Success criteria that the head itself names. */
  readonly criteria?: readonly { readonly text: string; readonly line: number }[];
}

const IS_KNOWN = new Set(HEAD_KEYS);
const LIST_KEYS = new Set(
  'depends_on context_files context_from deliverables quality_gate skills write tags'.split(' '),
);
const COUNT_KEYS = new Set(['v', 'wave', 'retries_max', 'questions_max', 'reviews_max']);
const WORD_KEYS = new Set(
  'type priority complexity isolation sandbox network rerun ask'.split(' '),
);
const AGENT_KEYS = new Set(['agent', 'quality_gate', 'delegated_by']);
const ALIASES: Readonly<Record<string, string>> = { task_id: 'id', task: 'id' };

/** The head of a contract without front matter: a table or bullets before the first section. */
export function headFromFields(lines: readonly Line[], file: string): Result<RawHead> {
  const head: Record<string, unknown> = {};
  const places = new Map<string, Place>();
  for (const field of fieldsOf(lines)) {
    if (field.form === 'plain' || (field.key === 'field' && field.form === 'table')) continue;
    const name = field.key.replaceAll(' ', '_').replaceAll('-', '_');
    const key = ALIASES[name] ?? name;
    const line = field.line.index + 1;
    if (places.has(key)) {
      const fix = 'Keep one of them.';
      return refused({ code: 'bad_value', file, line, message: `${key} is given twice`, fix });
    }
    places.set(key, { line, col: 1 });
    if (key !== '' && field.value !== '') head[key] = fieldValue(key, bare(field.value));
  }
  return ok({ head, places });
}

function bare(value: string): string {
  const inner = /^(`|\*\*|__)([\s\S]+)\1$/.exec(value)?.[2];
  return (inner ?? value).trim();
}

function fieldValue(key: string, value: string): unknown {
  if (COUNT_KEYS.has(key) && /^\d{1,9}$/.test(value)) return Number(value);
  if (WORD_KEYS.has(key)) return value.toLowerCase();
  if (LIST_KEYS.has(key)) {
    const parts = value.split(',').map((part) => bare(part.trim()));
    return parts.filter((part) => part !== '').map((part) => agentName(key, part));
  }
  return agentName(key, value);
}

function agentName(key: string, value: string): string {
  if (!AGENT_KEYS.has(key)) return value;
  const words = value.toLowerCase().split(/[\s_]+/);
  return words.filter(Boolean).join('-');
}

export interface TypedHead {
  /** Without the keys that are wrong. */
  readonly head: ContractHead;
  readonly unknown: readonly string[];
  /** Errors first. */
  readonly problems: readonly Problem[];
}

export function typeHead(raw: RawHead, file: string): TypedHead {
  const known: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const key of Object.keys(raw.head)) {
    if (IS_KNOWN.has(key)) known[key] = raw.head[key];
    else unknown.push(key);
  }
  const problems = unknown
    .map((key) => unknownKey(key, raw, file))
    .sort((a, b) => a.severity.localeCompare(b.severity));
  const parsed = parseContractHead(known);
  if (parsed.success) return { head: parsed.data, unknown, problems };
  const issues = parsed.error.issues.map((issue) => issueProblem(issue, raw, file));
  const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]));
  const left = Object.entries(known).filter(([key]) => !wrong.has(key));
  const rest = parseContractHead(Object.fromEntries(left));
  const head = rest.success ? rest.data : EMPTY_HEAD;
  return { head, unknown, problems: [...issues, ...problems] };
}

/** Keys that demand or forbid: if one is misspelt, the task would run without it. */
const BINDING = new Set(
  'verify quality_gate write sandbox network isolation depends_on deliverables agent'.split(' '),
);

function unknownKey(key: string, raw: RawHead, file: string): Problem {
  const meant = MEANT.get(key);
  const near = meant ?? nearest(key, HEAD_KEYS);
  const base = { code: 'unknown_key', file, ...raw.places.get(key) } as const;
  if (meant !== undefined) {
    const message = `the key for this is ${meant}; this key would be ignored`;
    return problem({ ...base, message, found: JSON.stringify(key), fix: `Write ${meant} instead` });
  }
  const found = JSON.stringify(key.slice(0, 60));
  if (near !== undefined && BINDING.has(near) && raw.head[near] === undefined) {
    const message = `an unknown key, most likely ${near}; the task would run without it`;
    const fix = `Write ${near}; your own keys need another name, such as x_${key.slice(0, 40)}.`;
    return problem({ ...base, message, found, fix });
  }
  const message = 'an unknown key: kept, but not used';
  const fix = near === undefined ? 'Remove it if it is a mistake.' : `Did you mean ${near}?`;
  return problem({ ...base, severity: 'warning', message, found, fix });
}

type Issue = z.core.$ZodIssue;

/** In a union: the branch that got furthest into the value, else all branches as alternatives. */
function deepest(issue: Issue): { path: PropertyKey[]; issues: readonly Issue[] } {
  const path = [...issue.path];
  if (issue.code !== 'invalid_union') return { path, issues: [issue] };
  const further = issue.errors.find((branch) => branch.some((inner) => inner.path.length > 0));
  const inner = further?.[0];
  if (inner === undefined) return { path, issues: issue.errors.flat() };
  const below = deepest(inner);
  return { path: [...path, ...below.path], issues: below.issues };
}

/** A problem of a head, of a contract or of another file with a schema. */
export function issueProblem(issue: Issue, raw: RawHead, file: string): Problem {
  const { path, issues } = deepest(issue);
  const name = path.map(String).join('.');
  const type = issues.every(({ code }) => code === 'invalid_type' || code === 'invalid_union');
  const found = valueAt(raw.head, path);
  const isBare = typeof found === 'number' && /(?:timeout|stall)$/.test(name);
  const expected = isBare ? DURATION_WORDS : [...new Set(issues.map(expectation))].join(' or ');
  const several = issues.every(
    (inner) => inner.code === 'invalid_value' && inner.values.length > 1,
  );
  const words = issues.flatMap((inner) => (inner.code === 'invalid_value' ? inner.values : []));
  const meant = typeof found === 'string' ? didYouMean(found, words.map(String)) : '';
  return problem({
    code: type ? 'wrong_type' : 'bad_value',
    file,
    ...placeOf(path, raw.places),
    message: type ? `${name} has the wrong type` : `${name} has a value that is not accepted`,
    found: shown(found),
    expected,
    fix: `${meant}Write ${several ? 'one of ' : ''}${expected} for ${name}.`,
  });
}

const TYPES: Readonly<Record<string, string>> = { array: 'a list', record: 'key: value lines' };

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return (
        TYPES[issue.expected] ?? `${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
      );
    case 'invalid_value':
      return issue.values.map(String).join(', ');
    case 'too_big':
      return `at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'too_small':
      return `at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'invalid_union':
      return [...new Set(issue.errors.flat().map(expectation))].join(' or ');
    default:
      return issue.message;
  }
}

/** The place of the longest start of the path that has one, of at least `least` parts. */
export function placeOf(
  path: readonly PropertyKey[],
  places: ReadonlyMap<string, Place> | undefined,
  least = 1,
): Place | undefined {
  for (let length = path.length; length >= least; length--) {
    const place = places?.get(path.slice(0, length).map(String).join('.'));
    if (place !== undefined) return place;
  }
  return undefined;
}

export function valueAt(head: unknown, path: readonly PropertyKey[]): unknown {
  let value = head;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
