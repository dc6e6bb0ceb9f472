/** How often a step reads the files that describe agents, by a disk that counts. The process room is a MOCK. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import type { Script } from '../support/scripted-room.ts';
import { makeWorld, type World } from '../support/world.ts';

const TASKS = 12;

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.agent('parallel: 1\n');
  for (const name of ['finder', 'writer'])
    world.write(
      `.claude/agents/${name}.md`,
      `---\nname: ${name}\ndescription: It\n---\n\nDo it.\n`,
    );
  for (let n = 0; n < TASKS; n++) {
    const head = `title: t${n}\nagent: finder\nquality_gate: writer\nverify: ["run: true"]`;
    const text = `---\n${head}\n---\n\n## Success Criteria\n\n- [ ] it is there\n`;
    world.write(`active_tasks/ready/t${n}/contract.md`, text);
  }
});

const works: Script = ({ desk, kind }) => {
  const text = '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n';
  if (kind === 'work') writeFileSync(join(desk, 'result.md'), text);
  return 0;
};

/** The agents whose files a process read while it did a step, and how many claims it planned. */
async function readsOf(dry_run: boolean): Promise<{ reads: string[]; claims: number }> {
  const reads: string[] = [];
  const read: typeof realDisk.read = (...args) => {
    const [, name] = /\.claude\/agents\/(\w+)\.md$/.exec(args[0]) ?? [];
    if (name !== undefined) reads.push(name);
    return realDisk.read(...args);
  };
  const { ws } = world.process({ disk: { ...realDisk, read }, script: works });
  const { plan } = await step(ws, { dry_run });
  return { reads, claims: plan.filter(({ action }) => action.kind === 'claim').length };
}

test('a look at many tasks reads the file of each agent once', async () => {
  const { reads, claims } = await readsOf(true);
  expect(claims).toBe(TASKS);
  expect(reads.sort()).toEqual(['finder', 'writer']);
});

test('a step that claims reads it once more for each claim, as settings may be newer (MOCK room)', async () => {
  const { reads, claims } = await readsOf(false);
  expect(claims).toBe(TASKS);
  expect(reads.filter((name) => name === 'finder')).toHaveLength(1 + TASKS);
});

test('tasks that wait for another read none', async () => {
  for (let n = 0; n < TASKS; n++) {
    const text = `---\ntitle: t\nagent: finder\ndepends_on: gone\n---\n\n## Success Criteria\n\n- [ ] it\n`;
    world.write(`active_tasks/ready/t${n}/contract.md`, text);
  }
  expect(await readsOf(false)).toEqual({ reads: [], claims: 0 });
});
