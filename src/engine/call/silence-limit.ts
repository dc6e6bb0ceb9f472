/** How long the agent of a task may leave its status.md as it is, before that is reported. */
import { executorOf } from '../../agents/engine/roles.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { limitsFor } from '../../task/core/model/policy.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { silenceLimitMs } from '../core/decide/heartbeat.ts';

/** In milliseconds. `contract`: undefined where it cannot be read. */
export function silenceLimitOf(ws: Workspace, contract: Contract | undefined): number {
  const { complexity, deliverables = [] } = contract?.head ?? {};
  const parts = (contract?.criteria.length ?? 0) + deliverables.length;
  const agent = contract && executorOf(ws, contract).definition;
  return silenceLimitMs({ complexity, parts, ...limitsFor(contract, agent, ws.config) });
}
