/**
 * Prepares a worktree before its agent and its checks: copies files that git ignores, then runs the
 * commands of `worktree: setup:`, once, and again where they or the lock files have changed.
 */
import { dirname, join, posix } from 'node:path';
import { globMatcher } from '../../task/core/base/glob.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { put } from '../../task/store/disk/put.ts';
import { attemptFolder, SETUP_LOG, TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { inside, makeBelow } from '../../task/store/tasks/tasks.ts';
import { checkPath } from '../../task/text/documents/paths.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { atPlace, type Running } from '../../workspace/tasks/attempt-context.ts';
import { expandPath } from '../../task/core/base/expand-path.ts';
import { preparationFor } from '../../worktrees/core/preparation.ts';
import { LOCK_FILES } from '../../worktrees/core/propose-setup.ts';
import { gitAt, mainPlace, type Git } from '../../worktrees/engine/git.ts';
import { keepPrepared, readPrepared } from '../../worktrees/engine/prepared.ts';
import { repositoryOf } from '../../worktrees/engine/workdir-record.ts';
import { removeIfThere } from '../../worktrees/engine/write-tree.ts';
import type { Workdir, Worktree } from '../../worktrees/engine/workdir.ts';
import { contractsNow, keepConfirmed } from '../attempt/contract-confirmation.ts';
import { runCommand } from '../verify/check-command.ts';
import { isGlob } from '../attempt/deliverables.ts';

const LINES_SHOWN = 5;

/** undefined where there is nothing to do. A Fault counts for nothing, and is tried again. */
export function prepareTree(running: Running, workdir: Workdir): Promise<void> | undefined {
  const { setup, copy: named } = preparationFor(running.contract, running.ws.config);
  const copy = named.map((one) => expandPath(one, running.ws.env));
  const { worktree } = workdir;
  if (worktree === undefined || setup.length + copy.length === 0) return undefined;
  return prepare(running, { ...workdir, worktree }, { setup, copy });
}

async function prepare(
  running: Running,
  workdir: Workdir & { readonly worktree: Worktree },
  { setup, copy }: Pick<ReturnType<typeof preparationFor>, 'setup' | 'copy'>,
): Promise<void> {
  const { ws, signal } = running;
  const { root, worktree } = workdir;
  const { git, admin } = worktree;
  const { prefix } = repositoryOf(ws);
  const fromTop = (path: string): string => posix.join(prefix, path);
  const locks = git.list(['ls-tree', 'HEAD', '--', ...LOCK_FILES.map(fromTop)]);
  const digest = sha256(JSON.stringify([setup, copy, locks]));
  if (readPrepared(ws, admin).digest === digest) return;
  const paths = pathsToCopy(ws, copy, git);
  const copied = paths.map(fromTop);
  // Before they are there: no commit may ever have them.
  keepPrepared(ws, admin, { digest: '', copied });
  for (const path of paths) copyFile(ws, root, path);
  const changes = (): readonly string[] =>
    git.list(['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all']);
  const before = changes();
  await runLines(running, workdir, 'setup', setup);
  if (signal.aborted) return;
  const made = changes().filter((line) => !before.includes(line));
  if (made.length > 0) {
    const named = made.map((line) => line.slice(3)).join(', ');
    const fix = 'Add it to .gitignore and commit that, or let setup change only what git ignores';
    throw new Fault('git', `setup changed what git would commit: ${named}`, { fix });
  }
  keepPrepared(ws, admin, { digest, copied });
}

/** Stops at the first that fails, with a Fault that has the last lines of its output. */
export async function runLines(
  running: Running,
  workdir: Workdir,
  what: 'setup' | 'cleanup',
  lines: readonly string[],
): Promise<void> {
  const { ws, id, signal } = running;
  for (const line of lines) {
    if (signal.aborted) return;
    running.emit({ event: 'wrote', task: id, file: SETUP_LOG, reason: `runs ${what}: ${line}` });
    const contracts = contractsNow(running);
    const ran = await runCommand(running, line, '', { workdir, what, log: SETUP_LOG }).finally(() =>
      keepConfirmed(running, contracts),
    );
    // Beside its record, a living agent would be judged by this dead process.
    atPlace(running, ({ folder }) =>
      removeIfThere(ws, join(attemptFolder(folder, running.number), 'check.md')),
    );
    if (ran.passed || signal.aborted) continue;
    const last = ran.output.trim().split('\n').slice(-LINES_SHOWN).join(' | ');
    const why = `worktree: ${what}: \`${line}\` failed (${ran.reason}): ${last || 'no output'}`;
    const fix = `See contracts logs ${id}; correct worktree: in .contracts/config.yaml`;
    throw new Fault('program', why, { fix });
  }
}

/** Files of the main tree that git ignores, from the workspace; a missing one is left out. */
function pathsToCopy(ws: Workspace, copy: readonly string[], own: Git): readonly string[] {
  const repo = repositoryOf(ws);
  const main = gitAt(ws, mainPlace(repo));
  const how = ['--others', '--ignored', '--exclude-standard', '-z'];
  const matching = (glob: string): readonly string[] => {
    const folder = /^[^*?[{]*(?=\/)/.exec(glob)?.[0];
    // From the top a folder that git ignores, such as node_modules, is not walked.
    const where = folder === undefined ? ['--directory'] : ['--', posix.join(repo.prefix, folder)];
    const all = main.list(['ls-files', ...how, ...where]);
    return all.map((path) => posix.relative(repo.prefix, path)).filter(globMatcher(glob));
  };
  const paths = copy.flatMap((one) => (isGlob(one) ? matching(one) : one));
  return [...new Set(paths)].filter((path) => {
    const found = inside(ws.disk, ws.layout.root, path);
    const wrong = checkPath(path) ?? (found.ok || found.missing ? undefined : found.why);
    if (wrong !== undefined) throw notCopied(path, wrong);
    const input = `./${posix.join(repo.prefix, path)}\0`;
    const asked = { env: { GIT_LITERAL_PATHSPECS: '0' }, input };
    for (const git of found.ok ? [main, own] : [])
      if (git.run(['check-ignore', '--quiet', '-z', '--stdin'], asked).code !== 0)
        throw notCopied(path, 'git does not ignore it, so it would be committed');
    return found.ok;
  });
}

function notCopied(path: string, why: string): Fault {
  const fix = 'Name regular files of the workspace that git ignores, in your tree and its commits';
  return new Fault('git', `worktree: copy: ${path} is not copied: ${why}`, { fix });
}

/** Replaces what is there, and follows no link on the way. */
function copyFile(ws: Workspace, root: string, path: string): void {
  const from = join(ws.layout.root, path);
  if (!makeBelow(ws.disk, root, dirname(path), []))
    throw notCopied(path, `${root} has a link there`);
  const { mode: given = 0o600, bytes = 0 } = ws.disk.stat(from) ?? {};
  if (bytes > TEXT_BYTES_MAX)
    throw notCopied(path, `it has ${bytes} bytes, at most ${TEXT_BYTES_MAX} are copied`);
  const mode = given & 0o777;
  put(ws.putting, join(root, path), ws.disk.read(from, TEXT_BYTES_MAX), { durable: false, mode });
}
