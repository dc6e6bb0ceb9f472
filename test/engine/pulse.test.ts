/**
 * MOCK agents and a clock of the test: an agent whose status.md falls silent is told once, and once
 * that it goes on; what its status says is told when it changes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { step } from '../../src/engine/step.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World | undefined;
afterEach(() => world?.remove());

const CONTRACT = `---
title: A
complexity: low
verify: ["file_exists: made.txt"]
---

## Success Criteria

- [ ] file_exists: made.txt

## Steps

\`\`\`sh
true
\`\`\`
`;

test('lags after 30 s for a task of low complexity, goes on when it writes, and says its step', async () => {
  const own = makeWorld();
  world = own;
  own.write('active_tasks/ready/a/contract.md', CONTRACT);
  const told: Event[] = [];
  const heard: (() => void)[] = [];
  const until = (name: Event['event']): Promise<void> =>
    new Promise((done) => {
      heard.push(() => {
        if (told.some((event) => event.event === name)) done();
      });
    });
  let clock = 0;
  const { ws } = own.process({
    ports: { elapsed_ms: () => clock },
    script: async ({ desk }) => {
      clock += 30_000;
      const lagged = until('lags');
      clock += 1500;
      await lagged;
      const went_on = until('goes_on');
      const status = '- Status: IN_PROGRESS\n- Current Step: half of it\n';
      writeFileSync(join(desk, 'status.md'), status);
      await went_on;
      own.write('made.txt', 'x');
      return 0;
    },
  });
  await step(ws, {
    emit: (event) => {
      told.push(event);
      for (const look of heard) look();
    },
  });
  const pulse = told.filter((event) => ['lags', 'goes_on', 'status'].includes(event.event));
  expect(pulse).toEqual([
    { event: 'lags', task: 'a', attempt: 1, seconds: 32, limit_seconds: 30 },
    { event: 'status', task: 'a', attempt: 1, text: 'half of it' },
    { event: 'goes_on', task: 'a', attempt: 1, seconds: 32, limit_seconds: 30 },
  ]);
});
