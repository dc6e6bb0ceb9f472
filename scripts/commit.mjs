// What a run of CI checks, as git says it: the commit, which chooses the part of a long proof that this run
// plays, and the files that changed in what is checked.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** A change is in the runs of so many later commits, where there is no branch that it left. */
const COMMITS = 20;

/** One of `all` for each commit, every one equally often; without git the first. */
export function chosenOf(project, all) {
  const commit = git(project, 'rev-parse', 'HEAD') ?? '';
  return all[createHash('sha256').update(commit).digest().readUInt32BE() % all.length];
}

/** Every second one, for a commit these or the others. */
export function halfOf(project, all) {
  const first = chosenOf(project, [0, 1]);
  return all.filter((_, i) => i % 2 === first);
}

/** Since the branch left main, or of the last commits of main; undefined where a shallow clone does not say. */
export function changedFiles(project) {
  const head = git(project, 'rev-parse', 'HEAD');
  const left = git(project, 'merge-base', 'HEAD', 'origin/main');
  const since = left !== undefined && left !== head ? left : `HEAD~${COMMITS}`;
  return git(project, 'diff', '--name-only', since)?.split('\n');
}

function git(project, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: project, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
