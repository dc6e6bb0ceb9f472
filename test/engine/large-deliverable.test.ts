/** A deliverable of more than 64 MiB is told apart by its contents, as a small one is. */
import { truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspectDeliverables, look } from '../../src/engine/attempt/deliverables.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import type { Running } from '../../src/workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

const BYTES = 65 * 1024 * 1024;

test('a large file that was only touched has not changed; one with another byte has', () => {
  const root = sealedFolder('large');
  const file = join(root, 'big.bin');
  writeFileSync(file, 'a');
  truncateSync(file, BYTES);
  const layout = { root, tasks: join(root, 'active_tasks') };
  const ws = { disk: realDisk, layout } as Workspace;
  const before = look(ws, 'big.bin');
  utimesSync(file, 1, 1);
  expect(look(ws, 'big.bin')).toEqual(before);
  writeFileSync(file, 'b', { flag: 'r+' });
  expect(look(ws, 'big.bin').hash).not.toBe(before.hash);
  const running = { ws, task: { attempts: [] as readonly unknown[] } } as Running;
  const [seen] = inspectDeliverables(running, ['big.bin'], layout);
  expect(seen).toMatchObject({ bytes: BYTES, before: undefined });
});
