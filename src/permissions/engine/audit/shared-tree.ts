/**
 * The files of the shared tree at a claim and at its end, as git trees, for a diff of the attempt. Index and
 * objects are in `.contracts/cache/trees`, for two months: those of the repository are only read.
 */
import { join } from 'node:path';
import { globMatcher } from '../../../task/core/base/glob.ts';
import { writesOf } from '../../../task/core/base/glob-overlap.ts';
import { READ_ONLY } from '../../../task/core/model/permissions.ts';
import { errorCode, makeFolder } from '../../../task/store/disk/disk.ts';
import { put } from '../../../task/store/disk/put.ts';
import { bytesAt, type FolderSnapshot } from '../../../task/store/snapshots/folder-snapshot.ts';
import { findGit } from '../../../git/find-git.ts';
import { OWN } from '../../../task/store/snapshots/fingerprint.ts';
import { attemptFolder, shown } from '../../../task/store/tasks/layout.ts';
import { listOrNothing, locate, namesInState } from '../../../task/store/tasks/tasks.ts';
import { cacheFolder, makeCacheFolder } from '../../../workspace/open/cache-folder.ts';
import { textIfThere } from '../../../workspace/open/text-file.ts';
import { atPlace, bytesOf, type Running } from '../../../workspace/tasks/attempt-context.ts';
import { readTask } from '../../../workspace/tasks/read-task.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { gitAt } from '../../../worktrees/engine/git.ts';
import { removeAll } from '../../../worktrees/engine/sandbox-objects.ts';
import { sharedWorkdir } from '../../../worktrees/engine/workdir.ts';
import { removeIfThere } from '../../../worktrees/engine/write-tree.ts';
import { lookAtAll } from './snapshot.ts';

/** In the attempt: the tree at the claim. */
const BEFORE = 'before.tree';
/** Larger files are in no diff. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;
const LARGE_MAX = 100;
const INDEX_BYTES_MAX = 64 * 1024 * 1024;
const BESIDE_MAX = 20;

/** The tree that was written last: most claims find what the last end left. */
const last = new Map<string, { readonly files: FolderSnapshot['files']; readonly tree: string }>();
/** Attempts that ended in this process. */
const ended: { readonly root: string; readonly id: string; readonly at: number }[] = [];

/** Git, with `env` also with the objects that are kept here; undefined outside of a repository. */
export function treeGit(ws: Workspace) {
  const { root } = ws.layout;
  const found = findGit(ws, root);
  if (found === undefined) return undefined;
  const kept = join(cacheFolder(ws.layout), 'trees');
  const months = listOrNothing(ws.disk, kept).map(({ name }) => join(kept, name));
  const objects = months.map((one) => join(one, 'objects')).join(':');
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const git = gitAt(ws, { git_dir: found.own, common_dir: found.common, work_tree: root });
  return { ...found, git, env, kept, months };
}

/** At the claim; `look` gives the tree as the comparison saw it. */
export function keepTree(running: Running, look = () => lookHere(running)): void {
  const tree = treeNow(running.ws, look);
  if (tree === undefined) return;
  atPlace(running, ({ folder }) => {
    const path = join(attemptFolder(folder, running.number), BEFORE);
    if (running.ws.disk.stat(path) === undefined)
      put(running.ws.putting, path, bytesOf(tree), { durable: false });
  });
}

/** At the end; `attempt`: the folder of the one that worked. */
export function treesOf(running: Running, attempt: string, look = () => lookHere(running)) {
  const { ws, id } = running;
  const before = textIfThere(ws.disk, join(attempt, BEFORE)) ?? '';
  const after = /^[0-9a-f]{40,64}$/.test(before) ? treeNow(ws, look) : undefined;
  const beside = tasksBeside(running);
  ended.push({ root: ws.layout.root, id, at: ws.machine.now().getTime() });
  if (after !== undefined) return { trees: [before, after], beside };
  return beside.length === 0 ? {} : { beside };
}

/** Tasks that were worked on in the shared tree while this one was. */
function tasksBeside({ ws, id, owner }: Running): string[] {
  const { root } = ws.layout;
  const since = Date.parse(owner.claimed);
  const others = ended.flatMap((one) => (one.root === root && one.at >= since ? one.id : []));
  const all = new Set([...others, ...namesInState(ws.disk, ws.layout, 'in_progress')]);
  all.delete(id);
  return [...all].toSorted().slice(0, BESIDE_MAX);
}

/** Tests whether a path may be written by another task that works in the same tree, by the globs of its contract. */
export function writtenBeside(running: Running): (path: string) => boolean {
  const { ws } = running;
  const globs = tasksBeside(running).flatMap((id) => {
    const [state] = locate(ws.disk, ws.layout, id);
    const contract = state && readTask(ws, state, id)?.contract;
    return contract?.ok === true ? writesOf(contract.value.head) : [];
  });
  const matchers = globs.map(globMatcher);
  return (path) => matchers.some((is) => is(path));
}

/** The tree now, where no agent was called and nothing was compared. */
function lookHere(running: Running): FolderSnapshot | undefined {
  const { id, number } = running;
  const allowed = { workdir: sharedWorkdir(running), permissions: READ_ONLY };
  return lookAtAll(running, allowed, { id, folder: '', number, until: number }).tree;
}

/** No attempt fails for its diff: where the disk refuses, it is not known. */
function treeNow(ws: Workspace, look: () => FolderSnapshot | undefined): string | undefined {
  try {
    return written(ws, look);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** undefined where git is not there, refuses, or would have to read too much. */
function written(ws: Workspace, look: () => FolderSnapshot | undefined): string | undefined {
  const found = treeGit(ws);
  const seen = found && look();
  if (seen === undefined || found === undefined) return undefined;
  const { git, kept, months, own, common } = found;
  const month = join(kept, `written-${ws.machine.now().toISOString().slice(0, 7)}`);
  const known = last.get(month);
  if (known !== undefined && isSame(known.files, seen.files)) return known.tree;
  const large = [...seen.files].filter(([, mark]) => Number.parseInt(mark, 10) > FILE_BYTES_MAX);
  if (large.length > LARGE_MAX) return undefined;
  const objects = join(month, 'objects');
  const index = join(month, 'index');
  if (ws.disk.stat(index) === undefined) {
    makeCacheFolder(ws);
    const others = months.filter((one) => one !== month).sort();
    for (const one of others.slice(0, -1)) removeAll(ws, one);
    for (const folder of [kept, month, objects]) makeFolder(ws.disk, folder);
    // With what git knows of unchanged files, so that it reads only the others.
    const bytes = bytesAt(ws.disk, join(own, 'index'), INDEX_BYTES_MAX);
    if (bytes !== undefined) put(ws.putting, index, bytes, { durable: false });
  }
  // Of a runner that died.
  removeIfThere(ws, `${index}.lock`);
  // Git would run in nested repositories, with their own configuration.
  const nested = seen.gits.map((path) => path.replace(/\/?\.git$/, '')).filter(Boolean);
  const left_out = [
    shown(ws.layout, ws.layout.tasks),
    'LEDGER.md',
    ...OWN,
    ...nested,
    ...large.map(([path]) => path),
  ];
  const paths = ['.', ...left_out.map((path) => `:(exclude,top,literal)${path}`)];
  const env = {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(common, 'objects'),
    GIT_LITERAL_PATHSPECS: '0',
  };
  const call = { index, env, config: [['core.fsyncMethod', 'writeout-only']] as const };
  git.run(['add', '--all', '--ignore-errors', '--', ...paths], call);
  const { code, out } = git.run(['write-tree'], call);
  if (code !== 0) return undefined;
  last.set(month, { files: seen.files, tree: out.trim() });
  return out.trim();
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([path, mark]) => other.get(path) === mark);
}
