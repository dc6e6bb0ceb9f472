/** What was kept, accepted or forgotten survives a power cut, and no sync is there in vain. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  acceptCandidate,
  forgetLearning,
  keepLearning,
  readMemory,
} from '../../../src/memory/engine/store.ts';
import { CANDIDATES } from '../../../src/memory/engine/folder.ts';
import type { Workspace } from '../../../src/workspace/open/workspace.ts';
import { PowerCutDisk, type Ignores } from '../../support/power-cut-disk.ts';
import { makeWorld } from '../../support/world.ts';
import { kept } from '../kept.ts';

const SITE = /^memory\/engine\/store\.ts:/;

function keeps(ws: Workspace): void {
  keepLearning(ws, readMemory(ws), kept('Use Zod'), CANDIDATES);
}

function accepts(ws: Workspace): void {
  keeps(ws);
  const [one] = readMemory(ws).candidates;
  expect(acceptCandidate(ws, one!, 'preference')?.type).toBe('preference');
}

function forgets(ws: Workspace): void {
  keeps(ws);
  const [one] = readMemory(ws).candidates;
  forgetLearning(ws, one!);
}

function played(act: (ws: Workspace) => void, ignores?: Ignores) {
  const world = makeWorld();
  rmSync(join(world.root, '.contracts'), { recursive: true });
  const disk = new PowerCutDisk(world.root, ignores);
  const { ws } = world.process({});
  act({ ...ws, disk, putting: { ...ws.putting, disk } });
  return { findings: disk.notDurable('.contracts'), sites: [...disk.sites] };
}

test('a power cut takes nothing back; each sync of its own is needed for it', () => {
  const own = new Set<string>();
  const needed = new Set<string>();
  for (const act of [keeps, accepts, forgets]) {
    const { findings, sites } = played(act);
    expect(findings, act.name).toEqual([]);
    for (const site of sites.filter((one) => SITE.test(one))) {
      own.add(site);
      if (played(act, (one) => one === site).findings.length > 0) needed.add(site);
    }
  }
  expect(own.size).toBe(3);
  expect([...needed].toSorted()).toEqual([...own].toSorted());
});
