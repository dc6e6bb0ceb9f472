/** The block of `init --with instructions` is the lines between two marks, and nothing that is about them. */
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

let room = commandRoom('');
beforeEach(() => void (room = commandRoom('')));

const BLOCK = /^<!-- contracts:begin -->\n[^]*?\n<!-- contracts:end -->$/gm;
const after = async (text: string): Promise<string> => {
  room.write('AGENTS.md', text);
  await room.said('init', '--with', 'instructions');
  return readFileSync(join(room.root, 'AGENTS.md'), 'utf8');
};

test.each([
  'Keep the lines `<!-- contracts:begin -->` and `<!-- contracts:end -->`: a tool needs them.\n',
  '```\n<!-- contracts:begin -->\nmine\n<!-- contracts:end -->\n```\n',
  '    <!-- contracts:begin -->\n    mine\n    <!-- contracts:end -->\n',
])('text about the marks stays: %j', async (text) => {
  const now = await after(`# Own\n\n${text}`);
  expect(now.startsWith(`# Own\n\n${text}`)).toBe(true);
  expect(now.slice(text.length).match(BLOCK)).toHaveLength(1);
  expect(await after(now)).toBe(now);
});

test('a guide that leads to another one has its block there', async () => {
  room.write('AGENTS.md', '# Own\n');
  symlinkSync('AGENTS.md', join(room.root, 'CLAUDE.md'));
  const { out, err } = await room.said('init', '--with', 'instructions');
  expect(out + err).not.toContain('CLAUDE.md');
  expect(readFileSync(join(room.root, 'AGENTS.md'), 'utf8').match(BLOCK)).toHaveLength(1);
  expect((await room.said('init')).out).not.toContain('instructions');
});

test('behind a fence that is not closed nothing is put', async () => {
  const text = '# Own\n\n```sh\nls\n';
  expect(await after(text)).toBe(text);
});

test('an older block is replaced in its place', async () => {
  const old = '<!-- contracts:begin -->\nOUTDATED\n<!-- contracts:end -->';
  const now = await after(`# Own\n\n${old}\n\nMine\n`);
  expect(now).toMatch(/^# Own\n\n<!-- contracts:begin -->\n[^]+<!-- contracts:end -->\n\nMine\n$/);
  expect(now).not.toContain('OUTDATED');
});
