/**
 * Writes what a person sees into docs/terminal/: run, board, list, show and review in a real terminal
 * (tmux) at 60, 80 and 200 columns, plain (.txt) and with colour (.ansi, for `less -R`).
 * Run it after a change of what is printed: npm run build && node scripts/record.mjs [folder]
 * It replaces the recordings; read the difference before you commit it. Fails with words when a
 * screen never shows what it waits for.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPO = fileURLToPath(new URL('..', import.meta.url));
const TARGET = resolve(process.argv[2] ?? join(REPO, 'docs', 'terminal'));
const WIDTHS = [60, 80, 200];
const SCREEN_MS = 20_000;
const rooms = realpathSync(mkdtempSync(join(tmpdir(), 'contracts-record-')));
/** Each terminal has its own server, as an ended one is not gone at once. */
let socket = '';
let servers = 0;
const shims = join(rooms, 'bin');

mkdirSync(shims);
const command = join(REPO, 'dist', 'bin', 'contracts.cjs');
writeFileSync(join(shims, 'contracts'), `#!/bin/sh\nexec node ${command} "$@"\n`, { mode: 0o755 });

/** The example of the package: a task in every state. */
function exampleRoom(name) {
  const root = join(rooms, name);
  cpSync(join(REPO, 'active_tasks.example'), join(root, 'active_tasks'), { recursive: true });
  mkdirSync(join(root, '.contracts'), { recursive: true });
  return root;
}

/** Three tasks that run a few seconds, one after a question, one that fails its check. */
function runRoom(name) {
  const root = join(rooms, name);
  mkdirSync(root);
  contracts(root, 'init');
  const slow =
    'for part in one two three; do echo "Counting part $part" ; sleep 1; done; echo 3 > count.txt';
  contracts(
    root,
    'new',
    'Count the parts',
    '--id',
    'count',
    '--run',
    'test -s count.txt',
    '--sh',
    slow,
  );
  const ask =
    'printf "## Questions\\n\\n1. Which colour?\\n" > "$CONTRACTS_OUT/questions.md"; sleep 2';
  contracts(
    root,
    'new',
    'Paint the door',
    '--id',
    'paint',
    '--run',
    'test -s door.txt',
    '--sh',
    ask,
  );
  const empty = 'sleep 2; : > letter.txt';
  contracts(
    root,
    'new',
    '手紙を書く',
    '--id',
    'letter',
    '--run',
    'test -s letter.txt',
    '--sh',
    empty,
  );
  contracts(root, 'confirm', 'count', 'paint', 'letter');
  return root;
}

function contracts(root, ...args) {
  const ran = spawnSync(process.execPath, [command, '-C', root, ...args], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`contracts ${args.join(' ')}: ${ran.stderr}`);
}

function tmux(...args) {
  const ran = spawnSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' });
  if (ran.error !== undefined) throw new Error('tmux is missing: apt-get install tmux');
  return ran;
}

/** Looks at the screen until it shows this, then gives it: plain and with its colours. */
function screen(shows, more = 0) {
  const until = Date.now() + SCREEN_MS;
  for (;;) {
    const plain = tmux('capture-pane', '-p', '-S', '-200').stdout;
    if (shows.test(plain)) {
      if (more > 0) spawnSync('sleep', [String(more)]);
      const of = (...args) => tidy(tmux('capture-pane', '-p', '-S', '-200', ...args).stdout);
      return { plain: of(), colour: of('-e') };
    }
    if (Date.now() > until) throw new Error(`the screen never showed ${shows}:\n${plain}`);
    spawnSync('sleep', ['0.05']);
  }
}

const tidy = (text) => `${text.replaceAll(rooms, '~').trimEnd()}\n`;

/** A shell with a short prompt, in this folder, this wide. */
function terminal(root, width, body) {
  const env = ['PS1=$ ', `PATH=${shims}:${process.env.PATH}`, 'EDITOR=true', 'LANG=C.UTF-8'];
  const shell = ['env', '-u', 'NO_COLOR', '-u', 'CI', ...env, 'sh'];
  const size = ['-x', String(width), '-y', '40'];
  // A server that is ending may take the new one with it.
  for (let tries = 1; ; tries++) {
    socket = join(rooms, `tmux-${servers++}`);
    const opened = tmux('-u', 'new-session', '-d', '-s', 'record', ...size, '-c', root, ...shell);
    if (opened.status === 0) break;
    if (tries === 5) throw new Error(`tmux: ${opened.stderr}`);
  }
  try {
    screen(/^\$\s*$/m);
    body((keys) => tmux('send-keys', ...keys));
  } finally {
    tmux('kill-server');
  }
}

function keep(name, width, { plain, colour }) {
  const wide = plain.split('\n').filter((line) => [...line].length > width);
  if (wide.length > 0) throw new Error(`${name} at ${width}: too wide: ${wide.join('\n')}`);
  writeFileSync(join(TARGET, `${name}-${width}.txt`), plain);
  writeFileSync(join(TARGET, `${name}-${width}.ansi`), colour);
}

rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
try {
  for (const width of WIDTHS) {
    const example = exampleRoom(`example-${width}`);
    for (const line of ['board', 'list --all', 'show login-endpoint-k3f9']) {
      terminal(example, width, (press) => {
        press([`contracts ${line}`, 'Enter']);
        keep(line.split(' ')[0], width, screen(/\n\$\s*$/));
      });
    }
    terminal(example, width, (press) => {
      press(['contracts review', 'Enter']);
      keep('review', width, screen(/answer|approve|draft/i, 1));
      press(['C-c']);
    });
    terminal(runRoom(`run-${width}`), width, (press) => {
      press(['contracts run --parallel 3', 'Enter']);
      keep('run-live', width, screen(/count.*\n.*|paint/i, 1));
      keep('run', width, screen(/ tasks? done\.[^$]*\n\$\s*$/));
    });
  }
} finally {
  rmSync(rooms, { recursive: true, force: true });
}
console.log(`recorded in ${TARGET}`);
