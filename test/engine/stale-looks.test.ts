/**
 * What was read a moment ago is not so any more: the world changes between the look and the claim
 * that follows from it. Processes and agents are a MOCK; disk and protocol are real.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Machine } from '../../src/agent/machine.ts';
import { step } from '../../src/engine/step.ts';
import { makeWorld, type World } from '../support/world.ts';

const ID = 'task_20261121_stale_aaaa';
const HOME = `active_tasks/in_progress/${ID}`;
const CONTRACT = `---
v: 1
title: Stale
verify: ["file_exists: here.txt"]
---

# Stale

## Objective

Be run once.

## Success Criteria

- [ ] It was done
`;
const RESULT = '---\nstatus: COMPLETE\n---\n\n## Success Criteria\n\n- [x] It was done\n';
const EXIT = '---\nexit_code: 0\nended: 2026-11-21T12:00:00Z\n---\n';

let world: World;
afterEach(() => world.remove());

/** A task whose runner was cut short while its agent ran. */
async function runnerDied(): Promise<void> {
  world = makeWorld();
  world.write(
    '.contracts/config.yaml',
    'adapter: a\nadapters:\n  a: { type: command, run: [sh] }\n',
  );
  world.write('here.txt', 'here');
  world.write(`active_tasks/ready/${ID}/contract.md`, CONTRACT);
  let started: () => void = () => undefined;
  const running = new Promise<void>((resolve) => (started = resolve));
  const first = world.process({
    script: () => {
      started();
      // Never ends: nobody of that process lives when the next one looks.
      return new Promise<number>(() => undefined);
    },
  });
  void step(first.ws);
  await running;
}

/** A machine on which something happens just before the answer to the n-th question for life. */
function asked(machine: Machine, n: number, before: () => void): Machine {
  let questions = 0;
  return {
    ...machine,
    judge: (ref) => {
      questions += 1;
      if (questions === n) before();
      return ref.pid === 4242 ? 'alive' : machine.judge(ref);
    },
  };
}

describe('between the look and the claim', () => {
  it('adopts an agent that ended after its attempt had been read', async () => {
    await runnerDied();
    const desk = join(world.root, 'active_tasks', '.desk', `${ID}.0001`);
    const { ws, room, machine } = world.process({});
    const looking = asked(machine, 2, () => {
      writeFileSync(join(desk, 'result.md'), RESULT);
      writeFileSync(join(desk, 'exit.md'), EXIT);
    });
    await step({ ...ws, machine: looking });
    expect(room.opened).toEqual([]);
    const outcome = join(world.root, 'active_tasks/done', ID, 'attempts/0002/outcome.md');
    expect(readFileSync(outcome, 'utf8')).toContain('adopted: 1');
  });

  it('leaves an agent alone that its runner started after the attempt had been read', async () => {
    await runnerDied();
    const record = join(world.root, HOME, 'attempts/0001/agent.md');
    const kept = readFileSync(record, 'utf8').replace(/^pid: .*$/m, 'pid: 4242');
    renameSync(record, join(world.root, 'agent.md'));
    const { ws, room, machine } = world.process({});
    const looking = asked(machine, 1, () => writeFileSync(record, kept));
    await step({ ...ws, machine: looking });
    expect(room.opened).toEqual([]);
    expect(readdirSync(join(world.root, HOME, 'attempts'))).toEqual(['0001']);
  });
});
