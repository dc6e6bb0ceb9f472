/**
 * What an agent may do to the workspace and to git, as data, and the one place that judges a change
 * against it (DESIGN §9). Paths are relative to the folder that the agent works in, with forward
 * slashes. Whoever asks has normalised them: a path that leads out of that folder is not asked about
 * here, it is refused. Pure; a glob that cannot be read allows nothing.
 */
import { globMatcher } from './glob.ts';

/** What git is asked to do; reading it is open to all. `pull_request` is opening or merging one. */
export const GIT_OPERATIONS = [
  'add',
  'commit',
  'branch',
  'tag',
  'stash',
  'merge',
  'rebase',
  'push',
  'pull_request',
  'config',
] as const;
export type GitOperation = (typeof GIT_OPERATIONS)[number];

/** `hard` is refused; `soft` and `warn` are told, in the brief and in the report. */
export const STRENGTHS = ['hard', 'soft', 'warn'] as const;
export type Strength = (typeof STRENGTHS)[number];

export interface Authority {
  /** Globs of files that may be changed, made, removed; `append` may only grow at their end. */
  readonly write: readonly string[];
  readonly create: readonly string[];
  readonly delete: readonly string[];
  readonly append: readonly string[];
  readonly git: readonly GitOperation[];
  readonly strength: Strength;
}

export const CHANGES = ['write', 'create', 'delete', 'append'] as const;
export type ChangeKind = (typeof CHANGES)[number];

export interface Change {
  readonly path: string;
  readonly kind: ChangeKind;
}

export interface Refusal {
  readonly strength: Strength;
  /** One line: what was refused, and what would be allowed. */
  readonly why: string;
}

/** Never an agent's to write, whatever its globs say: the runner's own, and git's own files. */
export const PROTECTED = ['.git', '.contracts', 'active_tasks', 'LEDGER.md'] as const;

/** undefined when it is allowed. */
export function refuseChange(authority: Authority, change: Change): Refusal | undefined {
  const { kind, path } = change;
  const allowed = authority[kind].some((glob) => globMatcher(glob)(path));
  const grows = kind === 'append' && authority.write.some((glob) => globMatcher(glob)(path));
  if (allowed || grows) return undefined;
  const globs = authority[kind];
  const may = globs.length === 0 ? `may ${kind} nothing` : `may ${kind} ${globs.join(', ')}`;
  return { strength: authority.strength, why: `${kind} ${path}: this agent ${may}` };
}

/** undefined when it is allowed. */
export function refuseGit(authority: Authority, operation: GitOperation): Refusal | undefined {
  if (authority.git.includes(operation)) return undefined;
  const may = authority.git.length === 0 ? 'nothing' : authority.git.join(', ');
  return { strength: authority.strength, why: `git ${operation}: this agent may ${may}` };
}

/** Everything in the workspace, and of git what stays on this machine: who has no rules of his own. */
export const OPEN: Authority = {
  write: ['**'],
  create: ['**'],
  delete: ['**'],
  append: ['**'],
  git: ['add', 'commit', 'branch', 'stash'],
  strength: 'hard',
};

/** Who reviews looks, and writes on the desk alone. */
export const READ_ONLY: Authority = {
  write: [],
  create: [],
  delete: [],
  append: [],
  git: [],
  strength: 'hard',
};
