/**
 * The code that V8 made of the files of the built command, as it is kept in the cache folder of a person:
 * the answer is the same with it, without it, and with one that does not fit; what others could have
 * written is never run. Runs a copy of the built command, which it may spoil, with a home of its own.
 */
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { sealed, unsealed } from '../../src/cli/startup/code-cache-seal.ts';
import { BINARY } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const hook = fileURLToPath(new URL('../support/loads.cjs', import.meta.url));
const SOMEBODY = 1001;
const asRoot = test.runIf(process.getuid?.() === 0);
let room = '';
let bin = '';
let folder = '';
beforeEach(() => {
  room = sealedFolder('code-cache');
  bin = join(room, 'dist/bin');
  folder = join(room, '.cache/contracts');
  fs.cpSync(dirname(BINARY), bin, { recursive: true });
});

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly cached: readonly string[];
}

function run(word: string, flags: readonly string[] = [], more: NodeJS.ProcessEnv = {}): Ran {
  const loads = join(room, 'loads.json');
  const env = { ...sealedEnv(), HOME: room, CONTRACTS_LOADS: loads, ...more };
  const argv = [...flags, '--require', hook, join(bin, 'contracts.cjs'), ...word.split(' ')];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
  const { cached } = JSON.parse(fs.readFileSync(loads, 'utf8')) as { cached: string[] };
  return { status, stdout, stderr, cached };
}

/** The code that is kept of help.cjs. */
function keptFile(): string {
  const [name = 'none', ...more] = fs
    .readdirSync(folder)
    .filter((one) => one.startsWith('help.cjs-'));
  expect(more).toEqual([]);
  return join(folder, name);
}

const modeOf = (path: string): number => fs.lstatSync(path).mode & 0o777;
const HELP = { status: 0, stderr: '', cached: ['help.cjs'] };

describe('the first start keeps it, the next ones take it', () => {
  test('for this user alone, by the sources, Node, platform and processor', () => {
    expect(run('help')).toMatchObject({ ...HELP, cached: [] });
    expect([modeOf(folder), modeOf(keptFile())]).toEqual([0o700, 0o600]);
    const { version, platform, arch } = process;
    expect(keptFile()).toMatch(
      new RegExp(`/help\\.cjs-${version}-${platform}-${arch}-[0-9a-f]{64}$`),
    );
    expect(run('help')).toMatchObject(HELP);
  });

  test('the first three add what they called, and no later one writes', () => {
    // An inode's number may be used again for the next file, its time is not.
    const kept = [1, 2, 3, 4, 5].map(() => {
      run('help');
      const { ino, ctimeNs } = fs.statSync(keptFile(), { bigint: true });
      return `${ino} ${ctimeNs}`;
    });
    expect(new Set(kept.slice(0, 3)).size).toBe(3);
    expect(new Set(kept.slice(2)).size).toBe(1);
  });

  test('in XDG_CACHE_HOME where that is absolute', () => {
    run('help', [], { XDG_CACHE_HOME: join(room, 'xdg') });
    expect([fs.existsSync(join(room, 'xdg/contracts')), fs.existsSync(folder)]).toEqual([
      true,
      false,
    ]);
    run('help', [], { XDG_CACHE_HOME: 'xdg' });
    expect(fs.existsSync(folder)).toBe(true);
  });

  test('ten at the same time: each answers, one file is kept, and no half of it is beside', async () => {
    const { stdout } = run('help', [], { HOME: undefined });
    const argv = [join(bin, 'contracts.cjs'), 'help'];
    const env = { ...sealedEnv(), HOME: room };
    const ended = Array.from({ length: 10 }, async () => {
      const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let text = '';
      for (const one of [child.stdout, child.stderr]) one.on('data', (more) => (text += more));
      return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
    });
    for (const one of await Promise.all(ended)) expect(one).toEqual({ code: 0, text: stdout });
    expect(fs.readdirSync(folder).filter((name) => !/-[0-9a-f]{64}$/.test(name))).toEqual([]);
    expect(run('help')).toMatchObject({ ...HELP, stdout });
  });

  test('of many old ones it removes 32 at a time, and never what it has just kept', () => {
    fs.mkdirSync(folder, { recursive: true });
    for (let i = 0; i < 110; i++) {
      fs.writeFileSync(join(folder, `old-${i}`), '');
      fs.utimesSync(join(folder, `old-${i}`), i, i);
    }
    run('help');
    const left = fs.readdirSync(folder).filter((name) => name.startsWith('old-'));
    expect(left.length).toBe(110 - 32);
    expect(left).not.toContain('old-0');
    run('help');
    expect(run('help')).toMatchObject(HELP);
    expect(fs.readdirSync(folder).length).toBe(64);
  });
});

describe('where it cannot be kept nothing is reported and nothing is made', () => {
  test.each<[string, () => NodeJS.ProcessEnv]>([
    ['no home', () => ({ HOME: undefined })],
    ['a home that is a file', () => ({ HOME: join(bin, 'help.txt') })],
    ['a home that nobody can make', () => ({ HOME: '/proc/none' })],
    ['a cache folder that is a file', () => ({ XDG_CACHE_HOME: join(bin, 'help.txt') })],
  ])('%s', (_, env) => {
    const before = fs.readdirSync(room);
    for (let i = 0; i < 2; i++)
      expect(run('help', [], env())).toMatchObject({ ...HELP, cached: [] });
    expect(fs.readdirSync(room)).toEqual([...before, 'loads.json']);
  });

  asRoot('a home of another user', () => {
    const home = join(room, 'home');
    fs.mkdirSync(home);
    fs.chownSync(home, SOMEBODY, SOMEBODY);
    expect(run('help', [], { HOME: home })).toMatchObject({ ...HELP, cached: [] });
    expect(fs.readdirSync(home)).toEqual([]);
  });
});

test.each<[string, (file: string) => void]>([
  ['is not there', (file) => fs.rmSync(file)],
  [
    'is of another Node',
    (file) => fs.renameSync(file, file.replace('/help.cjs-v', '/help.cjs-v1')),
  ],
  ['is a folder', (file) => (fs.rmSync(file), fs.mkdirSync(join(file, 'x'), { recursive: true }))],
  ['is empty', (file) => fs.truncateSync(file)],
  ['is shorter than its seal', (file) => fs.truncateSync(file, 3)],
  ['is cut off', (file) => fs.truncateSync(file, 10_000)],
  ['is of the same length and noise', (file) => overwrite(file, 0, Infinity)],
  ['has noise at its beginning', (file) => overwrite(file, 0, 256)],
  ['has noise in its middle', (file) => overwrite(file, 10_004, 256)],
  ['has noise at its end', (file) => overwrite(file, -256, 256)],
])('one that %s: compiled as ever, nothing is reported', (_, spoil) => {
  run('help');
  const good = run('help');
  expect(good).toMatchObject(HELP);
  spoil(keptFile());
  expect(run('help')).toEqual({ ...good, cached: [] });
});

function overwrite(file: string, from: number, length: number): void {
  const bytes = fs.readFileSync(file);
  const at = from < 0 ? bytes.length + from : from;
  const end = Math.min(bytes.length, at + length);
  let noise = 1;
  for (let i = at; i < end; i++) {
    noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0;
    bytes[i] = ((bytes[i] ?? 0) + 1 + ((noise >>> 16) % 255)) % 256;
  }
  fs.writeFileSync(file, bytes);
}

describe('code of another program, made to look like that of help.cjs', () => {
  /** V8 looks at the length of the source alone. */
  function craft(): string {
    run('help');
    const file = keptFile();
    const around = (code: string): string =>
      `(function(exports,require,module,__filename,__dirname){${code}\n})`;
    const { length } = around(fs.readFileSync(join(bin, 'help.cjs'), 'latin1'));
    const other = "exports.start=()=>process.stdout.write('another program');";
    const source = around(other.padEnd(length - around('').length, ' '));
    expect(source.length).toBe(length);
    const child = spawnSync(
      process.execPath,
      [
        '-e',
        `const { Script } = require('node:vm');
        const script = new Script(require('node:fs').readFileSync(0, 'latin1'));
        const made = {};
        script.runInThisContext()(made);
        const write = process.stdout.write.bind(process.stdout);
        process.stdout.write = () => true;
        made.start();
        write(script.createCachedData());`,
      ],
      { input: source, env: sealedEnv() },
    );
    fs.writeFileSync(file, sealed({ code: child.stdout, starts: 3 }));
    return file;
  }

  test('runs where this user wrote it: the folder is the protection, and the seal is none', () => {
    craft();
    expect(run('help').stdout).toBe('another program');
  });

  test.each<[string, (file: string) => void]>([
    ['the file can be written by everybody', (file) => fs.chmodSync(file, 0o602)],
    ['the file can be written by a group', (file) => fs.chmodSync(file, 0o620)],
    ['the folder can be written by everybody', () => fs.chmodSync(folder, 0o702)],
    ['the folder can be written by a group', () => fs.chmodSync(folder, 0o720)],
    ['the folder is a link', () => linkTo(folder)],
    ['the file is a link', (file) => linkTo(file)],
  ])('does not run where %s', (_, open) => {
    const { stdout } = run('help', [], { HOME: undefined });
    open(craft());
    const before = fs.lstatSync(folder);
    expect(run('help')).toEqual({ ...HELP, stdout, cached: [] });
    const { mode, ino } = fs.lstatSync(folder);
    expect({ mode, ino }).toEqual({ mode: before.mode, ino: before.ino });
  });

  asRoot.each<[string, () => string]>([
    ['file', keptFile],
    ['folder', () => folder],
  ])('does not run where the %s is of another user', (_, which) => {
    const { stdout } = run('help', [], { HOME: undefined });
    craft();
    fs.chownSync(which(), SOMEBODY, SOMEBODY);
    expect(run('help')).toEqual({ ...HELP, stdout, cached: [] });
  });
});

function linkTo(path: string): void {
  fs.renameSync(path, join(room, 'moved'));
  fs.symlinkSync(join(room, 'moved'), path);
}

test.each([
  ['--max-old-space-size=200'],
  ['--stack-size=800'],
  ['--no-opt'],
  ['--no-lazy'],
  ['--jitless'],
])('with %s the answer is the same', (...flags) => {
  const { stdout } = run('help states');
  for (let i = 0; i < 2; i++)
    expect(run('help states', flags)).toMatchObject({ status: 0, stdout });
  expect(run('help states')).toMatchObject({ status: 0, stdout });
});

test.each(['help', 'help states'])('%s writes nothing beside the command', (word) => {
  const before = fs.readdirSync(bin);
  run(word);
  expect(fs.readdirSync(bin)).toEqual(before);
});

test('where an error is thrown its trace names file, line and column', () => {
  fs.writeFileSync(join(bin, 'help.cjs'), '  null.found;');
  const { status, stderr } = run('help');
  expect(status).toBe(1);
  expect(stderr).toContain(`${join(bin, 'help.cjs')}:1:8`);
});

test('a seal knows any 256 bytes that are others', () => {
  const kept = {
    code: Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 31) % 251)),
    starts: 2,
  };
  expect(unsealed(sealed(kept))).toEqual(kept);
  for (let at = 0; at + 256 <= kept.code.length; at++) {
    const whole = sealed(kept);
    whole.fill(255, at, at + 256);
    expect(unsealed(whole), `at ${at}`).toBeUndefined();
  }
});
