/** Each test file is in exactly one of the sets that vitest.config.ts makes, and no pattern is left over. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import {
  IN_PART,
  LONG,
  NIGHT_MINUTES,
  NIGHT_PARTS,
  NIGHTLY,
  PROOFS,
  STORIES,
} from '../support/sets.ts';
import { isPlayed } from '../support/share.ts';

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
  const begins = (name: string): boolean => FILES.some((file) => file.startsWith(name));
  expect(LONG.filter((name) => !begins(name))).toEqual([]);
});

test('of which files a part is played is said once for each, and all are stories', () => {
  const found = IN_PART.map(([pattern]) =>
    FILES.filter((file) => picomatch.isMatch(file, pattern)),
  );
  expect(found.filter((files) => files.length === 0)).toEqual([]);
  expect(new Set(found.flat()).size).toBe(found.flat().length);
  expect(found.flat().filter((file) => !picomatch.isMatch(file, [...STORIES]))).toEqual([]);
  const chooses = (file: string): boolean =>
    readFileSync(join(ROOT, file), 'utf8').includes('support/share.ts');
  expect(found.flat().filter(chooses)).toEqual([]);
});

test.each(IN_PART)('of %s one commit in %i plays a test, and each plays some', (pattern, n) => {
  const file = FILES.find((one) => picomatch.isMatch(one, pattern)) ?? '';
  const ids = Array.from({ length: 2 * n }, (_, i) => `-123_0_${i}`);
  const plays = Array.from({ length: n }, (_, commit) =>
    ids.filter((id) => isPlayed(file, id, commit)),
  );
  expect(plays.flat().toSorted()).toEqual(ids.toSorted());
  expect(plays.map(({ length }) => length)).toEqual(Array.from({ length: n }, () => 2));
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

const PARTS = Object.keys(NIGHT_PARTS);
const nightFiles = FILES.filter((file) => picomatch.isMatch(file, [...NIGHTLY]));

test('each file of the night is a part, which its name alone calls', () => {
  expect(nightFiles).toEqual(PARTS.toSorted().map((name) => `test/nightly/${name}.test.ts`));
  const called = PARTS.map((name) => nightFiles.filter((file) => file.includes(name)));
  expect(called.filter((files) => files.length !== 1)).toEqual([]);
});

test('a night has the time for all parts, and CONTRIBUTING names each with its own', () => {
  const minutes = Object.values(NIGHT_PARTS).reduce((sum: number, one) => sum + one, 0);
  expect(minutes).toBeLessThanOrEqual(NIGHT_MINUTES);
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` \| (\d+) \|/gm)];
  expect(Object.fromEntries(rows.map(([, name = '', time]) => [name, Number(time)]))).toEqual(
    NIGHT_PARTS,
  );
});

test('each long proof has its files, and each part of the night is of one', () => {
  const proofs = Object.values(PROOFS);
  expect(new Set(proofs.flatMap(({ night }) => night))).toEqual(new Set(PARTS));
  const calls = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  const isPlayed = (file: string): boolean =>
    file.startsWith('scripts/')
      ? calls.includes(`node ${file}`)
      : FILES.includes(file) && !nightFiles.includes(file);
  expect(proofs.flatMap(({ ci }) => ci).filter((file) => !isPlayed(file))).toEqual([]);
});
