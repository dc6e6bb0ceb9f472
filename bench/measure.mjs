// Runs programs and measures them as wholes: wall clock, CPU of the tree, peak memory, system calls. A
// ratio is the median of pairs that ran one right after the other, so that a busy machine slows both.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NOT_FOR_CHILDREN = 'NODE_EXTRA_CA_CERTS NODE_OPTIONS CONTRACTS_DIR CONTRACTS_TRUST';
const hook = fileURLToPath(new URL('usage.cjs', import.meta.url));

/** For a program of the bench: Node reads the file of the first at each start, which takes tens of milliseconds. */
export function settleEnvironment() {
  for (const name of NOT_FOR_CHILDREN.split(' ')) delete process.env[name];
  // The agents of a bare loop have no sandbox either.
  Object.assign(process.env, { NO_COLOR: '1', CONTRACTS_SANDBOX: 'none' });
}

/** Whether this program is here; said where it is not, since a row is left out then. */
export function has(program) {
  const { status } = spawnSync('sh', ['-c', `command -v ${program}`]);
  if (status !== 0) console.error(`  ${program} is not here: a row is left out`);
  return status === 0;
}

/** Wall milliseconds. Exit 0 and 1 (people are needed) are both fine. */
export function wall(argv, options = {}) {
  const from = process.hrtime.bigint();
  run(argv, options);
  return Number(process.hrtime.bigint() - from) / 1e6;
}

function run(argv, options = {}) {
  const [program, ...args] = argv;
  const ran = spawnSync(program, args, {
    stdio: ['ignore', options.keep === true ? 'pipe' : 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
  });
  if (ran.error !== undefined) throw ran.error;
  if (ran.status !== 0 && ran.status !== 1) {
    throw new Error(`${argv.join(' ')} ended with ${ran.status}: ${ran.stderr}`);
  }
  return ran.stdout ?? '';
}

/** What one process of Node used by itself: { peak_kib, cpu_ms }. */
export function usage(argv, options = {}) {
  const file = join(tmpdir(), `contracts-usage-${process.pid}`);
  const [program, ...args] = argv;
  run([program, '--require', hook, ...args], {
    ...options,
    env: { ...options.env, BENCH_USAGE: file },
  });
  const used = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return used;
}

/** CPU milliseconds of a program and all that it waited for, as the shell's `times` tells them. */
export function treeCpu(argv, options = {}) {
  const out = run(['sh', '-c', '"$@" >/dev/null; times', 'sh', ...argv], {
    ...options,
    keep: true,
  });
  const children = out.trim().split('\n').at(-1);
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, min, sec]) => sum + Number(min) * 60_000 + Number(sec) * 1000, 0);
}

/** System calls by `strace -c`: of the first thread alone, unless `how` has -f. */
export function systemCalls(argv, how, options = {}) {
  const log = join(tmpdir(), `contracts-strace-${process.pid}`);
  run(['strace', ...how, '-c', '-o', log, ...argv], options);
  // A line: % of time, seconds, microseconds a call, calls, errors if there were any, name.
  const lines = readFileSync(log, 'utf8').matchAll(/^ *[\d.]+ +[\d.]+ +\d+ +(\d+) .*?(\w+)$/gm);
  rmSync(log);
  return [...lines].reduce(
    (sum, [, calls, name]) => sum + (name === 'total' ? 0 : Number(calls)),
    0,
  );
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Pairs of `one(round)` and `other(round)`, after one pair that does not count. Where a single pair already
 * takes long, fewer are run; a pair over the budget counts itself, since it is warm soon enough.
 */
export function paired(rounds, one, other, budget_ms = 20_000) {
  const from = performance.now();
  let round = 0;
  const first = [one(round), other(round)];
  const slow = performance.now() - from > budget_ms;
  const pairs = slow ? [first] : [];
  while (pairs.length === 0 || (pairs.length < rounds && performance.now() - from < budget_ms)) {
    round += 1;
    pairs.push([one(round), other(round)]);
  }
  return {
    ratio: median(pairs.map(([a, b]) => a / b)),
    one: median(pairs.map(([a]) => a)),
    other: median(pairs.map(([, b]) => b)),
    pairs: pairs.length,
  };
}
