/**
 * How often the built command asks the system for each task of a large tree after one change, and for each
 * call of an agent, as constants, so that whoever makes it ask more sees it here. Without strace it says so and is left out.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { sealedFolder } from '../support/sealed-folder.ts';
import { straceMissing } from '../support/strace.ts';

const PROGRAM = fileURLToPath(new URL('../../bench/count.mjs', import.meta.url));
const TASKS = 5000;
/** `check` asks where each deliverable is, too, and whether desks have a folder. */
const CALLS_MAX = { list: 2.4, step: 2.4, check: 4.4 } as const;
/** The runner's and its wrappers'; a work and its verification, and the ledger after the claim. */
const FSYNCS_MAX = 35;
/** The runner's main thread, in a folder six levels deep below ceilings of git: about 1,610, also beside other work. */
const OF_A_CALL_MAX = 1_990;
type Verb = keyof typeof CALLS_MAX;

const missing = straceMissing();
if (missing !== undefined) console.log(`LEFT OUT: system calls of each task, because ${missing}`);

describe.runIf(missing === undefined)('after one change', () => {
  let folder = '';
  let calls: Readonly<Record<Verb | 'call', Readonly<Record<string, number>>>>;
  beforeAll(() => {
    folder = sealedFolder('counted');
    const args = [PROGRAM, folder, '0', `${TASKS}`];
    // Each level of folders is looked at: a home is as deep as people's are.
    const env = { ...process.env, HOME: '/usr/share' };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    expect(status, stderr).toBe(0);
    calls = JSON.parse(stdout) as typeof calls;
  });

  test('a call of an agent asks no more of the system than it did', () => {
    const { fsyncs = Infinity, calls: asked = Infinity } = calls.call;
    // Each sync is one that a power cut shows to be needed (test/engine/durability.test.ts).
    expect(fsyncs).toBeGreaterThan(10);
    expect(fsyncs).toBeLessThanOrEqual(FSYNCS_MAX);
    expect(asked).toBeLessThanOrEqual(OF_A_CALL_MAX);
  });

  test.each(Object.entries(CALLS_MAX))('%s makes at most %s system calls a task', (verb, max) => {
    const { 0: start = 0, [TASKS]: all = 0 } = calls[verb as Verb];
    expect(start).toBeGreaterThan(100);
    // No task is passed over.
    const a_task = (all - start) / TASKS;
    expect(a_task).toBeGreaterThan(1);
    expect(a_task).toBeLessThanOrEqual(max);
  });
});
