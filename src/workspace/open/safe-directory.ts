/** Which folders of others a person calls safe, in the words of git: safe.directory. */
import { realOf } from '../../process/path-kind.ts';
import type { RunGit } from '../../git/runner-git.ts';

/** Of the person and of the machine; what the repository says of itself does not count. */
export function isSafeDirectory(git: RunGit, root: string): boolean {
  const place = { git_dir: '/dev/null', common_dir: '/dev/null', work_tree: '/' };
  const said = ['--system', '--global'].flatMap((scope) =>
    git(place, ['config', scope, '--null', '--get-all', 'safe.directory'], { global: true })
      .out.split('\0')
      .slice(0, -1),
  );
  // An empty one takes back those before it.
  const named = said.slice(said.lastIndexOf('') + 1);
  const real = realOf(root) ?? root;
  return named.some((one) => {
    if (one === '*') return true;
    const folder = one.replace(/\/(?:\*)?$/, '');
    return one.endsWith('/*') ? real.startsWith(`${folder}/`) : folder === root || folder === real;
  });
}
