/**
 * A worktree and its branch after a merge: removed only when everything in them is merged and nothing
 * stands there that is in no commit. Answers why not, and then leaves all of it where it is.
 */
import { join, relative } from 'node:path';
import { shown, worktreeFolder } from '../../store/layout.ts';
import type { Workspace } from '../workspace.ts';
import type { Checkout } from './checkout.ts';
import { branchOf, findTree, treeOfFiles } from './tree.ts';

export interface Removal {
  readonly removed: boolean;
  /** Why it was left there; empty when it was not. */
  readonly why: string;
}

/** `deliverables` that git ignores stand nowhere else. */
export function removeMerged(
  ws: Workspace,
  checkout: Checkout,
  id: string,
  deliverables: readonly string[],
): Removal {
  const { git, repo } = checkout;
  const ref = `refs/heads/${branchOf(id)}`;
  const tip = git.commitOf(ref);
  if (tip !== undefined && !git.holds(tip, 'HEAD')) {
    return kept(`${branchOf(id)} has commits that are not merged`);
  }
  const why = ofTree(ws, checkout, id, deliverables);
  if (why !== undefined) return kept(why);
  const folder = worktreeFolder(ws.layout, id);
  if (findTree(ws, repo, id) !== undefined) {
    const said = git.run(['worktree', 'remove', folder]);
    if (said.code !== 0) return kept(said.err.trim().slice(0, 300));
  }
  if (tip !== undefined) {
    const said = git.run(['branch', '--quiet', '-D', branchOf(id)]);
    if (said.code !== 0) return kept(said.err.trim().slice(0, 300));
  }
  dropMerged(checkout, id);
  return { removed: true, why: '' };
}

function kept(why: string): Removal {
  return { removed: false, why };
}

function ofTree(
  ws: Workspace,
  { git, repo }: Checkout,
  id: string,
  deliverables: readonly string[],
): string | undefined {
  const tree = findTree(ws, repo, id);
  if (tree === undefined) return undefined;
  const where = shown(ws.layout, tree.folder);
  const head = tree.git.commitOf('HEAD');
  if (head === undefined || !git.holds(head, 'HEAD'))
    return `${where} is at a commit that is not merged`;
  const files = treeOfFiles(ws, tree, head);
  if (files !== tree.git.say(['rev-parse', `${head}^{tree}`])) {
    return `${where} holds changes that are in no commit`;
  }
  const root = join(tree.folder, repo.prefix);
  const ignored = deliverables.find(
    (path) =>
      ws.disk.stat(join(root, path)) !== undefined &&
      git.run(['cat-file', '-e', `HEAD:${relative(tree.folder, join(root, path))}`]).code !== 0,
  );
  return ignored === undefined
    ? undefined
    : `${ignored} is ignored by git and stands only in ${where}`;
}

/** The names that kept its commits; those of what is not merged stay. */
function dropMerged({ git }: Checkout, id: string): void {
  const format = '--format=%(refname) %(objectname)';
  const said = git.run(['for-each-ref', format, '--merged=HEAD', `refs/contracts/attempts/${id}/`]);
  for (const line of said.out.split('\n')) {
    const [ref, commit] = line.split(' ');
    if (ref !== undefined && commit !== undefined) git.run(['update-ref', '-d', ref, commit]);
  }
}
