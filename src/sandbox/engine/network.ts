/** Who has no network, by which settings. Each place may only close it (docs/security.md, the network). */
import type { Contract } from '../../task/core/model/contract.ts';
import type { NETWORKS } from '../../task/core/model/contract-shape.ts';
import { textOf } from '../../process/path-kind.ts';
import { sandboxLevel } from '../../task/core/model/policy.ts';
import { Fault, type Report } from '../../task/core/model/problem.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { RoleAsked } from '../../workspace/tasks/capability.ts';

export interface Closed {
  /** The settings that close it, such as `network: none in .contracts/config.yaml`. */
  readonly by: string;
  /** The line to write in each of these places. */
  readonly fix: string;
}

type Whose = 'agent' | 'check' | 'setup';

/** undefined where the network is open. `setup` prepares a worktree: it may fetch where checks may not. */
export function networkClosed(
  { person, config }: Pick<Workspace, 'person' | 'config'>,
  contract: Contract | undefined,
  whose: Whose,
  agent?: RoleAsked,
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

/** Output of a program that could not reach a host, a service of this machine among them. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|E(?:NET|HOST)UNREACH)\b|\bERR_(?:NAME_NOT|INTERNET_DIS|ADDRESS_UN)|(?:could not|unable to) resolve (?:host|proxy)|failure resolving|unknown ?host|(?:name|address) resolution|name or service not known|(?:network is|host) unreachable|no such host/i;
const REFUSED =
  /CONN(?:ECTION_)?REFUSED|connection refused|couldn't connect to server|TypeError: fetch failed/i;
/** Lines of a test that passed, in the words of its runner. */
const PASSED = /^\s*(?:[✓✔√]|ok \d|# Subtest|--- PASS|PASS\b).*|^.*\bPASSED\b.*/gm;
const OWN_PORT = /(?:\b127\.0\.0\.1|\blocalhost|::1\]?)(?::| port |, port )(\d+)/g;

/** Something outside of the sandbox listens there. A check whose own server is down needs no network. */
function listens(port: string): boolean {
  const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
  const known = textOf('/proc/net/tcp') + textOf('/proc/net/tcp6');
  return new RegExp(`:${hex} \\S+ 0A `).test(known);
}

/** A check that fails so is no work to be done again. It is not tried with a network: it runs the agent's code. */
export function networkFault(check: string, output: string, { by, fix }: Closed) {
  const failed = output.replaceAll(PASSED, '');
  const ports = [...failed.matchAll(OWN_PORT)].map(([, port = '']) => port);
  const isRefused = REFUSED.test(failed) && (ports.length === 0 || ports.some(listens));
  if (!isRefused && !UNREACHABLE.test(failed)) return undefined;
  const message = `check \`${check}\` could not reach a host or service, and ${by} closes the network`;
  return new Fault('network', message, { fix: `${fix}; or change the check to do without it` });
}

/** Before a call: what needs the network that is closed, and a closed network that nothing would hold. */
export function checkNetwork(
  ws: Workspace,
  contract: Contract,
  role: RoleAsked & {
    readonly adapter: { readonly client?: object; readonly relays?: true } | undefined;
  },
  isInstalled: () => boolean,
  report: Report,
): void {
  // An agent on another machine has the network of its worker closed, by the same words.
  const isHere = role.adapter?.relays === undefined;
  const closed = isHere ? networkClosed(ws, contract, 'agent', role) : undefined;
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
