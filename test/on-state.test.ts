/** `on_state`: the person's own bell, rung after each move, by the runner and by verbs alike. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { step } from '../src/engine/step.ts';
import { checkTree } from '../src/engine/verbs/check.ts';
import { doctor } from '../src/engine/verbs/doctor.ts';
import { moveByVerb } from '../src/engine/verbs/moves.ts';
import { makeWorld, type World } from './support/world.ts';

const EXPECTED_BY_SHELL =
  '---\ntitle: B\nadapter: shell\n---\n\n## Success Criteria\n\n- [ ] b\n\n## Steps\n\n```sh\ntrue\n```\n';

let world: World | undefined;
afterEach(() => world?.remove());

async function linesOf(path: string, wanted: number): Promise<string[]> {
  for (let tries = 0; tries < 500; tries++) {
    const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
    if (lines.length >= wanted) return lines;
    await sleep(20);
  }
  throw new Error(`fewer than ${wanted} lines in ${path}`);
}

test('the command gets id and state as arguments, never through a shell string', async () => {
  world = makeWorld();
  const bell = `on_state: [sh, -c, 'printf "%s %s %s\\n" "$1" "$2" "$3" >> moves.log', sh, "{{id}}", "{{state}}", "of {{task}}"]\n`;
  world.write('.contracts/config.yaml', bell);
  world.write(
    'active_tasks/draft/a/contract.md',
    '---\ntitle: A\nadapter: human\n---\n\n## Success Criteria\n\n- [ ] a\n',
  );
  const { ws } = world.process({});
  expect(moveByVerb(ws, 'confirm', 'a').ok).toBe(true);
  expect(moveByVerb(ws, 'abort', 'a').ok).toBe(true);
  const lines = await linesOf(join(world.root, 'moves.log'), 2);
  expect(lines.sort()).toEqual(['a aborted of a', 'a ready of a']);
});

test('a bell that cannot ring stops nothing', async () => {
  world = makeWorld();
  world.write('.contracts/config.yaml', 'on_state: [no-such-program-here, "{{id}}"]\n');
  world.write(
    'active_tasks/draft/a/contract.md',
    '---\ntitle: A\nadapter: human\n---\n\n## Success Criteria\n\n- [ ] a\n',
  );
  const { ws } = world.process({});
  expect(moveByVerb(ws, 'confirm', 'a')).toMatchObject({ ok: true, value: { to: 'ready' } });

  // A step says it once, however much was moved; doctor and check say it with the line.
  world.write('active_tasks/ready/b/contract.md', EXPECTED_BY_SHELL);
  world.write('active_tasks/ready/c/contract.md', EXPECTED_BY_SHELL);
  const warning = expect.objectContaining({
    code: 'environment',
    severity: 'warning',
    file: '.contracts/config.yaml',
    line: 1,
    found: 'no-such-program-here',
  });
  expect(doctor(ws, { fix: false }).problems).toEqual([warning]);
  expect(checkTree(ws).problems).toContainEqual(warning);
  const { events } = await step(ws);
  expect(events.filter((one) => one.event === 'problem')).toEqual([
    { event: 'problem', problem: warning },
  ]);
  expect(events.filter((one) => one.event === 'fault')).toEqual([]);
  // Nothing moved, nothing to ring for.
  const told = (await step(ws, { only: new Set() })).events;
  expect(told.filter((one) => one.event === 'problem')).toEqual([]);
});

test('an installed bell is nothing to speak of', () => {
  world = makeWorld();
  world.write('.contracts/config.yaml', 'on_state: [sh, -c, "exit 1"]\n');
  const { ws } = world.process({});
  expect(doctor(ws, { fix: false }).problems).toEqual([]);
  expect(checkTree(ws).problems).toEqual([]);
});
