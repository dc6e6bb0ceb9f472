/** Each test file is in exactly one of the sets that vitest.config.ts makes, and no pattern is left over. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { NIGHTLY, STORIES } from '../support/sets.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILES = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name}`)
  .toSorted();

interface Listed {
  readonly file: string;
  readonly projectName: string;
}

/** As vitest itself lists them. */
function listed(): readonly Listed[] {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const args = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'];
  const ran = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: Object.fromEntries(own),
  });
  const all = JSON.parse(ran.stdout) as readonly Listed[];
  return all.map(({ file, projectName }) => ({ file: relative(ROOT, file), projectName }));
}

test('each test file is in exactly one set', () => {
  const all = listed();
  expect(all.map(({ file }) => file).toSorted()).toEqual(FILES);
  expect(new Set(all.map(({ projectName }) => projectName))).toEqual(
    new Set(['default', 'stories', 'nightly']),
  );
});

test('each pattern of a set matches a file, each of its names too', () => {
  const names = [...STORIES, ...NIGHTLY].flatMap((pattern) => {
    const [, before = pattern, list = '', after = ''] = /^(.*)\{(.+)\}(.*)$/.exec(pattern) ?? [];
    return list.split(',').map((name) => before + name + after);
  });
  const hasFile = (name: string): boolean => FILES.some((file) => picomatch.isMatch(file, name));
  expect(names.filter((name) => !hasFile(name))).toEqual([]);
});

test('each set has a command, and CI runs the default set and the stories', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['test']).toMatch(/vitest run --project default$/);
  expect(scripts['test:stories']).toMatch(/vitest run --project stories$/);
  expect(scripts['test:nightly']).toMatch(/vitest run --project nightly\b/);
  const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  expect(ci).toMatch(/^npm cit\b/m);
  expect(ci).toMatch(/^npm run test:stories\b/m);
});
