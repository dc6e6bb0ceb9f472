/**
 * The real binary is killed at every system call that touches the workspace and changes it, and at
 * a spread of those that look; refused with EIO and ENOSPC; and killed again while it recovers.
 */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partOfNight, sayNight } from '../support/night.ts';
import { everyNth } from '../support/share.ts';
import { makeWalk, walkThrough, type Break } from '../support/strace-walk.ts';
import { callsOf, stepWith, straceMissing, type Call } from '../support/strace.ts';

const missing = straceMissing();
if (missing !== undefined) console.log(`LEFT OUT: the tests of system calls, because ${missing}`);
/** One in so many is walked in a night; STRACE_EVERY=1 is all. */
const WALKS = 4;

function walkAll(breaks: readonly (readonly Break[])[]): void {
  const chosen = partOfNight(breaks, WALKS, 'STRACE_EVERY');
  const walks = chosen.map((one) => walkThrough(one));
  const met = walks.filter((walk) => walk.met > 0).length;
  const night = sayNight(WALKS, 'STRACE_EVERY');
  console.log(`${night}: ${chosen.length} walks, ${met} of them met a call in the workspace`);
  expect(walks.flatMap((walk) => walk.wrong)).toEqual([]);
  expect(met).toBeGreaterThan(chosen.length / 2);
}

function callsOfWalk(): Call[] {
  const root = makeWalk();
  const calls = callsOf(root);
  rmSync(root, { recursive: true, force: true });
  return calls;
}

test.runIf(missing === undefined)('real processes: killed at each system call of a step', () => {
  const calls = callsOfWalk();
  const looking = everyNth(
    calls.filter((call) => !call.changes),
    25,
  );
  const all = [...calls.filter((call) => call.changes), ...looking];
  walkAll(all.map((call) => [{ call, how: 'signal=KILL' }]));
});

test.runIf(missing === undefined)(
  'real processes: refused at each system call that changes',
  () => {
    // The numbers of openat are not steady: the table of processes is looked at in between.
    const steady = callsOfWalk().filter((call) => call.changes && call.syscall !== 'openat');
    walkAll(steady.flatMap((call) => ['error=EIO', 'error=ENOSPC'].map((how) => [{ call, how }])));
  },
);

test.runIf(missing === undefined)('real processes: killed again while it recovers', () => {
  const renames = callsOfWalk().filter((call) => call.syscall.startsWith('rename'));
  const breaks: Break[][] = [];
  for (const call of everyNth(renames, 3, 1)) {
    const first: Break = { call, how: 'signal=KILL' };
    const root = makeWalk();
    stepWith(root, first.call, first.how);
    const recovery = callsOf(root).filter((one) => one.changes);
    rmSync(root, { recursive: true, force: true });
    breaks.push(
      ...everyNth(recovery, 3).map((second) => [first, { call: second, how: 'signal=KILL' }]),
    );
  }
  walkAll(breaks);
});
