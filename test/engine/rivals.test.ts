/**
 * A rival who claims in the very moment between two operations of ours: who is not the highest does
 * not start an agent, does not move the folder, and takes back a move that was too late. The rival is
 * the store's own claim, put between two disk operations; agents are a MOCK.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import { claim } from '../../src/task/store/tasks/claims.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { makeWorld, type World } from '../support/world.ts';

const CONTRACT = `---
v: 1
title: one
verify: ["run: true"]
---

# one

## Objective

One.

## Success Criteria

- [ ] it is there
`;
const RESULT = '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n';

let world: World;

interface Rival {
  /** Where the task stands when the rival claims, and the number. */
  readonly claims: readonly [state: string, number: number];
  /** The rename (`from -> to`) or look (`stat path`) at which it happens, below active_tasks. */
  readonly at: RegExp;
  readonly when: 'before' | 'after';
}

/** Every rename of the folder of a task, whoever made it. */
const renamed: string[] = [];

function diskWithRival({ claims: [state, number], at, when }: Rival): Disk {
  renamed.length = 0;
  let acted = false;
  const act = (): void => {
    acted = true;
    const folder = join(world.root, 'active_tasks', state, 'one');
    // Of another machine, so that nobody here may judge it dead.
    const owner = `---\nv: 1\ntask: one\nattempt: ${number}\nkind: work\nowner: process\nagent: builder\nnonce: rival\nbase: 0\nclaimed: "2026-11-21T12:00:00Z"\ncontract: ""\ninputs: ""\npid: 7\nstart: "7"\nboot: b\npid_ns: n\nhost: elsewhere\nmachine: m\n---\n`;
    const files = new Map([
      ['owner.md', Buffer.from(owner)],
      ['lease.md', Buffer.from('---\nv: 1\nnonce: rival\nbeat: 0\n---\n')],
    ]);
    const won = claim({ disk: realDisk, unique: () => 'rival' }, folder, number, files);
    if (won !== 'won') throw new Error(`the rival did not win: ${won}`);
  };
  const top = join(world.root, 'active_tasks/');
  return {
    ...realDisk,
    stat: (path) => {
      if (!acted && at.test(`stat ${path.replace(top, '')}`)) act();
      return realDisk.stat(path);
    },
    rename: (from, to) => {
      const names = `${from.replace(top, '')} -> ${to.replace(top, '')}`;
      const now = !acted && at.test(names.replace(/\.(tmp|new)-\w+/g, '.$1'));
      if (now && when === 'before') act();
      realDisk.rename(from, to);
      if (/^\w+\/one -> \w+\/one$/.test(names)) renamed.push(names);
      if (now && when === 'after') act();
    },
  };
}

async function stepWith(
  rival: Rival,
): Promise<{ calls: number; events: string[]; moves: string[] }> {
  let calls = 0;
  const { ws } = world.process({
    disk: diskWithRival(rival),
    script: (call) => {
      if (call.kind !== 'check') calls++;
      if (call.kind === 'work') writeFileSync(join(call.desk, 'result.md'), RESULT);
      return 0;
    },
  });
  const { events } = await step(ws);
  return {
    calls,
    events: events.map((event) => event.event),
    moves: events.flatMap((event) =>
      event.event === 'moved' ? [`${event.from} ${event.to}`] : [],
    ),
  };
}

function makeTask(state = 'ready', text = CONTRACT): void {
  world = makeWorld();
  world.agent();
  world.write(`active_tasks/${state}/one/contract.md`, text);
}

const stands = (): string[] =>
  readdirSync(join(world.root, 'active_tasks')).filter((state) =>
    existsSync(join(world.root, 'active_tasks', state, 'one')),
  );
const attempts = (state: string): string[] =>
  readdirSync(join(world.root, 'active_tasks', state, 'one/attempts')).sort();

test('a newer claim in the moment of ours: ours is given back, no agent starts', async () => {
  makeTask();
  const { calls, events } = await stepWith({
    claims: ['ready', 2],
    at: /^ready\/one\/attempts\/\.new -> .*0001$/,
    when: 'after',
  });
  expect(calls).toBe(0);
  expect(events).toContain('lost_race');
  expect(stands()).toEqual(['ready']);
  expect(attempts('ready')).toEqual(['0001.lost', '0002']);
});

test('a newer claim in the moment of the move to in_progress: no agent starts', async () => {
  makeTask();
  const { calls, moves } = await stepWith({
    claims: ['in_progress', 2],
    at: /^ready\/one -> in_progress\/one$/,
    when: 'after',
  });
  expect(calls).toBe(0);
  expect(moves).toEqual([]);
});

test('a newer claim since our outcome: we do not move the folder', async () => {
  makeTask();
  const { calls, events, moves } = await stepWith({
    claims: ['in_progress', 2],
    at: /0001\/\.tmp -> .*0001\/outcome\.md$/,
    when: 'after',
  });
  expect(calls).toBe(1);
  expect(events).toContain('lost_race');
  expect(moves).toEqual(['ready in_progress']);
  expect(renamed, 'not even for a moment').toEqual(['ready/one -> in_progress/one']);
  expect(stands()).toEqual(['in_progress']);
});

test('a newer claim in the moment of our move: the folder is put back for it', async () => {
  makeTask();
  const { events, moves } = await stepWith({
    claims: ['in_progress', 2],
    at: /^in_progress\/one -> review\/one$/,
    when: 'before',
  });
  expect(events).toContain('lost_race');
  expect(moves).toEqual(['ready in_progress']);
  expect(stands()).toEqual(['in_progress']);
});

const AFTER_ABORTED = CONTRACT.replace('title: one\n', 'title: one\ndepends_on: [gone]\n');

test('a newer claim before a move that no attempt owns: the folder is put back for it', async () => {
  makeTask('ready', AFTER_ABORTED);
  world.write('active_tasks/aborted/gone/contract.md', CONTRACT);
  const { events, moves } = await stepWith({
    claims: ['ready', 1],
    at: /^ready\/one -> blocked\/one$/,
    when: 'before',
  });
  expect(events).toContain('lost_race');
  expect(moves).toEqual([]);
  expect(stands()).toEqual(['ready']);
});

test('a newer claim since the look: a move that no attempt owns is not made', async () => {
  makeTask('ready', AFTER_ABORTED);
  world.write('active_tasks/aborted/gone/contract.md', CONTRACT);
  const { events } = await stepWith({
    claims: ['ready', 1],
    at: /^stat aborted\/gone$/,
    when: 'before',
  });
  expect(events).toContain('lost_race');
  expect(renamed, 'not even for a moment').toEqual([]);
});

test('another task of that name in the place where ours stood is not ours', async () => {
  makeTask();
  const { ws } = world.process({
    script: (call) => {
      if (call.kind !== 'work') return 0;
      writeFileSync(join(call.desk, 'result.md'), RESULT);
      // A person moves the folder and puts another of the same name in its place.
      const top = join(world.root, 'active_tasks');
      realDisk.rename(join(top, 'in_progress/one'), join(top, 'blocked/one'));
      world.write('active_tasks/in_progress/one/contract.md', CONTRACT);
      return 0;
    },
  });
  const { events } = await step(ws);
  expect(events.map((event) => event.event)).toContain('ended');
  expect(readdirSync(join(world.root, 'active_tasks/blocked/one/attempts/0001'))).toContain(
    'outcome.md',
  );
  expect(readdirSync(join(world.root, 'active_tasks/in_progress/one'))).toEqual(['contract.md']);
});
