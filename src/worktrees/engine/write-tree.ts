/** All files of a worktree as a git tree. Runs git in no nested repository. */
import { join } from 'node:path';
import type { GitResult } from '../../git/runner-git.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitFault, type Git } from './git.ts';
import { readPrepared } from './prepared.ts';

/** How git marks a nested repository in a tree. */
export const LINK = '160000 ';

const NAMED_MAX = 20;

export interface FilesTree {
  /** Without the files that git does not accept, or with them as in the first commit. */
  readonly tree: string;
  /** Names that git reserves for its own folders on some machine: they cannot be committed. */
  readonly forbidden: readonly string[];
  /** Unreadable or special files, with the reason. */
  readonly untaken: readonly string[];
  /** Folders of repositories that the commit does not have: they cannot be committed. */
  readonly nested: readonly string[];
  /** Submodules, as lines of git: files in them are in no tree. */
  readonly links: readonly string[];
}

/** A folder of the repository in which an index can be created. */
export interface Place {
  readonly git: Git;
  readonly admin: string;
}

/** Gives the path of an index beside that of the worktree, of which nothing stays. */
export function withIndex<T>(ws: Workspace, admin: string, act: (index: string) => T): T {
  const index = join(admin, `contracts-index.${ws.machine.nonce().slice(0, 12)}`);
  try {
    return act(index);
  } finally {
    removeIfThere(ws, index);
    removeIfThere(ws, `${index}.lock`);
  }
}

export function treeOfFiles(ws: Workspace, { git, admin }: Place, from: string): FilesTree {
  return withIndex(ws, admin, (index) => {
    freshIndex(ws, { git, admin }, from, index);
    const links = hideRepositories(ws, git, index);
    const nested = repositoriesIn(git, index);
    const without = nested.map((path) => `:(exclude,top,literal)${path}`);
    const magic = { env: { GIT_LITERAL_PATHSPECS: '0' }, config: WHOLE };
    const add = ['add', '--all', '--ignore-errors', '--', '.', ...without];
    const left = notTaken(git.run(add, { index, ...magic }));
    const input = readPrepared(ws, admin).copied.join('\0');
    if (input !== '')
      git.out(['update-index', '--force-remove', '-z', '--stdin'], { index, input });
    return { tree: git.out(['write-tree'], { index }), ...left, nested, links };
  });
}

/** Without the patterns of a sparse checkout, git leaves out no file and unhides no repository. */
export const WHOLE = [['core.sparseCheckout', 'false']] as const;

/**
 * The index at that commit, without flags of the old one. In a sparse checkout, a path outside the
 * patterns counts as left out and not as deleted, unless a file is there: then it counts as any other.
 */
export function freshIndex(
  ws: Workspace,
  { git, admin }: Place,
  commit: string,
  index = join(admin, 'index'),
): void {
  removeIfThere(ws, index);
  git.out(['reset', '--quiet', '--no-refresh', commit, '--', '.'], { index });
  if (ws.disk.stat(join(admin, 'info', 'sparse-checkout')) === undefined) return;
  const config = [['sparse.expectFilesOutsideOfPatterns', 'false']] as const;
  git.out(['update-index', '--force-write-index'], { index, config });
}

/** A name may hold a newline, never a NUL. */
const FORBIDDEN = /^error: invalid path '([^]*?)'$/gm;
const UNREAD = /^error: open\("([^]*?)"\): (.*)$/gm;
const UNREAD_FOLDER = /^warning: could not open directory '([^]*?)': (.*)$/gm;
const NO_FILE = /^error: (.*): can only add (regular files, symbolic links or git-directories)$/gm;
/** Through `core.safecrlf` of the person; git then accepts nothing at all. */
const LINE_ENDS = /^fatal: (?:CRLF|LF) would be replaced by (?:CRLF|LF) in (.*)$/gm;
/** `.gitattributes` requires another encoding; git then accepts nothing at all either. */
const ENCODING =
  /^fatal: (?:failed to encode|BOM is (?:required|prohibited) in) '([^]*?)' (?:from|if encoded as) (\S*)/gm;
const UNINDEXED = /^error: unable to index file '/gm;

function notTaken(result: GitResult): Pick<FilesTree, 'forbidden' | 'untaken'> {
  const { code, err } = result;
  const found = (pattern: RegExp): readonly RegExpMatchArray[] => [...err.matchAll(pattern)];
  const messages = (pattern: RegExp, words: (path: string, more: string) => string) =>
    found(pattern).map(([, path = '', more = '']) => words(JSON.stringify(path), more));
  const forbidden = found(FORBIDDEN).map(([, path = '']) => path);
  const untaken = [
    ...messages(UNREAD, (path, why) => `${path} cannot be read (${why})`),
    ...messages(UNREAD_FOLDER, (path, why) => `${path} cannot be read (${why})`),
    ...messages(NO_FILE, (path, what) => `${path} is none of ${what}`),
    ...messages(LINE_ENDS, (path) => `the line ends of ${path} would change (core.safecrlf)`),
    ...messages(ENCODING, (path, as) => `${path} cannot be encoded as .gitattributes says (${as})`),
  ];
  const isReported = found(UNINDEXED).length <= found(UNREAD).length;
  const known = forbidden.length + untaken.length > 0 && isReported;
  if (code !== 0 && !known) throw gitFault('git add failed', result);
  return { forbidden: bounded(forbidden), untaken: bounded(untaken) };
}

export function bounded(all: readonly string[]): readonly string[] {
  return [...new Set(all)].slice(0, NAMED_MAX);
}

/** git would run in known ones, with their own configuration. Returns them, without those that were removed. */
export function hideRepositories(ws: Workspace, git: Git, index: string): readonly string[] {
  const all = git.list(['ls-files', '--stage', '-z'], { index });
  const { work_tree } = git.place;
  const links = all.filter(
    (line) => line.startsWith(LINK) && ws.disk.stat(join(work_tree, pathIn(line))) !== undefined,
  );
  const input = links.map((line) => `${pathIn(line)}\0`).join('');
  if (input !== '') git.out(['update-index', '--skip-worktree', '-z', '--stdin'], { index, input });
  return links;
}

/** Untracked and not ignored ones; from the top of the worktree. */
export function repositoriesIn(git: Git, index?: string): readonly string[] {
  const how = ['--others', '--exclude-standard', '-z'];
  const paths = git.list(['ls-files', ...how], index === undefined ? {} : { index });
  // git descends into every other folder.
  return paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
}

/** Nested repositories in a commit, as lines of git. */
export function linksOf(git: Git, commit: string): readonly string[] {
  const lines = git.list(['ls-tree', '-r', '-z', '--full-tree', commit]);
  return lines.filter((line) => line.startsWith(LINK));
}

export function pathIn(line: string): string {
  return line.slice(line.indexOf('\t') + 1);
}

export function removeIfThere(ws: Workspace, path: string): void {
  const kind = ws.disk.stat(path)?.kind;
  if (kind !== undefined && kind !== 'folder') ws.disk.remove(path);
}
