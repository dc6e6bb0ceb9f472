/** Git in a sandbox: which parts are visible and writable, and keys for agents that may push. */
import { join } from 'node:path';
import { gitIn, listed } from '../../git/query-git.ts';
import type { SandboxPlace } from './bwrap-args.ts';
import { GIT_OPERATIONS, isTrustedWithGit } from '../../task/core/model/permissions.ts';
import type { GitFolders } from '../../task/store/snapshots/git-snapshot.ts';
import { place, read, type Scope } from './scope.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { objectFolders } from '../../worktrees/engine/sandbox-objects.ts';

/** Read only, what a commit in a worktree needs, or all but settings. */
export type GitOpen = 'read' | 'worktree' | 'trusted';

/** Keys and values for git. */
export type GitSettings = readonly (readonly [string, string])[];

/** Git operations that change the repository here: all but those of a server. */
const GIT_WRITES = new Set<string>(GIT_OPERATIONS.filter((one) => one !== 'pull_request'));
/** Operations that need the keys of git and gh. */
const GIT_SENDS = new Set(['push', 'pull_request']);
/** Writing these decides what runs when others call git. */
const GIT_SETTINGS = ['config', 'config.worktree', 'hooks', 'info'];
/** The file in which a store of objects names others. */
const NAMES = 'info/alternates';

/** A shared tree cannot protect names that do not exist yet, so writing needs an agent trusted with git. */
export function gitOpen(ws: Workspace, { root, permissions, kind }: Scope): GitOpen {
  if (kind !== 'work' || !permissions.git.some((one) => GIT_WRITES.has(one))) return 'read';
  if (root !== ws.layout.root) return 'worktree';
  return isTrustedWithGit(permissions) ? 'trusted' : 'read';
}

/** Trusted: all but settings. Worktree: its own folder but for its tie to the repository, and own objects. */
export function gitPlaces(ws: Workspace, git: GitFolders, scope: Scope): SandboxPlace[] {
  const { own: admin, common } = git;
  const opened = gitOpen(ws, scope);
  if (opened === 'read') return [...new Set([common, admin])].map((path) => place(path, 'read'));
  // Else they could be created: hooks that others run, objects from elsewhere.
  for (const name of ['hooks', 'objects/info']) {
    if (ws.disk.stat(join(common, name)) === undefined) ws.disk.mkdir(join(common, name));
  }
  const tie = ['commondir', 'gitdir', 'config.worktree'].map((name) => join(admin, name));
  const own = admin === common ? [] : [place(admin, 'write'), ...read(tie)];
  if (opened === 'worktree') return [...objectPlaces(ws, git), ...own];
  const settings = scope.permissions.git.includes('config') ? ['hooks'] : GIT_SETTINGS;
  const shutThere = [...settings, `objects/${NAMES}`, 'worktrees', 'modules'];
  return [place(common, 'write'), ...read(shutThere.map((name) => join(common, name))), ...own];
}

/** A worktree writes its own store and reads that of the repository. */
function objectPlaces(ws: Workspace, { own: admin, common }: GitFolders): SandboxPlace[] {
  const all = join(common, 'objects');
  const { own, shared } = objectFolders(admin);
  if (ws.disk.stat(own)?.kind !== 'folder') return [place(all, 'read')];
  return [
    { path: all, as: 'write', from: own },
    { path: shared, as: 'read', from: all },
    // With absolute paths: relative ones would start from here.
    ...read([join(all, NAMES)]).map((): SandboxPlace => ({
      path: join(shared, NAMES),
      as: 'read',
      from: join(own, NAMES),
    })),
  ];
}

/** Nothing that could be a key. */
export function gitSettings(ws: Workspace, root: string): GitSettings {
  const wanted = '^(user\\.(name|email)|safe\\.directory|init\\.defaultbranch)$';
  return listed(gitIn(root, ws)(['config', '-z', '--get-regexp', wanted]))
    .filter((one) => one.includes('\n'))
    .map((one) => [one.slice(0, one.indexOf('\n')), one.slice(one.indexOf('\n') + 1)] as const);
}

export function maySend({ kind, permissions }: Scope): boolean {
  return kind === 'work' && permissions.git.some((one) => GIT_SENDS.has(one));
}
