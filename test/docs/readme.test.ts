/**
 * The README, getting-started, the tours and some of the reference are run: every `$ command` of their
 * console blocks, in order, in one folder a page, with the real binary, and its output must be what the
 * page prints. UPDATE_README=1 rewrites the outputs. test/docs/pages.test.ts holds the other documents.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkJsonIn } from '../support/json-lines.ts';
import { BINARY } from '../support/binary.ts';
import { playPage, steady } from '../support/page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contracts-readme-'));
  const shim = join(folder, '.bin');
  spawnSync('mkdir', [shim]);
  writeFileSync(join(shim, 'contracts'), `#!/bin/sh\nexec node ${BINARY} "$@"\n`);
  chmodSync(join(shim, 'contracts'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Output of one command line, both streams as a terminal shows them. */
function shell(command: string): string {
  const env = {
    ...process.env,
    PATH: `${folder}/.bin:${process.env['PATH'] ?? ''}`,
    NO_COLOR: '1',
    // As at a person's: init has trusted what it made.
    CONTRACTS_TRUST: undefined,
  };
  const ran = spawnSync('sh', ['-c', `exec 2>&1; ${command}`], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  checkJsonIn(ran.stdout);
  return steady(ran.stdout.replaceAll(folder, '/home/you/shop'));
}

test.each([
  ['README.md', 4],
  ['docs/getting-started.md', 13],
  ['docs/reference/squads.md', 4],
  ['docs/reference/plans.md', 1],
  ['docs/reference/json.md', 1],
  ['docs/tour-developer.md', 6],
  ['docs/tour-marketing.md', 8],
  ['docs/tour-team.md', 5],
  ['docs/tour-import.md', 5],
])(
  'every command of %s prints what it says',
  async (name, least) => {
    const page = join(ROOT, name);
    const { next, blocks } = await playPage(readFileSync(page, 'utf8'), {
      file: (file, text) => {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      },
      shell,
    });
    if (process.env['UPDATE_README'] === '1') writeFileSync(page, next);
    expect(blocks.length).toBeGreaterThanOrEqual(least);
    for (const { was, is } of blocks) expect(is).toBe(was);
  },
  120_000,
);
