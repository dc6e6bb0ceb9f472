/** Done work that is in no branch of the person, by the records: branches and worktrees may be gone. */
import { join } from 'node:path';
import { isTaskId } from '../../task/core/model/id.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { namesInState } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Checkout } from '../../worktrees/engine/checkout.ts';
import { parts } from '../../worktrees/engine/git.ts';
import { verifiedCommit, type Verified } from '../../worktrees/engine/verified-commit.ts';

/** `fix`: the command to take it up. */
export type Unheld = Pick<Verified, 'id' | 'branch'> & Readonly<Record<'reason' | 'fix', string>>;

interface Merging {
  readonly checkout: Checkout;
  readonly tasks: readonly Pick<Verified, 'id'>[];
}

/** All refs of the person; not those of tasks. */
const HELD = '--exclude=contracts/* --branches --exclude=*/contracts/* --remotes --tags HEAD'.split(
  ' ',
);

/** But for these tasks, which are merged now. Work that was squashed, rebased or picked into a branch is held. */
export function unheldWork(
  ws: Workspace,
  { checkout: { git, repo }, tasks }: Merging,
): readonly Unheld[] {
  const but = new Set(tasks.map(({ id }) => id));
  const works = namesInState(ws.disk, ws.layout, 'done')
    .filter((id) => isTaskId(id) && !but.has(id))
    .flatMap((id) => verifiedCommit(ws, id, taskFolder(ws.layout, 'done', id)) ?? [])
    .filter(({ changed }) => changed.length > 0);
  if (works.length === 0) return [];
  const call = { input: works.map(({ commit }) => `${commit}\n`).join('') };
  const how = ['--ignore-missing', '--stdin', '--not', ...HELD];
  const unheld = new Set(parts(git.out(['rev-list', ...how], call), '\n'));
  const objects = parts(git.out(['cat-file', '--batch-check'], call), '\n');
  const missing = new Set(objects.filter((line) => line.endsWith(' missing')));
  // Its history ends somewhere: a commit beyond that is missing and may be merged.
  const isShallow = ws.disk.stat(join(repo.common_dir, 'shallow')) !== undefined;
  const head = git.treeOf('HEAD');
  return works.flatMap(({ id, branch, commit, at }) => {
    const isMissing = missing.has(`${commit} missing`);
    if (isMissing ? isShallow : !unheld.has(commit)) return [];
    const named = ['-1', '--format=%H', '-E', `--grep=^Contract(s-Task)?: ${id}$`];
    if (git.out(['log', ...named, `--since=${at}`, ...HELD]) !== '') return [];
    const merged = isMissing ? '' : git.run(['merge-tree', '--write-tree', 'HEAD', commit]).out;
    if (merged.trim() === head) return [];
    const reason = `its commit ${commit} is ${isMissing ? 'not in this repository' : 'in no branch of yours'}`;
    return {
      id,
      branch,
      reason,
      fix: isMissing ? `contracts retry ${id} --again` : `contracts merge ${id}`,
    };
  });
}
