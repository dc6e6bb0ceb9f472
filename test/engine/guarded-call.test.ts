/**
 * The guarded call fails closed: no agent without a record of what was there before, and nothing that an
 * agent handed in counts before it was compared. Processes and agents are a MOCK; disk and protocol are real.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import type { Script } from '../support/scripted-room.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { makeWorld, type World } from '../support/world.ts';

const HEAD = 'v: 1\ntitle: one\nwrite: ["here.txt"]\nverify: ["file_exists: here.txt"]';
const ATTEMPT = 'active_tasks/in_progress/one/attempts/0001';
const RESULT = '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there: yes\n';

let world: World;
let called: string[];
beforeEach(() => {
  world = makeWorld();
  called = [];
  world.agent();
  const body = '# one\n\n## Objective\n\nOne.\n\n## Success Criteria\n\n- [ ] it is there\n';
  world.write('active_tasks/ready/one/contract.md', `---\n${HEAD}\n---\n\n${body}`);
});

const agent: Script = ({ task, kind, desk }) => {
  called.push(`${task} ${kind}`);
  world.write('here.txt', 'here');
  world.write('other.txt', 'beyond its permissions');
  writeFileSync(join(desk, 'result.md'), RESULT);
  return 0;
};

/** Fails, or does something, in one operation. */
const diskWith = <O extends 'create' | 'list'>(operation: O, before: (path: string) => void) => {
  const real = realDisk[operation] as (path: string, ...more: unknown[]) => unknown;
  const disk = (path: string, ...more: unknown[]): unknown => {
    before(path);
    return real(path, ...more);
  };
  return { ...realDisk, [operation]: disk } as Disk;
};

const broken = (code: string): Error => Object.assign(new Error(`${code}: broken`), { code });

test('MOCK agent: what was there before cannot be recorded, so it is not called', async () => {
  const disk = diskWith('create', (path) => {
    if (path.endsWith('/before.json')) throw broken('ENOSPC');
  });
  await step(world.process({ script: agent, disk }).ws);
  expect(called).toEqual([]);
  await step(world.process({ script: agent }).ws);
  expect(called).toEqual(['one work']);
});

test('MOCK agent: its task is removed while that is recorded, so it is not called', async () => {
  const disk = diskWith('list', (path) => {
    const isBegun = existsSync(join(world.root, ATTEMPT));
    if (path === world.root && isBegun)
      rmSync(join(world.root, ATTEMPT, '..', '..'), { recursive: true });
  });
  const { events } = await step(world.process({ script: agent, disk }).ws);
  expect(called).toEqual([]);
  expect(events.map(({ event }) => event)).toContain('lost_race');
});

test('MOCK agent: its attempt is taken over while that is recorded, so no fault is met', async () => {
  const disk = diskWith('create', (path) => {
    if (!path.endsWith('/before.json')) return;
    const attempts = join(world.root, ATTEMPT, '..');
    cpSync(join(attempts, '0001'), join(attempts, '0002'), { recursive: true });
    mkdirSync(join(world.root, 'active_tasks/.desk/one.0001'), { recursive: true });
  });
  const { events } = await step(world.process({ script: agent, disk }).ws);
  expect(called).toEqual([]);
  expect(events.map(({ event }) => event)).not.toContain('fault');
});

test('MOCK agent: what it did cannot be looked at, so the next step compares it', async () => {
  const disk = diskWith('list', (path) => {
    if (path === world.root && called.length > 0) throw broken('EIO');
  });
  await step(world.process({ script: agent, disk }).ws);
  expect(called).toEqual(['one work']);
  expect(existsSync(join(world.root, ATTEMPT, 'before.json'))).toBe(true);
  expect(existsSync(join(world.root, ATTEMPT, 'outcome.md'))).toBe(false);
  await step(world.process({ script: agent }).ws);
  const tasks = join(world.root, 'active_tasks/done/one/attempts');
  expect(called).toEqual(['one work']);
  expect(readFileSync(join(tasks, '0002/outcome.md'), 'utf8')).toContain('create other.txt');
});
