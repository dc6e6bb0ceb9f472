/**
 * Trees and desks as packs of git objects: what goes through the queue and comes back. What came back is unpacked into
 * a store of its own, with limits on memory, bytes and files, before anything else sees it.
 */
import { join } from 'node:path';
import { storesBeside } from '../../git/object-stores.ts';
import type { GitPlace } from '../../git/runner-git.ts';
import { inFolder, makeAll, writeIn } from '../../process/own-folder.ts';
import { namesIn } from '../../process/path-kind.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitAt, gitWords, parts, type Git } from '../../worktrees/engine/git.ts';
import { quoted } from '../../worktrees/engine/sandbox-objects.ts';
import { FILES_BYTES_MAX, FILES_MAX, PACK_BYTES_MAX } from '../core/job.ts';
import { Refusal } from '../core/job.ts';

/** A store of objects with its own index, outside of the tree that it reads and writes. */
export interface Store {
  readonly git: Git;
  readonly admin: string;
}

const SAME = {
  GIT_AUTHOR_NAME: 'contracts',
  GIT_AUTHOR_EMAIL: 'contracts@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'contracts',
  GIT_COMMITTER_EMAIL: 'contracts@localhost',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};

/** Makes a store at `folder`; `beside` is one whose objects it can read too, or a commit that is to come. */
export function makeStore(
  ws: Workspace,
  folder: string,
  work_tree: string,
  like: Git | string,
): Store {
  const beside = typeof like === 'string' ? undefined : like;
  for (const one of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    makeAll(join(folder, one));
  const format =
    beside?.out(['rev-parse', '--show-object-format']) ??
    (String(like).length === 64 ? 'sha256' : 'sha1');
  const more = format === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${format}\n`;
  const version = format === 'sha1' ? 0 : 1;
  writeIn(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeIn(
    join(folder, 'config'),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n\tautocrlf = false\n${more}`,
  );
  if (beside !== undefined) {
    const objects = join(beside.place.common_dir, 'objects');
    const stores = [objects, ...storesBeside(objects)];
    writeIn(join(folder, 'objects/info/alternates'), `${stores.join('\n')}\n`);
  }
  const place: GitPlace = { git_dir: folder, common_dir: folder, work_tree };
  return { git: gitAt(ws, place), admin: folder };
}

/** A commit that is the same for the same tree and parents, on every machine. */
export function sameCommit(git: Git, tree: string, ...parents: readonly string[]): string {
  const from = parents.flatMap((one) => ['-p', one]);
  return git.out(['commit-tree', tree, ...from, '-m', 'files'], { env: SAME });
}

export function leaveOut(git: Git, index: string, paths: readonly string[]): void {
  const how = ['--cached', '-r', '--quiet', '--ignore-unmatch', '--'];
  git.out(['rm', ...how, ...paths], { index });
}

/** The objects of a commit that the others do not have. Throws a Refusal where they are too large for a queue. */
export function packOf(ws: Workspace, git: Git, commit: string, not: readonly string[]) {
  // Git makes a pack in its repository and renames it: on another file system than that it cannot.
  const pack = (folder: string): Buffer => {
    const input = [commit, ...not.map((one) => `^${one}`)].map((one) => `${one}\n`).join('');
    const config = [['pack.packSizeLimit', '0']] as const;
    const how = ['pack-objects', '--revs', '--quiet', join(folder, 'p')];
    const path = join(folder, `p-${git.out(how, { input, config }).trim()}.pack`);
    const bytes = ws.disk.stat(path)?.bytes ?? 0;
    if (bytes <= PACK_BYTES_MAX) return Buffer.from(ws.disk.read(path, PACK_BYTES_MAX));
    const [is, most] = [bytes, PACK_BYTES_MAX].map((one) => Math.ceil(one / 1024 / 1024));
    throw new Refusal(
      `its files are ${is} MiB packed, and a queue takes ${most}: name a git remote, as in remote: origin`,
    );
  };
  return inFolder(pack, git.place.common_dir);
}

/** KiB of address space that git may use on what came through the queue. */
const MEMORY_KB = 4 * 1024 * 1024;

/** Takes a pack into a store; all its objects are checked. Throws a Refusal. */
export function unpack({ git, admin }: Store, bytes: Buffer, commit: string): void {
  const input_file = join(admin, 'came.pack');
  writeIn(input_file, bytes);
  const how = ['index-pack', '--stdin', '--strict', `--max-input-size=${PACK_BYTES_MAX}`];
  const config = [['core.bigFileThreshold', '64m']] as const;
  const ended = git.run(how, { input_file, config, memory_kb: MEMORY_KB });
  if (ended.code !== 0) throw new Refusal(`git does not take its pack: ${gitWords(ended)}`);
  mustHave({ git, admin }, commit);
}

/** Looks at what came into a store before anything of it is used. Throws a Refusal. */
export function mustHave({ git, admin }: Store, commit: string): void {
  mustFit(git, admin);
  if (git.commitOf(commit) !== commit) throw new Refusal(`it lacks the commit ${commit}`);
}

/** A small pack can hold objects of any size. */
function mustFit(git: Git, admin: string): void {
  const packs = join(admin, 'objects/pack');
  for (const name of namesIn(packs).filter((one) => one.endsWith('.idx'))) {
    const index = git.run(['show-index'], { input_file: join(packs, name) });
    const objects = parts(index.out, '\n').map((line) => line.split(' ')[1] ?? '');
    if (index.code !== 0 || objects.length > 2 * FILES_MAX)
      throw new Refusal(`its pack has ${objects.length} objects`);
    const input = `${objects.join('\n')}\n`;
    const sizes = git.out(['cat-file', '--batch-check=%(objectsize)'], { input }).split('\n');
    const bytes = sizes.map(Number).reduce((a, b) => a + b, 0);
    if (!(bytes <= FILES_BYTES_MAX)) throw new Refusal(`unpacked it would have ${bytes} bytes`);
  }
}

/** Puts the files of a commit into the work tree of a store, which has nothing else. */
export function checkOut({ git, admin }: Store, commit: string): void {
  const listed = git.run(['ls-tree', '-r', '-z', '--full-tree', commit]);
  // A tree can name itself any number of times.
  if (listed.code !== 0 || parts(listed.out).length > FILES_MAX)
    throw new Refusal(`its tree has more than ${FILES_MAX} files, or cannot be read`);
  git.out(['read-tree', '-u', '--reset', commit], { index: join(admin, 'index') });
}

/** Lets git look into another store too. */
export const besides = (store: string): Readonly<Record<string, string>> => ({
  GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(store, 'objects')),
});
