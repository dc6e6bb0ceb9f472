/** `contracts route` in a workspace, with its squads, workflows and plans. */
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

function roomOf() {
  const room = commandRoom();
  return room;
}

async function routed(room: ReturnType<typeof roomOf>, ...argv: string[]) {
  const { out, code } = await room.said('route', ...argv, '--json');
  expect(code).toBe(0);
  return JSON.parse(out) as Readonly<Record<string, unknown>>;
}

test('a message of the user, of an agent, and while a plan is worked on or paused', async () => {
  const room = roomOf();
  const words = 'checkout is off by one cent, find out why and fix it';
  expect(await routed(room, words)).toMatchObject({
    v: 1,
    event: 'route',
    should_route: true,
    workflow: 'debug',
    squad: 'dev',
    agent: 'qa',
  });
  expect(await routed(room, words, '--source', 'builder')).toMatchObject({
    should_route: false,
    safety_check: 'AGENT_SOURCE',
  });
  await room.said('team', 'start', 'review', 'x', '--name', 'team');
  // Nothing of it has begun: it may be forgotten.
  expect(await routed(room, words)).toMatchObject({ should_route: true, workflow: 'debug' });
  const [id = ''] = readdirSync(join(room.root, 'active_tasks/ready'));
  const [from, to] = ['ready', 'review'].map((state) => join(room.root, 'active_tasks', state, id));
  mkdirSync(dirname(to!), { recursive: true });
  renameSync(from!, to!);
  expect(await routed(room, words)).toMatchObject({
    should_route: false,
    safety_check: 'ACTIVE_PLAN',
    reason: 'the plan team is being worked on',
  });
  expect(await routed(room, words, '--no-check')).toMatchObject({ workflow: 'debug' });
  await room.said('plan', 'pause', 'team');
  expect(await routed(room, words)).toMatchObject({ should_route: true, workflow: 'debug' });
});

test('the same function says which squad fits a new contract, and applies none', async () => {
  const room = roomOf();
  const made = await room.said(
    'new',
    'Write the newsletter for the summer campaign',
    '--criterion',
    'it is short',
    '--id',
    'news',
  );
  expect(made.err).toContain('marketing fits: --squad marketing\n');
  expect((await room.said('show', 'news')).out).not.toContain('marketing');
});

test('an agent that got the message is known, and takes what asks for no workflow', async () => {
  const room = roomOf();
  room.write(
    '.contracts/agents/poet.md',
    '---\nname: poet\ndescription: Writes verse\n---\nRhyme.\n',
  );
  const direct = await routed(room, 'hello there', '--agent', '@poet');
  expect(direct).toMatchObject({ handler: 'direct', agent: 'poet', does: 'Writes verse' });
  const debug = await routed(room, 'debug the login and fix it', '--agent', 'poet');
  expect(debug).toMatchObject({ workflow: 'debug', agent: 'qa', does: 'Writes verse' });
  expect(await routed(room, 'hello there')).not.toHaveProperty('does');
  const { err, code } = await room.said('route', 'hello', '--agent', 'poe');
  expect(err).toContain('there is no such agent (found poe). Did you mean po');
  expect(code).toBe(2);
});
