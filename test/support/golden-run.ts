/**
 * Plays a golden case in a throw-away workspace: the real engine, the real process room, real sh
 * programs as agents, and the real command line, called in this process so that it is quick. Gives
 * back what the terminal showed and the tree as it is then. Nothing of the outside is read or left.
 */
import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { STATES } from '../../src/task/core/model/state.ts';
import { BINARY } from './binary.ts';
import { textHere } from './command-room.ts';
import { expectedOf, type Expected } from './golden-after.ts';
import { CASES, type Action, type Case } from './golden-case.ts';
import type { CaseFile } from './golden-file.ts';
import { maskOutput, maskOwnClock, maskText } from './golden-mask.ts';
import { scriptClock, type Clock } from './script-clock.ts';
import { filesBelow, readWorkspace, stamp } from './golden-tree.ts';
import { hear, Words } from './golden-words.ts';
import { checkJsonIn } from './json-lines.ts';
import { putFile, sealedEnv, sealedFolder } from './sealed-folder.ts';
import { until } from './until.ts';

/** More than a task is left alone after calls that ended at once. */
export const BETWEEN_MS = 61_000;
/** All files that are there before are of this age, so that the order of tasks is that of their ids. */
const BEFORE = new Date('2026-01-02T03:04:05Z');

export interface Played {
  /** Each command with its output and exit code. */
  readonly reported: string;
  readonly after: Expected;
}

/** Codes in the place of sentences; `has` is asked whether the table has a row (golden-words.ts). */
export async function play(one: Case, has: (row: string) => boolean = () => true) {
  const words = new Words();
  const { root, reported, after } = await hear(words, () => playWhole(one));
  // What a child process did took as long as it took.
  const ownClock = one.steps.some(({ action }) => action.kind === 'contracts' && action.binary);
  const clean = (text: string): string => maskText(text, root);
  const mask = (text: string): string =>
    words.mask(ownClock ? maskOwnClock(text) : text, clean, has);
  const files = [...after.files].map(([path, text]) => [path, text && mask(text)] as const);
  const played: Played = {
    reported: mask(reported),
    after: { tasks: after.tasks, files: new Map(files) },
  };
  return { ...played, rows: [...words.rows].toSorted() };
}

async function playWhole(one: Case): Promise<Played & { readonly root: string }> {
  const root = makeWorkspace(one);
  const background: Promise<string>[] = [];
  const clock = scriptClock(root);
  try {
    const before = readWorkspace(root, one.everything);
    let report = '';
    for (const { shown, action } of one.steps) {
      report += `$ ${shown}\n${await act(root, action, background, clock)}\n`;
    }
    if (background.length > 0) throw new Error(`${one.name}: a command is left running; wait`);
    const after = readWorkspace(root, one.everything);
    return {
      root,
      reported: `${report.trimEnd()}\n`,
      after: expectedOf(before, after, one.whole),
    };
  } finally {
    await Promise.allSettled(background);
  }
}

export function makeWorkspace(one: Case): string {
  // Paths with blanks, brackets and other letters are paths.
  const root = sealedFolder('a (é)');
  for (const file of one.text.before) putCaseFile(root, file);
  for (const state of STATES) fs.mkdirSync(join(root, 'active_tasks', state), { recursive: true });
  fs.mkdirSync(join(root, '.contracts'), { recursive: true });
  const config = join(root, '.contracts/config.yaml');
  if (!fs.existsSync(config)) fs.copyFileSync(join(CASES, 'config.yaml'), config);
  for (const path of filesBelow(root)) fs.lutimesSync(join(root, path), BEFORE, BEFORE);
  return root;
}

function putCaseFile(root: string, file: CaseFile): void {
  const { path, kind, bytes } = file;
  const full = join(root, path);
  fs.mkdirSync(kind === 'folder' ? full : dirname(full), { recursive: true });
  switch (kind) {
    case 'folder':
      return;
    case 'link':
      return fs.symlinkSync(bytes.toString(), full);
    default: {
      const mode = kind === 'executable' ? 0o755 : 0o644;
      return fs.writeFileSync(full, file.shared === undefined ? bytes : sharedText(file), { mode });
    }
  }
}

/** The lines of the section are the last of the head. */
function sharedText({ shared = '', bytes }: CaseFile): string {
  const text = fs.readFileSync(join(CASES, '..', shared), 'utf8');
  return text.replace(/\n---\n/, () => `\n${bytes.toString()}---\n`);
}

/** What the terminal shows, masked, ending with `exit N` where a program was run. */
async function act(
  root: string,
  action: Action,
  background: Promise<string>[],
  clock: Clock,
): Promise<string> {
  switch (action.kind) {
    case 'contracts': {
      clock.pass(BETWEEN_MS);
      const running = action.binary
        ? binary(root, action.argv)
        : contracts(root, action.argv, clock.ports);
      if (!action.background) return running;
      background.push(running);
      return '';
    }
    case 'same':
      return unchanged(root, action.argv, clock.ports);
    case 'later':
      clock.pass(action.minutes * 60_000);
      return '';
    case 'takes':
      clock.takes(action.seconds * 1000);
      return '';
    case 'wait':
      return (await Promise.all(background.splice(0))).join('');
    case 'sh':
      return shell(root, action.command);
    case 'mv':
      fs.renameSync(join(root, action.from), target(root, action));
      return '';
    case 'write':
      putFile(join(root, action.path), action.text);
      return '';
    case 'append':
      fs.appendFileSync(join(root, action.path), action.text);
      return '';
    case 'touch':
      fs.writeFileSync(join(root, action.path), '', { flag: 'a' });
      return '';
    case 'until':
      await until(`${action.path} appears`, () => fs.existsSync(join(root, action.path)));
      return '';
  }
}

/** As mv does it: `mv x y/` puts x into y. */
function target(root: string, { from, to }: { from: string; to: string }): string {
  return join(root, to, to.endsWith('/') ? basename(from) : '');
}

async function contracts(
  root: string,
  argv: readonly string[],
  ports: Clock['ports'],
): Promise<string> {
  const { text, code } = await textHere(['--dir', root, ...argv], ports);
  return ended(root, text, code);
}

function ended(root: string, text: string, code: number | null): string {
  checkJsonIn(text);
  const newline = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${maskOutput(text, root)}${newline}exit ${code ?? 'by a signal'}\n`;
}

async function binary(root: string, argv: readonly string[]): Promise<string> {
  if (!fs.existsSync(BINARY)) throw new Error(`there is no ${BINARY}; build first: npm run build`);
  const child = spawn(process.execPath, [BINARY, ...argv], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...sealedEnv(),
      PATH: `${process.env['PATH'] ?? ''}:${join(root, 'bin')}`,
      HOME: root,
      // The keys of both are those of one person.
      XDG_STATE_HOME: process.env['XDG_STATE_HOME'],
      XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'],
      CONTRACTS_SANDBOX: 'none',
      CONTRACTS_TRUST: '1',
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return ended(root, text, code);
}

async function unchanged(
  root: string,
  argv: readonly string[],
  ports: Clock['ports'],
): Promise<string> {
  const before = stamp(root);
  const text = await contracts(root, argv, ports);
  const after = stamp(root);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return changed.length === 0 ? text : `${text}CHANGED: ${changed.join(', ')}\n`;
}

function shell(root: string, command: string): string {
  const run: SpawnSyncReturns<string> = spawnSync('sh', ['-c', `{ ${command}\n} 2>&1`], {
    cwd: root,
    encoding: 'utf8',
  });
  const failed = run.status === 0 ? '' : `exit ${run.status ?? 'by a signal'}\n`;
  return `${maskOutput(maskOwnClock(run.stdout), root)}${failed}`;
}
