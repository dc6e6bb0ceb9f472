/**
 * docs/reference/agents.md says where agents and skills are read and what tools are called, as the code does.
 * UPDATE_DOCS=1 writes both tables.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { agentConfigSchema } from '../../src/task/core/model/policy.ts';
import { AGENT_PLACES, SKILL_PLACES, type Place } from '../../src/agents/core/places.ts';
import { names } from '../../src/clients/core/client-record.ts';
import { CLIENT_TYPES, TOOLS } from '../../src/clients/core/records.ts';
import { TOOL_WORDS } from '../../src/permissions/core/tools.ts';

const file = fileURLToPath(new URL('../../docs/reference/agents.md', import.meta.url));

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n');
}

const BASES = { project: '', config: '~/.config/', home: '~/', package: '' };
const code = (text: string): string => `\`${text}\``;
const shown = ({ base, folder }: Place): string => code(`${BASES[base]}${folder}/`);

function places(): string {
  const most = Math.max(AGENT_PLACES.length, SKILL_PLACES.length);
  const rows = Array.from({ length: most }, (_, i) => [AGENT_PLACES[i], SKILL_PLACES[i]]).map(
    (pair) => pair.map((one) => (one === undefined ? '' : shown(one))),
  );
  const built_in = ['`templates/agents/` of the package', '`templates/skills/` of the package'];
  return table([['agents', 'skills'], ...rows, built_in]);
}

function tools(): string {
  return table([
    ['ours', ...CLIENT_TYPES],
    ...TOOL_WORDS.map((word) => [
      code(word),
      ...CLIENT_TYPES.map((type) => names(TOOLS[type][word]).map(code).join(' ')),
    ]),
  ]);
}

test.each([
  ['places', places()],
  ['tools', tools()],
])('the table of %s is that of the code', (name, expected) => {
  const marks = new RegExp(`(<!-- ${name} -->\n)([^]*?)(\n?<!-- /${name} -->)`);
  const text = readFileSync(file, 'utf8');
  if (process.env['UPDATE_DOCS'] === '1') {
    const whole = text.replace(marks, `<!-- ${name} -->\n\n${expected}\n\n<!-- /${name} -->`);
    writeFileSync(file, whole);
  }
  const told = marks.exec(readFileSync(file, 'utf8'))?.[2]?.trim();
  const bare = (one: string): string => one.replaceAll(/ +(?=\|)|(?<=\|) +|-+/g, '');
  expect(bare(told ?? '')).toBe(bare(expected));
});

test('every key of an agent is told', () => {
  const text = readFileSync(file, 'utf8');
  const keys = Object.keys(agentConfigSchema().shape);
  expect(keys.filter((key) => !text.includes(`\`${key}\``))).toEqual([]);
});
