/** Gates of a task: those of its contract, and the one that the setting `gate` adds to all work. */
import { PERSON, personOr, type Contract } from '../../task/core/model/contract.ts';
import { gatesByContract } from '../../task/core/model/policy.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { agentsOf } from './registry.ts';
import { executorOf } from './roles.ts';

/**
 * Names of agents, or `person`, in the order in which they are asked. The setting adds one to those of the contract,
 * except where a person decides, or did the work: what a host took from a person's hands is work of an agent. An agent never approves its own work: then a person does.
 */
export function gatesFor(
  ws: Workspace,
  contract: Contract,
  attempts: readonly Attempt[] = [],
): readonly string[] {
  const gates = gatesByContract(contract, ws.config, attempts);
  const { gate } = ws.config;
  if (gate === undefined || !kindOf(ws, contract).works) return gates;
  const { name, adapter } = executorOf(ws, contract);
  const last = attempts.findLast(({ kind, lost, outcome }) => kind === 'work' && !lost && outcome);
  const by = last?.owner?.owner ?? (adapter?.mode === 'human' ? 'person' : 'process');
  if (by === 'person') return gates;
  const named = personOr(gate);
  const added = isSame(ws, named, name) ? PERSON : named;
  return gates.includes(added) ? gates : [...gates, added];
}

/** True for two names of one agent: `qa` and `dev/qa`. */
export function isSame(ws: Workspace, gate: string, executor: string): boolean {
  if (gate === executor) return true;
  const registry = agentsOf(ws);
  const whole = (name: string): string =>
    registry.isPlain(name) ? name : (registry.get(name)?.name ?? name);
  return whole(gate) === whole(executor);
}
