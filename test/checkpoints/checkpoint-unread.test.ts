/**
 * A task that depends on a checkpoint cannot be read when the checkpoint acts: nobody is left behind by
 * an ABORT, and the form still names it, or asks without it. Disk and protocol are real.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { contract } from '../support/crash-words.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;

const stands = (path: string): boolean => existsSync(join(world.root, 'active_tasks', path));

function aWave(cp: string): void {
  world = makeWorld();
  world.write('active_tasks/done/one/contract.md', contract('one'));
  world.write(
    `active_tasks/${cp}/cp/contract.md`,
    contract('cp', ['type: checkpoint', 'depends_on: [one]']),
  );
  for (const id of ['three', 'two']) {
    world.write(`active_tasks/ready/${id}/contract.md`, contract(id, ['depends_on: [cp]']));
  }
}

/** The contract of `two` gives EIO at these readings, counted from 1. */
function unread(is: (nth: number) => boolean): Disk {
  let nth = 0;
  return {
    ...realDisk,
    read: (path, ...rest) => {
      if (path.endsWith('/two/contract.md') && is(++nth)) {
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      }
      return realDisk.read(path, ...rest);
    },
  };
}

test('ABORT waits until all that may depend on it can be read', async () => {
  aWave('questions');
  const form = '# cp\n\n## Decision\n\n- [ ] GO\n- [x] ABORT\n';
  world.write('active_tasks/questions/cp/questions.md', form);
  const { faulted } = await step(world.process({ disk: unread(() => true) }).ws);
  expect([...faulted].sort()).toEqual(['cp', 'two']);
  expect(stands('questions/cp') && stands('ready/two') && stands('ready/three')).toBe(true);
  await step(world.process({}).ws);
  expect(stands('aborted/cp') && stands('aborted/two') && stands('aborted/three')).toBe(true);
});

test('ABORT goes through what is done: that stays, and who waits for more than it is given up', async () => {
  aWave('questions');
  const cp2 = contract('cp2', ['type: checkpoint', 'depends_on: [over]']);
  world.write('active_tasks/done/over/contract.md', contract('over', ['depends_on: [cp]']));
  world.write('active_tasks/ready/cp2/contract.md', cp2);
  world.write('active_tasks/ready/four/contract.md', contract('four', ['depends_on: [cp2]']));
  world.write('active_tasks/ready/other/contract.md', contract('other', ['depends_on: [one]']));
  world.write('active_tasks/questions/cp/questions.md', '## Decision\n\n- [x] ABORT\n');
  await step(world.process({}).ws);
  const aborted = ['cp', 'cp2', 'four', 'three', 'two'];
  expect(aborted.filter((id) => !stands(`aborted/${id}`))).toEqual([]);
  expect(stands('done/over') && stands('done/one') && !stands('aborted/other')).toBe(true);
});

test.each([
  ['names all that wait for it, one that could not be read at once too', (n: number) => n === 2],
  ['is put all the same where one can never be read', () => true],
] as const)('the form %s', async (_name, is) => {
  aWave('ready');
  const { faulted } = await step(world.process({ disk: unread(is) }).ws);
  const text = readFileSync(join(world.root, 'active_tasks/questions/cp/questions.md'), 'utf8');
  const named = /## Next\n\n([^]*?)\n\n/.exec(text)?.[1]?.split('\n');
  const all = ['- three (`three`)', '- two (`two`)'];
  expect(named).toEqual(faulted.has('two') ? all.slice(0, 1) : all);
  expect(faulted.has('two')).toBe(is(1));
});
