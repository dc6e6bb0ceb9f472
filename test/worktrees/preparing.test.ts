/**
 * `worktree: { setup, copy, cleanup }` with the built command, a real git and the real npm, with a sandbox
 * and without, as root and as an ordinary user. The workspace is one of npm with a local package.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { BINARY } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const works = sandboxMachine(process.env['PATH'] ?? '').works;
if (!works) console.log('LEFT OUT: preparing worktrees in a sandbox, because there is none here');
const SANDBOXES = ['none', ...(works ? ['bwrap'] : [])];
const USERS = process.getuid?.() === 0 ? [undefined, 1001] : [undefined];

const CHECKOUT = `set -e
git init -q -b main && git config user.name T && git config user.email t@example.org
mkdir -p packages/core packages/app .contracts
echo '{"name":"acme","private":true,"workspaces":["packages/*"]}' > package.json
echo '{"name":"@acme/core","version":"1.0.0","main":"index.cjs"}' > packages/core/package.json
echo 'module.exports = 42;' > packages/core/index.cjs
echo '{"name":"@acme/app","version":"1.0.0","dependencies":{"@acme/core":"1.0.0"}}' > packages/app/package.json
echo 'if (require("@acme/core") !== 42) { console.log("BROKEN"); process.exit(1); }' > packages/app/test.cjs
printf 'node_modules\\n.env*\\nused.log\\n' > .gitignore
npm install --offline --no-audit --no-fund > /dev/null 2>&1
git add -A && git commit -q -m first
echo 'API_TOKEN="abc-123-def"' > .env && chmod 600 .env
`;

const NPM = 'npm ci --offline --no-audit --no-fund';

class Stand {
  readonly base = sealedFolder('prepare');
  readonly root = join(this.base, 'ws');
  readonly sandbox: string;
  readonly uid: number | undefined;

  constructor(sandbox = 'none', uid?: number) {
    this.sandbox = sandbox;
    this.uid = uid;
    fs.chmodSync(this.base, 0o755);
    if (uid !== undefined) fs.chownSync(this.base, uid, uid);
    expect(this.sh('mkdir ws home', this.base)).toBe('exit 0');
    expect(this.sh(CHECKOUT)).toBe('exit 0');
  }

  sh(command: string, cwd = this.root): string {
    const env = {
      ...sealedEnv(),
      HOME: join(this.base, 'home'),
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      CONTRACTS_TRUST: '1',
    };
    const as = this.uid === undefined ? {} : { uid: this.uid, gid: this.uid };
    const said = spawnSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', ...as });
    return `${said.stdout}${said.stderr}exit ${said.status}`;
  }

  contracts(words: string): string {
    return this.sh(`'${process.execPath}' '${BINARY}' ${words}`);
  }

  put(path: string, text: string): void {
    expect(this.sh(`mkdir -p "$(dirname ${path})"`)).toBe('exit 0');
    fs.writeFileSync(join(this.root, path), text);
    if (this.uid !== undefined) fs.chownSync(join(this.root, path), this.uid, this.uid);
  }

  config(worktree: object): void {
    const head = `isolation: worktree\nsandbox: ${this.sandbox}\nretries_max: 0\nreviews_max: 0\n`;
    this.put('.contracts/config.yaml', `${head}worktree: ${JSON.stringify(worktree)}\n`);
  }

  task(id: string, sh: string, run = 'node packages/app/test.cjs', head = ''): void {
    const body = `## Success Criteria\n\n- [ ] \`${run}\` passes\n\n## Steps\n\n~~~sh\n${sh}\n~~~\n`;
    const front = `title: ${id}\n${head}quality_gate: []\nverify: [${JSON.stringify(`run: ${run}`)}]`;
    this.put(`active_tasks/ready/${id}/contract.md`, `---\n${front}\n---\n\n${body}`);
  }

  state(id: string): string | undefined {
    return STATES.find((state) => fs.existsSync(join(this.root, 'active_tasks', state, id)));
  }

  tree(id: string): string {
    const found = /^worktree (.*)$/gm;
    const all = execFileSync('git', ['-c', 'safe.directory=*', 'worktree', 'list', '--porcelain'], {
      cwd: this.root,
      encoding: 'utf8',
    });
    return [...all.matchAll(found)].map(([, path = '']) => path).find((p) => p.endsWith(id)) ?? '';
  }

  read(path: string): string {
    return fs.readFileSync(join(this.root, path), 'utf8');
  }
}

describe.each(SANDBOXES)('sandbox: %s', (sandbox) => {
  test.each(USERS)(
    'uid %s: a package of the workspace resolves to the worktree, and secrets are in no commit',
    (uid) => {
      const one = new Stand(sandbox, uid);
      one.config({ setup: [NPM, 'cat .env; echo ran >> used.log'], copy: ['.env*'] });
      one.task('broken', "echo 'module.exports = 0;' > packages/core/index.cjs");
      // A sandbox hides the copy from the agent, and not from the check.
      const sees = sandbox === 'none' ? 'test -s .env' : '! cat .env';
      one.task(
        'whole',
        `${sees} && echo hi > hi.txt`,
        'node packages/app/test.cjs && test -s .env',
      );
      const said = one.contracts('run');
      expect(said).toContain('whole  wrote setup.log: runs setup: npm ci');
      expect([one.state('broken'), one.state('whole')], said).toEqual(['blocked', 'done']);
      expect(one.read('active_tasks/blocked/broken/attempts/0002/receipts.md')).toContain('BROKEN');
      const core = fs.realpathSync(join(one.tree('whole'), 'node_modules/@acme/core'));
      expect(core).toBe(join(one.tree('whole'), 'packages/core'));
      expect(fs.statSync(join(one.tree('whole'), '.env')).mode & 0o777).toBe(0o600);
      // Once for work and review together.
      expect(fs.readFileSync(join(one.tree('whole'), 'used.log'), 'utf8')).toBe('ran\n');
      const log = one.read('active_tasks/done/whole/attempts/0001/setup.log');
      expect(log).toContain('added 2 packages');
      expect(log).toContain('API_TOKEN="***"');
      expect(one.sh('git log --all --format= --name-only | sort -u')).not.toContain('.env');
      // Merged: a copy is no work that would be lost.
      expect(one.contracts('merge whole --yes')).toContain('worktree and branch removed');
    },
  );

  test.each(USERS)('uid %s: setup sees nothing of the main tree', (uid) => {
    const one = new Stand(sandbox, uid);
    one.config({ setup: [`test ! -e ${one.root}/package.json`] });
    one.task('a', 'echo hi > hi.txt', 'test -s hi.txt');
    expect(one.contracts('run')).toMatch(sandbox === 'none' ? /exit 3$/ : /exit 0$/);
  });
});

test('setup that fails: told once with its last lines, nothing counted, and it is tried again', () => {
  const one = new Stand();
  one.config({ setup: ['echo one; echo two; echo no registry; exit 7'] });
  one.task('a', 'echo hi > hi.txt', 'test -s hi.txt');
  const said = one.contracts('run');
  expect(said).toMatch(/exit 3$/);
  expect(said.match(/fault:/g)).toHaveLength(1);
  expect(said).toContain('failed (exit 7): one | two | no registry. See contracts logs a');
  expect(one.state('a')).toBe('ready');
  expect(one.contracts('logs a')).toContain('no registry');
  expect(one.contracts('run')).toMatch(/exit 3$/);
  one.config({ setup: ['true'] });
  expect(one.contracts('run')).toMatch(/exit 0$/);
  expect(one.state('a')).toBe('done');
});

test('a pattern finds files of a folder that git ignores as a whole, and a huge file is named', () => {
  const one = new Stand();
  one.sh('mkdir -p packages/app/.env.d && echo k > packages/app/.env.d/key.txt');
  one.config({ copy: ['packages/app/.env.d/*.txt'] });
  one.task('a', 'ls packages/app/.env.d > hi.txt', 'grep -q key.txt hi.txt');
  expect(one.contracts('run')).toMatch(/exit 0$/);
  expect(one.state('a')).toBe('done');
  one.sh('truncate -s 1000000 .env');
  one.config({ copy: ['.env'] });
  one.task('b', 'echo hi > b.txt', 'test -s b.txt');
  expect(one.contracts('run')).toContain('.env is not copied: it has 1000000 bytes');
});

test('a setting that comes after the fault that names it prepares the worktree of the task that waits', () => {
  const one = new Stand();
  one.config({});
  one.task('late', 'true');
  const before = one.contracts('run');
  expect(before).toContain('Write worktree: { setup: [npm ci] } into .contracts/config.yaml');
  expect(one.state('late')).toBe('review');
  one.config({ setup: ['exit 7'] });
  expect(one.contracts('run')).toContain('setup');
  expect(one.state('late')).toBe('review');
  one.config({ setup: [NPM] });
  expect(one.contracts('run')).toContain('1 task done');
  expect(one.state('late')).toBe('done');
});

test('setup runs again when its commands or a lock file change, and not for another attempt', () => {
  const one = new Stand();
  const count = (): number => fs.readFileSync(join(one.tree('a'), 'used.log'), 'utf8').length;
  one.config({ setup: ['printf 1 >> used.log'] });
  one.task('a', 'echo $CONTRACTS_ATTEMPT > hi.txt', 'test -s hi.txt');
  one.contracts('run');
  const again = (): number => {
    one.contracts('retry a --again');
    one.contracts('run');
    return count();
  };
  expect(again()).toBe(1);
  one.config({ setup: ['printf 11 >> used.log'] });
  expect(again()).toBe(3);
  one.task('b', 'echo " " >> package-lock.json; echo hi > hi.txt', 'test -s hi.txt');
  one.contracts('run');
  // Before its work, and before its checks, which stand at its commit.
  expect(fs.readFileSync(join(one.tree('b'), 'used.log'), 'utf8')).toBe('1111');
});

test('setup that changes what git would commit is refused: the agent would be blamed for it', () => {
  const one = new Stand();
  one.config({ setup: ['echo x >> package.json; touch new.txt'] });
  one.task('a', 'echo hi > hi.txt', 'test -s hi.txt');
  const said = one.contracts('run');
  expect(said).toContain('setup changed what git would commit: package.json, new.txt');
  expect(one.state('a')).toBe('ready');
});

test.each(['', '; exit 3'])(
  'setup that edits contracts is no person: each task asks before its agent is called%s',
  (end) => {
    const one = new Stand();
    const edit =
      'for f in $(find $CONTRACTS_DIR/active_tasks -name contract.md); do echo edited >> $f; done';
    one.config({ setup: [edit + end] });
    one.task('a', 'echo hi > hi.txt', 'true');
    one.task('b', 'echo hi > hi.txt', 'true', 'depends_on: a\n');
    const said = one.contracts('run');
    expect(said).toMatch(/exit [13]$/);
    expect(said).not.toContain('calls builder');
    one.config({});
    expect(one.contracts('run')).toMatch(/exit 1$/);
    expect(one.read('active_tasks/questions/a/questions.md')).toContain('+edited');
    expect(one.contracts('answer a restore')).toMatch(/exit 0$/);
    one.contracts('run');
    expect([one.state('a'), one.state('b')]).toEqual(['done', 'questions']);
    expect(one.read('active_tasks/done/a/contract.md')).not.toContain('edited');
    expect(one.read('active_tasks/questions/b/confirmed.md')).not.toContain('edited');
  },
);

test.each([
  ['package.json', 'git does not ignore it, so it would be committed'],
  ['.env.link', 'it is a link or a special file'],
  ['../secret', 'the path has a .. segment'],
  ['/etc/passwd', 'the path is absolute'],
  ['node_modules', 'it is a folder'],
])('copy: %s is refused: %s', (path, why) => {
  const one = new Stand();
  one.sh('ln -s /etc/passwd .env.link; echo x > ../secret');
  one.config({ copy: [path] });
  one.task('a', 'echo hi > hi.txt', 'test -s hi.txt');
  expect(one.contracts('run')).toContain(`${path} is not copied: ${why}`);
  expect(one.state('a')).toBe('ready');
});

test('copy replaces a link that an agent left in its place, and goes through none on the way', () => {
  const one = new Stand();
  one.sh('mkdir -p conf && echo conf >> .gitignore && git commit -qam conf && echo k > conf/key');
  one.config({});
  one.task(
    'a',
    `[ $CONTRACTS_ATTEMPT != 0001 ] || ln -s ${one.base}/home/file .env; ln -sfn ${one.base}/home conf; echo 1 > hi.txt`,
    'true',
  );
  one.contracts('run');
  one.contracts('retry a --again');
  one.config({ copy: ['.env'] });
  one.contracts('run');
  expect(fs.existsSync(join(one.base, 'home/file'))).toBe(false);
  expect(fs.readFileSync(join(one.tree('a'), '.env'), 'utf8')).toContain('API_TOKEN');
  one.contracts('retry a --again');
  one.config({ copy: ['conf/key'] });
  expect(one.contracts('run')).toContain('conf/key is not copied');
  expect(fs.existsSync(join(one.base, 'home/key'))).toBe(false);
});

test('an agent that commits a copy is outside its permissions; one that unignores it commits nothing of it', () => {
  const one = new Stand();
  one.config({ copy: ['.env'] });
  one.task(
    'commits',
    'git add -f .env && git -c user.name=A -c user.email=a@b commit -qm x',
    'true',
  );
  one.task('unignores', ': > .gitignore; rm -rf node_modules; echo hi > hi.txt', 'test -s hi.txt');
  const said = one.contracts('run');
  expect(said).toContain('".env" was copied from the main tree, so it must not be committed');
  expect([one.state('commits'), one.state('unignores')]).toEqual(['blocked', 'done']);
  expect(one.sh('git ls-tree -r --name-only contracts/unignores')).not.toContain('.env');
  expect(one.sh('git branch --list contracts/commits')).toBe('exit 0');
});

test('a contract leaves entries out, and one that it adds is refused', () => {
  const one = new Stand();
  one.config({ setup: ['printf a >> used.log', 'printf b >> used.log'] });
  one.task(
    'less',
    'echo hi > hi.txt',
    'test -s hi.txt',
    'worktree: { setup: ["printf b >> used.log"] }\n',
  );
  one.task('more', 'echo hi > hi.txt', 'test -s hi.txt', 'worktree: { setup: ["curl x | sh"] }\n');
  const said = one.contracts('run');
  expect(fs.readFileSync(join(one.tree('less'), 'used.log'), 'utf8')).toBe('b');
  expect(said).toContain('has an entry that the configuration lacks');
  expect(one.state('more')).toBe('ready');
});

test('trust shows the commands and asks again when they change', () => {
  const one = new Stand();
  one.config({ setup: ['make deps'], copy: ['.env'], cleanup: ['make gone'] });
  expect(one.sh(`CONTRACTS_TRUST= '${process.execPath}' '${BINARY}' trust`)).toContain(
    'worktree.cleanup: ["make gone"]',
  );
  one.task('a', 'echo hi > hi.txt', 'test -s hi.txt');
  one.config({ setup: ['make other'] });
  const said = one.sh(`CONTRACTS_TRUST= '${process.execPath}' '${BINARY}' run`);
  expect(said).toContain('this is not allowed yet, or has changed: worktree.setup');
});

test('cleanup runs before the worktree is removed; one that fails is told, and stops nothing', () => {
  const one = new Stand();
  one.config({ cleanup: ['echo gone >> $CONTRACTS_DIR/.contracts/gone.txt; exit 5'] });
  one.task('a', 'echo hi > hi.txt', 'test -s hi.txt');
  one.contracts('run');
  const said = one.contracts('merge a --yes');
  expect(said).toMatch(/exit 0$/);
  expect(said).toContain('worktree and branch removed');
  expect(said).toContain('failed (exit 5)');
  expect(one.read('.contracts/gone.txt')).toBe('gone\n');
});
