/** What a verdict says about comments at lines: which lines are there, how many comments are taken. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { contractsIn } from '../support/binary.ts';
import { gitOf } from '../support/git.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

let root = '';
function contracts(...argv: readonly string[]): string {
  const env = { ...process.env, HOME: root, XDG_CONFIG_HOME: root };
  return contractsIn(root, argv, { env }).stdout;
}
beforeEach(() => void (root = sealedFolder('comments')));

function inReview(...more: readonly string[]): void {
  const sh = 'printf "one\\ntwo\\n" > two.txt; echo 1 > one.txt';
  const words = ['--id', 'x', '--deliverable', 'two.txt', '--gate', 'person', '--sh', sh, ...more];
  expect(contracts('do', 'x', ...words)).toContain('waits for a verdict');
}

const WORDS = [
  'two.txt:1: first',
  'two.txt:2: second',
  'two.txt:3: third',
  'one.txt:120: fourth',
  'gone.txt:1: fifth',
  '../two.txt:1: sixth',
].join('\n');
const SAID = `two.txt has 2 lines; no line 3. Your words are kept, without a line.
one.txt has 1 line; no line 120. Your words are kept, without a line.
gone.txt is no readable file here. Your words are kept, without a line.
../two.txt is no readable file here. Your words are kept, without a line.
2 comments at lines go to the next attempt.
Next: contracts run
`;

test('a line that is not there is named; all the words go to the next attempt', () => {
  inReview();
  writeFileSync(join(root, '../two.txt'), 'outside\n');
  const out = contracts('needs-work', 'x', WORDS);
  expect(out.slice(out.indexOf('\n') + 1)).toBe(SAID);
  contracts('step');
  const log = contracts('show', 'x', '--brief');
  for (const word of ['second\n> two', 'third', 'fourth', 'fifth', 'sixth'])
    expect(log).toContain(word);
});

test('in a worktree the lines of the worktree count', () => {
  const git = gitOf(root);
  git('init -q');
  git('commit -q --allow-empty -m first');
  inReview('--worktree');
  expect(contracts('needs-work', 'x', 'two.txt:2: mend it')).toContain(
    '1 comment at a line goes to the next attempt.\n',
  );
});

test('words without a place, and an approval, say nothing about lines', () => {
  inReview();
  expect(contracts('needs-work', 'x', 'too short, at 12:30: why')).not.toMatch(/line|file/);
  expect(contracts('approve', 'x', 'two.txt:2: good')).not.toMatch(/line|readable/);
  expect(readFileSync(join(root, 'active_tasks/review/x/review.md'), 'utf8')).toContain('good');
});
