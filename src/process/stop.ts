/**
 * Ends the group of a wrapper and everything with the mark of its attempt, in rounds, because
 * processes fork in between. Never judges processes of another host.
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
  /** The group's number is certainly this wrapper's, and no later process's. */
  readonly group_is_ours: boolean;
  /** Copies the output of the others: it ends by itself, after them. */
  readonly reader?: number;
  /** Processes that were there before it began: none of them is its child. */
  readonly before?: ReadonlySet<number>;
  readonly began_ms?: number;
}

interface Found {
  readonly pids: readonly number[];
  /** A process is between fork and exec: look again. */
  readonly unsettled: boolean;
}

/** The kernel gives all other numbers first, of at least 32,768. */
const NUMBER_COMES_BACK_MS = 1_000;
const ROUND_MS = 10;
const UNSETTLED_ROUNDS = 3;
/** A process in uninterruptible sleep survives SIGKILL. */
const KILL_PATIENCE_MS = 5_000;
const READER_PATIENCE_MS = 1_000;

/** Ends an orphan's whole group and everything with its mark. Returns how many. */
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
 * The number of a dead leader may belong to another group by now, and its record may be forged: a
 * group is ended only when its living leader has the mark. Otherwise each process needs the mark.
 */
function leadsOurGroup(pid: number, mark: string): boolean {
  if (processRow(pid)?.group !== pid) return false;
  return hasProc() ? markOf(pid, mark) === 'carried' : true;
}

/** Every live process with this mark, ourselves excepted. */
export function findMarked(mark: string): number[] {
  if (mark === '') return [];
  if (!hasProc()) return markedByPs(mark).filter((pid) => pid !== process.pid);
  return processRows()
    .filter((row) => isOther(row) && markOf(row.pid, mark) === 'carried')
    .map((row) => row.pid);
}

/** SIGTERM, grace_ms of patience, SIGKILL. Resolves with the number of processes ended. */
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

export function terminateFamily(family: Family): void {
  for (const pid of look(family).pids) terminate(pid);
}

/** Ends the reader, which writes the rest of the output; a process out of our reach may keep it waiting. */
export async function endReader(family: Family): Promise<void> {
  const { reader } = family;
  if (reader === undefined) return;
  for (const killAt = elapsedMs() + READER_PATIENCE_MS; ; await sleep(ROUND_MS)) {
    const row = processRow(reader);
    if (row === undefined || !isOther(row) || !isInGroup(row, family)) return;
    if (elapsedMs() > killAt) return signal(reader, 'SIGKILL');
  }
}

/** To a whole group at once, so that none escapes by forking. */
export function signalGroup(leader: number, name: 'SIGTERM' | 'SIGKILL'): void {
  if (leader > 1) signal(-leader, name);
}

function look(family: Family): Found {
  if (!hasProc()) return { pids: lookByPs(family), unsettled: false };
  const pids: number[] = [];
  let unsettled = false;
  const { before, began_ms = -Infinity } = family;
  const isSoon = elapsedMs() - began_ms < NUMBER_COMES_BACK_MS;
  for (const row of processRows(isSoon ? before : undefined)) {
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

/** Nothing older than the wrapper is its child: most processes are not read at all. */
function isOlder(row: ProcessRow, leader: ProcessRef): boolean {
  return leader.start !== '' && Number(row.start) < Number(leader.start);
}

function isInGroup(row: ProcessRow, family: Family): boolean {
  const leader = family.leader.pid;
  // 0 is the group of kernel and container processes, 1 that of init.
  if (leader <= 1) return false;
  return family.group_is_ours && (row.group === leader || row.session === leader);
}

function terminate(pid: number): void {
  signal(pid, 'SIGTERM');
  // A stopped process acts on SIGTERM only after this.
  signal(pid, 'SIGCONT');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone, or not ours to end: the next look shows which, and patience is bounded.
  }
}
