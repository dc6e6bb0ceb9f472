/**
 * Who has no network and which files an agent does not see: a real server on this machine, real programs
 * in a real sandbox. Without bubblewrap it says so and is left out.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checksToTry, whyOpen } from '../../src/engine/setup/try-network.ts';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { networkClosed } from '../../src/sandbox/engine/network.ts';
import type { Contract } from '../../src/task/core/model/contract.ts';
import { DEFAULT_CONFIG } from '../../src/task/core/model/policy.ts';
import { openWorkspace } from '../../src/workspace/open/workspace.ts';
import { makeStand, scriptOf, type Stand } from '../support/confined.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: the tests of the network, because ${here.why}`);
const inSandbox = test.runIf(here.works);

let server: Server;
let ask: string;
beforeEach(async () => {
  vi.stubEnv('CONTRACTS_TRUST', '1');
  server = createServer((_, answer) => answer.end('here'));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  ask = `node -e "require(\\"http\\").get(\\"http://127.0.0.1:${port}\\", r => process.exit(r.statusCode === 200 ? 0 : 1)).on(\\"error\\", e => { console.log(e.code); process.exit(1) })"`;
});
afterEach(() => {
  server.close();
});

function stand(config: string, sandbox: 'bwrap' | 'none' = 'bwrap'): Stand {
  const made = makeStand(sandbox, config);
  vi.stubEnv('HOME', made.home);
  vi.stubEnv('XDG_STATE_HOME', `${made.base}/state`);
  return made;
}

const WORK = 'verify: ["run: true"]\nagent: shell';
const OWN_SERVER = `node -e "const s = require(\\"http\\").createServer((_, a) => a.end()).listen(0, \\"127.0.0.1\\", () => require(\\"http\\").get(s.address(), () => process.exit(0)))"`;

inSandbox(
  'an agent without a network reaches itself and not the machine; else it does',
  async () => {
    const one = stand('');
    one.task('open', WORK, scriptOf({ ask }));
    one.task('none', `network: none\n${WORK}`, scriptOf({ ask, own: OWN_SERVER }));
    await one.step();
    expect(one.deeds('open')).toEqual({ ask: true });
    expect(one.deeds('none')).toEqual({ ask: false, own: true });
    const outcome = one.read(`${one.attempt('none')}/outcome.md`);
    expect(outcome).toContain('No network, by network: none in the contract.');
    expect(one.read(`${one.attempt('open')}/outcome.md`)).toContain('The network was open.');
  },
);

inSandbox(
  'network: agents leaves checks without one: a fault with the line, no send-back',
  async () => {
    const one = stand('network: agents\n');
    one.task('asks', `verify: [${JSON.stringify(`run: ${ask}`)}]\nagent: shell`, scriptOf({ ask }));
    const text = await one.step();
    expect(text).toContain('network: open in .contracts/config.yaml');
    expect(one.exists('active_tasks/review/asks/contract.md')).toBe(true);
    one.write('.contracts/config.yaml', 'sandbox: bwrap\n');
    expect(await one.step()).toContain('check passed');
  },
);

inSandbox(
  'a check that fails for another reason is a send-back also without a network',
  async () => {
    const one = stand('network: agents\n');
    one.task('fails', 'retries_max: 1\nverify: ["run: echo wrong; false"]\nagent: shell', 'true');
    const text = await one.step();
    expect(text).not.toContain('network:');
    expect(one.exists('active_tasks/ready/fails/contract.md')).toBe(true);
  },
);

test('a closed network that nothing holds calls no agent', async () => {
  const one = stand('network: none\n', 'none');
  one.task('none', WORK, 'echo ran > ran.txt');
  const text = await one.step();
  expect(text).toContain('network: none in .contracts/config.yaml needs a sandbox');
  expect(one.exists('ran.txt')).toBe(false);
});

test('a client that needs the network is not called, and each place that closes it is named', async () => {
  const one = stand(
    'network: none\nadapter: mine\nadapters: { mine: { type: claude, run: [sh] } }\nagents: { dev: { network: none } }\n',
  );
  one.task('asks', 'verify: ["run: true"]\nagent: dev', 'true');
  const text = await one.step();
  expect(text.replace(/\s+/g, ' ')).toContain(
    'Write network: agents in .contracts/config.yaml, and network: open in the agent dev',
  );
});

describe('who has no network', () => {
  type As = 'none' | 'agents' | 'open' | undefined;
  const rows: readonly (readonly [As, As, As, As, string])[] = [
    [undefined, 'open', undefined, undefined, ''],
    [undefined, 'agents', undefined, undefined, 'check'],
    [undefined, 'none', undefined, undefined, 'agent check setup'],
    [undefined, 'none', 'open', 'open', 'agent check setup'],
    [undefined, 'open', 'agents', undefined, 'check'],
    [undefined, 'open', 'none', undefined, 'agent check setup'],
    [undefined, 'open', undefined, 'none', 'agent'],
    ['none', 'open', 'open', 'open', 'agent check setup'],
    ['agents', 'open', 'open', 'open', 'check'],
    ['open', 'none', undefined, undefined, 'agent check setup'],
  ];
  test.each(rows)('person %s, workspace %s, contract %s, agent %s: %s', (...row) => {
    const [person, network = 'open', contract, agent, expected] = row;
    const ws = {
      person: person === undefined ? {} : { network: person },
      config: { ...DEFAULT_CONFIG, network },
    };
    const asked = { head: { network: contract } } as Contract;
    const definition = { network: agent } as never;
    const closed = (['agent', 'check', 'setup'] as const).filter((whose) => {
      const role = whose === 'agent' ? { name: 'dev', definition } : undefined;
      return networkClosed(ws, asked, whose, role) !== undefined;
    });
    expect(closed.join(' ')).toBe(expected);
  });
});

const READS = {
  env: 'grep -q secret .env',
  deep: 'grep -q secret pkg/.env.local',
  key: 'grep -q secret pkg/k.pem',
  example: 'grep -q shown .env.example',
  venv: 'grep -q python .env.d/bin/activate',
  named: 'grep -q secret src/named.txt',
  write: 'echo x >> .env',
};

inSandbox(
  'files that git ignores and hide: names are not shown to agents, and checks see them',
  async () => {
    const one = stand('hide: [src/named.txt, ".env*", "*.pem"]\n');
    for (const path of ['.env', 'pkg/.env.local', 'pkg/k.pem', 'src/named.txt'])
      one.write(path, 'secret\n');
    one.task('named', 'verify: ["run: grep -q secret .env"]\nagent: shell', scriptOf(READS));
    await one.step();
    const { write, ...read } = one.deeds('named');
    expect(Object.values(read).every((is) => !is) && write).toBe(false);
    expect(one.read(`${one.attempt('named', '0002')}/receipts.md`)).toContain('passed: true');
    expect(one.read('.env')).toBe('secret\n');

    const two = stand('');
    two.write('.gitignore', '.env*\n!.env.example\n*.pem\n');
    for (const path of ['.env', 'pkg/.env.local', 'pkg/k.pem']) two.write(path, 'secret\n');
    two.write('src/named.txt', 'secret\n');
    two.write('.env.example', 'shown\n');
    two.write('.env.d/bin/activate', 'python\n');
    two.task('usual', 'verify: ["run: grep -q secret pkg/k.pem"]\nagent: shell', scriptOf(READS));
    await two.step();
    expect(two.deeds('usual')).toEqual({
      env: false,
      deep: false,
      key: false,
      example: true,
      venv: true,
      named: true,
      write: false,
    });
    const outcome = two.read(`${two.attempt('usual')}/outcome.md`);
    expect(outcome).toContain('Hidden from it: .env, pkg/.env.local, pkg/k.pem.');
    expect(outcome).not.toMatch(/(?:edit|delete|create) (?:\.env|pkg)/);
  },
);

inSandbox.each(['shared', 'worktree'])(
  '%s: credentials of remotes are not readable',
  async (isolation) => {
    const one = stand(`isolation: ${isolation}\n`);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: one.root });
    git('config', 'remote.origin.url', 'https://me:t0ken@example.org/x.git');
    git('config', 'http.https://example.org/.extraheader', 'AUTHORIZATION: basic t0ken');
    const deeds = scriptOf({
      list: 'git config -l | grep -q t0ken',
      remote: 'git remote -v | grep -q t0ken',
      file: `grep -q t0ken ${one.root}/.git/config`,
      host: 'git remote -v | grep -q https://example.org/x.git',
    });
    one.task('reads', WORK, deeds);
    await one.step();
    expect(one.deeds('reads')).toEqual({ list: false, remote: false, file: false, host: true });
    expect(git('remote', '-v').toString()).toContain('me:t0ken@');
  },
);

inSandbox.each(['shared', 'worktree'])(
  '%s: credentials of submodules and of other worktrees are not readable',
  async (isolation) => {
    const one = stand(`isolation: ${isolation}\n`);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: one.root });
    const files = [
      'modules/libs/deep/config',
      'modules/libs/deep/modules/inner/config',
      'worktrees/side/config.worktree',
      'worktrees/side/modules/sub/config',
    ];
    git('worktree', 'add', '-q', '--detach', `${one.base}/side`);
    for (const file of files) {
      const folder = `.git/${file.replace(/\/[^/]*$/, '')}`;
      if (!one.exists(`${folder}/HEAD`)) git('init', '-q', '--bare', folder);
      one.write(`.git/${file}`, '[remote "origin"]\n\turl = https://me:t0ken@example.org/x.git\n');
    }
    const search = files.map((file) => `${one.root}/.git/${file}`).join(' ');
    const deeds = scriptOf({
      token: `grep -q t0ken ${search}`,
      host: `test $(grep -l https://example.org/x.git ${search} | wc -l) = ${files.length}`,
    });
    one.task('reads', WORK, deeds);
    await one.step();
    expect(one.deeds('reads')).toEqual({ token: false, host: true });
  },
);

inSandbox('the repository around a workspace shows no hidden file', async () => {
  const one = stand('');
  const above = dirname(one.root);
  rmSync(`${one.root}/.git`, { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: above });
  writeFileSync(`${above}/.gitignore`, '.env\n');
  for (const name of ['.env', 'shown']) writeFileSync(`${above}/${name}`, 'secret\n');
  const deeds = { env: `grep -q secret ${above}/.env`, shown: `grep -q secret ${above}/shown` };
  one.task('reads', WORK, scriptOf(deeds));
  await one.step();
  expect(one.deeds('reads')).toEqual({ env: false, shown: true });
});

inSandbox('the snapshots of the runner show no hidden file', async () => {
  const one = stand('hide: [key.txt]\n');
  one.write('key.txt', 'secret\n');
  const deeds = { cache: `test -n "$(ls -A ${one.root}/.contracts/cache)"` };
  for (const id of ['first', 'reads']) one.task(id, WORK, scriptOf(deeds));
  await one.step();
  expect(one.exists('.contracts/cache')).toBe(true);
  expect(one.deeds('reads')).toEqual({ cache: false });
});

inSandbox('hide: without a repository calls no agent', async () => {
  const one = stand('hide: [key.txt]\n');
  rmSync(`${one.root}/.git`, { recursive: true });
  one.write('key.txt', 'secret\n');
  one.task('reads', WORK, scriptOf({ key: 'grep -q secret key.txt' }));
  expect(JSON.stringify(await one.step())).toContain('hide: finds files by git');
});

inSandbox('the main checkout beside a worktree shows no hidden file', async () => {
  const one = stand('isolation: worktree\nhide: [.env]\n');
  one.write('.env', 'secret\n');
  const deeds = { secret: `grep -q secret ${one.root}/.env`, there: `test -e ${one.root}/.env` };
  one.task('reads', WORK, scriptOf(deeds));
  await one.step();
  expect(one.deeds('reads')).toEqual({ secret: false, there: true });
});

inSandbox('init: which checks it can try, and which of them fails without a network', async () => {
  const checks = 'checks: { mine: ["file_exists: a", "run: make mine"], other: make other }\n';
  const one = stand(checks);
  const opened = () => {
    const found = openWorkspace({ capabilities: [], dir: one.root });
    if (!found.ok) throw new Error('no workspace');
    return found.value;
  };
  const { signal } = new AbortController();
  expect(checksToTry(opened())).toEqual(['make mine', 'make other']);
  expect(await whyOpen(opened(), ['true', 'echo ran > ran.txt'], signal)).toBe(undefined);
  expect(one.read('ran.txt')).toBe('ran\n');
  expect(await whyOpen(opened(), ['true', ask, 'false'], signal)).toBe(`${ask} fails`);
  for (const line of ['network: none', 'network: open', 'sandbox: none']) {
    one.write('.contracts/config.yaml', `${line}\n${checks}`);
    expect(checksToTry(opened())).toEqual([]);
  }
});
