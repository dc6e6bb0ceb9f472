/**
 * Makes active_tasks.example/ by really running the built command on plausible tasks with scripted
 * agents, then puts a made-up machine in the place of this one and spreads the times over a morning.
 * Run it after a change of what the runner writes: npm run build && node scripts/make-example.mjs
 * It replaces the folder; read the difference before you commit it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPO = fileURLToPath(new URL('..', import.meta.url));
const { bin } = JSON.parse(readFileSync(join(REPO, 'package.json'), 'utf8'));
const COMMAND = join(REPO, bin.contracts);
const STORY = join(REPO, 'scripts', 'example');
const TARGET = join(REPO, 'active_tasks.example');
const BEGIN = Date.parse('2026-11-20T08:40:00Z');
/** How much longer everything took than it does with scripted agents. */
const SLOWER = 240;

const root = realpathSync(mkdtempSync(join(tmpdir(), 'contracts-example-')));
cpSync(STORY, root, { recursive: true });

function contracts(...argv) {
  const run = spawnSync(process.execPath, [COMMAND, ...argv], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: root, CONTRACTS_SANDBOX: 'none', CONTRACTS_TRUST: '1' },
  });
  process.stdout.write(`$ contracts ${argv.join(' ')}\n${run.stdout}${run.stderr}\n`);
  // 1: people are needed, which is what the example shows.
  if (run.status !== 0 && run.status !== 1) throw new Error(`exit ${run.status}`);
}

function file(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const only = (...ids) => ids.flatMap((id) => ['--only', id]);
const began = Date.now();

contracts('confirm', 'login-endpoint-k3f9');
contracts('run', ...only('login-endpoint-k3f9'));
contracts('answer', 'login-endpoint-k3f9', 'Fifteen minutes, then a new login.');
contracts('run', ...only('login-endpoint-k3f9'));
contracts('confirm', 'sms-reminders-h4va', 'upload-test-c5tz');
contracts('run', ...only('sms-reminders-h4va', 'upload-test-c5tz'));
contracts('confirm', 'press-text-p7qd', 'invoice-export-w2mx');
contracts('run', ...only('press-text-p7qd'));
contracts('needs-work', 'press-text-p7qd', 'Say in the first sentence what it is.');
contracts('run', ...only('press-text-p7qd', 'invoice-export-w2mx'));
contracts('confirm', 'privacy-notice-m2rc');
contracts('step', ...only('privacy-notice-m2rc'));
contracts('confirm', 'changelog-b6ne', 'password-reset-t3yk');
file(
  'active_tasks/ready/changelog-b6ne/notes/order.md',
  'Newest release first, please: the shop links to the top of the file.\n',
);
contracts('list', '--all');

/** A time of this run, as one of that morning. */
function spread(iso) {
  const at = BEGIN + (Date.parse(iso) - began) * SLOWER;
  return new Date(at - (at % 1000)).toISOString().replace('.000Z', 'Z');
}

const PIDS = new Map();
const MADE_UP = {
  boot: () => '6f1c2a9e-3b57-4d0e-9a41-c7d2f08be513',
  pid_ns: () => '"pid:[4026531836]"',
  host: () => 'studio',
  machine: () => 'b08dfa6083e7567a1921a715000001fb',
};

function cleaned(path, text) {
  const isRecord = /\/(owner|agent|check|exit|outcome|receipts)\.md$/.test(path);
  let next = text.replaceAll(root, '/home/ada/shop');
  if (path.endsWith('/contract.md')) return next;
  next = next.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (iso) =>
    iso.startsWith('2026-01-31') ? iso : spread(iso),
  );
  if (!isRecord) return next;
  // Written by sh in whole seconds, which is too coarse to be spread.
  const outcome = raw.get(join(dirname(dirname(path)), 'outcome.md')) ?? '';
  const at = /^at: "?([^"\n]+)"?$/m.exec(outcome)?.[1];
  if (path.endsWith('/exit.md') && at !== undefined) {
    return next.replace(/^ended: .*$/m, `ended: ${spread(at)}`);
  }
  next = next.replace(/^pid: (\d+)$/m, (_, pid) => {
    if (!PIDS.has(pid)) PIDS.set(pid, 20_311 + PIDS.size * 137);
    return `pid: ${PIDS.get(pid)}`;
  });
  // Ticks since boot: a later process has more of them, and the same one always the same.
  const pid = Number(/^pid: (\d+)$/m.exec(next)?.[1]);
  next = next.replace(/^start: .*$/m, `start: "${4_180_000 + (pid - 20_311) * 19}"`);
  for (const [key, value] of Object.entries(MADE_UP)) {
    next = next.replace(new RegExp(`^${key}: .*$`, 'm'), () => `${key}: ${value()}`);
  }
  next = next.replace(/^seconds: ([\d.]+)$/m, (_, s) => `seconds: ${Math.round(s * SLOWER)}`);
  const started = /^started: "?([^"\n]+)"?$/m.exec(next)?.[1];
  const timeout_ms = Number(/^timeout_ms: (\d+)$/m.exec(next)?.[1]);
  if (started === undefined || !(timeout_ms > 0)) return next;
  const deadline = new Date(Date.parse(started) + timeout_ms).toISOString().replace('.000Z', 'Z');
  return next.replace(/^(deadline: "?)[^"\n]+/m, (_, key) => `${key}${deadline}`);
}

const tasks = join(root, 'active_tasks');
const raw = new Map(
  readdirSync(tasks, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readFileSync(path, 'utf8')]),
);
for (const [path, text] of raw) writeFileSync(path, cleaned(path, text));
rmSync(join(tasks, '.desk'), { recursive: true, force: true });
rmSync(TARGET, { recursive: true, force: true });
cpSync(tasks, `${TARGET}.new`, { recursive: true });
cpSync(join(STORY, 'README.md'), join(`${TARGET}.new`, 'README.md'));
renameSync(`${TARGET}.new`, TARGET);
rmSync(root, { recursive: true, force: true });
