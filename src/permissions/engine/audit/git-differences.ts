/** What changed in git while an agent worked, each with the git operation that it needs. */
import { join, relative } from 'node:path';
import type { ChangeKind, GitOperation } from '../../../task/core/model/permissions.ts';
import type { Found } from '../../core/judge-changes.ts';
import { gitConfigured, isElsewhere } from '../../../trust/changed-settings.ts';
import { lastMove } from '../../../task/store/snapshots/git-snapshot.ts';
import { changesBetween } from '../../../task/store/snapshots/folder-snapshot.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import { gitOf, OWN_TIE, type Seen, type Baseline } from './snapshot.ts';

export function gitDifferences({ ws }: Running, baseline: Baseline, after: Seen): Found[] {
  const git = gitOf(ws, baseline.workdir);
  const alone = baseline.workdir.isolation === 'worktree';
  const changes = changesBetween(baseline.seen.git, after.git);
  const now = alone || changes.length === 0 ? '' : gitConfigured(ws, ws.layout.root);
  // A repository that came above the workspace has the longer mark, and is no work of its agents.
  const came = isElsewhere(baseline.trusted, now) && now.length > baseline.trusted.length;
  const inGit = (came ? [] : changes).flatMap(({ path: name, kind }) => {
    const moved = git === undefined ? '' : lastMove(ws.disk, git.common, name);
    const operation = operationOf(name, kind, moved);
    // settle-attempt.ts judges the HEAD, index, commits and refs of a worktree.
    if (operation === 'read' || (alone && operation !== undefined)) return [];
    const own = name.startsWith('own/');
    const folder = git === undefined || !own ? '' : relative(git.common, git.own);
    const plain = own ? name.slice('own/'.length) : name;
    const path = own && plain !== OWN_TIE ? join(folder, plain) : plain;
    const found = gitFound(kind, path, alone && own);
    const words = `${CHANGE_WORDS[kind]} ${GIT_WORDS[plain] ?? plain}`;
    return operation === undefined ? [found] : [{ ...found, words, operation }];
  });
  const nested = changesBetween(baseline.seen.nested, after.nested).map(({ path, kind }) =>
    gitFound(kind, path, false),
  );
  return [...inGit, ...nested];
}

/** `path`: in the folder of git, or in the tree for a nested repository. */
function gitFound(kind: ChangeKind, path: string, own_workdir: boolean): Found {
  const words = `${CHANGE_WORDS[kind]} ${GIT_WORDS[path] ?? gitPath(path)}`;
  return { area: 'git', kind, path, own_workdir, words };
}

export function gitPath(path: string): string {
  return isNested(path) ? path : `.git/${path}`;
}

export function isNested(path: string): boolean {
  return path.split('/').includes('.git');
}

const CHANGE_WORDS: Readonly<Record<ChangeKind, string>> = {
  create: 'made',
  write: 'changed',
  append: 'changed',
  delete: 'removed',
};

const GIT_WORDS: Readonly<Record<string, string>> = {
  HEAD: 'what is checked out (HEAD)',
  index: 'what is staged (the index)',
  stashes: 'the stashes',
  reftable: 'refs (reftable)',
  [OWN_TIE]: 'the link from the worktree to its repository (.git)',
};

/** `read`: what reading or fetching leaves behind; undefined: no operation allows it. */
function operationOf(
  named: string,
  kind: ChangeKind,
  moved: string,
): GitOperation | 'read' | undefined {
  const name = named.replace(/^own\//, '');
  if (name === 'HEAD' || name === 'reftable') return 'branch';
  if (name === 'index') return 'add';
  if (name === 'stashes' || name === 'refs/stash') return 'stash';
  if (name === 'MERGE_HEAD' || name === 'CHERRY_PICK_HEAD' || name === 'REVERT_HEAD')
    return 'merge';
  if (name.startsWith('rebase-')) return 'rebase';
  if (name.startsWith('refs/tags/')) return 'tag';
  if (name.startsWith('refs/remotes/')) return moved === 'update by push' ? 'push' : 'read';
  if (!name.startsWith('refs/heads/')) return name.startsWith('refs/') ? 'branch' : undefined;
  if (kind !== 'write') return 'branch';
  if (/^(?:merge|pull|commit \(merge\))\b/.test(moved)) return 'merge';
  if (moved.startsWith('rebase')) return 'rebase';
  return moved.startsWith('reset') ? 'branch' : 'commit';
}
