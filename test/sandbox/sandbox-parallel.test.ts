/**
 * Sandboxes side by side in a project that lacks the settings folders: none fails because another one ends, and
 * nothing of them stays, also after a crash. Real bubblewrap and real processes; 200 runs are in test/nightly.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import {
  killAll,
  leftIn,
  makeProject,
  processesOf,
  sandboxRuns,
  STAND_INS,
  startRun,
} from '../support/sandbox-runs.ts';
import { until } from '../support/until.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: sandboxes side by side, because ${here.why}`);

function project(): string {
  const root = makeProject();
  onTestFinished(() => killAll(root));
  return root;
}

const ATTEMPTS = 12;

describe.runIf(here.works)('stand-ins', () => {
  test('four at once: no fault, no process, no folder stays', async () => {
    const { attempts, ...counts } = await sandboxRuns(4);
    expect(counts).toEqual({ runs: 4, faults: [], processes: [], folders: [] });
    expect(attempts).toBe(4 * ATTEMPTS);
  });

  test('two runners in one project: the same', async () => {
    const root = project();
    const runs = await Promise.all([1, 2].map(() => startRun(root, false).ended));
    expect(runs.map(({ code, stdout }) => [code, /"event":"fault"/.test(stdout)])).toEqual([
      [0, false],
      [0, false],
    ]);
    expect([leftIn(root), processesOf(root)]).toEqual([[], []]);
  });

  test.each([
    ['a step', ['step'], false],
    ['doctor --fix', ['doctor', '--fix'], true],
  ])(
    'after kill -9 of all: doctor reports them, and %s removes them',
    async (_name, words, all) => {
      const root = project();
      writeFileSync(join(root, 'slow'), '');
      mkdirSync(join(root, '.claude'));
      const { ended } = startRun(root, false);
      const missing = STAND_INS.filter((name) => name !== '.claude');
      // They are made one after the other.
      await until(() => existsSync(join(root, '.gemini')) && readdirSync(join(root, '.gemini'))[0]);
      await until(() => missing.every((name) => leftIn(root).includes(name)));
      killAll(root);
      await ended;
      rmSync(join(root, 'slow'));
      expect(leftIn(root)).toEqual(expect.arrayContaining(missing));
      const { stderr, stdout } = await startRun(root, false, ['doctor']).ended;
      for (const name of missing) {
        expect(stdout + stderr).toContain(`${name}: warning: an empty folder of a sandbox is left`);
      }
      expect(stdout + stderr).not.toContain('.claude: warning');
      await startRun(root, false, words).ended;
      // Made empty by a person on purpose.
      expect(leftIn(root).filter((name) => name !== 'empty')).toEqual(['.claude']);
      expect(existsSync(join(root, 'all.txt'))).toBe(!all);
    },
  );

  test('beside a task that a host has in hand nothing stays', async () => {
    const root = project();
    expect(await startRun(root, false, ['delegate', 'more']).ended).toMatchObject({ code: 0 });
    await startRun(root, false).ended;
    expect(existsSync(join(root, 'all.txt'))).toBe(true);
    expect(leftIn(root)).toEqual([]);
  });
});
