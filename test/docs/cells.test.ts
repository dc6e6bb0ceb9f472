/** docs/clients.md shows how real clients were called, and each row of it is played (test/nightly/clients.test.ts). */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CELLS } from '../support/cells.ts';
import { PINNED } from '../support/clients.ts';

test('the table of what was seen has the rows that are played, with their versions', () => {
  const text = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
  const section = text.split('\n## ').find((one) => one.startsWith('What was seen\n')) ?? '';
  const rows = section.split('\n').filter((line) => /^\| (?!called as|---)/.test(line));
  const played = Object.entries(CELLS).map(([name, { client, over, asks_nobody }]) => {
    const program = over?.bridge?.program ?? client;
    const judged = asks_nobody === true ? 'no' : 'yes';
    return `| ${name} | \`${program}\` | ${PINNED[program].version} | ${judged} |`;
  });
  expect(rows).toEqual(played);
});
