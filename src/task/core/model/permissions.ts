/**
 * What an agent may do to the workspace and to git, as data, and the one place that judges a change
 * against it (docs/reference/agents.md#permissions). Paths are relative to the folder that the agent
 * works in, with forward slashes. Whoever asks has normalised them: a path that leads out of that folder
 * is not asked about here, it is refused. Pure; a glob that cannot be read allows nothing.
 */
import { CLIENT_FOLDERS, ofProjects } from '../../../clients/core/records.ts';
import { globMatcher } from '../base/glob.ts';
import { assert } from './problem.ts';

/** Operations of git; reading is open to all. `pull_request` is opening or merging one. */
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

/** `hard` is refused; `soft` and `warn` are reported, in the brief and in the report. */
export const STRENGTHS = ['hard', 'soft', 'warn'] as const;
export type Strength = (typeof STRENGTHS)[number];

export interface Permissions {
  /** Globs of files that may be changed, made, removed; `append` may only grow at their end. */
  readonly write: readonly string[];
  readonly create: readonly string[];
  readonly delete: readonly string[];
  readonly append: readonly string[];
  readonly git: readonly GitOperation[];
  readonly strength: Strength;
  /** A contract's own globs: where they are given, one of them must match as well. */
  readonly within?: readonly string[];
  /** Paths that the contract names: its deliverables, and its own globs. */
  readonly named?: readonly string[];
  /** Paths of the runner beside `.contracts`; PROTECTED where left out. */
  readonly kept?: readonly string[];
  /** The tools that the agent's own file lists, in our words; all where left out. */
  readonly tools?: readonly string[];
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
  /** Allowed, except that the file runs by itself: the hook refuses it; afterwards it is only reported. */
  readonly runs?: true;
}

/** Never an agent's to write, whatever its globs say: the runner's own, and git's own files. */
export const PROTECTED = [
  '.git',
  'active_tasks',
  'LEDGER.md',
  '.contracts/config.yaml',
  '.contracts/archive',
  '.contracts/keys',
] as const;

/**
 * Settings of the runner and of clients, where agents are described and permissions and hooks are: written
 * only by globs that name the folder (and below `.contracts` the one in it) without a wildcard. `**`
 * does not. Every place of the project in agents/core/places.ts lies in one of them.
 */
export const SETTING_FOLDERS: readonly string[] = ['.contracts', '.agents', ...CLIENT_FOLDERS];
export const SETTING_FILES: readonly string[] = ofProjects('files');
const NAMED_ONLY = [...SETTING_FOLDERS, ...SETTING_FILES];

/**
 * Files and folders, at any depth, that programs run or obey without a call: when somebody opens the
 * project in an editor, enters its folder, installs, commits, pushes, or gives it to another agent. Left
 * out is what runs only when it is called (Makefile), and package.json, which ordinary work changes.
 */
export const RUNS_BY_ITSELF: readonly string[] = [
  ...ofProjects('guides'),
  ...(
    '.vscode .idea .zed .devcontainer .devcontainer.json .cursor .windsurf ' +
    '.envrc .direnv .mise.toml mise.toml .tool-versions .bazelrc ' +
    '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs ' +
    '.husky .pre-commit-config.yaml lefthook.yml .gitattributes .gitmodules ' +
    '.github/workflows .gitlab-ci.yml .circleci Jenkinsfile azure-pipelines.yml ' +
    '.github/copilot-instructions.md .github/instructions .cursorrules .windsurfrules .clinerules'
  ).split(' '),
];
const RUNNING: ReadonlySet<string> = new Set(RUNS_BY_ITSELF.map((one) => one.toLowerCase()));
export const RUNS_WORDS = 'it runs by itself or is obeyed, and no pattern names it';

/** The first part of the place that holds this path; undefined for what does not run by itself. */
export function runsByItself(segments: readonly string[]): string | undefined {
  const plain = segments.map(plainName);
  return plain.find((name, at) => RUNNING.has(name) || RUNNING.has(`${name}/${plain[at + 1]}`));
}

/** `.github/**` and `**\/AGENTS.md` name `.github` and `AGENTS.md`; wildcards name nothing. */
function names(glob: string, place: string): boolean {
  return glob.split('/').some((segment) => plainName(segment) === place);
}

/** True if any pattern of the agent or of its contract names this place. */
export function isNamed(permissions: Permissions, path: string): boolean {
  const place = runsByItself(path.split('/')) ?? '';
  const { write, create, append, named = [], delete: remove } = permissions;
  return [write, create, append, remove, named].flat().some((glob) => names(glob, place));
}

/** Settings of the runner or of a client are what this pattern names; what belongs to plans is none. */
export function namesSettings(glob: string): boolean {
  const [top, next] = glob.split('/');
  if (isSame('.contracts', top) && next === 'plans') return false;
  return NAMED_ONLY.some((one) => isSame(one, top));
}

/** undefined when it is allowed. */
export function refuseChange(permissions: Permissions, change: Change): Refusal | undefined {
  const { kind, path } = change;
  const hard = (why: string): Refusal => ({ strength: 'hard', why: `${kind} ${path}: ${why}` });
  const segments = path.split('/');
  if (segments.some((one) => one === '' || one === '.' || one === '..')) {
    return hard('this is not a path inside the workspace');
  }
  const keeper = keeperOf(permissions, segments);
  if (keeper !== undefined) return hard(`${keeper} cannot be written by an agent`);
  const named = NAMED_ONLY.find((one) => isSame(one, segments[0]));
  const globs = globsFor(permissions, kind);
  const matching = globs.filter((glob) => globMatcher(glob)(path));
  const allowed = named === undefined ? matching : matching.filter(namesItsFolder);
  if (allowed.length === 0) {
    const may = globs.length === 0 ? `may not ${kind} any file` : `may ${kind} ${globs.join(', ')}`;
    const only = matching.length > 0 ? ` (${named} only where a pattern names it)` : '';
    return { strength: permissions.strength, why: `${kind} ${path}: this agent ${may}${only}` };
  }
  const { within, named: given = [], strength } = permissions;
  if (isSame('.contracts', segments[0])) return undefined;
  if (within?.some((glob) => globMatcher(glob)(path)) === false) {
    const may = within.length === 0 ? 'nothing' : within.join(', ');
    return { strength, why: `${kind} ${path}: the contract lets it write ${may}` };
  }
  const place = runsByItself(segments);
  const fitting = [...matching, ...given.filter((glob) => globMatcher(glob)(path))];
  if (place === undefined || fitting.some((glob) => names(glob, place))) return undefined;
  return { strength, why: `${kind} ${path}: ${RUNS_WORDS}`, runs: true };
}

/** Globs for a kind of change: a writable file may grow; a file that may grow may begin. */
function globsFor(permissions: Permissions, kind: ChangeKind): readonly string[] {
  if (kind === 'append') return [...new Set([...permissions.append, ...permissions.write])];
  if (kind === 'create') return [...new Set([...permissions.create, ...permissions.append])];
  return permissions[kind];
}

/** The kept path that holds this one; git's own folder at any depth, as modules have it. */
function keeperOf(permissions: Permissions, segments: readonly string[]): string | undefined {
  if (segments.some((one) => isSame('.git', one) || /^git~\d+$/i.test(one))) return '.git';
  return (permissions.kept ?? PROTECTED).find((one) =>
    one.split('/').every((segment, i) => isSame(segment, segments[i])),
  );
}

/** Compares as file systems do that fold capitals, or take off dots and blanks at the end. */
function isSame(name: string, segment: string | undefined): boolean {
  return segment !== undefined && plainName(segment) === name.toLowerCase();
}

function plainName(segment: string): string {
  return segment.replace(/[. ]+$/, '').toLowerCase();
}

function namesItsFolder(glob: string): boolean {
  const [top = '', next = ''] = glob.split('/');
  const isPlain = (segment: string): boolean => !/[*?[]/.test(segment);
  return isPlain(top) && (top !== '.contracts' || (next !== '' && isPlain(next)));
}

/** undefined when it is allowed. */
export function refuseGit(permissions: Permissions, operation: GitOperation): Refusal | undefined {
  if (permissions.git.includes(operation)) return undefined;
  const may = permissions.git.length === 0 ? 'only read' : permissions.git.join(', ');
  return { strength: permissions.strength, why: `git ${operation}: this agent may ${may}` };
}

/** Refusal of a rewrite of files that nobody can name before it runs; undefined when it is allowed. */
export function refuseWhole(permissions: Permissions, what: string): Refusal | undefined {
  const { write, within, strength } = permissions;
  if ([write, within ?? ['**']].every((globs) => globs.includes('**'))) return undefined;
  const globs = write.includes('**') && within !== undefined ? within : write;
  const may = globs.length === 0 ? 'may write nothing' : `may write ${globs.join(', ')}`;
  return { strength, why: `${what} may rewrite any file: this agent ${may}` };
}

/** Operations that can change any ref: git of a shared tree is open to them alone. */
const TRUSTING: readonly GitOperation[] = ['merge', 'rebase', 'push', 'config'];

export function isTrustedWithGit({ git }: Pick<Permissions, 'git'>): boolean {
  return TRUSTING.some((one) => git.includes(one));
}

/**
 * The same permissions in fewer files: a contract narrows, and never widens. Notes of a plan below
 * `.contracts` are the role's own, and stay.
 */
export function narrowed(permissions: Permissions, write: readonly string[]): Permissions {
  assert(permissions.within === undefined, 'permissions are narrowed once');
  return { ...permissions, within: write };
}

/** Everything in the workspace, and of git what stays on this machine: who has no rules of his own. */
export const OPEN: Permissions = {
  write: ['**'],
  create: ['**'],
  delete: ['**'],
  append: ['**'],
  git: ['add', 'commit', 'branch', 'stash'],
  strength: 'hard',
};

/** Permissions of a reviewer, who writes on the desk alone. */
export const READ_ONLY: Permissions = {
  write: [],
  create: [],
  delete: [],
  append: [],
  git: [],
  strength: 'hard',
};
