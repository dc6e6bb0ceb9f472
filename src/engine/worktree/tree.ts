/**
 * The worktree of one task, `.contracts/worktrees/<id>`: kept over its attempts, so that a client finds
 * its session again (by the folder that it ran in) and installed packages stay. Made, looked at, put
 * at a commit. What would be lost by that is committed first, under refs/contracts/kept.
 */
import { join } from 'node:path';
import { attemptName } from '../../core/record.ts';
import { Fault } from '../../core/problem.ts';
import { errorCode } from '../../store/disk.ts';
import { SETTINGS, shown, worktreeFolder, worktreesFolder } from '../../store/layout.ts';
import { escapeText } from '../../text/terminal.ts';
import type { Workspace } from '../workspace.ts';
import { adminFolder, gitAt, mainPlace, type Git } from './git.ts';
import type { Repository } from './repository.ts';

export interface TaskTree {
  readonly folder: string;
  /** The worktree's own folder in the repository. */
  readonly admin: string;
  readonly git: Git;
}

const SMALL_BYTES = 64 * 1024;

/** As git shows a repository in a tree. */
export const LINK = '160000 ';

/** What an ended agent can have left of an operation that it was in. */
const UNDER_WAY = [
  'index.lock',
  'HEAD.lock',
  'MERGE_HEAD',
  'MERGE_MODE',
  'MERGE_MSG',
  'AUTO_MERGE',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'SQUASH_MSG',
];

export function branchOf(id: string): string {
  return `contracts/${id}`;
}

/** `kind` is violated, attempts or kept. */
export function refOf(kind: 'violated' | 'attempts' | 'kept', id: string, number: number): string {
  return `refs/contracts/${kind}/${id}/${attemptName(number)}`;
}

/** undefined where there is none, or one that nobody finished making. */
export function findTree(ws: Workspace, repo: Repository, id: string): TaskTree | undefined {
  const folder = worktreeFolder(ws.layout, id);
  if (ws.disk.stat(folder)?.kind !== 'folder') return undefined;
  const admin = adminFolder(ws, repo.common_dir, folder);
  if (admin === undefined || ws.disk.stat(join(admin, 'index')) === undefined) return undefined;
  return treeAt(ws, repo, folder, admin);
}

/** The reason that was given, in brackets, or nothing; undefined where nobody has locked it. */
export function lockOf(ws: Workspace, { admin }: Pick<TaskTree, 'admin'>): string | undefined {
  const path = join(admin, 'locked');
  if (ws.disk.stat(path)?.kind !== 'file') return undefined;
  const reason = Buffer.from(ws.disk.read(path, SMALL_BYTES)).toString('utf8').trim();
  return reason === '' ? '' : ` (${escapeText(reason.replace(/\s+/g, ' ')).slice(0, 200)})`;
}

function treeAt(ws: Workspace, repo: Repository, folder: string, admin: string): TaskTree {
  const place = { git_dir: admin, common_dir: repo.common_dir, work_tree: folder };
  return { folder, admin, git: gitAt(ws, place) };
}

/** A new one at that commit, with its HEAD on no branch. */
export function makeTree(ws: Workspace, repo: Repository, id: string, commit: string): TaskTree {
  const folder = worktreeFolder(ws.layout, id);
  makeIgnoredFolder(ws);
  removeHalfMade(ws, folder);
  // Twice: also where an earlier one was removed by hand, or git died while it made it.
  const how = ['--force', '--force', '--detach', '--no-checkout'];
  gitAt(ws, mainPlace(repo)).say(['worktree', 'add', ...how, folder, commit]);
  const admin = adminFolder(ws, repo.common_dir, folder);
  if (admin === undefined) {
    throw new Fault(`git made no worktree at ${shown(ws.layout, folder)}`, {
      fix: 'See git worktree list, and step again',
    });
  }
  const tree = treeAt(ws, repo, folder, admin);
  putAt(ws, tree, commit);
  return tree;
}

/** One file in it makes git ignore the whole: nothing of the person's own has to be changed. */
function makeIgnoredFolder(ws: Workspace): void {
  for (const folder of [join(ws.layout.root, SETTINGS), worktreesFolder(ws.layout)]) {
    unlessThere(() => ws.disk.mkdir(folder));
  }
  const ignore = join(worktreesFolder(ws.layout), '.gitignore');
  if (ws.disk.stat(ignore) !== undefined) return;
  unlessThere(() => ws.disk.create(ignore, Buffer.from('*\n'), { durable: false }));
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function removeHalfMade(ws: Workspace, folder: string): void {
  if (ws.disk.stat(folder) === undefined) return;
  const inside = ws.disk.list(folder).map(({ name }) => name);
  if (inside.some((name) => name !== '.git')) {
    throw new Fault(`${shown(ws.layout, folder)} is no worktree of this repository`, {
      fix: `Look at what is in it, move it away, then step again`,
    });
  }
  if (inside.length > 0) ws.disk.remove(join(folder, '.git'));
  ws.disk.remove(folder);
}

/** All files as in that commit, HEAD on no branch, nothing under way. Ignored files stay. */
export function putAt(ws: Workspace, tree: TaskTree, commit: string): void {
  quiet(ws, tree);
  // Marks in it can hide changes from git.
  removeIfThere(ws, join(tree.admin, 'index'));
  tree.git.say(['update-ref', '--no-deref', 'HEAD', commit]);
  tree.git.say(['reset', '--quiet', '--hard', commit]);
  tree.git.say(['clean', '--quiet', '-ffd']);
}

/** Nobody works there any more: locks and half operations of the dead are in the way of git. */
export function quiet(ws: Workspace, tree: TaskTree): void {
  for (const name of UNDER_WAY) removeIfThere(ws, join(tree.admin, name));
}

function removeIfThere(ws: Workspace, path: string): void {
  const kind = ws.disk.stat(path)?.kind;
  if (kind !== undefined && kind !== 'folder') ws.disk.remove(path);
}

/** The name of a git tree of all files as they lie there now, but for the ignored ones. */
export function treeOfFiles(ws: Workspace, { git, admin }: TaskTree, from: string): string {
  const index = join(admin, `contracts-index.${ws.machine.nonce().slice(0, 12)}`);
  try {
    git.say(['read-tree', from], { index });
    hideRepositories(git, index);
    const nested = repositoriesIn(git, index).map((path) => `:(exclude,top,literal)${path}`);
    const magic = { env: { GIT_LITERAL_PATHSPECS: '0' } };
    git.say(['add', '--all', '--', '.', ...nested], { index, ...magic });
    return git.say(['write-tree'], { index });
  } finally {
    removeIfThere(ws, index);
    removeIfThere(ws, `${index}.lock`);
  }
}

/** git would run in those that are known already, with what configures them. */
function hideRepositories(git: Git, index: string): void {
  const links = git
    .say(['ls-files', '--stage', '-z'], { index })
    .split('\0')
    .filter((line) => line.startsWith(LINK))
    .map((line) => `${pathIn(line)}\0`);
  if (links.length === 0) return;
  git.say(['update-index', '--skip-worktree', '-z', '--stdin'], { index, input: links.join('') });
}

/** Those that are in no commit and that git does not ignore; from the top of the worktree. */
export function repositoriesIn(git: Git, index?: string): readonly string[] {
  const how = ['--others', '--exclude-standard', '-z'];
  const said = git.say(['ls-files', ...how], index === undefined ? {} : { index });
  // git goes into every other folder.
  const found = said.split('\0').filter((path) => path.endsWith('/'));
  return found.map((path) => path.slice(0, -1));
}

/** The repositories that a commit names, as lines of git. */
export function linksOf(git: Git, commit: string): readonly string[] {
  const said = git.say(['ls-tree', '-r', '-z', '--full-tree', commit]);
  return said.split('\0').filter((line) => line.startsWith(LINK));
}

/** Where, of such a line. */
export function pathIn(line: string): string {
  return line.slice(line.indexOf('\t') + 1);
}

export interface Message {
  readonly id: string;
  readonly number: number;
  readonly subject: string;
}

export function commitTree(
  git: Git,
  tree: string,
  parents: readonly string[],
  { id, number, subject }: Message,
): string {
  const text = `${subject}\n\nContracts-Task: ${id}\nContracts-Attempt: ${attemptName(number)}\n`;
  const from = parents.flatMap((one) => ['-p', one]);
  return git.say(['commit-tree', tree, ...from, '-F', '-'], { input: text });
}

/** Puts it at the commit; what stood there and is in no commit is kept, and where is answered. */
export function putBack(
  ws: Workspace,
  tree: TaskTree,
  commit: string,
  of: { readonly id: string; readonly number: number },
): string | undefined {
  quiet(ws, tree);
  const files = treeOfFiles(ws, tree, commit);
  if (files === tree.git.say(['rev-parse', `${commit}^{tree}`])) {
    tree.git.say(['update-ref', '--no-deref', 'HEAD', commit]);
    tree.git.say(['read-tree', commit]);
    return undefined;
  }
  const head = tree.git.commitOf('HEAD') ?? commit;
  const known = files === tree.git.say(['rev-parse', `${head}^{tree}`]);
  const subject = 'what stood in the worktree and was in no commit';
  const kept = known ? head : commitTree(tree.git, files, [head], { ...of, subject });
  const ref = refOf('kept', of.id, of.number);
  tree.git.say(['update-ref', ref, kept]);
  putAt(ws, tree, commit);
  return ref;
}
