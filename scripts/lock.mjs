// A lock file that holds the id of its process: one at a time does the work, across processes. The lock of
// a process that died is taken over. Two that take over at once may both have it for a moment, so the
// work must be safe to do twice: it makes its things in a place of its own and gives them their name last.
import fs from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const WAIT_MS = 900_000;
const LOOK_MS = 100;
/** An empty lock is being written, unless it stays so. */
const EMPTY_MS = 2_000;

/** `doing` says what the others do, where this one has to wait for them. */
export async function locked(lock, doing, work) {
  fs.mkdirSync(dirname(lock), { recursive: true });
  const until = Date.now() + WAIT_MS;
  for (let reported = false; !taken(lock); reported = true) {
    const [holder, since] = readOr(lock).split(' ');
    const isHeld = isAlive(Number(holder)) && (since === undefined || since === startOf(holder));
    if (!isHeld && (holder !== '' || isOlder(lock, EMPTY_MS))) {
      fs.rmSync(lock, { force: true });
      continue;
    }
    if (Date.now() > until) throw new Error(`${lock} is held by process ${holder} for too long`);
    if (!reported) console.log(`waiting for process ${holder}, which ${doing} too`);
    await pause(LOOK_MS);
  }
  try {
    return await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

export function isAlive(pid) {
  if (!(pid > 1)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Another process may get the id of a dead one; empty where the system does not say. */
function startOf(pid) {
  const stat = readOr(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? '';
}

function taken(lock) {
  try {
    fs.writeFileSync(lock, `${process.pid} ${startOf(process.pid)}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function readOr(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isOlder(path, ms) {
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > ms;
}
