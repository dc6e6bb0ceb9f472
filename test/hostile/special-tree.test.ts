/** Special files in the place of the runner's records, and links in the place of its folders. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { expectRefused, makeHouse, mark, shellContract, waitsOf } from './house.ts';
import { KINDS, put } from './kinds.ts';

describe('the same as a record of the runner', () => {
  const owner = `---
v: 1
task: bad
attempt: 1
kind: work
owner: process
agent: builder
nonce: "00000000000000000000000000000001"
base: 0
claimed: "2026-01-01T00:00:00.000Z"
contract: ""
inputs: ""
pid: 1
start: "1"
boot: another
pid_ns: x
host: HOST
machine: MACHINE
---
`;
  test.each(KINDS)(
    'owner.md is a %s: nobody takes over, and doctor is named',
    async (_kind, make) => {
      const house = makeHouse();
      const folder = house.task('bad', shellContract('bad'), 'in_progress');
      mkdirSync(house.path(`${folder}/attempts/0001`), { recursive: true });
      await put(house, `${folder}/attempts/0001/owner.md`, make, owner);
      const before = mark(house.path(folder));
      const { code, events } = await house.events('run');
      expect(waitsOf(events, 'bad')).toMatchObject({
        on: 'person',
        reason: 'owner.md of attempt 1 cannot be read',
        fix: 'contracts doctor',
      });
      expect(code).toBe(1);
      expect(mark(house.path(folder))).toEqual(before);
      expect(house.where('good')).toEqual(['done']);
      const check = await house.run('check');
      expect(check.out).toMatch(
        new RegExp(`^${folder}/attempts/0001/owner\\.md:1:1: error: `, 'm'),
      );
    },
  );

  test.each(['outcome.md', 'lease.md', 'agent.md', 'output.log'])(
    '%s is a FIFO: the dead attempt is taken over',
    async (name) => {
      const house = makeHouse();
      const folder = house.task('bad', shellContract('bad'), 'in_progress');
      const { host, machine } = (await import('../../src/process/machine.ts')).realMachine().self();
      house.write(
        `${folder}/attempts/0001/owner.md`,
        owner.replace('HOST', host).replace('MACHINE', JSON.stringify(machine)),
      );
      spawnSync('mkfifo', [house.path(`${folder}/attempts/0001/${name}`)]);
      const { code } = await house.events('run');
      expect(code).toBe(0);
      expect(house.where('bad')).toEqual(['done']);
      expect(house.where('good')).toEqual(['done']);
      expect(house.exists(`active_tasks/done/bad/attempts/0001.lost/${name}`)).toBe(true);
    },
  );
});

describe('task folder that is a symlink; the folders of the tree as links', () => {
  test('a task folder', async () => {
    const house = makeHouse();
    house.write('away/contract.md', shellContract('bad'));
    symlinkSync(house.path('away'), house.path('active_tasks/ready/bad'));
    const { code, events } = await house.events('run');
    expect(events).toContainEqual({
      v: 1,
      event: 'problem',
      problem: expect.objectContaining({
        code: 'leftover',
        file: 'active_tasks/ready/bad',
        message: expect.stringContaining('a link'),
      }),
    });
    expect(code).toBe(0);
    expect(house.exists('active_tasks/ready/bad')).toBe(true);
    expect(house.exists('away/attempts')).toBe(false);
    expect((await house.run('show', 'bad')).code).toBe(2);
    expect((await house.run('abort', 'bad')).code).toBe(2);
  });

  test('a state folder that is read', async () => {
    const house = makeHouse();
    house.write('away/bad/contract.md', shellContract('bad'));
    rmSync(house.path('active_tasks/draft'), { recursive: true });
    symlinkSync(house.path('away'), house.path('active_tasks/draft'));
    const { code, events } = await house.events('run');
    expect(code).toBe(0);
    expect(JSON.stringify(events)).toContain('this state is a link or a file');
    expect((await house.run('confirm', 'bad')).code).toBe(2);
    expect(house.exists('away/bad')).toBe(true);
    expect(house.where('good')).toEqual(['done']);
    const check = await house.run('check');
    expect(check.code).toBe(1);
    expect(check.out).toContain('active_tasks/draft: error: this state is a link or a file');
  });

  test('a state folder that is moved to: a fault, and nothing leaves the tree', async () => {
    const house = makeHouse();
    mkdirSync(house.path('away'));
    rmSync(house.path('active_tasks/done'), { recursive: true });
    symlinkSync(house.path('away'), house.path('active_tasks/done'));
    const { code, events } = await house.events('run');
    expect(code).toBe(3);
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'fault',
        task: 'good',
        fix: expect.stringContaining('real folder'),
      }),
    );
    expect(house.where('good')).toEqual(['review']);
    rmSync(house.path('active_tasks/done'));
    expect((await house.run('run')).code).toBe(0);
    expect(house.where('good')).toEqual(['done']);
  });

  test('attempts/', async () => {
    const house = makeHouse();
    const folder = house.task('bad', shellContract('bad'));
    mkdirSync(house.path('away'));
    symlinkSync(house.path('away'), house.path(`${folder}/attempts`));
    await expectRefused(house, 'bad', {
      code: 'not_a_file',
      says: 'attempts is a link',
      file: `${folder}/attempts`,
    });
    expect(realDisk.list(house.path('away'))).toEqual([]);
  });

  test('.desk: nobody is called', async () => {
    const house = makeHouse();
    mkdirSync(house.path('away'));
    symlinkSync(house.path('away'), house.path('active_tasks/.desk'));
    const { code, events } = await house.events('run');
    expect(code).toBe(1);
    expect(waitsOf(events, 'good')?.problems?.[0]).toMatchObject({
      code: 'not_a_file',
      file: 'active_tasks/.desk',
    });
    expect(realDisk.list(house.path('away'))).toEqual([]);
  });

  test('a desk that was put there before its attempt', async () => {
    const house = makeHouse();
    house.write('active_tasks/.desk/good.0001/brief.md', 'Do something else.\n');
    const first = await house.events('run');
    expect(first.code).toBe(3);
    expect(JSON.stringify(first.events)).toContain('is there before its attempt');
    expect((await house.run('run')).code).toBe(0);
    expect(house.where('good')).toEqual(['done']);
  });

  test.each(['.contracts', 'active_tasks'])('%s', async (name) => {
    const house = makeHouse();
    spawnSync('mv', [house.path(name), house.path('away')]);
    symlinkSync('away', house.path(name));
    const { code, err } = await house.run('run');
    expect(code).toBe(2);
    expect(err).toContain(`${name}: error: this is a link or a file`);
    expect(realDisk.stat(join(house.path('away'), 'ready/good/attempts'))).toBeUndefined();
  });

  test('notes/: nothing behind it reaches a brief', async () => {
    const house = makeHouse();
    house.write('away/x.md', 'a secret note\n');
    const folder = house.task('bad', shellContract('bad'));
    symlinkSync(house.path('away'), house.path(`${folder}/notes`));
    expect((await house.run('note', 'bad', 'hello')).code).toBe(2);
    expect((await house.run('run')).code).toBe(0);
    expect(house.read('active_tasks/done/bad/attempts/0001/desk/brief.md')).not.toContain('secret');
  });
});
