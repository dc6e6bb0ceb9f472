/**
 * An id that is in done or aborted as well is asked for by name: for every live task of a small
 * tree; in one of many hundred only for who acts, so that drafts there cost no look more.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { KEPT_TASKS_MIN } from '../../src/engine/cache/row-cache.ts';
import { listTasks } from '../../src/engine/queries/list.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.agent();
});

function contract(state: string, id: string): void {
  const text = `---\ntitle: ${id}\n---\n\n## Success Criteria\n\n- [ ] it is there\n`;
  world.write(`active_tasks/${state}/${id}/contract.md`, text);
}

/** What list said of these tasks, and which names in done and aborted it asked for. */
function list(): { said: ReadonlyMap<string, string>; problems: string[]; asked: string[] } {
  const asked: string[] = [];
  const stat: typeof realDisk.stat = (path) => {
    if (/\/(done|aborted)\/./.test(path)) asked.push(path.replace(/^.*active_tasks\//, ''));
    return realDisk.stat(path);
  };
  const { ws } = world.process({ disk: { ...realDisk, stat } });
  const { tasks, problems } = listTasks(ws);
  const said = new Map(tasks.map(({ id, reason }) => [id, reason]));
  return { said, problems: problems.map(({ message }) => message), asked };
}

test.each(['done', 'aborted'])('a draft that is in %s too is told in a small tree', (ended) => {
  contract('draft', 'twice');
  contract('draft', 'once');
  contract(ended, 'twice');
  const { said, problems } = list();
  expect(said.get('twice')).toBe(`is in draft and in ${ended}; neither folder is changed`);
  expect(said.get('once')).toBe('not confirmed yet');
  expect(problems).toEqual([`task twice is in draft and in ${ended}; neither folder is changed`]);
});

test('among many only who acts is asked about', () => {
  for (let n = 0; n < KEPT_TASKS_MIN; n++) contract('draft', `t-${n}`);
  contract('done', 't-1');
  contract('ready', 'acts');
  contract('done', 'acts');
  const { said, asked } = list();
  expect(asked).toEqual(['done/acts', 'aborted/acts']);
  expect(said.get('acts')).toBe('is in ready and in done; neither folder is changed');
  expect(said.get('t-1')).toBe('not confirmed yet');
});

test('one that is moved to done between two looks is in one place', () => {
  contract('draft', 'moves');
  const from = join(world.root, 'active_tasks/draft/moves');
  const to = join(world.root, 'active_tasks/done/moves');
  let moved = false;
  const stat: typeof realDisk.stat = (path) => {
    if (path === to && !moved) {
      fs.renameSync(from, to);
      moved = true;
    }
    return realDisk.stat(path);
  };
  const { ws } = world.process({ disk: { ...realDisk, stat } });
  expect(listTasks(ws).problems).toEqual([]);
  expect(moved).toBe(true);
});
