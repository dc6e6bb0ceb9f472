/** A workspace that was begun by hand: `do` and `init` complete it, and trust what starts nothing. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saidHere } from '../support/command-room.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const NOW = ['do', 'Write A', '--sh', 'echo a > a.txt', '--deliverable', 'a.txt'];

test.each([
  ['an empty folder', '', 0],
  ['one key', 'gate: person\n', 1],
  ['a program', 'on_state: [touch, ran]\n', 3],
  ['a check', 'checks: { mine: [touch ran] }\n', 3],
])('%s: %j', async (_name, config, code) => {
  for (const first of [[], ['init']]) {
    const root = sealedFolder('begun');
    putFile(join(root, '.contracts/config.yaml'), config);
    if (config === '') rmSync(join(root, '.contracts/config.yaml'));
    const env = { ...sealedEnv(), CONTRACTS_TRUST: undefined };
    const said = (argv: readonly string[]) => saidHere(['-C', root, ...argv], { env });
    if (first.length > 0) expect((await said(first)).out).toContain('made active_tasks/');
    const done = await said(NOW);
    expect(done.code, done.out + done.err).toBe(code);
    if (first.length === 0)
      expect(done.out).toMatch(/^added (?:\.contracts\/config\.yaml, )?active_tasks\/ to /);
  }
});

test.each(['.contracts/squads/a/SQUAD.yaml', '.contracts/templates/brief.hbs'])(
  'with %s of somebody else it is asked about',
  async (file) => {
    const root = sealedFolder('begun');
    putFile(join(root, file), 'name: a\n');
    const env = { ...sealedEnv(), CONTRACTS_TRUST: undefined };
    const { code, out, err } = await saidHere(['-C', root, ...NOW], { env });
    expect(code, out + err).toBe(3);
    expect(out + err).toContain('this workspace is not trusted yet');
  },
);
