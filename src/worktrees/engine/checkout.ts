/** The person's own checkout in a merge: only moved forward, which git does whole or refuses. */
import { join, relative } from 'node:path';
import { syncFileSystems } from '../../process/gate.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitAt, gitFault, mainPlace, parts, type Git } from './git.ts';
import { askedRepository, repositoryOf } from './workdir-record.ts';
import { mergeTrees } from './merge-commits.ts';
import type { Hindrance, Repository } from '../../workspace/open/repository.ts';
import { mainName } from './start-attempt.ts';
import type { Verified } from './verified-commit.ts';

export interface Checkout {
  readonly git: Git;
  readonly repo: Repository;
  readonly branch: string;
}

const NAMED_MAX = 5;
const UNDER_WAY = [
  ['MERGE_HEAD', 'a merge'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
] as const;

export function checkoutOf(ws: Workspace): Checkout {
  const repo = repositoryOf(ws);
  const git = gitAt(ws, mainPlace(repo));
  return { git, repo, branch: mainName(git) };
}

/** Without a repository, or before its first commit, no task has one. */
export function noBranch(ws: Workspace, ids: readonly string[]): Problem | undefined {
  if (askedRepository(ws) !== undefined) return undefined;
  const work = `the work of ${ids.join(', ') || 'all tasks'} is on no branch`;
  const message = `${work}: this folder is in no git repository with a commit`;
  const fix = 'It is in these files already: contracts list --state done';
  return problem({ code: 'environment', file: '.', message, fix });
}

/** Words for what a person began there and did not end. */
export function underWay(ws: Workspace, { git_dir }: Repository): string | undefined {
  return UNDER_WAY.find(([name]) => ws.disk.stat(join(git_dir, name)) !== undefined)?.[1];
}

const hinder = (why: string, fix: string): Hindrance => ({ why, fix });
const uncommitted = (paths: readonly string[]): Hindrance =>
  hinder(`changes are not committed: ${named(paths)}`, 'Commit them, or stash them');

/** The reason why these cannot be merged, and its fix. */
export function hindrance(
  ws: Workspace,
  checkout: Checkout,
  tasks: readonly Titled[],
): Hindrance | undefined {
  const { git, repo } = checkout;
  const begun = underWay(ws, repo);
  if (begun !== undefined)
    return hinder(`${begun} is in progress in the main checkout`, 'Finish it, or abort it');
  if (git.run(['symbolic-ref', '--quiet', 'HEAD']).code !== 0)
    return hinder('the main checkout is on no branch', 'git switch to the branch that you want');
  const how = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=no'];
  const entries = git.list(['status', ...how]);
  const staged = entries.filter((entry) => entry[0] !== ' ').map((entry) => entry.slice(3));
  const changed = entries.map((entry) => entry.slice(3)).filter((path) => !isOwn(ws, repo, path));
  if (staged.length > 0) {
    if (tasks.some((task) => isInIndex(checkout, prepare(checkout, task)))) return undefined;
    return hinder(`changes are staged: ${named(staged)}`, 'Commit them, or git restore --staged');
  }
  return changed.length > 0 ? uncommitted(changed) : undefined;
}

/** Folders of tasks change all the time, and no commit of a task may touch them. */
function isOwn(ws: Workspace, { top }: Repository, path: string): boolean {
  const { root, tasks } = ws.layout;
  const own = [tasks, join(root, '.contracts'), join(root, 'LEDGER.md')];
  const inside = own.map((one) => relative(top, one));
  return inside.some((one) => path === one || path.startsWith(`${one}/`));
}

function named(paths: readonly string[]): string {
  const more = paths.length - NAMED_MAX;
  return `${paths.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

type Prepared =
  | { readonly from: string; readonly to: string; readonly how: 'fast_forward' | 'merge' }
  | { readonly files: readonly string[] };
type Forward = Exclude<Prepared, { files: unknown }>;

type Titled = Verified & { readonly title: string; readonly trailers: string };

/** `from`: a commit; without it that of the branch. Moves nothing. */
export function prepare(
  { git, branch }: Checkout,
  verified: Titled,
  from = git.out(['rev-parse', 'HEAD']),
): Prepared {
  const { commit, title, trailers } = verified;
  if (git.holds(from, commit)) return { from, to: commit, how: 'fast_forward' };
  const merged = mergeTrees(git, from, commit);
  if (merged.files.length > 0) return { files: merged.files };
  const text = `Merge ${verified.branch} into ${branch}: ${title}\n\n${trailers}`;
  const parents = ['-p', from, '-p', commit];
  const to = git.out(['commit-tree', merged.tree, ...parents, '-F', '-'], { input: text });
  return { from, to, how: 'merge' };
}

/** A power cut in this merge can leave the index whole and the branch where it was. */
function isInIndex({ git }: Checkout, prepared: Prepared): boolean {
  if ('files' in prepared) return false;
  return git.run(['write-tree']).out.trim() === git.treeOf(prepared.to);
}

/** Makes the files of the last merge durable, and fills those again that a power cut left empty. */
export function keepCheckout(ws: Workspace, { git, repo }: Checkout): void {
  const { out } = git.run(['diff-tree', '-r', '-z', '--name-only', 'ORIG_HEAD', 'HEAD']);
  const empty = parts(out).filter((path) => ws.disk.stat(join(repo.top, path))?.bytes === 0);
  if (empty.length > 0) git.run(['checkout', '--quiet', 'HEAD', '--', ...empty]);
  syncFileSystems(ws.programs, repo.top, repo.common_dir);
}

/** git itself checks first that no file is in its way, not even an ignored one. */
export function forward(checkout: Checkout, prepared: Forward): Hindrance | undefined {
  const { git, branch } = checkout;
  const how = ['--ff-only', '--no-overwrite-ignore', '--quiet', '--no-stat', prepared.to];
  const moving = ['update-ref', 'HEAD', prepared.to, prepared.from];
  const result = git.run(isInIndex(checkout, prepared) ? moving : ['merge', ...how]);
  if (result.code === 0) return undefined;
  const { err } = result;
  const files = [...err.matchAll(/^\t(.*)$/gm)].map(([, path = '']) => escapeText(path));
  if (files.length > 0 && /untracked/.test(err)) {
    const are = files.length === 1 ? 'is' : 'are';
    const why = `${named(files)} ${are} in the way of the merge in the main checkout, and not committed there`;
    return hinder(why, 'Move or remove that, then merge again; nothing was changed');
  }
  if (files.length > 0) return uncommitted(files);
  if (/fast-forward/.test(err))
    return hinder(`${branch} was moved just now`, 'Merge again; nothing was changed');
  if (/index\.lock': File exists/.test(err)) {
    const why = 'another git is at work in the main checkout (index.lock)';
    return hinder(why, 'Wait for it, then merge again; if there is none, remove that file');
  }
  const fix = 'Fix what git reports, then merge again; nothing was changed';
  throw gitFault('git refused to update the checkout', result, fix);
}
