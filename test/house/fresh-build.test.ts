/**
 * When dist/ is built: never twice of the same sources, and again whenever they or what was made of them
 * differ. In a clone whose bundlers and tsc are MOCKS that copy src/index.ts, count, and can be held.
 */
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundled, stop } from 'esbuild';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url));
const MOCK_TSC = `import fs from 'node:fs';
const into = process.argv.at(-1);
fs.copyFileSync('src/index.ts', into + '/index.d.ts');
fs.writeFileSync(into + '/unnamed.d.ts', '');
`;
const MOCK_PAGE = 'export async function buildPage() {}';
const MOCK_BUNDLER = `import fs from 'node:fs';
export async function bundleCommand(root, dist) {
  fs.appendFileSync(root + 'builds', 'one\\n');
  fs.mkdirSync(dist + '/bin');
  fs.copyFileSync(root + 'src/index.ts', dist + '/bin/contracts.cjs');
  while (fs.existsSync(root + 'held')) await new Promise((go) => setTimeout(go, 5));
  fs.copyFileSync(root + 'src/index.ts', dist + '/bin/all.cjs');
}
`;

let clone = '';
beforeEach(() => {
  clone = sealedFolder('fresh');
  for (const name of ['build', 'fresh', 'lock']) put(`scripts/${name}.mjs`, script(`${name}.mjs`));
  put('scripts/bundle.mjs', MOCK_BUNDLER);
  put('scripts/page.mjs', MOCK_PAGE);
  put('node_modules/esbuild/package.json', '{}');
  put('node_modules/typescript/bin/tsc', MOCK_TSC);
  put('node_modules/typescript/package.json', '{ "type": "module" }');
  put('package.json', '{ "type": "module" }');
  put('src/index.ts', 'first');
  put('templates/brief.hbs', 'brief');
});

const script = (name: string): string => fs.readFileSync(join(SCRIPTS, name), 'utf8');

const put = (path: string, text: string): void => putFile(join(clone, path), text);

function builds(): number {
  return fs.existsSync(join(clone, 'builds')) ? read('builds').split('\n').length - 1 : 0;
}

const read = (path: string): string => fs.readFileSync(join(clone, path), 'utf8');

interface Building {
  readonly out: Promise<string>;
  /** Until it prints something. */
  readonly speaks: Promise<void>;
  kill(): void;
}

/** Gives what it prints, with its exit code where that is not 0. */
function build(): Building {
  const child = spawn(process.execPath, [join(clone, 'scripts/build.mjs')], { cwd: clone });
  let text = '';
  const speaks = new Promise<void>((heard) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more;
        heard();
      });
    }
  });
  const out = new Promise<string>((done) => {
    child.once('close', (code) => done(code === 0 ? text : `${text}exit ${code ?? 'by a signal'}`));
  });
  return { out, speaks, kill: () => child.kill('SIGKILL') };
}

test('it is built once, with a line, and without a word no more', async () => {
  expect(await build().out).toMatch(/^built dist\/ in \d+\.\d s\n$/);
  expect(await build().out).toBe('');
  expect(builds()).toBe(1);
  expect(fs.readdirSync(join(clone, 'dist')).toSorted()).toEqual(['.build', 'bin', 'index.d.ts']);
  expect(fs.readdirSync(join(clone, 'dist/.build'))).toEqual(['stamp']);
});

test.each([
  ['a source', () => put('src/index.ts', 'other')],
  ['a new source', () => put('src/more.ts', '')],
  ['a template', () => put('templates/brief.hbs', 'other')],
  ['a script that builds', () => put('scripts/bundle.mjs', `${MOCK_BUNDLER}// other`)],
  ['an installed package', () => put('node_modules/.package-lock.json', '{}')],
  ['the wanted packages', () => put('package-lock.json', '{}')],
  ['a lost file of dist', () => fs.rmSync(join(clone, 'dist/bin/all.cjs'))],
  ['a file of dist that was written', () => put('dist/bin/all.cjs', 'other')],
  ['a strange file in dist', () => put('dist/old/left.d.ts', '')],
  ['no dist', () => fs.rmSync(join(clone, 'dist'), { recursive: true })],
])('%s: it is built again', async (_what, change) => {
  await build().out;
  change();
  expect(await build().out).toContain('built');
  expect(builds()).toBe(2);
  expect(read('dist/bin/all.cjs')).toBe(read('src/index.ts'));
  expect(fs.readdirSync(join(clone, 'dist')).toSorted()).toEqual(['.build', 'bin', 'index.d.ts']);
  expect(await build().out).toBe('');
});

test('what else changes builds nothing', async () => {
  await build().out;
  put('test/a.test.ts', '');
  put('scripts/walk.mjs', '');
  fs.utimesSync(join(clone, 'src/index.ts'), 1, 1);
  expect(await build().out).toBe('');
});

async function half(): Promise<Building> {
  const before = builds();
  put('held', '');
  const first = build();
  await until(() => builds() > before);
  return first;
}

test('a build that is killed half-way leaves dist as it was, and is made again', async () => {
  await build().out;
  put('src/index.ts', 'second');
  const killed = await half();
  killed.kill();
  await killed.out;
  expect(read('dist/bin/contracts.cjs')).toBe('first');
  fs.rmSync(join(clone, 'held'));
  expect(await build().out).toContain('built');
  expect(read('dist/bin/contracts.cjs')).toBe('second');
  expect(fs.readdirSync(join(clone, 'dist/.build'))).toEqual(['stamp']);
});

test('of builds at once one builds, and the others wait for it', async () => {
  const first = await half();
  const others = [build(), build()];
  await Promise.all(others.map(({ speaks }) => speaks));
  fs.rmSync(join(clone, 'held'));
  expect(await first.out).toContain('built');
  for (const other of others) expect(await other.out).toMatch(/^waiting for process \d+, .*\n$/);
  expect(builds()).toBe(1);
});

test('a source that changes during the build is built again', async () => {
  const first = await half();
  put('src/index.ts', 'second');
  fs.rmSync(join(clone, 'held'));
  await first.out;
  expect(await build().out).toContain('built');
  expect(read('dist/bin/contracts.cjs')).toBe('second');
});

test('a lock whose process ended, though another has its id now, holds nobody up', async () => {
  put('dist/.build/lock', `${process.pid} 1`);
  expect(await build().out).toMatch(/^built/);
});

test('the hash has every script that builds', async () => {
  // Its service outlives a build.
  onTestFinished(stop);
  const { metafile } = await bundled({
    entryPoints: [join(SCRIPTS, 'build.mjs')],
    absWorkingDir: dirname(SCRIPTS),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
  });
  // Typed as its text alone: scripts have no declarations.
  const { SOURCES } = (await import(join(SCRIPTS, 'fresh.mjs'))) as { SOURCES: string[] };
  expect(SOURCES.filter((path) => path.startsWith('scripts/')).toSorted()).toEqual(
    Object.keys(metafile.inputs).toSorted(),
  );
});
