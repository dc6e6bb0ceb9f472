/**
 * A run goes on beside a slow agent: what others of its tasks need next is not kept until that agent
 * ends; its report is that of a look at the whole tree after all. The process room is a MOCK.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Event } from '../../src/task/core/lines/event.ts';
import { ownerRecord } from '../../src/engine/attempt/claim.ts';
import { run } from '../../src/engine/step/run.ts';
import { renderRecord } from '../../src/task/text/documents/record.ts';
import { readTask, wholeTask } from '../../src/workspace/tasks/read-task.ts';
import type { Script } from '../support/scripted-room.ts';
import { until } from '../support/until.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.agent('retries_max: 0\n');
});

function task(id: string, more = ''): void {
  world.write(
    `active_tasks/ready/${id}/contract.md`,
    `---\ntitle: ${id}\nverify: ["file_exists: made.txt"]\n${more}---\n\n## Success Criteria\n\n- [ ] it is there\n`,
  );
}

const stands = (place: string): boolean => existsSync(join(world.root, 'active_tasks', place));
const made = (state: string): string[] =>
  readdirSync(join(world.root, 'active_tasks', state))
    .filter((name) => !name.startsWith('.'))
    .sort();

function handsIn(desk: string, status = 'COMPLETE'): number {
  const text = `- Status: ${status}\n\n## Success Criteria\n\n- [x] it is there\n`;
  writeFileSync(join(desk, 'result.md'), text);
  return 0;
}

/** The agent of `slow` ends when that is there. */
function slowUntil(place: string): Script {
  return async ({ task: id, desk }) => {
    if (id === 'slow') await until(place, () => stands(place));
    // Turns enough for steps beside it that would find nothing to do.
    const turns = id === 'slow' ? 300 : 0;
    for (let i = 0; i < turns; i++) await new Promise(setImmediate);
    return handsIn(desk, id === 'broken' ? 'FAILED' : 'COMPLETE');
  };
}

test('a chain of tasks is done while the agent of another works (MOCK room)', async () => {
  world.write('made.txt', '');
  task('slow');
  task('a');
  task('b', 'depends_on: a\n');
  task('c', 'depends_on: b\n');
  const told: Event[] = [];
  const { ws, room } = world.process({ script: slowUntil('done/c') });
  const report = await run(ws, { emit: (event) => void told.push(event) });
  expect(made('done')).toEqual(['a', 'b', 'c', 'slow']);
  expect(room.opened.map(({ task: id }) => id).sort()).toEqual(['a', 'b', 'c', 'slow']);
  expect(report).toMatchObject({ waiting: [], interrupted: false, gave_up_on: undefined });
  expect(told.filter(({ event }) => event === 'waits')).toEqual([]);
});

test('what is made after its time is not begun, and what runs ends (MOCK room)', async () => {
  world.write('made.txt', '');
  task('slow');
  const { ws, room } = world.process({ script: slowUntil('ready/late') });
  let now_ms = 0;
  const machine = { ...ws.machine, now: () => new Date(now_ms) };
  const emit = (event: Event): void => {
    if (event.event !== 'called') return;
    now_ms = 8;
    task('late');
  };
  const until_7 = { ms: 7, words: '07:00' };
  const report = await run({ ...ws, machine }, { until: until_7, emit });
  expect(made('done')).toEqual([]);
  expect(made('review')).toEqual(['slow']);
  expect(room.opened.map(({ task: id }) => id)).toEqual(['slow']);
  const waits = report.waiting.map(({ task: id, code }) => `${id} ${code}`);
  expect(waits.sort()).toEqual(['late run_until', 'slow run_until']);
});

test('after its time it does not wait for the agent of another host', async () => {
  task('b');
  task('slow');
  const { ws } = world.process({});
  const read = readTask(ws, 'ready', 'slow');
  const action = { work: 'work', owner: 'process', attempt: 1, recovers: false } as const;
  const owner = ownerRecord(ws, wholeTask(ws, read!), action, 'builder', undefined);
  const record = renderRecord({ ...owner, host: 'elsewhere' }, '');
  world.write('active_tasks/in_progress/slow/attempts/0001/owner.md', record);
  renameSync(
    join(world.root, 'active_tasks/ready/slow/contract.md'),
    join(world.root, 'active_tasks/in_progress/slow/contract.md'),
  );
  rmSync(join(world.root, 'active_tasks/ready/slow'), { recursive: true });
  const report = await run(ws, { until: { ms: 0, words: '07:00' } });
  expect(report.interrupted).toBe(false);
  const waits = report.waiting.map(({ task: id, code }) => `${id} ${code}`);
  expect(waits.sort()).toEqual(['b run_until', 'slow running_elsewhere']);
});

test('what waits for a person is told once, after the slow one too (MOCK room)', async () => {
  world.write('made.txt', '');
  task('slow');
  task('a', 'quality_gate: person\n');
  task('broken');
  const told: Event[] = [];
  const { ws } = world.process({ script: slowUntil('blocked/broken') });
  const report = await run(ws, { parallel: 3, emit: (event) => void told.push(event) });
  // A form is looked at by each step, and no reason for another one.
  expect(report.steps).toBeLessThan(6);
  expect(made('done')).toEqual(['slow']);
  expect(report.waiting.map(({ task: id }) => id).sort()).toEqual(['a', 'broken']);
  expect(told.filter(({ event }) => event === 'waits')).toHaveLength(2);
});

test('one that met a fault is not tried again beside the slow one (MOCK room)', async () => {
  world.write('made.txt', '');
  task('slow');
  task('a');
  task('b', 'depends_on: a\n');
  task('bad');
  world.write('active_tasks/.desk/bad.0001/left.md', '');
  const told: Event[] = [];
  const { ws } = world.process({ script: slowUntil('done/b') });
  const report = await run(ws, { parallel: 3, emit: (event) => void told.push(event) });
  expect(made('done')).toEqual(['a', 'b', 'slow']);
  expect(told.filter(({ event }) => event === 'fault')).toHaveLength(1);
  expect([...report.faulted]).toEqual(['bad']);
});

test('never more agents at once than there are slots (MOCK room)', async () => {
  world.write('made.txt', '');
  task('slow');
  for (const id of ['a', 'b', 'c', 'd', 'e']) task(id);
  task('f', 'depends_on: [a, e]\n');
  let now = 0;
  let most = 0;
  const slow = slowUntil('done/f');
  const { ws } = world.process({
    script: async (call) => {
      most = Math.max(most, ++now);
      const code = await slow(call);
      now -= 1;
      return code;
    },
  });
  await run(ws, { parallel: 2 });
  expect(made('done')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'slow']);
  expect(most).toBe(2);
});

test('a bug in a step beside the slow one stops the slow agent too, and goes up (MOCK room)', async () => {
  world.write('made.txt', '');
  task('slow');
  task('a');
  task('b', 'depends_on: a\n');
  const bug = new TypeError('a bug of ours');
  // The run would never end, if it waited for it.
  const script: Script = ({ task: id, desk }) =>
    id === 'slow' ? new Promise(() => undefined) : handsIn(desk);
  const { ws } = world.process({ script });
  const emit = (event: Event): void => {
    // The step that calls b is not the one that called slow.
    if (event.event === 'claimed' && event.task === 'b') throw bug;
  };
  await expect(run(ws, { emit })).rejects.toBe(bug);
});
