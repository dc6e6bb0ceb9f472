/** What a run of CI takes for changed, and which part of a proof its commit chooses. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/commit.mjs', import.meta.url));
// Scripts have no declarations.
const { changedFiles, chosenOf } = (await import(SCRIPT)) as {
  changedFiles(project: string): readonly string[] | undefined;
  chosenOf<T>(project: string, all: readonly T[]): T;
};

let project = '';
beforeEach(() => {
  project = sealedFolder('project');
  git('init', '--quiet', '--initial-branch=main');
  commits(0, 30);
});

/** Each with a file of its name, made by one call of git. */
function commits(from: number, to: number): void {
  const made = Array.from({ length: to - from }, (_, i) => {
    const name = `f${from + i}`;
    const data = `data ${name.length}\n${name}\n`;
    const parent = from > 0 && i === 0 ? 'from refs/heads/main^0\n' : '';
    // What a commit chooses must not see the clock.
    const who = 'committer a <a@b.invalid> 1767323045 +0000';
    return `commit refs/heads/main\n${who}\n${data}${parent}M 100644 inline ${name}\n${data}`;
  });
  const ran = spawnSync('git', ['fast-import', '--quiet'], {
    cwd: project,
    env: sealedEnv(),
    input: made.join(''),
  });
  expect(ran.status).toBe(0);
  git('reset', '--quiet', '--hard');
}

function git(...args: readonly string[]): void {
  const ran = spawnSync('git', args, { cwd: project, env: sealedEnv() });
  expect(ran.status).toBe(0);
}

const last = (many: number): string[] =>
  Array.from({ length: many }, (_, i) => `f${30 - many + i}`).toSorted();

test('on main, what the last twenty commits changed', () => {
  expect(changedFiles(project)).toEqual(last(20));
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(changedFiles(project)).toEqual(last(20));
});

test('on a branch, what it changed since it left main, and what is not in a commit', () => {
  git('update-ref', 'refs/remotes/origin/main', 'HEAD~2');
  writeFileSync(join(project, 'f1'), 'other');
  expect(changedFiles(project)).toEqual(['f1', ...last(2)]);
});

test('a shallow clone does not say, and a folder without git neither', () => {
  git('clone', '--quiet', '--depth=3', `file://${project}`, 'shallow');
  expect(changedFiles(join(project, 'shallow'))).toBeUndefined();
  expect(changedFiles(sealedFolder('none'))).toBeUndefined();
});

test('another commit chooses another one, the same always the same', () => {
  const all = ['a', 'b', 'c'];
  const chosen = new Set<string>();
  for (let at = 30; at < 50; at++) {
    commits(at, at + 1);
    chosen.add(chosenOf(project, all));
    expect(chosenOf(project, all)).toBe(chosenOf(project, all));
  }
  expect(chosen).toEqual(new Set(all));
  expect(all).toContain(chosenOf(sealedFolder('none'), all));
});
