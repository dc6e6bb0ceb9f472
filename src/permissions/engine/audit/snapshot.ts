/** Everything that an agent could change, taken before the call, with files it may not write. */
import { dirname, join, relative } from 'node:path';
import {
  refuseChange,
  runsByItself,
  SETTING_FILES,
  SETTING_FOLDERS,
  type Permissions,
} from '../../../task/core/model/permissions.ts';
import { taskFolder, SETTINGS } from '../../../task/store/tasks/layout.ts';
import { findGit, type Finding } from '../../../git/find-git.ts';
import {
  gitSnapshot,
  nestedSnapshot,
  type GitFolders,
} from '../../../task/store/snapshots/git-snapshot.ts';
import {
  bytesAt,
  snapshotFolder,
  type Marks,
  type FolderSnapshot,
} from '../../../task/store/snapshots/folder-snapshot.ts';
import { TREE_FILES_MAX } from '../../../task/store/snapshots/fingerprint.ts';
import { homeOf } from '../../../task/core/attempts/open-attempt.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import type { Workdir } from '../../../worktrees/engine/workdir.ts';
import { gitConfigured } from '../../../trust/changed-settings.ts';
import { journalNow, UNSEEN, type Position } from '../../../workspace/open/journal.ts';
import { tasksSight, type TasksSight, type Whose } from './task-snapshot.ts';

const CONFINED_FILES_MAX = 100_000;
export const KEPT_BYTES_MAX = 1024 * 1024;
const KEPT_TOTAL_MAX = 16 * 1024 * 1024;
const KEPT_FILES_MAX = 5_000;

/** By name. Git is compared by its own means. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);
/** Links a worktree to its repository. */
export const OWN_TIE = '.git';

/** Task to its contract and, where one was kept, the confirmed contract; latin-1. */
export type Contracts = ReadonlyMap<string, readonly string[]>;

export interface KeptFile {
  readonly bytes: Uint8Array;
  readonly mode: number | undefined;
}

export interface Baseline {
  readonly workdir: Workdir;
  readonly permissions: Permissions;
  readonly seen: Seen;
  /** Contracts that it could rewrite. */
  readonly contracts: Contracts;
  /** The configuration of git. */
  readonly trusted: string;
  /** Place in the journal: what runners had written before. */
  readonly journal: Position;
  /** By path in the workspace. */
  readonly kept: ReadonlyMap<string, KeptFile>;
}

export interface Seen {
  /** undefined when there are too many files. */
  readonly tree: FolderSnapshot | undefined;
  readonly git: Marks;
  readonly nested: Marks;
  readonly tasks: TasksSight;
}

type Allowed = Pick<Baseline, 'workdir' | 'permissions'>;

export function takeBaseline(
  running: Running,
  { workdir, permissions, contracts }: Allowed & Pick<Baseline, 'contracts'>,
): Baseline {
  const { id, number, ws } = running;
  const folder = taskFolder(ws.layout, homeOf(running), id);
  const whose = { id, folder, number, until: number };
  const journal = journalNow(ws);
  const seen = lookAtAll(running, { workdir, permissions }, whose, true);
  const trusted = gitConfigured(ws, ws.layout.root);
  const kept = keep(running, permissions, seen.tree);
  return { workdir, permissions, contracts, seen, trusted, journal, kept };
}

export function lookAtAll(
  { ws }: Pick<Running, 'ws'>,
  { workdir, permissions }: Allowed,
  whose: Whose,
  again = false,
): Seen {
  const { root, tasks } = ws.layout;
  const own = [...UNSEEN, relative(root, tasks)];
  const tree = snapshotFolder(ws.disk, root, {
    files_max: writesAll(permissions) ? TREE_FILES_MAX : CONFINED_FILES_MAX,
    left_out: LEFT_OUT,
    skipped: new Set(own),
    // Files of a worktree are judged by what git would commit (settle-attempt.ts).
    ...(workdir.isolation === 'worktree' ? { below: [...SETTING_FOLDERS, ...SETTING_FILES] } : {}),
  });
  return {
    tree,
    git: gitMarks(ws, workdir),
    nested: nestedSnapshot(ws.disk, root, tree?.gits.filter((path) => path !== '.git') ?? []),
    tasks: tasksSight(ws, whose, again),
  };
}

/** The admin folder that the runner made: the worktree's `.git` may be rewritten by the agent. */
export function gitOf(ws: Finding, { root, worktree }: Workdir): GitFolders | undefined {
  if (worktree === undefined) return findGit(ws, root);
  const { admin, folder } = worktree;
  return { top: folder, own: admin, common: dirname(dirname(admin)) };
}

function gitMarks(ws: Finding, workdir: Workdir): Marks {
  const git = gitOf(ws, workdir);
  const marks: Marks = git === undefined ? new Map() : gitSnapshot(ws.disk, git);
  if (workdir.worktree !== undefined || git?.top === workdir.root) return marks;
  // What git does not take for a repository yet: `git init` would keep its hooks and settings.
  const begun = nestedSnapshot(ws.disk, workdir.root, [OWN_TIE]);
  if (begun.get(OWN_TIE) === 'folder') begun.delete(OWN_TIE);
  return new Map([...marks, ...begun]);
}

function writesAll({ write, create, within, ...rest }: Permissions): boolean {
  return within === undefined && [write, create, rest.delete].every((one) => one.includes('**'));
}

/** Names at risk where everything may be written: settings, the page of the ledger and what runs by itself. */
const SETTING_NAMES = /^(?:\.|opencode\.json|LEDGER\.md$)/;

function isAtRisk(permissions: Permissions, path: string): boolean {
  const is_plain = !SETTING_NAMES.test(path) && runsByItself(path.split('/')) === undefined;
  if (writesAll(permissions) && is_plain) return false;
  const refused = (kind: 'write' | 'delete'): boolean =>
    refuseChange(permissions, { kind, path }) !== undefined;
  return refused('write') || refused('delete');
}

/** Settings and small files first, so that many are kept. */
function keep(
  { ws }: Running,
  permissions: Permissions,
  tree: FolderSnapshot | undefined,
): Baseline['kept'] {
  const kept = new Map<string, KeptFile>();
  if (tree === undefined) return kept;
  const risked = [...tree.files]
    .filter(([path]) => isAtRisk(permissions, path))
    .map(([path, mark]) => ({ path, bytes: Number.parseInt(mark, 10) }))
    .filter(({ bytes }) => bytes <= KEPT_BYTES_MAX)
    .sort((a, b) => Number(isSetting(b.path)) - Number(isSetting(a.path)) || a.bytes - b.bytes)
    .slice(0, KEPT_FILES_MAX);
  let total = 0;
  for (const { path, bytes } of risked) {
    total += bytes;
    if (total > KEPT_TOTAL_MAX) break;
    const full = join(ws.layout.root, path);
    const read = bytesAt(ws.disk, full, KEPT_BYTES_MAX);
    if (read !== undefined) kept.set(path, { bytes: read, mode: ws.disk.stat(full)?.mode });
  }
  return kept;
}

export function isSetting(path: string): boolean {
  return path.startsWith(`${SETTINGS}/`);
}
