/**
 * The ground of a work attempt, taken before its agent is called; what is in the way of a worktree
 * ends the attempt. And what became of it, once the agent has ended or was found dead.
 */
import type { Contract } from '../../task/core/model/contract.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { AgentRecord } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { compareLeft } from '../../authority/engine/audit/audit-attempt.ts';
import type { Compared } from '../../authority/engine/audit/compare.ts';
import type { Role } from '../../agents/engine/roles.ts';
import { Clashed, writeClash } from '../../worktrees/engine/conflict.ts';
import { isolationOf, sharedGround, type Ground } from '../../worktrees/engine/workdir.ts';
import { leftGround, settleGround, type Settled } from '../../worktrees/engine/settle-attempt.ts';
import { startGround } from '../../worktrees/engine/start-attempt.ts';
import { Uncleared } from '../../worktrees/engine/worktree.ts';
import { authorityFor } from '../../authority/engine/rights/effective-authority.ts';
import { conclude } from './conclude.ts';
import { atPlace, type Running } from '../../workspace/tasks/attempt-context.ts';

export type Taken =
  | { readonly ground: Ground }
  /** The attempt is over: where the task stands then. */
  | { readonly ended: State | undefined };

export function takeGround(running: Running, contract: Contract, role: Role): Taken {
  const { ws } = running;
  const isolation = isolationOf(contract, ws.config, role.adapter?.mode ?? 'process');
  if (isolation === 'shared') return { ground: sharedGround(running) };
  try {
    return { ground: startGround(running) };
  } catch (error) {
    if (error instanceof Clashed) return { ended: clashed(running, role, error) };
    if (!(error instanceof Fault)) throw error;
    if (error instanceof Uncleared) {
      const reason = error.message;
      return { ended: conclude(running, role, { outcome: 'blocked', reason }, {}) };
    }
    conclude(running, role, { outcome: 'interrupted', reason: error.message }, {});
    throw error;
  }
}

/** What it would have to begin with does not go together: a person says how it can go on. */
function clashed(running: Running, role: Role, { clash, message }: Clashed): State | undefined {
  atPlace(running, ({ folder }) =>
    writeClash(running.ws, attemptFolder(folder, running.number), clash),
  );
  return conclude(running, role, { outcome: 'blocked', reason: message }, {});
}

export interface Settling {
  readonly ground: Ground;
  readonly settled: Settled | undefined;
  readonly compared?: Compared | undefined;
}

/** What an agent whose runner had died did in its worktree; also of a host's, by files alone. */
export function settleLeft(
  running: Running,
  role: Role | undefined,
  source: number,
  agent?: AgentRecord,
): Settling {
  const { ws, contract } = running;
  const own = leftGround(running, source);
  const ground = own ?? sharedGround(running);
  const compared = compareLeft(running, ground, source, agent);
  if (own === undefined || role === undefined || contract === undefined) {
    return { ground, settled: undefined, compared };
  }
  const authority = authorityFor(ws.layout, role, contract);
  const settled = settleGround(running, own, authority, source, compared?.violations);
  return { ground, settled, compared };
}
