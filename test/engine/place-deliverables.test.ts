/**
 * What an agent hands in on its desk as a deliverable is put in its place, unless somebody wrote there
 * since the claim. Processes and agents are a MOCK; files and protocol are real.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { step } from '../../src/engine/step/cached-step.ts';
import { faultyDisk, unsyncedDisk } from '../support/faulty-disk.ts';
import type { ScriptedCall } from '../support/scripted-room.ts';
import { makeWorld, type World } from '../support/world.ts';

const OUT = 'docs/out.md';
let world: World;
beforeEach(() => {
  world = makeWorld();
  world.write(
    '.contracts/config.yaml',
    'adapter: me\nadapters:\n  me: { type: claude, run: [sh] }\n',
  );
});
afterEach(() => world.remove());

function task(head = ''): void {
  world.write(
    'active_tasks/ready/one/contract.md',
    `---\nv: 1\ntitle: one\n${head}deliverables: ["${OUT}"]\n---\n\n# one\n\n## Objective\n\nOne.\n\n## Success Criteria\n\n- [ ] it is there\n`,
  );
}

function handsIn(call: ScriptedCall, text = 'the agent\n', status = 'COMPLETE'): number {
  const file = join(call.desk, 'deliverables', OUT);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const result = `- Status: ${status}\n\n## Success Criteria\n\n- [x] it is there\n`;
  writeFileSync(join(call.desk, 'result.md'), result);
  return 0;
}

const there = (): string => readFileSync(join(world.root, OUT), 'utf8');
const stands = (state: string): boolean =>
  readdirSync(join(world.root, 'active_tasks', state)).includes('one');

async function steps(script: (call: ScriptedCall) => number): Promise<string> {
  const { ws } = world.process({ disk: unsyncedDisk, script });
  return JSON.stringify((await step(ws)).events);
}

describe('a deliverable on the desk', () => {
  test('is put where it belongs, and told among what changed', async () => {
    task();
    await steps((call) => handsIn(call));
    expect(there()).toBe('the agent\n');
    expect(stands('in_progress')).toBe(false);
    const outcome = join(world.root, 'active_tasks/done/one/attempts/0001/outcome.md');
    expect(readFileSync(outcome, 'utf8')).toContain(OUT);
  });

  test('takes the place of what was there at the claim, also where that is gone by now', async () => {
    task();
    world.write(OUT, 'before\n');
    await steps((call) => handsIn(call));
    expect(there()).toBe('the agent\n');
    world.remove();
    world = makeWorld();
    world.write(
      '.contracts/config.yaml',
      'adapter: me\nadapters:\n  me: { type: claude, run: [sh] }\n',
    );
    task();
    world.write(OUT, 'before\n');
    await steps((call) => {
      rmSync(join(world.root, OUT));
      return handsIn(call);
    });
    expect(there()).toBe('the agent\n');
  });

  test.each([[undefined], ['before\n']])(
    'is left on the desk where a person wrote meanwhile (before: %j)',
    async (before) => {
      task();
      if (before !== undefined) world.write(OUT, before);
      const events = await steps((call) => {
        world.write(OUT, 'a person\n');
        return handsIn(call);
      });
      expect(there()).toBe('a person\n');
      expect(stands('blocked')).toBe(true);
      expect(events).toContain(`${OUT}: it was changed since the claim`);
      const kept = join(
        world.root,
        'active_tasks/blocked/one/attempts/0001/desk/deliverables',
        OUT,
      );
      expect(readFileSync(kept, 'utf8')).toBe('the agent\n');
    },
  );

  test('is not written through a link, nor where its agent has no right, nor before it is done', async () => {
    task();
    const out = join(world.root, '..', `out-${process.pid}`);
    mkdirSync(out);
    try {
      symlinkSync(out, join(world.root, 'docs'));
      await steps((call) => handsIn(call));
      expect(readdirSync(out)).toEqual([]);
      expect(stands('blocked')).toBe(true);
    } finally {
      rmSync(out, { recursive: true });
    }
    world.remove();
    world = makeWorld();
    world.write(
      '.contracts/config.yaml',
      'adapter: me\nadapters:\n  me: { type: claude, run: [sh] }\n',
    );
    task('write: [src/**]\nretries_max: 0\n');
    await steps((call) => handsIn(call));
    expect(existsSync(join(world.root, OUT))).toBe(false);
  });

  test('of an agent that failed stays where it is', async () => {
    task();
    await steps((call) => handsIn(call, 'half\n', 'FAILED'));
    expect(existsSync(join(world.root, OUT))).toBe(false);
  });

  /** The runner dies when the desk is to go into the attempt: the file is in its place by then. */
  test.each([
    ['nobody', 'done', 'the agent\n'],
    ['a person\n', 'blocked', 'a person\n'],
  ])('of a dead runner is taken over; meanwhile wrote: %s', async (by, state, text) => {
    task();
    world.write(OUT, 'before\n');
    const taken = /\.desk\/one\.0001 -> .*attempts\/0001\/desk$/;
    const disk = faultyDisk(-1, undefined, {
      ...unsyncedDisk,
      rename: (from, to) => {
        if (taken.test(`${from} -> ${to}`)) disk.kill();
        else unsyncedDisk.rename(from, to);
      },
    });
    const { ws } = world.process({ disk, script: (call) => handsIn(call) });
    await Promise.race([step(ws).catch(() => undefined), disk.died]);
    expect(disk.dead).toBe(true);
    expect(there()).toBe('the agent\n');
    if (by !== 'nobody') world.write(OUT, by);
    await steps(() => 0);
    expect(there()).toBe(text);
    expect(stands(state)).toBe(true);
  });
});
