/** The script that plays tests with another Node, with an npm of ours in front: what it does where it gets none. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/other-node.mjs', import.meta.url));
const AWAY = 'echo the registry is away >&2; exit 1';
const OTHER = 'shift 4; echo other > "$1/other.tgz"; echo other.tgz';

/** `npm`: the lines of a MOCK of it. */
function play(npm: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const room = sealedFolder();
  writeFileSync(join(room, 'npm'), `#!/bin/sh\n${npm}\n`);
  chmodSync(join(room, 'npm'), 0o755);
  const cache = join(room, 'cache');
  const env = { ...sealedEnv(), CONTRACTS_CLIENTS: cache, ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    env: { ...env, PATH: `${room}:${env.PATH}` },
    encoding: 'utf8',
  });
  return {
    status,
    stdout,
    stderr,
    left: readdirSync(room).includes('cache') && readdirSync(cache),
  };
}

test('MOCK npm: a Node that cannot be had is left out, with a message', () => {
  const played = play(AWAY, ['24']);
  expect(played).toEqual({
    status: 0,
    stdout: '',
    stderr: expect.stringMatching(/^LEFT OUT: node 24, because .*\n$/),
    left: [],
  });
});

test('MOCK npm: where it is required, that is a failure', () => {
  const played = play(AWAY, ['--all'], { CONTRACTS_CLIENTS_REQUIRED: '1' });
  expect(played.status).toBe(1);
  expect(played.stderr.match(/^LEFT OUT/gm)).toHaveLength(3);
});

test.runIf(process.platform === 'linux')(
  'MOCK npm: a package with another sum is not unpacked',
  () => {
    const played = play(OTHER, []);
    expect(played).toMatchObject({ status: 0, left: [] });
    expect(played.stderr).toContain('another sum');
  },
);

test('another number is refused', () => {
  expect(play(AWAY, ['21'])).toMatchObject({ status: 2, left: false });
});
