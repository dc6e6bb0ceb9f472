/** What is shut in folders that are open for something else: a table over one tree, and both limits. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFolders } from '../../src/task/core/base/folders.ts';
import { besideNamed } from '../../src/sandbox/engine/beside.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

const FILES =
  'USAGE.md a.json a[1].md docs/guide.md docs/other.md src/a.ts src/b.js src/deep/c.ts .git/HEAD';

function tree(files = FILES): string {
  const root = sealedFolder('beside');
  for (const path of files.split(' ')) putFile(join(root, path), '');
  return root;
}

/** Paths relative to the root, sorted. */
function shutBy(root: string, ...lists: string[][]) {
  const { folders } = openFolders(lists.at(-1) ?? [], []);
  const { places, is_whole } = besideNamed(root, folders, lists, (path) => path.endsWith('/.git'));
  return { shut: places.map(({ path }) => relative(root, path)).sort(), is_whole };
}

describe('beside what globs name', () => {
  test.each([
    [['USAGE.md'], 'a.json a[1].md docs src'],
    [['USAGE.md', 'docs/guide.md'], 'a.json a[1].md docs/other.md src'],
    [['*.md'], 'a.json docs src'],
    [['src/*.ts'], 'src/b.js src/deep'],
    [['src/**/*.ts'], 'src/b.js'],
    [['**/*.ts'], 'USAGE.md a.json a[1].md docs/guide.md docs/other.md src/b.js'],
    [['new.md', 'src/**'], 'USAGE.md a.json a[1].md docs'],
    [['a[1].md'], 'USAGE.md a.json a[1].md docs src'],
    [['**'], ''],
  ])('%j shuts %s', (globs, shut) => {
    expect(shutBy(tree(), globs)).toEqual({
      shut: shut.split(' ').filter(Boolean),
      is_whole: true,
    });
  });

  test('a path must be named by the agent and by the contract', () => {
    const { shut } = shutBy(tree(), ['src/**', 'docs/**'], ['**/a.ts', 'docs/guide.md']);
    expect(shut).toEqual([
      'USAGE.md',
      'a.json',
      'a[1].md',
      'docs/other.md',
      'src/b.js',
      'src/deep/c.ts',
    ]);
  });

  test('a link cannot be shut', () => {
    const root = tree('USAGE.md a.json');
    symlinkSync('a.json', join(root, 'link'));
    expect(shutBy(root, ['USAGE.md'])).toEqual({ shut: ['a.json'], is_whole: false });
  });

  test('a folder with too many stays open as a whole, and others are shut', () => {
    const many = Array.from({ length: 600 }, (_, n) => `docs/${n}.txt`).join(' ');
    const root = tree(`USAGE.md a.json docs/a.md ${many}`);
    expect(shutBy(root, ['USAGE.md', 'docs/a.md'])).toEqual({ shut: ['a.json'], is_whole: false });
  });

  test('not every folder of a large tree is looked at', () => {
    const root = tree(Array.from({ length: 120 }, (_, n) => `d${n}/a.txt`).join(' '));
    mkdirSync(join(root, 'none'));
    const { shut, is_whole } = shutBy(root, ['**/*.md']);
    expect(is_whole).toBe(false);
    expect(shut).toHaveLength(99);
  });
});
