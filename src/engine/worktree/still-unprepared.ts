/**
 * Whether what interrupted a review is still missing in its worktree. The record holds the reason alone,
 * the disk shows whether it has changed. Runs git, and is loaded for such tasks only.
 */
import type { Facts, TaskRead } from '../../core/task.ts';
import { gitDistrusted } from '../git-trust.ts';
import type { Workspace } from '../workspace.ts';
import { groundOf } from './ground-record.ts';
import { findRepository, isRepository } from './repository.ts';
import { findTree } from './tree.ts';
import { unpreparedFor } from './unprepared.ts';

export function stillUnprepared(
  ws: Workspace,
  { id, attempts, contract }: TaskRead,
): Facts['unprepared'] {
  const repo = findRepository(ws.disk, ws.layout.root);
  if (!contract.ok || !isRepository(repo) || gitDistrusted(ws.disk, ws.layout.root))
    return undefined;
  const tree = findTree(ws, repo, id);
  const at = tree && groundOf(repo, tree, { v: 1, branch: '', base: '', files: [] });
  const [found] = contract.value.checks.flatMap((one) =>
    at && one.kind === 'run' ? (unpreparedFor(ws, at, one.command) ?? []) : [],
  );
  const isSame = found?.message === attempts.at(-1)?.outcome?.reason;
  return found && isSame ? { message: found.message, fix: found.fix } : undefined;
}
