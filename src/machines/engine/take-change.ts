/** Puts what a worker changed into the worktree of its attempt, or refuses it as a whole. */
import { join } from 'node:path';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { parts, type Git } from '../../worktrees/engine/git.ts';
import { removeIfThere, WHOLE } from '../../worktrees/engine/write-tree.ts';
import { FILES_MAX } from '../core/job.ts';
import { Refusal } from '../core/refusal.ts';
import { besides, inFolder, makeStore, unpack } from './pack.ts';

interface Change {
  readonly bytes: Buffer;
  /** Its tree is what the agent left. */
  readonly commit: string;
}

/** `base`: the commit whose files the worker began with; undefined: only the objects are taken. */
export function takeChange(
  ws: Workspace,
  git: Git,
  base: string | undefined,
  { bytes, commit }: Change,
): void {
  inFolder((folder) => {
    const store = makeStore(ws, folder, git.place.work_tree, git);
    unpack(ws, store, bytes, commit);
    if (base !== undefined) mustBeFiles(store.git, base, commit);
    // Again, into the repository itself: the files are looked at by now.
    const env = besides(folder);
    const begin = join(folder, 'taken');
    const input = `${commit}\n${base === undefined ? '' : `^${base}\n`}`;
    const name = git.out(['pack-objects', '--revs', '--quiet', begin], { env, input });
    const input_file = `${begin}-${name.trim()}.pack`;
    git.out(['index-pack', '--stdin', '--strict', '--fix-thin'], { input_file });
  });
  if (base !== undefined) putFiles(ws, git, base, commit);
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
