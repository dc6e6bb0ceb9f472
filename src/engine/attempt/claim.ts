/**
 * From a decision to a won claim (docs/protocol.md#claim): the owner's record, the race for the number,
 * and the fence around dead attempts. A recovery reads again before it claims and after it fenced.
 */
import type { Contract } from '../../task/core/model/contract.ts';
import { deadBase, highestCommitted, leftBehind } from '../../task/core/attempts/open-attempt.ts';
import type { OwnerRecord } from '../../task/core/attempts/record.ts';
import type { TaskRead, WholeTask } from '../../task/core/model/task.ts';
import { claim, fence, listAttempts, withdraw } from '../../task/store/tasks/claims.ts';
import { attemptFolder, deskFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { publishKey } from '../../trust/sign.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { baseline } from './deliverables.ts';
import { EARLIER, earlierRecord } from './previous-files.ts';
import { holderOf } from '../../workspace/tasks/liveness.ts';
import { wholeTask } from '../../workspace/tasks/read-task.ts';
import { redactLost } from '../../workspace/tasks/redact.ts';
import {
  atPlace,
  bytesOf,
  isHighest,
  type Claim,
  type Context,
  type Running,
} from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** undefined when the race was lost: another process works on it, or a person moved it. */
export function claimAttempt(context: Context, read: TaskRead, action: Claim, agent: string) {
  const { ws, emit } = context;
  const task = wholeTask(ws, read);
  const folder = taskFolder(ws.layout, task.state, task.id);
  const lost = (reason: string): undefined => {
    emit({ event: 'lost_race', task: task.id, reason });
  };
  const looked = action.recovers ? stillDead(ws, task, folder) : task;
  if (looked === undefined) return lost('what was left of it is not as it was read');
  const contract = task.contract.ok ? task.contract.value : undefined;
  publishKey(ws);
  const owner = ownerRecord(ws, looked, action, agent, contract);
  const owner_bytes = bytesOf(renderRecord(owner, ''));
  const lease = renderRecord({ v: 1, nonce: owner.nonce, beat: 0 }, '');
  const earlier = action.owner === 'person' ? earlierRecord(ws, folder) : undefined;
  const files = new Map([
    ['owner.md', owner_bytes],
    ['lease.md', bytesOf(lease)],
    ...(earlier === undefined ? [] : [[EARLIER, earlier] as const]),
  ]);
  const won = claim(ws.putting, folder, action.attempt, files, () =>
    locate(ws.disk, ws.layout, task.id).map((state) => taskFolder(ws.layout, state, task.id)),
  );
  if (won === 'gone') return lost('it was moved before the claim');
  if (won === 'lost') return lost('another process claimed it first');
  const claimed: Running = {
    ...context,
    id: task.id,
    number: action.attempt,
    kind: action.work,
    owner,
    owner_bytes,
    task,
    contract,
    recovers: action.recovers,
  };
  const highest = atPlace(claimed, (place) => {
    if (isHighest(ws, place.folder, action.attempt)) return true;
    withdraw(ws.putting, place.folder, action.attempt, files);
    return false;
  });
  if (highest !== true) return lost('another process continues it');
  ws.active.add(owner.nonce);
  return action.recovers ? takeOver(claimed, action.reason) : claimed;
}

/** Before it died, the owner may have started an agent after its attempt was read: reads it again. */
function stillDead(ws: Workspace, task: WholeTask, folder: string): WholeTask | undefined {
  const { attempts } = readAttempts(ws, folder, task.id);
  if (attempts.at(-1)?.number !== task.attempts.at(-1)?.number) return undefined;
  const looked = { ...task, attempts };
  return holderOf(ws, looked) === 'dead' ? looked : undefined;
}

function takeOver(claimed: Running, reason: string): Running {
  const { ws, id, number, owner, emit } = claimed;
  try {
    const running = atPlace(claimed, (place) => fenceDead(claimed, place.folder)) ?? claimed;
    emit({ event: 'recovered', task: id, attempt: number, reason });
    return running;
  } catch (error) {
    // The next look then finds a dead owner.
    ws.active.delete(owner.nonce);
    throw error;
  }
}

/** Fences the dead attempts after the base, and reads them again: an exit record may have come late. */
function fenceDead(claimed: Running, folder: string): Running {
  const { ws, id, number, owner, task } = claimed;
  for (const attempt of listAttempts(ws.disk, folder)) {
    if (attempt.number <= owner.base || attempt.number >= number) continue;
    fence(ws.disk, folder, attempt.number, deskFolder(ws.layout, id, attempt.number));
    redactLost(ws, attemptFolder(folder, attempt.number, true));
  }
  const attempts = readAttempts(ws, folder, id).attempts.filter((one) => one.number < number);
  return { ...claimed, task: { ...task, attempts } };
}

export function ownerRecord(
  ws: Workspace,
  task: WholeTask,
  action: Omit<Claim, 'kind' | 'gate' | 'reason'>,
  agent: string,
  contract: Contract | undefined,
): OwnerRecord {
  const base = action.recovers ? deadBase(task) : highestCommitted(task);
  // What is taken over was made for the contract and the inputs of its own claim.
  const left = action.recovers ? leftBehind(task, base) : undefined;
  return {
    v: 1,
    task: task.id,
    attempt: action.attempt,
    kind: action.work,
    ...(action.work === 'ask' && { from: task.state === 'draft' ? 'draft' : 'ready' }),
    owner: action.owner,
    agent,
    nonce: ws.machine.nonce(),
    base,
    claimed: ws.machine.now().toISOString(),
    contract: left?.owner?.contract ?? task.contract_hash,
    inputs: left?.owner?.inputs ?? task.inputs_hash,
    baseline:
      action.work === 'work' && contract !== undefined
        ? baseline(ws, contract.head.deliverables)
        : [],
    ...ws.machine.self(),
  };
}
