/**
 * Ending programs: time-out, output cap, cancel, left-overs in the group and outside, orphans of a
 * runner that was killed.
 */
import { spawn as spawnProcess } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ProcessRef } from '../../src/process/machine.ts';
import { findMarked, killOrphan } from '../../src/process/process-room.ts';
import type { Spawn } from '../../src/process/process-room.ts';
import {
  fixture,
  folder,
  isAlive,
  logOf,
  machine,
  onLinux,
  pidIn,
  room,
  run,
  spawnIn,
  untilThere,
} from '../clients/rig.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

describe('left-overs', () => {
  test('a background job of a program that ended is ended and counted', async () => {
    const at = folder();
    const job = join(at, 'job');
    const exit = await run(spawnIn(at, [fixture('leaves-a-job.sh'), job]));
    expect(exit).toMatchObject({ code: 0, reason: 'exited', left_behind: 1 });
    expect(isAlive(pidIn(job))).toBe(false);
  });

  test.runIf(onLinux)('so is a child in a session of its own', async () => {
    const at = folder();
    const job = join(at, 'job');
    const spawn = spawnIn(at, [fixture('leaves-a-session.sh'), job]);
    expect(await run(spawn)).toMatchObject({ code: 0, reason: 'exited', left_behind: 1 });
    expect(isAlive(pidIn(job))).toBe(false);
    expect(findMarked(spawn.mark)).toEqual([]);
  });

  test('a job in the group is found although it cleared its environment', async () => {
    const at = folder();
    const exit = await run(spawnIn(at, ['sh', '-c', 'env -i sleep 300 & echo $! >job']));
    expect(exit).toMatchObject({ code: 0, left_behind: 1 });
    expect(isAlive(pidIn(join(at, 'job')))).toBe(false);
  });

  test('one that ignores SIGTERM is killed after the grace', async () => {
    const at = folder();
    const ready = join(at, 'ready');
    const script = '"$0" "$1" & while [ ! -e "$1" ]; do sleep 0.01; done';
    const argv = ['sh', '-c', script, fixture('ignores-term.sh'), ready];
    const exit = await run(spawnIn(at, argv, { grace_ms: 100 }));
    expect(exit).toMatchObject({ code: 0, reason: 'exited' });
    expect(exit.left_behind).toBeGreaterThanOrEqual(1);
    expect(logOf(spawnIn(at, ['true']))).toContain('still here');
  });

  test('when somebody kills the wrapper, its program does not live on', async () => {
    const at = folder();
    const ready = join(at, 'ready');
    const spawn = spawnIn(at, [fixture('waits.sh'), ready], { exit_file: join(at, 'exit.md') });
    const gated = room.start(spawn);
    gated.open();
    await untilThere(ready);
    process.kill(gated.process.pid, 'SIGKILL');
    const exit = await gated.done;
    expect(exit).toMatchObject({ code: null, signal: 'SIGKILL', reason: 'exited', left_behind: 1 });
    expect(existsSync(join(at, 'exit.md'))).toBe(false);
    expect(findMarked(spawn.mark)).toEqual([]);
  });
});

/** Runs the program until a time-out meets it after it was ready: a busy machine may take longer to start it. */
async function timedOut(argv: (at: string) => readonly string[], more: Partial<Spawn> = {}) {
  for (let timeout_ms = 300; ; timeout_ms *= 2) {
    const at = folder();
    const spawn = spawnIn(at, argv(at), { timeout_ms, exit_file: join(at, 'exit.md'), ...more });
    const exit = await run(spawn);
    expect(exit.reason).toBe('timed_out');
    expect(exit.duration_ms).toBeGreaterThanOrEqual(timeout_ms);
    if (existsSync(join(at, 'ready'))) return { exit, spawn };
  }
}

describe('time-out', () => {
  test('ends a program with SIGTERM, and the exit is recorded', async () => {
    const { exit, spawn } = await timedOut((at) => [fixture('waits.sh'), join(at, 'ready')]);
    expect(exit).toMatchObject({ code: 143, signal: null });
    expect(readFileSync(spawn.exit_file ?? '', 'utf8')).toContain('exit_code: 143\n');
  });

  test('ends one that ignores SIGTERM with SIGKILL after the grace', async () => {
    const argv = (at: string) => [fixture('ignores-term.sh'), join(at, 'ready')];
    const { exit, spawn } = await timedOut(argv, { grace_ms: 300 });
    expect(exit).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(logOf(spawn)).toContain('still here');
    expect(findMarked(spawn.mark)).toEqual([]);
  });

  test.runIf(onLinux)('reaches a program that left the group', async () => {
    const argv = (at: string) => ['setsid', '--wait', fixture('waits.sh'), join(at, 'ready')];
    const { spawn } = await timedOut(argv);
    expect(findMarked(spawn.mark)).toEqual([]);
  });

  test('of more than a timer holds is no time-out at once', async () => {
    const spawn = spawnIn(folder(), ['sleep', '0.3'], { timeout_ms: 2 ** 40 });
    expect(await run(spawn)).toMatchObject({ code: 0, reason: 'exited' });
  });
});

describe('output', () => {
  test('beyond the cap ends the program and the log is cut', async () => {
    const spawn = spawnIn(folder(), [fixture('floods.sh')], { output_max_bytes: 10_000 });
    const exit = await run(spawn);
    expect(exit.reason).toBe('output_limit');
    expect(exit.output_bytes).toBeGreaterThan(10_000);
    expect(statSync(spawn.log).size).toBe(10_000);
  });

  test('of an earlier start in the same log does not count and stays', async () => {
    const at = folder();
    await run(spawnIn(at, ['echo', 'x'.repeat(500)]));
    const spawn = spawnIn(at, ['echo', 'second'], { output_max_bytes: 100 });
    const lines: string[] = [];
    const exit = await run(spawn, { onLine: (line) => lines.push(line) });
    expect(exit).toMatchObject({ reason: 'exited', output_bytes: 7 });
    expect(lines).toEqual(['second']);
    expect(logOf(spawn)).toBe(`${'x'.repeat(500)}\nsecond\n`);
  });

  test('is told line by line while the program runs', async () => {
    const at = folder();
    const script = 'echo first; while [ ! -e go ]; do sleep 0.02; done; printf "second\\r\\nthird"';
    const lines: string[] = [];
    const gated = room.start(spawnIn(at, ['sh', '-c', script]), {
      onLine: (line) => lines.push(line),
    });
    gated.open();
    await until('the first line', () => lines.length === 1);
    await run(spawnIn(at, ['touch', 'go'], { log: join(at, 'other.log') }));
    await gated.done;
    expect(lines).toEqual(['first', 'second', 'third']);
  });

  test('a listener that throws is told in the exit and does no other harm', async () => {
    const exit = await run(spawnIn(folder(), ['echo', 'line']), {
      onLine: () => {
        throw new Error('the listener broke');
      },
    });
    expect(exit).toMatchObject({ code: 0, reason: 'exited' });
    expect(exit.error).toContain('the listener broke');
  });
});

describe('cancel', () => {
  test('before the start: no process at all', async () => {
    const at = folder();
    const gated = room.start(spawnIn(at, ['true']), { signal: AbortSignal.abort() });
    expect(gated.started).toBe(false);
    expect(await gated.done).toMatchObject({ code: null, reason: 'cancelled' });
    expect(readdirSync(at)).toEqual([]);
  });

  test('before the gate: nothing ran', async () => {
    const at = folder();
    const stop = new AbortController();
    const trace = join(at, 'trace');
    const gated = room.start(spawnIn(at, [fixture('ends-with.sh'), trace, '0']), {
      signal: stop.signal,
    });
    stop.abort();
    gated.open();
    expect(await gated.done).toMatchObject({ code: null, reason: 'cancelled' });
    expect(existsSync(trace)).toBe(false);
  });

  test.each(['signal', 'cancel'] as const)('during the run, by %s', async (by) => {
    const at = folder();
    const stop = new AbortController();
    const ready = join(at, 'ready');
    const gated = room.start(spawnIn(at, [fixture('waits.sh'), ready]), { signal: stop.signal });
    gated.open();
    await untilThere(ready);
    if (by === 'signal') stop.abort();
    else gated.cancel('cancelled');
    expect(await gated.done).toMatchObject({ code: 143, reason: 'cancelled' });
  });

  test('of a stopped program works', async () => {
    const at = folder();
    const spawn = spawnIn(at, ['sh', '-c', 'echo ready; kill -STOP $$']);
    const gated = room.start(spawn);
    gated.open();
    await until('it runs', () => logOf(spawn) === 'ready\n');
    gated.cancel('cancelled');
    expect(await gated.done).toMatchObject({ code: 143, reason: 'cancelled' });
  });

  test('after the end changes nothing', async () => {
    const stop = new AbortController();
    const gated = room.start(spawnIn(folder(), ['true']), { signal: stop.signal });
    gated.open();
    const exit = await gated.done;
    stop.abort();
    gated.cancel('cancelled');
    gated.abandon();
    expect(exit).toMatchObject({ code: 0, reason: 'exited' });
    expect(await gated.done).toBe(exit);
  });
});

test.runIf(onLinux)('a hundred starts leave no descriptor behind', async () => {
  const at = folder();
  const count = (): number => readdirSync('/proc/self/fd').length;
  await run(spawnIn(at, ['true'], { stdin: { text: 'x' } }));
  const before = count();
  for (let round = 0; round < 10; round += 1) {
    const one = (): Promise<unknown> => run(spawnIn(at, ['true'], { stdin: { text: 'x' } }));
    await Promise.all(Array.from({ length: 10 }, one));
    const abandoned = room.start(spawnIn(at, ['true']));
    abandoned.abandon();
    const killed = room.start(spawnIn(at, ['true']));
    process.kill(killed.process.pid, 'SIGKILL');
    await Promise.all([abandoned.done, killed.done]);
    await run(spawnIn(at, ['true'], { cwd: join(at, 'gone') }));
  }
  expect(await until('all are closed', () => count() <= before + 2)).toBe(true);
});

describe('a runner that is killed', () => {
  let bundle: string;
  beforeAll(async () => {
    bundle = sealedFolder('bundle');
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: fixture('starts-and-waits.ts'),
        outDir: bundle,
        rollupOptions: { output: { entryFileNames: 'runner.mjs' } },
      },
    });
  });

  async function runner(
    spawn: Spawn,
    gate: 'open' | 'wait',
  ): Promise<{ child: ChildProcess; wrapper: ProcessRef }> {
    // JSON has no Infinity.
    const finite = { ...spawn, timeout_ms: 600_000 };
    const child = spawnProcess(
      process.execPath,
      [join(bundle, 'runner.mjs'), JSON.stringify(finite), gate],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the wrapper stands', () => said.endsWith('\n'));
    return { child, wrapper: JSON.parse(said.replace('gated ', '')) as ProcessRef };
  }

  test('before it opened the gate ran nothing', async () => {
    const at = folder();
    const spawn = spawnIn(at, [fixture('ends-with.sh'), join(at, 'trace'), '0'], {
      exit_file: join(at, 'exit.md'),
    });
    const { child, wrapper } = await runner(spawn, 'wait');
    expect(machine.judge(wrapper)).toBe('alive');
    child.kill('SIGKILL');
    await until('the wrapper is gone', () => machine.judge(wrapper) === 'dead');
    expect(readdirSync(at)).toEqual(['output.log']);
  });

  test('afterwards leaves an orphan that ends and is recorded by itself', async () => {
    const at = folder();
    const exit_file = join(at, 'exit.md');
    const script = ': >ready; while [ ! -e go ]; do sleep 0.02; done; exit 5';
    const { child } = await runner(spawnIn(at, ['sh', '-c', script], { exit_file }), 'open');
    await untilThere(join(at, 'ready'));
    child.kill('SIGKILL');
    await run(spawnIn(at, ['touch', 'go'], { log: join(at, 'other.log') }));
    await untilThere(exit_file);
    expect(readFileSync(exit_file, 'utf8')).toContain('exit_code: 5\n');
  });

  test('leaves an orphan that a later step ends with all its kin', async () => {
    const at = folder();
    const exit_file = join(at, 'exit.md');
    const script = '"$0" "$1" & "$0" "$2"';
    const argv = ['sh', '-c', script, fixture('waits.sh'), join(at, 'one'), join(at, 'two')];
    const spawn = spawnIn(at, argv, { exit_file });
    const { child, wrapper } = await runner(spawn, 'open');
    await untilThere(join(at, 'one'));
    await untilThere(join(at, 'two'));
    child.kill('SIGKILL');
    await until('the runner is gone', () => child.signalCode !== null);
    expect(await killOrphan(wrapper, spawn.mark, machine, 5_000)).toBeGreaterThanOrEqual(3);
    expect(machine.judge(wrapper)).toBe('dead');
    expect(findMarked(spawn.mark)).toEqual([]);
    expect(existsSync(exit_file)).toBe(true);
    expect(await killOrphan(wrapper, spawn.mark, machine, 5_000)).toBe(0);
  });

  test.runIf(onLinux)('whose wrapper died too: the mark still finds the kin', async () => {
    const at = folder();
    const spawn = spawnIn(at, [fixture('waits.sh'), join(at, 'ready')]);
    const { child, wrapper } = await runner(spawn, 'open');
    await untilThere(join(at, 'ready'));
    child.kill('SIGKILL');
    await until('the runner is gone', () => child.signalCode !== null);
    process.kill(wrapper.pid, 'SIGKILL');
    await until('the wrapper is gone', () => machine.judge(wrapper) === 'dead');
    expect(findMarked(spawn.mark)).toHaveLength(1);
    expect(await killOrphan(wrapper, spawn.mark, machine, 5_000)).toBe(1);
  });
});

describe('an orphan that is not ours to judge', () => {
  test.each([
    ['another host', { host: 'elsewhere' }],
    ['another boot', { boot: 'earlier' }],
    ['another pid namespace', { pid_ns: 'pid:[1]' }],
  ])('on %s is left alone', async (_where, change) => {
    const at = folder();
    const ready = join(at, 'ready');
    const spawn = spawnIn(at, [fixture('waits.sh'), ready]);
    const gated = room.start(spawn);
    gated.open();
    await untilThere(ready);
    expect(await killOrphan({ ...gated.process, ...change }, spawn.mark, machine, 0)).toBe(0);
    expect(isAlive(gated.process.pid)).toBe(true);
    gated.cancel('cancelled');
    await gated.done;
  });

  test.runIf(onLinux)('a forged record does not end a group that lacks the mark', async () => {
    const at = folder();
    const ready = join(at, 'ready');
    const innocent = room.start(spawnIn(at, [fixture('waits.sh'), ready]));
    innocent.open();
    await untilThere(ready);
    expect(await killOrphan(innocent.process, machine.nonce(), machine, 0)).toBe(0);
    expect(isAlive(innocent.process.pid)).toBe(true);
    innocent.cancel('cancelled');
    await innocent.done;
  });

  test('a pid that was given to another program keeps that program', async () => {
    const at = folder();
    const ready = join(at, 'ready');
    const gated = room.start(spawnIn(at, [fixture('waits.sh'), ready]));
    gated.open();
    await untilThere(ready);
    const stale = { ...gated.process, start: '1' };
    expect(await killOrphan(stale, machine.nonce(), machine, 0)).toBe(0);
    expect(isAlive(gated.process.pid)).toBe(true);
    gated.cancel('cancelled');
    await gated.done;
  });

  test('pid 0 or 1 is never signalled', async () => {
    const nobody = { ...machine.self(), pid: 0, start: '' };
    expect(await killOrphan(nobody, machine.nonce(), machine, 0)).toBe(0);
    expect(machine.judge(nobody)).toBe('dead');
    expect(findMarked('')).toEqual([]);
  });
});
