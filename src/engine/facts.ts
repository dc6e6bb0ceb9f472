/**
 * Facts about one task that its folder alone does not hold: who holds the open attempt, where its
 * dependencies stand, what pre-flight finds. Reads the world; decides nothing.
 */
import { join } from 'node:path';
import { isTaskId } from '../core/id.ts';
import { openAttempt } from '../core/open-attempt.ts';
import { LIVE_STATES, type State } from '../core/state.ts';
import type { Attempt } from '../core/record.ts';
import type { Dependency, DependencyState, Facts, Holder, TaskRead } from '../core/task.ts';
import { isDone } from '../core/task.ts';
import { archiveFolder, attemptFolder, desksFolder, taskFolder } from '../store/layout.ts';
import { TEMPORARY } from '../store/put.ts';
import { listState, locate } from '../store/tasks.ts';
import { listAttempts } from '../store/claims.ts';
import { readAttempts } from './attempts.ts';
import { readTask, type Board } from './board.ts';
import { earlierLeft } from './attempt/earlier.ts';
import { handedIn } from './attempt/hand-in.ts';
import { neighboursOf } from './neighbours.ts';
import { preflight, executorOf } from './preflight.ts';
import type { Workspace } from './workspace.ts';

/** A lease of another host is expired when its beat has not changed for this long. */
const LEASE_MS = 15 * 60_000;

export function factsOf(ws: Workspace, board: Board, task: TaskRead): Facts {
  const contract = task.contract.ok ? task.contract.value : undefined;
  const dependencies = (contract?.head.depends_on ?? []).map((id) => dependency(ws, board, id));
  const settled = dependencies.every(isDone);
  const waits = task.state === 'ready' || task.state === 'in_progress';
  const holder = holderOf(ws, task);
  return {
    holder,
    dependencies,
    open_children: waits ? openChildren(ws, board, task.id) : [],
    cycle: board.cycles.get(task.id),
    preflight:
      waits && contract !== undefined
        ? preflight(ws, taskFolder(ws.layout, task.state, task.id), contract, settled)
        : [],
    overlap:
      waits && contract !== undefined
        ? overlap(board, task.id, contract.head.deliverables)
        : undefined,
    executor_mode:
      contract === undefined ? 'process' : (executorOf(ws, contract).adapter?.mode ?? 'process'),
    handed_in: task.state === 'in_progress' && handedIn(ws, task),
    earlier_left: holder === 'person' && earlierLeft(ws, task),
  };
}

/**
 * Live tasks that name this one as their parent. A child that moves back while the states are listed
 * is in none of the lists: before there is said to be none, the states are listed once more.
 */
function openChildren(ws: Workspace, board: Board, id: string): readonly string[] {
  const known = neighboursOf(board).children.get(id);
  if (known !== undefined) return known;
  return missedBy(ws, board)
    .filter((task) => task.contract.ok && task.contract.value.head.parent === id)
    .map((task) => task.id);
}

/** Looked for once a board, not once a task. */
const missed = new WeakMap<Board, readonly TaskRead[]>();

function missedBy(ws: Workspace, board: Board): readonly TaskRead[] {
  const found = missed.get(board);
  if (found !== undefined) return found;
  const tasks = LIVE_STATES.flatMap((state) =>
    listState(ws.disk, ws.layout, state)
      .ids.filter((id) => ![board.tasks, board.doubles, board.faults].some((seen) => seen.has(id)))
      .map((id) => readTask(ws, state, id))
      .filter((task) => task !== undefined),
  );
  missed.set(board, tasks);
  return tasks;
}

export function dependency(ws: Workspace, board: Board, id: string): Dependency {
  return { id, state: stateOf(ws, board, id) };
}

/** One look for each: among the live tasks by name, else wherever it stands, else in the archive. */
function stateOf(ws: Workspace, board: Board, id: string): DependencyState {
  if (!isTaskId(id)) return 'unknown';
  const live = board.tasks.get(id)?.state;
  if (live !== undefined) return live;
  const double = board.doubles.get(id)?.[0];
  if (double !== undefined) return double;
  // Live ones too: a task that moves back while the states are listed is in none of the lists.
  const [now] = locate(ws.disk, ws.layout, id);
  if (now !== undefined) return now;
  const archived = archiveFolder(ws.layout, id);
  if (ws.disk.stat(archived)?.kind !== 'folder') return 'unknown';
  const { attempts } = readAttempts(ws, archived, id);
  const last = attempts.findLast((attempt) => !attempt.lost && attempt.outcome !== undefined);
  if (last?.outcome?.outcome === 'approved') return 'archived_done';
  return last?.outcome?.outcome === 'reject' ? 'archived_aborted' : 'archived';
}

/** A live task that writes one of these deliverables: it works on them, or is being judged. */
function overlap(board: Board, id: string, deliverables: readonly string[]): Facts['overlap'] {
  const { working } = neighboursOf(board);
  for (const path of deliverables) {
    const other = working.get(path)?.find((one) => one !== id);
    if (other !== undefined) return { id: other, path };
  }
  return undefined;
}

/** Who holds the open attempt (PROTOCOL steps 8 and 9). */
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

/**
 * By the file server's clock: a file made now in the same file system against the lease's own time.
 * Reading alone would compare two machines' clocks.
 */
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

/** Tasks in states that step does not read, whose desk was left behind by a dead attempt. */
export function leftDesks(ws: Workspace): readonly { id: string; number: number; state: State }[] {
  const names =
    ws.disk.stat(desksFolder(ws.layout)) === undefined ? [] : ws.disk.list(desksFolder(ws.layout));
  return names.flatMap(({ name }) => {
    const match = /^(.+)\.(\d{4,9})$/.exec(name);
    const id = match?.[1];
    if (id === undefined) return [];
    for (const state of ['done', 'aborted'] as const) {
      const folder = taskFolder(ws.layout, state, id);
      if (ws.disk.stat(folder) === undefined) continue;
      const number = Number(match?.[2]);
      const open = listAttempts(ws.disk, folder).some((a) => a.number === number && !a.lost);
      if (open) return [{ id, number, state }];
    }
    return [];
  });
}
