/**
 * The only maker of throw-away folders for tests. All lie below one folder of their test file, above which neither
 * git nor the product looks, and go by themselves: with the test that made them, or else with the file.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/** For a test of thousands of folders. */
export const IN_MEMORY = process.env['CONTRACTS_TEST_MEMORY'];
let ofFile = '';

/** The whole environment of a program that a person calls: their home is the test file's. */
export function sealedEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', TMPDIR = '', XDG_STATE_HOME = '', GIT_CEILING_DIRECTORIES = '' } = process.env;
  const HOME = join(ofFile, 'home');
  return { PATH, HOME, TMPDIR, XDG_STATE_HOME, GIT_CEILING_DIRECTORIES, ...more };
}

/** Empty and without links in its path. A concurrent test keeps it until its file ends, because vitest knows no current one. */
export function sealedFolder(name = 'room', below = ofFile): string {
  const folder = mkdtempSync(join(below, `${name}-`));
  const test = TestRunner.getCurrentTest();
  if (test !== undefined && test.concurrent !== true) onTestFinished(() => remove(folder), 0);
  return folder;
}

/** Called before each test file: it gets a TMPDIR and a state home of its own. Gives what removes all of it. */
export function sealFile(): () => void {
  const folder = mkdtempSync(join(process.env['CONTRACTS_TEST_RUN'] ?? '', 'f'));
  ofFile = folder;
  chmodSync(folder, 0o755);
  const TMPDIR = join(folder, 'tmp');
  for (const name of ['tmp', 'home', 'state']) mkdirSync(join(folder, name));
  Object.assign(process.env, {
    TMPDIR,
    XDG_STATE_HOME: join(folder, 'state'),
    GIT_CEILING_DIRECTORIES: [folder, IN_MEMORY].join(':'),
  });
  return () => remove(folder);
}

/** What a test shut is opened first, for a user who is not root. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    spawnSync('chmod', ['-R', 'u+rwX', folder], { stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  }
}
