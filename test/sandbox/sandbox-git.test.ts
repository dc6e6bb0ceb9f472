/**
 * Real programs in a real sandbox, in repositories that are not the plain one: a workspace that is a
 * linked worktree, and one that takes objects from elsewhere. Without bubblewrap it says so and is
 * left out.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { saidHere } from '../support/command-room.ts';
import { makeStand, scriptOf, type Deeds, type Stand } from '../support/confined.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: the tests of git in a sandbox, because ${here.why}`);
const inSandbox = test.runIf(here.works);

function stand(config = ''): Stand {
  const made = makeStand('bwrap', config);
  vi.stubEnv('HOME', made.home);
  return made;
}

function gitAt(folder: string): (...args: string[]) => string {
  return (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
}

const outcomeOf = (one: Stand): string => one.read(`${one.attempt('task')}/outcome.md`);

describe('in the shared tree of a workspace that is a linked worktree', () => {
  const G = 'g=$(git rev-parse --git-common-dir); a=$(git rev-parse --git-dir);';
  const DEEDS: Deeds = {
    commit: 'echo made > src/made.txt && git add src && git commit -q -m made',
    object: `${G} echo x > $g/objects/x`,
    branch: 'git branch other',
    alternates: `${G} mkdir -p $g/objects/info && echo /tmp > $g/objects/info/alternates`,
    hook: `${G} echo true > $g/hooks/post-commit`,
    config: 'git config core.pager evil',
    info: `${G} echo x > $g/info/attributes`,
    commondir: `${G} echo /tmp > $a/commondir`,
    gitdir: `${G} echo /tmp > $a/gitdir`,
    tie: 'echo "gitdir: /tmp" > .git',
    beside: `${G} mkdir $g/worktrees/beside`,
  };

  async function played(one: Stand, head: string): Promise<{ deeds: string[]; outcome: string }> {
    const linked = join(one.home, 'dev', 'linked');
    gitAt(one.root)('worktree', 'add', '-q', '-b', 'mine', linked);
    for (const name of ['.contracts', 'active_tasks']) {
      fs.cpSync(join(one.root, name), join(linked, name), { recursive: true });
    }
    // So that it is there, as in a repository that somebody set up in this way.
    one.write('.git/objects/info/alternates', '');
    one.task('task', head, scriptOf(DEEDS));
    const folder = 'active_tasks/ready/task';
    fs.mkdirSync(join(linked, folder), { recursive: true });
    const contract = one.read(`${folder}/contract.md`);
    fs.writeFileSync(join(linked, folder, 'contract.md'), contract);
    await saidHere(['-C', linked, 'step']);
    // A person judges what a script cannot prove.
    const attempt = join(linked, 'active_tasks/review/task/attempts/0001');
    const read = (path: string): string => fs.readFileSync(join(attempt, path), 'utf8');
    const done = read('desk/deeds.txt').split('\n');
    const deeds = done.filter((line) => line.endsWith(' yes')).map((line) => line.slice(0, -4));
    return { deeds, outcome: read('outcome.md') };
  }

  inSandbox.each([
    ['no right over git', ''],
    ['the right to commit', 'agent: writer'],
  ])('with %s: nothing of the common folder can be written', async (_says, head) => {
    const one = stand('agents:\n  writer: { git: [add, commit], write: [src/**] }\n');
    const { deeds, outcome } = await played(one, head);
    expect(deeds).toEqual([]);
    expect(outcome).toContain('It could read git but not change it');
    expect(fs.existsSync(join(one.root, '.git/objects/x'))).toBe(false);
  });

  inSandbox(
    'who is trusted with git commits on its branch, as in the main tree, and makes no other',
    async () => {
      const one = stand('agents:\n  keeper: { git: [add, commit, merge], write: [src/**] }\n');
      const { deeds, outcome } = await played(one, 'agent: keeper');
      expect(deeds).toEqual(['commit', 'object']);
      expect(outcome).toContain('It is trusted with git');
      expect(gitAt(one.root)('show', 'mine:src/made.txt')).toBe('made\n');
    },
  );
});

describe('hooks of git', () => {
  /** A bare repository that the agent can reach and write, so that nothing else prevents a push. */
  function open(config = ''): { one: Stand; remote: () => string } {
    const one = stand(`agents:\n  writer: { git: [add, commit], write: [${OPEN}/**] }\n${config}`);
    fs.writeFileSync(join(one.home, '.gitconfig'), '[init]\n\tdefaultBranch = trunk\n');
    one.write('.git/info/exclude', `active_tasks\n.contracts\n${OPEN}\n`);
    const at = join(one.root, OPEN);
    const git = gitAt(one.root);
    git('init', '-q', '--bare', at);
    git('remote', 'add', 'near', at);
    git('push', '-q', 'near', 'main');
    git('branch', 'other', git('commit-tree', '-m', 'x', '-p', 'HEAD', 'HEAD^{tree}').trim());
    vi.stubEnv('XDG_STATE_HOME', join(one.base, 'state'));
    return { one, remote: () => gitAt(at)('for-each-ref') };
  }
  const OPEN = 'src/near.git';
  const OURS = 'h=$(git config --get core.hooksPath);';
  const REFUSED: Deeds = {
    push: 'git push near main:stolen',
    force: 'git push -f near main:stolen',
    remove: 'git push near :main',
    write: `${OURS} echo true > $h/hook`,
    unlink: `${OURS} rm -f $h/pre-push`,
    replace: `${OURS} mv $h $h-gone`,
    unmount: `${OURS} umount $h`,
  };
  /** The record of a refusal is a file of the desk: a link there leads no further than the agent itself. */
  const LINKED: Deeds = {
    link: 'ln -sf "$CONTRACTS_ROOT/README.md" "$CONTRACTS_OUT/hook.log" && git push near main:linked',
  };
  const ALLOWED: Deeds = {
    hooked: `${OURS} test -x $h/pre-push`,
    settings:
      'test "$(git config --show-scope init.defaultBranch | tr "\\t" " ")" = "command trunk"',
    log: 'git log -1',
    own: 'cd /tmp && git init -q a && git init -q --bare b && cd a && git -c user.name=A -c user.email=a@b commit -q --allow-empty -m a && git push -q ../b HEAD:x',
  };

  const IN_WORKTREE: Deeds = {
    push: `git push "$CONTRACTS_DIR/${OPEN}" HEAD:refs/heads/stolen`,
    merge: 'git merge -q --no-ff other',
  };
  inSandbox.each([
    ['in the shared tree', '', REFUSED],
    ['in the shared tree, with a link for a record', '', LINKED],
    ['in a worktree', 'isolation: worktree\n', IN_WORKTREE],
  ])('%s: what they refuse is refused, and the record says so', async (name, config, deeds) => {
    const { one, remote } = open(config);
    const refs = remote();
    one.task('task', 'agent: writer', scriptOf({ ...deeds, ...ALLOWED }));
    await one.step();
    const done = Object.entries(one.deeds('task')).filter(([, did]) => did);
    expect(done.map(([deed]) => deed)).toEqual(Object.keys(ALLOWED));
    expect(one.read(`${one.attempt('task')}/desk/said.txt`)).toContain(
      'contracts: this is outside your permissions. git push: this agent may add, commit.',
    );
    expect(remote()).toBe(refs);
    expect(one.read('README.md')).toBe('as it was\n');
    const isRecorded = !name.includes('link');
    expect(/enforced:\n {2}- brief\n {2}- git\n/.test(outcomeOf(one))).toBe(isRecorded);
    expect(outcomeOf(one).includes('pre-push: git push: this agent may add, commit')).toBe(
      isRecorded,
    );
    expect(fs.readdirSync(join(one.base, 'state/contracts/git-hooks'))).toEqual([]);
  });

  inSandbox('a call whose sandbox cannot be made leaves none behind', async () => {
    const { one } = open('hide: ["*.key"]\n');
    for (let n = 0; n <= 1000; n++) one.write(`src/${n}.key`, '');
    one.task('task', 'agent: writer', 'true');
    await one.step();
    expect(outcomeOf(one)).toContain('more than 1000');
    expect(fs.existsSync(join(one.base, 'state/contracts/git-hooks'))).toBe(false);
  });

  inSandbox('an agent that may push does', async () => {
    const { one, remote } = open();
    const agents = 'agents:\n  pusher: { git: [push], write: [src/**] }\n';
    one.write('.contracts/config.yaml', `sandbox: bwrap\n${agents}`);
    one.task(
      'task',
      'agent: pusher',
      scriptOf({ push: 'git push near main:mine', tag: 'git tag v1' }),
    );
    await one.step();
    expect(one.deeds('task')).toEqual({ push: true, tag: false });
    expect(remote()).toContain('refs/heads/mine');
  });
});

describe('what the brief promises', () => {
  const DEEDS: Deeds = {
    add: 'echo made > src/made.txt && git add src',
    commit: 'git commit -q -m made',
    branch: 'git branch other',
    tag: 'git tag v1',
    stash: 'echo more >> src/a.txt && git stash && git stash pop',
  };
  inSandbox.each(['shared', 'worktree'])(
    '%s: each command works, and no other',
    async (isolation) => {
      const agent = '{ git: [add, commit, branch, tag, stash], write: [src/**] }';
      const one = stand(`isolation: ${isolation}\nagents:\n  writer: ${agent}\n`);
      one.task('task', 'agent: writer', scriptOf(DEEDS));
      await one.step();
      const brief = one.read(`${one.attempt('task')}/desk/brief.md`);
      const [, promised] = /anything except reading(?: and: (.*)|:.*)$/m.exec(brief) ?? [];
      const done = Object.entries(one.deeds('task')).filter(([, did]) => did);
      expect(done.map(([deed]) => deed)).toEqual(promised?.split(', ') ?? []);
    },
  );
});

describe('in a repository that takes objects from elsewhere', () => {
  /** All that it has lies in the last of a chain of stores outside of it. */
  function borrows(one: Stand, entry: (from: string, to: string) => string): void {
    const stores = join(one.home, 'stores');
    const at = (name: string): string => join(stores, name, '.git', 'objects');
    for (const name of ['near', 'far']) {
      gitAt(one.root)('clone', '-q', '--no-checkout', one.root, join(stores, name));
    }
    const chain = [join(one.root, '.git', 'objects'), at('near'), at('far')];
    for (const [i, from] of chain.entries()) {
      const to = chain[i + 1];
      if (to === undefined) continue;
      for (const name of fs.readdirSync(from)) fs.rmSync(join(from, name), { recursive: true });
      fs.mkdirSync(join(from, 'info'));
      fs.writeFileSync(join(from, 'info', 'alternates'), `# a comment\n${entry(from, to)}\n`);
    }
    gitAt(one.root)('fsck', '--full');
  }

  const LOOK: Deeds = {
    log: 'git log -1 --format=%s && git show HEAD:src/a.txt',
    quiet: 'test -z "$(git status --porcelain src 2>&1)"',
    letter: 'cat "$HOME/letter.txt"',
    forge: 'echo x > "$HOME/stores/far/.git/objects/x"',
    near: 'cat "$HOME/stores/near/.git/config"',
  };

  inSandbox.each([
    ['relative', (from: string, to: string) => relative(from, to)],
    ['absolute', (_from: string, to: string) => to],
  ])('named by %s paths: an agent in a worktree reads them and commits', async (_says, entry) => {
    const one = stand('isolation: worktree\n');
    borrows(one, entry);
    one.write('.git/info/exclude', 'active_tasks\n.contracts\n');
    const commit = 'echo made > src/made.txt && git add src && git commit -q -m made';
    one.task('task', 'write: [src/**]', scriptOf({ ...LOOK, commit }));
    await one.step();
    expect(one.deeds('task')).toEqual({
      log: true,
      quiet: true,
      letter: false,
      forge: false,
      near: false,
      commit: true,
    });
    expect(outcomeOf(one)).toContain('outcome: complete');
    expect(gitAt(one.root)('show', 'contracts/task:src/made.txt')).toBe('made\n');
    expect(gitAt(one.root)('fsck', '--full')).toBe('');
    expect(one.exists('.git/worktrees/task/objects')).toBe(false);
  });

  inSandbox('in the shared tree they are read too', async () => {
    const one = stand();
    borrows(one, relative);
    one.task('task', '', scriptOf(LOOK));
    await one.step();
    const { quiet: _, ...deeds } = one.deeds('task');
    expect(deeds).toEqual({ log: true, letter: false, forge: false, near: false });
  });

  inSandbox('what is no store of objects is not shown, whatever names it', async () => {
    const one = stand();
    one.write('../../objects/id_key', 'the key\n');
    one.write('.git/objects/info/alternates', `${one.home}/.ssh\n${one.home}/objects\n`);
    const deeds = { key: 'cat "$HOME/.ssh/id_key"', other: 'cat "$HOME/objects/id_key"' };
    one.task('task', '', scriptOf(deeds));
    await one.step();
    expect(one.deeds('task')).toEqual({ key: false, other: false });
  });
});
