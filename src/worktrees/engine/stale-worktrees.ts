/** Worktrees that no attempt will use again. A person removes them: they may hold work. */
import { basename, join } from 'node:path';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import type { Linked } from './git.ts';
import { reliedOn } from './ignored.ts';
import { placeOf } from './place.ts';
import { findRepository, isRepository } from '../../workspace/open/repository.ts';
import { branchOf, lockOf, treesOf } from './worktree.ts';
import { standingOf, unheld } from './unmerged.ts';
import { folderOf, verifiedCommit, type Verified } from './verified-commit.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

export function staleWorktrees(ws: Workspace, only?: string): readonly Problem[] {
  const repo = findRepository(ws, ws.layout.root);
  const trees = isRepository(repo) ? treesOf(ws, repo) : [];
  const place = placeOf(ws);
  const there = listOrNothing(ws.disk, place).filter(({ kind }) => kind === 'folder');
  const folders = [
    ...there.map(({ name }) => join(place, name)),
    ...trees.map((one) => one.folder),
  ];
  return [...new Set(folders)].flatMap((folder) => {
    const id = basename(folder);
    if (only !== undefined && id !== only) return [];
    const tree = trees.find((one) => one.folder === folder);
    const why = isTaskId(id) ? whyStale(ws, id, tree) : 'no task has this name';
    return why === undefined ? [] : [leftover(ws, folder, tree, why)];
  });
}

function whyStale(ws: Workspace, id: string, tree?: Linked): string | undefined {
  const found = folderOf(ws, id);
  if (found === undefined) return 'its task is gone';
  const { state } = found;
  if (state === 'aborted') return 'its task is aborted';
  if (state === 'archived') return 'its task is archived';
  if (state !== 'done') return undefined;
  const why = whyDone(ws, id, verifiedCommit(ws, id, found.folder), tree);
  const { attempts } = readAttempts(ws, found.folder, id);
  const last = attempts.findLast(({ kind, lost }) => kind === 'work' && !lost);
  return why === MERGED && last?.outcome?.code === 'unchanged'
    ? 'its task is done and changed nothing'
    : why;
}

const MERGED = 'its task is done and merged';

/** Merged: a branch of the person has it. Nothing else would keep the work. */
function whyDone(ws: Workspace, id: string, verified?: Verified, tree?: Linked): string {
  if (verified === undefined) return 'its task is done, and no commit of its work is recorded';
  const { commit, checked } = verified;
  const only = tree && reliedOn(ws, checked, tree.folder);
  const words = {
    merged:
      laterWords(ws, id, tree) ??
      `merged${only === undefined ? '' : `, but ${escapeText(only)}, which git ignores, is only here`}`,
    unmerged: `not merged: contracts merge ${id}`,
    missing: `its commit ${commit} is not in this repository: this folder may hold the only copy`,
    unknown: 'git cannot be asked whether it is merged',
  };
  return `its task is done and ${words[standingOf(ws, commit)]}`;
}

/** The task's branch and the worktree may be at later commits than the recorded one. */
function laterWords(ws: Workspace, id: string, tree: Linked | undefined): string | undefined {
  const isLater = (name: string): boolean => standingOf(ws, name) === 'unmerged';
  if (isLater(tipOf(id))) return `${branchOf(id)} has commits that are not merged`;
  return tree && isLater(headOf(tree))
    ? 'its worktree is at a commit that is not merged'
    : undefined;
}

const tipOf = (id: string): string => `refs/heads/${branchOf(id)}`;
/** As git names it from the main checkout. */
const headOf = ({ admin }: Linked): string => `worktrees/${basename(admin)}/HEAD`;

function leftover(ws: Workspace, path: string, tree: Linked | undefined, why: string): Problem {
  const folder = shown(ws.layout, path);
  const common = { code: 'leftover', severity: 'warning', file: folder } as const;
  if (tree === undefined) {
    const message = `a folder is left: ${why}, and it is not a worktree of this repository`;
    return problem({ ...common, message, fix: 'Check its contents, then remove it' });
  }
  const [id, word] = [basename(path), shellWord(folder)];
  const lock = lockOf(ws, tree);
  const unlock = lock === undefined ? '' : `git worktree unlock ${word} && `;
  const lost = unheld(ws, headOf(tree));
  const keep = lost === undefined ? '' : `git branch kept/${id} ${lost} && `;
  const branch = branchOf(id);
  // Deleted at once only where another branch has all of it.
  const isMerged = standingOf(ws, tipOf(id)) === 'merged';
  const more = isMerged ? '' : `. ${branch} keeps its commits; git branch -D ${branch} drops them`;
  return problem({
    ...common,
    message: `a worktree is left${lock === undefined ? '' : `, locked${lock}`}: ${why}`,
    fix: `If you need nothing in it: ${keep}${unlock}git worktree remove ${word}${isMerged ? ` && git branch -D ${branch}` : ''} (git refuses while files there are not committed)${more}`,
  });
}
