/** Who has no network, by which settings. Each place may only close it (docs/security.md, the network). */
import type { Contract } from '../../task/core/model/contract.ts';
import type { NETWORKS } from '../../task/core/model/contract-shape.ts';
import { sandboxLevel } from '../../task/core/model/policy.ts';
import { Fault, type Report } from '../../task/core/model/problem.ts';
import type { AgentDefinition } from '../../agents/core/agents.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Closed {
  /** The settings that close it, such as `network: none in .contracts/config.yaml`. */
  readonly by: string;
  /** The line to write in each of these places. */
  readonly fix: string;
}

interface Called {
  readonly name: string;
  readonly definition: AgentDefinition | undefined;
}

type Whose = 'agent' | 'check' | 'setup';

/** undefined where the network is open. `setup` prepares a worktree: it may fetch where checks may not. */
export function networkClosed(
  { person, config }: Pick<Workspace, 'person' | 'config'>,
  contract: Contract | undefined,
  whose: Whose,
  agent?: Called,
): Closed | undefined {
  const places: readonly (readonly [string, (typeof NETWORKS)[number] | undefined])[] = [
    ['your own settings', person.network],
    ['.contracts/config.yaml', config.network],
    ['the contract', contract?.head.network],
    [`the agent ${agent?.name ?? ''}`, agent?.definition?.network],
  ];
  const isShut = (as = 'open'): boolean => as === 'none' || (as === 'agents' && whose === 'check');
  const closing = places.filter(([, as]) => isShut(as));
  if (closing.length === 0) return undefined;
  const lines = closing.map(([place]) => {
    const own = whose !== 'agent' || place.startsWith('the agent ');
    return `network: ${own ? 'open' : 'agents'} in ${place}`;
  });
  const by = closing.map(([place, as]) => `network: ${as ?? ''} in ${place}`).join(' and ');
  return { by, fix: `Write ${lines.join(', and ')}` };
}

export function closedFault({ by, fix }: Closed, why: string): Fault {
  const message = `${by} needs a sandbox${why === '' ? ', which is off' : `, and ${why}`}`;
  return new Fault('sandbox', message, {
    fix: `Install bubblewrap and use sandbox: auto. Or: ${fix}`,
  });
}

/** What a program prints that could not reach a host, a service of this machine among them. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED)\b|could not resolve|(?:name|address) resolution|name or service not known|network is unreachable|connection refused|no such host|failed to resolve/i;

/** A check that fails so is no work to be done again. It is not tried with a network: it runs the agent's code. */
export function networkFault(
  check: string,
  output: string,
  { by, fix }: Closed,
): Fault | undefined {
  if (!UNREACHABLE.test(output)) return undefined;
  const message = `check \`${check}\` could not reach a host or service, and ${by} closes the network`;
  return new Fault('sandbox', message, { fix: `${fix}; or change the check to do without it` });
}

/** Before a call: what needs the network that is closed, and a closed network that nothing would hold. */
export function checkNetwork(
  ws: Workspace,
  contract: Contract,
  role: Called & { readonly adapter: { readonly client?: object } | undefined },
  isInstalled: () => boolean,
  report: Report,
): void {
  const closed = networkClosed(ws, contract, 'agent', role);
  const keys = ['network', 'agent'];
  if (closed !== undefined && role.adapter?.client !== undefined) {
    const message = `the client of ${role.name} needs the network, and ${closed.by} closes it`;
    return report('environment', message, `${closed.fix}, or name another agent`, { keys });
  }
  const any = closed ?? networkClosed(ws, contract, 'check');
  if (any === undefined) return;
  const is_here = isInstalled();
  if (is_here && sandboxLevel(contract, ws.config) !== 'none') return;
  const { message, fix } = closedFault(any, is_here ? '' : 'bubblewrap is not installed here');
  report('environment', message, fix ?? '', { keys: ['network', 'sandbox'] });
}
