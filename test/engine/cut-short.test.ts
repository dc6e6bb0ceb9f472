/**
 * What a process leaves that ends between two operations, where people go on by hand: their moves
 * stand, their files stay, and they find what they need. Processes, disk faults and agents are a
 * MOCK; the files and the protocol are real.
 */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/task/core/lines/event.ts';
import { step } from '../../src/engine/step/step.ts';
import { delegate } from '../../src/engine/commands/delegate.ts';
import { listTasks } from '../../src/engine/queries/list.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { faultyDisk, unsyncedDisk, type FaultyDisk } from '../support/faulty-disk.ts';
import type { Script } from '../support/scripted-room.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.agent('retries_max: 0\n');
});

function makeTask(state: string, adapter: string): void {
  world.write(
    `active_tasks/${state}/one/contract.md`,
    `---\nv: 1\ntitle: one\nadapter: ${adapter}\nverify: ["file_exists: here.txt"]\n---\n\n# one\n\n## Objective\n\nOne.\n\n## Success Criteria\n\n- [ ] it is there\n`,
  );
}

const path = (name: string): string => join(world.root, 'active_tasks', name);
const text = (name: string): string => readFileSync(path(name), 'utf8');
const result = (words: string): string =>
  `- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n\n## Notes\n\n${words}\n`;

/** A process that is gone right after the rename that `after` describes. */
async function diesAfter(after: RegExp, script: Script = () => 0): Promise<void> {
  const disk: FaultyDisk = faultyDisk(-1, undefined, {
    ...unsyncedDisk,
    rename: (from, to) => {
      unsyncedDisk.rename(from, to);
      if (after.test(`${from} -> ${to}`)) disk.kill();
    },
  });
  const { ws } = world.process({ disk, script });
  await Promise.race([step(ws).catch(() => undefined), disk.died]);
  expect(disk.dead, `there was no ${String(after)}`).toBe(true);
}

async function steps(script: Script = () => 0): Promise<readonly Event[]> {
  const { ws } = world.process({ disk: unsyncedDisk, script });
  const { events } = await step(ws);
  expect(events.filter(({ event }) => event === 'fault')).toEqual([]);
  return events;
}

describe('ended after the move of an outcome, its lease still there', () => {
  const ASKS: Script = (call) => {
    world.write(`active_tasks/.desk/one.000${call.attempt}/questions.md`, '1. Which colour?\n');
    return 0;
  };
  const LEASE = 'one/attempts/0001/lease.md';

  test('a step that looks gives the lease back, and what a person moves then stays', async () => {
    makeTask('ready', 'mine');
    await diesAfter(/in_progress\/one -> .*questions\/one$/, ASKS);
    expect(existsSync(path(`questions/${LEASE}`))).toBe(true);
    const looked = await steps();
    expect(looked.map(({ event }) => event)).toContain('recovered');
    expect(existsSync(path(`questions/${LEASE}`))).toBe(false);
    renameSync(path('questions/one'), path('in_progress/one'));
    const events = await steps();
    expect(events.some(({ event }) => event === 'moved' || event === 'recovered')).toBe(false);
    expect(existsSync(path('in_progress/one'))).toBe(true);
  });

  test('a folder that a person moved before the outcome was published keeps it', async () => {
    makeTask('ready', 'mine');
    await diesAfter(/tmp.* -> .*outcome\.md$/, ASKS);
    renameSync(path('in_progress/one'), path('review/one'));
    await steps();
    expect(existsSync(path(`review/${LEASE}`))).toBe(true);
    renameSync(path('review/one'), path('in_progress/one'));
    await steps();
    expect(text('questions/one/questions.md')).toContain('Which colour?');
  });
});

describe('moved to blocked by hand after its runner had died', () => {
  test.each([
    ['at its claim', 'ready', /\.new-\w+ -> .*attempts\/0001$/, 'before it started'],
    ['at its start', 'in_progress', /tmp.* -> .*agent\.md$/, 'after attempt 1 was cut short'],
    [
      'at its end',
      'in_progress',
      /\.desk\/one\.0001 -> .*attempts\/0001\/desk$/,
      'after attempt 1 was cut short',
    ],
  ])('%s: the outcome says when', async (_when, state, after, words) => {
    makeTask('ready', 'mine');
    await diesAfter(after);
    renameSync(path(`${state}/one`), path('blocked/one'));
    const ended = (await steps()).filter(({ event }) => event === 'ended');
    expect(ended).toEqual([
      expect.objectContaining({
        outcome: 'interrupted',
        reason: `moved to blocked ${words}`,
      }),
    ]);
  });
});

describe('the form of a human task', () => {
  test('is offered by the next step where the move was the last that happened', async () => {
    makeTask('ready', 'human');
    await diesAfter(/ready\/one -> .*in_progress\/one$/);
    expect(existsSync(path('in_progress/one/result.md'))).toBe(false);
    await steps();
    expect(text('in_progress/one/result.md')).toContain('- [ ] it is there');
    const { ws } = world.process({});
    expect(listTasks(ws).tasks[0]?.fix).toMatch(/^fill in /);
    expect(await steps()).toEqual([expect.objectContaining({ event: 'waits' })]);
  });

  test.each(['result.md', 'questions.md'])('is not put where a %s is begun', async (name) => {
    makeTask('ready', 'human');
    await diesAfter(/ready\/one -> .*in_progress\/one$/);
    world.write(`active_tasks/in_progress/one/${name}`, '# Half a');
    await steps();
    expect(text(`in_progress/one/${name}`)).toBe('# Half a');
    expect(existsSync(path('in_progress/one/result.md'))).toBe(name === 'result.md');
  });
});

describe('a human task that was put into in_progress, or came there, with a result.md', () => {
  const CLAIM = /\.new-\w+ -> .*attempts\/0001$/;

  test.each(['in_progress', 'ready'])(
    'ended at the claim in %s: it is of before',
    async (state) => {
      makeTask(state, 'human');
      world.write(`active_tasks/${state}/one/result.md`, result('of long ago'));
      await diesAfter(CLAIM);
      if (state === 'ready') renameSync(path('ready/one'), path('in_progress/one'));
      const events = await steps();
      expect(events.filter(({ event }) => event === 'ended')).toEqual([]);
      expect(text('in_progress/one/attempts/0001/result.md')).toContain('of long ago');
      expect(text('in_progress/one/result.md')).toContain('- Status: \n');
      // And the very same words count when they are handed in.
      world.write('here.txt', 'here');
      world.write('active_tasks/in_progress/one/result.md', result('of long ago'));
      await steps();
      expect(existsSync(path('done/one'))).toBe(true);
    },
  );

  test('ended at the claim, and handed in before the next step: that counts', async () => {
    makeTask('in_progress', 'human');
    world.write('active_tasks/in_progress/one/result.md', result('of long ago'));
    await diesAfter(CLAIM);
    world.write('here.txt', 'here');
    world.write('active_tasks/in_progress/one/result.md', result('of today'));
    await steps();
    expect(text('done/one/result.md')).toContain('of today');
  });
});

describe('delegate, cut short before its move', () => {
  const context = (ws: Workspace) => ({
    ws,
    emit: () => undefined,
    signal: new AbortController().signal,
  });
  const refusing = {
    ...unsyncedDisk,
    rename: (from: string, to: string) => {
      if (from.endsWith('ready/one')) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      unsyncedDisk.rename(from, to);
    },
  };

  test.each(['another process', 'the same process'])('%s delegates it again', async (who) => {
    makeTask('ready', 'host');
    const first = world.process({ disk: refusing }).ws;
    await expect(delegate(context(first), 'one')).rejects.toThrow('EIO');
    const disk = unsyncedDisk;
    const ws =
      who === 'another process'
        ? world.process({ disk }).ws
        : { ...first, disk, putting: { ...first.putting, disk } };
    const again = await delegate(context(ws), 'one');
    expect(again).toMatchObject({ ok: true, value: { attempt: 2 } });
    expect(existsSync(path('.desk/one.0002/brief.md'))).toBe(true);
    expect(text('in_progress/one/attempts/0001/outcome.md')).toContain('interrupted');
  });

  test('of somebody on another host it names the command that settles it', async () => {
    makeTask('ready', 'host');
    const first = world.process({ disk: refusing });
    await expect(delegate(context(first.ws), 'one')).rejects.toThrow('EIO');
    const other = world.process({ disk: unsyncedDisk });
    const machine = { ...other.machine, judge: () => 'elsewhere' as const };
    const again = await delegate(context({ ...other.ws, machine }), 'one');
    expect(again).toMatchObject({
      ok: false,
      problems: [{ fix: 'Settle it first: contracts step --only one' }],
    });
  });
});
