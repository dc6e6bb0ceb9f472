/**
 * Claims, fences, commits: the durable part of an attempt (docs/protocol.md#claim). A claim is the rename
 * of a prepared, non-empty folder onto `attempts/NNNN`, which exactly one process wins.
 */
import { dirname } from 'node:path';
import { assert } from '../../core/model/problem.ts';
import { errorCode, isGone, makeFolder, ReadRefused, unlessGone, type Disk } from '../disk/disk.ts';
import { attemptFolder, attemptsFolder } from './layout.ts';
import { put, type Putting } from '../disk/put.ts';
import { openAgain } from '../disk/real-disk.ts';

const PREPARED = '.new-';
const DROP_TRIES = 3;
/** Only whether the nonce is in it counts. */
const COMPARED = { single_link: false, compared: true } as const;

export interface NumberedFolder {
  readonly number: number;
  readonly lost: boolean;
  readonly name: string;
}

/** The attempt folders of a task, ascending; a lost one before the one of the same number. */
export function listAttempts(disk: Disk, task: string): readonly NumberedFolder[] {
  return unlessGone(() => disk.names(attemptsFolder(task)), [])
    .flatMap((name): NumberedFolder[] => {
      const match = /^(\d{4,9})(\.lost)?$/.exec(name);
      if (match === null) return [];
      return [{ number: Number(match[1]), lost: match[2] !== undefined, name }];
    })
    .sort((a, b) => a.number - b.number || Number(b.lost) - Number(a.lost));
}

export function highestAttempt(disk: Disk, task: string): number {
  return listAttempts(disk, task).at(-1)?.number ?? 0;
}

export type ClaimResult = 'won' | 'lost' | 'gone';

/** Folders of the task now; empty when it is removed. */
export type Whereabouts = () => readonly string[];

/**
 * Claims `number`. `files` go into the attempt's folder; `owner.md` among them has a nonce: reading it
 * back shows who won, whatever the error was.
 */
export function claim(
  putting: Putting,
  task: string,
  number: number,
  files: ReadonlyMap<string, Uint8Array>,
  whereabouts: Whereabouts = () => [task],
): ClaimResult {
  const { disk } = putting;
  const attempts = attemptsFolder(task);
  const name = `${PREPARED}${putting.unique()}`;
  const prepared = `${attempts}/${name}`;
  const target = attemptFolder(task, number);
  const owner = files.get('owner.md');
  assert(owner !== undefined, 'a claim without an owner');
  try {
    makeAttempts(disk, task, attempts);
    disk.mkdir(prepared);
    // What a power cut takes of a lease ends with the boot of its owner.
    for (const [name, bytes] of files) {
      disk.create(`${prepared}/${name}`, bytes, { durable: name !== 'lease.md' });
    }
    disk.sync(prepared);
    const used = [target, attemptFolder(task, number, true)].some(
      (path) => disk.stat(path) !== undefined,
    );
    if (!used) disk.rename(prepared, target);
  } catch (error) {
    if (!holds(disk, target, owner)) {
      dropPrepared(disk, name, files, whereabouts);
      if (isGone(error)) return disk.stat(task) === undefined ? 'gone' : 'lost';
      if (isTaken(error)) return 'lost';
      throw error;
    }
  }
  if (!holds(disk, target, owner)) {
    dropPrepared(disk, name, files, whereabouts);
    return disk.stat(task) === undefined ? 'gone' : 'lost';
  }
  return isDurable(disk, task, number, owner, whereabouts) ? 'won' : 'gone';
}

/** A person may move the folder just now: then the claim is made durable where it went. */
function isDurable(
  disk: Disk,
  task: string,
  number: number,
  owner: Uint8Array,
  whereabouts: Whereabouts,
): boolean {
  const ours = (place: string): boolean => holds(disk, attemptFolder(place, number), owner);
  for (let tries = 0; tries < DROP_TRIES; tries++) {
    const place = tries === 0 ? task : whereabouts().find(ours);
    if (place === undefined) continue;
    try {
      disk.sync(attemptsFolder(place));
      return true;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return false;
}

function makeAttempts(disk: Disk, task: string, attempts: string): void {
  if (disk.stat(attempts) !== undefined) return;
  makeFolder(disk, attempts);
  disk.sync(task);
}

/** rename onto a non-empty folder: ENOTEMPTY, EEXIST on xfs, EPERM on sshfs. */
function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errorCode(error) ?? '');
}

export function holds(disk: Disk, attempt: string, owner: Uint8Array): boolean {
  try {
    return Buffer.from(disk.read(`${attempt}/owner.md`, owner.length, COMPARED)).equals(owner);
  } catch (error) {
    if (isGone(error) || error instanceof ReadRefused) return false;
    throw error;
  }
}

/**
 * The task may have been moved, with what was prepared in it, and may move again during the search. Best
 * effort: what stays is found by `doctor`.
 */
function dropPrepared(
  disk: Disk,
  name: string,
  files: ReadonlyMap<string, Uint8Array>,
  whereabouts: Whereabouts,
): void {
  for (let tries = 0; tries < DROP_TRIES; tries++) {
    try {
      const prepared = whereabouts()
        .map((task) => `${attemptsFolder(task)}/${name}`)
        .find((path) => disk.stat(path) !== undefined);
      // Not found is no proof: the folder may have moved between two looks.
      if (prepared === undefined) continue;
      for (const file of files.keys()) {
        if (disk.stat(`${prepared}/${file}`) !== undefined) disk.remove(`${prepared}/${file}`);
      }
      disk.remove(prepared);
      return;
    } catch {
      // Moved just now; the next try finds it.
    }
  }
}

/**
 * Fences an attempt whose owner is dead by renaming it to `NNNN.lost`: a revived owner cannot commit.
 * Safe to repeat after a crash at any point.
 */
export function fence(disk: Disk, task: string, number: number, desk: string): void {
  const open = attemptFolder(task, number);
  const lost = attemptFolder(task, number, true);
  if (disk.stat(open) !== undefined && disk.stat(lost) === undefined) {
    disk.rename(open, lost);
    disk.sync(attemptsFolder(task));
  }
  adoptDesk(disk, desk, lost);
}

/** Moves the desk into the attempt. What an agent put in its place, such as a link, stays and is not read. */
export function adoptDesk(disk: Disk, desk: string, attempt: string): void {
  const kept = `${attempt}/desk`;
  if (disk.stat(desk)?.kind !== 'folder' || disk.stat(kept) !== undefined) return;
  openAgain(desk);
  disk.rename(desk, kept);
  disk.sync(dirname(desk));
  disk.sync(attempt);
}

export type CommitResult = 'committed' | 'fenced';

/** The single commit point of an attempt: `outcome.md`. `fenced`: or the task was moved. */
export function commit(
  putting: Putting,
  task: string,
  number: number,
  owner: Uint8Array,
  outcome: Uint8Array,
): CommitResult {
  const attempt = attemptFolder(task, number);
  if (!holds(putting.disk, attempt, owner)) return 'fenced';
  return unlessGone(() => {
    put(putting, `${attempt}/outcome.md`, outcome);
    return 'committed';
  }, 'fenced');
}

/**
 * Gives a number back that this process won but may not use. Where a fenced attempt has that number, the
 * claim came too late to be an attempt and is dropped.
 */
export function withdraw(
  { disk, unique }: Putting,
  task: string,
  number: number,
  files: ReadonlyMap<string, Uint8Array>,
): void {
  const lost = attemptFolder(task, number, true);
  if (disk.stat(lost) === undefined) {
    disk.rename(attemptFolder(task, number), lost);
  } else {
    const name = `${PREPARED}${unique()}`;
    disk.rename(attemptFolder(task, number), `${attemptsFolder(task)}/${name}`);
    dropPrepared(disk, name, files, () => [task]);
  }
  disk.sync(attemptsFolder(task));
}
