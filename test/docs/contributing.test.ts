/** CONTRIBUTING and AGENTS.md as the code is: diffs, commands, files and sets of tests. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { NIGHTLY, STORIES } from '../support/sets.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const AGENTS = readFileSync(join(ROOT, 'AGENTS.md'), 'utf8');

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

test.each([
  ['CONTRIBUTING.md', PAGE],
  ['AGENTS.md', AGENTS],
])('each npm script and each file that %s names is there', (_, page) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const named = [...page.matchAll(/\bnpm run ([\w:-]+)/g)].map((one) => one[1] ?? '');
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const files = [
    ...page.matchAll(/\b((?:scripts|test|src)\/[\w/.-]*\w)/g),
    ...page.matchAll(/\]\(([\w/.-]+)/g),
  ].map((one) => one[1] ?? '');
  expect(files.length).toBeGreaterThan(12);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('AGENTS.md is short, and each pattern has an example that is so and an anti-pattern', () => {
  expect(Buffer.byteLength(AGENTS)).toBeLessThanOrEqual(4096);
  const rows = (AGENTS.split('## Patterns')[1] ?? '').match(/^\| [^-].*\|$/gm)?.slice(1) ?? [];
  expect(rows.length).toBeGreaterThanOrEqual(10);
  for (const row of rows) {
    const [, pattern = '', as = '', not = ''] = row.split('|').map((cell) => cell.trim());
    const file = /^`((?:src|test)\/[\w/.-]+)`$/.exec(as)?.[1];
    expect(file, row).toBeDefined();
    expect(not, row).not.toBe('');
    const quoted = /"(.+)"/.exec(pattern)?.[1] ?? '';
    expect(linesOf(file ?? '').replace(/\n \* /g, ' ')).toContain(quoted);
  }
});
