/** Which files are in the commit of a task's work: only that is ever merged. */
import { posix, relative } from 'node:path';
import { LINK, pathIn } from './write-tree.ts';
import type { Workdir } from './workdir.ts';

export interface Committed {
  /** By path in the workspace. */
  has(path: string): boolean;
  /** Why a missing one cannot be merged, and what to do. */
  why(path: string): string;
}

/** undefined in a shared tree, where nothing is merged. */
export function committedIn(
  { root, worktree }: Workdir,
  commit: string | undefined,
): Committed | undefined {
  if (worktree === undefined || commit === undefined) return undefined;
  const { git, folder } = worktree;
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
  return { has: (path) => names.has(fromTop(path)), why: (path) => whyNot(fromTop(path)) };
}
