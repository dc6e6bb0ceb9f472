/** Where nothing is to be started, nobody is asked to trust the workspace. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saidHere } from '../support/command-room.ts';
import { shellContract } from '../hostile/house.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

test.each([['run'], ['step']])(
  '%s without a task needs no trust, and with one it does',
  async (verb) => {
    const root = sealedFolder('idle');
    putFile(join(root, '.contracts/squads/legal/SQUAD.yaml'), 'name: legal\n');
    const env = { ...sealedEnv(), CONTRACTS_TRUST: undefined };
    const said = () => saidHere(['-C', root, verb], { env });
    expect(await said()).toMatchObject({ code: 0, err: '' });
    putFile(join(root, 'active_tasks/ready/one/contract.md'), shellContract('one'));
    const { code, out, err } = await said();
    expect(code).toBe(3);
    expect(out + err).toContain('this workspace is not trusted yet');
  },
);
