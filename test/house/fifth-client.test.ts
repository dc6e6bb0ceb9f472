/**
 * A client is one record: in a copy of src a fifth one is added. Each fact that it lacks, and its behaviour, is
 * named by the compiler; with them it is in every list that knows clients.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { CLIENTS, PLACES, TOOLS } from '../../src/clients/core/records.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const copy = sealedFolder('fifth-client');
const at = (path: string): string => join(copy, 'src', path);

/** Lines of the compiler, `file: message`. */
function compiled(): string[] {
  const bin = join(project, 'node_modules/typescript/bin/tsc');
  const run = spawnSync(process.execPath, [bin, '-p', copy], { cwd: copy, encoding: 'utf8' });
  return run.stdout
    .split('\n')
    .filter((line) => /^src\S+ error /.test(line))
    .map((line) => line.replace(/\(.*?\): error TS\d+/, ''));
}

function edit(path: string, ...changes: readonly (readonly [string, string])[]): void {
  let text = readFileSync(at(path), 'utf8');
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  writeFileSync(at(path), text);
}

beforeAll(() => {
  cpSync(join(project, 'src'), at(''), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  const { compilerOptions } = JSON.parse(
    readFileSync(join(project, 'tsconfig.json'), 'utf8'),
  ) as object & { readonly compilerOptions: object };
  putFile(join(copy, 'package.json'), '{"type":"module"}');
  const files = ['src/clients/**/*.ts', 'src/engine/setup/*.ts'];
  putFile(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: files }));
});

/** Facts that a client may lack. */
const OPTIONAL = 'costless by_shell instructions_max untried acp exits plugin'.split(' ');
const of = (facts: object): string[] => Object.keys(facts).filter((one) => !OPTIONAL.includes(one));
const FACTS = [
  ...of(CLIENTS.claude).map((fact) => ['record', 'ClientRecord', fact] as const),
  ...of(PLACES.claude).map((fact) => ['places', 'ClientPlaces', fact] as const),
  ...of(TOOLS.claude).map((fact) => ['tools', 'ClientTools', fact] as const),
];

test('each fact that its record lacks is named', () => {
  expect(FACTS.length).toBeGreaterThan(15);
  const lacking = FACTS.map(([whole, type, fact], i) => {
    const less = `{ ${fact}: _${i}, ...rest_${i} }`;
    return `const ${less} = ${whole};\nexport const less_${i}: ${type} = rest_${i};\nvoid _${i};`;
  });
  const types = 'ClientPlaces, ClientRecord, ClientTools';
  const head = `import type { ${types} } from '../core/client-record.ts';\nimport { places, record, tools } from './record.ts';\n`;
  putFile(at('clients/claude/planted.ts'), `${head}${lacking.join('\n')}\n`);
  const named = compiled();
  for (const [, , fact] of FACTS)
    expect(named).toContainEqual(expect.stringContaining(`Property '${fact}' is missing`));
  expect(named).toHaveLength(FACTS.length);
  writeFileSync(at('clients/claude/planted.ts'), 'export {};\n');
});

test('with its record alone the compiler asks for its behaviour; with both it is everywhere', async () => {
  const facts = readFileSync(at('clients/gemini/record.ts'), 'utf8');
  const qwen = facts
    .replaceAll('gemini', 'qwen')
    .replaceAll('GEMINI', 'QWEN')
    .replaceAll("'run_shell_command'", "'run_it'");
  putFile(at('clients/qwen/record.ts'), qwen);
  edit(
    'clients/core/records.ts',
    ["../gemini/record.ts';", "../gemini/record.ts';\nimport * as qwen from '../qwen/record.ts';"],
    ['  gemini: gemini.places,\n', '  gemini: gemini.places,\n  qwen: qwen.places,\n'],
  );
  const missing = compiled();
  expect(new Set(missing.map((line) => line.split(': ')[0]))).toEqual(
    new Set(['src/clients/core/records.ts', 'src/clients/adapters/clients.ts']),
  );
  expect(missing.filter((line) => line.includes("'qwen' is missing"))).toHaveLength(4);
  for (const fact of ['tools', 'homes', 'record'])
    edit('clients/core/records.ts', [
      `  gemini: gemini.${fact},\n`,
      `  gemini: gemini.${fact},\n  qwen: qwen.${fact},\n`,
    ]);
  const behaviour = readFileSync(at('clients/gemini/gemini.ts'), 'utf8');
  putFile(
    at('clients/qwen/qwen.ts'),
    behaviour.replaceAll('gemini', 'qwen').replaceAll('GEMINI', 'QWEN'),
  );
  edit(
    'clients/adapters/clients.ts',
    [
      "from '../gemini/gemini.ts';",
      "from '../gemini/gemini.ts';\nimport { qwen } from '../qwen/qwen.ts';",
    ],
    ['  gemini,\n', '  gemini,\n  qwen,\n'],
  );
  expect(compiled()).toEqual([]);
  putFile(
    at('seen.ts'),
    `
    import { refuseChange, OPEN, runsByItself } from './task/core/model/permissions.ts';
    import { configSchema } from './task/core/model/policy.ts';
    import { toolWord } from './permissions/core/tools.ts';
    import { AGENT_PLACES, NO_AGENTS } from './agents/core/places.ts';
    import { clientFiles } from './trust/grants.ts';
    import { adapterFor } from './clients/adapters/registry.ts';
    import { clientFolders } from './clients/adapters/client-folders.ts';
    import { clients } from './clients/adapters/clients.ts';
    import { PROPOSAL_WORDS } from './engine/setup/offers.ts';
    import { findClients } from './engine/setup/find-clients.ts';
    import { SETTING_FOLDERS as hidden } from './task/core/model/permissions.ts';
    export const seen = {
      refused: refuseChange(OPEN, { kind: 'write', path: '.qwen/settings.json' })?.why,
      runs: runsByItself(['docs', 'QWEN.md']),
      word: toolWord('run_it'),
      agents: AGENT_PLACES.flatMap((one) => (one.client === 'qwen' ? [one.base + ' ' + one.folder] : [])),
      guide: NO_AGENTS.has('QWEN.md'),
      trusted: clientFiles().filter((one) => one.startsWith('.qwen')),
      program: adapterFor('qwen', { adapters: {} })?.program,
      home: clientFolders('qwen')({ HOME: '/h' }).map((one) => one.path),
      login: clients.qwen.login({ code: null, text: '', env: { QWEN_API_KEY: 'k' }, textIn: () => undefined }),
      offered: PROPOSAL_WORDS.instructions,
      found: typeof findClients,
      hidden: hidden.includes('.qwen'),
      typed: configSchema().safeParse({ adapters: { mine: { type: 'qwen' } } }).success,
    };
    `,
  );
  const esbuild = join(project, 'node_modules/.bin/esbuild');
  const bundled = spawnSync(
    esbuild,
    [at('seen.ts'), `--outfile=${join(copy, 'seen.mjs')}`, '--bundle', '--platform=node'].concat([
      '--format=esm',
      '--packages=external',
      '--log-level=error',
    ]),
    { encoding: 'utf8' },
  );
  expect(bundled.stderr).toBe('');
  const { seen } = (await import(join(copy, 'seen.mjs'))) as { readonly seen: object };
  expect(seen).toEqual({
    refused: expect.stringContaining('.qwen only where a pattern names it'),
    runs: 'qwen.md',
    word: 'shell',
    agents: ['project .qwen/agents', 'home .qwen/agents'],
    guide: true,
    trusted: ['.qwen/settings.json', '.qwen/.env', '.qwen/extensions', '.qwen/policies'],
    program: 'qwen',
    home: ['/h/.qwen'],
    login: 'yes',
    offered: expect.stringContaining('QWEN.md'),
    found: 'function',
    hidden: true,
    typed: true,
  });
});
