/** Whether a program or package that interrupted a review is still missing, found on the disk. */
import { realOf } from '../../process/path-kind.ts';
import { missingFor } from '../../process/program.ts';
import { isBy } from '../../task/core/model/checks.ts';
import type { Fault } from '../../task/core/model/problem.ts';
import type { Facts, TaskRead } from '../../task/core/model/task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { preparationFor } from '../core/preparation.ts';
import { readPrepared } from './prepared.ts';
import { askedRepository, workdirOf } from './workdir-record.ts';
import { pathOutside } from './main-checkout-programs.ts';
import { findTree } from './worktree.ts';
import { unpreparedFor } from './unprepared.ts';

export function stillUnprepared(ws: Workspace, task: TaskRead): Facts['unprepared'] {
  const { id, attempts, contract } = task;
  if (attempts.at(-1)?.outcome?.code !== 'fault') return undefined;
  const repo = askedRepository(ws);
  const tree = repo && findTree(ws, repo, id);
  const at = tree && workdirOf(repo, tree, { v: 1, branch: '', base: '', files: [] });
  const own = contract.ok ? contract.value : undefined;
  const { setup } = preparationFor(own, ws.config);
  // The setting came after the worktree: what it lacks may be there then.
  if (tree && setup.length > 0 && readPrepared(ws, tree.admin).digest === '') return undefined;
  const { PATH } = ws.env;
  const path = at ? pathOutside(ws, realOf(repo.top) ?? repo.top, PATH) : PATH;
  const lacks = (command: string): readonly (Fault | undefined)[] => [
    missingFor(command, path, at ? at.root : ws.layout.root),
    at ? unpreparedFor(ws, at, command) : undefined,
  ];
  const found = own?.checks
    .flatMap((one) => (isBy(one, 'program') ? lacks(one.command) : []))
    .find((one) => one !== undefined);
  return found && { message: found.message, fix: found.fix };
}
