/** Task folders on the real file system: listing, moving, paths inside, the files of the tree. */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/task/store/disk/disk.ts';
import {
  findRoot,
  shown,
  stateFolder,
  taskFolder,
  type Layout,
} from '../../../src/task/store/tasks/layout.ts';
import { groupMoves } from '../../../src/task/store/tasks/group-commit.ts';
import { realDisk } from '../../../src/task/store/disk/real-disk.ts';
import { inside, listState, locate, moveTask } from '../../../src/task/store/tasks/tasks.ts';
import { changesBetween } from '../../../src/task/store/snapshots/folder-snapshot.ts';
import {
  fingerprint,
  snapshot,
  TREE_FILES_MAX,
} from '../../../src/task/store/snapshots/fingerprint.ts';
import { diskWith, makeFolder } from './folder.ts';
import { putFile } from '../../support/sealed-folder.ts';

function layout(): Layout {
  const root = makeFolder();
  fs.mkdirSync(join(root, 'active_tasks'));
  return { root, tasks: join(root, 'active_tasks') };
}

function write(root: string, path: string, text = 'x'): string {
  const file = join(root, path);
  putFile(file, text);
  return file;
}

function addTask(at: Layout, state: 'ready' | 'done', id = 'a'): string {
  return dirname(write(taskFolder(at, state, id), 'contract.md'));
}

describe('groupMoves', () => {
  const three = (): Layout => {
    const at = layout();
    for (const id of ['a', 'b', 'c']) addTask(at, 'ready', id);
    return at;
  };

  test('looks at the state folder once, at each target, and syncs the parents at the end', () => {
    const at = three();
    const told: string[] = [];
    const short = (path: string): string => path.slice(at.tasks.length);
    const disk = diskWith({
      stat: (path) => {
        told.push(`stat ${short(path)}`);
        return realDisk.stat(path);
      },
      sync: (path) => void told.push(`sync ${short(path)}`),
    });
    fs.mkdirSync(stateFolder(at, 'done'));
    const group = groupMoves(disk, at);
    for (const id of ['a', 'b', 'c']) expect(group.move(id, 'ready', 'done')).toBe('moved');
    group.flush();
    const looks = ['stat /done', 'stat /done/a', 'stat /done/b', 'stat /done/c'];
    expect(told).toEqual([...looks, 'sync /done', 'sync /ready']);
  });

  test('says taken where a link that leads nowhere has the name, and leaves it', () => {
    const at = three();
    const group = groupMoves(realDisk, at);
    expect(group.move('c', 'ready', 'done')).toBe('moved');
    fs.symlinkSync('nowhere', taskFolder(at, 'done', 'b'));
    expect(group.move('b', 'ready', 'done')).toBe('taken');
    expect(realDisk.stat(taskFolder(at, 'done', 'b'))?.kind).toBe('other');
    expect(fs.existsSync(join(taskFolder(at, 'ready', 'b'), 'contract.md'))).toBe(true);
  });

  test('says taken and gone as a single move does', () => {
    const at = three();
    const group = groupMoves(realDisk, at);
    expect(group.move('a', 'ready', 'done')).toBe('moved');
    expect(group.move('a', 'ready', 'done')).toBe('gone');
    fs.mkdirSync(taskFolder(at, 'done', 'b'));
    expect(group.move('b', 'ready', 'done')).toBe('taken');
    expect(fs.existsSync(join(taskFolder(at, 'ready', 'b'), 'contract.md'))).toBe(true);
    fs.rmSync(taskFolder(at, 'ready', 'c'), { recursive: true });
    expect(group.move('c', 'ready', 'done')).toBe('gone');
  });

  test('makes the state folder anew that somebody removed meanwhile', () => {
    const at = three();
    const group = groupMoves(realDisk, at);
    expect(group.move('a', 'ready', 'done')).toBe('moved');
    fs.rmSync(stateFolder(at, 'done'), { recursive: true });
    expect(group.move('b', 'ready', 'done')).toBe('moved');
    expect(locate(realDisk, at, 'b')).toEqual(['done']);
  });
});

describe('moveTask', () => {
  test('moves, and makes the state folder when git had dropped it', () => {
    const at = layout();
    addTask(at, 'ready');
    expect(moveTask(realDisk, at, 'a', 'ready', 'in_progress')).toBe('moved');
    expect(locate(realDisk, at, 'a')).toEqual(['in_progress']);
  });

  test('says gone when it does not stand there, and makes nothing at the target', () => {
    const at = layout();
    expect(moveTask(realDisk, at, 'a', 'ready', 'done')).toBe('gone');
    expect(fs.readdirSync(stateFolder(at, 'done'))).toEqual([]);
  });

  test('says gone, not taken, when somebody else has just moved it there', () => {
    const at = layout();
    addTask(at, 'done');
    expect(moveTask(realDisk, at, 'a', 'ready', 'done')).toBe('gone');
    expect(locate(realDisk, at, 'a')).toEqual(['done']);
  });

  test('never replaces an empty folder of that name', () => {
    const at = layout();
    addTask(at, 'ready');
    fs.mkdirSync(taskFolder(at, 'done', 'a'), { recursive: true });
    expect(moveTask(realDisk, at, 'a', 'ready', 'done')).toBe('taken');
    expect(fs.existsSync(join(taskFolder(at, 'ready', 'a'), 'contract.md'))).toBe(true);
  });

  test('never replaces a full folder, a file or a link', () => {
    for (const make of [
      (path: string) => write(path, 'contract.md'),
      (path: string) => fs.writeFileSync(path, ''),
      (path: string) => fs.symlinkSync('/nowhere', path),
    ]) {
      const at = layout();
      addTask(at, 'ready');
      fs.mkdirSync(stateFolder(at, 'done'));
      make(taskFolder(at, 'done', 'a'));
      expect(moveTask(realDisk, at, 'a', 'ready', 'done')).toBe('taken');
      expect(fs.existsSync(taskFolder(at, 'ready', 'a'))).toBe(true);
    }
  });

  test('a full target that appears between look and rename is taken', () => {
    const at = layout();
    addTask(at, 'ready');
    const disk = diskWith({
      rename: (from, to) => {
        addTask(at, 'done');
        realDisk.rename(from, to);
      },
    });
    expect(moveTask(disk, at, 'a', 'ready', 'done')).toBe('taken');
    expect(locate(realDisk, at, 'a')).toEqual(['ready', 'done']);
  });

  test('both parents are made durable, the target first', () => {
    const at = layout();
    addTask(at, 'ready');
    const synced: string[] = [];
    moveTask(diskWith({ sync: (path) => void synced.push(path) }), at, 'a', 'ready', 'done');
    expect(synced.slice(-2)).toEqual([stateFolder(at, 'done'), stateFolder(at, 'ready')]);
  });
});

describe('listState', () => {
  test('gives ids, and names that are none apart', () => {
    const at = layout();
    addTask(at, 'ready', 'b');
    addTask(at, 'ready', 'a');
    const ready = stateFolder(at, 'ready');
    for (const name of ['Capital', 'con', '.tmp-1']) fs.mkdirSync(join(ready, name));
    for (const name of ['.gitkeep', 'c', 'notes.txt']) fs.writeFileSync(join(ready, name), '');
    fs.symlinkSync(taskFolder(at, 'ready', 'a'), join(ready, 'linked'));
    const listed = listState(realDisk, at, 'ready');
    expect(listed.ids).toEqual(['a', 'b']);
    expect(listed.strangers.map((one) => `${one.name} ${one.kind}`)).toEqual([
      '.tmp-1 folder',
      'Capital folder',
      'c file',
      'con folder',
      'linked other',
      'notes.txt file',
    ]);
    expect(locate(realDisk, at, 'linked')).toEqual([]);
  });

  test('a missing state folder has no tasks', () => {
    expect(listState(realDisk, layout(), 'review')).toEqual({ ids: [], strangers: [] });
  });
});

describe('findRoot', () => {
  test('is the nearest folder with .contracts, else with active_tasks', () => {
    const root = makeFolder();
    fs.mkdirSync(join(root, 'a', 'active_tasks'), { recursive: true });
    fs.mkdirSync(join(root, 'a', 'b', 'c'), { recursive: true });
    expect(findRoot(realDisk, join(root, 'a', 'b', 'c'))).toBe(join(root, 'a'));
    fs.mkdirSync(join(root, '.contracts'));
    expect(findRoot(realDisk, join(root, 'a/b'))).toBe(root);
    fs.writeFileSync(join(root, 'a', 'b', '.contracts'), 'a file is not a folder');
    expect(findRoot(realDisk, join(root, 'a/b'))).toBe(root);
  });

  test('what is shown to people is relative, and a neighbour of the root is not inside', () => {
    const at = { root: '/w/repo', tasks: '/w/repo/active_tasks' };
    expect(shown(at, '/w/repo/a/b')).toBe('a/b');
    expect(shown(at, '/w/repo-evil/a')).toBe('/w/repo-evil/a');
  });
});

describe('inside', () => {
  function tree(): string {
    const root = makeFolder();
    write(root, 'a/b/file', '12345');
    fs.linkSync(join(root, 'a/b/file'), join(root, 'hard'));
    write(root, 'single');
    fs.symlinkSync('a', join(root, 'link-first'));
    fs.symlinkSync('b', join(root, 'a/link-middle'));
    fs.symlinkSync('file', join(root, 'a/b/link-last'));
    fs.symlinkSync('/etc', join(root, 'out'));
    return root;
  }
  const refused: readonly [string, RegExp][] = [
    ['link-first/b/file', /link-first is a link/],
    ['a/link-middle/file', /link-middle is a link/],
    ['a/b/link-last', /it is a link/],
    ['out/passwd', /out is a link/],
    ['../x', /leads out/],
    ['a/../../x', /leads out/],
    ['a/b', /it is a folder/],
    ['a/b/file/x', /file is a link or not a folder/],
    ['', /names no file/],
    ['.', /names no file/],
  ];
  test.each(refused)('%j is refused', (path, why) => {
    const found = inside(realDisk, tree(), path);
    expect(found).toMatchObject({ ok: false, missing: false });
    expect(found.ok ? '' : found.why).toMatch(why);
  });

  test.each(['gone', 'a/gone', 'gone/a', '/etc/passwd'])('%j is missing', (path) => {
    expect(inside(realDisk, tree(), path)).toMatchObject({ ok: false, missing: true });
  });

  test('a real file behind real folders is found, a hard link only where it may be one', () => {
    const root = tree();
    const file = inside(realDisk, root, './a//b/file');
    expect(file).toMatchObject({ ok: true, path: join(root, 'a/b/file'), bytes: 5 });
    expect(inside(realDisk, root, 'hard').ok).toBe(true);
    const single = { single_link: true };
    expect(inside(realDisk, root, 'hard', single)).toMatchObject({ ok: false, missing: false });
    expect(inside(realDisk, root, 'single', single).ok).toBe(true);
  });
});

describe('snapshot and fingerprint', () => {
  test('hold the files of the work, and our settings, never through a link, and not our own output', () => {
    const at = layout();
    for (const path of [
      'a.txt',
      'd/b.txt',
      '.git/x',
      'd/node_modules/x',
      '.contracts/config.yaml',
      '.contracts/archive/x',
      '.contracts/memory/x',
      '.contracts/plans/x',
      'LEDGER.md',
    ]) {
      write(at.root, path);
    }
    addTask(at, 'ready');
    fs.symlinkSync('/etc', join(at.root, 'etc'));
    expect([...(snapshot(realDisk, at)?.keys() ?? [])].sort()).toEqual([
      '.contracts/config.yaml',
      'a.txt',
      'd/b.txt',
      'etc',
    ]);
  });

  test('change when a file does, and only then', () => {
    const at = layout();
    write(at.root, 'same');
    const file = write(at.root, 'file', 'one');
    write(at.root, 'gone');
    const before = snapshot(realDisk, at);
    expect(fingerprint(snapshot(realDisk, at))).toBe(fingerprint(before));
    fs.writeFileSync(file, 'two');
    fs.utimesSync(file, 1, 1);
    fs.rmSync(join(at.root, 'gone'));
    write(at.root, 'new');
    const after = snapshot(realDisk, at);
    expect(fingerprint(after)).not.toBe(fingerprint(before));
    expect(changesBetween(before!, after!)).toEqual([
      { path: 'file', kind: 'write' },
      { path: 'gone', kind: 'delete' },
      { path: 'new', kind: 'create' },
    ]);
    expect(changesBetween(after!, after!)).toEqual([]);
  });

  test('a folder that goes away while it is read is left out', () => {
    const at = layout();
    write(at.root, 'd/file');
    write(at.root, 'file');
    const disk = diskWith({
      list: (folder) => {
        const entries = realDisk.list(folder);
        fs.rmSync(join(at.root, 'd'), { recursive: true, force: true });
        return entries;
      },
    });
    expect([...(snapshot(disk, at)?.keys() ?? [])]).toEqual(['file']);
  });

  test('MOCK of a huge tree: there is no answer rather than a partial one', () => {
    const at = layout();
    const many = (count: number): Disk =>
      diskWith({
        list: () =>
          Array.from({ length: count }, (_, i) => ({ name: `f${i}`, kind: 'file' as const })),
        stat: () => ({
          kind: 'file',
          bytes: 1,
          mtime_ms: 1,
          ctime_ms: 1,
          inode: 1,
          device: 1,
          links: 1,
        }),
      });
    expect(snapshot(many(TREE_FILES_MAX), at)?.size).toBe(TREE_FILES_MAX);
    expect(snapshot(many(TREE_FILES_MAX + 1), at)).toBeUndefined();
    expect(fingerprint(undefined)).toBe('');
  });
});
