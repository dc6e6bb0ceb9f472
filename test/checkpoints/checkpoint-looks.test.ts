/**
 * A person changes the boxes of a checkpoint between the look and the move that follows from it: what
 * stands there now is what counts. Processes are a MOCK; disk and protocol are real.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { makeWorld, type World } from '../support/world.ts';

const CHECKPOINT = 'launch_checkpoint-wave-1_aaaa';

const contract = (title: string, head: string): string =>
  `---\nv: 1\ntitle: ${title}\nplan: launch\nadapter: human\n${head}---\n\n# ${title}\n\n## Objective\n\n${title}\n`;
const form = (ticked: string): string =>
  `# Decision\n\n## Decision\n\n${['GO', 'PAUSE', 'REVIEW', 'ABORT']
    .map((one) => `- [${one === ticked ? 'x' : ' '}] ${one}`)
    .join('\n')}\n\n## Notes\n`;

let world: World;

/** Ticks another box just before the n-th reading of them, which must come. */
let reads = 0;
function ticks(box: string, n: number): Disk {
  reads = 0;
  return {
    ...realDisk,
    read: (path, ...rest) => {
      const isForm = path.endsWith(`/${CHECKPOINT}/questions.md`);
      if (isForm && ++reads === n) writeFileSync(path, form(box));
      return realDisk.read(path, ...rest);
    },
  };
}

/** The last of them comes right before the first of the wave, or of those that wait, is moved. */
const READINGS = [1, 2];

it.each(
  READINGS.flatMap((n) => [
    [n, 'ABORT', 'PAUSE'] as const,
    [n, 'ABORT', ''] as const,
    [n, 'REVIEW', 'GO'] as const,
  ]),
)('before reading %i: %s that has become "%s" is nothing that counts', async (n, was, now) => {
  world = makeWorld();
  const tasks = join(world.root, 'active_tasks');
  world.write('active_tasks/done/first/contract.md', contract('First', ''));
  world.write('active_tasks/done/first/result.md', '---\nstatus: COMPLETE\n---\n');
  world.write(
    'active_tasks/ready/second/contract.md',
    contract('Second', `depends_on: [${CHECKPOINT}]\n`),
  );
  world.write(
    `active_tasks/questions/${CHECKPOINT}/contract.md`,
    contract('Checkpoint', 'type: checkpoint\nwave: 1\ndepends_on: [first]\n'),
  );
  world.write(`active_tasks/questions/${CHECKPOINT}/questions.md`, form(was));
  await step(world.process({ disk: ticks(now, n) }).ws);
  const said = ['questions', 'done']
    .map((state) => `${tasks}/${state}/${CHECKPOINT}/questions.md`)
    .flatMap((path) => (existsSync(path) ? readFileSync(path, 'utf8') : []));
  expect(reads).toBeGreaterThanOrEqual(n);
  expect(said).toEqual([form(now)]);
  expect(existsSync(`${tasks}/aborted/second`)).toBe(false);
  expect(existsSync(`${tasks}/done/first`)).toBe(true);
});
