/** The only file that starts programs. A program gets the listed descriptors, and no others. */
import type NodeChildProcess from 'node:child_process';
import type {
  ChildProcess,
  ExecFileSyncOptions,
  SpawnOptions,
  SpawnSyncOptionsWithStringEncoding,
  SpawnSyncReturns,
} from 'node:child_process';
import { Fault } from '../task/core/model/problem.ts';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { namesIn, orNothing, textOf } from './path-kind.ts';

/** From descriptor 0 on; a number is a descriptor of ours. */
export type Stdio = readonly ('ignore' | 'inherit' | 'pipe' | number)[];

interface WithStdio {
  readonly stdio: Stdio;
}

/** O_CLOEXEC as Linux writes it in /proc/self/fdinfo. */
const CLOSED_AT_EXEC = 0o2000000;

export function spawn(
  program: string,
  args: readonly string[],
  options: Omit<SpawnOptions, 'stdio'> & WithStdio,
): ChildProcess {
  return sealed(options.stdio, (stdio) =>
    node().spawn(program, args, { ...options, env: without(options.env), stdio }),
  );
}

export function spawnSync(
  program: string,
  args: readonly string[],
  options: Omit<SpawnSyncOptionsWithStringEncoding, 'stdio'> & WithStdio,
): SpawnSyncReturns<string> {
  return sealed(options.stdio, (stdio) =>
    node().spawnSync(program, args, { ...options, env: without(options.env), stdio }),
  );
}

export function execFileSync(
  program: string,
  args: readonly string[],
  options: Omit<ExecFileSyncOptions, 'stdio' | 'encoding'> & WithStdio,
): Buffer {
  const own = { ...options, env: without(options.env), encoding: 'buffer' } as const;
  return sealed(options.stdio, (stdio) => node().execFileSync(program, args, { ...own, stdio }));
}

/** Looked up at run time: most commands start nothing, and loading it costs. */
function node(): typeof NodeChildProcess {
  return process.getBuiltinModule('node:child_process');
}

/** Trust for one call is not inherited by programs. */
function without(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, CONTRACTS_TRUST: undefined };
}

/**
 * Node closes inherited descriptors only up to the first gap above 15, so /dev/null covers the
 * others. Free numbers stay free: Node reports a failed start through one of those.
 */
function sealed<T>(given: Stdio, start: (stdio: Stdio[number][]) => T): T {
  inheritedOnes ??= inheritedDescriptors();
  const inherited = inheritedOnes.filter((fd) => fd >= given.length);
  if (inherited.length === 0) return start([...given]);
  mustFit(Math.max(...inherited), inherited.length);
  const nothing = openSync('/dev/null', 'r+');
  try {
    const stdio = Array.from<unknown, Stdio[number]>(
      { length: Math.max(...inherited) + 1 },
      (_, fd) => given[fd] ?? 'ignore',
    );
    for (const fd of inherited) stdio[fd] = nothing;
    return start(stdio);
  } finally {
    closeSync(nothing);
  }
}

/** To cover them, a program needs as many numbers above the highest, below the limit. */
function mustFit(fd: number, count: number): void {
  const limits = textOf('/proc/self/limits');
  const [, limit = 'unlimited'] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  const needed = fd + count + 1;
  if (!(needed > Number(limit))) return;
  const why = `descriptor ${fd} of the calling program is too high for a limit of ${limit} open files`;
  throw new Fault('program', why, {
    fix: `Close it: ${fd}<&-, or allow more: ulimit -n ${needed}`,
  });
}

/** None comes later: Node opens its own with O_CLOEXEC. */
let inheritedOnes: readonly number[] | undefined;

function inheritedDescriptors(): number[] {
  const isLinux = process.platform === 'linux';
  // A descriptor that was closed since then cannot be inspected, and is inherited by nobody.
  return namesIn(isLinux ? '/proc/self/fd' : '/dev/fd')
    .map(Number)
    .filter((fd) => fd > 2 && orNothing(() => (isLinux ? staysAtExec(fd) : isOpen(fd))) === true);
}

function staysAtExec(fd: number): boolean {
  const info = readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1');
  const [, flags = ''] = /^flags:\s*(\d+)$/m.exec(info) ?? [];
  return (Number.parseInt(flags, 8) & CLOSED_AT_EXEC) === 0;
}

/** Without flags all that are open count; the one that listed them is closed by now. */
function isOpen(fd: number): boolean {
  return fstatSync(fd).mode !== 0;
}
