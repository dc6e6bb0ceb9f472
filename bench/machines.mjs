// The rows of workers on a queue: a Redis of its own, and workers beside the owner on this machine. What they take is
// compared with the local runner on the same tasks, and the owner's side with itself in a larger tree.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { contracts } from './command.mjs';
import { has, treeCpu, wall } from './measure.mjs';
import { row } from './table.mjs';
import { makeWorkspace } from './tree.mjs';

const TASKS = 40;
const WORKERS = 4;
const NAMED = 64;
const TRUSTED = { env: { CONTRACTS_TRUST: '1' } };
const PORT = 20_000 + (process.pid % 20_000);
const URL = `redis://127.0.0.1:${PORT}`;

/** Writes down each start, so that one too many is seen, and takes a fifth of a second. */
const AGENT = `echo "$CONTRACTS_TASK $CONTRACTS_ATTEMPT" >>"$1"; sleep 0.2
echo made >"$CONTRACTS_TASK.txt"
printf -- '---\\nstatus: COMPLETE\\n---\\n\\n## Success Criteria\\n\\n- [x] it is there\\n' >"$CONTRACTS_OUT/result.md"
`;

const contractOf = (id) =>
  `---\ntitle: Call\nwrite: [${id}.txt]\nverify: ["file_exists: ${id}.txt"]\n---\n\n## Success Criteria\n\n- [ ] it is there\n`;

let made = 0;

/** A repository with so many tasks that are ready, whose agent is called in this way. */
function owner(folder, tasks, adapter) {
  const root = join(folder, `machines-${made++}`);
  makeWorkspace(root);
  writeFileSync(join(root, '.gitignore'), 'active_tasks/\n.contracts/\n');
  const all = `isolation: worktree\nparallel: ${WORKERS}\nadapter: here\nadapters:\n  here: ${adapter}\n`;
  writeFileSync(join(root, '.contracts/config.yaml'), all);
  const git = ['-C', root, '-c', 'user.name=b', '-c', 'user.email=b@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'base'],
  ])
    spawnSync('git', [...git, ...args]);
  for (let n = 0; n < tasks; n++) {
    const task = join(root, 'active_tasks/ready', `call-${n}`);
    mkdirSync(task);
    writeFileSync(join(task, 'contract.md'), contractOf(`call-${n}`));
  }
  return root;
}

/** Runs `act` while a Redis and so many workers are there. */
function withWorkers(folder, count, slots, act) {
  const started = [];
  const room = join(folder, 'machines');
  mkdirSync(join(room, '.contracts'), { recursive: true });
  const starts = join(room, 'starts');
  writeFileSync(starts, '');
  writeFileSync(join(room, 'agent.sh'), AGENT);
  const agent = `{ type: command, run: [sh, ${JSON.stringify(join(room, 'agent.sh'))}, ${JSON.stringify(starts)}] }`;
  const config = `adapters:\n  quick: ${agent}\nagents:\n  builder: { adapter: quick }\n`;
  writeFileSync(join(room, '.contracts/config.yaml'), config);
  keys(join(room, 'owners.pem'));
  const redis = ['--port', PORT, '--bind', '127.0.0.1', '--dir', room, '--appendonly', 'yes'];
  try {
    started.push(spawn('redis-server', redis.map(String), { stdio: 'ignore' }));
    const log = (n) => join(room, `worker-${n}.log`);
    for (let n = 0; n < count; n++) {
      const flags = ['--queue', URL, '--key', 'owners.pem', '--agent', 'builder'];
      const argv = contracts(room, 'worker', ...flags, '--slots', String(slots));
      const words = [...argv.slice(1).map((one) => JSON.stringify(one)), `>${log(n)}`].join(' ');
      const env = { ...process.env, ...TRUSTED.env };
      const how = { cwd: room, env, stdio: 'ignore', detached: true };
      started.push(spawn('sh', ['-c', `exec ${JSON.stringify(argv[0])} ${words}`], how));
    }
    for (let n = 0; n < count; n++) {
      while (!existsSync(log(n)) || !readFileSync(log(n), 'utf8').includes('waits'))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
    return act({ agent, starts: () => readFileSync(starts, 'utf8').trim().split('\n') });
  } finally {
    for (const one of started.toReversed()) one.kill('SIGKILL');
  }
}

/** The owner's key is made at its first need, and a worker needs its public half before. */
function keys(file) {
  const folder = join(process.env['XDG_STATE_HOME'], 'contracts/keys');
  const own = join(folder, 'ed25519.pem');
  if (!existsSync(own)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(own, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  const pem = createPublicKey(readFileSync(own)).export({ type: 'spki', format: 'pem' });
  writeFileSync(file, pem);
}

const doneIn = (root) => readdirSync(join(root, 'active_tasks/done')).length;
const queue = (max) => `{ type: queue, url: '${URL}', agent: builder, max_in_flight: ${max} }`;

export function machines({ folder, tasks }) {
  const isHere = () => has('redis-server');
  row(
    `machines: run of ${TASKS} tasks by ${WORKERS} workers / by the local runner`,
    '≤ 4',
    '≤ 2',
    () => {
      if (!isHere()) return undefined;
      return withWorkers(folder, WORKERS, 1, ({ agent, starts }) => {
        const far = owner(folder, TASKS, queue(WORKERS));
        const far_ms = wall(contracts(far, 'run'), TRUSTED);
        const begun = starts();
        const near = owner(folder, TASKS, agent);
        const near_ms = wall(contracts(near, 'run'), TRUSTED);
        const double = begun.length - new Set(begun).size;
        const rate = (ms) => ((1000 * TASKS) / ms).toFixed(1);
        const shown = `${rate(far_ms)} / ${rate(near_ms)} tasks a second, ${doneIn(far)} done, ${double} run twice, ${begun.length - TASKS} second attempts`;
        return { ratio: far_ms / near_ms, shown };
      });
    },
  );
  // MACHINES_TASKS=100000 is the size that is promised.
  const many = Number(process.env['MACHINES_TASKS'] ?? tasks);
  const few = Math.min(1000, many / 10);
  const what = `machines: the owner's CPU of ${NAMED} tasks for ${NAMED} slots, ${many} waiting / ${few}`;
  row(what, '≤ 1.5', '≤ 1.2', () => {
    if (!isHere()) return undefined;
    return withWorkers(folder, 2, NAMED / 2, () => {
      const [a, b] = [many, few].map((waiting) => {
        const root = owner(folder, waiting, queue(NAMED));
        const ids = Array.from(
          { length: NAMED },
          (_, n) => `call-${n * Math.floor(waiting / NAMED)}`,
        );
        const cpu_ms = treeCpu(contracts(root, 'run', ...ids), TRUSTED);
        if (doneIn(root) !== NAMED) throw new Error(`${doneIn(root)} of ${NAMED} tasks are done`);
        return cpu_ms / NAMED;
      });
      return { ratio: a / b, shown: `${a.toFixed(0)} / ${b.toFixed(0)} ms a task` };
    });
  });
}
