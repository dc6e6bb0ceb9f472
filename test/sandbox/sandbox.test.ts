/**
 * Real programs in a real sandbox: what an agent tries outside its permissions does not happen, what it
 * may do does. The same deeds without a sandbox succeed, so that each of them can be seen to matter.
 * Without bubblewrap it says so and is left out.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { SETTING_FOLDERS } from '../../src/task/core/model/permissions.ts';
import { makeStand, scriptOf, type Deeds, type Stand } from '../support/confined.ts';
import { until } from '../support/until.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: the tests of the sandbox, because ${here.why}`);
const inSandbox = test.runIf(here.works);

function stand(sandbox: 'bwrap' | 'none', config = ''): Stand {
  const made = makeStand(sandbox, config);
  vi.stubEnv('HOME', made.home);
  vi.stubEnv('SOME_TOKEN', 'the token');
  return made;
}

/** Beyond the permissions of `write: [src/**]`. */
function forbidden({ base, word }: Stand): Deeds {
  const find = `grep -ls "${word.slice(0, -1)}[${word.slice(-1)}]" /proc/[1-9]*/cmdline`;
  return {
    printf: 'printf x > by-printf.txt',
    background: 'sh -c "printf x > by-job.txt" & wait; test -e by-job.txt',
    overwrite: 'echo changed > README.md',
    link: `ln -s ${base}/elsewhere src/out && echo changed > src/out/file.txt`,
    python: 'python3 -c "open(\\"by-python.txt\\", \\"w\\").write(\\"x\\")"',
    settings: 'echo "# changed" >> .contracts/config.yaml',
    other_task: 'echo x > active_tasks/ready/other/evil.md',
    state: 'mkdir active_tasks/done/forged',
    hook: 'echo true > .git/hooks/post-commit',
    git_config: 'git config core.pager evil',
    commit: 'git commit -q --allow-empty -m made',
    commondir: 'echo ../src > .git/commondir && rm .git/commondir',
    worktree_config: 'echo > .git/config.worktree',
    module: 'mkdir -p .git/modules/x && echo > .git/modules/x/config',
    alternates: 'echo > .git/objects/info/alternates',
    objects: 'mv .git/objects .git/gone && mv .git/gone .git/objects',
    rename: 'mv .git .git-away && mv .git-away .git',
    push: 'git push -q origin HEAD:refs/heads/evil',
    key: 'cat "$HOME/.ssh/id_key"',
    letter: 'cat "$HOME/letter.txt"',
    see: `test -n "$(${find})"`,
    own_contract: 'echo >> active_tasks/in_progress/bad/contract.md',
    kill: `kill $(${find} | cut -d/ -f3)`,
  };
}

const ALLOWED: Deeds = {
  made: 'echo made > src/made.txt && mv src/made.txt src/moved.txt',
  desk: 'echo noted > "$CONTRACTS_OUT/note.txt"',
  temporary: 'echo x > "$TMPDIR/contracts-temporary" && test -s "$TMPDIR/contracts-temporary"',
  home: 'mkdir -p "$HOME/.cache/x" && echo x > "$HOME/.cache/x/y"',
  read: 'cat README.md active_tasks/ready/other/contract.md',
  look: 'git status && git log -1',
  node: 'node -e 0',
};

/** A task that may write one file at the top. */
const usage = (sh: string): string => `---
adapter: shell
write: [USAGE.md]
deliverables: [USAGE.md]
---

# Use

## Success Criteria

- [ ] \`USAGE.md\` is there

## Steps

\`\`\`sh
${sh}
\`\`\`
`;

const outcomeOf = (one: Stand, id: string): string => one.read(`${one.attempt(id)}/outcome.md`);

describe('an agent that may write src/**', () => {
  inSandbox('in a sandbox: none of what it must not, all of what it may', async () => {
    const one = stand('bwrap');
    const before = one.read('.git/config');
    one.task('other', 'depends_on: [bad]', 'true');
    // Its own /proc/sys holds this name for itself alone: it harms nothing where it is not refused.
    const kernel = { kernel: 'echo changed > /proc/sys/kernel/domainname' };
    one.task('bad', 'write: [src/**]', scriptOf({ ...forbidden(one), ...kernel, ...ALLOWED }));
    await one.step();
    const deeds = one.deeds('bad');
    expect(Object.keys(deeds).filter((name) => deeds[name] && !(name in ALLOWED))).toEqual([]);
    expect(Object.keys(ALLOWED).filter((name) => !deeds[name])).toEqual([]);
    expect(one.isAlive()).toBe(true);
    expect(one.read('src/moved.txt')).toBe('made\n');
    expect(one.read('README.md')).toBe('as it was\n');
    expect(one.read('.git/config')).toBe(before);
    expect(fs.readFileSync(join(one.base, 'elsewhere/file.txt'), 'utf8')).toBe('as it was\n');
    expect(fs.existsSync(join(one.base, 'remote.git/refs/heads/evil'))).toBe(false);
    expect(fs.existsSync(join(one.home, '.cache'))).toBe(false);
    const outcome = outcomeOf(one, 'bad');
    expect(outcome).toMatch(/enforced:\n(?: {2}- \w+\n)* {2}- sandbox\n/);
    expect(outcome).toContain('A sandbox confined it: it could write src/, its desk');
    expect(outcome).not.toContain('Nothing confined');
    expect(outcome).toContain('It could read git but not change it');
    const brief = one.read(`${one.attempt('bad')}/desk/brief.md`);
    expect(brief).toContain('`.git` is read-only here, and the work is left uncommitted.');
  });

  inSandbox.each([
    ['its home', '.cache', undefined],
    ['what the agent may write', 'dev/ws/src/cache', 'dev/ws/src/cache'],
  ])('in %s the code that the command keeps can be read, and not planted', async (_, at, named) => {
    const one = stand('bwrap');
    vi.stubEnv('XDG_CACHE_HOME', named && join(one.home, named));
    const folder = join(one.home, at, 'contracts');
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(join(folder, 'code'), 'as it was\n');
    const deeds = {
      plant: `echo x > ${folder}/planted`,
      change: `echo x > ${folder}/code`,
      open: `chmod 777 ${folder}`,
      replace: `mv ${folder} ${folder}-gone`,
      above: `mv ${dirname(folder)} ${dirname(folder)}-gone`,
    };
    const allowed = { read: `cat ${folder}/code`, beside: `echo x > ${dirname(folder)}/other` };
    one.task('bad', 'write: [src/**]', scriptOf({ ...deeds, ...allowed }));
    await one.step();
    const done = Object.entries(one.deeds('bad')).filter(([, did]) => did);
    expect(done.map(([name]) => name).toSorted()).toEqual(['beside', 'read']);
    expect(fs.readdirSync(folder)).toEqual(['code']);
    expect(fs.readFileSync(join(folder, 'code'), 'utf8')).toBe('as it was\n');
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  });

  inSandbox('a refused write ends the attempt with the permission that allows it', async () => {
    const one = stand('bwrap');
    one.task('bad', 'write: [src/**]', 'echo x > menu.md');
    await one.step();
    expect(outcomeOf(one, 'bad')).toMatch(
      /^reason: .*menu\.md: Read-only file system\. Write under write: of the contract: write: \[src\/\*\*, menu\.md\]/m,
    );
  });

  inSandbox('who is trusted with git commits, and what it makes beside is found', async () => {
    const one = stand(
      'bwrap',
      'agents:\n  keeper: { git: [add, commit, merge], write: [src/**] }\n',
    );
    const deeds = {
      commit: 'echo made > src/made.txt && git add src && git commit -q -m made',
      git_config: 'git config core.pager evil',
      hook: 'echo true > .git/hooks/post-commit',
      trap: 'echo ../src/evil > .git/commondir',
    };
    one.task('task', 'agent: keeper', scriptOf(deeds));
    await one.step();
    expect(one.deeds('task')).toEqual({ commit: true, git_config: false, hook: false, trap: true });
    const outcome = outcomeOf(one, 'task');
    expect(outcome).toContain('It is trusted with git');
    expect(outcome).toContain('made .git/commondir: no agent may change it');
    expect(await one.step()).toContain('.git/commondir changed while attempt 1 of task ran');
    const brief = one.read(`${one.attempt('task')}/desk/brief.md`);
    expect(brief).toContain('anything except reading and: add, commit, merge');
  });

  inSandbox.each([
    ['beyond its globs', 'review', 'echo x > beside.txt'],
    ['within them', 'done', 'true'],
  ])('a file at the top opens the folder; %s the task is in %s', async (_, state, also) => {
    const one = stand('bwrap');
    one.write('active_tasks/ready/use/contract.md', usage(`echo use > USAGE.md; ${also}`));
    await one.call('run');
    expect(one.exists(`active_tasks/${state}/use`)).toBe(true);
    if (state === 'done') return;
    expect(one.read('active_tasks/review/use/review.md')).toMatch(
      /- Gate: person\n\n## Outside Its Permissions\n\n.*\n\n- create beside\.txt: .*\n\n## Files/,
    );
    expect(await one.call('show', 'use')).toMatch(/gates +person/);
    expect(outcomeOf(one, 'use')).toMatch(/^outcome: complete$/m);
    expect(one.exists('beside.txt')).toBe(true);
    await one.call('approve', 'use');
    await one.call('run');
    expect(one.exists('active_tasks/done/use')).toBe(true);
  });

  inSandbox(
    'a file at the top: what exists beside it cannot be changed, moved or deleted',
    async () => {
      const one = stand('bwrap');
      one.write('package.json', '{}\n');
      one.write('USAGE.md', 'old\n');
      one.write('docs/guide.md', 'guide\n');
      one.write('docs/other.md', 'other\n');
      one.write('tall.md', 'tall\n');
      fs.symlinkSync('tall.md', join(one.root, 'link.md'));
      const bad = {
        append: 'echo hacked >> src/a.txt',
        create: 'echo new > src/new.txt',
        overwrite: 'echo changed > package.json',
        remove: 'rm -f package.json && test ! -e package.json',
        rename: 'mv tall.md short.md',
        folder: 'mv src gone',
        replace: 'echo x > new.json && mv -f new.json package.json',
        below: 'echo x > docs/other.md',
        by_link: 'echo x > link.md',
      };
      const good = {
        write: 'echo use > USAGE.md',
        again: 'rm USAGE.md && echo use > .new && mv .new USAGE.md',
        guide: 'echo more >> docs/guide.md',
        desk: 'echo noted > "$CONTRACTS_OUT/note.txt"',
      };
      one.task('bad', 'write: [USAGE.md, docs/guide.md]', scriptOf({ ...bad, ...good }));
      await one.step();
      expect(one.deeds('bad')).toEqual({
        ...Object.fromEntries(Object.keys(bad).map((name) => [name, false])),
        ...Object.fromEntries(Object.keys(good).map((name) => [name, true])),
      });
      const texts = ['src/a.txt', 'package.json', 'tall.md', 'docs/other.md', 'USAGE.md'];
      expect(texts.map((path) => one.read(path))).toEqual([
        'a\n',
        '{}\n',
        'tall\n',
        'other\n',
        'use\n',
      ]);
      // Whoever works outside of the sandbox is held by none of it.
      fs.rmSync(join(one.root, 'package.json'));
      expect(outcomeOf(one, 'bad')).toContain(
        'A sandbox works by folder: around USAGE.md, docs/guide.md',
      );
    },
  );

  inSandbox(
    'who replaces such a file outside opens it, and what is written then is noticed',
    async () => {
      const one = stand('bwrap');
      one.write('beside.md', 'beside\n');
      const steps = [
        'echo use > USAGE.md',
        'until [ "$(cat beside.md)" = replaced ]; do sleep 0.05; done',
        'echo hacked >> beside.md',
      ];
      one.write('active_tasks/ready/use/contract.md', usage(steps.join('\n')));
      const run = one.call('run');
      await until(() => one.exists('USAGE.md'));
      one.write('.new', 'replaced\n');
      fs.renameSync(join(one.root, '.new'), join(one.root, 'beside.md'));
      await run;
      expect(one.read('beside.md')).toBe('replaced\nhacked\n');
      expect(one.read('active_tasks/review/use/review.md')).toContain('- write beside.md: ');
    },
  );

  test('without a sandbox: the same script does it all, but for the push, which hooks of git refuse', async () => {
    const one = stand('none');
    one.task('other', 'depends_on: [bad]', 'true');
    one.task('bad', 'write: [src/**]', scriptOf(forbidden(one)));
    await one.step();
    const deeds = one.deeds('bad');
    expect(Object.keys(deeds).filter((name) => !deeds[name])).toEqual(['push']);
    expect(Object.keys(deeds)).toEqual(Object.keys(forbidden(one)));
    await until(() => !one.isAlive());
  });
});

describe('which sandbox', () => {
  inSandbox('a contract asks for more than the configuration, and gets it', async () => {
    const one = stand('none');
    one.task('task', 'sandbox: bwrap', 'true');
    await one.step();
    expect(outcomeOf(one, 'task')).toContain('- sandbox');
  });

  inSandbox('a contract asks for less, and does not get it', async () => {
    const one = stand('bwrap');
    one.task('task', 'sandbox: none', 'true');
    await one.step();
    expect(outcomeOf(one, 'task')).toContain('- sandbox');
  });

  test('demanded where bubblewrap is not installed: the task waits, and the cure is said', async () => {
    const one = stand('bwrap');
    one.task('task', '', 'true');
    fs.symlinkSync('/bin/sh', join(one.base, 'elsewhere', 'sh'));
    vi.stubEnv('PATH', join(one.base, 'elsewhere'));
    const said = await one.step();
    expect(said).toContain('needs bubblewrap, which is not installed here');
    expect(one.exists('active_tasks/ready/task')).toBe(true);
    expect(one.exists('active_tasks/ready/task/attempts/0001')).toBe(false);
  });

  inSandbox('one that cannot be made is no failure of the agent', async () => {
    const one = stand('bwrap');
    one.task('task', '', 'true');
    // Nobody can make a folder there, bubblewrap included.
    vi.stubEnv('HOME', '/proc/nowhere');
    const said = await one.step();
    expect(said).toContain('the sandbox could not be created');
    expect(outcomeOf(one, 'task')).toContain('outcome: interrupted');
  });
});

describe('what it leaves running', () => {
  /** In a session of its own and without the environment: no mark and no group to be found by. */
  const hide = (word: string): string =>
    `env -i PATH="$PATH" setsid sh -c "while :; do sleep 0.2; done" ${word} >/dev/null 2>&1 </dev/null &\nsleep 0.3`;
  const running = (word: string): string[] =>
    execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(`done ${word}`))
      .map((line) => line.trim().split(' ')[0] ?? '');

  inSandbox('ends with the sandbox, hidden or not, and is not counted', async () => {
    const one = stand('bwrap');
    const word = `left${one.word}`;
    one.task('task', '', hide(word));
    await one.step();
    await until(() => running(word).length === 0);
    expect(outcomeOf(one, 'task')).not.toContain('left_behind');
    expect(outcomeOf(one, 'task')).toContain(
      'Processes that it left running ended with the sandbox',
    );
  });

  test('goes on without one, when it hides', async () => {
    const one = stand('none');
    const word = `left${one.word}`;
    one.task('task', '', hide(word));
    await one.step();
    const left = running(word).map(Number);
    expect(left.length).toBeGreaterThan(0);
    for (const pid of left) if (pid > 1) process.kill(pid, 'SIGKILL');
  });

  inSandbox('at its time-out it is asked to stop, and then ended with all of its own', async () => {
    const agent = 'adapters:\n  agent: { type: command, run: [sh, .contracts/agent.sh] }\n';
    const one = stand('bwrap', agent);
    const word = `left${one.word}`;
    const asked = `trap 'echo asked > "$CONTRACTS_OUT/asked.txt"; exit 0' TERM`;
    one.write('.contracts/agent.sh', `${asked}\n${hide(word)}\nwhile :; do sleep 0.1; done\n`);
    one.task('task', 'timeout: 1s\nadapter: agent', 'true');
    await one.step();
    expect(outcomeOf(one, 'task')).toContain('outcome: timed_out');
    expect(one.read(`${one.attempt('task')}/desk/asked.txt`)).toBe('asked\n');
    await until(() => running(word).length === 0);
  });

  inSandbox('one that does not listen is killed, and so is what it started', async () => {
    const one = stand('bwrap');
    const word = `left${one.word}`;
    one.task('task', 'timeout: 1s', `${hide(word)}\ntrap "" TERM\nwhile :; do sleep 0.1; done`);
    await one.step();
    expect(outcomeOf(one, 'task')).toContain('outcome: timed_out');
    await until(() => running(word).length === 0);
  });

  inSandbox('its exit code is recorded outside of the sandbox', async () => {
    const one = stand('bwrap');
    one.task('task', '', 'exit 3');
    await one.step();
    expect(outcomeOf(one, 'task')).toContain('exit_code: 3');
    expect(one.read(`${one.attempt('task')}/desk/exit.md`)).toContain('exit_code: 3');
  });
});

describe('who looks and what is run', () => {
  const TICKED = '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] It is done\n';

  inSandbox('a reviewer writes its verdict and nothing else', async () => {
    const config =
      'adapters:\n  judge: { type: command, run: [sh, .contracts/judge.sh] }\nagents:\n  judge: { adapter: judge }\n';
    const one = stand('bwrap', config);
    const deeds = {
      source: 'echo x > src/by-judge.txt',
      commit: 'git commit -q --allow-empty -m judged',
      key: 'cat "$HOME/.ssh/id_key"',
      look: 'cat src/a.txt',
    };
    const verdict = '## Verdict\n\n- [x] APPROVED\n- [ ] NEEDS_WORK\n- [ ] REJECT\n';
    const review = `printf '${verdict.replaceAll('\n', '\\n')}' > "$CONTRACTS_OUT/review.md"`;
    one.write('.contracts/judge.sh', `${scriptOf(deeds)}\n${review}\n`);
    const result = `printf -- '${TICKED.replaceAll('\n', '\\n')}' > "$CONTRACTS_OUT/result.md"`;
    one.task('task', 'quality_gate: [judge]\nverify: ["file_exists: README.md"]', result);
    await one.step();
    await one.step();
    expect(one.exists('active_tasks/done/task')).toBe(true);
    expect(one.deeds('task', '0002')).toEqual({
      source: false,
      commit: false,
      key: false,
      look: true,
    });
    const outcome = one.read('active_tasks/done/task/attempts/0002/outcome.md');
    expect(outcome).toContain('- sandbox');
  });

  inSandbox(
    'a check builds in the workdir, and reaches neither git, settings, tasks nor keys',
    async () => {
      const one = stand('bwrap');
      const check = [
        'mkdir -p build && echo built > build/out.txt',
        '! echo x > .git/hooks/post-commit',
        '! echo x > .git/evil',
        '! echo "# x" >> .contracts/config.yaml',
        '! echo x > active_tasks/done/evil',
        '(mkdir .agents/agents; echo x > .claude/settings.json; true)',
        '! cat $HOME/.ssh/id_key',
      ].join(' && ');
      one.task('task', `verify:\n  - run: '${check}'`, 'true');
      one.write(
        'active_tasks/ready/task/contract.md',
        one
          .read('active_tasks/ready/task/contract.md')
          .replace('- [ ] It is done', `- [ ] \`${check}\``),
      );
      await one.step();
      await one.step();
      expect(one.exists('active_tasks/done/task')).toBe(true);
      expect(one.read('build/out.txt')).toBe('built\n');
      for (const name of ['.agents', '.claude/settings.json']) expect(one.exists(name)).toBe(false);
    },
  );

  inSandbox(
    'a glob that is not a folder opens the nearest one, and the outcome says so',
    async () => {
      const one = stand('bwrap');
      const deeds = {
        named: 'echo x >> README.md',
        beside: 'echo x > beside.txt',
        below: 'echo x > src/beside.txt',
        settings: 'echo "# x" >> .contracts/config.yaml',
      };
      one.task('task', 'write: ["*.md"]', scriptOf(deeds));
      await one.step();
      expect(one.deeds('task')).toEqual({
        named: true,
        beside: true,
        below: false,
        settings: false,
      });
      expect(outcomeOf(one, 'task')).toContain(
        'around *.md it could make new files, and change none that existed',
      );
    },
  );

  inSandbox(
    'a folder that a glob opens and that is missing is made, and goes again when it is not used',
    async () => {
      const one = stand('bwrap');
      const deeds = { made: 'echo x > new/deep/file.txt', root: 'echo x > file.txt' };
      one.task('task', 'write: [new/deep/**, unused/deep/**]', scriptOf(deeds));
      await one.step();
      expect(one.deeds('task')).toEqual({ made: true, root: false });
      expect(one.exists('new/deep/file.txt')).toBe(true);
      expect(one.exists('unused')).toBe(false);
    },
  );

  inSandbox('what describes agents is shut also where it is not there yet', async () => {
    const one = stand('bwrap');
    const role = (folder: string): string =>
      `mkdir -p ${folder}/agents; echo x > ${folder}/agents/builder.md`;
    const deeds = {
      agents: role('.agents'),
      claude: role('.claude'),
      opencode: role('.opencode'),
      gemini: role('.gemini'),
      codex: role('.codex'),
      away: 'mv .agents elsewhere || rmdir .agents',
      file: 'echo x > file.txt',
    };
    one.task('task', '', scriptOf(deeds));
    await one.step();
    const { file, away } = one.deeds('task');
    expect(file).toBe(true);
    expect(away).toBe(false);
    // What it wrote there went with its sandbox.
    expect(one.exists('elsewhere')).toBe(false);
    for (const name of SETTING_FOLDERS.slice(1)) expect(one.exists(name), name).toBe(false);
  });

  inSandbox('it stays shut for one when another ends beside it', async () => {
    const one = stand('bwrap', 'parallel: 2\n');
    const ended = 'active_tasks/*/first/attempts/0001/outcome.md';
    const waits = `until grep -qs outcome ${ended}; do sleep 0.05; done`;
    const late = 'mkdir -p .agents/agents; echo x > .agents/agents/builder.md';
    one.task('first', '', 'true');
    one.task('second', '', scriptOf({ late: `${waits}; ${late}` }));
    await one.step();
    expect(one.exists('.agents')).toBe(false);
  });

  inSandbox('who is given a folder of settings by name writes there', async () => {
    const one = stand('bwrap');
    const deeds = { role: 'echo x > .agents/agents/mine.md', other: 'mkdir .agents/skills' };
    one.task('task', 'agent: keeper', scriptOf(deeds));
    one.write(
      '.contracts/config.yaml',
      'sandbox: bwrap\nagents:\n  keeper: { write: [.agents/agents/**, src/**] }\n',
    );
    await one.step();
    expect(one.deeds('task')).toEqual({ role: true, other: false });
    expect(one.exists('.agents/agents/mine.md')).toBe(true);
  });

  const NAMED = { named: true, file: true };
  inSandbox.each([
    ['so does who may write everything beside it', 'agent: keeper', NAMED],
    ['not where the contract leaves it out', 'agent: keeper\nwrite: [src/**]', {}],
    ['not where only the contract names it', 'write: [src/**, .claude/settings.json]', {}],
  ])('%s', async (_, head, opened) => {
    const one = stand('bwrap');
    const deeds = {
      named: 'echo x > .claude/settings.json',
      file: 'echo x > opencode.json',
      other: 'echo x > .codex/config.toml',
      src: 'echo x > src/b.txt',
    };
    for (const name of ['.claude/settings.json', '.codex/config.toml', 'opencode.json'])
      one.write(name, '{}\n');
    one.task('task', head, scriptOf(deeds));
    const write = '["**", .claude/settings.json, opencode.json]';
    one.write('.contracts/config.yaml', `sandbox: bwrap\nagents:\n  keeper: { write: ${write} }\n`);
    await one.step();
    const shut = { named: false, file: false, other: false, src: true };
    expect(one.deeds('task')).toEqual({ ...shut, ...opened });
  });

  inSandbox('a link in place of a folder opens nothing', async () => {
    const one = stand('bwrap');
    fs.symlinkSync(join(one.base, 'elsewhere'), join(one.root, 'out'));
    one.task('task', 'write: [out/**]', scriptOf({ link: 'echo changed > out/file.txt' }));
    await one.step();
    expect(one.deeds('task')).toEqual({ link: false });
  });

  inSandbox(
    'where the workspace is the home its keys are hidden, and the rest is the workspace',
    async () => {
      const one = stand('bwrap');
      vi.stubEnv('HOME', one.root);
      one.write('.ssh/id_key', 'the key\n');
      one.write('.netrc', 'password\n');
      const deeds = { key: 'cat .ssh/id_key', netrc: 'cat .netrc', file: 'cat src/a.txt' };
      one.task('task', '', scriptOf(deeds));
      await one.step();
      expect(one.deeds('task')).toEqual({ key: false, netrc: false, file: true });
    },
  );
});

describe('keys', () => {
  inSandbox('who may push sees what git sends with, and no other file of the home', async () => {
    const one = stand('bwrap', 'agents:\n  sender: { git: [push], write: [src/**] }\n');
    const deeds = { key: 'cat "$HOME/.ssh/id_key"', letter: 'cat "$HOME/letter.txt"' };
    one.task('task', 'agent: sender', scriptOf(deeds));
    await one.step();
    expect(one.deeds('task')).toEqual({ key: true, letter: false });
    expect(outcomeOf(one, 'task')).toContain('It saw nothing of the home folder except ~/.ssh.');
  });
});

describe('what variables of a client name beside its usual folders', () => {
  const config = (type: string): string =>
    `adapters:\n  me: { type: ${type}, run: [sh, .contracts/agent.sh] }\n`;
  const played = async (one: Stand, deeds: Deeds): Promise<Readonly<Record<string, boolean>>> => {
    one.write('.contracts/agent.sh', scriptOf(deeds));
    one.task('task', 'adapter: me', 'true');
    await one.step();
    return one.deeds('task');
  };

  inSandbox('a configuration and certificates are read, and not written', async () => {
    const one = stand('bwrap', config('opencode'));
    one.write('../../oc/mine.json', '{}\n');
    one.write('../../certs/ca.pem', 'ca\n');
    one.write('../../conf/agents/a.md', 'a\n');
    vi.stubEnv('OPENCODE_CONFIG', join(one.home, 'oc/mine.json'));
    vi.stubEnv('OPENCODE_CONFIG_DIR', join(one.home, 'conf'));
    vi.stubEnv('NODE_EXTRA_CA_CERTS', join(one.home, 'certs/ca.pem'));
    const did = await played(one, {
      file: 'cat "$OPENCODE_CONFIG"',
      folder: 'cat "$OPENCODE_CONFIG_DIR/agents/a.md"',
      certificate: 'cat "$NODE_EXTRA_CA_CERTS"',
      write: 'echo x > "$OPENCODE_CONFIG"',
      write_folder: 'echo x > "$OPENCODE_CONFIG_DIR/b.md"',
      letter: 'cat "$HOME/letter.txt"',
    });
    expect(did).toEqual({
      file: true,
      folder: true,
      certificate: true,
      write: false,
      write_folder: false,
      letter: false,
    });
  });

  inSandbox.each([
    ['CLAUDE_CODE_USE_BEDROCK', 'AWS_SHARED_CREDENTIALS_FILE'],
    ['CLAUDE_CODE_USE_VERTEX', 'GOOGLE_APPLICATION_CREDENTIALS'],
  ])('of claude: only with %s on, the file that %s names is read', async (cloud, name) => {
    for (const on of [true, false]) {
      const one = stand('bwrap', config('claude'));
      one.write('../../keys/cloud.txt', 'key\n');
      vi.stubEnv(cloud, on ? '1' : '0');
      vi.stubEnv(name, join(one.home, 'keys/cloud.txt'));
      const file = '"$HOME/keys/cloud.txt"';
      const did = await played(one, {
        named: `test -n "$${name}"`,
        read: `cat ${file}`,
        write: `echo x > ${file}`,
      });
      expect(did).toMatchObject({ named: on, read: on });
      expect(fs.readFileSync(join(one.home, 'keys/cloud.txt'), 'utf8')).toBe('key\n');
    }
  });

  inSandbox.each([
    ['codex', 'CODEX_HOME', '', 'history.jsonl'],
    ['claude', 'CLAUDE_CONFIG_DIR', '', 'history.jsonl'],
    ['gemini', 'GEMINI_CLI_HOME', '/.gemini', 'tmp/session.txt'],
  ])('the state of %s, named by %s, is kept', async (type, name, below, file) => {
    const one = stand('bwrap', config(type));
    one.write(`../../elsewhere${below}/account.json`, 'me\n');
    vi.stubEnv(name, join(one.home, 'elsewhere'));
    const did = await played(one, {
      account: `cat "$${name}${below}/account.json"`,
      session: `echo x > "$${name}${below}/${file}"`,
    });
    expect(did).toEqual({ account: true, session: true });
    expect(fs.existsSync(join(one.home, `elsewhere${below}/${file}`))).toBe(true);
  });

  inSandbox.each([
    ['opencode', 'OPENCODE_CONFIG_DIR'],
    ['codex', 'CODEX_HOME'],
  ])('of %s: %s does not open the home itself', async (type, name) => {
    const one = stand('bwrap', config(type));
    vi.stubEnv(name, one.home);
    const did = await played(one, { letter: 'cat "$HOME/letter.txt"' });
    expect(did).toEqual({ letter: false });
    expect(fs.existsSync(join(one.home, 'letter.txt'))).toBe(true);
  });
});

describe('in a worktree', () => {
  inSandbox(
    'it commits on no branch, and reaches neither branches, settings nor the main tree',
    async () => {
      const one = stand('bwrap', 'isolation: worktree\n');
      one.write('.git/info/exclude', 'active_tasks\n.contracts\n');
      const deeds = {
        commit: 'echo made > src/made.txt && git add src && git commit -q -m made',
        branch: 'git branch evil',
        config: 'git config core.pager evil',
        hook: `echo true > "$(git rev-parse --git-common-dir)/hooks/post-commit"`,
        redirect: 'echo /tmp > "$(git rev-parse --git-dir)/commondir"',
        main_tree: `echo changed > ${one.root}/README.md`,
        other: 'echo x > README.md',
      };
      one.task('task', 'write: [src/**]', scriptOf(deeds));
      await one.step();
      expect(one.deeds('task')).toEqual({
        ...Object.fromEntries(Object.keys(deeds).map((name) => [name, false])),
        commit: true,
      });
      const outcome = outcomeOf(one, 'task');
      expect(outcome).toContain('- worktree\n  - sandbox');
      expect(outcome).toMatch(/commit: [0-9a-f]{40}/);
      const git = (...args: string[]): string =>
        execFileSync('git', args, { cwd: one.root, encoding: 'utf8' });
      expect(git('show', 'contracts/task:src/made.txt')).toBe('made\n');
      expect(git('branch', '--list', 'evil')).toBe('');
    },
  );

  /** In the store that its git names, and in what the runner reads of its commits. */
  const PLACE =
    'g=$(git rev-parse --git-common-dir)/objects; p() { echo $g/$(echo $1 | cut -c1-2)/$(echo $1 | cut -c3-); }';

  inSandbox(
    'no object of the repository can be put in place of another, and none removed',
    async () => {
      const one = stand('bwrap', 'isolation: worktree\nconflicts: ignore\n');
      one.write('.git/info/exclude', 'active_tasks\n.contracts\n');
      const git = (...args: string[]): string =>
        execFileSync('git', args, { cwd: one.root, encoding: 'utf8' });
      execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: one.root, input: 'GOOD\n' });
      const objects = (): string => git('cat-file', '--batch-check', '--batch-all-objects');
      const before = objects();
      const forge =
        'b=$(echo GOOD | git hash-object --stdin); e=$(echo EVIL | git hash-object -w --stdin); mkdir -p $(dirname $(p $b)); cp $(p $e) $(p $b); git cat-file blob $b | grep EVIL';
      one.task(
        'forged',
        'verify: ["run: true"]',
        `${PLACE}; ${forge}; echo GOOD > src/g; git add src; git commit -q -m forged`,
      );
      one.task('emptied', 'verify: ["run: true"]', `${PLACE}; rm -rf $g/??; echo x > src/x`);
      await one.step();
      await one.step();
      expect(git('fsck', '--full', '--strict')).not.toContain('mismatch');
      expect(git('cat-file', 'blob', 'HEAD:src/a.txt')).toBe('a\n');
      for (const line of before.trim().split('\n')) expect(objects()).toContain(line);
      expect(git('show', 'contracts/emptied:src/x')).toBe('x\n');
      const good = execFileSync('git', ['hash-object', '--stdin'], { input: 'GOOD\n' });
      expect(git('cat-file', 'blob', good.toString().trim())).toBe('GOOD\n');
    },
  );

  inSandbox('it cannot make the settings that git reads of a worktree alone', async () => {
    const one = stand('bwrap', 'isolation: worktree\n');
    one.write('.git/info/exclude', 'active_tasks\n.contracts\n');
    execFileSync('git', ['config', 'extensions.worktreeConfig', 'true'], { cwd: one.root });
    const ran = join(one.root, '.contracts/ran');
    const set = `git config --worktree filter.p.clean "touch ${ran}; cat"`;
    const made = 'echo "* filter=p" > src/.gitattributes; echo x > src/b';
    one.task('task', '', scriptOf({ set, made }));
    await one.step();
    expect(one.deeds('task')).toEqual({ set: false, made: true });
    expect(fs.existsSync(ran)).toBe(false);
    expect(outcomeOf(one, 'task')).toContain('outcome: complete');
  });

  inSandbox('a commit of which objects are missing or forged is not taken over', async () => {
    const one = stand('bwrap', 'isolation: worktree\n');
    one.write('.git/info/exclude', 'active_tasks\n.contracts\n');
    const made =
      'echo $CONTRACTS_TASK > src/m; git add src; git commit -q -m made; b=$(git rev-parse HEAD:src/m)';
    one.task('missing', '', `${PLACE}; ${made}; rm -f $(p $b)`);
    const evil = 'e=$(echo EVIL | git hash-object -w --stdin); cp -f $(p $e) $(p $b)';
    one.task('evil', '', `${PLACE}; ${made}; ${evil}`);
    await one.step();
    await one.step();
    for (const id of ['missing', 'evil']) {
      expect(outcomeOf(one, id)).toContain('outcome: violated');
      expect(outcomeOf(one, id)).toContain('is incomplete');
    }
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: one.root, encoding: 'utf8' });
    expect(git('fsck', '--full')).toBe('');
    expect(git('rev-list', '--all', '--objects')).not.toBe('');
    expect(fs.existsSync(join(one.root, '.git/worktrees/evil/objects'))).toBe(false);
  });
});
