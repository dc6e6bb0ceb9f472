/**
 * The process room with real processes: how a program is started, what it sees, how its end is told.
 * Stopping and left-overs have their own file.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { secretsOf } from '../../src/task/core/base/secrets.ts';
import { agentEnvironment, secretValues } from '../../src/process/adapter.ts';
import { GATE_SHELL, GATE_SHUT, gateArguments } from '../../src/process/gate.ts';
import { call } from '../clients/calls.ts';
import { fixture, folder, isAlive, logOf, onLinux, room, run, spawnIn } from '../clients/rig.ts';
import { until } from '../support/until.ts';

describe('the gate', () => {
  test('abandoned, it never starts the program', async () => {
    const at = folder();
    const trace = join(at, 'trace');
    const exit_file = join(at, 'exit.md');
    const gated = room.start(spawnIn(at, [fixture('ends-with.sh'), trace, '0'], { exit_file }));
    expect(gated.started).toBe(true);
    expect(isAlive(gated.process.pid)).toBe(true);
    gated.abandon();
    expect(await gated.done).toMatchObject({ code: null, reason: 'cancelled', duration_ms: 0 });
    gated.open();
    expect(readdirSync(at)).toEqual(['output.log']);
  });

  test('opened twice, it starts the program once', async () => {
    const at = folder();
    const gated = room.start(spawnIn(at, ['sh', '-c', 'echo once']));
    gated.open();
    gated.open();
    expect(await gated.done).toMatchObject({ code: 0, signal: null, reason: 'exited' });
    expect(readFileSync(join(at, 'output.log'), 'utf8')).toBe('once\n');
  });

  test('a wrapper killed behind the gate ran nothing and is told', async () => {
    const at = folder();
    const trace = join(at, 'trace');
    const gated = room.start(spawnIn(at, [fixture('ends-with.sh'), trace, '0']));
    process.kill(gated.process.pid, 'SIGKILL');
    expect(await gated.done).toMatchObject({ code: null, signal: 'SIGKILL', reason: 'exited' });
    gated.open();
    expect(existsSync(trace)).toBe(false);
  });

  test('a wrapper told to end behind the gate ran nothing', async () => {
    const at = folder();
    const trace = join(at, 'trace');
    const gated = room.start(spawnIn(at, [fixture('ends-with.sh'), trace, '0']));
    process.kill(gated.process.pid, 'SIGTERM');
    expect((await gated.done).code).toBeNull();
    expect(existsSync(trace)).toBe(false);
  });
});

describe('the gate alone', () => {
  /** The wrapper as another runner would start it, with any text on descriptor 3. */
  const wrapper = (at: string, gate: string): number | null => {
    const [word, trace] = [join(at, 'word'), join(at, 'trace')];
    writeFileSync(word, gate);
    const fd = openSync(word, 'r');
    const args = gateArguments([fixture('ends-with.sh'), trace, '3'], undefined);
    const { status } = spawnSync(GATE_SHELL, args, { stdio: ['ignore', 'ignore', 'ignore', fd] });
    closeSync(fd);
    return status;
  };

  test.each(['', 'go', 'no\n', 'gone\n', ' go\n', 'go \n', '\ngo\n'])(
    'stays shut on %j',
    (text) => {
      const at = folder();
      expect(wrapper(at, text)).toBe(GATE_SHUT);
      expect(existsSync(join(at, 'trace'))).toBe(false);
    },
  );

  test('opens on the word and a line end', () => {
    const at = folder();
    expect(wrapper(at, 'go\n')).toBe(3);
    expect(existsSync(join(at, 'trace'))).toBe(true);
  });
});

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
test.runIf(canTrace)('a record is on the disk before its name is, and then the name is', () => {
  const at = folder();
  const [word, calls, record] = [join(at, 'word'), join(at, 'calls'), join(at, 'exit.md')];
  writeFileSync(word, 'go\n');
  const fd = openSync(word, 'r');
  const traced = ['-f', '-y', '-e', 'trace=fsync,rename,renameat,renameat2', '-o', calls];
  const args = [...traced, GATE_SHELL, ...gateArguments(['true'], record)];
  expect(spawnSync('strace', args, { stdio: ['ignore', 'ignore', 'ignore', fd] }).status).toBe(0);
  closeSync(fd);
  const order = readFileSync(calls, 'utf8')
    .split('\n')
    .flatMap((line) => /(fsync|rename)\w*\((.*)\) = 0$/.exec(line.replaceAll(/ += /g, ' = ')) ?? [])
    .filter((part) => part === 'fsync' || part === 'rename');
  expect(order).toEqual(['fsync', 'rename', 'fsync']);
  expect(readFileSync(calls, 'utf8')).toContain(`<${at}>)`);
});

describe('the exit', () => {
  test.each([0, 1, 42, 125, 144])('with code %i is told and recorded', async (code) => {
    const at = folder();
    const exit_file = join(at, 'exit.md');
    const argv = [fixture('ends-with.sh'), join(at, 'trace'), String(code)];
    const exit = await run(spawnIn(at, argv, { exit_file }));
    expect(exit).toMatchObject({ code, signal: null, reason: 'exited', left_behind: 0 });
    expect(exit.error).toBeUndefined();
    expect(readFileSync(exit_file, 'utf8')).toMatch(
      new RegExp(
        `^---\\nexit_code: ${code}\\nended: \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\\n---\\n$`,
      ),
    );
    expect(readdirSync(at).toSorted()).toEqual(['exit.md', 'output.log', 'trace']);
  });

  test('of a program ended by a signal is 128 and the signal', async () => {
    expect(await run(spawnIn(folder(), ['sh', '-c', 'kill -9 $$']))).toMatchObject({ code: 137 });
  });

  test('of a missing program is 127, of one that is no program 126', async () => {
    const at = folder();
    expect(await run(spawnIn(at, ['no-such-program-here']))).toMatchObject({ code: 127 });
    expect(await run(spawnIn(at, [at]))).toMatchObject({ code: 126 });
  });

  test('is recorded although the wrapper got SIGTERM, SIGINT and SIGHUP', async () => {
    const at = folder();
    const exit_file = join(at, 'exit.md');
    const waits = 'echo ready; while [ ! -e stop ]; do sleep 0.02; done; exit 7';
    const spawn = spawnIn(at, ['sh', '-c', waits], { exit_file });
    const gated = room.start(spawn);
    gated.open();
    await until('the program runs', () => logOf(spawn) === 'ready\n');
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.kill(gated.process.pid, name);
    }
    writeFileSync(join(at, 'stop'), '');
    expect(await gated.done).toMatchObject({ code: 7, signal: null });
    expect(readFileSync(exit_file, 'utf8')).toContain('exit_code: 7\n');
  });

  test('is not recorded by making folders, nor inside a folder of that name', async () => {
    const at = folder();
    const gone = join(at, 'gone', 'exit.md');
    expect(await run(spawnIn(at, ['true'], { exit_file: gone }))).toMatchObject({ code: 0 });
    expect(existsSync(join(at, 'gone'))).toBe(false);
    mkdirSync(join(at, 'exit.md'));
    await run(spawnIn(at, ['true'], { exit_file: join(at, 'exit.md') }));
    expect(readdirSync(join(at, 'exit.md'))).toEqual([]);
  });

  test('record replaces a symlink instead of following it', async () => {
    const at = folder();
    writeFileSync(join(at, 'precious'), 'precious');
    symlinkSync('precious', join(at, 'exit.md'));
    await run(spawnIn(at, ['true'], { exit_file: join(at, 'exit.md') }));
    expect(readFileSync(join(at, 'precious'), 'utf8')).toBe('precious');
    expect(readFileSync(join(at, 'exit.md'), 'utf8')).toContain('exit_code: 0');
  });

  test('is recorded whatever PATH the program was given', async () => {
    const at = folder();
    const exit_file = join(at, 'exit.md');
    await run(spawnIn(at, ['/bin/sh', '-c', 'exit 3'], { exit_file, env: { PATH: '/nowhere' } }));
    expect(readFileSync(exit_file, 'utf8')).toContain('exit_code: 3');
  });
});

describe('what the program sees', () => {
  test('arguments arrive as they are: no shell, no builtin, no option of ours', async () => {
    const at = folder();
    const odd = [
      '$(touch pwned)',
      '`touch pwned`',
      '; touch pwned',
      '"',
      "'",
      'a\nb',
      '',
      '-x',
      '*',
      '\\',
      'ü',
      '%s',
    ];
    const spawn = spawnIn(at, [process.execPath, fixture('prints-arguments.mjs'), '--', ...odd]);
    await run(spawn);
    expect(JSON.parse(logOf(spawn))).toEqual(['--', ...odd]);
    expect(readdirSync(at)).toEqual(['output.log']);
  });

  test.each([
    ['eval', 'touch pwned'],
    ['.', './pwned'],
    ['exit', '0'],
    ['$(touch pwned)'],
    ['A=1'],
  ])('a program named %s is no shell code', async (...argv) => {
    const at = folder();
    const exit = await run(spawnIn(at, argv));
    expect([126, 127]).toContain(exit.code);
    expect(readdirSync(at)).toEqual(['output.log']);
  });

  test('its stdin is at its end at once', async () => {
    const spawn = spawnIn(folder(), [fixture('reads-stdin.sh')]);
    expect(await run(spawn)).toMatchObject({ code: 0 });
    expect(logOf(spawn)).toBe('<end of input>\n');
  });

  test('a text on stdin arrives whole, more than a pipe would hold', async () => {
    const text = `${'brief ü\n'.repeat(50_000)}last`;
    const spawn = spawnIn(folder(), [fixture('reads-stdin.sh')], { stdin: { text } });
    expect(await run(spawn)).toMatchObject({ code: 0 });
    expect(logOf(spawn)).toBe(`${text}<end of input>\n`);
  });

  test('its environment is the allowlist and what was named; the named value leaves the log', async () => {
    const at = folder();
    const ambient = {
      PATH: process.env['PATH'],
      LC_ALL: 'C',
      AWS_SECRET_ACCESS_KEY: 'never-to-be-seen',
      MY_KEY: 'named-and-secret',
      CONTRACTS_MARK: 'of an outer call',
    };
    const env = agentEnvironment(call({ env_names: ['MY_KEY'] }), ambient, 'inner');
    const secrets = secretsOf(secretValues(['MY_KEY'], ambient));
    const spawn = spawnIn(at, ['sh', '-c', 'env >seen; cat seen'], { env, secrets, mark: 'inner' });
    const lines: string[] = [];
    await run(spawn, { onLine: (line) => lines.push(line) });
    const seen = readFileSync(join(at, 'seen'), 'utf8');
    expect(seen).toContain('MY_KEY=named-and-secret\n');
    expect(seen).toContain('CONTRACTS_MARK=inner\n');
    expect(seen).not.toContain('never-to-be-seen');
    expect(seen).not.toContain('outer');
    expect(logOf(spawn)).toContain('MY_KEY=***\n');
    expect(logOf(spawn)).not.toContain('named-and-secret');
    expect(lines).toContain('MY_KEY=***');
  });

  test.runIf(onLinux)('no descriptor of the runner or of the gate', async () => {
    const spawn = spawnIn(folder(), [fixture('lists-descriptors.sh')]);
    await run(spawn);
    // 10 and above are the shell's own.
    expect(logOf(spawn)).toBe('open 0\nopen 1\nopen 2\n');
  });

  test('no ignored signal: SIGTERM ends it as it would anywhere', async () => {
    expect(await run(spawnIn(folder(), ['sh', '-c', 'kill -TERM $$']))).toMatchObject({
      code: 143,
    });
  });
});

describe('a start that fails', () => {
  test('for a missing working folder says which', async () => {
    const at = folder();
    const gated = room.start(spawnIn(at, ['true'], { cwd: join(at, 'gone') }));
    expect(gated.started).toBe(false);
    expect(gated.process.pid).toBe(0);
    gated.open();
    gated.cancel('cancelled');
    const exit = await gated.done;
    expect(exit).toMatchObject({ reason: 'failed_to_start', code: null });
    expect(exit.error).toContain(join(at, 'gone'));
  });

  test.each([
    ['a symlink', (at: string) => symlinkSync(join(at, 'precious'), join(at, 'output.log'))],
    ['a hard link', (at: string) => linkSync(join(at, 'precious'), join(at, 'output.log'))],
    ['a folder', (at: string) => mkdirSync(join(at, 'output.log'))],
  ])('for a log that is %s writes nothing', async (_what, place) => {
    const at = folder();
    writeFileSync(join(at, 'precious'), 'precious');
    place(at);
    const exit = await run(spawnIn(at, ['echo', 'overwritten']));
    expect(exit).toMatchObject({ reason: 'failed_to_start' });
    expect(exit.error).toContain('log');
    expect(readFileSync(join(at, 'precious'), 'utf8')).toBe('precious');
  });

  test('for a log that is a FIFO does not hang', async () => {
    const at = folder();
    await run(spawnIn(at, ['mkfifo', 'fifo']));
    const exit = await run(spawnIn(at, ['true'], { log: join(at, 'fifo') }));
    expect(exit).toMatchObject({ reason: 'failed_to_start' });
  });

  test.each([
    ['arguments larger than the system takes', ['true', 'x'.repeat(8 * 1024 * 1024)]],
    ['a NUL in an argument', ['true', 'a\0b']],
    ['a program that looks like an option', ['-c', 'true']],
  ])('for %s is told', async (_what, argv) => {
    const exit = await run(spawnIn(folder(), argv));
    expect(exit).toMatchObject({ reason: 'failed_to_start', code: null });
    expect(exit.error).not.toBe('');
  });
});
