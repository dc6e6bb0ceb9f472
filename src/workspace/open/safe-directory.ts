/** The folders of other users that a person calls safe: git's safe.directory. */
import { realOf } from '../../process/path-kind.ts';
import type { RunGit } from '../../git/runner-git.ts';

/** By the settings of the person and the machine, not of the repository itself. */
export function isSafeDirectory(git: RunGit, root: string): boolean {
  const place = { git_dir: '/dev/null', common_dir: '/dev/null', work_tree: '/' };
  const all = ['--system', '--global'].flatMap((scope) =>
    git(place, ['config', scope, '--null', '--get-all', 'safe.directory'], { global: true })
      .out.split('\0')
      .slice(0, -1),
  );
  // An empty one cancels those before it.
  const named = all.slice(all.lastIndexOf('') + 1);
  const real = realOf(root) ?? root;
  return named.some((one) => {
    if (one === '*') return true;
    const folder = one.replace(/\/(?:\*)?$/, '');
    return one.endsWith('/*') ? real.startsWith(`${folder}/`) : folder === root || folder === real;
  });
}
