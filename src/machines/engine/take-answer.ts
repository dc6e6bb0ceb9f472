/** What a worker gave back is put into the worktree and on the desk of its attempt, or refused as a whole. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { put } from '../../task/store/disk/put.ts';
import { makeBelow } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { parts, type Git } from '../../worktrees/engine/git.ts';
import { freshIndex, removeIfThere, WHOLE } from '../../worktrees/engine/write-tree.ts';
import { FILES_MAX } from '../core/job.ts';
import { besides, checkOut, entriesOf, inFolder, makeStore, Refusal, unpack } from './pack.ts';

/** Commits of an agent that are taken one by one; of more only the files come. */
const COMMITS_MAX = 200;
const FILE = /^100(?:644|755)$/;

interface Change {
  readonly bytes: Buffer;
  /** Its tree is what the agent left. */
  readonly commit: string;
  /** HEAD of the agent, where it committed. */
  readonly head: string | undefined;
}

/** `base`: the commit whose files the worker began with; undefined: only the objects are taken. */
export async function takeChange(
  ws: Workspace,
  git: Git,
  base: string | undefined,
  { bytes, commit, head }: Change,
): Promise<void> {
  await inFolder(async (folder) => {
    const store = makeStore(ws, folder, git.place.work_tree, git);
    unpack(ws, store, bytes, commit);
    if (base !== undefined) mustBeFiles(store.git, base, commit);
    if (head !== undefined && store.git.commitOf(head) === undefined)
      throw new Refusal('its pack lacks the commits of the agent');
    // Again, into the repository itself: the files are looked at by now.
    const env = besides(folder);
    const input = `${[commit, ...(head === undefined ? [] : [head])].join('\n')}\n`;
    const begin = join(folder, 'taken');
    const not = base === undefined ? '' : `^${base}\n`;
    const name = git.out(['pack-objects', '--revs', '--quiet', begin], { env, input: `${input}${not}` });
    const input_file = `${begin}-${name.trim()}.pack`;
    git.out(['index-pack', '--stdin', '--strict', '--fix-thin'], { input_file });
  });
  if (base === undefined) return;
  putFiles(ws, git, base, commit);
  if (head !== undefined) takeCommits(ws, git, base, head);
}

/** Only files and links, and not too many: whether they may be changed is judged later, like any work. */
function mustBeFiles(git: Git, base: string, commit: string): void {
  const how = ['-r', '-z', '--no-renames', '--raw', base, commit];
  const found = git.run(['diff-tree', ...how]);
  const lines = parts(found.out).filter((one) => one.startsWith(':'));
  if (found.code !== 0 || lines.length > FILES_MAX)
    throw new Refusal(`it changes more than ${FILES_MAX} files, or cannot be compared`);
  const odd = lines.find((line) => !/^:\d{6} (?:100644|100755|120000|000000) /.test(line));
  if (odd !== undefined) throw new Refusal('it has a folder of another repository');
}

/** Refused where the worktree is not as it was: somebody else has worked there since. */
function putFiles(ws: Workspace, git: Git, base: string, commit: string): void {
  const index = join(git.place.git_dir, `contracts-index.${ws.machine.nonce().slice(0, 12)}`);
  const call = { index, config: WHOLE };
  try {
    git.out(['read-tree', base], call);
    git.run(['update-index', '-q', '--refresh'], call);
    const merged = git.run(['read-tree', '-m', '-u', base, commit], call);
    if (merged.code !== 0)
      throw new Refusal('files of its worktree changed here while a worker had them');
  } finally {
    removeIfThere(ws, index);
    removeIfThere(ws, `${index}.lock`);
  }
}

/** The commits of the agent, made again on the commit that the worktree is at. */
function takeCommits(ws: Workspace, git: Git, base: string, head: string): void {
  const range = git.out(['rev-list', '--reverse', '--topo-order', '--parents', head, `^${base}`]);
  const commits = range.split('\n').filter((line) => line !== '');
  const isLine = commits.every((line) => line.split(' ').length === 2);
  if (!isLine || commits.length > COMMITS_MAX) return;
  let at = git.out(['rev-parse', 'HEAD']);
  for (const line of commits) {
    const [commit = ''] = line.split(' ');
    const [name = '', email = '', date = ''] = git
      .out(['show', '-s', '--format=%an%n%ae%n%ad', '--date=iso-strict', commit])
      .split('\n');
    const input = git.out(['show', '-s', '--format=%B', commit]);
    const env = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
    at = git.out(['commit-tree', `${commit}^{tree}`, '-p', at, '-F', '-'], { input, env });
  }
  git.detach(at);
  freshIndex(ws, { git, admin: git.place.git_dir }, at);
}

/** result.md last: where it is, all that belongs to it is there. */
export async function takeDesk(ws: Workspace, desk: string, bytes: Buffer, commit: string) {
  await inFolder(async (folder) => {
    const came = join(folder, 'desk');
    mkdirSync(came);
    const store = makeStore(ws, join(folder, 'store'), came);
    unpack(ws, store, bytes, commit);
    const entries = entriesOf(store.git, commit);
    const odd = entries.find(({ mode }) => !FILE.test(mode));
    if (odd !== undefined) throw new Refusal(`${JSON.stringify(odd.path)} on its desk is no file`);
    checkOut(store, commit);
    const last = (path: string): number => Number(path === 'result.md');
    for (const { path } of entries.toSorted((a, b) => last(a.path) - last(b.path))) {
      if (!makeBelow(ws.disk, desk, dirname(path), []))
        throw new Refusal(`${JSON.stringify(path)} cannot be put on the desk`);
      put(ws.putting, join(desk, path), readFileSync(join(came, path)), { durable: false });
    }
  });
}
