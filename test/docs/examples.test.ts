/**
 * The pages of docs/examples are played, each with its real client and a scripted model: what they
 * print must be what stands there. UPDATE_README=1 rewrites it. The page of OpenCode, which takes half
 * a minute, is played at night.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clientsMissing, sandboxWorks } from '../support/clients.ts';
import { pageOf, playExample, type Example } from '../support/examples.ts';

const FOLDER = fileURLToPath(new URL('../../docs/examples/', import.meta.url));

const PLAYED: readonly Example[] = [
  { name: 'claude', client: 'claude' },
  { name: 'codex', client: 'codex' },
  { name: 'gemini', client: 'gemini' },
  { name: 'acp', client: 'gemini' },
];

// The pages say what held the agents: a sandbox, too.
const here = clientsMissing().length === 0 && sandboxWorks();

test.runIf(here).each(PLAYED)(
  'every command of the page of $name prints what it says',
  async (example) => {
    const { blocks } = await playExample(example);
    expect(blocks.length).toBeGreaterThan(0);
    for (const { was, is } of blocks) expect(is).toBe(was);
  },
);

const OTHERS = new Set(['ci', 'machines']);
const names = readdirSync(FOLDER).filter((one) => !one.endsWith('.md') && !OTHERS.has(one));

test.each(names)('the page of %s shows its configuration as it is', (name) => {
  const config = readFileSync(join(FOLDER, name, 'config.yaml'), 'utf8');
  expect(pageOf({ name, client: 'claude' })).toContain(`\`\`\`yaml\n${config}\`\`\``);
});

test('the list of examples names each of them', () => {
  const list = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  expect(names.filter((name) => !list.includes(`| [${name}](${name}) |`))).toEqual([]);
  expect(names).toHaveLength(5);
});
