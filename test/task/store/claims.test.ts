/** Claims, fences, commits on the real file system: who wins, who is fenced, what is kept. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  adoptDesk,
  claim,
  commit,
  fence,
  highestAttempt,
  holds,
  listAttempts,
  withdraw,
} from '../../../src/task/store/tasks/claims.ts';
import { realDisk } from '../../../src/task/store/disk/real-disk.ts';
import { deskFolder } from '../../../src/task/store/tasks/layout.ts';
import { Died, faultyDisk } from '../../support/faulty-disk.ts';
import { bytes, diskWith, errno, makeFolder, puttingOn } from './folder.ts';

function task(): string {
  const folder = join(makeFolder(), 'task');
  fs.mkdirSync(folder);
  return folder;
}

const files = (owner: string): Map<string, Uint8Array> =>
  new Map([
    ['owner.md', bytes(owner)],
    ['lease.md', bytes('lease')],
  ]);
const attempt = (folder: string, name: string): string => join(folder, 'attempts', name);
const names = (folder: string): string[] => fs.readdirSync(join(folder, 'attempts')).sort();

describe('claim', () => {
  test('wins a free number, with its owner there in the same instant', () => {
    const folder = task();
    expect(claim(puttingOn(), folder, 1, files('me'))).toBe('won');
    expect(names(folder)).toEqual(['0001']);
    expect(fs.readdirSync(attempt(folder, '0001')).sort()).toEqual(['lease.md', 'owner.md']);
    expect(holds(realDisk, attempt(folder, '0001'), bytes('me'))).toBe(true);
    expect(holds(realDisk, attempt(folder, '0001'), bytes('you'))).toBe(false);
    expect(holds(realDisk, attempt(folder, '0002'), bytes('me'))).toBe(false);
  });

  test('loses a taken number and leaves no litter', () => {
    const folder = task();
    claim(puttingOn(), folder, 1, files('first'));
    expect(claim(puttingOn(), folder, 1, files('second'))).toBe('lost');
    expect(names(folder)).toEqual(['0001']);
    expect(holds(realDisk, attempt(folder, '0001'), bytes('first'))).toBe(true);
  });

  test('loses when a rival is faster between the look and the rename', () => {
    const folder = task();
    const disk = diskWith({
      rename: (from, to) => {
        if (to.endsWith('0001')) claim(puttingOn(), folder, 1, files('rival'));
        realDisk.rename(from, to);
      },
    });
    expect(claim(puttingOn(disk), folder, 1, files('me'))).toBe('lost');
    expect(names(folder)).toEqual(['0001']);
    expect(holds(realDisk, attempt(folder, '0001'), bytes('rival'))).toBe(true);
  });

  test('never replaces an empty folder of that number', () => {
    const folder = task();
    fs.mkdirSync(attempt(folder, '0001'), { recursive: true });
    expect(claim(puttingOn(), folder, 1, files('me'))).toBe('lost');
    expect(fs.readdirSync(attempt(folder, '0001'))).toEqual([]);
  });

  test('has won when the rename happened, whatever it said', () => {
    const folder = task();
    const disk = diskWith({
      rename: (from, to) => {
        fs.renameSync(from, to);
        throw errno('EIO');
      },
    });
    expect(claim(puttingOn(disk), folder, 1, files('me'))).toBe('won');
  });

  test('of a task that was moved away is gone, and the task is not made again', () => {
    const folder = task();
    fs.rmSync(folder, { recursive: true });
    expect(claim(puttingOn(), folder, 1, files('me'))).toBe('gone');
    const moved = task();
    const disk = diskWith({
      rename: (from, to) => {
        fs.renameSync(moved, `${moved}-elsewhere`);
        realDisk.rename(from, to);
      },
    });
    expect(claim(puttingOn(disk), moved, 1, files('me'))).toBe('gone');
    expect([fs.existsSync(folder), fs.existsSync(moved)]).toEqual([false, false]);
  });

  test('that was prepared in a task which was moved away meanwhile is dropped where it went', () => {
    const folder = task();
    const moved = `${folder}-moved`;
    const disk = diskWith({
      rename: (from, to) => {
        fs.renameSync(folder, moved);
        realDisk.rename(from, to);
      },
    });
    expect(claim(puttingOn(disk), folder, 1, files('me'), () => [folder, moved])).toBe('gone');
    expect(names(moved)).toEqual([]);
  });

  test('of a task that was moved after it was won is made durable where it went', () => {
    const folder = task();
    const moved = `${folder}-moved`;
    const synced: string[] = [];
    const disk = diskWith({
      sync: (path) => {
        if (path === join(folder, 'attempts') && fs.existsSync(attempt(folder, '0001')))
          fs.renameSync(folder, moved);
        realDisk.sync(path);
        synced.push(path);
      },
    });
    expect(claim(puttingOn(disk), folder, 1, files('me'), () => [moved])).toBe('won');
    expect(synced.at(-1)).toBe(join(moved, 'attempts'));
    expect(holds(realDisk, attempt(moved, '0001'), bytes('me'))).toBe(true);
  });

  test('of a task that was removed after it was won is gone', () => {
    const folder = task();
    const disk = diskWith({
      sync: (path) => {
        if (fs.existsSync(attempt(folder, '0001'))) fs.rmSync(folder, { recursive: true });
        realDisk.sync(path);
      },
    });
    expect(claim(puttingOn(disk), folder, 1, files('me'), () => [])).toBe('gone');
  });

  test.each(['ENOTEMPTY', 'EEXIST', 'EPERM'])('loses when a rename says %s', (code) => {
    const folder = task();
    const disk = diskWith({
      rename: () => {
        throw errno(code);
      },
    });
    expect(claim(puttingOn(disk), folder, 1, files('me'))).toBe('lost');
    expect(names(folder)).toEqual([]);
  });

  test('on a full disk throws before anything is visible, and cleans up', () => {
    const folder = task();
    const disk = diskWith({
      create: () => {
        throw errno('ENOSPC');
      },
    });
    expect(() => claim(puttingOn(disk), folder, 1, files('me'))).toThrow('ENOSPC');
    expect(names(folder)).toEqual([]);
  });

  test('a death at any operation leaves the number free or with its whole owner', () => {
    for (let at = 0; ; at++) {
      const folder = task();
      const disk = faultyDisk(at, { kind: 'die_torn' });
      try {
        claim(puttingOn(disk), folder, 1, files('me'));
        expect(at).toBeGreaterThan(8);
        break;
      } catch (error) {
        expect(error).toBeInstanceOf(Died);
      }
      const there = listAttempts(realDisk, folder).length === 1;
      if (there) expect(holds(realDisk, attempt(folder, '0001'), bytes('me'))).toBe(true);
      else expect(claim(puttingOn(), folder, 1, files('next'))).toBe('won');
    }
  });

  test('without an owner is a bug of ours', () => {
    expect(() => claim(puttingOn(), task(), 1, new Map())).toThrow('bug');
  });
});

describe('listAttempts', () => {
  test('ascends by number, a lost one before the one that took over; other names are no attempts', () => {
    const folder = task();
    for (const name of [
      '0010',
      '0002',
      '0002.lost',
      '12345',
      '.new-x',
      '1',
      'abcd',
      '0003.lost.bak',
      '0004x',
    ]) {
      fs.mkdirSync(attempt(folder, name), { recursive: true });
    }
    expect(listAttempts(realDisk, folder).map((one) => one.name)).toEqual([
      '0002.lost',
      '0002',
      '0010',
      '12345',
    ]);
    expect(highestAttempt(realDisk, folder)).toBe(12345);
    expect(highestAttempt(realDisk, task())).toBe(0);
  });
});

describe('fence and adoptDesk', () => {
  function claimed(): { folder: string; desk: string } {
    const folder = task();
    claim(puttingOn(), folder, 1, files('dead'));
    const desk = join(folder, '..', '.desk');
    fs.mkdirSync(desk);
    fs.writeFileSync(join(desk, 'result.md'), 'words');
    return { folder, desk };
  }

  test('a fenced attempt has its desk, and its owner can commit no more', () => {
    const { folder, desk } = claimed();
    fence(realDisk, folder, 1, desk);
    expect(names(folder)).toEqual(['0001.lost']);
    expect(fs.existsSync(desk)).toBe(false);
    const kept = join(attempt(folder, '0001.lost'), 'desk', 'result.md');
    expect(fs.readFileSync(kept, 'utf8')).toBe('words');
    expect(commit(puttingOn(), folder, 1, bytes('dead'), bytes('late'))).toBe('fenced');
    expect(fs.readdirSync(attempt(folder, '0001.lost')).sort()).toEqual([
      'desk',
      'lease.md',
      'owner.md',
    ]);
  });

  test('can be repeated after a death at any operation, and nothing is lost', () => {
    for (let at = 0; ; at++) {
      const { folder, desk } = claimed();
      const disk = faultyDisk(at, { kind: 'die_before' });
      let died = false;
      try {
        fence(disk, folder, 1, desk);
      } catch (error) {
        expect(error).toBeInstanceOf(Died);
        died = true;
      }
      fence(realDisk, folder, 1, desk);
      fence(realDisk, folder, 1, desk);
      const kept = join(attempt(folder, '0001.lost'), 'desk', 'result.md');
      expect(fs.readFileSync(kept, 'utf8')).toBe('words');
      expect(names(folder)).toEqual(['0001.lost']);
      if (!died) break;
    }
  });

  test('a desk that never was is no error, and one that was kept is not replaced', () => {
    const { folder, desk } = claimed();
    adoptDesk(realDisk, join(desk, 'never'), attempt(folder, '0001'));
    fs.mkdirSync(join(attempt(folder, '0001'), 'desk'));
    adoptDesk(realDisk, desk, attempt(folder, '0001'));
    expect(fs.existsSync(join(desk, 'result.md'))).toBe(true);
  });

  test('a desk is named for the task and the attempt', () => {
    const layout = { root: '/w', tasks: '/w/active_tasks' };
    expect(deskFolder(layout, 'a_b', 7)).toBe('/w/active_tasks/.desk/a_b.0007');
  });
});

describe('commit and withdraw', () => {
  test('commits once, for its owner alone', () => {
    const folder = task();
    claim(puttingOn(), folder, 1, files('me'));
    expect(commit(puttingOn(), folder, 1, bytes('you'), bytes('no'))).toBe('fenced');
    expect(commit(puttingOn(), folder, 1, bytes('me'), bytes('yes'))).toBe('committed');
    expect(fs.readFileSync(join(attempt(folder, '0001'), 'outcome.md'), 'utf8')).toBe('yes');
  });

  test('is fenced when the folder goes away between the look and the write', () => {
    const folder = task();
    claim(puttingOn(), folder, 1, files('me'));
    const disk = diskWith({
      create: (path, whole) => {
        fence(realDisk, folder, 1, join(folder, 'no-desk'));
        realDisk.create(path, whole);
      },
    });
    expect(commit(puttingOn(disk), folder, 1, bytes('me'), bytes('late'))).toBe('fenced');
    expect(fs.existsSync(join(attempt(folder, '0001.lost'), 'outcome.md'))).toBe(false);
  });

  test('a full disk is no fence: it is thrown, and nothing is committed', () => {
    const folder = task();
    claim(puttingOn(), folder, 1, files('me'));
    const disk = diskWith({
      create: () => {
        throw errno('ENOSPC');
      },
    });
    expect(() => commit(puttingOn(disk), folder, 1, bytes('me'), bytes('x'))).toThrow('ENOSPC');
    expect(fs.existsSync(join(attempt(folder, '0001'), 'outcome.md'))).toBe(false);
  });

  test('a number that was won in vain is given back as lost, never reused', () => {
    const folder = task();
    claim(puttingOn(), folder, 1, files('me'));
    withdraw(puttingOn(), folder, 1, files('me'));
    expect(names(folder)).toEqual(['0001.lost']);
    expect(highestAttempt(realDisk, folder)).toBe(1);
  });

  test('the number of a fenced attempt is not claimed again', () => {
    const folder = task();
    claim(puttingOn(), folder, 1, files('dead'));
    fence(realDisk, folder, 1, join(folder, 'no-desk'));
    expect(claim(puttingOn(), folder, 1, files('late'))).toBe('lost');
    expect(names(folder)).toEqual(['0001.lost']);
  });

  test('a number won in the very moment of its fence goes again, and the fenced attempt stays', () => {
    const folder = task();
    claim(puttingOn(), folder, 1, files('dead'));
    const disk = diskWith({
      rename: (from, to) => {
        if (to.endsWith('0001')) fence(realDisk, folder, 1, join(folder, 'no-desk'));
        realDisk.rename(from, to);
      },
    });
    const stale = diskWith({
      stat: (path) => (path.endsWith('/0001') ? undefined : disk.stat(path)),
    });
    expect(claim(puttingOn({ ...stale, rename: disk.rename }), folder, 1, files('late'))).toBe(
      'won',
    );
    withdraw(puttingOn(), folder, 1, files('late'));
    expect(names(folder)).toEqual(['0001.lost']);
    expect(holds(realDisk, attempt(folder, '0001.lost'), bytes('dead'))).toBe(true);
  });
});
