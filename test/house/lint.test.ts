/**
 * The lint really holds the layout: imports that point up, loops, and files in the wrong place are planted
 * in a copy of src/ and must be found; the copy without them must be clean. Runs the real oxlint.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const copy = sealedFolder('lint');

interface Found {
  readonly filename: string;
  readonly code: string;
}

interface Config {
  readonly rules: Readonly<Record<string, unknown>>;
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: Readonly<Record<string, unknown>>;
  }[];
}

function lint(...more: readonly string[]): Found[] {
  const bin = join(project, 'node_modules/oxlint/bin/oxlint');
  const run = spawnSync(process.execPath, [bin, '--deny-warnings', '--format', 'json', ...more], {
    cwd: copy,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: Found[] };
  expect(run.status).toBe(diagnostics.length === 0 ? 0 : 1);
  return diagnostics;
}

/** Each room that docs/architecture.md orders, with a file of the room above it. */
function roomsAbove(): (readonly [string, string])[] {
  const text = readFileSync(join(project, 'docs/architecture.md'), 'utf8');
  const [, table = ''] = text.split('| in | rooms, lower first |');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (`.+`) \| (`.+`) \|$/gm)];
  const words = (cell = ''): string[] =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
  return rows.flatMap(([, folders, cell = '']) => {
    const orders = cell.split(';').map(words);
    return words(folders).flatMap((folder, i) =>
      (orders[i] ?? []).slice(1).map((above, n) => {
        const room = join('src', folder, above);
        const [file = ''] = readdirSync(join(project, room), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts'))
          .toSorted();
        return [`${folder}/${orders[i]?.[n]}`, `${folder}/${above}/${file}`] as const;
      }),
    );
  });
}

/** From a folder, to a file that it must not import. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['task/core/base', 'task/text/markdown/sections.ts'],
  ['task/core/base', 'task/store/disk/hash.ts'],
  ['permissions/core', 'engine/step/step.ts'],
  ['engine/core/decide', 'engine/board/board.ts'],
  ['plans/core', 'plans/text/plan.ts'],
  ['plans/core', 'delegation/core/child-rules.ts'],
  ['task/text/markdown', 'process/program.ts'],
  ['task/store/disk', 'workspace/open/workspace.ts'],
  ['process', 'workspace/open/workspace.ts'],
  ['git', 'clients/adapters/clients.ts'],
  ['clients/adapters', 'agents/engine/registry.ts'],
  ['workspace/open', 'engine/step/step.ts'],
  ['agents/engine', 'trust/trust.ts'],
  ['worktrees/engine', 'engine/step/step.ts'],
  ['permissions/engine/audit', 'engine/step/step.ts'],
  ['sandbox/engine', 'engine/step/step.ts'],
  ['sandbox/engine', 'squads/core/squad.ts'],
  ['engine/step', 'cli/output/age.ts'],
  ['engine/step', 'squads/core/squad.ts'],
  ['engine/core/decide', 'checkpoints/core/checkpoint.ts'],
  ['workspace/tasks', 'checkpoints/core/checkpoint.ts'],
  ['engine/step', 'plans/core/plan-ids.ts'],
  ['cli/output', 'plans/core/plan-ids.ts'],
  ['squads/engine', 'checkpoints/core/checkpoint.ts'],
  ['checkpoints/engine', 'plans/core/plan-ids.ts'],
  ['plans/engine/start', 'delegation/core/child-rules.ts'],
  ...roomsAbove(),
  // From a room to one above it.
  // A room that the order does not have.
  ['engine/planted', 'engine/core/judge/judge.ts'],
  ['plans/text', 'plans/engine/start/find-plans.ts'],
  ['squads/engine', 'squads/cli/squad.ts'],
];

const plantedName = (from: string, to: string): string =>
  `src/${from}/planted-${to.replace(/\W/g, '-')}.ts`;

const upFrom = (from: string): string => '../'.repeat(from.split('/').length);

const CLOCKS = 'scripts/clocks.json';

/** What is wrong in a file by itself, with the rule that finds it, once. */
const ALONE: readonly (readonly [rule: string, folder: string, text: string])[] = [
  ['no-restricted-imports', 'src/engine/step', "export * from 'node:fs';"],
  ['no-restricted-imports', 'src/engine/step', "export * from 'node:child_process';"],
  ['no-restricted-imports', 'src/plans/engine/start', "export * from 'node:fs';"],
  ['no-restricted-imports', 'src/task/text/markdown', "export * from 'node:fs/promises';"],
  ['imports', 'src/task/core/base', "export * from 'node:fs';"],
  ['comments', 'src/git', '/** Of the one that is meant. */\nexport const riddle = 1;'],
  ['clients', 'src/git', "export const both = ['claude', '.gemini/x'];"],
  ['clients', 'src/clients/codex', '// As OpenCode does.\nexport const codex = 1;'],
  ['max-lines-per-function', 'src/git', `export function long() {\n${'  long();\n'.repeat(70)}}`],
  // By a name without a path, in each way that the project starts programs.
  ...[
    "const { spawn } = all; spawn('git', ['log']);",
    "all.spawnSync('bwrap', []);",
    "all.execFileSync('gh', [], {});",
    'all.execFileSync(`claude`, [], {});',
    "all.runInTerminal(['vi', 'x'], {});",
    "all.runDetached({ cwd: '/', argv: ['notify-send', 'x'] });",
  ].map((call) => ['starts', 'src/process', `export const start = (all) => { ${call} };`] as const),
  // The clock of the machine, past the one that a test sets.
  ...[
    'Date.now()',
    'new Date()',
    'performance.now()',
    'process.hrtime()',
    'process.hrtime.bigint()',
    'Date.now',
  ].map(
    (read) => ['clocks', 'src/git', `export const all = [${read}, new Date('2026')];`] as const,
  ),
  [
    'clocks',
    'src/git',
    "import { elapsedMs } from '../process/elapsed.ts';\nexport const elapsed = elapsedMs;",
  ],
  ...["mkdtempSync('x')", "fs.mkdtempSync('x')", 'tmpdir()'].map(
    (call) => ['sealed', 'test', `export const made = ${call};`] as const,
  ),
  ...[
    "test.skip('x', f)",
    "test.skip.each([1])('x', f)",
    "test.fails.each`a${1}`('x', f)",
    "describe.skip.each([1])('x', f)",
    "describe['only']('x', f)",
    "test.todo('x')",
    "test('x', { skip: !works }, f)",
    "test.each([1])('x', { fails: true }, f)",
    "test('x', (ctx) => ctx.skip())",
    "test('x', ({ skip }) => skip)",
    "test.skipIf(true)('x', f)",
    "describe.runIf(0)('x', f)",
  ].map((call) => ['played', 'test', `${call};`] as const),
];
const plantedAlone = (i: number): string => `${ALONE[i]?.[1]}/planted-alone-${i}.ts`;

const PLANTED: readonly (readonly [string, string])[] = [
  ...FORBIDDEN.map(([from, to]) => {
    const lines = [
      `import * as value from '${upFrom(from)}${to}';`,
      `import type * as type from '${upFrom(from)}${to}';`,
      `export const lazy = () => import('${upFrom(from)}${to}');`,
      'export const one: typeof type = value;',
    ];
    return [plantedName(from, to), lines.join('\n')] as const;
  }),
  ['src/task/text/astray.ts', 'export const astray = 1;\n'],
  ...Array.from(
    { length: 26 },
    (_, i) => [`src/plans/crowded/file-${i}.ts`, `export const file = ${i};\n`] as const,
  ),
  [
    'src/process/loop-a.ts',
    "import { b } from './loop-b.ts';\nexport const a = (): number => b();\n",
  ],
  [
    'src/process/loop-b.ts',
    "import { a } from './loop-a.ts';\nexport const b = (): number => a();\n",
  ],
  ...ALONE.map(([, , text], i) => [plantedAlone(i), `${text}\n`] as const),
  ['src/git/type-a.ts', "import type { B } from './type-b.ts';\nexport type A = B | 1;\n"],
  ['src/git/type-b.ts', "import type { A } from './type-a.ts';\nexport type B = A[];\n"],
];

/** How many doc comments of each file begin with a word that stands for its subject. */
const COUNTS = 'scripts/doc-comments.json';
const counts = JSON.parse(readFileSync(join(project, COUNTS), 'utf8')) as Record<string, number>;

const clocks = JSON.parse(readFileSync(join(project, CLOCKS), 'utf8')) as Record<string, string[]>;
const config = JSON.parse(readFileSync(join(project, '.oxlintrc.json'), 'utf8')) as Config;
const LONG =
  config.overrides.find(({ rules }) => rules['eslint/max-lines-per-function'] === 'off')?.files ??
  [];
const [read = ''] = Object.keys(clocks);

let clean: readonly Found[] = [];
let found: readonly Found[] = [];
beforeAll(() => {
  for (const path of ['src', '.oxlintrc.json', 'scripts/house-lint.mjs', COUNTS, CLOCKS]) {
    cpSync(join(project, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  clean = lint();
  const [name = ''] = Object.keys(counts);
  writeFileSync(join(copy, COUNTS), JSON.stringify({ ...counts, [name]: 100 }));
  const more = { ...clocks, [read]: ['too many', ...(clocks[read] ?? [])] };
  writeFileSync(join(copy, CLOCKS), JSON.stringify(more));
  for (const [path, text] of PLANTED) putFile(join(copy, path), text);
  found = lint();
});

const codesOf = (path: string): string[] =>
  found.filter(({ filename }) => filename.endsWith(path)).map(({ code }) => code);

test('the copy is clean before anything is planted', () => {
  expect(clean).toEqual([]);
});

test('the architecture has the orders of rooms', () => {
  expect(new Set(roomsAbove().map(([from]) => from.split('/')[0]))).toEqual(
    new Set(['engine', 'cli', 'workspace', 'task', 'permissions', 'clients']),
  );
});

test.each(FORBIDDEN)(
  '%s must import neither values nor types of %s, nor load it late',
  (from, to) => {
    const codes = codesOf(plantedName(from, to));
    expect(codes.filter((code) => code === 'house(imports)')).toHaveLength(3);
  },
);

test.each(ALONE.map(([rule, , text], i) => [rule, text.split('\n')[0], plantedAlone(i)]))(
  '%s finds %s',
  (rule, _, path) => {
    expect(codesOf(path).map((code) => code.replace(/^\w+\((.+)\)$/, '$1'))).toEqual([rule]);
  },
);

test.each(['src/task/text/astray.ts', 'src/plans/crowded/file-0.ts'])(
  'a file beside rooms, or a folder of more than 25 files: %s',
  (path) => {
    expect(codesOf(path)).toContain('house(places)');
  },
);

test.each(['src/process/loop-a.ts', 'src/git/type-a.ts'])(
  'a loop is found, of types too: %s',
  (path) => {
    expect(codesOf(path).join()).toContain('no-cycle');
  },
);

test('a count of doc comments that is too high is found', () => {
  expect(codesOf(`src/${Object.keys(counts)[0]}`)).toEqual(['house(comments)']);
  expect(Object.keys(counts).filter((path) => !existsSync(join(project, 'src', path)))).toEqual([]);
});

test('who may read the clock of the machine is a list', () => {
  expect(codesOf(`src/${read}`)).toEqual(['house(clocks)']);
  expect(Object.keys(clocks).filter((path) => !existsSync(join(project, 'src', path)))).toEqual([]);
});

const LOWER = 'none is added; where one is gone, lower the number';

test.each([
  [CLOCKS, Object.values(clocks).flat().length, 9],
  [COUNTS, Object.values(counts).reduce((sum, one) => sum + one), 163],
  ['the rules that are off', Object.values(config.rules).filter((is) => is === 'off').length, 11],
])('%s: the list only shrinks', (_, count, most) => {
  expect(count, LOWER).toBe(most);
});

test('an override takes back a rule for these alone', () => {
  const back = config.overrides.filter(({ rules }) =>
    Object.entries(rules).some(([rule, is]) => is === 'off' && rule !== 'no-console'),
  );
  expect(back.flatMap(({ files }) => files).filter((one) => !LONG.includes(one))).toEqual([
    'vitest*.config.ts',
    'scripts/house-lint.mjs',
    'test/support/{run,sealed}-folder.ts',
    'test/support/seal.ts',
    'test/support/property.ts',
    'templates/opencode-plugin.js',
  ]);
});

test('the list of files with longer functions has those alone: it only shrinks', () => {
  const overrides = config.overrides.filter(({ files }) => files !== LONG);
  writeFileSync(join(copy, 'all.json'), JSON.stringify({ ...config, overrides }));
  const long = lint('-c', 'all.json', ...LONG).filter(({ code }) => code.includes('max-lines'));
  expect(new Set(long.map(({ filename }) => filename))).toEqual(new Set(LONG));
  expect(long, LOWER).toHaveLength(6);
});
