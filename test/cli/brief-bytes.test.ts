/**
 * What a brief costs whoever pays for its tokens: bytes of each kind, with a ceiling that follows it down. Agents are
 * MOCK programs of `sh`, and `bwrap` is a MOCK that works: nothing runs in it here.
 */
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandRoom, saidHere } from '../support/command-room.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

type Room = ReturnType<typeof commandRoom>;

const CONFIG = `adapter: agent
sandbox: none
adapters:
  agent: { type: command, run: [sh, .contracts/agent.sh] }
`;

const contract = (head: string, body = '') => `---
title: Say hello
${head}---

# Say hello

## Objective

Whoever opens the page is greeted.
${body}
## Success Criteria

- [ ] hello.txt says hello
`;
const MORE = `- [ ] It says it in one line
- [ ] The name of the guest is in it
- [ ] Nobody is greeted twice
- [ ] The old greeting is gone

## Context Files

- docs/tone.md
- src/page.mjs
`;

async function shown(room: Room, id = 'hello'): Promise<string> {
  const { out } = await room.said('show', id, '--brief', '--json');
  return (JSON.parse(out) as { brief: string }).brief;
}

function ready(room: Room, text: string): void {
  room.write('active_tasks/ready/hello/contract.md', text);
}

/** Where a ceiling may be above what is counted. */
const ROOM = 0.02;

const KINDS: readonly (readonly [string, number, (room: Room) => Promise<string>])[] = [
  [
    'plain',
    3_348,
    (room) => {
      ready(room, contract(''));
      return shown(room);
    },
  ],
  [
    'plain, for a client that reports what it does and gets its role beside the brief',
    2_330,
    (room) => {
      ready(room, contract('adapter: claude\n'));
      return shown(room);
    },
  ],
  [
    'with criteria, checks, files and words of its own',
    3_673,
    (room) => {
      const head = 'deliverables:\n  - hello.txt\nverify: ["run: grep -q hello hello.txt"]\n';
      ready(room, contract(head, '\n## Background\n\nThe old one was rude.\n') + MORE);
      return shown(room);
    },
  ],
  [
    'of one that may delegate',
    5_129,
    (room) => {
      room.write(
        '.contracts/agents/chief.md',
        '---\ndelegates_to: [builder, scout]\n---\nYou lead.\n',
      );
      ready(room, contract('agent: chief\n'));
      return shown(room);
    },
  ],
  [
    'of a reviewer',
    1_570,
    async (room) => {
      room.write('.contracts/agents/critic.md', 'You judge.\n');
      ready(room, contract('quality_gate: critic\ndeliverables:\n  - hello.txt\n'));
      await room.said('run');
      const tasks = join(room.root, 'active_tasks');
      const state = readdirSync(tasks).find((one) => existsSync(join(tasks, one, 'hello')));
      const attempt = join(tasks, state ?? '', 'hello/attempts/0002');
      return readFileSync(join(attempt, 'desk/brief.md'), 'utf8');
    },
  ],
  [
    'after a send-back',
    3_549,
    async (room) => {
      ready(room, contract('quality_gate: person\ndeliverables:\n  - hello.txt\n'));
      await room.said('run');
      await room.said('needs-work', 'hello', 'It greets nobody by name.');
      return shown(room);
    },
  ],
  [
    'with answers',
    3_492,
    async (room) => {
      room.write('.contracts/roles', 'asks hello\n');
      ready(room, contract(''));
      await room.said('run');
      await room.said('answer', 'hello', 'The first one.');
      return shown(room);
    },
  ],
  [
    'in a sandbox',
    3_377,
    async ({ root, ...room }) => {
      room.write('.contracts/config.yaml', CONFIG.replace('sandbox: none', 'sandbox: bwrap'));
      ready({ root, ...room }, contract(''));
      const bin = sealedFolder('bin');
      putFile(join(bin, 'bwrap'), '#!/bin/sh\nexit 0\n');
      chmodSync(join(bin, 'bwrap'), 0o755);
      const env = { ...sealedEnv(), HOME: join(root, 'home'), CONTRACTS_TRUST: '1' };
      const PATH = `${bin}:${process.env['PATH']}`;
      const argv = ['-C', root, 'show', 'hello', '--brief', '--json'];
      const { out } = await saidHere(argv, { env: { ...env, PATH } });
      return (JSON.parse(out) as { brief: string }).brief;
    },
  ],
  [
    'with learnings',
    3_842,
    async (room) => {
      await room.said('memory', 'add', 'Whoever opens the page is greeted in Esperanto, too');
      await room.said('memory', 'add', 'Hello is written with a capital');
      await room.said('memory', 'add', 'Guests are asked for their first name alone');
      ready(room, contract(''));
      return shown(room);
    },
  ],
  [
    'of a story',
    4_689,
    async (room) => {
      room.write(
        '.contracts/plans/launch/plan.md',
        '# Launch\n\nSquad: dev\n\n## Wave 1\n\n- [ ] Log in (id: login, executor: @dev, verify: `run: test -s login.txt`, reviewer: @qa)\n  - [ ] asks for a name\n',
      );
      await room.said('plan', 'start', 'launch');
      const [id] = readdirSync(join(room.root, 'active_tasks/ready'));
      return shown(room, id);
    },
  ],
];

test.each(KINDS)('%s: at most %i bytes', async (_what, most, make) => {
  const room = commandRoom(CONFIG);
  const brief = (await make(room)).replaceAll(room.root, '/w');
  const bytes = Buffer.byteLength(brief);
  // The desk is named once.
  expect(brief.split('.desk/')).toHaveLength(2);
  expect(bytes).toBeLessThanOrEqual(most);
  expect(bytes, 'lower its ceiling').toBeGreaterThan(most * (1 - ROOM));
});
