/**
 * An agent in a sandbox commits into a store of its own. Afterwards the runner takes over what its
 * HEAD needs: git computes each name again, and checks that all objects are there.
 */
import { dirname, join } from 'node:path';
import { storesBeside } from '../../git/object-stores.ts';
import type { GitCall } from '../../git/runner-git.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { freshIndex, removeIfThere } from './write-tree.ts';
import { parts, type Git } from './git.ts';
import type { TaskTree } from './worktree.ts';

/** `shared`: where its sandbox shows the store of the repository. */
export function objectFolders(admin: string): { readonly own: string; readonly shared: string } {
  return { own: join(admin, 'objects'), shared: join(admin, 'objects-of-all') };
}

export function openObjects(ws: Workspace, { admin, git }: TaskTree): void {
  const { common_dir } = git.place;
  const { own, shared } = objectFolders(admin);
  for (const folder of [own, join(own, 'info'), shared]) {
    if (ws.disk.stat(folder) === undefined) ws.disk.mkdir(folder);
  }
  const alternates = join(own, 'info', 'alternates');
  if (ws.disk.stat(alternates) !== undefined) ws.disk.remove(alternates);
  // Alternates of the repository may be relative to its real place.
  const stores = [shared, ...storesBeside(join(common_dir, 'objects'))];
  ws.disk.create(alternates, Buffer.from(`${stores.join('\n')}\n`), { durable: false });
}

/** Why its commits cannot be taken over; undefined when they are, or there are none. */
export function takeOver(
  ws: Workspace,
  main: Git,
  { admin, git }: TaskTree,
  base: string,
): string | undefined {
  const { own } = objectFolders(admin);
  const kind = ws.disk.stat(own)?.kind;
  if (kind === undefined) return undefined;
  if (kind !== 'folder' || ws.disk.stat(join(own, 'info'))?.kind !== 'folder') {
    return 'the folder of its own objects was replaced';
  }
  // It could name the store of any repository.
  removeIfThere(ws, join(own, 'info', 'alternates'));
  const seen: GitCall = { env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(own) } };
  const found = git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], seen);
  const head = found.out.trim();
  if (found.code !== 0 || head === base) return undefined;
  if (!isWhole(main, head, base)) copy(ws, main, { admin, git }, { head, base, seen });
  return isWhole(main, head, base)
    ? undefined
    : `the commit that it is based on (${head}) is incomplete: objects are missing or do not match their names`;
}

function isWhole(main: Git, head: string, base: string): boolean {
  return main.run(['rev-list', '--objects', '--quiet', head, '--not', base]).code === 0;
}

/** Through a file: it may be large. */
function copy(
  ws: Workspace,
  main: Git,
  { admin, git }: Pick<TaskTree, 'admin' | 'git'>,
  { head, base, seen }: { head: string; base: string; seen: GitCall },
): void {
  const begin = join(admin, `contracts-pack.${ws.machine.nonce().slice(0, 12)}`);
  const packed = git.run(['pack-objects', '--revs', '--quiet', begin], {
    ...seen,
    config: [['pack.packSizeLimit', '0']],
    input: `${head}\n^${base}\n`,
  });
  const pack = `${begin}-${packed.out.trim()}`;
  try {
    if (packed.code === 0) {
      main.run(['index-pack', '--strict', '--fix-thin', '--stdin'], { input_file: `${pack}.pack` });
    }
  } finally {
    for (const { name } of ws.disk.list(dirname(begin))) {
      if (name.startsWith('contracts-pack.')) removeIfThere(ws, join(admin, name));
    }
  }
}

/** Removes the store, and everything in the worktree's folder that could refer to it. */
export function leaveObjects(ws: Workspace, { admin, git }: TaskTree, head: string, files = head) {
  const { own, shared } = objectFolders(admin);
  if (ws.disk.stat(own) === undefined) return;
  git.detach(head);
  freshIndex(ws, { git, admin }, files);
  const kinds = ['refs/worktree/', 'refs/bisect/', 'refs/rewritten/'];
  const refs = git.run(['for-each-ref', '--format=%(refname)', ...kinds]);
  for (const ref of parts(refs.out, '\n')) git.run(['update-ref', '-d', ref]);
  removeIfThere(ws, join(admin, 'logs', 'HEAD'));
  removeAll(ws, own);
  removeAll(ws, shared);
}

/** Removes what it can; the rest is never believed. */
export function removeAll(ws: Workspace, path: string): void {
  try {
    if (ws.disk.stat(path)?.kind === 'folder') {
      for (const { name } of ws.disk.list(path)) removeAll(ws, join(path, name));
    }
    ws.disk.remove(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** A colon ends a path for git. */
export function quoted(path: string): string {
  return /[:"\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path;
}
