/**
 * The start of an attempt in its worktree: at the branch's tip, or at the main checkout's commit, and
 * with what its dependencies did that is not merged yet. What a dead attempt left uncommitted stays
 * for the next one; what stands there for any other reason is kept and told.
 */
import { join } from 'node:path';
import { Fault } from '../../core/problem.ts';
import { groundSchema, type GroundRecord } from '../../core/record.ts';
import { attemptFolder } from '../../store/layout.ts';
import { put } from '../../store/put.ts';
import { renderRecord } from '../../text/record.ts';
import { readRecord } from '../attempts.ts';
import { atPlace, bytesOf, findPlace, type Running } from '../attempt/running.ts';
import type { Workspace } from '../workspace.ts';
import { gitAt, mainPlace, type Git } from './git.ts';
import type { Ground } from './ground.ts';
import { findRepository, isRepository, type Repository } from './repository.ts';
import { branchOf, findTree, makeTree, putAt, putBack, type TaskTree } from './tree.ts';

export function repositoryOf(ws: Workspace): Repository {
  const found = findRepository(ws.disk, ws.layout.root);
  if (isRepository(found)) return found;
  throw new Fault(found.why, { fix: found.fix });
}

/** Makes the worktree ready for the agent of this attempt. */
export function startGround(running: Running): Ground {
  const { ws, id } = running;
  const repo = repositoryOf(ws);
  const main = gitAt(ws, mainPlace(repo));
  const base = beginning(main, id);
  const found = findTree(ws, repo, id);
  const tree = found ?? makeTree(ws, repo, id, base);
  if (found !== undefined && !goesOn(running, found, base)) makeReady(running, found, base);
  const record: GroundRecord = { v: 1, branch: branchOf(id), base };
  atPlace(running, ({ folder }) =>
    put(
      ws.putting,
      join(attemptFolder(folder, running.number), 'ground.md'),
      bytesOf(renderRecord(record, '')),
    ),
  );
  return groundOf(repo, tree, record, refsOf(main));
}

export function groundOf(
  repo: Repository,
  tree: TaskTree,
  { branch, base, merging }: GroundRecord,
  refs?: ReadonlyMap<string, string>,
): Ground {
  return {
    root: join(tree.folder, repo.prefix),
    isolation: 'worktree',
    worktree: {
      ...tree,
      branch,
      base,
      ...(merging === undefined ? {} : { merging }),
      ...(refs === undefined ? {} : { refs }),
    },
  };
}

/** The branch's tip, unless the main checkout has all of it already. */
function beginning(main: Git, id: string): string {
  const head = main.commitOf('HEAD');
  if (head === undefined) {
    throw new Fault('the repository has no commit to begin with', {
      fix: 'git add -A && git commit, then step again',
    });
  }
  const tip = main.commitOf(`refs/heads/${branchOf(id)}`);
  return tip === undefined || main.holds(tip, head) ? head : tip;
}

/** An attempt that died here, with its runner, began at the same commit: its work goes on. */
function goesOn(running: Running, tree: TaskTree, base: string): boolean {
  if (!running.recovers) return false;
  const folder = findPlace(running)?.folder;
  const died = running.task.attempts.findLast(({ number }) => number > running.owner.base);
  if (folder === undefined || died === undefined) return false;
  if (readGround(running.ws, attemptFolder(folder, died.number, true))?.base !== base) return false;
  const head = tree.git.commitOf('HEAD');
  const on = head !== undefined && tree.git.holds(base, head) ? head : base;
  tree.git.say(['update-ref', '--no-deref', 'HEAD', on]);
  return true;
}

function makeReady(running: Running, tree: TaskTree, base: string): void {
  const { ws, id, number, task } = running;
  const last = task.attempts.findLast(({ kind, lost }) => kind === 'work' && !lost);
  // What was beyond its authority is kept under its own name already.
  if (last?.outcome?.outcome === 'violated') return putAt(ws, tree, base);
  const kept = putBack(ws, tree, base, { id, number });
  if (kept !== undefined) sayKept(running, kept);
}

export function sayKept({ emit, id }: Running, ref: string): void {
  const reason = `its worktree was changed between two attempts; that is kept as ${ref}`;
  emit({ event: 'wrote', task: id, file: `.contracts/worktrees/${id}`, reason });
}

/** Of an attempt, by its folder; undefined when it worked in the shared tree. */
export function readGround(ws: Workspace, attempt: string): GroundRecord | undefined {
  const read = readRecord(ws, join(attempt, 'ground.md'), groundSchema());
  return read?.ok === true ? read.value : undefined;
}

export function refsOf(main: Git): ReadonlyMap<string, string> {
  const lines = main.say(['for-each-ref', '--format=%(refname) %(objectname)']).split('\n');
  return new Map(
    lines.filter((line) => line !== '').map((line) => line.split(' ') as [string, string]),
  );
}
