/** Plans as the ledger shows them: at work, ended, or not at all. Tasks are made by hand. */
import { mkdirSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { epicsOfPlans } from '../../src/plans/engine/records/epics.ts';
import { faultyDisk, unsyncedDisk } from '../support/faulty-disk.ts';
import { makeWorld, type World } from '../support/world.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import * as ids from './support/plan-ids.ts';

let world: World;
beforeEach(() => void (world = makeWorld()));

const planTaskId = (plan: string, key: string): string => ids.planTaskId(plan, key, sha256);

const ITEMS = `# Launch

- [ ] Page (id: page, executor: @writer)
  - [ ] Draft it (id: draft)
  - [ ] Check it (id: check, executors: @qa @po)
- [ ] Ship it (id: ship)
`;

const plan = (name: string, text: string): void =>
  world.write(`.contracts/plans/${name}/plan.md`, text);
const make = (name: string, key: string, state: string): void => {
  const id = planTaskId(name, key);
  world.write(`active_tasks/${state}/${id}/contract.md`, `---\nv: 1\nplan: ${name}\n---\n\n# T\n`);
};
const all = (ws = world.process({}).ws) => {
  const parts = epicsOfPlans(ws);
  return {
    epics: parts.flatMap(({ epics = [] }) => epics),
    archived: parts.flatMap(({ archived = [] }) => archived),
  };
};

test('a plan with a task is an epic: its tasks by item, each with agent and state', () => {
  plan('launch', ITEMS);
  expect(all()).toEqual({ epics: [], archived: [] });
  make('launch', 'draft', 'done');
  make('launch', 'check', 'in_progress');
  const disk = faultyDisk(-1, undefined, unsyncedDisk);
  expect(all(world.process({ disk }).ws)).toEqual({
    epics: [
      {
        id: 'launch',
        title: 'Launch',
        tasks: [
          { id: planTaskId('launch', 'page'), title: 'Page', agent: 'writer', state: 'unknown' },
          { id: planTaskId('launch', 'draft'), title: 'Draft it', agent: 'writer', state: 'done' },
          {
            id: planTaskId('launch', 'check'),
            title: 'Check it',
            agent: 'qa',
            state: 'in_progress',
          },
          {
            id: planTaskId('launch', 'check+@po'),
            title: 'Check it',
            agent: 'po',
            state: 'unknown',
          },
          { id: planTaskId('launch', 'ship'), title: 'Ship it', agent: '', state: 'unknown' },
        ],
      },
    ],
    archived: [],
  });
  const opened = disk.trace.filter(({ operation }) => operation !== 'stat');
  expect(opened.filter(({ path }) => path.includes('/done'))).toEqual([]);
});

test('without waves its day is that of the last attempt of its tasks, in the archive too', () => {
  plan('launch', ITEMS.replaceAll('[ ]', '[x]'));
  make('launch', 'draft', 'done');
  expect(all().archived).toMatchObject([{ id: 'launch', date: '' }]);
  const ended = (key: string, at: string): void =>
    world.write(
      `active_tasks/done/${planTaskId('launch', key)}/attempts/0001/outcome.md`,
      `---\nv: 1\nattempt: 1\nkind: review\noutcome: approved\nreason: so\nat: "${at}"\n---\n`,
    );
  ended('draft', '2026-06-02T09:00:00Z');
  make('launch', 'ship', 'done');
  ended('ship', '2026-05-01T09:00:00Z');
  expect(all().archived).toMatchObject([{ id: 'launch', date: '2026-06-02' }]);
  const id = planTaskId('launch', 'draft');
  mkdirSync(join(world.root, '.contracts/archive'), { recursive: true });
  renameSync(join(world.root, 'active_tasks/done', id), join(world.root, '.contracts/archive', id));
  expect(all().archived).toMatchObject([{ id: 'launch', date: '2026-06-02' }]);
});

test('a plan whose boxes are all closed is archived, with the day of its last wave', () => {
  const closed = ITEMS.replaceAll('[ ]', '[x]');
  plan('all', closed);
  world.write('.contracts/plans/all/runs/wave-1.md', '# Wave 1\n\n- Ended: 2026-03-01T10:00:00Z\n');
  world.write('.contracts/plans/all/runs/wave-2.md', '# Wave 2\n\n- Ended: 2026-04-02T10:00:00Z\n');
  world.write('.contracts/plans/all/runs/x-1.md', '# Stopped: x\n\n- At: 2026-05-02T10:00:00Z\n');
  plan('some', closed.replace('[x] Ship', '[-] Ship'));
  const at = new Date('2026-02-03T04:05:06Z');
  utimesSync(join(world.root, '.contracts/plans/some/plan.md'), at, at);
  plan('broken', '# No boxes\n');
  make('all', 'draft', 'done');
  expect(all()).toEqual({
    epics: [],
    archived: [
      { id: 'all', title: 'Launch', outcome: 'done', date: '2026-04-02' },
      { id: 'some', title: 'Launch', outcome: '3 of 4 done', date: '' },
    ],
  });
  // What ended is not needed for it.
  mkdirSync(join(world.root, 'away'));
  renameSync(join(world.root, 'active_tasks/done'), join(world.root, 'away/done'));
  expect(all().archived).toHaveLength(2);
});
