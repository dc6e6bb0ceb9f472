/**
 * Agents that go beyond their permissions, in a shared tree and without a sandbox: whatever they use, it
 * is seen afterwards and is in the outcome, with the patch beside it. Nobody is blamed, because a
 * person may have done it meanwhile; nothing is told of what was allowed. Real processes, real git.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BINARY, makeHouse, shellContract, type House } from './house.ts';
import { sealedEnv } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

const HEAD = 'write: [bad.txt, docs/**]\nretries_max: 0\nreviews_max: 0';

function git(house: House, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: house.root,
    encoding: 'utf8',
    env: { ...sealedEnv(), HOME: house.root, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** A repository with a commit, source that nobody here may write, and a log. */
function makeRepository(): House {
  const house = makeHouse();
  house.write('src/a.ts', 'export const a = 1;\n');
  house.write('docs/a.md', '# A\n');
  git(house, 'init', '-q', '-b', 'main');
  git(house, 'add', 'src', 'docs');
  git(house, 'commit', '-q', '-m', 'first');
  return house;
}

/** Without the hooks of git that a call gets, like what a person does meanwhile. */
const PAST = 'unset GIT_CONFIG_COUNT';

async function worked(sh: string, house = makeRepository(), head = HEAD) {
  house.task('bad', shellContract('bad', { head, sh: `echo made > bad.txt\n${sh}` }));
  const said = await house.events('run', '--only', 'bad');
  const [state = ''] = house.where('bad');
  const folder = `active_tasks/${state}/bad/attempts/0001`;
  const outcome = house.read(`${folder}/outcome.md`);
  const patch = `${folder}/noticed.patch`;
  return {
    house,
    folder,
    outcome,
    noticed: noticedIn(outcome),
    patch: house.exists(patch) ? house.read(patch) : '',
    ...said,
  };
}

const noticedIn = (outcome: string): string => /^noticed:\n((?: +.*\n)+)/m.exec(outcome)?.[1] ?? '';

describe('agent writes files that are not its to write', () => {
  test.each([
    ['printf >', 'printf "export const a = 2;\\n" > src/a.ts'],
    ['sed -i', 'sed -i s/1/2/ src/a.ts'],
    ['a program', `node -e 'fs.writeFileSync("src/a.ts", "export const a = 2;\\n")'`],
    ['a job in the background', '(sleep 0.1; sed -i s/1/2/ src/a.ts) & wait'],
    ['a link in the tree', 'ln -s ../src docs/s; sed -i s/1/2/ docs/s/a.ts'],
    [
      'with its time put back',
      'touch -r src/a.ts t; printf "export const a = 2;\\n" > src/a.ts; touch -r t src/a.ts; rm t',
    ],
    ['another file in its place', 'printf "export const a = 2;\\n" > docs/n; mv docs/n src/a.ts'],
  ])('%s: noticed, with a patch that takes it back', async (_name, sh) => {
    const { house, noticed, patch, folder, events } = await worked(sh);
    expect(noticed).toContain('write src/a.ts: ');
    expect(patch).toContain('-export const a = 1;\n+export const a = 2;\n');
    git(house, 'apply', '-R', `${folder}/noticed.patch`);
    expect(house.read('src/a.ts')).toBe('export const a = 1;\n');
    // By whom is not known: the work goes on.
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'ended', task: 'bad', outcome: 'complete' }),
    );
  });

  test('a file made, and one removed', async () => {
    const { noticed, patch } = await worked('mkdir -p lib; echo x > lib/x.ts; rm src/a.ts');
    expect(noticed).toContain('create lib/x.ts: ');
    expect(noticed).toContain('delete src/a.ts: ');
    expect(patch).toContain('deleted file mode 100644');
    expect(patch).toContain('new file mode 100644');
  });

  test('what is its to write is not told', async () => {
    const { outcome } = await worked('echo more >> docs/a.md; echo new > docs/b.md');
    expect(outcome).not.toContain('noticed');
    expect(outcome).toContain('docs/b.md');
  });

  test('a binary file has its name in the patch', async () => {
    const { patch } = await worked('printf "\\000\\001" > src/a.bin');
    expect(patch).toContain('create "src/a.bin": it is binary');
  });

  test('a link that leads out, in a step', async () => {
    const house = makeHouse({ neighbour: false });
    house.task('bad', shellContract('bad', { sh: 'echo made > bad.txt; ln -s /etc/passwd link' }));
    const { out } = await house.run('step');
    expect(out).toContain('noticed 1 change');
    const outcome = house.read('active_tasks/done/bad/attempts/0001/outcome.md');
    expect(outcome).toContain('link link leads out of the tree, to /etc/passwd');
  });

  test('a link that leads out of the tree, also where it may write', async () => {
    const { noticed } = await worked('ln -s /etc docs/etc; ln -s a.md docs/fine');
    expect(noticed).toContain('link docs/etc leads out of the tree, to /etc');
    expect(noticed).not.toContain('docs/fine');
  });

  test('it is shown to the reviewer and to people', async () => {
    const house = makeRepository();
    const head = `${HEAD}\nquality_gate: [person]`;
    await worked('sed -i s/1/2/ src/a.ts', house, head);
    expect((await house.run('show', 'bad')).out).toContain('noticed: write src/a.ts');
  });
});

describe('agent edits `.contracts/`, another task, its own records', () => {
  test.each([
    [
      'the configuration',
      'echo "parallel: 64" >> .contracts/config.yaml',
      'append .contracts/config.yaml',
    ],
    [
      'an agent',
      'mkdir -p .contracts/agents; echo x > .contracts/agents/me.md',
      'create .contracts/agents/me.md',
    ],
    [
      'a template',
      'mkdir -p .contracts/templates; echo x > .contracts/templates/brief.hbs',
      'create .contracts/templates/brief.hbs',
    ],
    [
      'settings of a client',
      'mkdir .claude; echo {} > .claude/settings.json',
      'create .claude/settings.json',
    ],
    [
      'the contract of another task',
      'echo >> active_tasks/ready/good/contract.md',
      'write active_tasks/ready/good/contract.md',
    ],
    [
      'a task made and confirmed',
      'cp -r active_tasks/ready/good active_tasks/ready/mine',
      'create active_tasks/ready/mine',
    ],
  ])('%s', async (_name, sh, says) => {
    const { noticed } = await worked(sh, makeRepository(), 'retries_max: 0');
    expect(noticed).toContain(says);
  });

  test('a verdict on another task that waits for a person', async () => {
    const house = makeRepository();
    house.task('other', shellContract('other', { head: 'quality_gate: [person]' }));
    await house.run('run', '--only', 'other');
    expect(house.where('other')).toEqual(['review']);
    const { noticed } = await worked(
      'sed -i "s/- .. APPROVED/- [x] APPROVED/" active_tasks/review/other/review.md',
      house,
    );
    expect(noticed).toContain(
      'write active_tasks/review/other/review.md: it belongs to another task',
    );
  });

  test('receipts of another task', async () => {
    const house = makeRepository();
    house.task('other', shellContract('other', { head: 'quality_gate: [person]' }));
    await house.run('run', '--only', 'other');
    const receipts = 'active_tasks/review/other/attempts/0002/receipts.md';
    const { noticed } = await worked(`echo >> ${receipts}`, house);
    expect(noticed).toContain(`write ${receipts}`);
  });

  test('the record of its own failure', async () => {
    const house = makeRepository();
    const first = 'active_tasks/in_progress/bad/attempts/0001/outcome.md';
    const sh = `if [ -e ${first} ]; then sed -i s/failed/stale/ ${first}; else date +%N > tried.txt; exit 1; fi`;
    house.task('bad', shellContract('bad', { head: 'retries_max: 1', sh }));
    await house.run('run', '--only', 'bad');
    const [state = ''] = house.where('bad');
    const outcome = house.read(`active_tasks/${state}/bad/attempts/0002/outcome.md`);
    expect(noticedIn(outcome)).toContain('write bad/attempts/0001/outcome.md');
  });
});

describe('agent edits `.git/config`, hooks, filters, `.git` file; moves what it may not', () => {
  const nothing = `${HEAD}\n`;
  test.each([
    ['a hook', 'printf "#!/bin/sh\\n" > .git/hooks/pre-commit', 'made .git/hooks/pre-commit'],
    ['the configuration', 'git config core.fsmonitor "touch owned"', 'changed .git/config'],
    [
      'attributes',
      'mkdir -p .git/info; echo "* filter=x" > .git/info/attributes',
      'made .git/info/attributes',
    ],
    ['what is left out', 'mkdir -p .git/info; echo "*" >> .git/info/exclude', 'info/exclude'],
    ['a tag, past the hooks', `${PAST}; git tag v1`, 'made refs/tags/v1: git tag: this agent may'],
    [
      'objects of elsewhere',
      'echo /tmp > .git/objects/info/alternates',
      'made .git/objects/info/alternates',
    ],
    ['where the rest of git is', 'mkdir e; echo ../e > .git/commondir', 'made .git/commondir'],
    ['a configuration beside', 'echo > .git/config.worktree', 'made .git/config.worktree'],
    ['a submodule', 'git init -q --bare .git/modules/x', 'made .git/modules/x/config'],
    ['where history ends', 'git rev-parse HEAD > .git/shallow', 'made .git/shallow'],
    ['other parents', 'mkdir -p .git/info; echo > .git/info/grafts', 'made .git/info/grafts'],
    [
      'a worktree',
      'mkdir -p .git/worktrees/x; echo /x > .git/worktrees/x/gitdir',
      'made .git/worktrees/x/gitdir',
    ],
    [
      'of a worktree, as if it were of a task',
      'w=.git/worktrees/x; mkdir -p $w; echo $PWD/.contracts/worktrees/x/.git > $w/gitdir; echo /tmp > $w/commondir; echo > $w/config.worktree',
      'made .git/worktrees/x/commondir',
    ],
    ['a repository in the tree', 'git init -q docs/sub', 'made docs/sub/.git'],
  ])('%s: noticed, whoever it was', async (_name, sh, says) => {
    const { noticed } = await worked(sh, makeRepository(), nothing);
    expect(noticed).toContain(says);
  });

  test('what git would run is not run: refused until a person has looked, or it is as before', async () => {
    const house = makeRepository();
    const was = house.read('.git/config');
    const { events } = await worked('git config core.fsmonitor "touch owned; :"', house, nothing);
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'problem',
        problem: expect.objectContaining({ code: 'untrusted', file: '.git/config' }),
      }),
    );
    const refused = await house.run('check', '--staged');
    expect(refused.code).not.toBe(0);
    expect(refused.out + refused.err).toContain('git is not run');
    const doctor = await house.run('doctor');
    expect(doctor.out + doctor.err).toContain('.git/config changed while attempt 1 of bad ran');
    const now = house.read('.git/config');
    house.write('.git/config', was);
    expect((await house.run('check', '--staged')).out).not.toContain('git is not run');
    house.write('.git/config', now);
    // Somebody looked and let it stand: even so it runs nothing.
    await house.run('trust');
    await house.run('check', '--staged');
    expect(house.exists('owned')).toBe(false);
    expect(git(house, 'status')).toContain('main');
    expect(house.exists('owned'), 'the trap works').toBe(true);
  });

  test.each([
    ['commondir', 'mkdir e; echo ../e > .git/commondir', ['.git/commondir']],
    [
      'two at once',
      'git init -q --bare .git/modules/x; rm -r .git/modules/x/info; echo > .git/config.worktree',
      ['.git/config.worktree', '.git/modules', '.git/modules/x', '.git/modules/x/config'],
    ],
    [
      'of a worktree',
      'mkdir -p .git/worktrees/x; echo > .git/worktrees/x/config.worktree',
      ['.git/worktrees/x/config.worktree'],
    ],
  ])(
    'what was made is named by its path, by check and doctor as well: %s',
    async (_name, sh, paths) => {
      const { house } = await worked(sh, makeRepository(), nothing);
      const shown = (await house.run('trust', '--dry-run')).out;
      const named = [...shown.matchAll(/^ {2}! (\S+) changed while attempt 1 of bad ran/gm)];
      expect(named.map(([, path]) => path)).toEqual(paths);
      for (const verb of [['doctor'], ['check'], ['check', '--staged']]) {
        const { out, err } = await house.run(...verb);
        expect(out + err).toContain(`Review ${paths[0]}; restore it, or keep it`);
      }
      for (const path of paths) rmSync(house.path(path), { recursive: true, force: true });
      expect((await house.run('check')).out).not.toContain('changed while attempt');
    },
  );

  test('a fetch, a worktree of a person and one of a task that go are no change of it', async () => {
    const house = makeRepository();
    git(house, 'worktree', 'add', '-q', '../gone', '--detach');
    const sh = 'git worktree remove --force ../gone; git fetch -q .';
    await worked(sh, house, nothing);
    expect((await house.run('check')).out).not.toContain('changed while attempt');
  });

  test('who may only look, past the hooks: a commit, a branch, a stash, the index', async () => {
    const house = makeRepository();
    house.write('.contracts/config.yaml', 'agents:\n  builder: { git: [] }\n');
    const sh = [
      PAST,
      'g="git -c user.name=a -c user.email=a@b"',
      'echo x >> docs/a.md; $g stash -q; echo y >> docs/a.md; $g commit -qam more',
      '$g branch side; echo z >> docs/a.md; $g add docs/a.md',
    ].join('\n');
    const { noticed } = await worked(sh, house);
    for (const says of [
      'changed refs/heads/main: git commit',
      'made refs/heads/side: git branch',
      'made refs/stash: git stash',
      'changed what is staged (the index): git add',
    ]) {
      expect(noticed).toContain(says);
    }
  });

  test('who may commit is not told of; a merge and a rebase are other permissions', async () => {
    const house = makeRepository();
    house.write('.contracts/config.yaml', 'agents:\n  builder: { git: [add, commit] }\n');
    const commit = 'git -c user.name=a -c user.email=a@b commit -qam more';
    expect((await worked(`echo x >> docs/a.md; ${commit}`, house)).outcome).not.toContain(
      'noticed',
    );
    const other = makeRepository();
    other.write('.contracts/config.yaml', 'agents:\n  builder: { git: [add, commit] }\n');
    git(other, 'checkout', '-q', '-b', 'side');
    git(other, 'commit', '-q', '--allow-empty', '-m', 'side');
    git(other, 'checkout', '-q', 'main');
    const merge = 'git -c user.name=a -c user.email=a@b merge -q --no-ff --no-edit side';
    expect((await worked(merge, other)).noticed).toContain('git merge: this agent may');
  });

  test('looking changes nothing that is told', async () => {
    const house = makeRepository();
    house.write('.contracts/config.yaml', 'agents:\n  builder: { git: [] }\n');
    const { outcome } = await worked('touch src/a.ts; git status; git log; git diff', house);
    expect(outcome).not.toContain('noticed');
  });
});

describe('agent leaves children that go on writing', () => {
  test.each([
    ['nohup', 'nohup sh -c "$j" > /dev/null 2>&1 &'],
    ['setsid', 'setsid sh -c "$j" > /dev/null 2>&1 &'],
    ['forked twice', '(setsid setsid sh -c "$j" > /dev/null 2>&1 &) &'],
  ])('%s: ended before the comparison, and told', async (_name, start) => {
    const job = 'j="while :; do date +%N > late.txt; sleep 0.05; done"';
    const sh = `${job}\n${start}\nwhile [ ! -s late.txt ]; do sleep 0.05; done`;
    const { house, outcome, noticed } = await worked(sh);
    expect(outcome).toMatch(/left_behind: \d/);
    expect(outcome).toContain('they were ended');
    expect(noticed).toContain('create late.txt');
    const last = readFileSync(house.path('late.txt'), 'utf8');
    // Silence is what is asked for: one that lived would write some times meanwhile.
    await sleep(300);
    expect(readFileSync(house.path('late.txt'), 'utf8')).toBe(last);
  });
});

/** Starts a step as a process of its own, and kills it when its agent works. Gives the agent's pid. */
async function orphaned(house: House, sh: string): Promise<number> {
  house.task('bad', shellContract('bad', { head: HEAD, sh: `echo $$ > pid.txt\n${sh}` }));
  const runner = spawn(process.execPath, [BINARY, 'step', '--only', 'bad'], {
    cwd: house.root,
    stdio: 'ignore',
    env: { ...sealedEnv(), CONTRACTS_SANDBOX: 'none', CONTRACTS_TRUST: '1' },
  });
  const ended = new Promise((resolve) => runner.once('exit', resolve));
  await until(() => house.exists('pid.txt') && house.read('pid.txt') !== '');
  runner.kill('SIGKILL');
  await ended;
  return Number(house.read('pid.txt'));
}

function lives(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
}

describe('agent goes on without its runner, and its task is taken away', () => {
  const forever = 'while :; do date +%N > late.txt; sleep 0.05; done';

  test('aborted by the verb: ended by it, and told', async () => {
    const house = makeRepository();
    const pid = await orphaned(house, forever);
    expect(lives(pid)).toBe(true);
    const { out, code } = await house.run('abort', 'bad');
    expect(code).toBe(0);
    expect(out).toContain('its runner had exited');
    expect(lives(pid)).toBe(false);
    await house.run('step');
    expect(house.where('bad')).toEqual(['aborted']);
    expect(house.exists('active_tasks/.desk/bad.0001')).toBe(false);
  });

  test.each(['aborted', 'done', 'ready', 'blocked'])(
    'moved to %s by hand: ended by the next step',
    async (state) => {
      const house = makeRepository();
      const pid = await orphaned(house, forever);
      renameSync(
        house.path('active_tasks/in_progress/bad'),
        house.path(`active_tasks/${state}/bad`),
      );
      await house.run('step', '--only', 'bad', '--parallel', '1');
      expect(lives(pid)).toBe(false);
    },
  );
});

describe('compared although no runner watched to the end', () => {
  test('its runner was killed: the next step takes it over, and compares', async () => {
    const house = makeRepository();
    const sh =
      'while [ ! -e go ]; do sleep 0.05; done\nsed -i s/1/2/ src/a.ts\necho made > bad.txt';
    await orphaned(house, sh);
    writeFileSync(house.path('go'), '');
    await until(() => house.exists('active_tasks/.desk/bad.0001/exit.md'));
    await house.run('step', '--only', 'bad');
    const [state = ''] = house.where('bad');
    const adopted = `active_tasks/${state}/bad/attempts/0002`;
    const outcome = house.read(`${adopted}/outcome.md`);
    expect(outcome).toContain('adopted: 1');
    expect(noticedIn(outcome)).toContain('write src/a.ts');
    expect(house.read(`${adopted}/noticed.patch`)).toContain('+export const a = 2;');
    expect(house.exists(`active_tasks/${state}/bad/attempts/0001.lost/before.json`)).toBe(false);
  });

  test('a host’s agent: from delegate to collect', async () => {
    const house = makeRepository();
    house.task('bad', shellContract('bad', { head: `adapter: host\n${HEAD}` }));
    await house.run('delegate', 'bad');
    house.write('src/a.ts', 'export const a = 2;\n');
    house.write('active_tasks/.desk/bad.0001/result.md', '- Status: FAILED\n');
    await house.run('collect', 'bad');
    const [state = ''] = house.where('bad');
    const outcome = house.read(`active_tasks/${state}/bad/attempts/0001/outcome.md`);
    expect(noticedIn(outcome)).toContain('write src/a.ts');
    expect(house.exists(`active_tasks/${state}/bad/attempts/0001/before.json`)).toBe(false);
  });
});

describe('what a hook saw it do is its doing, in a shared tree as well', () => {
  /** What the hook writes for each call of a tool, here by the agent itself: it speaks against it alone. */
  const named = (...paths: string[]): string =>
    `printf '%s\\n' '${JSON.stringify({ verdict: 'allow', tool: 'Write', paths })}' >> "$CONTRACTS_OUT/hook.log"`;
  const beyond = `${named('src/a.ts', 'lib/deep/x.ts', 'run.sh')}
sed -i s/1/2/ src/a.ts; mkdir -p lib/deep; echo x > lib/deep/x.ts; rm run.sh; echo seen > other.txt`;

  function makeLogged(): House {
    const house = makeRepository();
    house.write('run.sh', '#!/bin/sh\n');
    chmodSync(house.path('run.sh'), 0o755);
    house.task('bad', shellContract('bad', { head: HEAD, sh: `echo made > bad.txt\n${beyond}` }));
    return house;
  }

  test('violated, with the patch; what no hook named is only noticed', async () => {
    const house = makeLogged();
    const { events } = await house.events('run', '--only', 'bad');
    const end = events.find((event) => event.event === 'ended' && event.task === 'bad');
    expect(end).toMatchObject({ outcome: 'violated' });
    expect(end).toHaveProperty(
      'reason',
      expect.stringMatching(/^outside its permissions: .*lib\/deep\/x\.ts.* \(and 2 more\)$/),
    );
    expect(house.where('bad')).toEqual(['blocked']);
    const folder = 'active_tasks/blocked/bad/attempts/0001';
    expect(noticedIn(house.read(`${folder}/outcome.md`))).toContain('create other.txt');
    git(house, 'apply', '-R', `${folder}/violation.patch`);
    expect(house.read('src/a.ts')).toBe('export const a = 1;\n');
    expect(house.exists('lib/deep/x.ts')).toBe(false);
    expect(statSync(house.path('run.sh')).mode & 0o777).toBe(0o755);
    expect((await house.run('show', 'bad')).out).toContain('violated: create lib/deep/x.ts');
  });

  test('--revert-violations puts all of it back, says each, and leaves what may be somebody else’s', async () => {
    const house = makeLogged();
    const { events } = await house.events('run', '--only', 'bad', '--revert-violations');
    expect(house.read('src/a.ts')).toBe('export const a = 1;\n');
    expect(house.exists('lib')).toBe(false);
    expect(statSync(house.path('run.sh')).mode & 0o777).toBe(0o755);
    expect(house.read('run.sh')).toBe('#!/bin/sh\n');
    expect(house.read('other.txt')).toBe('seen\n');
    const said = events.flatMap((event) =>
      event.event === 'wrote' ? [`${event.file}: ${event.reason}`] : [],
    );
    const back = 'restored';
    expect(said).toEqual(
      expect.arrayContaining([`src/a.ts: ${back}`, `lib/deep/x.ts: ${back}`, `run.sh: ${back}`]),
    );
    expect(house.read('active_tasks/blocked/bad/attempts/0001/violation.patch')).toContain('+x\n');
  });

  test('a link in the way is not followed', async () => {
    const house = makeLogged();
    house.write('elsewhere/a.ts', 'export const a = 1;\n');
    const sh = `${named('src/a.ts')}; sed -i s/1/2/ src/a.ts; mv src src2; ln -s elsewhere src`;
    house.task('bad', shellContract('bad', { head: HEAD, sh }));
    const { events } = await house.events('run', '--only', 'bad', '--revert-violations');
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'wrote',
        file: 'src/a.ts',
        reason: 'not restored:  a folder in its path is a link, or missing',
      }),
    );
    expect(house.read('elsewhere/a.ts')).toBe('export const a = 1;\n');
  });
});

describe('a reviewer looks, and changes nothing', () => {
  const config =
    'adapters:\n  own: { type: command, run: [sh, review.sh] }\nagents:\n  judge: { adapter: own }\n';

  async function reviewed(sh: string) {
    const house = makeRepository();
    house.write('.contracts/config.yaml', config);
    house.write(
      'review.sh',
      `${sh}\nprintf '## Verdict\\n\\n- [x] APPROVED\\n' > "$CONTRACTS_OUT/review.md"\n`,
    );
    house.task('bad', shellContract('bad', { head: 'quality_gate: [judge]\nretries_max: 0' }));
    await house.run('run', '--only', 'bad');
    return house;
  }

  test('what changes meanwhile is in its outcome; who did it is not known', async () => {
    const house = await reviewed('sed -i s/1/2/ src/a.ts');
    expect(house.where('bad')).toEqual(['done']);
    const outcome = house.read('active_tasks/done/bad/attempts/0002/outcome.md');
    expect(noticedIn(outcome)).toContain('write src/a.ts');
    expect(house.exists('active_tasks/done/bad/attempts/0002/noticed.patch')).toBe(true);
    expect(house.exists('active_tasks/done/bad/attempts/0002/before.json')).toBe(false);
  });

  test('what its hook saw it change takes its verdict away', async () => {
    const log = `printf '%s\\n' '{"verdict":"allow","tool":"Write","paths":["src/a.ts"]}' >> "$CONTRACTS_OUT/hook.log"`;
    const house = await reviewed(`${log}; sed -i s/1/2/ src/a.ts`);
    expect(house.where('bad')).toEqual(['review']);
    const outcome = house.read('active_tasks/review/bad/attempts/0002/outcome.md');
    expect(outcome).toContain('its verdict does not count: write src/a.ts');
  });
});
