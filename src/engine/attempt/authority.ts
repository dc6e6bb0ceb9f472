/**
 * The authority of one role in one contract: the role's own, narrowed by the contract, never widened.
 */
import { OPEN, type Authority } from '../../core/authority.ts';
import type { Contract } from '../../core/contract.ts';
import type { Role } from '../preflight.ts';

export function authorityFor(role: Role, contract: Contract): Authority {
  const write = contract.head.write ?? role.definition?.write;
  return write === undefined ? OPEN : { ...OPEN, write, create: write, append: write };
}
