/**
 * What an agent could change in a git repository beside the files: HEAD, refs, the index, configuration,
 * hooks, admin folders. Read as files: git with a changed configuration could run somebody's program.
 */
import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { stagedDigest } from './git-index.ts';
import { sha256 } from '../disk/hash.ts';
import { bytesAt, digestAt, entriesOf, lineAt, markAt, type Marks } from './folder-snapshot.ts';

const LINE_BYTES_MAX = 4096;
const PACKED_BYTES_MAX = 8 * 1024 * 1024;
const INDEX_BYTES_MAX = 64 * 1024 * 1024;
const FILE_BYTES_MAX = 256 * 1024;
const REFS_MAX = 10_000;
const ADMINS_MAX = 200;

export interface GitFolders {
  /** The folder that has `.git`, absolute. */
  readonly top: string;
  /** With HEAD and index of this working tree. */
  readonly own: string;
  /** With objects, refs, configuration and hooks; differs from `own` in a linked worktree. */
  readonly common: string;
}

/** Keys that run programs or set where things are: only a person may change them. */
const CONFIGURING = [
  'config',
  'config.worktree',
  'commondir',
  'info/attributes',
  'info/exclude',
  'info/grafts',
  'objects/info/alternates',
  'objects/info/http-alternates',
];
/** The usual `commondir` of a linked worktree. */
const COMMON_ABOVE = '../..';
/** An operation that is begun and not ended. */
const BEGUN = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/** By git's own names; those of a worktree's own admin folder begin with `own/`. Missing ones are left out. */
export function gitSnapshot(disk: Disk, git: GitFolders): Marks {
  const { own, common } = git;
  const marks: Marks = new Map();
  tie(disk, git, marks);
  workTree(disk, common, '', marks);
  if (own !== common) workTree(disk, own, 'own/', marks);
  configuration(disk, common, '', marks);
  packed(disk, common, marks);
  loose(disk, common, 'refs', marks);
  put(marks, 'reftable', digestAt(disk, join(common, 'reftable/tables.list'), FILE_BYTES_MAX));
  put(marks, 'stashes', markAt(disk, join(common, 'logs/refs/stash')));
  admins(disk, common, own, marks);
  surroundings(disk, common, marks);
  return marks;
}

/** Only what can make git run a program or look elsewhere. */
export function gitConfiguration(disk: Disk, git: GitFolders): string {
  const { common } = git;
  const marks: Marks = new Map();
  if (git.own === common) tie(disk, git, marks);
  configuration(disk, common, '', marks);
  admins(disk, common, common, marks);
  surroundings(disk, common, marks);
  return sha256(JSON.stringify([...marks].sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Marks a `.git` that leads elsewhere, as in a linked worktree. */
function tie(disk: Disk, { top, own }: GitFolders, marks: Marks): void {
  const dot = join(top, '.git');
  if (own !== dot) put(marks, 'own/.git', digestAt(disk, dot, LINE_BYTES_MAX));
}

function put(marks: Marks, name: string, mark: string | undefined): void {
  if (mark !== undefined) marks.set(name, mark);
}

function workTree(disk: Disk, folder: string, prefix: string, marks: Marks): void {
  put(marks, `${prefix}HEAD`, lineAt(disk, join(folder, 'HEAD')));
  const index = bytesAt(disk, join(folder, 'index'), INDEX_BYTES_MAX);
  put(marks, `${prefix}index`, index === undefined ? undefined : stagedDigest(index));
  for (const name of BEGUN) {
    if (disk.stat(join(folder, name)) !== undefined) marks.set(`${prefix}${name}`, 'begun');
  }
}

function configuration(disk: Disk, folder: string, prefix: string, marks: Marks): void {
  for (const name of CONFIGURING) {
    const bytes = bytesAt(disk, join(folder, name), FILE_BYTES_MAX);
    const mark =
      bytes === undefined
        ? markAt(disk, join(folder, name))
        : sha256(name === 'config' ? withoutBranches(bytes) : bytes);
    put(marks, `${prefix}${name}`, mark);
  }
  for (const { name } of entriesOf(disk, join(folder, 'hooks'))) {
    if (name.endsWith('.sample')) continue;
    const path = join(folder, 'hooks', name);
    put(marks, `${prefix}hooks/${name}`, digestAt(disk, path, FILE_BYTES_MAX));
  }
}

/** A fetch writes into `shallow`, and submodules come with `modules`: only their existence counts. */
function surroundings(disk: Disk, common: string, marks: Marks): void {
  for (const name of ['shallow', 'modules']) {
    if (disk.stat(join(common, name)) !== undefined) marks.set(name, 'there');
  }
  modules(disk, join(common, 'modules'), 'modules', marks);
}

const OF_BRANCH = /^\s*(?:\[branch "|(?:remote|merge|rebase|description)\s*=[^\\]*$)/i;

/** Drops what branches follow: every `git push -u` writes it, and it runs nothing. */
function withoutBranches(bytes: Uint8Array): Uint8Array {
  let inBranch = false;
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const kept = lines.filter((line) => {
    if (/^\s*\[/.test(line)) inBranch = /^\s*\[branch "(?:[^"\\]|\\.)*"\]\s*$/.test(line);
    return !inBranch || !OF_BRANCH.test(line);
  });
  return Buffer.from(kept.join('\n'), 'latin1');
}

function packed(disk: Disk, common: string, marks: Marks): void {
  const bytes = bytesAt(disk, join(common, 'packed-refs'), PACKED_BYTES_MAX);
  if (bytes === undefined) return;
  for (const line of Buffer.from(bytes).toString('latin1').split('\n')) {
    const space = line.indexOf(' ');
    const name = line.slice(space + 1);
    if (space >= 40 && name.startsWith('refs/') && !isOurs(name))
      marks.set(name, line.slice(0, space));
  }
}

function loose(disk: Disk, common: string, folder: string, marks: Marks): void {
  for (const { name, kind } of entriesOf(disk, join(common, folder))) {
    const ref = `${folder}/${name}`;
    if (isOurs(ref) || name.endsWith('.lock') || marks.size > REFS_MAX) continue;
    if (kind === 'folder') loose(disk, common, ref, marks);
    else put(marks, ref, lineAt(disk, join(common, ref)));
  }
}

/** Refs by which the runner keeps commits. */
function isOurs(ref: string): boolean {
  return /^refs\/(?:heads\/)?contracts(?:\/|$)/.test(ref);
}

/** The worktrees of others and their places. The runner makes its own. */
function admins(disk: Disk, common: string, own: string, marks: Marks): void {
  for (const { name } of entriesOf(disk, join(common, 'worktrees')).slice(0, ADMINS_MAX)) {
    const admin = join(common, 'worktrees', name);
    const prefix = admin === own ? 'own/' : `worktrees/${name}/`;
    const usual = (lineAt(disk, join(admin, 'commondir')) ?? COMMON_ABOVE) === COMMON_ABOVE;
    const ours = admin !== own && usual && isOfTask(lineAt(disk, join(admin, 'gitdir')));
    for (const file of ours ? ['config.worktree'] : ['gitdir', 'commondir', 'config.worktree']) {
      // An empty one only keeps others from being made.
      if (disk.stat(join(admin, file))?.bytes === 0) continue;
      put(marks, `${prefix}${file}`, digestAt(disk, join(admin, file), LINE_BYTES_MAX));
    }
  }
}

/** True below the folders of worktrees of tasks. */
function isOfTask(gitdir: string | undefined): boolean {
  return /\/contracts\/worktrees\/[^/]+\/[^/]+\/\.git$/.test(gitdir ?? '');
}

function modules(disk: Disk, folder: string, prefix: string, marks: Marks): void {
  for (const { name, kind } of entriesOf(disk, folder).slice(0, ADMINS_MAX)) {
    if (kind !== 'folder') continue;
    const module = join(folder, name);
    marks.set(`${prefix}/${name}`, 'there');
    if (disk.stat(join(module, 'HEAD')) === undefined) {
      modules(disk, module, `${prefix}/${name}`, marks);
    } else configuration(disk, module, `${prefix}/${name}/`, marks);
  }
}

/** Repositories inside the tree: what their `.git` is, and what configures them. */
export function nestedSnapshot(disk: Disk, root: string, gits: readonly string[]): Marks {
  const marks: Marks = new Map();
  for (const path of gits.slice(0, ADMINS_MAX)) {
    const found = disk.stat(join(root, path));
    if (found?.kind === 'folder') {
      marks.set(path, 'folder');
      configuration(disk, join(root, path), `${path}/`, marks);
    } else if (found !== undefined)
      put(marks, path, digestAt(disk, join(root, path), LINE_BYTES_MAX));
  }
  return marks;
}

/** The last line of the log of a ref: git's words for what moved it. */
export function lastMove(disk: Disk, common: string, ref: string): string {
  const bytes = bytesAt(disk, join(common, 'logs', ref), PACKED_BYTES_MAX);
  const log = String(Buffer.from(bytes ?? [])).trimEnd();
  const last = log.slice(log.lastIndexOf('\n') + 1);
  return last.slice(last.indexOf('\t') + 1);
}
