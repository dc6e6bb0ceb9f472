/** A contract with what the capabilities say where it says nothing. Nothing of it is written back. */
import type { Contract } from '../../task/core/model/contract.ts';
import type { Workspace } from '../open/workspace.ts';

/** The point `contract` of a capability (capability.ts), apart because a task is read below it. */
export interface ContractPoint {
  /** Fills in what a contract leaves open. */
  readonly contract?: (ws: Workspace, contract: Contract) => Contract;
}

export function completed(ws: Workspace, contract: Contract): Contract {
  let whole = contract;
  for (const one of ws.capabilities as readonly ContractPoint[]) {
    whole = one.contract?.(ws, whole) ?? whole;
  }
  return whole;
}
