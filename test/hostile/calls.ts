/**
 * The stand of calls.test.ts: a scratch workspace, the built hook that judges a command in it, and what
 * the command changes there when it really runs, in bubblewrap: the machine is read-only to it, without
 * a network.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Permissions } from '../../src/task/core/model/permissions.ts';
import { allowedText } from '../../src/permissions/core/allowed.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { contractsIn } from '../support/binary.ts';

/** Of a shell where the input is a text. */
export interface Call {
  readonly name: string;
  readonly tool: string;
  readonly input: unknown;
  readonly command: string;
}

/** The JSON lines: `[name, command]`, or `[name, {tool, input}]`. */
export function callsIn(file: string): readonly Call[] {
  const text = fs.readFileSync(new URL(file, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('['));
  return lines.map((line) => {
    const [name, call] = JSON.parse(line) as [string, string | { tool: string; input: object }];
    return typeof call === 'string'
      ? { name, tool: 'Bash', input: { command: call }, command: call }
      : { name, ...call, command: '' };
  });
}

export interface Scratch {
  /** Nothing but the workspace, a home and what calls put beside them. */
  readonly base: string;
  readonly root: string;
}

export function allowedOf(globs: readonly string[], git: Permissions['git']): Permissions {
  return { write: globs, create: globs, delete: globs, append: globs, git, strength: 'hard' };
}
const ALLOWED = allowedOf(['src/**'], ['add']);

const FILES: Readonly<Record<string, string>> = {
  'README.md': 'old\n',
  'src/a.txt': 'evil\n',
  'package.json': '{ "name": "scratch", "scripts": { "x": "cp src/a.txt README.md" } }\n',
  'src/fix.patch': '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1 +1 @@\n-evil\n+good\n',
  '.contracts/config.yaml': 'v: 1\n',
};

/** `dirty`: with work of a person that is not committed. */
export function makeScratch(dirty = false): Scratch {
  const base = sealedFolder('calls');
  const root = join(base, 'w');
  fs.mkdirSync(join(root, 'active_tasks/.desk/t.0001'), { recursive: true });
  fs.mkdirSync(join(base, 'home'));
  fs.writeFileSync(join(base, 'home/.gitconfig'), '[user]\nname = a\nemail = a@b\n');
  for (const [name, text] of Object.entries(FILES)) putFile(join(root, name), text);
  const git = (...argv: string[]): unknown =>
    execFileSync('git', argv, { cwd: root, env: { ...process.env, HOME: join(base, 'home') } });
  git('init', '-q', '-b', 'main');
  git('add', 'package.json');
  git('commit', '-qm', 'first');
  git('add', '.');
  git('commit', '-qm', 'second');
  if (dirty) fs.writeFileSync(join(root, 'package.json'), `${FILES['package.json']}\n`);
  return { base, root };
}

/** The reason, as the client gets it; undefined where the call passes. */
export function judge(
  { base, root }: Scratch,
  { tool, input }: Call,
  allowed = ALLOWED,
): string | undefined {
  const desk = join(root, 'active_tasks/.desk/t.0001');
  const argv = ['hook', 'pre-tool-use', '--client', 'claude'];
  const { status, stdout, stderr } = contractsIn(root, argv, {
    env: {
      ...sealedEnv(),
      HOME: join(base, 'home'),
      CONTRACTS_TASK: 't',
      CONTRACTS_OUT: desk,
      CONTRACTS_ROOT: root,
      CONTRACTS_PERMISSIONS: allowedText({ permissions: allowed, root, desk }),
    },
    input: JSON.stringify({ cwd: root, tool_name: tool, tool_input: input }),
  });
  if (status !== 0) return `exit ${status}: ${stderr}`;
  if (stdout === '') return undefined;
  const said = JSON.parse(stdout) as {
    hookSpecificOutput: { permissionDecision: string; permissionDecisionReason: string };
  };
  return said.hookSpecificOutput.permissionDecisionReason;
}

function confined({ base, root }: Scratch): readonly string[] {
  const flags =
    '--unshare-all --unshare-user --uid 0 --gid 0 --die-with-parent --new-session ' +
    '--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp';
  return ['bwrap', ...flags.split(' '), '--bind', base, base, '--chdir', root, '--'];
}

function runIn(scratch: Scratch, command: string) {
  const [program = '', ...argv] = [...confined(scratch), 'bash', '-c', command];
  return spawnSync(program, argv, {
    env: {
      ...sealedEnv(),
      HOME: join(scratch.base, 'home'),
      // Its own in the sandbox.
      TMPDIR: '/tmp',
      GIT_CONFIG_NOSYSTEM: '1',
    },
    timeout: 30_000,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
}

export const SANDBOXED = ((): boolean => {
  const scratch = makeScratch();
  return runIn(scratch, 'true').status === 0;
})();

/** In a clean tree or in one with work of a person: what changes that the permissions do not cover. */
export function changedBy({ command }: Call): readonly string[] | undefined {
  for (const dirty of [false, true]) {
    const scratch = makeScratch(dirty);
    const changed = effectOf(scratch, command);
    if (changed?.length !== 0 || dirty) return changed;
  }
  return [];
}

/** Relative to the base. undefined: its program is not on this machine. */
function effectOf(scratch: Scratch, command: string): readonly string[] | undefined {
  const before = seen(scratch.base);
  const { stderr, status } = runIn(scratch, command);
  const after = seen(scratch.base);
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const changed = paths.filter((path) => before.get(path) !== after.get(path));
  const isMissing = status === 127 || /: (command )?not found/.test(stderr);
  return changed.length === 0 && isMissing ? undefined : changed;
}

/** What the agent may change, what `git add` changes, and what git notes about looks. */
const OPEN =
  /^(w\/src\/(?!.*\.git\b)|w\/\.git\/(objects|index|FETCH_HEAD|ORIG_HEAD|index\.lock|COMMIT_EDITMSG)|home\/\.(npm|cache)|w\/active_tasks\/\.desk\/)/;

function seen(base: string, below = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of fs.readdirSync(join(base, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    if (OPEN.test(path)) continue;
    const stat = fs.lstatSync(join(base, path));
    if (stat.isDirectory()) for (const [a, b] of seen(base, path)) found.set(a, b);
    else found.set(path, `${stat.mode} ${textOf(join(base, path), stat.isSymbolicLink())}`);
  }
  return found;
}

function textOf(path: string, isLink: boolean): string {
  if (isLink) return fs.readlinkSync(path);
  return createHash('sha256').update(fs.readFileSync(path)).digest('hex');
}
