/**
 * Ending processes: everything in a wrapper's session and group, and everything that carries the mark
 * of its attempt (a child that called setsid). Knows no task; never judges another host's processes.
 * Rounds of look and signal until nobody is found, because processes fork while we look. A child that
 * left the session *and* cleared its environment is not found: that needs a sandbox.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Machine, ProcessRef } from './machine.ts';
import { elapsedMs } from './elapsed.ts';
import type { ProcessRow } from './process-table.ts';
import { hasEnded, hasProc, markOf, markedByPs, processRow, processRows } from './process-table.ts';

export interface Family {
  /** The wrapper. */
  readonly leader: ProcessRef;
  readonly mark: string;
  /** True while the group's number is certainly this wrapper's and no later process's. */
  readonly group_is_ours: boolean;
  /** The process that copies what the others print: it ends by itself, after them. */
  readonly reader?: number;
}

interface Found {
  readonly pids: readonly number[];
  /** Somebody is between fork and exec: look again before believing that nobody is left. */
  readonly unsettled: boolean;
}

const ROUND_MS = 10;
const UNSETTLED_ROUNDS = 3;
/** A process in uninterruptible sleep survives SIGKILL; we do not wait for it for ever. */
const KILL_PATIENCE_MS = 5_000;
const READER_PATIENCE_MS = 1_000;

/** For a later step: ends an orphan's whole group and everything with its mark. How many were ended. */
export async function killOrphan(
  ref: ProcessRef,
  mark: string,
  machine: Machine,
  grace_ms: number,
): Promise<number> {
  const life = machine.judge(ref);
  if (life === 'elsewhere' || ref.boot !== machine.self().boot) return 0;
  const group_is_ours = life === 'alive' && leadsOurGroup(ref.pid, mark);
  return endFamily({ leader: ref, mark, group_is_ours }, grace_ms);
}

/**
 * A dead leader's number may lead somebody else's group by now, and the record that names it may have
 * been forged: a group is ended only when its living leader carries the mark. Else the mark is proof
 * enough for each process alone.
 */
function leadsOurGroup(pid: number, mark: string): boolean {
  if (processRow(pid)?.group !== pid) return false;
  return hasProc() ? markOf(pid, mark) === 'carried' : true;
}

/** Every live process that was started with this mark, ourselves excepted. */
export function findMarked(mark: string): number[] {
  if (mark === '') return [];
  if (!hasProc()) return markedByPs(mark).filter((pid) => pid !== process.pid);
  return processRows()
    .filter((row) => isOther(row) && markOf(row.pid, mark) === 'carried')
    .map((row) => row.pid);
}

/** SIGTERM, up to grace_ms of patience, SIGKILL. Resolves with the number of processes ended. */
export async function endFamily(family: Family, grace_ms: number): Promise<number> {
  const seen = new Set<number>();
  const killAt = elapsedMs() + grace_ms;
  let unsettledRounds = UNSETTLED_ROUNDS;
  for (;;) {
    const found = look(family);
    if (found.pids.length === 0) {
      if (!found.unsettled || unsettledRounds === 0) return seen.size;
      unsettledRounds -= 1;
    }
    const kills = elapsedMs() >= killAt;
    for (const pid of found.pids) {
      if (kills) signal(pid, 'SIGKILL');
      else if (!seen.has(pid)) terminate(pid);
      seen.add(pid);
    }
    if (elapsedMs() > killAt + KILL_PATIENCE_MS) return seen.size;
    await sleep(ROUND_MS);
  }
}

/** One SIGTERM to everybody in the family, now. */
export function terminateFamily(family: Family): void {
  for (const pid of look(family).pids) terminate(pid);
}

/** Its reader has the rest of the output to write; a process out of our reach may keep it waiting. */
export async function endReader(family: Family): Promise<void> {
  const { reader } = family;
  if (reader === undefined) return;
  for (const killAt = elapsedMs() + READER_PATIENCE_MS; ; await sleep(ROUND_MS)) {
    const row = processRow(reader);
    if (row === undefined || !isOther(row) || !isInGroup(row, family)) return;
    if (elapsedMs() > killAt) return signal(reader, 'SIGKILL');
  }
}

/** To a whole group at once, so that nobody can fork past it. */
export function signalGroup(leader: number, name: 'SIGTERM' | 'SIGKILL'): void {
  if (leader > 1) signal(-leader, name);
}

function look(family: Family): Found {
  if (!hasProc()) return { pids: lookByPs(family), unsettled: false };
  const pids: number[] = [];
  let unsettled = false;
  for (const row of processRows()) {
    if (!isOther(row) || row.pid === family.reader || isOlder(row, family.leader)) continue;
    if (isInGroup(row, family)) {
      pids.push(row.pid);
      continue;
    }
    const mark = markOf(row.pid, family.mark);
    if (mark === 'carried') pids.push(row.pid);
    unsettled ||= mark === 'unsettled';
  }
  return { pids, unsettled };
}

function lookByPs(family: Family): number[] {
  const grouped = processRows().filter((row) => isOther(row) && isInGroup(row, family));
  const pids = new Set([...grouped.map((row) => row.pid), ...findMarked(family.mark)]);
  return [...pids].filter((pid) => pid !== family.reader);
}

function isOther(row: ProcessRow): boolean {
  return row.pid > 1 && row.pid !== process.pid && !hasEnded(row);
}

/** Nobody older than the wrapper can be its child: most of a machine is passed over unread. */
function isOlder(row: ProcessRow, leader: ProcessRef): boolean {
  return leader.start !== '' && Number(row.start) < Number(leader.start);
}

function isInGroup(row: ProcessRow, family: Family): boolean {
  const leader = family.leader.pid;
  // Number 0 is where the kernel's and a container's first processes stand, 1 is init's.
  if (leader <= 1) return false;
  return family.group_is_ours && (row.group === leader || row.session === leader);
}

function terminate(pid: number): void {
  signal(pid, 'SIGTERM');
  // A stopped process acts on SIGTERM only once it goes on.
  signal(pid, 'SIGCONT');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile, or not ours to end: the next look says which, and patience is bounded.
  }
}
