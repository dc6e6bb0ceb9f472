/**
 * One task seen from itself against the whole board: the same action, the same facts. MOCK: the
 * machine and the processes are those of a test world; the file system is real.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STATES } from '../../src/task/core/model/state.ts';
import { boardAround } from '../../src/engine/board/scoped-board.ts';
import { readBoard } from '../../src/engine/board/board.ts';
import { decided, lookUp } from '../../src/engine/step/facts.ts';
import { readTask } from '../../src/workspace/tasks/read-task.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { makeWorld } from '../support/world.ts';
import * as fc from '../support/property.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const world = makeWorld();

const some = fc.subarray([...IDS, 'gone'], { maxLength: 2 });
const task = fc.record({
  states: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...STATES, 'ready' as const).map((one) => [one]) },
    { weight: 1, arbitrary: fc.subarray([...STATES], { minLength: 2, maxLength: 2 }) },
  ),
  depends_on: some,
  parent: fc.constantFrom(undefined, undefined, ...IDS),
  deliverable: fc.constantFrom('x.txt', 'y.txt'),
});
type Tree = Readonly<Record<string, typeof task extends fc.Arbitrary<infer T> ? T : never>>;

function plant(tree: Tree): void {
  for (const state of STATES) {
    rmSync(join(world.root, 'active_tasks', state), { recursive: true, force: true });
  }
  for (const [id, { states, depends_on, parent, deliverable }] of Object.entries(tree)) {
    const from = parent === undefined ? '' : `parent: ${parent}\n`;
    const head = `title: ${id}\ndepends_on: [${depends_on.join(', ')}]\n${from}deliverables: [${deliverable}]`;
    const text = `---\n${head}\n---\n## Success Criteria\n\n- [ ] it\n`;
    for (const state of states) world.write(`active_tasks/${state}/${id}/contract.md`, text);
  }
}

test('decides as the whole board does, with the same cycle and dependencies', () => {
  const { ws } = world.process({});
  const trees = fc.record(Object.fromEntries(IDS.map((id) => [id, task])));
  fc.assert(
    fc.property(trees, (tree) => {
      plant(tree);
      const board = readBoard(ws);
      for (const [id, read] of board.tasks) {
        const near = boardAround(ws, read);
        expect(decided(ws, near, read), id).toEqual(decided(ws, board, read));
        for (const name of ['dependencies', 'cycle', 'open_children', 'overlap'] as const) {
          expect(lookUp(ws, near, read, name), id).toEqual(lookUp(ws, board, read, name));
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('a task that waits for another reads no third one', () => {
  for (const state of STATES) {
    rmSync(join(world.root, 'active_tasks', state), { recursive: true, force: true });
  }
  const text = (head: string) => `---\ntitle: x\n${head}---\n## Success Criteria\n\n- [ ] it\n`;
  world.write('active_tasks/ready/a/contract.md', text('depends_on: [b]\n'));
  world.write('active_tasks/draft/b/contract.md', text(''));
  world.write('active_tasks/ready/c/contract.md', text(''));
  const touched: string[] = [];
  const disk = {
    ...realDisk,
    list: (folder: string) => (touched.push(folder), realDisk.list(folder)),
    read: (...args: Parameters<typeof realDisk.read>) => (
      touched.push(args[0]),
      realDisk.read(...args)
    ),
  };
  const { ws } = world.process({ disk });
  const read = readTask(ws, 'ready', 'a');
  if (read === undefined) throw new Error('it is there');
  touched.length = 0;
  const { action } = decided(ws, boardAround(ws, read), read);
  expect(action).toMatchObject({ kind: 'wait', on: 'task', reason: 'waits for b (draft)' });
  expect(touched).toEqual([join(world.root, 'active_tasks/draft/b/contract.md')]);
});
