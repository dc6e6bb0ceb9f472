/**
 * The start of an attempt in its worktree. Uncommitted work of a dead attempt is continued, other
 * changes are kept aside; a conflict blocks the task first and is laid out for the agent next.
 */
import { join as joinPath } from 'node:path';
import { syncFileSystems } from '../../process/gate.ts';
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { ConflictRecord, WorkdirRecord } from '../../task/core/attempts/record.ts';
import { attemptFolder, shown } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import {
  atPlace,
  bytesOf,
  findPlace,
  type Running,
} from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { ConflictError, conflictBrief, openConflict } from './conflict.ts';
import { treeOfFiles } from './write-tree.ts';
import { gitAt, gitFault, mainPlace, type Git } from './git.ts';
import { workdirOf, readWorkdir, refsOf, trustedRepository } from './workdir-record.ts';
import { sharedWorkdir, type Workdir } from './workdir.ts';
import { join, tasksBehind, type Conflict, type Side } from './merge-commits.ts';
import { leaveObjects, openObjects, takeOver } from './sandbox-objects.ts';
import {
  branchOf,
  findTree,
  makeTree,
  putAt,
  putBack,
  refOf,
  unlock,
  type TaskTree,
} from './worktree.ts';
import { folderOf, verifiedCommit } from './verified-commit.ts';

/** Throws ConflictError, or a Fault. */
export function startWorkdir(running: Running): Workdir {
  const { ws, id } = running;
  const repo = trustedRepository(ws);
  const main = gitAt(ws, mainPlace(repo));
  const open = openConflict(ws, findPlace(running)?.folder ?? '', running.task.attempts);
  const begin = beginning(running, main, open);
  const record: WorkdirRecord = { v: 1, branch: branchOf(id), files: [], ...begin.record };
  const left = findTree(ws, repo, id);
  if (left !== undefined) {
    unlock(ws, left);
    takeLeft(ws, main, left, record.base);
  }
  const found = left?.usable === true ? left : undefined;
  if (left !== undefined && found === undefined) makeReady(running, left, record.base);
  const tree = found ?? makeTree(ws, repo, id, record.base);
  const laidOut = found === undefined || !goesOn(running, found, record);
  if (laidOut) {
    if (found !== undefined) makeReady(running, found, record.base);
    layOut(tree, record);
  }
  openObjects(ws, tree);
  shutSettings(ws, tree);
  // Before the record, by which a later attempt continues with these files.
  if (laidOut) syncFileSystems(running.ws.programs, tree.folder, tree.admin);
  atPlace(running, ({ folder }) => {
    const path = joinPath(attemptFolder(folder, running.number), 'ground.md');
    put(ws.putting, path, bytesOf(renderRecord(record, '')));
  });
  const workdir = workdirOf(repo, tree, record, refsOf(main));
  if (begin.conflict === undefined) return workdir;
  return { ...workdir, conflict: conflictBrief(ws, begin.conflict, record.files) };
}

/** Else it could be created: git reads it where the repository allows worktrees their own. */
function shutSettings(ws: Workspace, { admin }: TaskTree): void {
  const path = joinPath(admin, 'config.worktree');
  if (ws.disk.stat(path) === undefined) ws.disk.create(path, new Uint8Array(), { durable: false });
}

/** Commits of an attempt that nobody settled; dropped where objects are missing. */
function takeLeft(ws: Workspace, main: Git, tree: TaskTree, base: string): void {
  const broken = takeOver(ws, main, tree, base) !== undefined;
  leaveObjects(ws, tree, broken ? base : (tree.git.commitOf('HEAD') ?? base));
}

interface Beginning {
  readonly record: Pick<WorkdirRecord, 'base'> & Partial<WorkdirRecord>;
  /** The conflict that the agent is to resolve. */
  readonly conflict?: ConflictRecord;
}

/** Begins at the branch, unless the main checkout has all of it already. */
function beginning(running: Running, main: Git, open: ConflictRecord | undefined): Beginning {
  const { ws, id, number } = running;
  const commit = main.commitOf('HEAD');
  if (commit === undefined) {
    const fix = 'git add -A && git commit, then run this again';
    throw new Fault('git', 'the repository has no commit to begin with', { fix });
  }
  const head: Side = { name: mainName(main), commit };
  const tip = main.commitOf(`refs/heads/${branchOf(id)}`);
  const first =
    tip === undefined || main.holds(tip, commit) ? head : { name: branchOf(id), commit: tip };
  const others = [...(open?.main === true ? [head] : []), ...dependencies(ws, running, main)];
  const joined = join(main, first, others, (side) => ({
    id,
    number,
    subject: `Begin ${id} with ${side.name}`,
  }));
  if (joined.conflict === undefined) return { record: { base: joined.commit } };
  const conflict = recordOf(main, joined.conflict, joined.conflict.theirs.commit === commit);
  if (open === undefined) throw new ConflictError(conflict);
  const { theirs, files } = joined.conflict;
  return { record: { base: joined.commit, merging: theirs.commit, files: [...files] }, conflict };
}

export function mainName(main: Git): string {
  const { code, out } = main.run(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return code === 0 ? out.trim() : 'the main checkout';
}

export function recordOf(
  main: Git,
  { ours, theirs, files }: Conflict,
  of_main: boolean,
): ConflictRecord {
  const base = main.run(['merge-base', ours.commit, theirs.commit]).out.trim();
  return {
    v: 1,
    ours: ours.name,
    theirs: theirs.name,
    main: of_main,
    files: [...files],
    tasks: base === '' ? [] : [...tasksBehind(main, base, theirs.commit, files)],
  };
}

/** Commits of dependencies that the main checkout does not have yet. */
function dependencies(ws: Workspace, { contract }: Running, main: Git): readonly Side[] {
  return (contract?.head.depends_on ?? []).flatMap((id) => {
    const folder = folderOf(ws, id)?.folder;
    const done = folder === undefined ? undefined : verifiedCommit(ws, id, folder);
    if (done === undefined || main.commitOf(done.commit) === undefined) return [];
    return main.holds(done.commit, 'HEAD') ? [] : [{ name: done.branch, commit: done.commit }];
  });
}

/** An attempt that died here with its runner began at the same commit: its work is continued. */
function goesOn(running: Running, tree: TaskTree, { base, merging }: WorkdirRecord): boolean {
  if (!running.recovers) return false;
  const folder = findPlace(running)?.folder;
  const died = running.task.attempts.findLast(({ number }) => number > running.owner.base);
  if (folder === undefined || died === undefined) return false;
  const left = readWorkdir(running.ws, attemptFolder(folder, died.number, true));
  if (left?.base !== base || left.merging !== merging) return false;
  const head = tree.git.commitOf('HEAD');
  const on = head !== undefined && tree.git.holds(base, head) ? head : base;
  tree.git.detach(on);
  return true;
}

function makeReady(running: Running, tree: TaskTree, base: string): void {
  const { ws, id, number, task } = running;
  const last = task.attempts.findLast(({ kind, lost }) => kind === 'work' && !lost);
  const of = last?.outcome?.adopted ?? last?.number ?? 0;
  // A violation is kept under its own ref already.
  const kept_already =
    last?.outcome?.outcome === 'violated' &&
    tree.git.commitOf(refOf('violated', id, of)) !== undefined;
  if (kept_already || isUnsettled(ws, tree, refOf('unsettled', id, of)))
    return putAt(ws, tree, base);
  const kept = putBack(ws, tree, base, { id, number });
  if (kept !== undefined) reportKept(running, tree, kept);
}

/** An unresolved conflict as the last attempt left it: settle-attempt.ts kept it. */
function isUnsettled(ws: Workspace, tree: TaskTree, ref: string): boolean {
  const kept = tree.git.commitOf(ref);
  if (kept === undefined) return false;
  const files = treeOfFiles(ws, tree, kept).tree;
  return files === tree.git.treeOf(kept);
}

/** With git's marks, as in a merge by a person. */
function layOut(tree: TaskTree, { merging }: WorkdirRecord): void {
  if (merging === undefined) return;
  const result = tree.git.run(['merge', '--no-commit', '--no-ff', '--no-stat', merging]);
  if (result.code === 0 || result.code === 1) return;
  throw gitFault('git merge failed', result);
}

function reportKept({ emit, id, ws }: Running, { folder }: TaskTree, ref: string): void {
  const reason = `its worktree was changed between two attempts; the changes are kept as ${ref}`;
  emit({ event: 'wrote', task: id, file: shown(ws.layout, folder), reason });
}

/** The worktree at the commit of its outcome. Later changes are kept aside: a receipt is about that commit. */
export function reviewWorkdir(running: Running): Workdir {
  const { ws, id, number } = running;
  const last = lastEnded(running.task.attempts, 'work');
  const { branch, commit } = last?.outcome ?? {};
  if (last === undefined || branch === undefined || commit === undefined) {
    return sharedWorkdir(running);
  }
  const repo = trustedRepository(ws);
  const found = findTree(ws, repo, id);
  const kept = found && putBack(ws, found, commit, { id, number });
  if (found !== undefined && kept !== undefined) reportKept(running, found, kept);
  const tree = found?.usable === true ? found : makeTree(ws, repo, id, commit);
  const folder = findPlace(running)?.folder;
  const record = folder && readWorkdir(ws, attemptFolder(folder, last.number));
  const base = record ? record.base : commit;
  return workdirOf(repo, tree, { v: 1, branch, base, files: [] });
}
