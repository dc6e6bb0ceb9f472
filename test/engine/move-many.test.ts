/** Many moves by one command: durable together, told only then, and a fault does not hide the others. */
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { moveManyByVerb } from '../../src/engine/commands/moves.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

let root: string;
let told: string[];

beforeEach(() => {
  root = sealedFolder('many');
  told = [];
  mkdirSync(join(root, '.contracts'));
  for (const id of ['one', 'two', 'three']) {
    putFile(
      join(root, 'active_tasks', 'draft', id, 'contract.md'),
      '---\ntitle: T\nverify: ["run: true"]\n---\n\n## Success Criteria\n\n- [ ] `true` passes\n\n## Steps\n\n```sh\ntrue\n```\n',
    );
  }
});

/** The real disk, whose renames and syncs are written down; the rename of `broken` fails. */
function open(broken = ''): Workspace {
  const disk: Disk = {
    ...realDisk,
    rename: (from, to) => {
      if (basename(from) === broken) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      told.push(`rename ${basename(from)}`);
      realDisk.rename(from, to);
    },
    sync: (folder) => {
      told.push(`sync ${basename(folder)}`);
      realDisk.sync(folder);
    },
  };
  return openedAt(root, { disk });
}

test('all renames come first, then each parent is synced once', () => {
  const { results } = moveManyByVerb(open(), 'confirm', ['one', 'two', 'three']);
  expect(results.map((one) => one.ok)).toEqual([true, true, true]);
  const moves = told.filter((line) => line !== 'sync active_tasks');
  expect(moves).toEqual(['rename one', 'rename two', 'rename three', 'sync ready', 'sync draft']);
  expect(readdirSync(join(root, 'active_tasks/ready')).sort()).toEqual(['one', 'three', 'two']);
});

test('what was moved before a fault is made durable and told, with the fault', () => {
  const many = moveManyByVerb(open('two'), 'confirm', ['one', 'two', 'three']);
  expect(many.results).toMatchObject([{ ok: true, value: { id: 'one', to: 'ready' } }]);
  expect(many.fault).toMatchObject({ code: 'EIO' });
  expect(told.at(-1)).toBe('sync draft');
  expect(readdirSync(join(root, 'active_tasks/draft')).sort()).toEqual(['three', 'two']);
});

test('one that is refused does not keep the others', () => {
  const { results } = moveManyByVerb(open(), 'confirm', ['one', 'nobody', 'three']);
  expect(results.map((one) => one.ok)).toEqual([true, false, true]);
});
