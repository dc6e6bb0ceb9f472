/** Removes a worktree and its branch after a merge, only when nothing in them would be lost. */
import { join, relative } from 'node:path';
import { shown } from '../../task/store/tasks/layout.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { keepCheckout, type Checkout } from './checkout.ts';
import { linksOf, pathIn, treeOfFiles } from './write-tree.ts';
import { gitWords, parts } from './git.ts';
import { ignoredIn, reliedOn } from './ignored.ts';
import { branchOf, findTree, lockOf, type TaskTree } from './worktree.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

export interface Removal {
  readonly removed: boolean;
  /** Why it was left; empty when it was removed. */
  readonly why: string;
}

/** Ignored files that must not be lost: deliverables, and what a check names. */
export interface Named {
  readonly deliverables: readonly string[];
  /** As the contract has them. */
  readonly checks: readonly string[];
  /** Its receipts name what the checks passed with. */
  readonly checked: string;
}

export function removeMerged(ws: Workspace, checkout: Checkout, id: string, named: Named): Removal {
  const { git, repo } = checkout;
  keepCheckout(ws, checkout);
  const ref = `refs/heads/${branchOf(id)}`;
  const tip = git.commitOf(ref);
  if (tip !== undefined && !git.holds(tip, 'HEAD')) {
    return kept(`${branchOf(id)} has commits that are not merged`);
  }
  const tree = findTree(ws, repo, id);
  const why = ofTree(ws, checkout, id, named, tree) ?? inUse(ws, checkout, id, tree);
  if (why !== undefined) return kept(why);
  const branch = branchOf(id);
  const ends = [
    tree && { what: shown(ws.layout, tree.folder), how: ['worktree', 'remove', tree.folder] },
    tip && { what: `branch ${branch}`, how: ['branch', '--quiet', '-D', branch] },
  ];
  for (const { what, how } of ends.filter((one) => typeof one === 'object')) {
    const end = git.run(how);
    if (end.code !== 0) return kept(`${what} could not be removed: git says ${gitWords(end)}`);
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
  { deliverables, checks, checked }: Named,
  tree?: TaskTree,
): string | undefined {
  if (tree === undefined) return undefined;
  const where = shown(ws.layout, tree.folder);
  const head = tree.git.commitOf('HEAD');
  if (head === undefined || !git.holds(head, 'HEAD'))
    return `${where} is at a commit that is not merged`;
  const { tree: files, forbidden, untaken } = treeOfFiles(ws, tree, head);
  const isLeft = forbidden.length + untaken.length > 0;
  if (isLeft || files !== tree.git.treeOf(head))
    return `${where} has changes that are in no commit`;
  const ignored = deliverables.find((name) => {
    const path = join(tree.folder, repo.prefix, name);
    if (ws.disk.stat(path) === undefined) return false;
    return git.run(['cat-file', '-e', `HEAD:${relative(tree.folder, path)}`]).code !== 0;
  });
  if (ignored !== undefined) return `${ignored} is ignored by git and exists only in ${where}`;
  const looked = ignoredIn(ws, tree).find((path) => checks.some((check) => names(check, path)));
  const needed = looked ?? reliedOn(ws, checked, tree.folder);
  const why = looked === undefined ? 'the checks passed with it' : 'a check looked at it';
  return needed === undefined
    ? undefined
    : `${escapeText(needed)} is ignored by git, ${why}, and it exists only in ${where}; if you do not need it: git worktree remove --force ${shellWord(where)} && git branch -D ${branchOf(id)}`;
}

/** A folder is named by a path in it. */
function names(check: string, path: string): boolean {
  const at = check.indexOf(path);
  return at !== -1 && !/[\w.-]/.test(check[at - 1] ?? ' ');
}

/** Why git refuses to remove it although all of it is merged. */
function inUse(ws: Workspace, { git }: Checkout, id: string, tree?: TaskTree): string | undefined {
  const how = ['--format=%(worktreepath)', `refs/heads/${branchOf(id)}`];
  const at = git.run(['for-each-ref', ...how]).out.trim();
  if (at !== '' && at !== tree?.folder) {
    return `${branchOf(id)} is checked out in ${escapeText(at)}; git switch to another branch there, then contracts merge ${id}`;
  }
  if (tree === undefined) return undefined;
  const where = shown(ws.layout, tree.folder);
  const lock = lockOf(ws, tree);
  if (lock !== undefined) {
    return `${where} is locked${lock}; git worktree unlock ${shellWord(where)}, then contracts merge ${id}`;
  }
  const full = linksOf(tree.git, 'HEAD')
    .map(pathIn)
    .find((path) => listOrNothing(ws.disk, join(tree.folder, path)).length > 0);
  return full === undefined
    ? undefined
    : `${where} has a submodule (${escapeText(full)}), whose files are in no commit of this repository; if you need nothing in it: git worktree remove --force ${shellWord(where)} && git branch -D ${branchOf(id)}`;
}

/** The refs of its merged commits; those of others stay. */
function dropMerged({ git }: Checkout, id: string): void {
  const how = ['--format=%(refname) %(objectname)', '--merged=HEAD'];
  const { out } = git.run(['for-each-ref', ...how, `refs/contracts/attempts/${id}/`]);
  for (const line of parts(out, '\n')) git.run(['update-ref', '-d', ...line.split(' ')]);
}
