/** The points at which plans join: of a task of no plan, none of them looks at the workspace. */
import { expect, test } from 'vitest';
import { plans } from '../../src/plans/engine/follow/capability.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { makeContract, makeTask } from '../engine/core/make.ts';

const UNSEEN = new Proxy({} as Workspace, {
  get: (_, name) => {
    throw new Error(`looked at ${String(name)}`);
  },
});

test('a task of no plan costs no look (a workspace that throws is in for the real one)', () => {
  const loose = makeContract();
  const planned = makeContract({ head: { plan: 'p' } });
  expect(plans.hold?.(UNSEEN, loose, makeTask('ready'), new Map())).toBe(undefined);
  expect(() => plans.hold?.(UNSEEN, planned, makeTask('ready'), new Map())).toThrow('looked at');
  expect(plans.turn?.(loose)).toBe(undefined);
  expect(plans.turn?.(planned)?.key).toBe('plan p');
  expect(plans.makes?.(loose, 'a-tbt4')).toBe(undefined);
  expect(plans.makes?.(planned, 'a-tbt4')).toBe('contracts plan start p');
  expect(plans.makes?.(planned, 'of-mine')).toBe(undefined);
});
