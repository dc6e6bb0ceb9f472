/**
 * A machine without bubblewrap, as a mount of its own shows it: the built command says once for a workspace that nothing
 * confines agents, and not to who chose that.
 */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { BINARY, makeHouse, shellContract } from './house.ts';

const HIDE =
  'for one in /usr/bin/bwrap /usr/local/bin/bwrap; do [ ! -e $one ] || mount --bind /dev/null $one; done; "$@"';
const hidden = (argv: readonly string[]): readonly string[] => [
  '-m',
  'sh',
  '-c',
  HIDE,
  'sh',
  ...argv,
];
const works = spawnSync('unshare', hidden(['test', '!', '-f', '/usr/bin/bwrap'])).status === 0;

test.runIf(works).each([
  ['auto', ['nothing confines agents here: bubblewrap is not installed here', '']],
  ['none', ['', '']],
] as const)('sandbox: %s', (level, expected) => {
  const house = makeHouse({ config: `sandbox: ${level}\n`, neighbour: false });
  const home = sealedFolder('home');
  const env = { ...sealedEnv(), HOME: home, CONTRACTS_TRUST: '1' };
  const said = ['one', 'two'].map((id) => {
    house.task(id, shellContract(id));
    const argv = hidden([process.execPath, BINARY, '-C', house.root, 'step']);
    const { stdout, stderr } = spawnSync('unshare', argv, { env, encoding: 'utf8' });
    expect(house.where(id)).not.toEqual(['ready']);
    return /nothing confines agents here: [^.]*/.exec(`${stdout}${stderr}`)?.[0] ?? '';
  });
  expect(said).toEqual(expected);
});
