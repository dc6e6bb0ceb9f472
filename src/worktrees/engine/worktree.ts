/** The worktree of one task, kept for all attempts: clients find their sessions by its folder. */
import { basename, dirname, join } from 'node:path';
import { syncFileSystems } from '../../process/gate.ts';
import { attemptName } from '../../task/core/attempts/record.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { freshIndex, removeIfThere, treeOfFiles } from './write-tree.ts';
import {
  gitAt,
  gitFault,
  gitWords,
  linkedWorktrees,
  mainPlace,
  type Git,
  type Linked,
} from './git.ts';
import { isOfWorkspace, makePlace, noPlace, placeOf } from './place.ts';
import { findRepository, isRepository, type Repository } from '../../workspace/open/repository.ts';

export interface TaskTree extends Linked {
  /** False where it was created with another XDG_STATE_HOME: not for attempts. */
  readonly usable: boolean;
  readonly git: Git;
}

const SMALL_BYTES = 64 * 1024;

const LOCKS = ['index.lock', 'HEAD.lock'];
/** Left by an agent that ended in the middle of an operation. */
const UNDER_WAY =
  'MERGE_HEAD MERGE_MODE MERGE_MSG AUTO_MERGE CHERRY_PICK_HEAD REVERT_HEAD SQUASH_MSG'.split(' ');

export function branchOf(id: string): string {
  return `contracts/${id}`;
}

const KEPT = ['violated', 'attempts', 'unsettled', 'kept'] as const;
type Kept = (typeof KEPT)[number];

/** `kept`: what was in the worktree before that attempt; the others: its result. */
export function refOf(kind: Kept, id: string, number: number): string {
  return `refs/contracts/${kind}/${id}/${attemptName(number)}`;
}

/** Worktrees of all tasks; those that attempts may use come first. */
export function treesOf(ws: Workspace, { common_dir }: Repository): readonly Linked[] {
  const place = placeOf(ws);
  return linkedWorktrees(ws, common_dir)
    .filter(({ folder }) => isOfWorkspace(ws, folder) && ws.disk.stat(folder)?.kind === 'folder')
    .toSorted((a, b) => Number(dirname(b.folder) === place) - Number(dirname(a.folder) === place));
}

/** undefined without a complete one. */
export function findTree(ws: Workspace, repo: Repository, id: string): TaskTree | undefined {
  // A power cut may lose the index alone: the files there are not thrown away.
  const found = treesOf(ws, repo).find(
    ({ folder, admin }) =>
      basename(folder) === id &&
      (ws.disk.stat(join(admin, 'index')) !== undefined || !isHalfMade(ws, folder)),
  );
  return found && treeAt(ws, repo, found);
}

/** The reason of the lock, in brackets, or ''; undefined without a lock. */
export function lockOf(ws: Workspace, { admin }: Pick<TaskTree, 'admin'>): string | undefined {
  const path = join(admin, 'locked');
  if (ws.disk.stat(path)?.kind !== 'file') return undefined;
  const reason = Buffer.from(ws.disk.read(path, SMALL_BYTES)).toString('utf8').trim();
  return reason === '' ? '' : ` (${escapeText(reason.replace(/\s+/g, ' ')).slice(0, 200)})`;
}

function treeAt(ws: Workspace, { common_dir }: Repository, { folder, admin }: Linked): TaskTree {
  const place = { git_dir: admin, common_dir, work_tree: folder };
  const usable = dirname(folder) === placeOf(ws) && noPlace(ws) === undefined;
  return { folder, admin, usable, git: gitAt(ws, place) };
}

/** Detached, at that commit. */
export function makeTree(ws: Workspace, repo: Repository, id: string, commit: string): TaskTree {
  const folder = join(makePlace(ws), id);
  removeHalfMade(ws, folder);
  // Twice: also where an earlier one was removed by hand, or git died while it made it.
  const how = ['--force', '--force', '--detach', '--no-checkout'];
  gitAt(ws, mainPlace(repo)).out(['worktree', 'add', ...how, folder, commit]);
  const made = treesOf(ws, repo).find((one) => one.folder === folder);
  if (made === undefined) {
    const fix = 'See git worktree list, then run this again';
    throw new Fault('git', `git created no worktree at ${folder}`, { fix });
  }
  // While it is empty: one that a power cut left half made then has no file.
  syncFileSystems(ws.programs, folder, repo.common_dir);
  const tree = treeAt(ws, repo, made);
  putAt(ws, tree, commit);
  return tree;
}

function removeHalfMade(ws: Workspace, folder: string): void {
  const kind = ws.disk.stat(folder)?.kind;
  if (kind === undefined) return;
  if (kind !== 'folder' || !isHalfMade(ws, folder)) {
    const what = kind === 'folder' ? 'is not a worktree of this repository' : 'is not a folder';
    const why = `${folder} ${what}, and the worktree of this task belongs there`;
    throw new Uncleared(`${why}: move it away, or remove it`);
  }
  removeIfThere(ws, join(folder, '.git'));
  ws.disk.remove(folder);
}

function isHalfMade(ws: Workspace, folder: string): boolean {
  return ws.disk.list(folder).every(({ name }) => name === '.git');
}

/** Detached, with the files of that commit and no operation under way. Ignored files stay. */
export function putAt(ws: Workspace, tree: TaskTree, commit: string): void {
  quiet(ws, tree);
  // Flags in the index can hide changes from git.
  removeIfThere(ws, join(tree.admin, 'index'));
  tree.git.detach(commit);
  const reset = ['reset', '--quiet', '--hard', commit];
  // The first makes the index, and only by that the second finds files outside sparse patterns.
  for (const args of [reset, reset, ['clean', '--quiet', '-ffd']]) {
    const result = tree.git.run(args);
    if (result.code === 0) continue;
    if (!/: (?:Permission denied|Operation not permitted|Directory not empty)$/m.test(result.err)) {
      throw gitFault(`git ${args[0]} failed`, result);
    }
    const why = `files that an earlier attempt left in ${shown(ws.layout, tree.folder)} cannot be removed`;
    throw new Uncleared(`${why} (git says ${gitWords(result)}): chmod -R u+rwX it, or remove it`);
  }
}

/** Every later attempt would fail the same way, so the task is blocked. */
export class Uncleared extends Fault {
  constructor(message: string) {
    super('git', message, { fix: 'Do that, then run this again' });
    this.name = 'Uncleared';
  }
}

/** No process works there any more: removes what a git that died there, or the power, left locked. */
export function unlock(ws: Workspace, { admin }: TaskTree): void {
  for (const name of LOCKS) removeIfThere(ws, join(admin, name));
}

/** No process works there any more: removes locks and unfinished operations, which stop git. */
export function quiet(ws: Workspace, tree: TaskTree): void {
  unlock(ws, tree);
  for (const name of UNDER_WAY) removeIfThere(ws, join(tree.admin, name));
  const refs = join(tree.git.place.common_dir, 'refs');
  const id = basename(tree.folder);
  removeIfThere(ws, join(refs, 'heads', `${branchOf(id)}.lock`));
  for (const folder of KEPT.map((kind) => join(refs, 'contracts', kind, id))) {
    const locks = listOrNothing(ws.disk, folder).filter(({ name }) => name.endsWith('.lock'));
    for (const { name } of locks) removeIfThere(ws, join(folder, name));
  }
}

export interface Message {
  readonly id: string;
  readonly number: number;
  readonly subject: string;
  /** A ref that may have it already, from a runner that died after it. */
  readonly made?: string;
}

export function commitTree(
  git: Git,
  tree: string,
  parents: readonly string[],
  { id, number, subject, made }: Message,
): string {
  const text = `${subject}\n\nContracts-Task: ${id}\nContracts-Attempt: ${attemptName(number)}\n`;
  const head = [`tree ${tree}`, ...parents.map((one) => `parent ${one}`), 'author '].join('\n');
  const before = made && git.commitOf(made);
  const raw = before ? git.run(['cat-file', 'commit', before]).out : '';
  // Made again, it would be another one by its date, and the branch is at the first.
  if (before && raw.startsWith(head) && raw.endsWith(`\n\n${text}`)) return before;
  const from = parents.flatMap((one) => ['-p', one]);
  return git.out(['commit-tree', tree, ...from, '-F', '-'], { input: text });
}

/** Returns the ref that keeps uncommitted work, if there was any. */
export function putBack(
  ws: Workspace,
  tree: TaskTree,
  commit: string,
  of: Omit<Message, 'subject'>,
): string | undefined {
  quiet(ws, tree);
  const { tree: files } = treeOfFiles(ws, tree, commit);
  if (files === tree.git.treeOf(commit)) {
    tree.git.detach(commit);
    freshIndex(ws, tree, commit);
    return undefined;
  }
  const head = tree.git.commitOf('HEAD') ?? commit;
  const known = files === tree.git.treeOf(head);
  const subject = 'uncommitted files of the worktree';
  const kept = known ? head : commitTree(tree.git, files, [head], { ...of, subject });
  const ref = refOf('kept', of.id, of.number);
  tree.git.out(['update-ref', ref, kept]);
  putAt(ws, tree, commit);
  return ref;
}

export function worktreeOf(ws: Workspace, id: string): string | undefined {
  const repo = findRepository(ws, ws.layout.root);
  return isRepository(repo) ? findTree(ws, repo, id)?.folder : undefined;
}

/** Place where the work of an aborted or archived task stays. */
export function keptWork(ws: Workspace, id: string): string | undefined {
  const folder = worktreeOf(ws, id);
  return folder && `its work stays in ${shown(ws.layout, folder)}, branch ${branchOf(id)}`;
}
