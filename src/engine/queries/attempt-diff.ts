/** What the last work attempt changed: files with counts of lines, and the diff as git prints it. */
import type { Attempt } from '../../task/core/attempts/record.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { treeGit } from '../../permissions/engine/audit/shared-tree.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readWorkdir } from '../../worktrees/engine/workdir-record.ts';
import type { LineData } from '../core/events/command-lines.ts';

type Changed = Pick<LineData<'story'>, 'files' | 'files_note'>;

/** `task`: its folder. Sorted by path. */
export function changedFiles(ws: Workspace, task: string, attempts: readonly Attempt[]): Changed {
  const work = lastChange(attempts);
  const names = (work?.outcome?.changed ?? []).map((path) => {
    return { path, added: null, removed: null };
  });
  const out = diffTree(ws, task, attempts, ['--numstat', '-z']);
  if (work === undefined || out === undefined)
    return { files: names, files_note: whyUnknown(work, names.length) };
  const files = out.split('\0').flatMap((line) => {
    const [added, removed, path] = line.split('\t');
    const count = (text = '-'): number | null => (text === '-' ? null : Number(text));
    return path === undefined ? [] : [{ path, added: count(added), removed: count(removed) }];
  });
  return { files, files_note: files.length === 0 ? '' : doubtOf(work) };
}

/** An attempt that changed nothing leaves what an earlier one did to be judged. */
function lastChange(attempts: readonly Attempt[]): Attempt | undefined {
  const ended = attempts.filter(({ lost, kind, outcome }) => !lost && kind === 'work' && outcome);
  const did = ({ outcome: one }: Attempt): boolean =>
    one?.trees?.[0] !== one?.trees?.[1] || one?.changed.length !== 0;
  return ended.findLast(did) ?? ended.at(-1);
}

function whyUnknown(work: Attempt | undefined, files: number): string {
  const { trees, commit } = work?.outcome ?? {};
  if (trees !== undefined || commit !== undefined)
    return 'git no longer has their earlier contents';
  return files === 0 ? '' : 'which lines changed is known only in a git repository';
}

const DOUBT = 'files of other tasks may be among these';

function doubtOf({ outcome, owner }: Attempt): string {
  const others = outcome?.beside ?? [];
  if (others.length > 0) return `${DOUBT}: ${others.join(', ')} worked at the same time`;
  const by_person = owner?.owner === 'person' && outcome?.trees !== undefined;
  return by_person ? 'all that changed in the tree since the claim' : '';
}

/** As git prints it; undefined where the lines are not known. */
export function diffTree(
  ws: Workspace,
  task: string,
  attempts: readonly Attempt[],
  how: readonly string[],
): string | undefined {
  const { number, outcome } = lastChange(attempts) ?? {};
  if (number === undefined || outcome === undefined) return undefined;
  const { branch, commit, trees = [], adopted } = outcome;
  const folder = attemptFolder(task, adopted ?? number, adopted !== undefined);
  const sides = branch === undefined ? trees : [readWorkdir(ws, folder)?.base, commit];
  const [from, to] = sides;
  const found = from === undefined ? undefined : treeGit(ws);
  if (found === undefined || from === undefined || to === undefined) return undefined;
  const all = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', ...how];
  const { code, out } = found.git.run([...all, from, to], { env: found.env });
  return code === 0 ? out : undefined;
}

/** `src/a.ts (+3 −1)`; without counts a file of bytes, or one whose lines are not known. */
export function countedFile({ path, added, removed }: Changed['files'][number]): string {
  return added === null || removed === null ? path : `${path} (+${added} −${removed})`;
}
