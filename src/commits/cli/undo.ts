/** undo: a revert of what a task brought into the branch, whole or not at all; then the task is aborted. */
import { idOf, printMoved, refuse, unwrap, verb } from '../../cli/terminal/verb-context.ts';
import { moveByVerb, wrongState } from '../../engine/commands/moves.ts';
import { mergingAlone } from '../../engine/merge/merge-lock.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { ok, problem, refused, type Result } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import { calledIn } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import {
  checkoutOf,
  noBranch,
  forward,
  keepCheckout,
  underWay,
  type Checkout,
} from '../../worktrees/engine/checkout.ts';
import { parts, type Git } from '../../worktrees/engine/git.ts';
import { mergeTrees } from '../../worktrees/engine/merge-commits.ts';
import { readWorkdir } from '../../worktrees/engine/workdir-record.ts';

export const runs = {
  undo: verb((verb, _flags: unknown, typed: string) => {
    const { ws } = verb;
    const id = idOf(verb, typed);
    const task = unwrap(verb, findTask(ws, id));
    if (task.state !== 'done') refuse(verb, [wrongState(ws, id, 'undo', task.state, 'done')]);
    const distrusted = whyUntrusted(ws);
    if (distrusted !== undefined) refuse(verb, [distrusted]);
    const none = noBranch(ws, [id]);
    if (none !== undefined) refuse(verb, [none]);
    const at = checkoutOf(ws);
    const reason = unwrap(
      verb,
      mergingAlone(ws, at, () => takeBack(ws, at, task)),
    );
    const moved = unwrap(verb, moveByVerb(ws, 'abort', id));
    const { from, to, trigger, problems } = moved;
    verb.out.data({ v: 1, event: 'moved', task: id, from, to, trigger, reason, problems });
    printMoved(verb, moved, `  ${reason}`);
    verb.out.print(`To do it again: contracts retry ${id} --again`);
  }),
};

/** Says in words what was done. Repeated after a crash it finds its own revert. */
function takeBack(ws: Workspace, at: Checkout, task: TaskRead): Result<string> {
  const { git } = at;
  const { id, contract } = task;
  const left = (why: string, fix = `Look: git log --grep="${id}"`): Result<never> => {
    const message = `${id} is not taken back: ${why}`;
    return refused([problem({ code: 'environment', file: '.', message, fix })]);
  };
  const begun = underWay(ws, at.repo);
  if (begun !== undefined) return left(`${begun} is in progress`, 'Finish it, or abort it');
  const from = git.out(['rev-parse', 'HEAD']);
  const { sides, before } = broughtIn(ws, git, task);
  if (sides.length === 0 && before === '') return left(`${at.branch} has no commit of it`);
  const reverts = sides.map(({ to }) => `This reverts commit ${to}.\n`).join('');
  const title = contract.ok ? contract.value.title.replace(/\s+/g, ' ') : id;
  const input = `Revert "${title}"\n\n${reverts}\nContract-Undone: ${id}\n`;
  const commit = (tree: string, parent: string): string =>
    git.out(['commit-tree', tree, '-p', parent, '-F', '-'], { input });
  let tip = from;
  for (const { base, to } of sides) {
    if (base === undefined) return left('its work resolved a merge conflict');
    const { tree, files } = mergeTrees(git, tip, commit(git.treeOf(base), to));
    if (files.length > 0) return left(`later commits changed ${files.join(', ')}`);
    tip = commit(tree, tip);
  }
  const tree = git.treeOf(tip);
  if (tree === git.treeOf(from)) return ok('taken back already');
  const to = commit(tree, from);
  const why = forward(at, { from, to, how: 'fast_forward' });
  if (why !== undefined) return left(why.why, why.fix);
  keepCheckout(ws, at);
  return ok(`taken back by ${to}`);
}

/** Commits since `before`, which took it back last, or ''; newest first, each with the one that it began at. */
function broughtIn(ws: Workspace, git: Git, { id, attempts }: TaskRead) {
  const since = `--since=${attempts[0]?.owner?.claimed ?? ''}`;
  const named = (key: string, ...more: string[]): readonly string[] => {
    const how = ['--no-merges', since, `--grep=^${key}: ${id}$`, 'HEAD', ...more];
    return parts(git.out(['rev-list', ...how]), '\n');
  };
  const [before = ''] = named('Contract-Undone');
  const own = named('Contract', ...(before === '' ? [] : [`^${before}`]));
  const folder = taskFolder(ws.layout, 'done', id);
  const trees = attempts.toReversed().flatMap((one) => {
    const to = one.outcome?.commit;
    if (one.kind !== 'work' || one.lost || to === undefined || !git.holds(to, 'HEAD')) return [];
    const { base, merging } = readWorkdir(ws, calledIn(folder, one)) ?? {};
    const isOver = base === to || (before !== '' && git.holds(to, before));
    return isOver ? [] : [{ base: merging === undefined ? base : undefined, to }];
  });
  return { sides: [...own.map((to) => ({ base: `${to}^`, to })), ...trees], before };
}
