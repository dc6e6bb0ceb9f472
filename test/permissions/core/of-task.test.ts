/** Globs below every plan in a contract: which plans they are narrowed to. */
import { expect, test } from 'vitest';
import { ofTask, ROLES } from '../../../src/permissions/core/roles.ts';
import { READ_ONLY } from '../../../src/task/core/model/permissions.ts';
import { makeContract } from '../../engine/core/make.ts';

test.each([
  ['p', [], ['p']],
  ['p', ['.contracts/plans/other/x.md'], ['p', 'other']],
  ['..', [], []],
  ['../agents', [], []],
  ['*', [], []],
  ['**', [], []],
  ['{p,q}', [], []],
  ['p/**', [], []],
  ['p', ['.contracts/plans/../x.md', '.contracts/plans/*/x.md'], ['p']],
] as const)('plan %j, deliverables %j: %j', (plan, deliverables, plans) => {
  const contract = makeContract({ head: { plan, deliverables: [...deliverables] } });
  const { write } = ofTask(ROLES.get('sm')?.permissions ?? READ_ONLY, contract);
  expect(write).toEqual(plans.map((one) => `.contracts/plans/${one}/stories/**`));
});
