/** Puts what a worker changed into the worktree of its attempt, or refuses it as a whole. */
import { join } from 'node:path';
import { inFolder } from '../../process/own-folder.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitWords, parts, type Git } from '../../worktrees/engine/git.ts';
import { quoted } from '../../worktrees/engine/sandbox-objects.ts';
import { WHOLE, withIndex } from '../../worktrees/engine/write-tree.ts';
import { FILES_MAX, NO_ROOM, Refusal, type Pack } from '../core/job.ts';
import type { Announcement } from './announce.ts';
import { makeStore, packIn } from './pack.ts';

/** Puts its objects into the repository, and nothing into the worktree. */
export function takeObjects(ws: Workspace, made: Announcement, change: Pack): Promise<void> {
  const { carrier, git, job } = made;
  const base = job.base.commit;
  return inFolder(async (folder) => {
    const store = makeStore(ws, folder, git.place.work_tree, git);
    await carrier.fetch(store, change, base);
    mustBeFiles(store, base, change.commit);
    // Again, into the repository itself: the files are looked at by now.
    const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(folder, 'objects')) };
    const input_file = packIn(folder, git, change.commit, base, env);
    git.out(['index-pack', '--stdin', '--strict', '--fix-thin'], { input_file });
  }, git.place.common_dir);
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

/** Puts the files of a change whose objects are there into the worktree, if it is as it was at the announcement. */
export function putChange(ws: Workspace, { git, job }: Announcement, { commit }: Pack): void {
  withIndex(ws, git.place.git_dir, (index) => {
    const call = { index, config: WHOLE };
    git.out(['read-tree', job.base.commit], call);
    git.run(['update-index', '-q', '--refresh'], call);
    const merged = git.run(['read-tree', '-m', '-u', job.base.commit, commit], call);
    if (merged.code === 0) return;
    const words = gitWords(merged);
    if (NO_ROOM.test(words)) throw new Refusal(`there is no room for it: ${words}`);
    throw new Refusal('files of its worktree changed here while a worker had them');
  });
}
