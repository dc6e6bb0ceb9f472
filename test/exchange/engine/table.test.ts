/** The table of an import is durable with its folders, and none of its syncs is there in vain. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tablePath, writeTable, type Table } from '../../../src/exchange/engine/table.ts';
import { PowerCutDisk, type Ignores } from '../../support/power-cut-disk.ts';
import { makeWorld } from '../../support/world.ts';

const SITE = /^task\/store\/tasks\/tasks\.ts:/;

function written(ignores?: Ignores) {
  const world = makeWorld();
  rmSync(join(world.root, '.contracts'), { recursive: true });
  const disk = new PowerCutDisk(world.root, ignores);
  const { ws } = world.process({});
  const putting = { ...ws.putting, disk };
  const tasks: Table['tasks'] = new Map();
  const table: Table = { v: 1, tool: 'markdown', path: 'todo.md', list: '', complete: true, tasks };
  writeTable({ ...ws, disk, putting }, tablePath(ws, 'contracts', 'todo'), table);
  return { findings: disk.notDurable('.contracts'), sites: [...disk.sites] };
}

test('a power cut takes nothing of the table back; each sync of its own is needed for it', () => {
  const { findings, sites } = written();
  expect(findings).toEqual([]);
  const own = sites.filter((site) => SITE.test(site));
  expect(own).not.toEqual([]);
  for (const site of own) expect(written((one) => one === site).findings).not.toEqual([]);
});
