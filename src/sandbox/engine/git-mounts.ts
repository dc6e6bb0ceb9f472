/**
 * Git in a sandbox: what of a repository's folder one attempt sees and may write, what the person's
 * settings of it say, and who may send with his keys.
 */
import { join } from 'node:path';
import { gitIn } from '../../git/query-git.ts';
import type { GitFolders } from '../../git/git-folders.ts';
import type { SandboxPlace } from './bwrap-args.ts';
import { GIT_OPERATIONS, isTrustedWithGit } from '../../task/core/model/permissions.ts';
import { place, read, type Scope } from './scope.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { objectFolders } from '../../worktrees/engine/sandbox-objects.ts';

/** Of git's own folder: nothing, what a commit in a worktree needs, or all but its settings. */
export type GitOpen = 'read' | 'worktree' | 'trusted';

/** Key and value of what is set for git. */
export type GitSettings = readonly (readonly [string, string])[];

/** All but what is asked of a server alone. */
const GIT_WRITES = new Set<string>(GIT_OPERATIONS.filter((one) => one !== 'pull_request'));
/** Who may send is given what git and gh send with. */
const GIT_SENDS = new Set(['push', 'pull_request']);
/** Whoever may write these decides what runs when somebody else calls git. */
const GIT_SETTINGS = ['config', 'config.worktree', 'hooks', 'info'];
/** Where a store of objects names others. */
const NAMES = 'info/alternates';

/**
 * Whoever may write the folder of git in a shared tree decides what others run: names that are not
 * there yet (`commondir`, `config.worktree`) cannot be kept shut, so it is open to the trusted alone.
 */
export function gitOpen(ws: Workspace, { root, authority, kind }: Scope): GitOpen {
  if (kind !== 'work' || !authority.git.some((one) => GIT_WRITES.has(one))) return 'read';
  if (root !== ws.layout.root) return 'worktree';
  return isTrustedWithGit(authority) ? 'trusted' : 'read';
}

/**
 * For the trusted in a shared tree all of the repository's folder but its settings; in a task's worktree
 * what a commit on a detached HEAD needs: objects of its own, and the worktree's own folder. A linked
 * worktree's folder is open without what says where it belongs.
 */
export function gitPlaces(ws: Workspace, git: GitFolders, scope: Scope): SandboxPlace[] {
  const { admin, common } = git;
  const opened = gitOpen(ws, scope);
  if (opened === 'read') return [...new Set([common, admin])].map((path) => place(path, 'read'));
  // What is not there could be made: others would run hooks, or take objects from elsewhere.
  for (const name of ['hooks', 'objects/info']) {
    if (ws.disk.stat(join(common, name)) === undefined) ws.disk.mkdir(join(common, name));
  }
  const tie = ['commondir', 'gitdir', 'config.worktree'].map((name) => join(admin, name));
  const own = admin === common ? [] : [place(admin, 'write'), ...read(tie)];
  if (opened === 'worktree') return [...objectPlaces(ws, git), ...own];
  const settings = scope.authority.git.includes('config') ? ['hooks'] : GIT_SETTINGS;
  const shutThere = [...settings, `objects/${NAMES}`, 'worktrees', 'modules'];
  return [place(common, 'write'), ...read(shutThere.map((name) => join(common, name))), ...own];
}

/** Of a task's worktree: it writes a store of its own, and reads that of the repository beside it. */
function objectPlaces(ws: Workspace, { admin, common }: GitFolders): SandboxPlace[] {
  const all = join(common, 'objects');
  const { own, shared } = objectFolders(admin);
  if (ws.disk.stat(own)?.kind !== 'folder') return [place(all, 'read')];
  return [
    { path: all, as: 'write', from: own },
    { path: shared, as: 'read', from: all },
    // Its own names the same absolutely: relative ones would start from where it is shown.
    ...read([join(all, NAMES)]).map((): SandboxPlace => ({
      path: join(shared, NAMES),
      as: 'read',
      from: join(own, NAMES),
    })),
  ];
}

/** Name, address, and which folders git trusts: nothing that could be a key. */
export function gitSettings(ws: Workspace, root: string): GitSettings {
  const wanted = '^(user\\.(name|email)|safe\\.directory|init\\.defaultbranch)$';
  const said = gitIn(root, ws.env)(['config', '-z', '--get-regexp', wanted])?.toString() ?? '';
  return said
    .split('\0')
    .filter((one) => one.includes('\n'))
    .map((one) => [one.slice(0, one.indexOf('\n')), one.slice(one.indexOf('\n') + 1)] as const);
}

export function maySend({ kind, authority }: Scope): boolean {
  return kind === 'work' && authority.git.some((one) => GIT_SENDS.has(one));
}
