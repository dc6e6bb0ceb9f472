/**
 * Who holds an open attempt (docs/protocol.md#recover): by the process that claimed it, the agent or the
 * check that it left, and on other machines by its lease. What is not known to be dead counts as alive.
 */
import { join } from 'node:path';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import type { Holder, TaskRead } from '../../task/core/model/task.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { TEMPORARY } from '../../task/store/disk/put.ts';
import type { Workspace } from '../open/workspace.ts';

/** A lease of another host is expired when its beat has not changed for this long. */
const LEASE_MS = 15 * 60_000;

export function holderOf(ws: Workspace, task: TaskRead): Holder {
  const open = openAttempt(task);
  if (open === undefined) return 'none';
  const owner = open.owner;
  if (owner === undefined) return open.lost ? 'dead' : 'unknown';
  // Their attempts are never judged by a process, but once the outcome is committed only we are
  // missing: whoever was to roll it forward died, or is fenced in a moment.
  if (owner.owner !== 'process') {
    return open.lost || open.outcome !== undefined ? 'dead' : owner.owner;
  }
  switch (ws.machine.judge(owner)) {
    case 'alive':
      return ownsIt(ws, owner.pid, owner.nonce) ? 'alive' : agentOf(ws, open);
    case 'dead':
      return agentOf(ws, open);
    case 'elsewhere':
      if (ws.dead_hosts.has(owner.host)) return 'dead';
      return leaseExpired(ws, task, open) ? 'dead' : 'elsewhere';
  }
}

/** This very process may be alive and yet not work on it any more: after a fault in its attempt. */
function ownsIt(ws: Workspace, pid: number, nonce: string): boolean {
  return pid !== ws.machine.self().pid || ws.active.has(nonce);
}

function agentOf(ws: Workspace, open: Attempt): Holder {
  const { agent, check } = open;
  // An exit record ends the agent, but a check may have been started after it.
  const last = check ?? (open.exit === undefined ? agent : undefined);
  if (last === undefined || ws.machine.judge(last) !== 'alive') return 'dead';
  const age = ws.machine.ageSeconds(last);
  const overdue = last.timeout_ms !== null && age !== undefined && age * 1000 > last.timeout_ms;
  return overdue ? 'orphan_overdue' : 'orphan';
}

/** By a file made now in the same file system: reading alone would compare two machines' clocks. */
function leaseExpired(ws: Workspace, task: TaskRead, open: Attempt): boolean {
  const folder = attemptFolder(taskFolder(ws.layout, task.state, task.id), open.number);
  const lease = ws.disk.stat(join(folder, 'lease.md'));
  if (lease === undefined) return false;
  const probe = join(ws.layout.tasks, `${TEMPORARY}${ws.putting.unique()}`);
  try {
    ws.disk.create(probe, new Uint8Array(), { durable: false });
  } catch {
    // Where nothing can be written nothing can be taken over either.
    return false;
  }
  const now = ws.disk.stat(probe)?.mtime_ms ?? 0;
  ws.disk.remove(probe);
  return now - lease.mtime_ms > LEASE_MS;
}
