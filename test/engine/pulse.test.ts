/**
 * MOCK agents and a clock of the test: an agent whose status.md falls silent is told once, and once
 * that it goes on; what its status says is told when it changes.
 */
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Event } from '../../src/task/core/lines/event.ts';
import { step } from '../../src/engine/step/step.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { makeWorld } from '../support/world.ts';

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

test('MOCK of a clock that stands still: what an agent writes is mirrored all the same', async () => {
  const own = makeWorld();
  own.write('active_tasks/ready/a/contract.md', CONTRACT);
  const disk: Disk = {
    ...realDisk,
    stat: (path) => {
      const found = realDisk.stat(path);
      return found && path.endsWith('/status.md') ? { ...found, mtime_ms: 1, ctime_ms: 1 } : found;
    },
  };
  let told: (text: string) => void = () => undefined;
  const status = () => new Promise<string>((done) => (told = done));
  const { ws } = own.process({
    disk,
    script: async ({ desk }) => {
      const mirror = join(own.root, 'active_tasks/in_progress/a/status.md');
      for (const now of ['half of it', 'the other half']) {
        const said = status();
        const text = `- Status: IN_PROGRESS\n- Current Step: ${now}\n`;
        writeFileSync(join(desk, 'status.md.new'), text);
        renameSync(join(desk, 'status.md.new'), join(desk, 'status.md'));
        expect(await said).toBe(now);
        // Whoever may read it stays.
        if (now === 'half of it') chmodSync(mirror, 0o600);
      }
      expect(realDisk.stat(mirror)?.mode).toBe(0o600);
      own.write('made.txt', 'x');
      return 0;
    },
  });
  await step(ws, { emit: (event) => event.event === 'status' && told(event.text) });
  expect(readFileSync(join(own.root, 'made.txt'), 'utf8')).toBe('x');
});
