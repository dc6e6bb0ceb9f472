/**
 * A receipt is about the tree that it names: a worktree with a broken package, and a main tree where the
 * whole one is installed. The built command, real programs; with a sandbox and without, as root and as
 * an ordinary user. Layouts are those of npm and pnpm workspaces, TypeScript and Python.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { BINARY } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/lib/tsc.js', import.meta.url));
const isRoot = process.getuid?.() === 0;
const works = sandboxMachine(process.env['PATH'] ?? '').works;
const python = existsSync('/usr/bin/python3');
if (!works) console.log('LEFT OUT: receipts in a sandbox, because there is none here');
if (!python) console.log('LEFT OUT: receipts of Python, because it is not installed here');

/** What a person has in their checkout; what is installed there is in no commit. */
const CHECKOUT = `set -e
git init -q -b main && git config user.name T && git config user.email t@example.org
mkdir -p packages/core packages/app pn/packages/core pn/packages/app ts py/src .contracts
for at in . pn; do
  echo '{"name":"@acme/core","main":"index.cjs"}' > $at/packages/core/package.json
  echo 'module.exports = 42;' > $at/packages/core/index.cjs
  echo 'if (require("@acme/core") !== 42) { console.log("BROKEN"); process.exit(1); }' > $at/packages/app/test.cjs
done
echo '{"name":"acme","workspaces":["packages/*"]}' > package.json
echo '{}' > package-lock.json
echo '{"name":"pn"}' > pn/package.json
echo 'lockfileVersion: 9' > pn/pnpm-lock.yaml
echo '{"extends":"@acme/tsconfig/base.json","files":["a.ts"]}' > ts/tsconfig.json
echo 'const x: Acme = 1; export { x };' > ts/a.ts
echo 'x = 42' > py/src/core.py
echo 'for name; do d=$PWD; while [ "$d" != / ]; do [ ! -e "$d/$name" ] || { echo "$d/$name"; exit 0; }; d=$(dirname "$d"); done; done; exit 1' > up.sh
echo '[ "$1" != link ] || { mkdir -p node_modules/@acme && ln -sfn ../../packages/core node_modules/@acme/core; }' > bootstrap.sh
printf 'node_modules\\n.venv\\n' > .gitignore
git add -A && git commit -q -m first
mkdir -p node_modules/@acme/tsconfig node_modules/@types/acme node_modules/.bin pn/node_modules/.pnpm pn/packages/app/node_modules/@acme
ln -s ../../packages/core node_modules/@acme/core
ln -s ../../../core pn/packages/app/node_modules/@acme/core
echo '{"compilerOptions":{"noEmit":true,"types":["acme"]}}' > node_modules/@acme/tsconfig/base.json
echo 'declare type Acme = number;' > node_modules/@types/acme/index.d.ts
touch eslint.config.mjs conftest.py tsconfig.base.json .env setup.cfg
`;
const VENV = `/usr/bin/python3 -m venv --without-pip .venv && echo "$PWD/py/src" > $(echo .venv/lib/python3*/site-packages)/core.pth`;

/** Breaks what it is asked to change, unless the task says that it does well. */
const AGENT = `case "$CONTRACTS_TASK" in *whole) ;; *)
  echo 'module.exports = 0;' | tee packages/core/index.cjs > pn/packages/core/index.cjs
  echo 'x = 0' > py/src/core.py ;; esac
echo "$CONTRACTS_TASK" > made.txt
case "$CONTRACTS_TASK" in *linked) ln -s "$CHECKOUT_ROOT/node_modules" node_modules ;;
  prepared*) sh bootstrap.sh link ;;
  own*) /usr/bin/python3 -m venv --without-pip .venv ;;
  copied*) cp -a "$CHECKOUT_ROOT/.venv" .venv ;;
  deep) mkdir -p node_modules/a/b && ln -s "$CHECKOUT_ROOT/packages/core" node_modules/a/b/core
    echo 'process.exit(require("./node_modules/a/b/core") === 42 ? 0 : 1)' > deep.cjs ;;
  cached*) mkdir -p node_modules/.cache/x ;; esac
printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] it is there\\n' > "$CONTRACTS_OUT/result.md"
`;

interface Stand {
  readonly base: string;
  readonly root: string;
  readonly uid: number | undefined;
  readonly env: Readonly<Record<string, string>>;
}

function sh(one: Stand, command: string): string {
  const { uid, env, root } = one;
  const as = uid === undefined ? {} : { uid, gid: uid };
  const said = spawnSync('sh', ['-c', command], { cwd: root, env, encoding: 'utf8', ...as });
  return `${said.stdout}${said.stderr}exit ${said.status}`;
}

function stand(sandbox: string, uid: number | undefined): Stand {
  const base = sealedFolder('own');
  chmodSync(base, 0o755);
  if (uid !== undefined) chownSync(base, uid, uid);
  const root = join(base, 'ws');
  const env = {
    ...sealedEnv(),
    HOME: join(base, 'home'),
    // As in a terminal where the environment of the project is active.
    PATH: `${root}/.venv/bin:${root}/node_modules/.bin:${dirname(process.execPath)}:/usr/bin:/bin`,
    PYTHONPATH: `${root}/py/src`,
    NODE_PATH: `${root}/node_modules`,
    VIRTUAL_ENV: `${root}/.venv`,
    CHECKOUT_ROOT: root,
    CONTRACTS_TRUST: '1',
  };
  const one: Stand = { base, root, uid, env };
  expect(sh({ ...one, root: base }, 'mkdir ws home')).toBe('exit 0');
  expect(sh(one, CHECKOUT)).toBe('exit 0');
  if (python) expect(sh(one, VENV)).toBe('exit 0');
  const config = `adapter: mine\nisolation: worktree\nparallel: 2\nsandbox: ${sandbox}\nretries_max: 0\nreviews_max: 0\nadapters:\n  mine: { type: command, run: [sh, ${base}/agent.sh], env: [CHECKOUT_ROOT] }\n`;
  writeFileSync(join(root, '.contracts/config.yaml'), config);
  if (uid !== undefined) chownSync(join(root, '.contracts/config.yaml'), uid, uid);
  writeFileSync(join(base, 'agent.sh'), AGENT);
  return one;
}

function task(one: Stand, id: string, run: string): void {
  const folder = `active_tasks/ready/${id}`;
  expect(sh(one, `mkdir -p ${folder}`)).toBe('exit 0');
  const head = `v: 1\ntitle: ${id}\nverify:\n  - run: ${JSON.stringify(run)}`;
  const body = `# ${id}\n\n## Objective\n\nMake ${id}.\n\n## Success Criteria\n\n- [ ] it is there\n`;
  const file = join(one.root, folder, 'contract.md');
  writeFileSync(file, `---\n${head}\n---\n\n${body}`);
  if (one.uid !== undefined) chownSync(file, one.uid, one.uid);
}

const contracts = (one: Stand, words: string): string => {
  return sh(one, `'${process.execPath}' '${BINARY}' ${words}`);
};

function stateOf({ root }: Stand, id: string): string | undefined {
  return STATES.find((state) => existsSync(join(root, 'active_tasks', state, id)));
}

/** By the words of the fault: not prepared. */
const UNPREPARED: Readonly<Record<string, string>> = {
  npm: 'npm test --workspaces',
  'npm-node': 'node packages/app/test.cjs',
  'npm-linked': 'node packages/app/test.cjs',
  'npm-script': 'sh up.sh node_modules',
  pnpm: 'cd pn && pnpm -r test',
  'pnpm-node': 'node pn/packages/app/test.cjs',
  tsc: `node ${TSC} -p ts`,
  ...(python ? { python: 'cd py && python3 -c "import core; assert core.x == 42"' } : {}),
};

/** They say that they install, so that they run; what is not in the worktree is not found. */
const RUNS: Readonly<Record<string, string>> = {
  'npm-found': 'sh bootstrap.sh && node packages/app/test.cjs',
  'npm-broken': 'sh bootstrap.sh link && node packages/app/test.cjs',
  'pnpm-found': 'sh bootstrap.sh && node pn/packages/app/test.cjs',
  'tsc-found': `sh bootstrap.sh && node ${TSC} -p ts`,
  upwards:
    'sh bootstrap.sh && sh up.sh node_modules .venv eslint.config.mjs conftest.py tsconfig.base.json .env setup.cfg',
  ...(python
    ? { 'python-found': 'sh bootstrap.sh && python3 -c "import core; assert core.x == 42"' }
    : {}),
};

const SANDBOXES = ['none', ...(works ? ['bwrap'] : [])];
const USERS = isRoot ? [undefined, 1001] : [undefined];

describe.each(SANDBOXES)('sandbox: %s', (sandbox) => {
  test.each(USERS)('uid %s: a broken package never passes on that of the main tree', (uid) => {
    const one = stand(sandbox, uid);
    // Each of them passes in the main tree, where the packages are whole.
    for (const run of Object.values({ ...RUNS, ...UNPREPARED })) {
      if (!/npm (?:-r )?test/.test(run)) expect(sh(one, run), run).toMatch(/exit 0$/);
    }
    expect(sh(one, 'git status --short')).toMatch(/^\?\? (?!node_modules)/);
    task(one, 'npm-whole', 'sh bootstrap.sh link && node packages/app/test.cjs');
    for (const [id, run] of Object.entries({ ...RUNS, ...UNPREPARED })) task(one, id, run);
    const said = contracts(one, 'run');
    expect(said).toMatch(/exit 3$/);
    const at = (ids: object): string[] => Object.keys(ids).map((id) => `${id} ${stateOf(one, id)}`);
    expect(at(UNPREPARED)).toEqual(Object.keys(UNPREPARED).map((id) => `${id} review`));
    expect(at(RUNS)).toEqual(Object.keys(RUNS).map((id) => `${id} blocked`));
    expect(stateOf(one, 'npm-whole')).toBe('done');
    const receipts = 'active_tasks/blocked/npm-broken/attempts/0002/receipts.md';
    expect(readFileSync(join(one.root, receipts), 'utf8')).toContain('BROKEN');
  });
});

const TOOLS = `echo 'exec node "$(dirname "$(readlink -f "$0")")/packages/app/test.cjs"' > mytool.sh && chmod +x mytool.sh
echo 'import core; assert core.x == 42' > t.py && git add -A . && git commit -q -m tools
mkdir ../bin && ln -s "$PWD/mytool.sh" ../bin/mytool`;
/** What leads from a worktree to the packages of the main tree, which are whole. */
const LEADING: Readonly<Record<string, string>> = {
  absolute: 'sh bootstrap.sh && sh $CONTRACTS_DIR/mytool.sh',
  deep: 'sh bootstrap.sh && node deep.cjs',
};
/** What `pip install -e` leaves: in a copy of an environment, and in one outside of both trees. */
const PTH = '__editable__.core.pth';
const OUTER = `/usr/bin/python3 -m venv --without-pip ../env && echo "$PWD/py/src" > $(echo ../env/lib/python3*/site-packages)/${PTH}`;
const FINDER = `/usr/bin/python3 -m venv --without-pip ../env && echo "MAPPING = {'core': '$PWD/py/src/core.py'}" > $(echo ../env/lib/python3*/site-packages)/__editable___core_finder.py`;
const CLEAN = '/usr/bin/python3 -m venv --without-pip';

describe.each(SANDBOXES)('sandbox: %s', (sandbox) => {
  test.each(USERS)('uid %s: what leads into the main tree is not what a check judges', (uid) => {
    const one = stand(sandbox, uid);
    expect(sh(one, TOOLS)).toMatch(/exit 0$/);
    const PATH = `${one.base}/bin:${one.env['PATH']}`;
    const user = { ...one, env: { ...one.env, PATH, PYTHONPATH: '' } };
    expect(sh(user, 'mytool')).toBe('exit 0');
    if (python) expect(sh(user, 'python t.py')).toBe('exit 0');
    // Without a sandbox, PATH alone is kept from there.
    const runs = { linked: 'sh bootstrap.sh && mytool', ...(sandbox === 'none' ? {} : LEADING) };
    for (const [id, run] of Object.entries(runs)) task(user, id, run);
    task(
      user,
      'git-whole',
      'git log -1 && test -s "$CONTRACTS_DIR/active_tasks/review/git-whole/contract.md"',
    );
    contracts(user, 'run');
    const at = Object.keys(runs).map((id) => `${id} ${stateOf(one, id)}`);
    expect(at).toEqual(Object.keys(runs).map((id) => `${id} blocked`));
    expect(stateOf(one, 'git-whole')).toBe('done');
  });
});

describe.runIf(python).each(SANDBOXES)('sandbox: %s', (sandbox) => {
  test.each(USERS)(
    'uid %s: an editable install of the main tree is not what a check judges',
    (uid) => {
      const one = stand(sandbox, uid);
      expect(sh(one, `${TOOLS}; ${OUTER}`)).toMatch(/exit 0$/);
      const shut = join(one.base, 'shut');
      mkdirSync(shut, { mode: 0o700 });
      const PATH = `${shut}:${one.base}/env/bin:${one.env['PATH']}`;
      const user = { ...one, env: { ...one.env, PATH, PYTHONPATH: '' } };
      expect(sh(user, 'python t.py')).toBe('exit 0');
      task(user, 'copied-venv', '.venv/bin/python t.py');
      task(user, 'outer-venv', 'cd . && python t.py');
      const said = contracts(user, 'run').replace(/\s+/g, ' ');
      const of = (file: string): string => `${file} names ${one.root}/py/src of the main tree`;
      expect(said).toMatch(/not prepared: \S+\/copied-venv\/\.venv\/lib\/\S+\/core\.pth names /);
      expect(said).toContain(of('/site-packages/core.pth'));
      expect(said).toContain(of(`/site-packages/${PTH}`));
      expect(said).toMatch(/not prepared: \S+\/env\/lib\//);
      expect(said).toContain("Call the worktree's own Python in verify");
      expect(said).toMatch(/exit 3$/);
      for (const id of ['copied-venv', 'outer-venv'])
        expect(`${id} ${stateOf(one, id)}`).toBe(`${id} review`);
    },
  );
});

test('the cure works: prepared as the fault says, the same check runs, and nothing was counted', () => {
  const one = stand('none', undefined);
  task(one, 'whole', 'node packages/app/test.cjs');
  const said = contracts(one, 'run').replace(/\s+/g, ' ');
  const trees = join(one.base, 'home/.local/state/contracts/worktrees');
  const tree = join(trees, readdirSync(trees)[0] ?? '', 'whole');
  expect(said).toContain(
    'did not run, its worktree is not prepared: node_modules is installed in the main tree only',
  );
  expect(said).toContain(`cd ${tree} && npm ci (or as this project installs), then contracts step`);
  expect(said).toContain('run: npm ci && node packages/app/test.cjs');
  // A tree so large, and so long unchanged, that a look at it may be kept.
  const draft =
    'mkdir -p active_tasks/draft/d-$n; cp active_tasks/*/whole/contract.md active_tasks/draft/d-$n';
  const many = `for n in $(seq 500); do ${draft}; done; sleep 2.5`;
  expect(sh(one, many)).toBe('exit 0');
  // Each later look waits with the same cause and cure, and begins no attempt.
  for (const words of ['step', 'list --waits-for me', 'show whole']) {
    expect(contracts(one, words).replace(/\s+/g, ' ')).toMatch(/did not run, .*exit 0$/);
  }
  expect(stateOf(one, 'whole')).toBe('review');
  expect(readdirSync(join(one.root, 'active_tasks/review/whole/attempts'))).toHaveLength(2);
  // In place of npm ci, which needs a registry.
  expect(sh({ ...one, root: tree }, 'sh bootstrap.sh link')).toBe('exit 0');
  expect(contracts(one, 'step')).toMatch(/exit 0$/);
  expect(stateOf(one, 'whole')).toBe('done');
});

test.each([
  ['it only looks at files', 'whole', 'test -s made.txt', 'true'],
  ['the agent prepared it', 'prepared-whole', 'node packages/app/test.cjs', 'true'],
  [
    'those above hold the nested ones',
    'prepared-whole',
    'node packages/app/test.cjs',
    'mkdir -p packages/app/node_modules/x',
  ],
  [
    'the main tree has a cache alone',
    'whole',
    'node -e 1',
    'rm -r node_modules; mkdir -p node_modules/.cache/x',
  ],
  [
    'the packages are committed',
    'whole',
    'node packages/app/test.cjs',
    'git add -f node_modules && git commit -q -m vendored',
  ],
  ['git does not ignore them', 'whole', 'node -e 1', ': > .gitignore; git commit -q -a -m all'],
  [
    'packages of another language are missing',
    'whole',
    'node -e 1',
    'rm -r node_modules; mkdir -p .venv/lib',
  ],
  [
    'packages of another folder are missing',
    'whole',
    'node packages/app/test.cjs',
    'rm -r node_modules; mkdir -p packages/core/node_modules/x; echo > packages/app/test.cjs; git commit -q -a -m empty',
  ],
  ...(python
    ? [
        [
          'an environment on PATH names another folder',
          'whole',
          'python -c 1',
          `rm -r .venv; ${CLEAN} ../env; echo "$PWD-other" > $(echo ../env/lib/python3*/site-packages)/${PTH}; mkdir "$PWD-other"`,
        ],
        [
          'a script has an environment in the worktree',
          'own-whole',
          'sh up.sh made.txt',
          `rm -r .venv node_modules; ${OUTER}`,
        ],
        [
          'the check names the environment of the worktree',
          'own-whole',
          '.venv/bin/python -c 1',
          `rm -r .venv; ${OUTER}`,
        ],
      ]
    : []),
])('it does not fire where %s', (_, id = '', run = '', change = '') => {
  const first = stand('none', undefined);
  const one = {
    ...first,
    env: { ...first.env, PATH: `${first.base}/env/bin:${first.env['PATH']}` },
  };
  expect(sh(one, change)).toMatch(/exit 0$/);
  task(one, id, run);
  expect(contracts(one, 'run')).toMatch(/exit 0$/);
  expect(stateOf(one, id)).toBe('done');
});

test.each([
  [
    'its worktree has a cache alone',
    'node packages/app/test.cjs',
    'true',
    'node_modules is installed in the main tree only',
  ],
  ...(python
    ? [
        [
          'a finder of an editable install names a file',
          'python3 -c "import core"',
          FINDER,
          '/__editable___core_finder.py names ',
        ],
        [
          'a script has no environment in the worktree',
          'sh up.sh made.txt',
          `rm -r .venv node_modules; ${OUTER}`,
          `/${PTH} names `,
        ],
        [
          'an editable install is that of the user',
          'pytest',
          'd="$HOME/.local/lib/python3.1/site-packages" && mkdir -p "$d" ../env/bin && echo "$PWD/py" > "$d/core.pth" && echo : > ../env/bin/pytest && chmod +x ../env/bin/pytest',
          '/core.pth names ',
        ],
      ]
    : []),
])('it fires where %s', (_, run = '', change = '', words = '') => {
  const first = stand('none', undefined);
  const one = {
    ...first,
    env: { ...first.env, PATH: `${first.base}/env/bin:${first.env['PATH']}` },
  };
  expect(sh(one, change)).toMatch(/exit 0$/);
  task(one, 'cached-whole', run);
  expect(contracts(one, 'run').replace(/\s+/g, ' ')).toMatch(
    new RegExp(`not prepared: \\S*${words}`),
  );
  expect(stateOf(one, 'cached-whole')).toBe('review');
});
