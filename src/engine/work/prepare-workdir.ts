/** Prepares and records the workdir of a work attempt. What is in the way of a worktree ends the attempt. */
import { ended } from '../core/words/outcomes.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import type { Baseline } from '../../permissions/engine/audit/snapshot.ts';
import type { Role } from '../../agents/engine/roles.ts';
import { ConflictError, writeConflict } from '../../worktrees/engine/conflict.ts';
import { isolationOf, sharedWorkdir, type Workdir } from '../../worktrees/engine/workdir.ts';
import { startWorkdir } from '../../worktrees/engine/start-attempt.ts';
import { Uncleared } from '../../worktrees/engine/worktree.ts';
import { guardAttempt } from '../call/guarded-call.ts';
import { checkBeforeWork } from '../verify/before-work.ts';
import { conclude } from './conclude.ts';
import { prepareTree } from './prepare-tree.ts';
import { atPlace, type Running } from '../../workspace/tasks/attempt-context.ts';

/** The attempt is over, and the task is in this state. */
interface Ended {
  readonly ended: State | undefined;
}

/** undefined where there is nothing to do: awaiting it would reorder the lines of a step. */
function preparedTree(running: Running, role: Role, workdir: Workdir): Promise<void> | undefined {
  return prepareTree(running, workdir)?.catch((error: unknown) => {
    if (error instanceof Fault) conclude(running, role, ended('fault', error), {});
    throw error;
  });
}

/** The checks run before the comparison begins: what they write is not the agent's. None precede a host's call. */
export async function prepareCall(
  running: Running,
  contract: Contract,
  role: Role,
): Promise<{ readonly guard: Baseline; readonly noticed: readonly string[] } | Ended> {
  const workdir = workdirFor(running, contract, role);
  if ('ended' in workdir) return workdir;
  const preparing = preparedTree(running, role, workdir);
  if (preparing !== undefined) await preparing;
  const isHost = running.owner.owner === 'host';
  const noticed = isHost ? [] : await checkBeforeWork(running, contract, workdir);
  return { guard: guardAttempt(running, contract, role, workdir), noticed };
}

function workdirFor(running: Running, contract: Contract, role: Role): Workdir | Ended {
  const { ws } = running;
  const isolation = isolationOf(contract, ws.config, role.adapter);
  if (isolation === 'shared') return sharedWorkdir(running);
  try {
    return startWorkdir(running);
  } catch (error) {
    if (error instanceof ConflictError) return { ended: endBlocked(running, role, error) };
    if (!(error instanceof Fault)) throw error;
    if (error instanceof Uncleared) {
      return { ended: conclude(running, role, ended('folder_taken', error), {}) };
    }
    conclude(running, role, ended('fault', error), {});
    throw error;
  }
}

/** The branches that it begins with are in conflict: a person decides. */
function endBlocked(running: Running, role: Role, error: ConflictError): State | undefined {
  atPlace(running, ({ folder }) =>
    writeConflict(running.ws, attemptFolder(folder, running.number), error.conflict),
  );
  return conclude(running, role, ended('merge_conflict', error), {});
}
