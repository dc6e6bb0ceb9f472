/** What the session of a client is given of assumptions and direction, and what the memory-catcher gets at its end. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { assumptions as capability } from '../../../src/assumptions/engine/capability.ts';
import { memory } from '../../../src/memory/engine/capability.ts';
import { unsyncedDisk } from '../../support/faulty-disk.ts';
import { makeWorld, type World } from '../../support/world.ts';

const OPEN = '- [assumed, 0.4] Prices are in euros (`.contracts/assumptions/euros.md`)';
let world: World;
beforeEach(() => {
  world = makeWorld();
  world.write(
    '.contracts/assumptions/euros.md',
    '---\nconfidence: 0.4\n---\nPrices are in euros\n',
  );
  world.write('.contracts/direction.md', '# Direction\n\n## Goals\n\n- Sell tea\n');
});

const given = async (event: 'start' | 'prompt' | 'end'): Promise<string> => {
  const { ws } = world.process({ disk: unsyncedDisk });
  const sections = (await capability.session?.(ws, { event, words: 'prices' })) ?? [];
  return sections.map(({ text }) => text).join('\n');
};

test('direction and open ones at its start, open ones at its end', async () => {
  expect(await given('start')).toContain('- Sell tea');
  expect(await given('start')).toContain(OPEN);
  expect(await given('prompt')).toBe('');
  expect(await given('end')).toBe(OPEN);
});

test('a direction without an end is cut, and a brief says where the rest is', async () => {
  world.write('.contracts/direction.md', 'x '.repeat(50_000));
  const text = await given('start');
  expect(text.length).toBeLessThan(4500);
  expect(text).toContain('(There is more in `.contracts/direction.md`.)');
});

test('the memory-catcher is told which are open', async () => {
  world.write('.contracts/config.yaml', 'adapter: human\nmemory_catcher: ask\n');
  const { ws } = world.process({ disk: unsyncedDisk });
  const ended = { client: 'claude', session: 'a', files: [], corrections: [], duration_ms: 60_000 };
  await memory.session_ended?.(ws, { ...ended, summary: 'Made the form.' });
  const drafts = join(world.root, 'active_tasks/draft');
  const id = readdirSync(drafts).find((name) => name.startsWith('learnings-')) ?? '';
  expect(readFileSync(join(drafts, id, 'notes/session.md'), 'utf8')).toContain(
    `## Assumptions that no person has confirmed\n\n${OPEN}\n`,
  );
});
