/**
 * `contracts squad`: what its verbs print and say as data, that a new squad is whole, that nothing is
 * replaced, and that squad_valid looks at what lies there.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../src/cli/program.ts';
import { inSquad } from '../src/engine/squad-contract.ts';
import { invalidSquad } from '../src/engine/squad-check.ts';
import { openWorkspace } from '../src/engine/workspace.ts';
import { parseContract } from '../src/text/contract.ts';
import { checkedLines } from './support/json-lines.ts';

let root = '';
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'contracts-squad-'));
  await said('init');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function said(...argv: string[]) {
  let [out, err] = ['', ''];
  const streams = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  const env = { PATH: '', HOME: join(root, 'home') };
  const code = await main(['-C', root, ...argv], streams, { env });
  return { code, out, err };
}

function workspace() {
  const ws = openWorkspace({ dir: root, ports: { env: { PATH: '' } } });
  if (!ws.ok) throw new Error('no workspace');
  return ws.value;
}

test('list, show and check say as data what they print', async () => {
  const listed = checkedLines((await said('squad', 'list', '--json')).out);
  expect(listed.map((line) => line.event === 'squad' && line.name)).toEqual(['dev', 'marketing']);
  const [story] = checkedLines((await said('squad', 'show', 'marketing', '--json')).out);
  expect(story).toMatchObject({
    event: 'squad_story',
    usable: true,
    chief: 'marketing/brand-chief',
    default_executor: 'marketing/copywriter',
    problems: [],
  });
  const checked = await said('squad', 'check', '--json');
  expect(checkedLines(checked.out)).toEqual([
    { v: 1, event: 'squads_checked', squads: ['dev', 'marketing'], problems: [] },
  ]);
  expect(checked.code).toBe(0);
});

test('words point to a squad', async () => {
  const { out } = await said('squad', 'list', '--for', 'a newsletter for the launch', '--json');
  expect(checkedLines(out)).toMatchObject([{ name: 'marketing', how: 'inferred' }]);
});

test('one that is not there: what was meant, and where to look', async () => {
  const { code, err } = await said('squad', 'show', 'marketin');
  expect(err).toContain('Did you mean marketing?');
  expect(code).toBe(2);
});

test('a new one is whole, and is never made twice', async () => {
  expect((await said('squad', 'new', 'legal')).code).toBe(0);
  expect(await said('squad', 'check', 'legal')).toMatchObject({
    code: 0,
    out: '1 squad: all is well.\n',
  });
  const file = join(root, '.contracts/squads/legal/SQUAD.yaml');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n# mine\n`);
  expect((await said('squad', 'new', 'legal')).code).toBe(2);
  expect(readFileSync(file, 'utf8')).toContain('# mine');
});

test.each(['../out', 'a/b', '.hidden', '', 'chief-of-staff', 'a b'])(
  'no squad is called %j',
  async (name) => {
    const { code } = await said('squad', 'new', name);
    expect(code).toBe(2);
  },
);

test('check says what is missing, and with what it can be mended', async () => {
  const folder = join(root, '.contracts/squads/torn');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'SQUAD.yaml'),
    `agents: { maker: { skills: [nowhere] } }
default_executor: maker
default_reviewer: maker
categories: { a: { agent: mker } }
`,
  );
  const { code, out } = await said('squad', 'check', 'torn');
  expect(code).toBe(1);
  for (const words of [
    'does not say what it is for',
    'names nobody whom anybody knows (found mker). Did you mean maker?',
    'would also review it',
    'without a description',
    'without instructions',
    'a skill that it names is not there (found nowhere)',
  ]) {
    expect(out).toContain(words);
  }
});

test('create writes a contract whose check looks at what lies there', async () => {
  const { out } = await said('squad', 'create', 'contract law', '--name', 'law', '--json');
  const [made] = checkedLines(out);
  const file = join(root, made?.event === 'created' ? made.file : '');
  const text = readFileSync(file, 'utf8');
  const read = parseContract(text, 'contract.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  expect(read.value.head).toMatchObject({
    agent: 'squad-creator',
    deliverables: ['.contracts/squads/law/SQUAD.yaml'],
    quality_gate: ['person'],
  });
  const valid = (said_name?: string) => invalidSquad(workspace(), root, read.value, said_name);
  expect(valid('law')).toContain('there is no squad law');
  expect(valid()).toContain('there is no squad');
  await said('squad', 'new', 'law');
  expect([valid(), valid('law'), valid('.contracts/squads/law')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  rmSync(join(root, '.contracts/squads/law/agents'), { recursive: true });
  expect(valid()).toContain('names nobody whom anybody knows');
});

test('who reviews is never who does the work, and a checkpoint is nobody’s work', () => {
  const ws = workspace();
  const gates = (head: string): readonly string[] => {
    const read = parseContract(`---\nsquad: marketing\n${head}---\n\n# T\n`, 'contract.md');
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return inSquad(ws, read.value).head.quality_gate;
  };
  expect(gates('')).toEqual(['marketing/brand-reviewer']);
  expect(gates('agent: brand-reviewer\n')).toEqual(['person']);
  expect(gates('agent: analyst\nquality_gate: copywriter\n')).toEqual(['marketing/copywriter']);
  expect(gates('type: checkpoint\n')).toEqual([]);
});
