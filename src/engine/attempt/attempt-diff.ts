/** What the work attempts of a task changed together: files with counts of lines, and the diff as git prints it. */
import type { Attempt } from '../../task/core/attempts/record.ts';
import { treeGit } from '../../permissions/engine/audit/shared-tree.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { calledIn } from '../../workspace/tasks/read-attempts.ts';
import { parts, type Git } from '../../worktrees/engine/git.ts';
import { readWorkdir } from '../../worktrees/engine/workdir-record.ts';
import { plainChanges, plainPatch } from './plain-diff.ts';
import type { LineData } from '../core/events/command-lines.ts';

type Changed = Pick<LineData<'story'>, 'files' | 'files_note'>;

/** `task`: its folder. Sorted by path. */
export function changedFiles(ws: Workspace, task: string, attempts: readonly Attempt[]): Changed {
  const work = ended(attempts);
  if (work.at(-1)?.outcome?.code === 'unchanged' && !work.some(hasChanged))
    return { files: [], files_note: 'nothing was changed' };
  const out = diffTree(ws, task, attempts, ['--numstat', '-z']);
  if (out === undefined) {
    const all = plainChanges(work);
    const names = all.map(([path]) => ({ path, added: null, removed: null }));
    const hasOld = all.some(([, isNew]) => !isNew);
    const doubt = names.length === 0 ? '' : doubtOf(work);
    const whys = [whyUnknown(lastChange(work), hasOld), doubt].filter((one) => one !== '');
    return { files: names, files_note: whys.join('; ') };
  }
  const files = out.split('\0').flatMap((line) => {
    const [added, removed, path] = line.split('\t');
    const count = (text = '-'): number | null => (text === '-' ? null : Number(text));
    return path === undefined ? [] : [{ path, added: count(added), removed: count(removed) }];
  });
  const last = work.length > 1 ? work.at(-1) : undefined;
  const same = last && isSame(ws, task, last) ? `attempt ${last.number} changed nothing` : '';
  const notes = [same, doubtOf(work)].filter((one) => one !== '');
  return { files, files_note: files.length === 0 ? '' : notes.join('; ') };
}

function ended(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ lost, kind, outcome }) => !lost && kind === 'work' && outcome);
}

/** An attempt that changed nothing leaves what an earlier one did to be judged. */
function lastChange(work: readonly Attempt[]): Attempt | undefined {
  return work.findLast(hasChanged) ?? work.at(-1);
}

const hasChanged = ({ outcome: one }: Attempt): boolean =>
  one?.trees?.[0] !== one?.trees?.[1] || one?.changed.length !== 0;

function isSame(ws: Workspace, task: string, one: Attempt): boolean {
  const { trees, commit } = one.outcome ?? {};
  if (trees !== undefined) return trees[0] === trees[1];
  return commit !== undefined && commit === groundOf(ws, task, one)?.base;
}

function groundOf(ws: Workspace, task: string, one: Attempt) {
  return readWorkdir(ws, calledIn(task, one));
}

/** `hasOld`: a file changed that was there before. */
function whyUnknown(work: Attempt | undefined, hasOld: boolean): string {
  const { trees, commit } = work?.outcome ?? {};
  if (trees !== undefined || commit !== undefined)
    return 'git no longer has their earlier contents';
  return hasOld ? 'which lines changed is known only in a git repository' : '';
}

function doubtOf(work: readonly Attempt[]): string {
  const others = [...new Set(work.flatMap(({ outcome }) => outcome?.beside ?? []))];
  if (others.length > 0)
    return `files of other tasks may be among these: ${others.join(', ')} worked at the same time`;
  const by_person = work.some(({ owner, outcome }) => owner?.owner === 'person' && outcome?.trees);
  return by_person ? 'all that changed in the tree since the claim' : '';
}

/** A patch for a person; without git of files that are new. undefined where git has lost the contents. */
export function patchOf(ws: Workspace, task: string, attempts: readonly Attempt[]) {
  const work = ended(attempts);
  const { trees, commit } = lastChange(work)?.outcome ?? {};
  const isPlain = trees === undefined && commit === undefined;
  return isPlain ? plainPatch(ws, work) : diffTree(ws, task, attempts, ['--patch']);
}

/** An argument list has a limit. */
const PATHS_MAX = 1000;

/** As git prints it; undefined where the lines are not known. */
export function diffTree(
  ws: Workspace,
  task: string,
  attempts: readonly Attempt[],
  how: readonly string[],
): string | undefined {
  const work = ended(attempts);
  const { branch, commit, trees } = lastChange(work)?.outcome ?? {};
  const found = (commit ?? trees) && treeGit(ws);
  if (!found) return undefined;
  const diff = (...args: readonly string[]): string | undefined => {
    const all = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', ...args];
    const { code, out } = found.git.run(all, { env: found.env });
    return code === 0 ? out : undefined;
  };
  if (branch !== undefined) {
    const from = commit && beginOf(ws, task, work, found.git, commit);
    return from && commit && diff(...how, from, commit);
  }
  const each = work.flatMap(({ outcome }) => (outcome?.trees ? [outcome.trees] : []));
  const [[from = ''] = [], [, to = ''] = []] = [each[0], each.at(-1)];
  if (each.length < 2) return diff(...how, from, to);
  // Between two attempts others may have changed other files.
  const names = each.map((two) => parts(diff('--name-only', '-z', ...two) ?? ''));
  const own = [...new Set(names.flat())].sort();
  if (own.length === 0) return diff(...how, to, to);
  const each_part = own.flatMap((_, i) =>
    i % PATHS_MAX === 0 ? [diff(...how, from, to, '--', ...own.slice(i, i + PATHS_MAX))] : [],
  );
  return each_part.includes(undefined) ? undefined : each_part.join('');
}

/** Without what a merge brought in from the branch that it will be merged into. */
function beginOf(ws: Workspace, task: string, work: readonly Attempt[], git: Git, commit: string) {
  const made = work.flatMap((one) => {
    const ground = groundOf(ws, task, one);
    return ground && one.outcome?.commit ? [{ ...ground, commit: one.outcome.commit }] : [];
  });
  const met = git.run(['merge-base', 'HEAD', commit]).out.trim();
  if (met !== commit) {
    const [first] = made;
    return first && met !== '' && !git.holds(met, first.base) ? met : first?.base;
  }
  // Merged already: since the last other side, or the last other beginning.
  const isNew = (one: (typeof made)[number], i: number): boolean =>
    one.merging !== undefined || one.base !== made[i - 1]?.commit;
  const last = made.findLast(isNew);
  return last?.merging ?? last?.base;
}

/** `src/a.ts (+3 −1)`; without counts a file of bytes, or one whose lines are not known. */
export function countedFile({ path, added, removed }: Changed['files'][number]): string {
  return added === null || removed === null ? path : `${path} (+${added} −${removed})`;
}
