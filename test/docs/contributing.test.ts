/** CONTRIBUTING as the code is: its diffs, its commands and its sets of tests. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { NIGHTLY, STORIES } from '../support/sets.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

interface Hunk {
  readonly file: string;
  /** With its sign. */
  readonly lines: readonly string[];
}

function hunksOf(page: string): readonly Hunk[] {
  const diffs = [...page.matchAll(/^```diff\n([^]*?)^```$/gm)].map((one) => one[1] ?? '');
  const files = diffs.flatMap((diff) => diff.split(/^--- .*\n\+\+\+ b\//m).slice(1));
  return files.flatMap((text) => {
    const [file = '', ...hunks] = text.split(/\n@@\n/);
    return hunks.map((hunk) => ({ file, lines: hunk.trimEnd().split('\n') }));
  });
}

const linesOf = (file: string): string =>
  existsSync(join(ROOT, file)) ? `\n${readFileSync(join(ROOT, file), 'utf8')}` : '';

/** What a hunk brings and keeps is in the file, in one piece; what it takes away is not. */
function isReal({ file, lines }: Hunk): boolean {
  const text = linesOf(file);
  const there = lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  const gone = lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
  return (
    there.length > 0 &&
    text.includes(`\n${there.join('\n')}\n`) &&
    !gone.some((line) => text.includes(`\n${line}\n`))
  );
}

test('each diff is out of files that are there', () => {
  const hunks = hunksOf(PAGE);
  expect(hunks.length).toBeGreaterThan(12);
  expect(hunks.filter((hunk) => !isReal(hunk))).toEqual([]);
});

test('a diff that is not of these files is found', () => {
  const diff = (file: string, hunk: string): readonly Hunk[] =>
    hunksOf(`\`\`\`diff\n--- a/${file}\n+++ b/${file}\n@@\n${hunk}\n\`\`\`\n`);
  const config = 'vitest.config.ts';
  expect(diff(config, '+export default defineConfig({').map(isReal)).toEqual([true]);
  expect(diff(config, '+export default defineConfig([').map(isReal)).toEqual([false]);
  expect(diff(config, '-export default defineConfig({').map(isReal)).toEqual([false]);
  expect(diff('gone.ts', '+export default defineConfig({').map(isReal)).toEqual([false]);
});

test('each set of tests is named, with all that moved into it', () => {
  const named = PAGE.split('## Tests')[1]?.split('## Measure')[0] ?? '';
  const folders = NIGHTLY.map((pattern) => pattern.replace(/\/\*.*/, ''));
  expect([...STORIES, ...folders].filter((one) => !named.includes(`\`${one}\``))).toEqual([]);
});

test('each npm script and each program that it names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const named = [...PAGE.matchAll(/\bnpm run ([\w:-]+)/g)].map((one) => one[1] ?? '');
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const files = [...PAGE.matchAll(/\b((?:scripts|test|src)\/[\w/.-]+\.(?:ts|mjs|json))/g)].map(
    (one) => one[1],
  );
  expect(files.filter((file) => !existsSync(join(ROOT, file ?? '')))).toEqual([]);
});
