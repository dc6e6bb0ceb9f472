/** What `tests` and `lsp_build_test` mean in a project, by the files in its root. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { detectChecks } from '../../src/engine/setup/project-checks.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

let root = '';
beforeEach(() => void (root = sealedFolder('checks')));

const scripts = (given: object): string => JSON.stringify({ scripts: given });
const ROWS: readonly (readonly [
  string,
  Record<string, string>,
  string | undefined,
  readonly string[],
])[] = [
  ['nothing', {}, undefined, []],
  [
    'npm',
    { 'package.json': scripts({ test: 'vitest', lint: 'x', build: 'x', typecheck: 'x' }) },
    'npm test',
    ['npm run typecheck', 'npm run lint', 'npm run build', 'npm test'],
  ],
  [
    'pnpm',
    { 'package.json': scripts({ test: 'vitest' }), 'pnpm-lock.yaml': '' },
    'pnpm run test',
    ['pnpm run test'],
  ],
  [
    'the test of npm init',
    { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1', lint: 'x' }) },
    undefined,
    ['npm run lint'],
  ],
  ['a broken package.json', { 'package.json': '{' }, undefined, []],
  ['scripts that are none', { 'package.json': scripts({ test: 1 }) }, undefined, []],
  [
    'make',
    { Makefile: 'X := 1\nbuild: x\n\tcc\ntest:\n\tsh t\n' },
    'make test',
    ['make build', 'make test'],
  ],
  ['cargo', { 'Cargo.toml': '' }, 'cargo test', ['cargo build', 'cargo test']],
  ['go', { 'go.mod': '' }, 'go test ./...', ['go vet ./...', 'go build ./...', 'go test ./...']],
  [
    'pytest',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n' },
    'python -m pytest',
    ['ruff check .', 'python -m pytest'],
  ],
  ['python without tests', { 'pyproject.toml': '' }, undefined, []],
  [
    'a package without a test, and make',
    { 'package.json': scripts({ build: 'x' }), Makefile: 'test:\n' },
    'make test',
    ['make test'],
  ],
];

test.each(ROWS)('%s', (_, files, tests, all) => {
  mkdirSync(join(root, 'src'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const found = detectChecks(realDisk, root);
  expect(found.get('tests')).toEqual(tests === undefined ? undefined : [`run: ${tests}`]);
  expect(found.get('lsp_build_test') ?? []).toEqual(all.map((one) => `run: ${one}`));
});
