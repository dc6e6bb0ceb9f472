/** The question of trust, in a real terminal (tmux). Without tmux it says so and is left out. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { shellContract } from '../hostile/house.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { runInTerminal, terminalMissing, type Terminal } from '../support/terminal.ts';

const missing = terminalMissing();
if (missing !== undefined) console.log(`LEFT OUT: the question of trust, because ${missing}`);

let base: string;
let root: string;
let at: Terminal | undefined;
beforeEach(() => {
  base = sealedFolder('trust-asks');
  root = join(base, 'clone');
  mkdirSync(root);
  init(realDisk, root);
  writeFileSync(join(root, '.contracts/config.yaml'), 'on_state: [bell, "{{id}}"]\n');
  mkdirSync(join(root, 'active_tasks/ready/a'));
  writeFileSync(join(root, 'active_tasks/ready/a/contract.md'), shellContract('a'));
});

const open = (...argv: string[]): Terminal => {
  const env = { CONTRACTS_TRUST: '', XDG_STATE_HOME: join(base, 'state') };
  return runInTerminal(root, argv, { env });
};

describe.runIf(missing === undefined)('a workspace that nobody trusts', () => {
  test('step asks; Enter means no, and nothing is started', async () => {
    at = open('step');
    await at.shows('is not trusted yet', 'on_state: ["bell","{{id}}"]', 'Do you trust it?');
    at.press('Enter');
    expect(await at.ended()).toBe(3);
    expect(at.screen()).toContain('this workspace is not trusted yet');
    expect(existsSync(join(root, 'active_tasks/ready/a'))).toBe(true);
    expect(existsSync(join(base, 'state'))).toBe(false);
  });

  test('yes: it goes on, and the next call asks no more', async () => {
    at = open('step');
    await at.shows('Do you trust it?');
    at.press('y');
    expect(await at.ended()).toBe(0);
    expect(existsSync(join(root, 'active_tasks/done/a'))).toBe(true);
    await at.close();
    at = open('step');
    expect(await at.ended()).toBe(0);
    expect(at.screen()).not.toContain('Do you trust it?');
  });

  test('a task of a person is handed over without a question', async () => {
    const mine = shellContract('a', { head: 'adapter: human' });
    writeFileSync(join(root, 'active_tasks/ready/a/contract.md'), mine);
    at = open('step');
    expect(await at.ended()).toBe(0);
    expect(at.screen()).not.toContain('Do you trust it?');
    expect(existsSync(join(root, 'active_tasks/in_progress/a'))).toBe(true);
  });

  test('--dry-run and list ask nothing', async () => {
    for (const argv of [['step', '--dry-run'], ['list']]) {
      await at?.close();
      at = open(...argv);
      expect(await at.ended()).toBe(0);
      expect(at.screen()).not.toContain('Do you trust it?');
    }
  });
});
