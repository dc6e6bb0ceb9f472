/** `on_state`: the person's own bell, rung after each move, by the runner and by verbs alike. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { moveByVerb } from '../src/engine/verbs/moves.ts';
import { makeWorld, type World } from './support/world.ts';

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

test('a bell that cannot ring stops nothing', () => {
  world = makeWorld();
  world.write('.contracts/config.yaml', 'on_state: [no-such-program-here, "{{id}}"]\n');
  world.write(
    'active_tasks/draft/a/contract.md',
    '---\ntitle: A\nadapter: human\n---\n\n## Success Criteria\n\n- [ ] a\n',
  );
  const { ws } = world.process({});
  expect(moveByVerb(ws, 'confirm', 'a')).toMatchObject({ ok: true, value: { to: 'ready' } });
});
