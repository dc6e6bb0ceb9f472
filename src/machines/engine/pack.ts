/**
 * Trees and desks as packs of git objects: what goes through the queue and comes back. What came back is unpacked into
 * a store of its own, with limits on memory, bytes and files, before anything else sees it.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storesBeside } from '../../git/object-stores.ts';
import { NO_GIT, type GitPlace } from '../../git/runner-git.ts';
import { spawnSync } from '../../process/child-process.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitAt, parts, type Git } from '../../worktrees/engine/git.ts';
import { quoted } from '../../worktrees/engine/sandbox-objects.ts';
import { FILES_BYTES_MAX, FILES_MAX, PACK_BYTES_MAX } from '../core/job.ts';
import { Refusal } from '../core/refusal.ts';

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

/** Makes a store at `folder`; `beside` is one whose objects it can read too. */
export function makeStore(ws: Workspace, folder: string, work_tree: string, beside?: Git): Store {
  for (const one of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    mkdirSync(join(folder, one), { recursive: true });
  const format = beside?.out(['rev-parse', '--show-object-format']) ?? 'sha1';
  const more = format === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${format}\n`;
  const version = format === 'sha1' ? 0 : 1;
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(
    join(folder, 'config'),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n\tautocrlf = false\n${more}`,
  );
  if (beside !== undefined) {
    const objects = join(beside.place.common_dir, 'objects');
    const stores = [objects, ...storesBeside(objects)];
    writeFileSync(join(folder, 'objects/info/alternates'), `${stores.join('\n')}\n`);
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

/** The objects of these commits that the others do not have. */
export function packOf(git: Git, tips: readonly string[], not: readonly string[] = []): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-pack-'));
  try {
    const input = [...tips, ...not.map((one) => `^${one}`)].map((one) => `${one}\n`).join('');
    const config = [['pack.packSizeLimit', '0']] as const;
    const name = git.out(['pack-objects', '--revs', '--quiet', join(folder, 'p')], {
      input,
      config,
    });
    const bytes = readFileSync(join(folder, `p-${name.trim()}.pack`));
    if (bytes.length <= PACK_BYTES_MAX) return bytes;
    const limit = `${PACK_BYTES_MAX / 1024 / 1024} MiB`;
    throw new Refusal(
      `packed it has ${Math.ceil(bytes.length / 1024 / 1024)} MiB, and a queue takes ${limit}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** KiB of address space that git may use on what came through the queue. */
const MEMORY_KB = 4 * 1024 * 1024;
const LIMITED = `ulimit -v ${MEMORY_KB}; exec "$@"`;

/** Takes a pack into a store whose objects are all checked. Throws a Refusal. */
export function unpack(ws: Workspace, { git, admin }: Store, bytes: Buffer, commit: string): void {
  const file = join(admin, 'came.pack');
  writeFileSync(file, bytes);
  const from = openSync(file, 'r');
  try {
    const program = ws.programs.find('git') ?? NO_GIT;
    const config = ['-c', 'core.bigFileThreshold=64m', '-c', 'fetch.fsckObjects=true'];
    const how = ['index-pack', '--stdin', '--strict', `--max-input-size=${PACK_BYTES_MAX}`];
    const env = { PATH: ws.programs.path, GIT_DIR: admin, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1' };
    const args = ['-c', LIMITED, 'sh', program, ...config, ...how];
    const ended = spawnSync('/bin/sh', args, {
      cwd: admin,
      env: { ...env, GIT_CONFIG_GLOBAL: '/dev/null' },
      stdio: [from, 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: 10 * 60_000,
    });
    if (ended.status !== 0)
      throw new Refusal(`git does not take its pack: ${lastLine(ended.stderr)}`);
  } finally {
    closeSync(from);
    rmSync(file, { force: true });
  }
  mustHave({ git, admin }, commit);
}

/** Looks at what came into a store before anything of it is used. Throws a Refusal. */
export function mustHave({ git, admin }: Store, commit: string): void {
  mustFit(git, admin);
  if (git.commitOf(commit) !== commit) throw new Refusal(`it lacks the commit ${commit}`);
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';

/** A small pack can hold objects of any size. */
function mustFit(git: Git, admin: string): void {
  const packs = join(admin, 'objects/pack');
  for (const name of readdirSync(packs).filter((one) => one.endsWith('.idx'))) {
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

/** A folder that is gone afterwards. */
export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'contracts-queue-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
