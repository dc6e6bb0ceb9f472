/** Which files are in the commit of a task's work, and which cannot be: only that is ever merged. */
import { join, posix, relative } from 'node:path';
import { findGit } from '../../git/find-git.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitAt } from './git.ts';
import { INSTALLED } from './ignored.ts';
import { readPrepared } from './prepared.ts';
import { quoted } from './sandbox-objects.ts';
import { bounded, hideRepositories, LINK, pathIn, WHOLE, withIndex } from './write-tree.ts';
import type { Place } from './write-tree.ts';
import type { Workdir } from './workdir.ts';

export interface Committed {
  /** By path in the workspace. */
  has(path: string): boolean;
  /** A copy of the main tree's, or an installed package: no work. */
  isGiven(path: string): boolean;
  /** Why a missing one cannot be merged, and what to do. */
  why(path: string): string;
}

/** undefined in a shared tree, where nothing is merged. */
export function committedIn(
  ws: Workspace,
  { root, worktree }: Workdir,
  commit: string | undefined,
): Committed | undefined {
  if (worktree === undefined || commit === undefined) return undefined;
  const { git, folder, admin } = worktree;
  const entries = git.list(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const names = new Set(entries.map(pathIn));
  const links = entries.filter((line) => line.startsWith(LINK)).map(pathIn);
  const fromTop = (path: string): string => posix.join(relative(folder, root), path);
  const whyNot = (path: string): string => {
    const link = links.find((one) => path.startsWith(`${one}/`));
    if (link !== undefined) {
      return `is in a repository of its own (${link}), so it cannot be merged: name a path outside it`;
    }
    const rule = git.run(['check-ignore', '--no-index', '--verbose', '-z', '--stdin'], {
      input: `./${path}\0`,
      // `check-ignore` accepts no pathspec magic, not even this.
      env: { GIT_LITERAL_PATHSPECS: '0' },
    });
    const [file = '', line = ''] = rule.out.split('\0');
    if (rule.code === 0) {
      return `is ignored by git (${file}:${line}), so it cannot be merged: name a path that git does not ignore, or change what is ignored`;
    }
    return 'is not in the commit of the work, so it cannot be merged: a check created it, but the agent must create it';
  };
  return {
    has: (path) => names.has(fromTop(path)),
    isGiven: (path) =>
      readPrepared(ws, admin).copied.includes(fromTop(path)) ||
      path.split('/').some((part) => INSTALLED.test(part)),
    why: (path) => whyNot(fromTop(path)),
  };
}

/** Files in submodules that differ from their recorded commits, with the reason. `links`: as lines of git. */
export function filesInLinks(ws: Workspace, place: Place, links: readonly string[]) {
  return bounded(
    links.flatMap((line) =>
      changedIn(ws, place, line).map((path) => {
        const file = JSON.stringify(join(pathIn(line), path));
        return `${file} is in a repository of its own (${pathIn(line)})`;
      }),
    ),
  );
}

/** Paths from the folder of the submodule. No git runs there: it only gives objects, by their names. */
function changedIn(ws: Workspace, { git, admin }: Place, line: string): readonly string[] {
  const folder = join(git.place.work_tree, pathIn(line));
  if (ws.disk.stat(folder)?.kind !== 'folder') return [''];
  if (listOrNothing(ws.disk, folder).length === 0) return [];
  const sub = gitAt(ws, { ...git.place, work_tree: folder });
  const own = findGit(ws, folder);
  const store = own?.top === folder ? join(own.common, 'objects') : undefined;
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(store ?? '') };
  return withIndex(ws, admin, (index) => {
    const call = { index, config: WHOLE, env };
    const commit = line.split(' ')[1] ?? '';
    const isRead = store !== undefined && sub.run(['read-tree', commit], call).code === 0;
    const links = isRead ? hideRepositories(ws, sub, index) : [];
    const what = ['--modified', '--deleted', '--others', '--exclude-standard'];
    const how = ['-z', '--directory', '--no-empty-directory'];
    const found = sub.list(['ls-files', ...what, ...how], call);
    const deeper = links.flatMap((one) =>
      changedIn(ws, { git: sub, admin }, one).map((path) => join(pathIn(one), path)),
    );
    return [...new Set([...found.filter((path) => !INSTALLED.test(path)), ...deeper])];
  });
}
