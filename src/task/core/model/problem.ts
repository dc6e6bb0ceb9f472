/**
 * Problems are expected and travel as values: bad input, a missing file, a contract that cannot be run.
 * A fault (the environment failed) is thrown and caught per task; a bug is an assertion.
 * Nothing here prints or throws, except `assert` and `unreachable`, which mean our own mistake.
 */

export const PROBLEM_CODES = [
  'front_matter', // missing, unclosed, not a mapping, not YAML
  'yaml', // YAML that the runner refuses: syntax, aliases, depth, size
  'encoding', // not UTF-8, NUL, bare CR
  'not_a_file', // symlink, FIFO, device, folder, hard link
  'too_large',
  'missing_file',
  'unknown_key',
  'wrong_type',
  'bad_value',
  'bad_path',
  'bad_id',
  'renamed_item', // a task of a plan that no item has any more
  'missing_section',
  'no_criteria',
  'unknown_agent',
  'unknown_skill',
  'unknown_squad',
  'unknown_adapter',
  'unknown_check',
  'gate_is_executor',
  'unknown_dependency',
  'dependency_aborted',
  'cycle',
  'deliverable_overlap',
  'two_states',
  'secret', // a token, or the value of a named variable
  'conflict', // marks of a merge, or a merge that is not settled
  'id_mismatch',
  'unreadable',
  'other_task',
  'undecided',
  'unanswered',
  'unread_words',
  'leftover',
  'dead_owner',
  'unticked_criterion',
  'unnamed_criterion',
  'missing_deliverable',
  'empty_deliverable',
  'stale_deliverable',
  'broken_signature', // receipts or an approval that changed after they were signed
  'check_failed',
  'no_result',
  'beyond_permissions', // a deliverable that the agent may not write
  'same_client', // who reviews is called by the client that did the work
  'inside_attempt', // a person's verb, called by an agent
  'environment',
  'missing_program', // what an agent is called with is not installed
  'untrusted', // nobody has said that anything of it may be started
  'story_not_kept', // work on it ended, and its story was not brought up to date
  'relative_import', // one that leaves its folder, where the project uses absolute imports
  'not_checked', // rules that only a reader can judge
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** This machine is to blame, not what is written. */
export function isOfMachine({ code }: Problem): boolean {
  return code === 'environment' || code === 'missing_program';
}

/** One thing that is wrong, with the place and the cure. `file` is relative to the workspace root. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** 1-based; 1 when the whole file is meant. */
  readonly line: number;
  /** 1-based, in characters. */
  readonly col: number;
  /** One sentence without a full stop: what is wrong. */
  readonly message: string;
  readonly found?: string;
  readonly expected?: string;
  /** One sentence: what the reader can do about it. */
  readonly fix: string;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const NO_WARNINGS: readonly Problem[] = Object.freeze([]);

export function ok<T>(value: T, warnings: readonly Problem[] = NO_WARNINGS): Result<T> {
  return { ok: true, value, warnings };
}

/** Takes the fields alone of a single problem. */
export function refused(found: readonly Problem[] | ProblemInput): Result<never> {
  return { ok: false, problems: 'code' in found ? [problem(found)] : found };
}

export type ProblemInput = Omit<Problem, 'severity' | 'line' | 'col'> &
  Partial<Pick<Problem, 'severity' | 'line' | 'col'>>;

export function problem(input: ProblemInput): Problem {
  return { severity: 'error', line: 1, col: 1, ...input };
}

/** A name without an ending, or in a state folder. */
const FOLDER =
  /(?:^|\/)(?:\.{0,2}(?!tmp-)[^/.]*|(?:draft|ready|in_progress|questions|review|blocked|done|aborted)\/(?!.*\.(?:md|txt)$)[^/]+)\/?$/;

/** `file:line:col: error: text (found X, expected Y). Fix.` — the form editors' matchers read; a folder has no lines. */
export function formatProblem(p: Problem): string {
  const facts = [
    p.found === undefined ? '' : `found ${p.found}`,
    p.expected === undefined ? '' : `expected ${p.expected}`,
  ].filter((part) => part !== '');
  const details = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const place = p.line === 1 && p.col === 1 && FOLDER.test(p.file) ? '' : `:${p.line}:${p.col}`;
  return `${p.file}${place}: ${p.severity}: ${p.message}${details}. ${p.fix}`;
}

/** Values named in one line. */
const TOLD_MAX = 10;

/** On one line, each once; undefined where there are only warnings. */
export function errorsIn(problems: readonly Problem[]): string | undefined {
  const wrong = problems.filter(({ severity }) => severity === 'error').map(formatProblem);
  const errors = [...new Set(wrong)];
  if (errors.length === 0) return undefined;
  const more = errors.length - TOLD_MAX;
  return [...errors.slice(0, TOLD_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** A problem that pre-flight finds in a contract. */
export type Report = (code: ProblemCode, message: string, fix: string, extra?: Extra) => void;

export interface Extra extends Partial<Problem> {
  /** Keys of the contract that are to blame; the first that is given says the line. */
  readonly keys?: readonly string[];
}

/** `tree`: folders or files are not what they have to be. Each is met in test/engine/faults.test.ts. */
export const FAULT_CODES = [
  ...(['disk', 'tree', 'workspace', 'template', 'adapter'] as const),
  ...(['program', 'sandbox', 'network', 'git', 'login', 'trust'] as const),
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/** The environment failed: full disk, missing program, a permission. Thrown with its cause. */
export class Fault extends Error {
  /** Named unlike `code`, where Node's own errors have their numbers. */
  readonly fault: FaultCode;
  readonly fix: string;
  constructor(code: FaultCode, message: string, options: { cause?: unknown; fix: string }) {
    super(message, { cause: options.cause });
    this.name = 'Fault';
    this.fault = code;
    this.fix = options.fix;
  }
  /** Knows it by name, too: parts of the command that are loaded later have a class of their own. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, error)) return true;
    return this === Fault && error instanceof Error && error.name === 'Fault';
  }
}

/** Our own mistake. Caught only in `main`, which exits 70. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`bug: ${message}`);
}

export function unreachable(value: never): never {
  throw new Error(`bug: unexpected ${JSON.stringify(value)}`);
}

/** Words of anything that was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
