/** Puts what a worker changed into the worktree of its attempt, or refuses it as a whole. */
import { join } from 'node:path';
import { inFolder } from '../../process/own-folder.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitWords, parts, type Git } from '../../worktrees/engine/git.ts';
import { removeIfThere, WHOLE } from '../../worktrees/engine/write-tree.ts';
import { FILES_MAX, NO_ROOM, type Pack } from '../core/job.ts';
import { Refusal } from '../core/job.ts';
import type { Carrier } from './carrier.ts';
import { besides, makeStore } from './pack.ts';

/** `base`: the commit that the worker began with; the tree of the change is what its agent left. */
export async function takeChange(
  ws: Workspace,
  carrier: Carrier,
  git: Git,
  base: string,
  change: Pack,
): Promise<void> {
  await takeObjects(ws, carrier, git, base, change);
  putFiles(ws, git, base, change.commit);
}

/** Puts its objects into the repository, and nothing into the worktree. */
export function takeObjects(
  ws: Workspace,
  carrier: Carrier,
  git: Git,
  base: string,
  change: Pack,
): Promise<void> {
  const { commit } = change;
  const taken = async (folder: string): Promise<void> => {
    const store = makeStore(ws, folder, git.place.work_tree, git);
    await carrier.fetch(store, change, base);
    mustBeFiles(store.git, base, commit);
    // Again, into the repository itself: the files are looked at by now.
    const env = besides(folder);
    const begin = join(folder, 'taken');
    const input = `${commit}\n^${base}\n`;
    const name = git.out(['pack-objects', '--revs', '--quiet', begin], { env, input });
    const input_file = `${begin}-${name.trim()}.pack`;
    git.out(['index-pack', '--stdin', '--strict', '--fix-thin'], { input_file });
  };
  return inFolder(taken, git.place.common_dir);
}

const COMPARING_KB = 2 * 1024 * 1024;

/** Only files and links, and not too many: whether they may be changed is judged later, like any work. */
function mustBeFiles(git: Git, base: string, commit: string): void {
  const how = ['-r', '-z', '--no-renames', '--raw', base, commit];
  // A tree can name itself any number of times, and git holds all that differs in its memory.
  const config = [['core.packedGitWindowSize', '32m']] as const;
  const found = git.run(['diff-tree', ...how], { config, memory_kb: COMPARING_KB });
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
    const words = gitWords(merged);
    if (merged.code !== 0 && NO_ROOM.test(words))
      throw new Refusal(`there is no room for it: ${words}`);
    if (merged.code !== 0)
      throw new Refusal('files of its worktree changed here while a worker had them');
  } finally {
    removeIfThere(ws, index);
    removeIfThere(ws, `${index}.lock`);
  }
}
