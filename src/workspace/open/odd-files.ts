/** Files that a path and bytes do not show: a link out of the tree, or a program with others' permissions. */
import { join } from 'node:path';
import { ownerOf } from '../../process/path-kind.ts';
import type { Workspace } from './workspace.ts';

const SETUID = 0o4000;
const SETGID = 0o2000;

/** `path` is relative to `root`; undefined when it is an ordinary file. */
export function oddIn({ disk, layout }: Workspace, root: string, path: string): string | undefined {
  const full = join(root, path);
  const found = disk.stat(full);
  if (found === undefined || found.kind === 'folder') return undefined;
  if (found.kind === 'other') return leadsOut(disk.link?.(full), root, path);
  const { mode = 0 } = found;
  const owner = ownerOf(full);
  const whose = owner === 0 ? 'root' : `user ${owner}`;
  if ((mode & SETUID) !== 0) return `${path} is setuid: it runs with the permissions of ${whose}`;
  if ((mode & SETGID) !== 0) return `${path} is setgid: it runs with the permissions of its group`;
  // Root may work on a checkout of another user.
  const is_known = owner === process.getuid?.() || owner === ownerOf(layout.root);
  return is_known ? undefined : `${path} belongs to another user: ${whose}`;
}

function leadsOut(target: string | undefined, root: string, path: string): string | undefined {
  if (target === undefined) return undefined;
  const to = target.startsWith('/') ? join(target) : join(root, path, '..', target);
  if (to === root || to.startsWith(`${root}/`)) return undefined;
  return `link ${path} leads out of the tree, to ${target}`;
}
