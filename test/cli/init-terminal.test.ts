/**
 * What init asks, in a real terminal (tmux): any number of things to be ticked, and exactly those are
 * written. Without tmux it says so and is left out.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gitOf } from '../support/git.ts';
import { runInTerminal, terminalMissing, type Terminal } from '../support/terminal.ts';

const missing = terminalMissing();
if (missing !== undefined) console.log(`LEFT OUT: the tests of what init asks, because ${missing}`);

let root: string;
let at: Terminal | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contracts-init-asks-'));
  gitOf(root)('init -q');
});
afterEach(() => {
  at?.close();
  rmSync(root, { recursive: true, force: true });
});

/** What stands beside the folders of tasks and settings that every init makes. */
function beside(): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const own =
    /^(?:\.git\/(?!hooks\/pre-commit$)|\.git$|active_tasks|\.contracts$|\.contracts\/(?!schemas))/;
  return files.filter((file) => !own.test(file) && file.includes('.')).sort();
}

const QUESTION = 'What else? Space selects, Enter continues';

describe.runIf(missing === undefined)('init at a terminal', { timeout: 60_000 }, () => {
  test('two of them are ticked, and only these are written', async () => {
    at = runInTerminal(root, ['init']);
    await at.shows(QUESTION, '.gitignore');
    expect(beside()).toEqual([]);
    at.press('Space', 'Down', 'Down', 'Space', 'Enter');
    expect(await at.ended()).toBe(0);
    expect(beside()).toEqual(['.git/hooks/pre-commit', '.gitignore']);
    expect(at.screen()).not.toContain('Optional, not created');
  });

  test('what was ticked and unticked again is not written; nothing is fine', async () => {
    at = runInTerminal(root, ['init']);
    await at.shows(QUESTION);
    at.press('Space', 'Space', 'Enter');
    expect(await at.ended()).toBe(0);
    expect(beside()).toEqual([]);
    expect(existsSync(join(root, 'active_tasks/ready'))).toBe(true);
  });

  test('Ctrl-C with a tick: nothing is written, 130', async () => {
    at = runInTerminal(root, ['init']);
    await at.shows(QUESTION);
    at.press('Space', 'C-c');
    expect(await at.ended()).toBe(130);
    expect(beside()).toEqual([]);
    await at.shows(
      'made .contracts/',
      'made active_tasks/',
      'Cancelled; nothing else was created.',
    );
    expect(at.screen()).not.toContain('is not done');
  });
});
