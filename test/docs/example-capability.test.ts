/**
 * The example of docs/architecture.md, in a copy of this project: three files and a line in the list of
 * capabilities bring a check, a section of the brief and a command, and nothing else is changed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = fs.readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const FILES = [...PAGE.matchAll(/^`(src\/todos\/[a-z.]+)`:\n\n```ts\n([^]*?)^```$/gm)].map(
  ([, path = '', text = '']) => ({ path, text }),
);
const CONTRACT = `---
v: 1
title: Write notes
adapter: shell
deliverables: [notes.md]
verify: ['no_todo: notes.md']
---

# Write notes

## Objective

Notes without anything left to do.

## Success Criteria

- [ ] notes.md is complete

## Steps

\`\`\`sh
if [ -e notes.md ]; then echo all > notes.md; else echo 'TODO: the rest' > notes.md; fi
\`\`\`
`;

let copy: string;

const put = (path: string, text: string): void => putFile(join(copy, path), text);

function node(...args: readonly string[]): void {
  execFileSync(process.execPath, args, { cwd: copy, stdio: 'pipe' });
}

const contracts = (...args: readonly string[]): string =>
  said(join(copy, 'dist/bin/contracts.cjs'), args);

function said(binary: string, args: readonly string[]): string {
  const argv = [binary, '--dir', join(copy, 'work'), ...args];
  const { stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, CONTRACTS_TRUST: '1', XDG_CACHE_HOME: join(copy, 'cache') },
  });
  return stdout + stderr;
}

beforeAll(() => {
  copy = sealedFolder('example');
  for (const name of ['src', 'templates', 'schemas', 'scripts', 'package.json', 'tsconfig.json'])
    fs.cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  fs.cpSync(join(ROOT, 'tsconfig.build.json'), join(copy, 'tsconfig.build.json'));
  fs.symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const { path, text } of FILES) put(path, text);
  const list = fs.readFileSync(join(copy, 'src/capabilities.ts'), 'utf8');
  const joined = `import { todos } from './todos/capability.ts';\n${list.replace('= [', '= [\n  todos,')}`;
  put('src/capabilities.ts', joined);
  put('work/active_tasks/ready/notes/contract.md', CONTRACT);
  const tsc = 'node_modules/typescript/bin/tsc';
  node(tsc, '-p', 'tsconfig.build.json', '--noEmit', '--emitDeclarationOnly', 'false');
  // The command alone, without the types of the library.
  const code = "await (await import('./scripts/bundle.mjs')).bundleCommand(process.cwd());";
  node('--input-type=module', '--eval', code);
});

test('the example has 60 lines at most', () => {
  const lines = FILES.flatMap(({ text }) => text.trimEnd().split('\n'));
  expect(FILES).toHaveLength(3);
  expect(lines.length).toBeLessThanOrEqual(60);
});

test('the example brings a check, a section of the brief and a command', () => {
  expect(contracts('help', '--all')).toContain('TODO lines in what tasks deliver');
  expect(contracts('step')).toContain('check failed: no_todo: notes.md');
  expect(contracts('todos')).toBe('notes.md:1\n');
  expect(contracts('step')).toContain('notes  review → done');
  expect(contracts('todos')).toBe('');
  const briefs = fs
    .readdirSync(join(copy, 'work/active_tasks'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/brief.md'))
    .map((path) => fs.readFileSync(join(copy, 'work/active_tasks', path), 'utf8'));
  expect(briefs.map((text) => text.includes('## TODO\n\nnotes.md:1\n')).sort()).toEqual([
    false,
    true,
  ]);
});

test('without its line, as this project is, the check is unknown', () => {
  const plain = (...args: readonly string[]): string => said(BINARY, args);
  put('work/active_tasks/ready/again/contract.md', CONTRACT);
  expect(plain('check', '--json')).toContain('"code":"unknown_check"');
  expect(plain('step')).not.toContain('check failed');
  expect(plain('todos')).toContain('todos');
  expect(fs.existsSync(join(copy, 'work/active_tasks/ready/again/contract.md'))).toBe(true);
});
