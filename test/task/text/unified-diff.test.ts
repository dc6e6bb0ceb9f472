/**
 * Patches: whatever two texts are, `git apply` makes the one out of the other, and back again.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filePatch, type FileChange } from '../../../src/task/text/markdown/unified-diff.ts';
import { sealedEnv, sealedFolder } from '../../support/sealed-folder.ts';
import * as fc from '../../support/property.ts';

const folder = sealedFolder('diff');

function lay(path: string, text: string | undefined, mode = 0o644): void {
  rmSync(join(folder, path), { force: true });
  if (text !== undefined) writeFileSync(join(folder, path), Buffer.from(text, 'latin1'), { mode });
}

function lies(path: string): string | undefined {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, 'latin1') : undefined;
}

function apply(patch: string, ...flags: string[]): void {
  execFileSync('git', ['apply', '--whitespace=nowarn', ...flags], {
    cwd: folder,
    input: Buffer.from(patch, 'latin1'),
    stdio: ['pipe', 'ignore', 'pipe'],
    env: sealedEnv(),
  });
}

function thereAndBack(change: FileChange): void {
  const { path, before, after } = change;
  const patch = filePatch(change);
  lay(path, before, change.mode_before);
  apply(patch);
  expect(lies(path)).toBe(after);
  apply(patch, '-R');
  expect(lies(path)).toBe(before);
}

const NUMBERS = Array.from({ length: 40 }, (_, n) => `line ${n}\n`).join('');

test.each<[string, FileChange]>([
  ['a line changed', { path: 'a.txt', before: NUMBERS, after: NUMBERS.replace('e 7\n', 'e x\n') }],
  [
    'two far from each other',
    { path: 'a.txt', before: NUMBERS, after: NUMBERS.replace('e 2\n', '').replace('e 33', 'z') },
  ],
  ['made', { path: 'b c.txt', before: undefined, after: 'new\n' }],
  ['removed', { path: 'd.txt', before: 'old', after: undefined }],
  ['without a last newline', { path: 'a.txt', before: 'x\ny', after: 'x\ny\n' }],
  ['CRLF and high bytes', { path: 'a.txt', before: 'x\r\n\xff\n', after: 'x\n\xfe\r\n' }],
  ['emptied', { path: 'a.txt', before: 'x\n', after: '' }],
  ['a name that begins and ends with a blank', { path: ' b c ', before: 'x\n', after: 'y\n' }],
  ['made, with a blank at the end', { path: 'b c ', before: undefined, after: 'new\n' }],
  ['removed, with a tab in its name', { path: 'b\tc', before: 'old\n', after: undefined }],
  ['a name with quotes', { path: 'ü "x"\\.txt', before: 'x\n', after: 'y\n' }],
])('%s', (_name, change) => thereAndBack(change));

test('an executable bit goes there and back', () => {
  const change = { path: 'run.sh', before: 'x\n', after: 'x\n' };
  const patch = filePatch({ ...change, mode_before: 0o644, mode_after: 0o755 });
  lay('run.sh', 'x\n');
  apply(patch);
  expect(statSync(join(folder, 'run.sh')).mode & 0o100).toBe(0o100);
});

test('what is the same has no patch', () => {
  expect(filePatch({ path: 'a', before: 'x\n', after: 'x\n' })).toBe('');
});

test('texts with thousands of differences have a patch as well', () => {
  const lines = (by: number): string =>
    Array.from({ length: 5000 }, (_, n) => `${(n * by) % 4999}\n`).join('');
  thereAndBack({ path: 'big.txt', before: lines(7), after: lines(11) });
});

test('property: any two texts', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a', '-\n', '@@\n');
  const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      if (before !== after) thereAndBack({ path: 'p.txt', before, after });
    }),
    { numRuns: 60 },
  );
});
