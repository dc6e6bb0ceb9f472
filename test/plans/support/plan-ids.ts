/** The id of a task of a plan that this version starts. */
import { planIds, type Hash } from '../../../src/plans/core/plan-ids.ts';

const idsOf = (plan: string, hash: Hash) => planIds(plan, hash);

export const planTaskId = (plan: string, key: string, hash: Hash): string =>
  idsOf(plan, hash).task(key);

export const checkpointId = (plan: string, wave: number, hash: Hash): string =>
  idsOf(plan, hash).checkpoint(wave);
