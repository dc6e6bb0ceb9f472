/** The real clients say their version as it is read, and OpenCode its help as it is known. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { opencode } from '../../src/clients/opencode/opencode.ts';
import { CLIENTS } from '../../src/clients/core/records.ts';
import { askVersion } from '../../src/clients/calls/ask-version.ts';
import { judgeVersion } from '../../src/clients/core/client-version.ts';
import { CLIENT_NAMES, clientFolder, clientsMissing, makeHome } from '../support/clients.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

const missing = clientsMissing();
const URL_OF_NOBODY = 'http://127.0.0.1:9';
let room = '';
beforeAll(() => void (room = sealedFolder('real-versions')));

const pinned = JSON.parse(
  readFileSync(new URL('../../scripts/clients.json', import.meta.url), 'utf8'),
) as Record<string, { version: string }>;

const here = CLIENT_NAMES.filter((name) => !missing.includes(name));

test.runIf(here.length > 0).each(here)('%s', async (name) => {
  const { env } = makeHome(name, join(room, name), URL_OF_NOBODY);
  const said = await askVersion(join(clientFolder(name), name), env, 60_000);
  expect(judgeVersion(name, CLIENTS[name].oldest, said)).toEqual({
    version: pinned[name]?.version,
    doubt: undefined,
  });
});

test.runIf(here.includes('opencode'))('opencode, called wrongly', () => {
  const { env } = makeHome('opencode', join(room, 'wrong'), URL_OF_NOBODY);
  const argv = ['run', '--no-such-option-here', 'hello'];
  const program = join(clientFolder('opencode'), 'opencode');
  const { stdout, stderr, status } = spawnSync(program, argv, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  expect(status).toBe(1);
  const told = `${stdout}${stderr}`.split('\n').flatMap((line) => opencode.read(line));
  expect(told.filter(({ kind }) => kind === 'error')).toMatchObject([{ what: 'version' }]);
});
