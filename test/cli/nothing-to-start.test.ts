/** Where nothing is to be started, nobody is asked to trust the workspace. */
import { existsSync } from 'node:fs';
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

test.each([['run'], ['step']])(
  '%s hands a task to a person without trust; what starts a program still needs it',
  async (verb) => {
    const root = sealedFolder('idle');
    const bell = join(root, 'rang');
    putFile(join(root, '.contracts/config.yaml'), `on_state: [touch, ${bell}]\n`);
    const mine = shellContract('mine', { head: 'adapter: human' });
    putFile(join(root, 'active_tasks/ready/mine/contract.md'), mine);
    const env = { ...sealedEnv(), CONTRACTS_TRUST: undefined };
    const said = () => saidHere(['-C', root, verb], { env });
    const first = await said();
    expect(first.out + first.err).not.toContain('trust');
    expect(first.out).toContain('a person is working on it');
    putFile(join(root, 'active_tasks/in_progress/mine/result.md'), '- Status: COMPLETE\n');
    putFile(join(root, 'active_tasks/ready/other/contract.md'), mine.replaceAll('mine', 'other'));
    const { code, out, err } = await said();
    expect(code).toBe(3);
    expect(out + err).toContain('this workspace is not trusted yet');
    expect(existsSync(join(root, 'active_tasks/in_progress/other')), 'handed over').toBe(true);
    expect(existsSync(join(root, 'active_tasks/in_progress/mine')), 'not verified').toBe(true);
    expect(existsSync(bell)).toBe(false);
  },
);
