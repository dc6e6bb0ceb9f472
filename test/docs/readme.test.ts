/**
 * The README, getting-started, the tours and some of the reference are run: every `$ command` of their
 * console blocks, in order, in one folder a page, with the real binary, and its output must be what the
 * page prints. UPDATE_README=1 rewrites the outputs. test/docs/pages.test.ts holds the other documents.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { checkJsonIn } from '../support/json-lines.ts';
import { BINARY } from '../support/binary.ts';
import { playPage, steady } from '../support/page.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';

beforeEach(() => {
  folder = sealedFolder('readme');
  const shim = join(folder, '.bin');
  spawnSync('mkdir', [shim]);
  writeFileSync(join(shim, 'contracts'), `#!/bin/sh\nexec node ${BINARY} "$@"\n`);
  chmodSync(join(shim, 'contracts'), 0o755);
});

/** In a mount namespace of its own the machine is one without bubblewrap; `auto` then finds none. */
const HIDDEN = 'mount --bind /dev/null "$(command -v bwrap)" && exec sh -c "$0"';
const AS_ROOT = process.getuid?.() === 0 ? '-m' : '-rm';
const mayHide = spawnSync('unshare', [AS_ROOT, 'sh', '-c', HIDDEN, 'true']).status === 0;
if (!mayHide) console.log('LEFT OUT: the README without bubblewrap, which cannot be hidden here');
const NO_SANDBOX = /^.*nothing confines agents here: bubblewrap is not installed here.*\n?/m;

/** Output of one command line, both streams as a terminal shows them. */
function shell(command: string, hidesSandbox = false): string {
  const env = {
    ...process.env,
    PATH: `${folder}/.bin:${process.env['PATH'] ?? ''}`,
    NO_COLOR: '1',
    // As at a person's: init has trusted what it made.
    CONTRACTS_TRUST: undefined,
  };
  const line = `exec 2>&1; ${command}`;
  const [program, ...argv] = hidesSandbox
    ? ['unshare', AS_ROOT, 'sh', '-c', HIDDEN, line]
    : ['sh', '-c', line];
  const box = hidesSandbox ? { CONTRACTS_SANDBOX: undefined } : {};
  const ran = spawnSync(program, argv, { cwd: folder, encoding: 'utf8', env: { ...env, ...box } });
  checkJsonIn(ran.stdout);
  return steady(ran.stdout.replaceAll(folder, '/home/you/shop'));
}

test.each([
  ['README.md', 3],
  ['docs/getting-started.md', 13],
  ['docs/reference/squads.md', 4],
  ['docs/reference/plans.md', 1],
  ['docs/reference/json.md', 1],
  ['docs/tour-developer.md', 6],
  ['docs/tour-marketing.md', 8],
  ['docs/tour-team.md', 5],
  ['docs/tour-import.md', 5],
  ['docs/tour-host.md', 6],
])('every command of %s prints what it says', async (name, least) => {
  const page = join(ROOT, name);
  const { next, blocks } = await playPage(readFileSync(page, 'utf8'), {
    file: (file, text) => putFile(join(folder, file), text),
    shell: (command) => shell(command),
  });
  if (process.env['UPDATE_README'] === '1') writeFileSync(page, next);
  expect(blocks.length).toBeGreaterThanOrEqual(least);
  for (const { was, is } of blocks) expect(is).toBe(was);
});

test.runIf(mayHide)(
  'every command of README.md does the same without bubblewrap, and says so once',
  async () => {
    const printed: string[] = [];
    const { blocks } = await playPage(readFileSync(join(ROOT, 'README.md'), 'utf8'), {
      file: (file, text) => putFile(join(folder, file), text),
      shell: (command) => {
        const text = shell(command, true);
        printed.push(text);
        return text.replace(NO_SANDBOX, '').trimEnd();
      },
    });
    for (const { was, is } of blocks) expect(is).toBe(was);
    expect(printed.filter((text) => NO_SANDBOX.test(text))).toHaveLength(1);
  },
);
