/**
 * `check --rerun`: runs the checks of done tasks again on the tree as it is, and compares with their receipts.
 * Moves nothing, and writes nothing into a task: what checks print goes to a temporary folder.
 */
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gitIn } from '../../git/query-git.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { Fault, ok, problem, refused } from '../../task/core/model/problem.ts';
import type { Problem, ProblemCode, Result } from '../../task/core/model/problem.ts';
import { SETTINGS, shown } from '../../task/store/tasks/layout.ts';
import { namesInState } from '../../task/store/tasks/tasks.ts';
import { mustBeTrusted } from '../../trust/trust.ts';
import type { Context, Running } from '../../workspace/tasks/attempt-context.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import { contractHash } from '../../workspace/tasks/read-contract.ts';
import { wholeTask } from '../../workspace/tasks/read-task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { sharedWorkdir } from '../../worktrees/engine/workdir.ts';
import { wrongState } from '../commands/moves.ts';
import { archivedIds } from '../board/resolve-id.ts';
import { findAny, type FoundTask } from '../queries/find-task.ts';
import { notAsVerified } from '../verify/changed-deliverables.ts';
import { runChecks } from '../verify/run-checks.ts';
import { signaturesIn, type Signatures } from '../verify/seals.ts';
import { checked, type Checked } from './check.ts';
import { removeTree } from '../../task/store/disk/disk.ts';

/** Runs the checks of these tasks; else of those that changed since `base`, or of all. */
export async function rerun(
  context: Context,
  named: readonly string[],
  base?: string,
): Promise<Result<Checked>> {
  const { ws } = context;
  mustBeTrusted(ws);
  const changed = changedSince(ws, base);
  if (!changed.ok) return changed;
  const all = [...namesInState(ws.disk, ws.layout, 'done'), ...archivedIds(ws)];
  const ids = named.length > 0 ? named : all.filter(isTaskId);
  const found = ids.map((id) => findAny(ws, id));
  const problems = found.flatMap((one) => (one.ok ? [] : one.problems));
  const there = found.flatMap((one) => (one.ok ? one.value : []));
  const done = there.filter(({ task }) => task.state === 'done');
  for (const { task } of named.length > 0 ? there : [])
    if (task.state !== 'done') problems.push(wrongState(ws, task.id, 'rerun', task.state, 'done'));
  const isMeant = ({ folder }: FoundTask): boolean =>
    named.length > 0 ||
    changed.value?.some((path) => path.startsWith(`${shown(ws.layout, folder)}/`)) !== false;
  const tasks = done.filter(isMeant);
  const log = join(tmpdir(), `contracts-rerun-${ws.machine.nonce().slice(0, 12)}`);
  ws.disk.mkdir(log);
  try {
    for (const task of tasks) {
      if (context.signal.aborted) break;
      const signatures = signaturesIn(ws, task.task, task.folder);
      problems.push(...signedProblems(ws, task, signatures));
      problems.push(...(await checkProblems(context, task, signatures, log)));
    }
  } finally {
    removeTree(ws.disk, log);
  }
  return ok(checked([...newKeys(changed.value ?? []), ...problems], tasks.length));
}

/** Relative to the workspace; undefined where there is no git, or no branch of a remote to compare with. */
function changedSince(ws: Workspace, base?: string): Result<readonly string[] | undefined> {
  const git = gitIn(ws.layout.root, ws);
  const out = (...args: string[]): string | undefined => git(args)?.toString('utf8').trim();
  const commitOf = (ref: string): string | undefined =>
    ref.startsWith('-') ? undefined : out('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  const usual = ['origin/HEAD', 'origin/main', 'origin/master'];
  const commit = base === undefined ? usual.map(commitOf).find(Boolean) : commitOf(base);
  if (commit === undefined && base === undefined) return ok(undefined);
  const from = commit && out('merge-base', 'HEAD', commit);
  const how = '--name-only --no-renames --no-ext-diff --no-textconv --relative -z';
  const names = from && out('diff', ...how.split(' '), from, '--');
  if (names !== undefined && from) return ok(names.split('\0').filter(Boolean));
  return refused({
    code: 'bad_value',
    file: '.',
    message: 'git finds no commit that this branch and its base have in common',
    found: base ?? 'the default branch of origin',
    fix: 'Fetch the whole history (fetch-depth: 0), or name another base: --base REF',
  });
}

function newKeys(changed: readonly string[]): Problem[] {
  const keys = changed.filter((path) => isWithin(`${SETTINGS}/keys`, path));
  return keys.map((file) =>
    problem({
      code: 'untrusted',
      severity: 'warning',
      file,
      message: 'this branch adds, changes or removes a public key',
      fix: 'Find out whose key it is before you merge: who can add a key can sign with it',
    }),
  );
}

function signedProblems(
  ws: Workspace,
  { task, folder }: FoundTask,
  { receipts, problems }: Signatures,
): Problem[] {
  const last = receipts.at(-1);
  const then = last && readReceipts(ws, dirname(last.file));
  const fix = `Restore it from git, or have it verified again: contracts retry ${task.id} --again`;
  const own = shown(ws.layout, folder);
  const found = (code: ProblemCode, message: string, at = '', more: Partial<Problem> = {}) =>
    problem({ code, message, file: `${own}${at}`, fix, ...more });
  const all = problems.map((one): Problem => ({ ...one, severity: 'error' }));
  const warns = { severity: 'warning' } as const;
  if (last === undefined && task.kind.decision === undefined)
    all.push(found('no_result', 'it was done by hand, or its receipts are missing', '', warns));
  if (last?.kind === 'unsigned')
    all.push(found('no_result', 'its receipts are not signed', '', warns));
  if (then !== undefined && then.contract !== contractHash(task))
    all.push(found('bad_value', 'the contract changed since its receipts', '/contract.md'));
  for (const { path: file, words } of notAsVerified(ws, task, folder)) {
    const isThere = ws.disk.stat(join(ws.layout.root, file)) !== undefined;
    all.push(found('stale_deliverable', words, '', { file, ...(isThere ? warns : {}) }));
  }
  return all;
}

async function checkProblems(
  context: Context,
  { task, folder }: FoundTask,
  { receipts }: Signatures,
  log: string,
): Promise<readonly Problem[]> {
  const { ws } = context;
  const { id, attempts } = task;
  if (!task.contract.ok) return task.contract.problems;
  const contract = task.contract.value;
  const last = receipts.at(-1);
  const then = last && readReceipts(ws, dirname(last.file))?.receipts;
  const owner = attempts.findLast((one) => one.owner !== undefined)?.owner;
  // By hand, and a warning.
  if (last === undefined && attempts.length * contract.checks.length === 0) return [];
  const file = shown(ws.layout, `${folder}/contract.md`);
  if (last === undefined || then === undefined || owner === undefined) {
    const message = 'records of its attempts are missing, so its checks cannot be run again';
    const fix = `Restore them from git, or have it verified again: contracts retry ${id} --again`;
    return [problem({ code: 'no_result', file, message, fix })];
  }
  const running: Running = {
    ...context,
    id,
    contract,
    owner,
    number: last.number,
    kind: 'review',
    recovers: false,
    owner_bytes: new Uint8Array(),
    task: wholeTask(ws, task),
  };
  try {
    const options = { contract, workdir: sharedWorkdir(running), apart: join(log, id) };
    const now = await runChecks(running, contract.checks, options);
    const passed = new Set(then.filter((one) => one.passed).map(({ check }) => check));
    const fails = context.signal.aborted ? [] : now.filter((one) => !one.passed);
    return fails.map(({ check, reason, output }) => {
      const printed = output.trim().split('\n').at(-1) || undefined;
      const was = passed.has(check) ? `passed in attempt ${last.number}, and fails now` : 'fails';
      const message = `\`${check}\` ${was}: ${reason}`;
      const fix = `Mend it on this branch, or have it done again: contracts retry ${id} --again`;
      return problem({ code: 'check_failed', file, message, fix, ...given({ found: printed }) });
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { message, fix } = error;
    return [problem({ code: 'environment', file, message, fix })];
  }
}
