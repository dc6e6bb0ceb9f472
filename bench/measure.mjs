// Runs programs and times them as wholes: wall clock, CPU of the tree, peak memory. A ratio is the
// median of pairs that ran one right after the other, so that a busy machine slows both.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const hook = fileURLToPath(new URL('usage.cjs', import.meta.url));

/** Node reads that file at each start, where it is set: tens of milliseconds that are nobody's. */
function environment(more = {}) {
  const { NODE_EXTRA_CA_CERTS: _, CONTRACTS_DIR: __, NODE_OPTIONS: ___, ...env } = process.env;
  return { ...env, NO_COLOR: '1', ...more };
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
    env: environment(options.env),
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
  run([program, '--require', hook, ...args], { ...options, env: { BENCH_USAGE: file } });
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

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Pairs of `one()` and `other()`, after one pair that does not count. Where a single pair already
 * takes long, fewer are run; a pair over the budget counts itself, since it is warm soon enough.
 */
export function paired(rounds, one, other, budget_ms = 20_000) {
  const from = performance.now();
  const first = [one(), other()];
  const slow = performance.now() - from > budget_ms;
  const pairs = slow ? [first] : [];
  while (pairs.length === 0 || (pairs.length < rounds && performance.now() - from < budget_ms)) {
    pairs.push([one(), other()]);
  }
  return {
    ratio: median(pairs.map(([a, b]) => a / b)),
    one: median(pairs.map(([a]) => a)),
    other: median(pairs.map(([, b]) => b)),
    pairs: pairs.length,
  };
}
