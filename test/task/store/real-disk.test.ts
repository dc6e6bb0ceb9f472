/** The real disk on the real file system: what it reads, what it refuses, that it never hangs. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { errorCode, isGone, ReadRefused } from '../../../src/task/store/disk/disk.ts';
import { realDisk } from '../../../src/task/store/disk/real-disk.ts';
import { until } from '../../support/until.ts';
import { bytes, makeFolder } from './folder.ts';

function refusal(path: string, bytes_max = 1000): string {
  try {
    realDisk.read(path, bytes_max);
  } catch (error) {
    if (error instanceof ReadRefused) return error.reason;
    return errorCode(error) ?? String(error);
  }
  return 'was read';
}

describe('read', () => {
  test('gives the bytes, up to the limit and not one more', () => {
    const file = join(makeFolder(), 'contract.md');
    fs.writeFileSync(file, '\0\xff12345678');
    const size = fs.readFileSync(file).length;
    expect(Buffer.from(realDisk.read(file, size))).toEqual(fs.readFileSync(file));
    expect(refusal(file, size - 1)).toBe('too_large');
  });

  test('refuses a file of a gigabyte without reading it', () => {
    const file = join(makeFolder(), 'contract.md');
    fs.writeFileSync(file, '');
    fs.truncateSync(file, 2 ** 30);
    expect(refusal(file, 256 * 1024)).toBe('too_large');
  });

  test('refuses a FIFO at once, although nobody writes to it', () => {
    const file = join(makeFolder(), 'contract.md');
    execFileSync('mkfifo', [file]);
    expect(refusal(file)).toBe('not_a_file');
  });

  test('refuses a socket', async () => {
    const file = join(makeFolder(), 's');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(file, resolve));
    onTestFinished(() => void server.close());
    expect(refusal(file)).toBe('not_a_file');
  });

  test('refuses a folder and a device', () => {
    expect(refusal(makeFolder())).toBe('not_a_file');
    expect(refusal('/dev/zero')).toBe('not_a_file');
    expect(refusal('/dev/null')).toBe('not_a_file');
  });

  test('refuses a link, also to a good file, and one that leads nowhere', () => {
    const folder = makeFolder();
    fs.writeFileSync(join(folder, 'good'), 'x');
    fs.symlinkSync('good', join(folder, 'link'));
    fs.symlinkSync('nowhere', join(folder, 'dangling'));
    fs.symlinkSync('loop', join(folder, 'loop'));
    for (const name of ['link', 'dangling', 'loop']) {
      expect(refusal(join(folder, name)), name).toBe('not_a_file');
    }
    fs.symlinkSync('/dev/zero', join(folder, 'zero'));
    expect(refusal(join(folder, 'zero'))).toBe('not_a_file');
  });

  test('does not leak the environment through /proc', () => {
    const read = realDisk.read('/proc/self/environ', 1000);
    expect(read.length).toBe(0);
  });

  test('says ENOENT and ENOTDIR as they are, which means gone', () => {
    const folder = makeFolder();
    fs.writeFileSync(join(folder, 'f'), '');
    expect(refusal(join(folder, 'absent'))).toBe('ENOENT');
    expect(refusal(join(folder, 'f', 'x'))).toBe('ENOTDIR');
    expect(isGone(Object.assign(new Error(), { code: 'ENOTDIR' }))).toBe(true);
  });

  test('of a file that another process writes and empties all the time gives no invented bytes', async () => {
    const file = join(makeFolder(), 'f');
    const writer = spawn(
      'sh',
      ['-c', 'while :; do head -c 60000 /dev/zero | tr "\\0" x > "$1"; done', 'sh', file],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    // All that it started has its stderr: once that is closed nobody writes there any more.
    const ended = once(writer, 'close');
    onTestFinished(async () => {
      writer.kill('SIGKILL');
      await ended;
    });
    await until(() => fs.existsSync(file));
    const outcomes = new Set<string>();
    for (let i = 0; i < 3000; i++) {
      try {
        const read = Buffer.from(realDisk.read(file, 50_000));
        outcomes.add('read');
        expect(read.equals(Buffer.alloc(read.length, 'x'))).toBe(true);
      } catch (error) {
        if (!(error instanceof ReadRefused)) throw error;
        outcomes.add(error.reason);
      }
    }
    expect([...outcomes].every((one) => ['read', 'too_large', 'unreadable'].includes(one))).toBe(
      true,
    );
  });
});

describe('stat and list', () => {
  test('never follow a link, and count hard links', () => {
    const folder = makeFolder();
    fs.writeFileSync(join(folder, 'f'), '12345');
    fs.linkSync(join(folder, 'f'), join(folder, 'hard'));
    fs.symlinkSync('f', join(folder, 'link'));
    fs.symlinkSync(folder, join(folder, 'away'));
    fs.mkdirSync(join(folder, 'd'));
    expect(realDisk.stat(join(folder, 'f'))).toMatchObject({ kind: 'file', bytes: 5, links: 2 });
    expect(realDisk.stat(join(folder, 'link'))?.kind).toBe('other');
    expect(realDisk.stat(join(folder, 'absent'))).toBeUndefined();
    expect(realDisk.stat(join(folder, 'f', 'x'))).toBeUndefined();
    expect(realDisk.list(folder).map((entry) => `${entry.name} ${entry.kind}`)).toEqual([
      'away other',
      'd folder',
      'f file',
      'hard file',
      'link other',
    ]);
    expect(() => realDisk.list(join(folder, 'absent'))).toThrow('ENOENT');
  });
});

describe('create, mkdir, rename, remove, sync', () => {
  test('create never replaces, and never writes through a link', () => {
    const folder = makeFolder();
    const file = join(folder, 'f');
    realDisk.create(file, bytes('one'));
    expect(() => realDisk.create(file, bytes('two'))).toThrow('EEXIST');
    fs.symlinkSync(join(folder, 'target'), join(folder, 'link'));
    expect(() => realDisk.create(join(folder, 'link'), bytes('two'))).toThrow('EEXIST');
    expect(fs.readFileSync(file, 'utf8')).toBe('one');
    expect(fs.existsSync(join(folder, 'target'))).toBe(false);
  });

  test('create writes all of a large file', () => {
    const file = join(makeFolder(), 'f');
    const large = Buffer.alloc(5_000_001, 'abc');
    realDisk.create(file, large, { durable: false });
    expect(fs.readFileSync(file).equals(large)).toBe(true);
  });

  test('mkdir makes one level, and never a path that somebody moved away', () => {
    const folder = makeFolder();
    expect(() => realDisk.mkdir(join(folder, 'gone', 'attempts'))).toThrow('ENOENT');
    expect(fs.existsSync(join(folder, 'gone'))).toBe(false);
    realDisk.mkdir(join(folder, 'd'));
    expect(() => realDisk.mkdir(join(folder, 'd'))).toThrow('EEXIST');
  });

  test('remove takes a file, a link itself, an empty folder, and never a full one', () => {
    const folder = makeFolder();
    fs.mkdirSync(join(folder, 'd'));
    fs.writeFileSync(join(folder, 'd', 'f'), '');
    fs.symlinkSync('d', join(folder, 'link'));
    expect(() => realDisk.remove(join(folder, 'd'))).toThrow('ENOTEMPTY');
    realDisk.remove(join(folder, 'link'));
    realDisk.remove(join(folder, 'd', 'f'));
    realDisk.remove(join(folder, 'd'));
    expect(realDisk.list(folder)).toEqual([]);
  });

  test('rename onto a folder that is not empty fails; sync takes a folder or a file', () => {
    const folder = makeFolder();
    fs.mkdirSync(join(folder, 'a'));
    fs.mkdirSync(join(folder, 'b'));
    fs.writeFileSync(join(folder, 'b', 'f'), '');
    expect(() => realDisk.rename(join(folder, 'a'), join(folder, 'b'))).toThrow(/ENOTEMPTY|EEXIST/);
    realDisk.sync(folder);
    realDisk.sync(join(folder, 'b', 'f'));
    expect(() => realDisk.sync(join(folder, 'b', 'gone'))).toThrow('ENOENT');
  });
});

describe('list, where so many folders stand that they are counted', () => {
  function many(): string {
    const folder = makeFolder();
    for (let i = 0; i < 300; i++) fs.mkdirSync(join(folder, `task-${i}`));
    return folder;
  }
  const found = (folder: string) =>
    new Map(realDisk.list(folder).map((one) => [one.name, one.kind]));

  test('all are folders, in order', () => {
    const folder = many();
    const listed = realDisk.list(folder);
    expect(listed.map(({ name }) => name)).toEqual(fs.readdirSync(folder).toSorted());
    expect(listed.every(({ kind }) => kind === 'folder')).toBe(true);
    expect(realDisk.folders?.(folder)).toEqual(realDisk.names(folder));
    const some = realDisk.folders?.(folder, 100) ?? [];
    expect([some.length, realDisk.names(folder)]).toEqual([100, expect.arrayContaining([...some])]);
    expect(realDisk.folders?.(folder, 1e6)).toEqual(realDisk.names(folder));
    expect(realDisk.folders?.(join(folder, 'task-1'))).toBeUndefined();
    expect(realDisk.folders?.(join(folder, 'none'))).toBeUndefined();
  });

  test('of more folders than ext4 counts, some alone are read', () => {
    const folder = makeFolder();
    for (let i = 0; i < 65_001; i++) fs.mkdirSync(join(folder, `${i}`));
    const some = realDisk.folders?.(folder, 100) ?? [];
    expect([some.length, new Set(some).size]).toEqual([100, 100]);
  });

  test.each<[string, (path: string) => void, string]>([
    ['a file', (path) => fs.writeFileSync(path, ''), 'file'],
    ['a link to a folder', (path) => fs.symlinkSync('task-1', path), 'other'],
  ])('%s among them is seen, named like a task or hidden', (_, make, kind) => {
    for (const name of ['task-x', '.gitkeep']) {
      const folder = many();
      make(join(folder, name));
      expect(realDisk.folders?.(folder)).toBeUndefined();
      expect(found(folder).get(name)).toBe(kind);
      expect([...found(folder).values()].filter((one) => one === 'folder')).toHaveLength(300);
    }
  });

  test('a hidden folder and a file that is named like a task do not make up for each other', () => {
    const folder = many();
    fs.mkdirSync(join(folder, '.hidden'));
    fs.writeFileSync(join(folder, 'task-x'), '');
    expect(found(folder).get('.hidden')).toBe('folder');
    expect(found(folder).get('task-x')).toBe('file');
    fs.writeFileSync(join(folder, '.gitkeep'), '');
    expect(found(folder).get('task-x')).toBe('file');
  });
});

test('to compare, a file is read up to one byte more than is expected; what is no file is refused', () => {
  const folder = makeFolder();
  const file = join(folder, 'owner.md');
  fs.writeFileSync(file, 'nonce');
  const read = (path: string, bytes_max: number): string =>
    Buffer.from(realDisk.read(path, bytes_max, { single_link: false, compared: true })).toString();
  expect(read(file, 5)).toBe('nonce');
  expect(read(file, 9)).toBe('nonce');
  expect(read(file, 3)).toBe('nonc');
  expect(() => read(folder, 5)).toThrow(ReadRefused);
  fs.symlinkSync(file, join(folder, 'link'));
  expect(() => read(join(folder, 'link'), 5)).toThrow(ReadRefused);
  expect(() => read(join(folder, 'none'), 5)).toThrow('ENOENT');
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  expect(() => read(join(folder, 'fifo'), 5)).toThrow(ReadRefused);
});
