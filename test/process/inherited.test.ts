/** A descriptor that the calling program left open above the limit: no program can be started, and why is said. */
import { expect, test } from 'vitest';
import { startContracts } from '../support/binary.ts';
import { shellContract } from '../hostile/house.ts';
import { join } from 'node:path';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

/** Runs what follows with descriptor 251 open, and this limit. */
const withLimit = (limit: number): readonly string[] => [
  'bash',
  '-c',
  `exec 251</dev/null; ulimit -n ${limit}; exec "$@"`,
  '--',
];

test.runIf(process.platform === 'linux').each([
  [
    64,
    3,
    'descriptor 251 of the calling program is too high for a limit of 64 open files. Close it: 251<&-, or allow more: ulimit -n 253',
  ],
  [252, 3, 'ulimit -n 253'],
  [253, 0, 'verification passed'],
])('with a limit of %i the step ends with %i', async (limit, code, says) => {
  const root = sealedFolder('inherited');
  putFile(join(root, 'active_tasks/ready/one/contract.md'), shellContract('one'));
  const env = { ...sealedEnv(), CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: 'none' };
  const ended = await startContracts(root, ['step'], withLimit(limit), env).ended;
  expect(ended.stdout + ended.stderr).toContain(says);
  expect(ended.code).toBe(code);
});
