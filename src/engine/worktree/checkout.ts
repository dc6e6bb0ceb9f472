/**
 * The person's own checkout, as what is done goes into it: what stands in the way of a merge is said
 * first, the merge is computed in git's store, and then the checkout is only moved forward, which git
 * does whole or refuses. Nothing here throws away a change.
 */
import { join, relative } from 'node:path';
import { syncFileSystems } from '../../agent/gate.ts';
import { Fault } from '../../core/problem.ts';
import { escapeText } from '../../text/terminal.ts';
import type { Workspace } from '../workspace.ts';
import { gitAt, gitWords, mainPlace, type Git } from './git.ts';
import { repositoryOf } from './ground-record.ts';
import { mergeTrees } from './join.ts';
import type { Repository } from './repository.ts';
import { mainName } from './start.ts';
import type { Verified } from './verified.ts';

export interface Checkout {
  readonly git: Git;
  readonly repo: Repository;
  /** The branch that stands there. */
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

export interface Hindrance {
  readonly why: string;
  readonly fix: string;
}

/** What keeps anything from being merged there, with its cure; undefined when nothing does. */
export function hindrance(ws: Workspace, { git, repo }: Checkout): Hindrance | undefined {
  const begun = UNDER_WAY.find(([name]) => ws.disk.stat(join(repo.git_dir, name)) !== undefined);
  if (begun !== undefined) {
    return { why: `${begun[1]} is under way in the main checkout`, fix: 'Finish it, or abort it' };
  }
  if (git.run(['symbolic-ref', '--quiet', 'HEAD']).code !== 0) {
    return {
      why: 'the main checkout is on no branch',
      fix: 'git switch to the branch that is meant',
    };
  }
  const said = git.say(['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no']);
  const entries = said.split('\0').filter((entry) => entry !== '');
  const staged = entries.filter((entry) => entry[0] !== ' ').map((entry) => entry.slice(3));
  const changed = entries.map((entry) => entry.slice(3)).filter((path) => !isOwn(ws, repo, path));
  if (staged.length > 0) {
    return {
      why: `changes are staged: ${named(staged)}`,
      fix: 'Commit them, or git restore --staged',
    };
  }
  if (changed.length > 0) {
    return {
      why: `changes are not committed: ${named(changed)}`,
      fix: 'Commit them, or stash them',
    };
  }
  return undefined;
}

/** The folders of tasks change all the time, and no task's commit may touch them. */
function isOwn(ws: Workspace, { top }: Repository, path: string): boolean {
  const { root, tasks } = ws.layout;
  const own = [tasks, join(root, '.contracts'), join(root, 'LEDGER.md')];
  return own
    .map((one) => relative(top, one))
    .some((one) => path === one || path.startsWith(`${one}/`));
}

function named(paths: readonly string[]): string {
  const more = paths.length - NAMED_MAX;
  return `${paths.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The commit that the branch would come to, or the files in conflict. */
export type Prepared =
  | { readonly to: string; readonly how: 'fast_forward' | 'merge' }
  | { readonly files: readonly string[] };

export function prepare({ git, branch }: Checkout, verified: Verified, title: string): Prepared {
  const { commit, id } = verified;
  const head = git.say(['rev-parse', 'HEAD']);
  if (git.holds(head, commit)) return { to: commit, how: 'fast_forward' };
  const merged = mergeTrees(git, head, commit);
  if (merged.files.length > 0) return { files: merged.files };
  const text = `Merge ${verified.branch} into ${branch}: ${title}\n\nContracts-Task: ${id}\n`;
  const parents = ['-p', head, '-p', commit];
  const to = git.say(['commit-tree', merged.tree, ...parents, '-F', '-'], { input: text });
  return { to, how: 'merge' };
}

/**
 * What a merge checked out is made durable. After a power cut right behind a merge the branch has the
 * commit and these files are empty: they are filled again; an empty file holds nothing to lose.
 */
export function keepCheckout(ws: Workspace, { git, repo }: Checkout, commit: string): void {
  const said = git.run(['diff-tree', '-r', '-z', '--no-commit-id', '--name-only', commit]);
  const empty = said.out.split('\0').filter((path) => {
    return path !== '' && ws.disk.stat(join(repo.top, path))?.bytes === 0;
  });
  if (empty.length > 0) git.run(['checkout', '--quiet', 'HEAD', '--', ...empty]);
  syncFileSystems(repo.top, repo.common_dir);
}

/** git looks itself that no file is in its way, an ignored one neither, before it writes the first. */
export function forward({ git, branch }: Checkout, to: string): Hindrance | undefined {
  const said = git.run(['merge', '--ff-only', '--no-overwrite-ignore', '--quiet', '--no-stat', to]);
  if (said.code === 0) return undefined;
  const { err } = said;
  const files = [...err.matchAll(/^\t(.*)$/gm)].map(([, path = '']) => escapeText(path));
  if (files.length > 0 && /untracked/.test(err)) {
    return {
      why: `${named(files)} ${files.length === 1 ? 'is' : 'are'} in its way in the main checkout, and in no commit there`,
      fix: 'Move or remove what is in its way, then merge again; nothing was changed',
    };
  }
  if (files.length > 0) {
    return { why: `changes are not committed: ${named(files)}`, fix: 'Commit them, or stash them' };
  }
  if (/fast-forward/.test(err)) {
    return { why: `${branch} was moved just now`, fix: 'Merge again; nothing was changed' };
  }
  if (/index\.lock': File exists/.test(err)) {
    return {
      why: 'another git is at work in the main checkout (index.lock)',
      fix: 'Wait for it, then merge again; if there is none, remove that file',
    };
  }
  throw new Fault('git', `git would not update the checkout: ${gitWords(said)}`, {
    fix: 'Look at what git says, then merge again; nothing was changed',
  });
}
