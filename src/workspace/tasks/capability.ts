/**
 * How a capability joins: squads, checkpoints, plans and delegation are values of this shape, and whoever
 * opens a workspace gives the list (src/capabilities.ts). Each point is asked in the order of the list.
 * The first line of each looks at the contract's head alone, so that a task that does not use the
 * capability costs no look at the disk; heavy work is behind a lazy import.
 */
import type { Contract } from '../../task/core/model/contract.ts';
import type { Workspace } from '../open/workspace.ts';

export interface Capability {
  /** The name of its folder. */
  readonly name: string;
  /** What a contract leaves open, filled in: the contract as it holds. */
  readonly contract?: (ws: Workspace, contract: Contract) => Contract;
}

function capabilitiesOf(ws: Workspace): readonly Capability[] {
  return ws.capabilities as readonly Capability[];
}

/** The contract with what the capabilities say where it says nothing. Nothing of it is written back. */
export function completed(ws: Workspace, contract: Contract): Contract {
  let whole = contract;
  for (const one of capabilitiesOf(ws)) whole = one.contract?.(ws, whole) ?? whole;
  return whole;
}
