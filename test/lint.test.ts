/**
 * The lint really holds the directions of the house: an import that points up, and a loop, are planted
 * in a copy of src/ and must be found; the copy without them must be clean. Runs the real oxlint.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const project = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'contracts-lint-'));

interface Found {
  readonly filename: string;
  readonly code: string;
}

function lint(): Found[] {
  const bin = join(project, 'node_modules/oxlint/bin/oxlint');
  const run = spawnSync(process.execPath, [bin, '--deny-warnings', '--format', 'json'], {
    cwd: copy,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: Found[] };
  expect(run.status).toBe(diagnostics.length === 0 ? 0 : 1);
  return diagnostics;
}

/** From a room, to a file of a room that it must not know. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['core', 'text/lines.ts'],
  ['core', 'store/hash.ts'],
  ['core', 'engine/step.ts'],
  ['core', 'cli/frame.ts'],
  ['text', 'store/hash.ts'],
  ['text', 'agent/program.ts'],
  ['text', 'catalog/agents.ts'],
  ['text', 'engine/step.ts'],
  ['text', 'cli/frame.ts'],
  ['store', 'text/lines.ts'],
  ['store', 'agent/program.ts'],
  ['store', 'engine/step.ts'],
  ['store', 'cli/frame.ts'],
  ['agent', 'text/lines.ts'],
  ['agent', 'store/hash.ts'],
  ['agent', 'engine/step.ts'],
  ['agent', 'cli/frame.ts'],
  ['agent/adapters', 'engine/step.ts'],
  ['agent/adapters', 'store/hash.ts'],
  ['catalog', 'text/lines.ts'],
  ['catalog', 'engine/step.ts'],
  ['catalog', 'cli/frame.ts'],
  ['engine', 'cli/frame.ts'],
  ['engine/attempt', 'cli/frame.ts'],
];

const plantedName = (from: string, to: string): string =>
  `src/${from}/planted-${to.replace(/\W/g, '-')}.ts`;

const PLANTED: readonly (readonly [string, string])[] = [
  ...FORBIDDEN.map(([from, to]) => {
    const up = from.includes('/') ? '../../' : '../';
    const lines = [
      `import * as value from '${up}${to}';`,
      `import type * as type from '${up}${to}';`,
      'export const one: typeof type = value;',
    ];
    return [plantedName(from, to), lines.join('\n')] as const;
  }),
  ['src/core/planted-disk.ts', "import 'node:fs';\n"],
  ['src/engine/planted-disk.ts', "import 'node:fs';\n"],
  ['src/engine/planted-start.ts', "import 'node:child_process';\n"],
  ['src/engine/verbs/planted-disk.ts', "import 'node:fs';\n"],
  ['src/text/planted-disk.ts', "import 'node:fs/promises';\n"],
  [
    'src/store/loop-a.ts',
    "import { b } from './loop-b.ts';\nexport const a = (): number => b();\n",
  ],
  [
    'src/store/loop-b.ts',
    "import { a } from './loop-a.ts';\nexport const b = (): number => a();\n",
  ],
  ['src/core/type-a.ts', "import type { B } from './type-b.ts';\nexport type A = B | 1;\n"],
  ['src/core/type-b.ts', "import type { A } from './type-a.ts';\nexport type B = A[];\n"],
];

let clean: readonly Found[] = [];
let found: readonly Found[] = [];
beforeAll(() => {
  for (const path of ['src', '.oxlintrc.json']) {
    cpSync(join(project, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  clean = lint();
  for (const [path, text] of PLANTED) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  found = lint();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const codesOf = (path: string): string[] =>
  found.filter(({ filename }) => filename.endsWith(path)).map(({ code }) => code);

test('the copy is clean before anything is planted', () => {
  expect(clean).toEqual([]);
});

test.each(FORBIDDEN)('%s must import neither values nor types of %s', (from, to) => {
  const codes = codesOf(plantedName(from, to));
  expect(codes.filter((code) => code.includes('no-restricted-imports'))).toHaveLength(2);
});

test.each([
  'src/core/planted-disk.ts',
  'src/engine/planted-disk.ts',
  'src/engine/planted-start.ts',
  'src/engine/verbs/planted-disk.ts',
  'src/text/planted-disk.ts',
])('%s: the room may not use this module of Node', (path) => {
  expect(codesOf(path).join()).toContain('no-restricted-imports');
});

test.each(['src/store/loop-a.ts', 'src/core/type-a.ts'])(
  'a loop is found, of types too: %s',
  (path) => {
    expect(codesOf(path).join()).toContain('no-cycle');
  },
);
