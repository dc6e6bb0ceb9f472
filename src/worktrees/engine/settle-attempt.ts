/**
 * The end of an attempt in its worktree: the runner commits, and moves the branch only where the
 * permissions allow all of it. Every step can be repeated after a crash.
 */
import { join, posix, relative } from 'node:path';
import {
  refuseChange,
  refuseGit,
  type Permissions,
  type Refusal,
} from '../../task/core/model/permissions.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { ownDoing } from '../../task/core/attempts/noticed.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { isHighest, findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';
import { gitUntrusted } from '../../trust/trust.ts';
import { oddIn } from '../../workspace/open/odd-files.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Change } from '../../task/store/snapshots/folder-snapshot.ts';
import { changesOf, touchedBetween } from './changes.ts';
import {
  freshIndex,
  linksOf,
  pathIn,
  repositoriesIn,
  treeOfFiles,
  type FilesTree,
} from './write-tree.ts';
import { filesInLinks } from './committed.ts';
import { gitAt, mainPlace, type Git } from './git.ts';
import type { Workdir, Worktree } from './workdir.ts';
import { workdirOf, readWorkdir, refsOf, repositoryOf } from './workdir-record.ts';
import { mergedBefore, mergeTrees } from './merge-commits.ts';
import { readPrepared } from './prepared.ts';
import { leaveObjects, takeOver } from './sandbox-objects.ts';
import { commitTree, findTree, quiet, refOf, unlock } from './worktree.ts';
import { keepViolated } from './violation-patch.ts';

const MARKED_BYTES_MAX = 64 * 1024 * 1024;

export interface Settled {
  readonly branch: string;
  /** Missing where its changes were outside its permissions. */
  readonly commit?: string;
  readonly changed: readonly string[];
  readonly violations: readonly string[];
  readonly noticed: readonly string[];
  /** The files in which its conflict is still unresolved. */
  readonly unsettled: readonly string[];
  /** Files that git did not accept, so that no commit has them, with the reason. */
  readonly untaken: readonly string[];
  /** A fault that came twice: nothing was committed, and all of it is still in the worktree. */
  readonly fault?: Fault;
}

/** True if its worktree was removed since: there is nothing to take over. */
export function isWorktreeGone(running: Running, source: number): boolean {
  const folder = attemptFolder(findPlace(running)?.folder ?? '', source, true);
  const worked = readWorkdir(running.ws, folder) !== undefined;
  return worked && leftWorkdir(running, source) === undefined;
}

/** The workdir of an attempt whose runner died; undefined when it was the shared tree. */
export function leftWorkdir(running: Running, source: number): Workdir | undefined {
  const { ws, id } = running;
  const folder = findPlace(running)?.folder;
  if (folder === undefined) return undefined;
  const lost = source !== running.number;
  const record = readWorkdir(ws, attemptFolder(folder, source, lost));
  if (record === undefined) return undefined;
  const repo = repositoryOf(ws);
  const tree = findTree(ws, repo, id);
  return tree === undefined ? undefined : workdirOf(repo, tree, record);
}

/** Again at once where git fails: another git may have held a lock. The second failure is a person's to mend. */
export function settleWorkdir(
  settling: Parameters<typeof settleOnce>,
  again = true,
): Settled | undefined {
  try {
    return settleOnce(...settling);
  } catch (error) {
    if (!(error instanceof Fault) || error.fault !== 'git') throw error;
    if (again) return settleWorkdir(settling, false);
    const [, { worktree }, , , violations = []] = settling;
    return { ...unlooked(worktree?.branch ?? '', violations), fault: error };
  }
}

/** `source`: whose agent worked there; `beyond`: other violations. undefined after a takeover. */
function settleOnce(
  running: Running,
  workdir: Workdir,
  permissions: Permissions,
  source = running.number,
  beyond: readonly string[] = [],
): Settled | undefined {
  const { ws, id } = running;
  const { worktree } = workdir;
  const place = findPlace(running);
  if (worktree === undefined || place === undefined) return undefined;
  if (!isHighest(ws, place.folder, running.number)) return undefined;
  const distrusted = gitUntrusted(ws);
  if (distrusted !== undefined) return unlooked(worktree.branch, [distrusted.message, ...beyond]);
  const main = gitAt(ws, mainPlace(repositoryOf(ws)));
  const { branch, base } = worktree;
  unlock(ws, worktree);
  const before = main.commitOf(refOf('violated', id, source));
  const torn = takeOver(ws, main, worktree, base);
  const merging = worktree.merging ?? mergedBefore(worktree, headOf(worktree, torn), permissions);
  const broken = torn ?? linkIn({ ...worktree, merging });
  const { commit, forbidden, untaken, nested } =
    before === undefined
      ? commitOf(running, worktree, source, broken === undefined)
      : { commit: before, forbidden: [], untaken: [], nested: repositoriesIn(worktree.git) };
  // Of a merge only its own changes count, not those of the other side.
  const before_it = merging === undefined ? base : mergeTrees(main, base, merging).tree;
  const top = relative(worktree.folder, workdir.root);
  const fromRoot = (one: Change): Change => ({ ...one, path: posix.relative(top, one.path) });
  const all_changed = changesOf(worktree.git, before_it, commit);
  const changed = all_changed.map(fromRoot);
  const paths = changed.map(({ path }) => path);
  const net = new Set(paths);
  // With the other side's marks left in it, its last commit is no merge, but has all of that side.
  const joined = merging === undefined || worktree.git.holds(merging, commit);
  // After a rebase the commit is a single one, without what was on the way to it.
  const all_touched =
    joined || worktree.merging !== undefined
      ? touchedBetween({ ...worktree, merging }, joined ? commit : headOf(worktree, broken))
      : all_changed;
  const { copied } = readPrepared(ws, worktree.admin);
  const leaked = copied.filter((path) => all_touched.some((one) => one.path === path));
  const touched = all_touched.map(fromRoot);
  const onTheWay = touched.filter(({ path }) => !net.has(path));
  const refused = [
    ...changed.flatMap((one) => refuseChange(permissions, one) ?? []),
    ...onTheWay.flatMap((one) => inCommit(refuseChange(permissions, one)) ?? []),
    ...commitsBeyond(worktree, permissions),
  ];
  const isHard = ({ strength, runs }: Refusal): boolean => strength === 'hard' && runs !== true;
  const hard = refused.filter(isHard).map(({ why }) => why);
  const ties = [
    ...(broken === undefined ? [] : [broken]),
    ...nested.map(ownRepository),
    ...forbidden.map(
      (path) => `${JSON.stringify(path)}: git reserves this name, so it cannot be committed`,
    ),
    ...leaked.map(
      (path) =>
        `${JSON.stringify(path)} was copied from the main tree, so it must not be committed`,
    ),
  ];
  const violations = [...ties, ...hard, ...beyond];
  const noticed = [
    ...refused.flatMap(({ strength, runs, why }) =>
      runs === true ? why : strength === 'hard' ? [] : ownDoing(why),
    ),
    ...otherRefs(main, worktree, commit),
    ...changed.flatMap(({ path }) => oddIn(ws, workdir.root, path) ?? []),
  ];
  if (violations.length > 0 || before !== undefined) {
    const ref = refOf('violated', id, source);
    main.out(['update-ref', ref, commit]);
    const beyond_it = changed.filter((one) =>
      [refuseChange(permissions, one) ?? []].flat().some(isHard),
    );
    const shown = { from: before_it, to: commit, ref, paths: beyond_it.map(({ path }) => path) };
    keepViolated(running, { ...workdir, worktree }, shown);
    setBack(main, worktree, commit);
    leaveObjects(ws, worktree, headOf(worktree, broken), commit);
    const why = violations.length > 0 ? violations : ['what it did was outside its permissions'];
    return { branch, changed: paths, violations: why, noticed, unsettled: [], untaken: [] };
  }
  const unsettled = marked(ws, worktree);
  if (unsettled.length > 0) {
    // No merge yet: the conflict is laid out again.
    main.out(['update-ref', refOf('unsettled', id, source), commit]);
    leaveObjects(ws, worktree, headOf(worktree, broken), commit);
    return { branch, changed: paths, violations, noticed, unsettled, untaken };
  }
  main.out(['update-ref', refOf('attempts', id, source), commit]);
  const moved = moveBranch(main, worktree, commit);
  worktree.git.detach(commit);
  freshIndex(ws, worktree, commit);
  leaveObjects(ws, worktree, commit);
  const all = [...noticed, ...moved];
  return { branch, commit, changed: paths, violations, noticed: all, unsettled, untaken };
}

/** The work stays in the worktree. */
function unlooked(branch: string, violations: readonly string[]): Settled {
  return { branch, changed: [], violations, noticed: [], unsettled: [], untaken: [] };
}

export function ownRepository(path: string): string {
  return `${JSON.stringify(path)} is a repository of its own inside the worktree: nothing in it can be committed`;
}

/** A nested repository in its own commits that the base does not have at that path and commit. */
function linkIn({ git, base, merging }: Worktree): string | undefined {
  const head = git.commitOf('HEAD');
  if (head === undefined || head === base) return undefined;
  const known = new Set(
    [base, merging].flatMap((one) => (one === undefined ? [] : linksOf(git, one))),
  );
  const found = linksOf(git, head).find((line) => !known.has(line));
  return found === undefined ? undefined : ownRepository(pathIn(found));
}

function headOf({ git, base }: Worktree, broken: string | undefined): string {
  return broken === undefined ? (git.commitOf('HEAD') ?? base) : base;
}

/** The agent's own commits where they continue from the base; the rest as one more. */
function commitOf(
  running: Running,
  worktree: Worktree,
  source: number,
  whole: boolean,
): Omit<FilesTree, 'tree' | 'links'> & { readonly commit: string } {
  const { ws, id, contract } = running;
  const { git, base, merging } = worktree;
  quiet(ws, worktree);
  const head = whole ? git.commitOf('HEAD') : undefined;
  const own = head !== undefined && git.holds(base, head) ? head : base;
  const { tree, links, ...taken } = treeOfFiles(ws, worktree, own);
  const left = { ...taken, untaken: [...taken.untaken, ...filesInLinks(ws, worktree, links)] };
  const joins =
    merging !== undefined && !git.holds(merging, own) && marked(ws, worktree).length === 0;
  if (!joins && tree === git.treeOf(own)) {
    return { commit: own, ...left };
  }
  const subject = `${contract?.title ?? id} (${id}, attempt ${source})`;
  const parents = joins ? [own, merging] : [own];
  const made = refOf('attempts', id, source);
  return { commit: commitTree(git, tree, parents, { id, number: source, subject, made }), ...left };
}

function marked(ws: Workspace, { folder, files }: Worktree): readonly string[] {
  return files.filter((file) => {
    const path = join(folder, file);
    if (ws.disk.stat(path)?.kind !== 'file') return false;
    const text = Buffer.from(ws.disk.read(path, MARKED_BYTES_MAX)).toString('latin1');
    return /^<{7} .*$[^]*^>{7} /m.test(text);
  });
}

function inCommit(refusal: Refusal | undefined): Refusal | undefined {
  return refusal && { ...refusal, why: `${refusal.why}; a later commit reverted it` };
}

function commitsBeyond({ git, base }: Worktree, permissions: Permissions): readonly Refusal[] {
  const refused = refuseGit(permissions, 'commit');
  const head = refused === undefined ? undefined : git.commitOf('HEAD');
  return refused === undefined || head === undefined || git.holds(head, base) ? [] : [refused];
}

/** Refs that moved while it worked, by an unknown process unless to one of its own commits. */
function otherRefs(main: Git, worktree: Worktree, commit: string): readonly string[] {
  const { refs: before, branch } = worktree;
  if (before === undefined) return [];
  const after = refsOf(main);
  const own = (name: string): boolean =>
    name === `refs/heads/${branch}` || name.startsWith('refs/contracts/');
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !own(name));
  return names.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === is) return [];
    // Runners move these; only the agent's own commit there is its doing.
    if (name.startsWith('refs/heads/contracts/') && (is !== commit || is === worktree.base)) {
      return [];
    }
    const how = was === undefined ? 'was made' : is === undefined ? 'was removed' : 'was moved';
    return [`${name} ${how} while it worked`];
  });
}

function setBack(main: Git, { branch, base }: Worktree, commit: string): void {
  const ref = `refs/heads/${branch}`;
  const now = main.commitOf(ref);
  if (now === undefined || now === base || main.holds(now, base)) return;
  if (main.holds(now, commit)) main.out(['update-ref', ref, base, now]);
}

function moveBranch(main: Git, { branch, base }: Worktree, commit: string): readonly string[] {
  const ref = `refs/heads/${branch}`;
  const now = main.commitOf(ref);
  if (now === commit) return [];
  if (now === undefined || now === base || main.holds(now, commit)) {
    main.out(['update-ref', ref, commit, now ?? '']);
    return [];
  }
  return [`${branch} was moved by another process while it worked, and stays there`];
}
