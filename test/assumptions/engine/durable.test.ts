/** What was assumed or settled survives a power cut, and no sync is there in vain. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  closeAssumption,
  keepAssumption,
  openAssumptions,
} from '../../../src/assumptions/engine/store.ts';
import { PowerCutDisk, type Ignores } from '../../support/power-cut-disk.ts';
import { makeWorld } from '../../support/world.ts';
import { assumed } from '../assumed.ts';

const SITE = /^assumptions\/engine\/store\.ts:/;

function played(ignores?: Ignores) {
  const world = makeWorld();
  rmSync(join(world.root, '.contracts'), { recursive: true });
  const disk = new PowerCutDisk(world.root, ignores);
  const { ws } = world.process({});
  const there = { ...ws, disk, putting: { ...ws.putting, disk } };
  keepAssumption(there, assumed());
  const [one] = openAssumptions(there).open;
  closeAssumption(there, one!, 'rejected');
  return { findings: disk.notDurable('.contracts'), sites: [...disk.sites] };
}

test('a power cut takes nothing back; each sync of its own is needed for it', () => {
  const { findings, sites } = played();
  expect(findings).toEqual([]);
  const own = sites.filter((site) => SITE.test(site));
  expect(own).toHaveLength(2);
  for (const site of own) expect(played((one) => one === site).findings, site).not.toEqual([]);
});
