/**
 * What was read a moment ago is not so any more: the world changes between the look and the claim
 * that follows from it. Processes and agents are a MOCK; disk and protocol are real.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../../src/process/machine.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { step } from '../../src/engine/step/step.ts';
import { makeWorld, type World } from '../support/world.ts';

const OTHER = 'task_20261121_other_aaaa';
const ID = 'task_20261121_stale_aaaa';
const HOME = `active_tasks/in_progress/${ID}`;
const CONTRACT = `---
v: 1
title: Stale
verify: ["file_exists: here.txt"]
---

# Stale

## Objective

Be run once.

## Success Criteria

- [ ] It was done
`;
const RESULT = '---\nstatus: COMPLETE\n---\n\n## Success Criteria\n\n- [x] It was done\n';
const EXIT = '---\nexit_code: 0\nended: 2026-11-21T12:00:00Z\n---\n';

let world: World;

function makeReady(): void {
  world = makeWorld();
  world.agent();
  world.write('here.txt', 'here');
  world.write(`active_tasks/ready/${ID}/contract.md`, CONTRACT);
}

/** A task whose runner was cut short while its agent ran. */
async function runnerDied(): Promise<void> {
  makeReady();
  let started: () => void = () => undefined;
  const running = new Promise<void>((resolve) => (started = resolve));
  const first = world.process({
    script: () => {
      started();
      // Never ends: nobody of that process lives when the next one looks.
      return new Promise<number>(() => undefined);
    },
  });
  void step(first.ws);
  await running;
}

/** A machine on which something happens just before the answer to the n-th question for life. */
function asked(machine: Machine, n: number, before: () => void): Machine {
  let questions = 0;
  return {
    ...machine,
    judge: (ref) => {
      questions += 1;
      if (questions === n) before();
      return ref.pid === 4242 ? 'alive' : machine.judge(ref);
    },
  };
}

describe('while the states are listed', () => {
  it('takes a task that is moved on meanwhile for one task, not for two', async () => {
    world = makeWorld();
    world.write(`active_tasks/questions/${ID}/contract.md`, CONTRACT);
    const at = (state: string): string => join(world.root, 'active_tasks', state);
    const disk: Disk = {
      ...realDisk,
      list: (folder) => {
        const listed = realDisk.list(folder);
        if (folder === at('questions')) fs.renameSync(join(folder, ID), join(at('review'), ID));
        return listed;
      },
    };
    const { ws } = world.process({ disk });
    const { events } = await step(ws, { dry_run: true });
    expect(events.map(({ event }) => event)).toEqual(['waits']);
    expect(events[0]).toMatchObject({ task: ID, state: 'review' });
  });
});

it.each([
  ['dependency', `depends_on: [${OTHER}]`, ''],
  ['child', '', `parent: ${ID}`],
])(
  'a %s that moves back is waited for, though it is in none of the lists',
  async (_, its, other) => {
    world = makeWorld();
    const withKey = (key: string): string => CONTRACT.replace('v: 1', `v: 1\n${key}`);
    world.write(`active_tasks/review/${OTHER}/contract.md`, withKey(other));
    world.write(`active_tasks/ready/${ID}/contract.md`, withKey(its));
    const at = (state: string): string => join(world.root, 'active_tasks', state);
    const disk: Disk = {
      ...realDisk,
      list: (folder) => {
        const listed = realDisk.list(folder);
        if (folder === at('ready') && fs.existsSync(join(at('review'), OTHER)))
          fs.renameSync(join(at('review'), OTHER), join(folder, OTHER));
        return listed;
      },
    };
    const { ws } = world.process({ disk });
    const { events } = await step(ws, { dry_run: true });
    expect(events).toEqual([expect.objectContaining({ event: 'waits', task: ID, on: 'task' })]);
  },
);

describe('between the move and the look back', () => {
  it('leaves a task to the rival who claimed it where it had just been moved', async () => {
    makeReady();
    const ready = join(world.root, 'active_tasks/ready', ID);
    const disk: Disk = {
      ...realDisk,
      rename: (from, to) => {
        realDisk.rename(from, to);
        if (to !== ready) return;
        const owner = fs.readFileSync(join(ready, 'attempts/0001/owner.md'), 'utf8');
        const rival = owner.replace(/^attempt: 1$/m, 'attempt: 2').replace(/^base: 0$/m, 'base: 1');
        fs.mkdirSync(join(ready, 'attempts/0002'));
        fs.writeFileSync(join(ready, 'attempts/0002/owner.md'), rival);
      },
    };
    const { ws } = world.process({ disk, script: () => 1 });
    const { events } = await step(ws);
    expect(fs.existsSync(ready)).toBe(true);
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'moved',
        from: 'in_progress',
        to: 'ready',
        trigger: 'failed',
      }),
    );
  });

  it('goes back where a rival had fenced the attempt just before', async () => {
    makeReady();
    const ready = join(world.root, 'active_tasks/ready', ID);
    const disk: Disk = {
      ...realDisk,
      rename: (from, to) => {
        realDisk.rename(from, to);
        if (to !== ready) return;
        const owner = fs.readFileSync(join(ready, 'attempts/0001/owner.md'), 'utf8');
        fs.renameSync(join(ready, 'attempts/0001'), join(ready, 'attempts/0001.lost'));
        fs.mkdirSync(join(ready, 'attempts/0002'));
        fs.writeFileSync(
          join(ready, 'attempts/0002/owner.md'),
          owner.replace(/^attempt: 1$/m, 'attempt: 2'),
        );
      },
    };
    const { ws } = world.process({ disk, script: () => 1 });
    await step(ws);
    expect(fs.existsSync(join(world.root, HOME))).toBe(true);
  });
});

describe('between the look and the claim', () => {
  it('adopts an agent that ended after its attempt had been read', async () => {
    await runnerDied();
    const desk = join(world.root, 'active_tasks', '.desk', `${ID}.0001`);
    const { ws, room, machine } = world.process({});
    const looking = asked(machine, 2, () => {
      fs.writeFileSync(join(desk, 'result.md'), RESULT);
      fs.writeFileSync(join(desk, 'exit.md'), EXIT);
    });
    await step({ ...ws, machine: looking });
    expect(room.opened).toEqual([]);
    const outcome = join(world.root, 'active_tasks/done', ID, 'attempts/0002/outcome.md');
    expect(fs.readFileSync(outcome, 'utf8')).toContain('adopted: 1');
  });

  it('leaves an agent alone that its runner started after the attempt had been read', async () => {
    await runnerDied();
    const record = join(world.root, HOME, 'attempts/0001/agent.md');
    const kept = fs.readFileSync(record, 'utf8').replace(/^pid: .*$/m, 'pid: 4242');
    fs.renameSync(record, join(world.root, 'agent.md'));
    const { ws, room, machine } = world.process({});
    const looking = asked(machine, 1, () => fs.writeFileSync(record, kept));
    await step({ ...ws, machine: looking });
    expect(room.opened).toEqual([]);
    expect(fs.readdirSync(join(world.root, HOME, 'attempts'))).toEqual(['0001']);
  });
});
