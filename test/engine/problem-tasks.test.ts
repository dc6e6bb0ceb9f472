/**
 * list --problems on a real disk: an attempt whose runner died, a task that used more than its contract allows,
 * and an agent that is silent. Processes and the clock of the machine are MOCK.
 */
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { listTasks } from '../../src/engine/queries/list.ts';
import { problemTasks } from '../../src/engine/queries/problem-tasks.ts';
import { renderRecord } from '../../src/task/text/documents/record.ts';
import { makeOwner } from './core/make.ts';
import { commandRoom } from '../support/command-room.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => void (world = makeWorld()));

const contract = (head = ''): string =>
  `---\ntitle: T\nverify: ["run: true"]\n${head}---\n\n## Success Criteria\n\n- [ ] It works\n`;

function claimed(id: string, pid: number): void {
  const self = {
    pid,
    start: `${pid}`,
    boot: 'boot',
    pid_ns: 'ns',
    host: 'host',
    machine: 'machine',
  };
  const owner = makeOwner(1, { ...self, task: id, base: 0 });
  const folder = `active_tasks/in_progress/${id}`;
  world.write(`${folder}/contract.md`, contract());
  world.write(`${folder}/attempts/0001/owner.md`, renderRecord({ ...owner }, ''));
}

function used(id: string, state: string, outcome: string, head: string): void {
  const record = {
    v: 1,
    attempt: 1,
    kind: 'work',
    outcome,
    reason: 'r',
    at: '2026-11-21T11:00:00Z',
  };
  const use = { adapter: 'claude', cost_usd: 2, input_tokens: 10, output_tokens: 5 };
  world.write(`active_tasks/${state}/${id}/contract.md`, contract(`adapter: claude\n${head}`));
  const at = `active_tasks/${state}/${id}/attempts/0001`;
  world.write(`${at}/outcome.md`, renderRecord({ ...record, ...use }, ''));
}

function look() {
  const { ws } = world.process({});
  const found = problemTasks(ws, listTasks(ws, { sort: 'turn' }).tasks);
  return found.map(({ id, trouble, reason, fix }) => [id, trouble, reason, fix]);
}

test('an attempt whose runner died is stuck; the next step takes it over', () => {
  claimed('dead', 77);
  expect(look()).toEqual([['dead', 'stuck', 'try 1 has no living owner', 'contracts step']]);
});

test('a task over its budget is worse than one that failed, also while it asks', () => {
  // A program that is here in the place of the client; it is never called.
  world.write('.contracts/config.yaml', 'adapters:\n  claude: { type: claude, run: [sh] }\n');
  used('cost', 'ready', 'failed', 'cost_max: 1\n');
  used('tokens', 'blocked', 'blocked', 'tokens_max: 15\n');
  used('left', 'ready', 'failed', 'cost_max: 3\n');
  const [first, second, third] = look();
  expect([first, second].map((one) => one?.slice(0, 3)).toSorted()).toEqual([
    ['cost', 'over_budget', 'has used $2.00 of $1.00 (cost_max): no further call is made'],
    ['tokens', 'over_budget', 'has used 15 of 15 tokens (tokens_max): no further call is made'],
  ]);
  expect(third?.slice(0, 2)).toEqual(['left', 'failing']);
});

test('a silent agent is stuck after the limit of its task, and not before', () => {
  const { ws } = world.process({});
  const { pid } = ws.machine.self();
  claimed('silent', pid);
  const desk = join(world.root, 'active_tasks/.desk/silent.0001/status.md');
  world.write('active_tasks/.desk/silent.0001/status.md', '- Current Step: half of it\n');
  const through = {
    ...ws,
    active: new Set(['1']),
    machine: { ...ws.machine, now: () => new Date(1e12) },
  };
  const at = (seconds: number) => {
    utimesSync(desk, new Date(1e12 - seconds * 1000), new Date(1e12 - seconds * 1000));
    return problemTasks(through, listTasks(through, {}).tasks).map(({ reason, fix }) => [
      reason,
      fix,
    ]);
  };
  expect(at(29)).toEqual([]);
  expect(at(31)).toEqual([
    ['try 1 is silent: its last report is 31 s old', 'contracts logs silent -f'],
  ]);
});

test('beside a task that cannot be read nobody says that none needs care', async () => {
  const room = commandRoom('');
  try {
    expect((await room.said('list', '--problems')).out).toContain('No task needs care.');
    room.write('active_tasks/ready/Bad Name/contract.md', contract());
    const { out, err } = await room.said('list', '--problems');
    expect(err).toContain('Bad Name');
    expect(out).toBe('No task that can be read needs care.\n');
    const { out: none } = await room.said('list', '--problems', 'hello');
    expect(none).toBe('No task that matches and can be read needs care.\n');
  } finally {
    rmSync(room.root, { recursive: true, force: true });
  }
});
