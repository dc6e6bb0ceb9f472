/** put and putIfUnchanged on the real file system, with errors at each of their operations. */
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CreateOptions, Disk } from '../../../src/task/store/disk/disk.ts';
import { sha256 } from '../../../src/task/store/disk/hash.ts';
import {
  put,
  putIfUnchanged,
  putInTurn,
  TEMPORARY,
  type PutIf,
} from '../../../src/task/store/disk/put.ts';
import { realDisk } from '../../../src/task/store/disk/real-disk.ts';
import { Died, faultyDisk } from '../../support/faulty-disk.ts';
import { bytes, diskWith, errno, makeFolder, puttingOn } from './folder.ts';

const text = (path: string): string => fs.readFileSync(path, 'utf8');

describe('put', () => {
  test('writes aside, renames, then makes the folder durable', () => {
    const folder = makeFolder();
    const disk = faultyDisk();
    put(puttingOn(disk), join(folder, 'f'), bytes('new'));
    expect(disk.trace.map((one) => one.operation)).toEqual(['create', 'rename', 'sync']);
    expect(disk.trace[2]?.path).toBe(folder);
    expect(fs.readdirSync(folder)).toEqual(['f']);
    expect(text(join(folder, 'f'))).toBe('new');
  });

  test('replaces what is there, a link itself and not what it points to', () => {
    const folder = makeFolder();
    fs.writeFileSync(join(folder, 'other'), 'other');
    fs.symlinkSync('other', join(folder, 'f'));
    put(puttingOn(), join(folder, 'f'), bytes('new'));
    expect(text(join(folder, 'other'))).toBe('other');
    expect(realDisk.stat(join(folder, 'f'))?.kind).toBe('file');
  });

  test('an error from a rename that happened is no error', () => {
    const file = join(makeFolder(), 'f');
    const disk = diskWith({
      rename: (from, to) => {
        fs.renameSync(from, to);
        throw errno('EIO');
      },
    });
    put(puttingOn(disk), file, bytes('new'));
    expect(text(file)).toBe('new');
  });

  test.each(['create', 'rename'] as const)(
    'an error from %s leaves the old file, and no litter',
    (operation) => {
      const folder = makeFolder();
      fs.writeFileSync(join(folder, 'f'), 'old');
      const disk = diskWith({
        [operation]: () => {
          throw errno('ENOSPC');
        },
      });
      expect(() => put(puttingOn(disk), join(folder, 'f'), bytes('new'))).toThrow('ENOSPC');
      expect(fs.readdirSync(folder)).toEqual(['f']);
      expect(text(join(folder, 'f'))).toBe('old');
    },
  );

  test('a half-written temporary is taken away when the disk is full', () => {
    const folder = makeFolder();
    const disk = diskWith({
      create: (path, whole) => {
        fs.writeFileSync(path, whole.subarray(0, 1));
        throw errno('ENOSPC');
      },
    });
    expect(() => put(puttingOn(disk), join(folder, 'f'), bytes('new'))).toThrow('ENOSPC');
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test('in a folder that was moved away makes nothing', () => {
    const folder = makeFolder();
    expect(() => put(puttingOn(), join(folder, 'gone', 'f'), bytes('x'))).toThrow('ENOENT');
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test.each([0, 1, 2])(
    'a death around operation %i shows the old file or the new one, whole',
    (at) => {
      for (const kind of ['die_before', 'die_after', 'die_torn'] as const) {
        const folder = makeFolder();
        fs.writeFileSync(join(folder, 'f'), 'old');
        const disk = faultyDisk(at, { kind });
        expect(() => put(puttingOn(disk), join(folder, 'f'), bytes('new!'))).toThrow(Died);
        const renamed = at > 1 || (at === 1 && kind === 'die_after');
        expect(text(join(folder, 'f')), kind).toBe(renamed ? 'new!' : 'old');
      }
    },
  );
});

describe('putIfUnchanged', () => {
  const file = (): string => join(makeFolder(), 'f');

  test('puts over exactly what was seen', () => {
    const path = file();
    fs.writeFileSync(path, 'old');
    expect(putIfUnchanged(puttingOn(), path, sha256('old'), bytes('new'))).toBe('put');
    expect(text(path)).toBe('new');
  });

  test.each([0o600, 0o640, 0o644, 0o666, 0o755])('keeps the permission bits %o', (mode) => {
    const path = file();
    fs.writeFileSync(path, 'old');
    fs.chmodSync(path, mode);
    expect(putIfUnchanged(puttingOn(), path, sha256('old'), bytes('new'))).toBe('put');
    expect((realDisk.stat(path)?.mode ?? 0).toString(8)).toBe(mode.toString(8));
  });

  test('asks for no bits where it replaces nothing', () => {
    let asked: CreateOptions | undefined;
    const disk = diskWith({
      create: (path, whole, options) => realDisk.create(path, whole, (asked = options)),
    });
    putIfUnchanged(puttingOn(disk), file(), undefined, bytes('new'));
    expect(asked).toEqual({ durable: true });
  });

  test('puts where nothing was seen and nothing is', () => {
    const path = file();
    expect(putIfUnchanged(puttingOn(), path, undefined, bytes('new'))).toBe('put');
    expect(text(path)).toBe('new');
  });

  test('leaves what a person saved meanwhile', () => {
    const path = file();
    fs.writeFileSync(path, 'saved');
    expect(putIfUnchanged(puttingOn(), path, sha256('old'), bytes('new'))).toBe('changed');
    expect(putIfUnchanged(puttingOn(), path, undefined, bytes('new'))).toBe('changed');
    expect(text(path)).toBe('saved');
  });

  test.each<
    [
      says: string,
      before: string | undefined,
      meanwhile: (path: string) => void,
      PutIf,
      after: string | undefined,
    ]
  >([
    ['saved in place', 'old', (path) => fs.writeFileSync(path, 'saved'), 'changed', 'saved'],
    [
      'replaced by the same',
      'old',
      (path) => put(puttingOn(), path, bytes('old')),
      'changed',
      'old',
    ],
    ['deleted', 'old', (path) => fs.rmSync(path), 'gone', undefined],
    ['made', undefined, (path) => fs.writeFileSync(path, 'made'), 'changed', 'made'],
  ])(
    'what is %s while the new bytes are written aside stays so',
    (_, before, meanwhile, how, after) => {
      const path = file();
      if (before !== undefined) fs.writeFileSync(path, before);
      const disk = diskWith({
        create: (at, whole, options) => {
          realDisk.create(at, whole, options);
          meanwhile(path);
        },
      });
      const seen = before === undefined ? undefined : sha256(before);
      expect(putIfUnchanged(puttingOn(disk), path, seen, bytes('new'))).toBe(how);
      expect(realDisk.stat(path) && text(path)).toBe(after);
      expect(fs.readdirSync(dirname(path))).toEqual(after === undefined ? [] : ['f']);
    },
  );

  test('does not bring back what was deleted, nor a folder that was moved', () => {
    const path = file();
    expect(putIfUnchanged(puttingOn(), path, sha256('old'), bytes('new'))).toBe('gone');
    expect(realDisk.stat(path)).toBeUndefined();
    const moved = join(path, 'in', 'f');
    expect(putIfUnchanged(puttingOn(), moved, undefined, bytes('new'))).toBe('gone');
    expect(realDisk.stat(path)).toBeUndefined();
  });

  test('a folder that is moved just before the write is gone, and is not made again', () => {
    const folder = makeFolder();
    fs.mkdirSync(join(folder, 'task'));
    fs.writeFileSync(join(folder, 'task', 'f'), 'old');
    const disk = diskWith({
      create: (path, whole) => {
        fs.rmSync(join(folder, 'task'), { recursive: true });
        realDisk.create(path, whole);
      },
    });
    const path = join(folder, 'task', 'f');
    expect(putIfUnchanged(puttingOn(disk), path, sha256('old'), bytes('new'))).toBe('gone');
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

describe('putInTurn', () => {
  const made = (): string => {
    const path = join(makeFolder(), 'f');
    fs.writeFileSync(path, 'a\n');
    return path;
  };
  const temporaries = (path: string): string[] =>
    fs.readdirSync(dirname(path)).filter((name) => name.startsWith(TEMPORARY));

  test('between the last look of one and its rename another one does not write', () => {
    const path = made();
    const said: PutIf[] = [];
    /** For it the first one is through at its third look. */
    const other = (): Disk => {
      let looks = 0;
      const stat = (at: string) =>
        at.includes(TEMPORARY) && ++looks > 2 ? undefined : realDisk.stat(at);
      return diskWith({ stat });
    };
    const disk = diskWith({
      rename: (from, to) => {
        said.push(putInTurn(puttingOn(other()), path, sha256('a\n'), bytes('a\nlost\n')));
        realDisk.rename(from, to);
      },
    });
    expect(putInTurn(puttingOn(disk), path, sha256('a\n'), bytes('a\nb\n'))).toBe('put');
    expect([said, text(path), temporaries(path)]).toEqual([['changed'], 'a\nb\n', []]);
    expect(putInTurn(puttingOn(), path, sha256('a\nb\n'), bytes('a\nb\nc\n'))).toBe('put');
    expect(text(path)).toBe('a\nb\nc\n');
  });

  test('one that makes the temporary in the same instant leaves it to the other', () => {
    const path = made();
    let looks = 0;
    const stat = (at: string) =>
      at.includes(TEMPORARY) && ++looks !== 2 ? undefined : realDisk.stat(at);
    const first = diskWith({
      rename: (from, to) => {
        const put = putInTurn(puttingOn(diskWith({ stat })), path, sha256('a\n'), bytes('lost'));
        expect([put, temporaries(path).length]).toEqual(['changed', 1]);
        realDisk.rename(from, to);
      },
    });
    expect(putInTurn(puttingOn(first), path, sha256('a\n'), bytes('b'))).toBe('put');
    expect([text(path), looks]).toEqual(['b', 3]);
  });

  test('what a killed one left keeps nobody from writing', () => {
    const path = made();
    let left = '';
    const dies = diskWith({
      rename: (from) => {
        left = from;
        throw new Died();
      },
    });
    expect(() => putInTurn(puttingOn(dies), path, sha256('a\n'), bytes('b'))).toThrow(Died);
    fs.writeFileSync(left, 'b');
    expect(putInTurn(puttingOn(), path, sha256('a\n'), bytes('c'))).toBe('put');
    expect([text(path), temporaries(path)]).toEqual(['c', [basename(left)]]);
  });

  test('what a person saved meanwhile stays', () => {
    const path = made();
    expect(putInTurn(puttingOn(), path, sha256('old'), bytes('new'))).toBe('changed');
    expect(putInTurn(puttingOn(), path, undefined, bytes('new'))).toBe('changed');
    expect([text(path), temporaries(path)]).toEqual(['a\n', []]);
  });
});
