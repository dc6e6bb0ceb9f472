/**
 * What a runner wrote below a plan is nobody else's doing, also for who takes over after it was killed;
 * what only looks like it is told. Processes and agents are a MOCK; files and protocol are real.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { planTaskId } from './support/plan-ids.ts';
import { step } from '../../src/engine/step/step.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { faultyDisk, unsyncedDisk } from '../support/faulty-disk.ts';
import type { ScriptedCall } from '../support/scripted-room.ts';
import { makeWorld, type World } from '../support/world.ts';

const LOGIN = planTaskId('launch', 'login', sha256);
const FOLDER = '.contracts/plans/launch';
const PLAN = `${FOLDER}/plan.md`;
const TEXT =
  '# Launch\n\n- [ ] Log in (id: login)\n  - [ ] asks for a name\n- [ ] By hand (id: own)\n';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.write(
    '.contracts/config.yaml',
    'adapter: me\nparallel: 3\nadapters:\n  me: { type: claude, run: [sh] }\n',
  );
  world.write(PLAN, TEXT);
  task(LOGIN, 'plan: launch\ntype: story\n');
  task('watch');
  world.write('here.txt', 'here\n');
});

function task(id: string, head = ''): void {
  const verify = 'verify: ["file_exists: here.txt"]\n';
  const body = `# ${id}\n\n## Objective\n\nOne.\n\n## Success Criteria\n\n- [ ] it is there\n`;
  world.write(
    `active_tasks/ready/${id}/contract.md`,
    `---\nv: 1\ntitle: ${id}\n${head}${verify}---\n\n${body}`,
  );
}

function handsIn(call: ScriptedCall): number {
  const text =
    '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n\n## Learnings\n\n- Ask once\n';
  writeFileSync(join(call.desk, 'result.md'), text);
  return 0;
}

const at = (path: string): string => join(world.root, path);
const read = (path: string): string => readFileSync(at(path), 'utf8');

/** The first runner dies when the desk of `watch` is to go into its attempt; the next one compares. */
async function takenOver(meanwhile: () => void): Promise<string> {
  const taken = /\.desk\/watch\.0001 -> .*attempts\/0001\/desk$/;
  const disk = faultyDisk(-1, undefined, {
    ...unsyncedDisk,
    rename: (from, to) => {
      if (taken.test(`${from} -> ${to}`)) disk.kill();
      else unsyncedDisk.rename(from, to);
    },
  });
  let began = (): void => undefined;
  let goOn = (): void => undefined;
  const begun = new Promise<void>((resolve) => (began = resolve));
  const gone = new Promise<void>((resolve) => (goOn = resolve));
  const { ws } = world.process({
    disk,
    script: async (call) => {
      if (call.task === 'watch') {
        began();
        await gone;
      }
      return handsIn(call);
    },
  });
  const watching = step(ws, { only: new Set(['watch']) }).catch(() => undefined);
  await begun;
  await step(ws, { only: new Set([LOGIN]) });
  await step(ws, { only: new Set([LOGIN]) });
  meanwhile();
  goOn();
  await Promise.race([watching, disk.died]);
  expect(disk.dead).toBe(true);
  const next = world.process({ disk: unsyncedDisk, script: handsIn });
  await step(next.ws, { only: new Set(['watch']) });
  return read('active_tasks/done/watch/attempts/0002/outcome.md');
}

test('who takes over after a killed runner does not notice what that one wrote', async () => {
  const outcome = await takenOver(() => undefined);
  expect(read(PLAN)).toContain('- [x] Log in');
  expect(outcome).toContain('outcome: complete');
  expect(outcome).not.toContain('noticed');
});

test('and notices what somebody else wrote', async () => {
  const outcome = await takenOver(() => appendFileSync(at(PLAN), '- [ ] More\n'));
  expect(outcome).toContain(`write ${PLAN}: this agent may write **`);
  expect(outcome).not.toContain('**, **');
});
