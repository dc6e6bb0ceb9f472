/**
 * Inside an attempt only verbs that read are open; others are reserved for people. A workspace of the agent's
 * own below the temporary folder is open, so that the tests of a project can use the command.
 */
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../../process/adapter.ts';
import { ownAttempt } from '../../process/own-attempt.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { bornAt, hookLook } from '../../permissions/engine/enforce/hook-disk.ts';
import { findRoot } from '../../task/store/tasks/layout.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { COMMAND_LINE } from '../output/output.ts';

export interface Asked {
  /** undefined: the environment of this process. */
  readonly env: Environment | undefined;
  /** True if the first argument of the verb is the folder that it fills. */
  readonly makesFolder: boolean;
}

/** undefined when the verb may go on. */
export function refusedInside(
  verb: string,
  argv: readonly string[],
  { env, makesFolder }: Asked,
): Problem | undefined {
  const attempt = ownAttempt(env ?? process.env, env === undefined ? process.ppid : 0);
  if (
    attempt === undefined ||
    isOfItsOwn(attempt, folderOf(argv, env ?? process.env, makesFolder ? verb : ''))
  ) {
    return undefined;
  }
  const { CONTRACTS_TASK: task = 'a task', CONTRACTS_OUT: desk = 'your desk' } = attempt;
  const message = `${verb} is reserved for people, and this is inside an attempt at ${task}`;
  const found = `contracts ${verb}`;
  const expected = 'status, list, show, logs, check';
  const fix = `Write result.md, review.md or questions.md into ${desk} instead, and stop`;
  return problem({ code: 'inside_attempt', file: COMMAND_LINE, message, found, expected, fix });
}

/** undefined where it is named twice, or behind `-C` without a blank: then it counts as the workspace. */
function folderOf(argv: readonly string[], env: Environment, maker: string): string | undefined {
  const named = argv.flatMap((word, i) => {
    if (word === '-C' || word === '--dir') return [argv[i + 1]];
    if (word.startsWith('--dir=')) return [word.slice('--dir='.length)];
    return /^-[^-]*C/.test(word) ? [undefined] : [];
  });
  if (named.length > 1 || named.includes(undefined)) return undefined;
  const folder = argv[0] === maker && argv[1]?.startsWith('-') === false ? argv[1] : undefined;
  return resolve(named[0] ?? folder ?? env['CONTRACTS_DIR'] ?? process.cwd());
}

/** Neither the workspace of the attempt nor its worktree, nor one above or below of these. */
function isOfItsOwn(attempt: Environment, folder: string | undefined): boolean {
  const { CONTRACTS_OUT: desk, CONTRACTS_ROOT: workdir } = attempt;
  if (desk === undefined || workdir === undefined || folder === undefined) return false;
  const place = hookLook.real(folder);
  const root = findRoot(realDisk, place) ?? place;
  const workspace = findRoot(realDisk, dirname(hookLook.real(desk))) ?? '/';
  const isApart = [workspace, hookLook.real(workdir)].every(
    (one) => !isBelow(one, root) && !isBelow(root, one),
  );
  const isNew = ['.contracts', 'active_tasks'].every(
    (one) => bornAt(join(root, one)) >= bornAt(desk),
  );
  // The agent itself says where its temporary folder is.
  return isApart && isNew && isBelow(hookLook.real(tmpdir()), root);
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
