/**
 * The only maker of throw-away folders for tests. All lie below one folder of their test file, above which neither
 * git nor the product looks, and go by themselves: with the test that made them, or else with the file.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/** For a test of thousands of folders. */
export const IN_MEMORY = process.env['CONTRACTS_TEST_MEMORY'];
let ofFile = '';

/** The whole environment of a program that a person calls whose home is the test file's. */
export function sealedEnv() {
  const { PATH = '', HOME = '', TMPDIR = '', GIT_CEILING_DIRECTORIES = '' } = process.env;
  return { PATH, HOME, TMPDIR, GIT_CEILING_DIRECTORIES, GIT_CONFIG_NOSYSTEM: '1' };
}

/** Empty and without links in its path. A concurrent test keeps it until its file ends, because vitest knows no current one. */
export function sealedFolder(name = 'room', below = ofFile): string {
  const folder = mkdtempSync(join(below, `${name}-`));
  const test = TestRunner.getCurrentTest();
  if (test !== undefined && test.concurrent !== true) onTestFinished(() => remove(folder), 0);
  return folder;
}

/** One for all tests of a file, gone with the file. */
export const folderOfFile = (name: string): string => mkdtempSync(join(ofFile, `${name}-`));

/** Makes the folders above it, too. */
export function putFile(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Variables by which a machine or a person changes what programs answer. */
const FOREIGN =
  /^(?:GIT_|npm_config_|NODE_(?!ENV|V8_)|LC_|LANG|XDG_|CONTRACTS_(?!TEST_|CLIENTS)|CLAUDE|CODEX|GEMINI|GOOGLE_|OPENCODE|OPENAI|ANTHROPIC|AWS_|GH_|GITHUB_|GITLAB_|SSH_|TMUX|LESS|(?:TZ|CI|EDITOR|VISUAL|PAGER|NO_COLOR|FORCE_COLOR|COLUMNS|LINES|CDPATH|ENV|BASH_ENV|EMAIL)$)/;

/** The same on each machine. Tests of the sandbox and of trust ask for it, and tests of a language for theirs. */
const FIXED = {
  NO_COLOR: '1',
  CONTRACTS_SANDBOX: 'none',
  CONTRACTS_TRUST: '1',
  LC_ALL: 'C.UTF-8',
  TERM: 'xterm',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** No test file sees the end of a day, whenever it runs. The sign of such a zone is the one of POSIX: east is less. */
function whereItIsNoon(): string {
  const east_h = 12 - new Date().getUTCHours();
  return `Etc/GMT${east_h > 0 ? '-' : '+'}${Math.abs(east_h)}`;
}

/** Called before each test file: it gets a home, a TMPDIR and a state home of its own. */
export function sealFile(): { readonly folder: string; remove(): void } {
  const run = process.env['CONTRACTS_TEST_RUN'] ?? '';
  const folder = mkdtempSync(join(run, 'f'));
  ofFile = folder;
  process.umask(0o022);
  chmodSync(folder, 0o755);
  // Neither the product nor a client looks for settings above the folder that the home is in.
  const HOME = join(folder, 'home');
  const TMPDIR = join(folder, 'tmp');
  for (const one of [HOME, TMPDIR]) mkdirSync(one);
  // As /tmp itself, for tests that call the command as another user.
  chmodSync(TMPDIR, 0o1777);
  writeFileSync(join(HOME, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
  for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) delete process.env[name];
  Object.assign(process.env, FIXED, {
    TZ: whereItIsNoon(),
    HOME,
    TMPDIR,
    XDG_STATE_HOME: join(HOME, '.local/state'),
    // Compiled code of the command is no part of a test.
    XDG_CACHE_HOME: join(run, 'cache'),
    GIT_CEILING_DIRECTORIES: [folder, IN_MEMORY].join(':'),
  });
  return { folder, remove: () => remove(folder) };
}

/** What a test shut is opened first, for a user who is not root. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    spawnSync('chmod', ['-R', 'u+rwX', folder], { stdio: 'ignore' });
    // Node cannot name what is nested too deep.
    execFileSync('rm', ['-rf', folder]);
  }
}
