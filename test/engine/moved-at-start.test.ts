/**
 * A person moves a task in the moment in which its agent is started: that is a move by hand, and no fault of the
 * machine. The room is the real one behind a MOCK that moves the folder first.
 */
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { realProcessRoom } from '../../src/process/process-room.ts';
import { realMachine } from '../../src/process/machine.ts';
import { step } from '../../src/engine/step/step.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { isMovedAway, type Running } from '../../src/workspace/tasks/attempt-context.ts';
import { makeWorld } from '../support/world.ts';
import { commandRoom, saidHere } from '../support/command-room.ts';
import { sealedEnv } from '../support/sealed-folder.ts';

test.each([false, true])(
  'the run goes on, and the task stays where the person put it; back again: %s',
  async (back) => {
    const { root, said } = commandRoom();
    for (const id of ['one', 'two']) {
      await said('new', `Do ${id}`, '--id', id, '--deliverable', `${id}.txt`);
      await said('confirm', id);
    }
    const real = realProcessRoom(realMachine());
    const [from, to] = ['in_progress', 'draft'].map((state) =>
      join(root, 'active_tasks', state, 'one'),
    ) as [string, string];
    let isMoved = false;
    const room = {
      start: ((spawn, hooks) => {
        if (!isMoved && existsSync(from)) {
          mkdirSync(dirname(to), { recursive: true });
          renameSync(from, to);
        }
        const started = real.start(spawn, hooks);
        if (back && existsSync(to)) renameSync(to, from);
        isMoved = true;
        return started;
      }) as typeof real.start,
    };
    const env = { ...sealedEnv(), HOME: join(root, 'home'), CONTRACTS_TRUST: '1' };
    const { code, out, err } = await saidHere(['-C', root, 'run', '--parallel', '1'], {
      env,
      room,
    });
    expect(`${out}${err}`).not.toContain('fault');
    expect(code).toBe(back ? 0 : 1);
    expect(existsSync(to)).toBe(!back);
    expect(existsSync(join(root, 'one.txt'))).toBe(back);
    expect(existsSync(join(root, 'two.txt'))).toBe(true);
  },
);

test('a folder that is moved before what was put into it is synced is no fault of the disk (MOCK room)', async () => {
  const world = makeWorld();
  world.agent('retries_max: 0\n');
  world.write(
    'active_tasks/ready/one/contract.md',
    '---\ntitle: one\n---\n\n## Success Criteria\n\n- [ ] it is there\n',
  );
  const at = (state: string): string => join(world.root, 'active_tasks', state, 'one');
  const answers: boolean[] = [];
  const { ws } = world.process({
    script: () => {
      const owner_bytes = readFileSync(join(at('in_progress'), 'attempts/0001/owner.md'));
      const running = { ws, id: 'one', number: 1, kind: 'work', owner_bytes } as unknown as Running;
      renameSync(at('in_progress'), at('ready'));
      for (const path of [at('in_progress'), `${at('in_progress')}x`])
        try {
          realDisk.sync(path);
        } catch (error) {
          answers.push(isMovedAway(running, error));
        }
      return 0;
    },
  });
  await step(ws);
  expect(answers).toEqual([true, false]);
});
