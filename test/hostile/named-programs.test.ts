/**
 * Programs that the runner starts outside of a sandbox, where an agent in one wrote what they do: commands
 * of `on_state`, `notify` and the editor, and programs that PATH finds in the workspace. The built command,
 * real sandboxes; a key in the home stands for all that must not be read.
 */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { processesOf } from '../support/sandbox-runs.ts';
import { until } from '../support/until.ts';
import { share } from '../support/share.ts';
import { shellContract } from './house.ts';
import { base, git, home, root, said, write } from './trust-room.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works)
  console.log(`LEFT OUT: programs of settings beside a sandbox, because ${here.why}`);
const confined = test.runIf(here.works);

const BOX = { CONTRACTS_SANDBOX: '' };
const KEY = 'the-key-of-a-person';
const stolen = (): boolean => fs.existsSync(join(base, 'stolen'));
const ran = (): boolean => fs.existsSync(join(root, 'ran.txt'));
/** As shell code: takes the key out of the sandbox, and leaves a mark in the workspace. */
const theft = (): string => `cat ${home}/.ssh/id > ${base}/stolen; echo ran >> ${root}/ran.txt`;

function script(path: string, text: string, at = root): void {
  write(path, `#!/bin/sh\n${text}\n`, at);
  fs.chmodSync(join(at, path), 0o755);
}

beforeEach(() => {
  write('.ssh/id', KEY, home);
  expect(said(['init']).code).toBe(0);
  git(root, 'init', '-q');
});

function settings(lines: string): void {
  write('.contracts/config.yaml', `adapter: shell\nsandbox: bwrap\n${lines}`);
  expect(said(['trust']).text).toMatch(/rusted/);
}

/** An agent in a sandbox runs `sh`; then the moves of its task ring. */
function agent(sh: string): string {
  write('agent.sh', sh);
  write(
    'active_tasks/ready/a/contract.md',
    shellContract('a', { sh: `sh agent.sh\necho a > a.txt` }),
  );
  const { text } = said(['step'], BOX);
  expect(fs.existsSync(join(root, 'active_tasks/done/a')), text).toBe(true);
  return text;
}

/** Nothing waits for a bell, and a folder that it still uses cannot be removed. */
afterEach(() => until(() => processesOf(base).length === 0));

describe('what an agent wrote is run in the sandbox of a check', () => {
  const js = (): string =>
    `import { execSync } from 'node:child_process'; execSync(${JSON.stringify(theft())});`;
  const WAYS: readonly (readonly [string, string, string, () => string, boolean?])[] = [
    ['a script', '[./tools/n.sh, "{{id}}"]', 'tools/n.sh', () => `#!/bin/sh\n${theft()}`, true],
    ['what a script of node imports', '[node, x.mjs]', 'y.mjs', js],
    ['what a script of sh sources', '[sh, x.sh]', 'y.sh', theft],
    [
      'a script of npm',
      '[npm, run, x]',
      'package.json',
      () => JSON.stringify({ scripts: { x: theft() } }),
    ],
    ['a target of make', '[make, ring]', 'Makefile', () => `ring:\n\t${theft()}\n`],
    [
      'text that goes into the workspace',
      `[sh, -c, 'cd "$CONTRACTS_ROOT" && . ./y.sh']`,
      'y.sh',
      theft,
    ],
    ['a launcher', '[env, A=1, sh, y.sh]', 'y.sh', theft],
    [
      'a program that only PATH finds there',
      '[my-bell]',
      'node_modules/.bin/my-bell',
      () => `#!/bin/sh\n${theft()}`,
      true,
    ],
  ];
  const path = (): string => `${root}/node_modules/.bin:${process.env['PATH'] ?? ''}`;
  for (const key of ['on_state', 'notify'] as const)
    // Of all ways one in two, which the commit chooses; at night all.
    for (const [name, command, file, text, isProgram] of key === 'notify'
      ? WAYS.slice(0, 2)
      : share(WAYS, 2))
      confined(`${key}: ${name}`, async () => {
        write('x.mjs', "import './y.mjs';\n");
        write('x.sh', '. ./y.sh\n');
        write('y.mjs', '');
        write('y.sh', '');
        write(file, '#!/bin/sh\n');
        if (isProgram) fs.chmodSync(join(root, file), 0o755);
        if (key === 'notify') write('.config/contracts/config.yaml', `notify: ${command}\n`, home);
        settings(key === 'on_state' ? `on_state: ${command}\n` : '');
        write('evil', text());
        const sh = `cat evil > ${file}\necho a > a.txt\n`;
        write('active_tasks/ready/a/contract.md', shellContract('a', { sh }));
        const step = said(['step'], { ...BOX, PATH: path() });
        expect(fs.existsSync(join(root, 'active_tasks/done/a')), step.text).toBe(true);
        await until(ran);
        expect(stolen()).toBe(false);
        if (key === 'on_state' && name === 'a script') {
          expect(step.text).toContain(
            'so it runs in the sandbox of a check and reaches no desktop',
          );
          // Once for a workspace; check and doctor always.
          write(
            'active_tasks/ready/a2/contract.md',
            shellContract('a2', { sh: 'echo a > a2.txt' }),
          );
          expect(said(['step'], { ...BOX, PATH: path() }).text).not.toContain('reaches no desktop');
          expect(said(['check'], { ...BOX, PATH: path() }).text).toContain('reaches no desktop');
        }
      });

  confined(
    'it writes no settings of clients that are not there yet, and leaves none behind',
    async () => {
      write(
        'n.sh',
        `mkdir -p .claude && echo '{}' > .claude/settings.json; ls -a > ${root}/ran.txt`,
      );
      settings('on_state: [sh, n.sh]\n');
      agent('true');
      await until(ran);
      expect(fs.existsSync(join(root, '.claude/settings.json'))).toBe(false);
    },
  );
});

describe('what lies outside of the workspace runs outside of the sandbox', () => {
  confined('a script of the person: with the home, and not in the workspace', async () => {
    script(
      'bin/bell',
      `cat ~/.ssh/id > ${base}/rang; pwd >> ${base}/rang; command -v evil >> ${base}/rang; :> ${base}/end`,
      home,
    );
    script('node_modules/.bin/evil', 'true');
    settings(`on_state: [${home}/bin/bell, "{{id}}"]\n`);
    write('active_tasks/ready/a/contract.md', shellContract('a', { sh: 'echo a > a.txt' }));
    const PATH = `${root}/node_modules/.bin:${process.env['PATH'] ?? ''}`;
    expect(said(['step'], { ...BOX, PATH }).text).not.toContain('reaches no desktop');
    await until(() => fs.existsSync(join(base, 'end')));
    expect(fs.readFileSync(join(base, 'rang'), 'utf8')).toContain(`${KEY}${home}\n`);
    expect(fs.readFileSync(join(base, 'rang'), 'utf8')).not.toContain('evil');
  });

  confined('but not by a link from there into the workspace', async () => {
    script('tools/n.sh', 'true');
    fs.mkdirSync(join(home, 'bin'), { recursive: true });
    fs.symlinkSync(join(root, 'tools/n.sh'), join(home, 'bin/bell'));
    settings(`on_state: [${home}/bin/bell]\n`);
    script('evil', theft());
    agent('cat evil > tools/n.sh');
    await until(ran);
    expect(stolen()).toBe(false);
  });
});

test('where no sandbox is in force, it runs where it always did', async () => {
  write('n.sh', `cat ${home}/.ssh/id > ${base}/stolen; echo ran > ran.txt`);
  write('.contracts/config.yaml', 'adapter: shell\non_state: [sh, n.sh]\n');
  said(['trust']);
  write('active_tasks/ready/a/contract.md', shellContract('a', { sh: 'echo a > a.txt' }));
  expect(said(['step']).text).not.toContain('sandbox of a check');
  await until(() => ran() && stolen());
});

describe('the editor', () => {
  const edit = (env: Record<string, string>) => {
    write('active_tasks/draft/a/contract.md', shellContract('a'));
    return said(['edit', 'a'], { ...BOX, ...env });
  };
  const saved = (): boolean =>
    fs.readFileSync(join(root, 'active_tasks/draft/a/contract.md'), 'utf8').includes('# saved');

  confined.each(['./edit.sh', 'sh edit.sh', 'env A=1 sh edit.sh', 'my-editor'])(
    '%s of the workspace writes the file that it is given, and sees no home',
    (EDITOR) => {
      settings('');
      const text = `${theft()}\nprintf '\\n# saved\\n' >> "$1"\necho x >> active_tasks/.gitignore`;
      script('edit.sh', text);
      script('node_modules/.bin/my-editor', text);
      const before = fs.readFileSync(join(root, 'active_tasks/.gitignore'), 'utf8');
      const PATH = `${root}/node_modules/.bin:${process.env['PATH'] ?? ''}`;
      const { text: words } = edit({ EDITOR, PATH });
      expect(words).toContain('so it runs in the sandbox of a check');
      expect([saved(), ran(), stolen()]).toEqual([true, true, false]);
      expect(fs.readFileSync(join(root, 'active_tasks/.gitignore'), 'utf8')).toBe(before);
    },
  );

  confined('outside of it is the one of the person, although PATH leads into the workspace', () => {
    settings('');
    script('node_modules/.bin/ed', theft());
    script('bin/ed', `printf '\\n# saved\\n' >> "$1"`, home);
    const PATH = `${root}/node_modules/.bin:${home}/bin:${process.env['PATH'] ?? ''}`;
    expect(edit({ EDITOR: 'ed', PATH }).text).not.toContain('sandbox of a check');
    expect([saved(), ran(), stolen()]).toEqual([true, false, false]);
  });
});

/** npm puts `node_modules/.bin` first on PATH: each program there says that it was started. */
describe('a program of the workspace that PATH finds first is not started', () => {
  const NAMES = (
    'git bwrap setsid flock gh claude codex gemini opencode less vi ' +
    'sh sync sleep mkfifo cat rm date mv find mkdir env ps node npm kill true'
  ).split(' ');
  const started = (): string =>
    fs.existsSync(join(base, 'started')) ? fs.readFileSync(join(base, 'started'), 'utf8') : '';
  let env: Record<string, string> = {};
  beforeEach(() => {
    write('.gitignore', 'node_modules\n');
    write('agent.mjs', '');
    write('n.sh', `echo ran >> ${root}/ran.txt`);
    settings(
      'adapters: { mine: { type: command, run: [node, agent.mjs] } }\non_state: [sh, n.sh]\n',
    );
    for (const name of NAMES)
      script(
        `node_modules/.bin/${name}`,
        `echo "${name} in $PWD" >> ${base}/started\nPATH='${process.env['PATH']}' exec ${name} "$@"`,
      );
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'all');
    env = { ...BOX, PATH: `${root}/node_modules/.bin:${process.env['PATH'] ?? ''}` };
  });
  const task = (id: string, at = root): void =>
    write(
      `active_tasks/ready/${id}/contract.md`,
      shellContract(id, { head: 'isolation: worktree', sh: `echo a > ${id}.txt` }),
      at,
    );

  confined('by the verbs, with a task in a worktree', async () => {
    task('a');
    const verbs =
      'step|list|show a|doctor|check|check --staged|check --rerun|agents|agents test mine|' +
      'agents test claude|merge --yes|undo a --yes|status|init';
    for (const verb of verbs.split('|')) {
      said(verb.split(' '), env);
      expect(started(), verb).toBe('');
    }
    await until(ran);
    expect(started()).toBe('');
    expect(fs.existsSync(join(root, 'active_tasks/done/a'))).toBe(true);
  });

  confined('in a linked worktree, and in a workspace that is a folder of the repository', () => {
    const linked = join(base, 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    fs.mkdirSync(join(root, 'sub'));
    said(['init'], env, join(root, 'sub'));
    for (const at of [linked, join(root, 'sub')]) {
      said(['trust'], env, at);
      task('b', at);
      for (const verb of ['step', 'list', 'check --staged', 'doctor', 'agents'])
        said(verb.split(' '), env, at);
      expect(started(), at).toBe('');
    }
  });

  confined('nor one of another worktree, or a link from outside that leads into one', () => {
    const linked = join(base, 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    script('bin/git', `echo other >> ${base}/started`, linked);
    fs.mkdirSync(join(home, 'bin'));
    fs.symlinkSync(join(root, 'node_modules/.bin/git'), join(home, 'bin/git'));
    task('c');
    const PATH = `${linked}/bin:${home}/bin:${process.env['PATH'] ?? ''}`;
    said(['step'], { ...BOX, PATH });
    expect(started()).toBe('');
    expect(fs.existsSync(join(root, 'active_tasks/done/c'))).toBe(true);
  });

  test('a home that is a repository hides no program of the person', () => {
    git(home, 'init', '-q');
    script('.local/bin/git', `echo mine >> ${base}/started\nexec /usr/bin/git "$@"`, home);
    write('plain/x', '', home);
    const at = join(home, 'plain');
    const PATH = `${home}/.local/bin:${process.env['PATH'] ?? ''}`;
    said(['init'], { PATH }, at);
    said(['check', '--staged'], { PATH }, at);
    expect(started()).toContain('mine');
  });
});

describe('what the person\u2019s own programs obey', () => {
  const PLANTED = ['.bashrc', '.gitconfig', '.local/bin/git', '.config/contracts/config.yaml'];
  const plant = (folder: string): string =>
    PLANTED.map(
      (one) => `mkdir -p "${folder}/${dirname(one)}" && echo evil > "${folder}/${one}"`,
    ).join('\n');
  const workIn = (folder: string, sh: string): void => {
    fs.mkdirSync(join(folder, '.contracts'), { recursive: true });
    write('.contracts/config.yaml', 'adapter: shell\n', folder);
    const contract = shellContract('a', { sh: `${sh}\necho a > a.txt` });
    write('active_tasks/ready/a/contract.md', contract, folder);
  };

  test.each([
    ['the home', (): string => home, {}, 'this workspace is the folder of your home'],
    [
      'their settings',
      (): string => root,
      (): object => ({ XDG_CONFIG_HOME: root }),
      'this workspace is the folder of your own settings',
    ],
  ])('a workspace that is %s starts no program', (_name, at, more, words) => {
    const folder = at();
    const env = { ...BOX, CONTRACTS_TRUST: '1', ...(typeof more === 'function' ? more() : more) };
    const made = said(['init'], env, folder);
    expect(made.text).toContain(words);
    expect(made.code).toBe(2);
    workIn(folder, 'true');
    const verbs = 'step|run|do x --sh true|trust|agents test shell|delegate a';
    for (const verb of verbs.split('|')) {
      const { text, code } = said(verb.split(' '), env, folder);
      expect(text, verb).toContain(words);
      expect(code, verb).toBeGreaterThan(1);
    }
    expect(fs.existsSync(join(folder, 'a.txt'))).toBe(false);
    expect(said(['list'], env, folder).text).toContain('a');
    // A person chose to confine nothing.
    expect(said(['step'], { ...env, CONTRACTS_SANDBOX: 'none' }, folder).code).toBe(0);
  });

  confined('lies in the workspace: no agent reads or writes it', () => {
    write('.bashrc', 'mine', home);
    workIn(base, `cat ${home}/.ssh/id > stolen || true\n${plant(home)}`);
    const { text } = said(['step'], { ...BOX, CONTRACTS_TRUST: '1' }, base);
    expect(fs.existsSync(join(base, 'active_tasks/done/a')), text).toBe(true);
    expect(fs.readFileSync(join(base, 'stolen'), 'utf8')).toBe('');
    expect(fs.readFileSync(join(home, '.bashrc'), 'utf8')).toBe('mine');
    expect(PLANTED.filter((one) => fs.existsSync(join(home, one)))).toEqual(['.bashrc']);
  });

  confined.each(['**', 'settings/**'])('nor XDG_CONFIG_HOME there, with write: %s', (glob) => {
    write('settings/contracts/config.yaml', '');
    workIn(
      root,
      'mkdir -p settings/git; echo evil | tee settings/contracts/config.yaml settings/git/config || true',
    );
    const file = join(root, 'active_tasks/ready/a/contract.md');
    fs.writeFileSync(
      file,
      fs.readFileSync(file, 'utf8').replace('---\n', `---\nwrite: ["a.txt", "${glob}"]\n`),
    );
    const env = { ...BOX, CONTRACTS_TRUST: '1', XDG_CONFIG_HOME: join(root, 'settings') };
    const { text } = said(['step'], env);
    expect(fs.existsSync(join(root, 'active_tasks/done/a')), text).toBe(true);
    expect(fs.readFileSync(join(root, 'settings/contracts/config.yaml'), 'utf8')).toBe('');
    expect(fs.existsSync(join(root, 'settings/git'))).toBe(false);
  });
});
