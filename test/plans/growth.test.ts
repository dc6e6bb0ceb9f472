/**
 * What a plan costs, counted and not timed: twice the items ask for twice as much, and a step reads no contract
 * of a blocked task that has no plan.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readBoard } from '../../src/engine/board/board.ts';
import { KEPT_TASKS_MIN } from '../../src/engine/cache/row-cache.ts';
import { init } from '../../src/engine/setup/init.ts';
import { step } from '../../src/engine/step/step.ts';
import { projectedBoxes } from '../../src/plans/core/box-projection.ts';
import { expandPlan } from '../../src/plans/core/expand.ts';
import type { PlanItem } from '../../src/plans/core/plan-document.ts';
import { keepStops } from '../../src/plans/engine/records/run-reports.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { unsyncedDisk } from '../support/faulty-disk.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { around, item, planOf } from './core/make-plan.ts';
import { openedAt } from '../support/opened.ts';

describe('twice the items ask for twice as much', () => {
  const GROUP = 10;

  /** How often a key, or the key of the group, is asked for. */
  function looksOf(count: number, act: (items: readonly PlanItem[]) => unknown): number {
    let looks = 0;
    const made = Array.from({ length: count }, (_, i) => {
      const group = `g-${i - (i % GROUP)}`;
      if (i % GROUP === 0) return item(group, { kind: 'group' });
      const depends = i % GROUP > 2 ? [`t-${i - 1}`, `t-${i - 2}`] : [];
      return item(`t-${i}`, { within: group, depends, context_from: depends, wave: 1 });
    });
    const { items } = planOf(made);
    for (const one of items) {
      const { key, within } = one;
      const counted = (value: unknown) => ({ get: () => (looks++, value), enumerable: true });
      Object.defineProperties(one, { key: counted(key), within: counted(within) });
    }
    act(items);
    return looks;
  }

  test.each<[string, (items: readonly PlanItem[]) => unknown]>([
    [
      'contracts',
      (items) => {
        const { drafts } = expandPlan(planOf([], { items }), around({ names: ['builder'] }));
        expect(drafts).toHaveLength((items.length * (GROUP - 1)) / GROUP);
      },
    ],
    [
      'boxes',
      (items) => {
        const done = [{ id: 'x', state: 'done' as const }];
        expect(projectedBoxes(planOf([], { items }), () => done)).toHaveLength(items.length);
      },
    ],
  ])('%s', (_name, act) => {
    const [some, more] = [looksOf(200, act), looksOf(400, act)];
    expect(some).toBeGreaterThan(200);
    expect(more / some).toBeLessThan(2.1);
  });
});

describe('with rows of an earlier look', () => {
  const BLOCKED = KEPT_TASKS_MIN;
  let root = '';
  const read: string[] = [];
  const write = (path: string, text: string): void => putFile(join(root, path), text);
  const contract = (head: string): string =>
    `---\ntitle: A task\n${head}---\n\n## Success Criteria\n\n- [ ] it is there\n`;

  beforeEach(() => {
    root = sealedFolder('growth');
    init(unsyncedDisk, root);
    write('.contracts/plans/some/plan.md', '# Some\n\n- [ ] One\n');
    for (let n = 0; n < BLOCKED; n++) {
      const folder = `active_tasks/blocked/b-${n}`;
      write(`${folder}/contract.md`, contract(n === 0 ? 'plan: some\n' : ''));
      write(`${folder}/blocked.md`, '# Blocked\n\n## Problem\n\nIt is stuck.\n\n## Resolution\n');
    }
    read.length = 0;
  });

  /** As if the look came a minute after the last change, so that all files are settled. */
  function open(): Workspace {
    const disk: Disk = {
      ...unsyncedDisk,
      read: (path, ...rest) => {
        if (path.endsWith('/contract.md')) read.push(path);
        return unsyncedDisk.read(path, ...rest);
      },
    };
    const ws = openedAt(root, { disk });
    const { machine } = ws;
    const now = (): Date => new Date(Date.now() + 60_000);
    return { ...ws, machine: { ...machine, now }, trusted: true };
  }

  test('only the contract is read whose report is missing', async () => {
    for (let n = 0; n < 2; n++) await step(open(), { emit: () => undefined });
    rmSync(join(root, '.contracts/plans/some/runs'), { recursive: true });
    read.length = 0;
    const ws = open();
    const kept = keepStops(ws, readBoard(ws, { quick: 'rows' }).tasks.values(), new Set());
    expect(kept).toEqual(['.contracts/plans/some/runs/b-0-0.md']);
    expect(read.map((path) => path.split('/').at(-2))).toEqual(['b-0']);
  });
});
