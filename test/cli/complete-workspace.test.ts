/** A workspace that was begun by hand or by a bare `init`: `do` and `init` complete it, and trust what starts nothing. */
import { chmodSync, readFileSync, rmSync } from 'node:fs';
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

/** A stand-in for a client that is logged in, and does what it is asked. */
function loggedIn(bin: string): void {
  const result = '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] Hi\\n';
  const does = `[ "$1" = --version ] && echo 99.0.0 && exit
[ "$1" = auth ] && exit
echo hi > hi.txt
printf -- '${result}' > "$CONTRACTS_OUT/result.md"`;
  putFile(join(bin, 'claude'), `#!/bin/sh\n${does}\n`);
  chmodSync(join(bin, 'claude'), 0o755);
}

const SAY_HI = ['do', 'Say hi', '--deliverable', 'hi.txt'];
const REFUSES = 'no agent and no script is given';

test.each<[string, Readonly<Record<string, string>>, boolean]>([
  ['nothing', {}, true],
  ['settings that say nothing of agents', { '.contracts/config.yaml': 'gate: person\n' }, false],
  ['a script chosen at a terminal', { '.contracts/config.yaml': 'adapter: shell\n' }, false],
  ['an agent', { '.contracts/agents/x.md': '---\nname: x\n---\n\nDo it.\n' }, false],
  ['a task', { 'active_tasks/draft/x/contract.md': '---\ntitle: X\n---\n' }, false],
  ['an ended task', { '.contracts/archive/x/contract.md': '---\ntitle: X\n---\n' }, false],
])(
  'after init and with %s, one installed client is chosen as in an empty folder: %j',
  async (...row) => {
    const [, files, chosen] = row;
    for (const first of [[], ['init']]) {
      if (first.length === 0 && !chosen) continue;
      const [root, bin] = [sealedFolder('begun'), sealedFolder('bin')];
      loggedIn(bin);
      const PATH = `${bin}:/usr/bin:/bin`;
      const env = { ...sealedEnv(), PATH, CONTRACTS_TRUST: undefined, CONTRACTS_SANDBOX: 'none' };
      const said = (argv: readonly string[]) => saidHere(['-C', root, ...argv], { env });
      if (first.length > 0) expect((await said(first)).code).toBe(0);
      for (const [file, text] of Object.entries(files)) putFile(join(root, file), text);
      const { code, out, err } = await said(SAY_HI);
      expect(code, out + err).toBe(chosen ? 0 : 2);
      if (!chosen) expect(err).toContain(REFUSES);
      if (!chosen) continue;
      const begins =
        first.length === 0
          ? `made a workspace in ${root}, with adapter: claude\n`
          : `added adapter: claude to .contracts/config.yaml of ${root}\n`;
      expect(out.startsWith(begins), out).toBe(true);
      const config = readFileSync(join(root, '.contracts/config.yaml'), 'utf8');
      expect(config).toMatch(/^adapter: claude$/m);
    }
  },
);

test('a client that the settings of the person name is kept in an empty folder', async () => {
  const [root, bin, home] = [sealedFolder('begun'), sealedFolder('bin'), sealedFolder('home')];
  loggedIn(bin);
  putFile(join(home, '.config/contracts/config.yaml'), 'adapter: human\n');
  const env = {
    ...sealedEnv(),
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: home,
    XDG_CONFIG_HOME: undefined,
  };
  const { out } = await saidHere(['-C', root, ...SAY_HI], { env });
  expect(out).toContain(`made a workspace in ${root}\n`);
  expect(readFileSync(join(root, '.contracts/config.yaml'), 'utf8')).not.toMatch(/^adapter:/m);
});
