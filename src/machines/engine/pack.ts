/**
 * Trees and changes as packs of git objects. What came from another machine is unpacked into a store of its own, with
 * limits on memory, bytes and files, before anything else sees it.
 */
import { join } from 'node:path';
import { storesBeside } from '../../git/object-stores.ts';
import { inFolder, makeAll, writeIn } from '../../process/own-folder.ts';
import { namesIn } from '../../process/path-kind.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitAt, gitWords, parts, type Git } from '../../worktrees/engine/git.ts';
import { FILES_BYTES_MAX, FILES_MAX, PACK_BYTES_MAX, Refusal } from '../core/job.ts';

const SAME = {
  GIT_AUTHOR_NAME: 'contracts',
  GIT_AUTHOR_EMAIL: 'contracts@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'contracts',
  GIT_COMMITTER_EMAIL: 'contracts@localhost',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};

/**
 * Makes a repository at `folder` for the files of `work_tree`. `like` is one whose objects it can read too, or a commit
 * that is to come.
 */
export function makeStore(ws: Workspace, folder: string, work_tree: string, like: Git | string) {
  const git = gitAt(ws, { git_dir: folder, common_dir: folder, work_tree });
  const format =
    typeof like !== 'string'
      ? like.out(['rev-parse', '--show-object-format'])
      : `sha${like.length === 64 ? 256 : 1}`;
  makeAll(folder);
  const how = ['--quiet', '--template=', '--initial-branch=main'];
  git.out(['init', ...how, `--object-format=${format}`]);
  git.out(['config', 'core.autocrlf', 'false']);
  if (typeof like === 'string') return git;
  const objects = join(like.place.common_dir, 'objects');
  makeAll(join(folder, 'objects/info'));
  const stores = [objects, ...storesBeside(objects)];
  writeIn(join(folder, 'objects/info/alternates'), `${stores.join('\n')}\n`);
  return git;
}

/** A commit that is the same for the same tree and parents, on every machine. */
export function sameCommit(git: Git, tree: string, ...parents: readonly string[]): string {
  const from = parents.flatMap((one) => ['-p', one]);
  return git.out(['commit-tree', tree, ...from, '-m', 'files'], { env: SAME });
}

/** The objects of a commit without those of another. Throws a Refusal where they are too large for a queue. */
export function packOf(ws: Workspace, git: Git, commit: string, not?: string): Promise<Buffer> {
  // Git makes a pack in its repository and renames it: on another file system than that it cannot.
  return inFolder((folder) => {
    const path = packIn(folder, git, commit, not);
    const bytes = ws.disk.stat(path)?.bytes ?? 0;
    if (bytes <= PACK_BYTES_MAX) return Buffer.from(ws.disk.read(path, PACK_BYTES_MAX));
    const [is, most] = [bytes, PACK_BYTES_MAX].map((one) => Math.ceil(one / 1024 / 1024));
    throw new Refusal(
      `its files are ${is} MiB packed, and a queue takes ${most}: name a git remote, as in remote: origin`,
    );
  }, git.place.common_dir);
}

/** Makes a pack in a folder and returns its path. */
export function packIn(
  folder: string,
  git: Git,
  commit: string,
  not?: string,
  env: Readonly<Record<string, string>> = {},
): string {
  const begin = join(folder, 'p');
  const input = `${commit}\n${not === undefined ? '' : `^${not}\n`}`;
  const config = [['pack.packSizeLimit', '0']] as const;
  const name = git.out(['pack-objects', '--revs', '--quiet', begin], { input, config, env });
  return `${begin}-${name.trim()}.pack`;
}

/** KiB of address space that git may use on what came through the queue. */
const MEMORY_KB = 4 * 1024 * 1024;

/** Takes a pack into a store; all its objects are checked. Throws a Refusal. */
export function unpack(store: Git, bytes: Buffer, commit: string): void {
  const input_file = join(store.place.git_dir, 'came.pack');
  writeIn(input_file, bytes);
  const how = ['index-pack', '--stdin', '--strict', `--max-input-size=${PACK_BYTES_MAX}`];
  const config = [['core.bigFileThreshold', '64m']] as const;
  const ended = store.run(how, { input_file, config, memory_kb: MEMORY_KB });
  if (ended.code !== 0) throw new Refusal(`git does not take its pack: ${gitWords(ended)}`);
  mustHave(store, commit);
}

/** Looks at what came into a store before anything of it is used: a small pack can hold objects of any size. */
export function mustHave(store: Git, commit: string): void {
  const packs = join(store.place.git_dir, 'objects/pack');
  for (const name of namesIn(packs).filter((one) => one.endsWith('.idx'))) {
    const index = store.run(['show-index'], { input_file: join(packs, name) });
    const objects = parts(index.out, '\n').map((line) => line.split(' ')[1] ?? '');
    if (index.code !== 0 || objects.length > 2 * FILES_MAX)
      throw new Refusal(`its pack has ${objects.length} objects`);
    const input = `${objects.join('\n')}\n`;
    const sizes = store.out(['cat-file', '--batch-check=%(objectsize)'], { input }).split('\n');
    const bytes = sizes.map(Number).reduce((a, b) => a + b, 0);
    if (!(bytes <= FILES_BYTES_MAX)) throw new Refusal(`unpacked it would have ${bytes} bytes`);
  }
  if (store.commitOf(commit) !== commit) throw new Refusal(`it lacks the commit ${commit}`);
}

/** Puts the files of a commit into the work tree of a store, which has nothing else. */
export function checkOut(store: Git, commit: string): void {
  const listed = store.run(['ls-tree', '-r', '-z', '--full-tree', commit]);
  // A tree can name itself any number of times.
  if (listed.code !== 0 || parts(listed.out).length > FILES_MAX)
    throw new Refusal(`its tree has more than ${FILES_MAX} files, or cannot be read`);
  store.out(['read-tree', '-u', '--reset', commit]);
}
