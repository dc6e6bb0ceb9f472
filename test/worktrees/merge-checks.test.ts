/**
 * The checks of the merged tasks run once more on the merged tree before the branch moves: with the built
 * command, a real git and agents that are scripts.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const MAKER = fileURLToPath(new URL('../support/three-worktrees.mjs', import.meta.url));

function made(kind: 'alone' | 'pair') {
  const base = sealedFolder('merged');
  const root = join(base, 'shop');
  const env = {
    ...sealedEnv(),
    HOME: join(base, 'home'),
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    CONTRACTS_TRUST: '1',
  };
  const run = (argv: readonly string[], cwd: string) => {
    const said = spawnSync(process.execPath, argv, { cwd, env, encoding: 'utf8' });
    return { code: said.status, text: `${said.stdout}${said.stderr}`.replace(/\s+/g, ' ') };
  };
  expect(run([MAKER, root, kind], base)).toEqual({ code: 0, text: '' });
  return {
    root,
    env,
    contracts: (...words: readonly string[]) => run([BINARY, ...words], root),
    git: (words: string) =>
      spawnSync('git', words.split(' '), { cwd: root, encoding: 'utf8' }).stdout.trim(),
    has: (path: string) => existsSync(join(root, path)),
  };
}

type Made = ReturnType<typeof made>;

const pages = (one: Made): string =>
  ['imprint', 'menu', 'prices'].filter((id) => one.has(`${id}.md`)).join(' ');

test('one of three fails on the merged tree: it stays in done and is named, the others are merged', () => {
  const one = made('alone');
  const { code, text } = one.contracts('merge', '--yes');
  expect(code, text).toBe(1);
  expect(text).toContain(
    'prices not merged: `run: ./test.sh` of prices fails on the merged tree (exit 1). See contracts logs prices',
  );
  expect(text).toContain(
    'Next: contracts retry prices --again, or contracts merge prices --no-check',
  );
  expect(pages(one)).toBe('imprint menu');
  expect(one.has('active_tasks/done/prices')).toBe(true);
  expect(one.git('branch --list contracts/*')).toContain('contracts/prices');
  expect(one.git('worktree list')).not.toContain('_merged');
  expect(one.contracts('logs', 'prices').text).toContain('prices.md');
  expect(one.contracts('merge', 'prices', '--yes', '--no-check').code).toBe(0);
  expect(pages(one)).toBe('imprint menu prices');
});

test('two that pass apart and fail together: both are named, the first and all others are merged', () => {
  const one = made('pair');
  const { code, text } = one.contracts('merge', '--yes');
  expect(code, text).toBe(1);
  expect(text).toContain(
    'prices not merged: menu and prices pass apart and fail together: `run: ./test.sh` of menu fails on the merged tree (exit 1). See contracts logs menu',
  );
  expect(pages(one)).toBe('imprint menu');
  const { text: lines } = one.contracts('merge', '--yes', '--json');
  expect(lines).toContain('"event":"not_merged","task":"prices"');
});

test('a setup that fails there: nothing is merged, exit 3, and the way around is named', () => {
  const one = made('alone');
  const head = one.git('rev-parse main');
  writeFileSync(
    join(one.root, '.contracts/config.yaml'),
    'isolation: worktree\nworktree: { setup: ["echo no registry; exit 4"] }\n',
  );
  one.git('commit -qam settings');
  const { code, text } = one.contracts('merge', '--yes');
  expect(code, text).toBe(3);
  expect(text).toContain('nothing is merged, its tree was not checked');
  expect(text).toContain('no registry');
  expect(text).toContain('contracts merge --no-check');
  expect(one.git('rev-parse main~1')).toBe(head);
  expect(one.git('worktree list')).not.toContain('_merged');
});

const STAND_IN = `#!/bin/sh
for word; do printf '%s\\n' "$word"; done > "$0.said"
echo "Creating pull request" >&2
echo https://example.org/shop/pull/7
`;

test.each([
  ['gh', 'remote.git', ['pr', 'create', '--body-file'], ['--head', '--base']],
  ['glab', 'gitlab.git', ['mr', 'create', '--yes'], ['--source-branch', '--target-branch']],
])(
  '--pr with a STAND-IN of %s: the verified commit is pushed without force, the URL is printed',
  (program, remote, first, [head = '', base = '']) => {
    const one = made('pair');
    const bin = join(one.root, '..', 'bin');
    mkdirSync(bin);
    one.git(`init -q --bare ../${remote}`);
    one.git(`remote add origin ../${remote}`);
    const missing = one.contracts('merge', 'menu', '--pr', '--yes');
    expect(missing.code).toBe(2);
    expect(missing.text).toContain(`${program} is not installed, nothing is pushed. Install`);
    const body = 'active_tasks/done/menu/attempts/0002/pull-request.md';
    expect(missing.text).toContain(`The text of the pull request is in ${body}`);
    expect(one.git(`-C ../${remote} branch --list`)).toBe('');
    const text = readFileSync(join(one.root, body), 'utf8');
    expect(text).toMatch(/^Write the menu\.\n\n## Receipts\n\n- \[x\] run: \.\/test\.sh — /);
    writeFileSync(join(bin, program), STAND_IN, { mode: 0o755 });
    one.env.PATH = `${bin}:${one.env.PATH}`;
    const { code, text: said } = one.contracts('merge', 'menu', '--pr', '--yes');
    expect([code, said.trim()]).toEqual([0, 'menu https://example.org/shop/pull/7']);
    const words = readFileSync(join(bin, `${program}.said`), 'utf8').split('\n');
    expect(words.slice(0, 3)).toEqual(first);
    const after = (flag: string): string | undefined => words[words.indexOf(flag) + 1];
    expect([after(head), after(base), after('--title')]).toEqual([
      'contracts/menu',
      'main',
      'Write the menu',
    ]);
    const commit = one.git('rev-parse contracts/menu');
    expect(one.git(`-C ../${remote} rev-parse contracts/menu`)).toBe(commit);
    expect(pages(one)).toBe('');
    // The work of another on that branch is never overwritten.
    const other = one.git('commit-tree -m other HEAD^{tree}');
    one.git(`push -q -f origin ${other}:refs/heads/contracts/menu`);
    const refused = one.contracts('merge', 'menu', '--pr', '--yes');
    expect(refused.code).toBe(2);
    expect(refused.text).toContain('contracts/menu is not pushed');
    expect(one.git(`-C ../${remote} rev-parse contracts/menu`)).toBe(other);
  },
);

test('killed while it checks: nothing has moved, and the next merge removes what it left', async () => {
  const one = made('pair');
  writeFileSync(
    join(one.root, 'test.sh'),
    '#!/bin/sh\nwhile test -e menu.md; do sleep 0.1; done\n',
  );
  one.git('commit -qam slow');
  const head = one.git('rev-parse main');
  const file = join(one.root, 'active_tasks/done/imprint/attempts/0002/check.md');
  // It is not there while it is written anew.
  const record = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : before);
  const before = readFileSync(file, 'utf8');
  const merging = spawn(process.execPath, [BINARY, 'merge', '--yes'], {
    cwd: one.root,
    env: one.env,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => merging.once('exit', resolve));
  const left = (): string => one.git('worktree list --porcelain');
  while (record() === before && merging.exitCode === null) await pause(50);
  merging.kill('SIGKILL');
  await ended;
  expect(left()).toContain('_merged');
  expect([one.git('rev-parse main'), pages(one)]).toEqual([head, '']);
  writeFileSync(join(one.root, 'test.sh'), '#!/bin/sh\ntrue\n');
  one.git('commit -qam fast');
  const { code, text } = one.contracts('merge', '--yes');
  expect(code, text).toBe(0);
  expect(pages(one)).toBe('imprint menu prices');
  expect(left()).not.toContain('_merged');
});

// One for a commit; at night both.
test.each(['switch -q -c other', 'checkout -q --detach'])(
  'the person does `git %s` while it checks: nothing is merged there',
  async (words) => {
    const one = made('pair');
    writeFileSync(
      join(one.root, 'test.sh'),
      `#!/bin/sh\nwhile test -e menu.md; do sleep 0.1; test -e '${one.root}.go' && exit; done\n`,
    );
    one.git('commit -qam slow');
    const head = one.git('rev-parse main');
    const merging = spawn(process.execPath, [BINARY, 'merge', '--yes'], {
      cwd: one.root,
      env: { ...one.env, CONTRACTS_SANDBOX: 'none' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    merging.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
    const ended = new Promise<number | null>((resolve) => merging.once('close', resolve));
    while (!one.git('worktree list').includes('_merged')) await pause(50);
    one.git(words);
    writeFileSync(`${one.root}.go`, '');
    expect(await ended, said).toBe(2);
    expect(said).toContain('main is no longer checked out');
    expect([one.git('rev-parse main'), one.git('rev-parse HEAD'), pages(one)]).toEqual([
      head,
      head,
      '',
    ]);
    expect(one.git('branch --list contracts/*').split('\n')).toHaveLength(3);
  },
);
