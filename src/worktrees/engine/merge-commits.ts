/** Merges commits in git's store, without touching any checkout. */
import type { Permissions } from '../../task/core/model/permissions.ts';
import { gitFault, parts, type Git } from './git.ts';
import type { Worktree } from './workdir.ts';
import { commitTree, type Message } from './worktree.ts';

export interface Side {
  /** The branch, for people. */
  readonly name: string;
  readonly commit: string;
}

export interface Conflict {
  readonly ours: Side;
  readonly theirs: Side;
  readonly files: readonly string[];
  /** With git's marks in the files. */
  readonly tree: string;
}

export type Joined =
  | { readonly commit: string; readonly conflict?: undefined }
  | { readonly commit: string; readonly conflict: Conflict };

/** In order; stops at the first conflict. */
export function join(
  git: Git,
  first: Side,
  others: readonly Side[],
  message: (joining: Side) => Message,
): Joined {
  let ours = first;
  for (const theirs of others) {
    if (git.holds(theirs.commit, ours.commit)) continue;
    if (git.holds(ours.commit, theirs.commit)) {
      ours = theirs;
      continue;
    }
    const merged = mergeTrees(git, ours.commit, theirs.commit);
    if (merged.files.length > 0) {
      return { commit: ours.commit, conflict: { ours, theirs, ...merged } };
    }
    const parents = [ours.commit, theirs.commit];
    const commit = commitTree(git, merged.tree, parents, message(theirs));
    ours = { name: `${ours.name} and ${theirs.name}`, commit };
  }
  return { commit: ours.commit };
}

export function mergeTrees(
  git: Git,
  ours: string,
  theirs: string,
): Pick<Conflict, 'tree' | 'files'> {
  const how = ['--write-tree', '--name-only', '--no-messages', '-z'];
  const result = git.run(['merge-tree', ...how, ours, theirs]);
  const [tree = '', ...files] = parts(result.out);
  if (result.code === 0) return { tree, files: [] };
  if (result.code === 1 && files.length > 0) return { tree, files: [...new Set(files)] };
  throw gitFault('git merge-tree failed', result, 'It needs git 2.38 or newer; see git --version');
}

/** Commits that an agent that may merge or rebase took in, if a branch or tag had them before. Refs of the runner keep violations. */
export function mergedBefore(
  { git, base, refs = new Map<string, string>() }: Worktree,
  head: string,
  permissions: Permissions,
): string | undefined {
  if (!permissions.git.some((one) => one === 'merge' || one === 'rebase')) return undefined;
  const own = [...refs].filter(([name]) => /^refs\/(?:heads|remotes|tags)\//.test(name));
  const known = new Set(own.map(([, commit]) => commit));
  const tips = parts(git.out(['rev-list', head, `^${base}`]), '\n').filter((one) => known.has(one));
  const [tip, ...more] =
    tips.length < 2 ? tips : parts(git.out(['merge-base', '--independent', ...tips]), '\n');
  const isKin = tip !== undefined && git.run(['merge-base', base, tip]).code === 0;
  return isKin && more.length === 0 ? tip : undefined;
}

/** Tasks whose commits changed these files on the one side since it left the other. */
export function tasksBehind(
  git: Git,
  from: string,
  to: string,
  files: readonly string[],
): readonly string[] {
  const format = '--format=%(trailers:key=Contracts-Task,key=Contract,valueonly,separator=%x0A)';
  const { out } = git.run(['log', format, `${from}..${to}`, '--', ...files]);
  return [...new Set(parts(out, '\n'))];
}
