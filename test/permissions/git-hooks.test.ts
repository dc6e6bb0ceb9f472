/**
 * The hooks of git that a call gets, without a sandbox; test/sandbox/sandbox-git.test.ts has them in one. The built
 * command, the real git, remotes that are real bare repositories. An agent of the shell runs commands; what it
 * printed, what moved, and what the outcome says is looked at.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GIT_ENV, gitOf } from '../support/git.ts';
import { inShell, makeHouse, shellContract, type House } from '../hostile/house.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

interface Room extends House {
  readonly home: string;
  readonly git: (args: string) => string;
  /** All refs of the remote. */
  remote(): string;
  /** Runs these commands as the agent; gives its output, and its outcome. */
  agent(sh: string, more?: { readonly git?: string; readonly head?: string }): Ended;
}

interface Ended {
  readonly out: string;
  readonly outcome: string;
  readonly hooks: readonly string[];
}

/** A repository with a commit, a branch `other` and a remote `origin` outside of it. */
function room(config = ''): Room {
  const house = makeHouse({ config: `sandbox: none\n${config}`, neighbour: false });
  const home = sealedFolder('home');
  const git = gitOf(house.root);
  git('init -q -b main');
  git('config user.name A');
  git('config user.email a@example.org');
  house.write('a.txt', 'one\n');
  house.write('.gitignore', 'active_tasks\n.contracts\nscratch\n');
  git('add --all');
  git('commit -q -m first');
  git('branch other');
  fs.mkdirSync(join(home, 'remote.git'));
  gitOf(join(home, 'remote.git'))('init -q --bare -b main');
  git(`remote add origin ${join(home, 'remote.git')}`);
  git('push -q origin main');
  const remote = () => gitOf(join(home, 'remote.git'))('for-each-ref');
  let tasks = 0;
  const agent: Room['agent'] = (sh, { git: may = 'add, commit', head } = {}) => {
    const id = `task-${++tasks}`;
    house.write('.contracts/agents/mine.md', `---\nname: mine\ngit: [${may}]\n---\n\nWork.\n`);
    const all = `${sh}\necho made > "$CONTRACTS_ROOT/${id}.txt"`;
    const contract = shellContract(id, { sh: all, head: `agent: mine\n${head ?? ''}`.trim() });
    house.task(id, contract);
    const env = { HOME: home, XDG_STATE_HOME: join(home, 'state'), ...GIT_ENV };
    const { out, err } = inShell(house, '$BIN step 2>&1; $BIN step 2>&1', env);
    const [state = ''] = house.where(id);
    const folder = `active_tasks/${state}/${id}/attempts/0001`;
    if (!house.exists(`${folder}/outcome.md`)) throw new Error(`${state}: ${out}${err}`);
    const hooks = join(home, 'state/contracts/git-hooks');
    return {
      out: house.read(`${folder}/output.log`),
      outcome: house.read(`${folder}/outcome.md`),
      hooks: fs.existsSync(hooks) ? fs.readdirSync(hooks) : [],
    };
  };
  return { ...house, home, git, remote, agent };
}

const [, MINOR = '0'] =
  /^git version 2\.(\d+)/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' })) ?? [];
/** Whether git asks hooks before it checks out a branch. */
const IS_ASKED = Number(MINOR) >= 46;

/** For the shell of the agent: runs a command, and says whether it succeeded and whether anything moved. */
const TRY = `set +e
refs() { git for-each-ref; git rev-parse HEAD; }
clean() { git merge --abort; git rebase --abort; git cherry-pick --abort; git reset -q --hard HEAD; } 2>/dev/null >&2
try() {
  before=$(refs)
  "$@" >"$CONTRACTS_OUT/said" 2>&1 && code=did || code=failed
  [ "$before" = "$(refs)" ] && moved=kept || moved=moved
  grep -q 'contracts: this is outside' "$CONTRACTS_OUT/said" && moved="$moved refused"
  echo "$code $moved: $*"
  sed 's/^/    /' "$CONTRACTS_OUT/said"
  clean
}
`;

function tried(out: string): Readonly<Record<string, string>> {
  const lines = out.split('\n').flatMap((line) => {
    const [, how, what] = /^((?:did|failed) (?:kept|moved)(?: refused)?): (.*)$/.exec(line) ?? [];
    return how === undefined || what === undefined ? [] : [[what, how] as const];
  });
  return Object.fromEntries(lines);
}

const all = (how: string, commands: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(commands.map((one) => [one, how]));
const tryAll = (commands: readonly string[]): string =>
  commands.map((one) => `try ${one}\n`).join('');

/** Also `ahead`, which main can be moved to, `aside`, which it cannot, and a remote with a new tag. */
function branchy(config = ''): Room {
  const one = room(config);
  one.git('checkout -q -b ahead');
  one.write('b.txt', 'two\n');
  one.git('add --all');
  one.git('commit -q -m ahead');
  one.git('checkout -q -b aside main');
  one.write('c.txt', 'three\n');
  one.git('add --all');
  one.git('commit -q -m aside');
  one.git('checkout -q main');
  one.write('d.txt', 'four\n');
  one.git('add --all');
  one.git('commit -q -m on-main');
  one.git('checkout -q -b topic main~1');
  one.git('push -q origin ahead:refs/heads/far');
  gitOf(join(one.home, 'remote.git'))('tag far-tag far');
  one.git('checkout -q main');
  return one;
}

describe('without a sandbox', () => {
  test('a push is refused, the remote has not moved, and the outcome says so', () => {
    const one = room();
    const [refs, ref] = [one.remote(), one.git('rev-parse main')];
    const { out, outcome, hooks } = one.agent('git push origin main:stolen || echo code $?');
    expect(out).toContain(
      'contracts: this is outside your permissions. git push: this agent may add, commit.',
    );
    expect(out).toContain('code 1');
    expect(one.remote()).toBe(refs);
    expect(one.git('rev-parse main')).toBe(ref);
    expect(outcome).toContain('pre-push: git push: this agent may add, commit');
    expect(outcome).toMatch(/Its permissions were enforced by: .*hooks of git/);
    expect(hooks).toEqual([]);
  });

  test('an agent that may add and commit does that, and moves nothing else', () => {
    const one = branchy();
    const refused = [
      'git push origin main:stolen',
      'git -C . push origin main:stolen',
      'git push --mirror origin',
      'git branch new',
      'git checkout -b new',
      'git switch -c new',
      'git branch -D other',
      'git branch -m other renamed',
      'git branch -f other main',
      'git tag v1',
      'git tag -a v1 -m v1',
      'git update-ref refs/heads/new HEAD',
      'git update-ref refs/heads/other HEAD',
      'git update-ref -d refs/heads/other',
      'git update-ref refs/tags/v1 HEAD',
      'git update-ref HEAD HEAD~1',
      'git reset --hard HEAD~1',
      'git reset --soft HEAD~1',
      'git checkout --detach',
      'git merge -m m aside',
      'git pull -q --no-rebase . aside',
      'git rebase aside',
      'git rebase --no-verify aside',
      'git rebase --apply --no-verify aside',
      'git pull -q --rebase . aside',
      'git fetch . main:new',
      'git worktree add -b new scratch/tree',
      'git replace HEAD HEAD~1',
      'sh -c "git merge -q --no-commit --no-ff aside; git commit -q -m merged"',
      'sh -c "echo x >>a.txt; git stash"',
      'git -c alias.quiet=branch quiet new',
      'git -c user.name=" commit " branch new',
      'git -c alias.branch=commit branch new',
      'git --shallow-file commit branch new',
    ];
    const allowed = [
      'sh -c "echo x >>a.txt; git commit -q -a -m one"',
      'git commit -q --allow-empty --no-verify -m two',
      'git commit -q --allow-empty --amend -m three',
      'git -c alias.ci=commit ci -q --allow-empty -m alias',
      'git cherry-pick aside',
      'git revert --no-edit HEAD',
      'git notes add -m note',
      'git fetch -q origin',
    ];
    const kept = ['git gc -q', 'git pack-refs --all', 'git checkout a.txt', 'git stash list'];
    const refs = one.remote();
    const { out } = one.agent(`${TRY}${tryAll([...refused, ...allowed, ...kept])}`);
    expect(tried(out)).toEqual({
      ...all('failed kept refused', refused.map(unquoted)),
      ...all('did moved', allowed.map(unquoted)),
      ...all('did kept', kept),
    });
    expect(one.remote()).toBe(refs);
    expect(one.git('tag')).toBe('far-tag\n');
  });

  test('an agent that may do all of it gets no hooks', () => {
    const one = branchy();
    const may = 'add, commit, branch, tag, stash, merge, rebase, push';
    const { out, outcome } = one.agent(
      'env | grep -c ^GIT_CONFIG || true; git merge -q -m m aside; git push -q origin main:mine',
      { git: may },
    );
    expect(out).toContain('\n0\n');
    expect(one.remote()).toContain('refs/heads/mine');
    expect(outcome).not.toContain('hooks of git');
  });

  test('a push past its hook is violated, as another hook saw it', () => {
    const { outcome } = room().agent('git push -q --no-verify origin main:past');
    expect(outcome).toContain('\noutcome: violated\n');
    expect(outcome).toContain('git push: pushed to origin/past past the hook of git');
  });

  // git before 2.46 asks no hook whether it may.
  test.each([
    ['git checkout -q other', 'git branch: checked out another branch, from main to other'],
    [
      'git worktree add -q scratch/tree other',
      'git branch: checked out a branch in a worktree of its own',
    ],
  ])('another branch is refused, or it is violated: %s', (sh, words) => {
    const { outcome } = room().agent(`${sh} || true`);
    const isRefused = outcome.includes('- "reference-transaction: git branch: this agent may add');
    const isViolated = outcome.includes('\noutcome: violated\n') && outcome.includes(words);
    expect({ isRefused, isViolated }).toEqual({ isRefused: IS_ASKED, isViolated: !IS_ASKED });
  });

  test('where they cannot be made no agent is called', () => {
    const one = room();
    fs.writeFileSync(join(one.home, 'state'), 'a file');
    expect(() => one.agent('git push origin main:stolen')).toThrow('output.log');
    expect(one.read('active_tasks/ready/task-1/attempts/0001/outcome.md')).toContain(
      'the hooks of git cannot be made',
    );
    expect(one.remote()).not.toContain('stolen');
  });

  test('no repository, no hooks', () => {
    const one = room();
    fs.rmSync(one.path('.git'), { recursive: true });
    expect(one.agent('env | grep -c ^GIT_CONFIG || true').out).toContain('\n0\n');
  });

  test('settings of git that a program adds behind ours stay, and so do ours', () => {
    const one = room();
    one.write(
      '.git/hooks/pre-commit',
      '#!/bin/sh\ngit config --get-all core.hooksPath; git var GIT_AUTHOR_IDENT',
    );
    fs.chmodSync(one.path('.git/hooks/pre-commit'), 0o755);
    const { out } = one.agent(
      'export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_1=user.name GIT_CONFIG_VALUE_1=Zoe\n' +
        'git commit -q --allow-empty -m z; git log -1 --format=by-%an; git push origin main || echo code $?',
    );
    expect(out).toMatch(
      /step 1 of 1\nZoe <a@example\.org> .*\nby-Zoe\n.*git push: this agent may.*\n.*\ncode 1/,
    );
  });

  test('a branch that the agent stays on, and files, are no other branch', () => {
    const one = room();
    const { outcome } = one.agent(
      'git checkout -q main; git switch -q main; git checkout -q a.txt',
    );
    expect(outcome).toContain('\noutcome: complete\n');
  });

  test('in a worktree it commits, and pushes, merges and branches not', () => {
    const one = branchy('isolation: worktree\n');
    const refused = [
      'git push origin HEAD:refs/heads/stolen',
      'git -C $CONTRACTS_DIR push origin main:stolen',
      'git merge -m m aside',
      'git rebase aside',
      'git branch new',
      'git tag v1',
    ];
    const [refs, main] = [one.remote(), one.git('rev-parse main aside ahead')];
    const sh = `${TRY}${tryAll([...refused, 'git commit -q --allow-empty -m mine'])}`;
    const { out } = one.agent(sh);
    const ended = tried(out.replaceAll(one.root, '$CONTRACTS_DIR'));
    expect(ended).toEqual({
      ...all('failed kept refused', refused),
      'git commit -q --allow-empty -m mine': 'did moved',
    });
    expect(one.remote()).toBe(refs);
    expect(one.git('rev-parse main aside ahead')).toBe(main);
  });

  test('a submodule is of the workspace', () => {
    const one = room();
    const lib = join(one.home, 'lib.git');
    fs.mkdirSync(lib);
    gitOf(lib)('init -q --bare -b main');
    one.git(`push -q ${lib} main:main`);
    one.git(`-c protocol.file.allow=always submodule --quiet add ${lib} lib`);
    one.git('commit -q -m lib');
    const refs = gitOf(lib)('for-each-ref');
    const { out } = one.agent(
      `${TRY}cd lib\n${tryAll(['git push origin main:stolen', 'git branch new', 'git -C .. push origin main:stolen'])}`,
    );
    expect(tried(out)).toEqual(
      all('failed kept refused', [
        'git push origin main:stolen',
        'git branch new',
        'git -C .. push origin main:stolen',
      ]),
    );
    expect(gitOf(lib)('for-each-ref')).toBe(refs);
  });

  test('tests of the project push between repositories of their own; into the workspace or its remote they do not', () => {
    const one = room();
    const [refs, own] = [one.remote(), one.git('for-each-ref')];
    const scratch = (where: string): string => `
      rm -rf ${where}; mkdir -p ${where}; cd ${where}
      git init -q --bare r.git && git clone -q r.git c 2>/dev/null; cd c
      git config user.name T; git config user.email t@example.org
      git commit -q --allow-empty -m one && git tag t && git branch b && git merge -q b
      git push -q origin HEAD:main t && git push -q file://$PWD/../r.git b && git stash list
      git checkout -q b; git rebase -q t; git worktree add -q ../w -b w
      git -C ../r.git for-each-ref | wc -l
      try git push origin :b
      git clone -q "$CONTRACTS_ROOT" ../of-the-workspace; cd ../of-the-workspace
      try git push origin HEAD:refs/heads/back
      try git push "$CONTRACTS_ROOT/.git" HEAD:refs/heads/back
      try git push ${join(one.home, 'remote.git')} HEAD:refs/heads/back
      try git push file://${join(one.home, 'remote.git')} HEAD:refs/heads/back
      `;
    for (const where of ['$CONTRACTS_ROOT/scratch', join(one.home, 'temporary')]) {
      const { out, outcome } = one.agent(`${TRY}${scratch(where)}`);
      expect(out).toMatch(/^ *3$/m);
      const tidy = out.replaceAll(one.home, 'H').replaceAll(one.root, 'R');
      expect(tried(tidy)).toEqual({
        'git push origin :b': 'did kept',
        ...all('failed kept refused', [
          'git push origin HEAD:refs/heads/back',
          'git push R/.git HEAD:refs/heads/back',
          'git push H/remote.git HEAD:refs/heads/back',
          'git push file://H/remote.git HEAD:refs/heads/back',
        ]),
      });
      expect(outcome).not.toContain('outcome: violated');
    }
    expect(one.remote()).toBe(refs);
    expect(one.git('for-each-ref')).toBe(own);
  });

  test('where a hook cannot tell which repository it is in, it refuses', () => {
    const { out } = room().agent(
      'cd /; "$GIT_CONFIG_VALUE_0/pre-push" origin x </dev/null || echo code $?',
    );
    expect(out).toContain('git: in which repository this is could not be read');
    expect(out).toContain('code 1');
  });
});

/** What husky 9.1.7 writes (shortened), at .husky/_; `h` is called by a file for each hook. */
const HUSKY: Own = (one) => {
  const h =
    '#!/usr/bin/env sh\nn=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n[ ! -f "$s" ] && exit 0\n' +
    'sh -e "$s" "$@"\nc=$?\n[ $c != 0 ] && echo "husky - $n script failed (code $c)"\nexit $c\n';
  one.write('.husky/_/h', h);
  for (const name of ['pre-commit', 'commit-msg', 'pre-push', 'post-commit']) {
    one.write(`.husky/_/${name}`, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"');
    fs.chmodSync(one.path(`.husky/_/${name}`), 0o755);
  }
  one.git('config core.hooksPath .husky/_');
  return '.husky';
};
/** Lefthook 2.2.2 and pre-commit write files that call their program, with the name of the hook. */
const LEFTHOOK: Own = (one) => {
  for (const name of ['pre-commit', 'commit-msg', 'pre-push', 'post-commit']) {
    const call = `#!/bin/sh\n\nif [ "$LEFTHOOK" = "0" ]; then\n  exit 0\nfi\n\ncall_lefthook()\n{\n  sh -e "$(git rev-parse --show-toplevel)/tools/$1" "$@"\n}\n\ncall_lefthook "${name}" "$@"\n`;
    one.write(`.git/hooks/${name}`, call.replace('"$@"\n}', '$2 $3\n}'));
    fs.chmodSync(one.path(`.git/hooks/${name}`), 0o755);
  }
  return 'tools';
};
const PRE_COMMIT: Own = (one) => {
  for (const name of ['pre-commit', 'commit-msg', 'pre-push', 'post-commit']) {
    const call = `#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\nARGS=(hook-impl --hook-type=${name})\nHERE="$(cd "$(dirname "$0")" && pwd)"\nARGS+=(--hook-dir "$HERE" -- "$@")\n[ -f "$HERE/${name}" ] || exit 9\nexec sh -e "tools/${name}" "$@"\n`;
    one.write(`.git/hooks/${name}`, call);
    fs.chmodSync(one.path(`.git/hooks/${name}`), 0o755);
  }
  return 'tools';
};
/** Puts the hooks; gives the folder of the person's scripts. */
type Own = (one: Room) => string;

describe('hooks of the repository, as the files that these programs write, with scripts in their place', () => {
  test.each([
    ['husky', HUSKY],
    ['lefthook', LEFTHOOK],
    ['pre-commit', PRE_COMMIT],
  ] as const)('%s: run as before, with their arguments, input and exit code', (_, put) => {
    const one = room();
    const tools = put(one);
    const scripts: Readonly<Record<string, string>> = {
      'pre-commit': 'echo own-pre-commit; env | grep -c ^GIT_CONFIG_ || true',
      'commit-msg': 'grep -q good "$1" || { echo own-bad-message; exit 1; }',
      'pre-push': 'echo own-pre-push',
      'post-commit': 'git stash create; echo own-post-commit in "$PWD"',
    };
    for (const [name, text] of Object.entries(scripts)) one.write(`${tools}/${name}`, `${text}\n`);
    const { out } = one.agent(
      `${TRY}try git commit --allow-empty -m bad\ntry git commit --allow-empty -m good\ntry git push origin main:x`,
    );
    expect(tried(out)).toEqual({
      'git commit --allow-empty -m bad': 'failed kept',
      'git commit --allow-empty -m good': 'did moved',
      'git push origin main:x': 'failed kept refused',
    });
    expect(out).toMatch(/own-pre-commit\n *0\n *own-bad-message/);
    expect(out).toContain(`own-post-commit in ${fs.realpathSync(one.root)}`);
    expect(out).not.toContain('own-pre-push');
    const pushed = one.agent('git push -q origin main:mine', { git: 'push' });
    expect(pushed.out).toContain('own-pre-push');
    expect(one.remote()).toContain('refs/heads/mine');
  });

  test('every hook of git that a commit, a merge, a rebase and a push call, with the same input', () => {
    const one = branchy();
    const names =
      'applypatch-msg commit-msg post-applypatch post-checkout post-commit post-index-change post-merge ' +
      'post-rewrite pre-applypatch pre-commit pre-merge-commit pre-push pre-rebase ' +
      'prepare-commit-msg reference-transaction';
    for (const name of names.split(' ')) {
      const seen = `echo "$0 $* $(cat | tr '\\n' ' ')" >>"$SEEN"\n`;
      one.write(`.git/hooks/${name}`, `#!/bin/sh\n${seen}`);
      fs.chmodSync(one.path(`.git/hooks/${name}`), 0o755);
    }
    one.write('.git/hooks/update', 'not executable');
    const work = `set +e; mkdir "$CONTRACTS_OUT/copy" && cp -R .git "$CONTRACTS_OUT/copy" && cd "$CONTRACTS_OUT/copy" || exit 1; git reset -q --hard; export SEEN=$CONTRACTS_OUT/seen
      export GIT_COMMITTER_DATE='1790000000 +0000' GIT_AUTHOR_DATE='1790000000 +0000'
      git commit -q --allow-empty -m two </dev/null; git merge -q -m m aside </dev/null; git checkout -q topic
      git commit -q --allow-empty -m t; git rebase -q --force-rebase main~1; git format-patch -q -1 aside --stdout >p; git checkout -q -b am main~1
      git am -q p; git push -q origin am:refs/heads/of-$CONTRACTS_TASK; git commit -q --amend --allow-empty -m three; echo SEEN:; cat "$SEEN"`;
    // In a repository of its own nothing is refused, so both ways run to their end.
    const how = { git: 'add, commit, push' };
    const [seen = '', plain] = ['', 'unset GIT_CONFIG_COUNT;'].map((first) => {
      const { out, outcome } = one.agent(first + work, how);
      expect(outcome).not.toContain('violated');
      return out
        .replaceAll(/[0-9a-f]{40}/g, 'ID')
        .replaceAll(/of-task-\d/g, 'of-task')
        .replace(/^[^]*SEEN:/, '');
    });
    for (const name of names.split(' ')) expect(seen).toContain(`hooks/${name} `);
    // Whether an index is written again depends on the time of its files.
    const steady = (text = '') => text.replaceAll(/^.*post-index-change.*\n/gm, '');
    expect(steady(seen)).toBe(steady(plain));
  });
});

/** As the shell prints it after it has read it. */
const unquoted = (command: string): string => command.replaceAll('"', '');
