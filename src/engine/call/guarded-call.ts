/**
 * The only way to an agent: its permissions and the state of everything it could change are recorded in
 * the attempt, then it is called, then what it changed is compared and its worktree settled, before
 * anything that it handed in is judged. Fails closed: without the record no agent is called, and where
 * the comparison fails the attempt stays open with its record, for the next step to compare.
 */
import { permissionsFor } from '../../permissions/engine/enforce/effective-permissions.ts';
import { compareAfter, leftBaseline } from '../../permissions/engine/audit/audit-attempt.ts';
import { watchChecks } from '../../permissions/engine/audit/audit-checks.ts';
import type { Compared, CompareOptions } from '../../permissions/engine/audit/compare.ts';
import { keepBaseline } from '../../permissions/engine/audit/snapshot-file.ts';
import { keepTree } from '../../permissions/engine/audit/shared-tree.ts';
import { takeBaseline, type Baseline } from '../../permissions/engine/audit/snapshot.ts';
import type { Role } from '../../agents/engine/roles.ts';
import type { AgentRecord } from '../../task/core/attempts/record.ts';
import { isBy, type Check, type Contract } from '../../task/core/model/contract.ts';
import { READ_ONLY } from '../../task/core/model/permissions.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { Snapshot } from '../../task/store/snapshots/fingerprint.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { leftWorkdir, settleWorkdir, type Settled } from '../../worktrees/engine/settle-attempt.ts';
import { sharedWorkdir, type Workdir } from '../../worktrees/engine/workdir.ts';
import { claimedContract, contractsNow, keepConfirmed } from '../attempt/contract-confirmation.ts';
import type { CallOptions } from '../brief/brief.ts';
import { callAgent, type Called } from './call.ts';

/** Once for an attempt, before its desk is made. Throws a Fault where it cannot be recorded. */
export function guardAttempt(
  running: Running,
  contract: Contract,
  role: Role,
  workdir: Workdir,
): Baseline {
  const works = running.kind === 'work';
  const permissions = works ? permissionsFor(running.ws.layout, role, contract) : READ_ONLY;
  // Of an agent that is called elsewhere nothing runs here.
  const contracts = role.adapter?.relays ? new Map() : contractsNow(running);
  const baseline = takeBaseline(running, { workdir, permissions, contracts });
  if (keepBaseline(running, baseline)) {
    if (works && workdir.isolation === 'shared') keepTree(running, () => baseline.seen.tree);
    return baseline;
  }
  const fix = 'Step again: nothing was called';
  throw new Fault('tree', `${running.id} was removed, or taken over, before its call`, { fix });
}

interface Guarded extends Settling {
  readonly called: Called;
  readonly compared: Compared;
}

/** Calls the agent and compares what it did. A Fault of the call is returned: there is nothing to judge. */
export async function guardedCall(
  running: Running,
  contract: Contract,
  options: CallOptions,
): Promise<Guarded | Fault> {
  const { guard } = options;
  let called: Called;
  try {
    called = await callAgent(running, contract, options);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  const compared = compareGuarded(running, guard, { reach: called.reach });
  const settled =
    running.kind === 'work'
      ? settleWorkdir([
          running,
          guard.workdir,
          guard.permissions,
          running.number,
          compared.violations,
        ])
      : undefined;
  return { called, workdir: guard.workdir, compared, settled };
}

/** The contracts first: all that follows reads them. */
function compareGuarded(running: Running, guard: Baseline, options: CompareOptions): Compared {
  keepConfirmed(running, guard.contracts, options.source);
  return compareAfter(running, guard, options);
}

export interface Settling {
  readonly workdir: Workdir;
  readonly settled: Settled | undefined;
  readonly compared?: Compared | undefined;
}

/** Settles the worktree of a dead runner's agent, or of a host's. */
export function settleLeft(
  running: Running,
  role: Role | undefined,
  source: number,
  agent?: AgentRecord,
): Settling {
  const { ws, contract } = running;
  const own = leftWorkdir(running, source);
  const workdir = own ?? sharedWorkdir(running);
  const compared = compareLeft(running, workdir, source, agent);
  if (own === undefined || role === undefined || contract === undefined) {
    return { workdir, settled: undefined, compared };
  }
  const permissions = permissionsFor(ws.layout, role, contract);
  const settled = settleWorkdir([running, own, permissions, source, compared?.violations]);
  return { workdir, settled, compared };
}

/** `source` is the attempt whose agent worked, which a recovery has put aside; `agent` its start. */
export function compareLeft(
  running: Running,
  workdir: Workdir,
  source: number,
  agent?: AgentRecord,
): Compared | undefined {
  const guard = leftBaseline(running, workdir, source, source !== running.number);
  if (guard === undefined) return undefined;
  const { writes, shut = [] } = agent ?? {};
  const reach = writes === undefined ? undefined : { writes, shut };
  return compareGuarded(running, guard, { source, reach });
}

/** Notes what dead agents did to contracts, where nothing else of them is taken over. */
export function keepConfirmedOfDead(running: Running): void {
  const workdir = sharedWorkdir(running);
  for (const dead of running.task.attempts) {
    const { number, agent } = dead;
    if (number <= running.owner.base || agent === undefined) continue;
    const guard = leftBaseline(running, workdir, number, true);
    keepConfirmed(running, guard?.contracts ?? claimedContract(running, dead), number);
  }
}

/** Guards checks, which run what an agent wrote: see watchChecks. */
export function guardChecks(
  running: Running,
  contract: Contract,
  checks: readonly Check[],
  workdir: Workdir,
  tree?: Snapshot,
): () => readonly string[] {
  const runs = checks.filter((one) => isBy(one, 'program'));
  if (runs.length === 0) return () => [];
  const contracts = contractsNow(running);
  const beyond = watchChecks(running, contract, runs, workdir, tree);
  return () => {
    keepConfirmed(running, contracts);
    return beyond();
  };
}
