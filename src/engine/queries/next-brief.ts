/** The brief that the next work on a task would be given, made as the attempt itself makes it. Claims nothing. */
import { join } from 'node:path';
import { executorOf } from '../../agents/engine/roles.ts';
import { permissionsFor } from '../../permissions/engine/enforce/effective-permissions.ts';
import { willConfine } from '../../sandbox/engine/confine.ts';
import { ok } from '../../task/core/model/problem.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { wholeTask } from '../../workspace/tasks/read-task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { placeOf } from '../../worktrees/engine/place.ts';
import { isolationOf } from '../../worktrees/engine/workdir.ts';
import { repositoryOf } from '../../worktrees/engine/workdir-record.ts';
import { worktreeOf } from '../../worktrees/engine/worktree.ts';
import { earlierFiles } from '../attempt/current-files.ts';
import { ownerRecord } from '../attempt/claim.ts';
import { renderBrief } from '../brief/brief.ts';
import { findTask } from './find-task.ts';

export function nextBrief(ws: Workspace, id: string) {
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const task = wholeTask(ws, found.value);
  if (!task.contract.ok) return task.contract;
  const contract = task.contract.value;
  const role = executorOf(ws, contract);
  const last = task.attempts.at(-1)?.number ?? 0;
  // A verdict is an attempt, too.
  const number = last + (task.state === 'review' ? 2 : 1);
  const claim = { attempt: number, work: 'work', owner: 'process', recovers: false } as const;
  const owner = ownerRecord(ws, task, claim, role.name, contract);
  const signal = new AbortController().signal;
  const nothing = { owner_bytes: new Uint8Array(), emit: () => undefined, signal, recovers: false };
  const running = { ...nothing, ws, id, number, kind: 'work', owner, task, contract } as const;
  const isolation = isolationOf(contract, ws.config, role.adapter);
  const tree = () => worktreeOf(ws, id) ?? join(placeOf(ws), id);
  const own = () => join(tree(), repositoryOf(ws).prefix);
  const root = isolation === 'shared' ? ws.layout.root : own();
  const guard = {
    workdir: { root, isolation },
    permissions: permissionsFor(ws.layout, role, contract),
  };
  const folder = taskFolder(ws.layout, task.state, id);
  const options = { role, folder, guard, sandboxed: willConfine(ws, contract) };
  const previous = earlierFiles(running, folder).length > 0;
  const later =
    task.state === 'review'
      ? 'In review now: this attempt comes if the review sends it back; the findings are added.'
      : 'Checks run before the first call; what they give is added.';
  return ok({ attempt: number, brief: renderBrief(running, contract, options, previous), later });
}
