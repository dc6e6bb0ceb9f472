/** Gathers the evidence that a work attempt is judged by in core: its desk, its end, where the task is. */
import { ended, type Judgement } from '../core/words/outcomes.ts';
import { join } from 'node:path';
import type { ClientEnd, Ending } from '../../task/core/attempts/client-report.ts';
import { causeIn, readOnlyPath } from '../core/judge/failure-cause.ts';
import { judgeWork } from '../core/judge/judge.ts';
import type { Limits } from '../../task/core/model/policy.ts';
import type { WorkOutcome } from '../../task/core/attempts/record.ts';
import { attemptFolder, onDesk, SETTINGS, taskFolder } from '../../task/store/tasks/layout.ts';
import type { Speaker } from '../../workspace/tasks/read-attempts.ts';
import { permissionFor } from '../../permissions/engine/enforce/preflight-permissions.ts';
import { contractHash, readContract } from '../../workspace/tasks/read-contract.ts';
import type { Role } from '../../agents/engine/roles.ts';
import type { Settling } from '../call/guarded-call.ts';
import { handedOver } from '../../workspace/tasks/capability.ts';
import { readHandedIn, type HandedIn } from '../attempt/hand-in.ts';
import { CAUSE_TAIL, lastWords } from '../attempt/log-tail.ts';
import { writeOwnResult } from '../verify/shell-result.ts';
import { worktreeOf } from '../../worktrees/engine/worktree.ts';
import { findPlace, type Place, type Running } from '../../workspace/tasks/attempt-context.ts';

export function interrupted(running: Running): Judgement<WorkOutcome> {
  const place = findPlace(running);
  const moved = { to: place?.state, when: whenMoved(running, place) };
  return { ...ended('moved_by_hand', moved), by_hand: true };
}

function whenMoved({ ws, number, recovers, task, owner }: Running, place?: Place): string {
  const own = place === undefined ? undefined : attemptFolder(place.folder, number);
  if (own !== undefined && ws.disk.stat(join(own, 'agent.md')) !== undefined) return 'while it ran';
  const begun = recovers
    ? task.attempts.findLast((one) => one.number > owner.base && (one.agent ?? one.exit))
    : undefined;
  return begun === undefined ? 'before it started' : `after attempt ${begun.number} was cut short`;
}

interface Finished {
  readonly ending: Ending;
  /** Changes of the checks for its result outside the permissions of the work. */
  readonly checked?: { readonly noticed: readonly string[] };
}

/**
 * For the shell adapter the runner writes the result, also after its own crash. The checks for it belong
 * to the work: an attempt that is stopped during them was stopped before it ended.
 */
export async function finished(
  running: Running,
  role: Role | undefined,
  desk: string,
  ending: Ending,
  { workdir, settled }: Settling,
): Promise<Finished> {
  const { contract } = running;
  const clean = ending.reason === 'exited' && ending.code === 0;
  const violated = (settled?.violations.length ?? 0) > 0 || settled?.fault !== undefined;
  const isScript = role?.adapter?.writes_result_itself === false;
  if (violated || !clean || !isScript || contract === undefined) return { ending };
  const { how, noticed } = await writeOwnResult(running, contract, desk, workdir);
  const checked = { noticed };
  return { ending: how === 'stopped' ? { ...ending, reason: 'cancelled' } : ending, checked };
}

interface Known {
  readonly violations?: readonly string[] | undefined;
  readonly nothing?: ClientEnd | undefined;
  /** The attempt whose program ran. */
  readonly by?: Speaker;
}

export function judge(
  running: Running,
  desk: string,
  ending: Ending | undefined,
  { timeout_ms, stall_ms }: Pick<Limits, 'timeout_ms' | 'stall_ms'>,
  { violations = [], nothing, by }: Known = {},
): Judgement<WorkOutcome> {
  const { ws, id } = running;
  const place = findPlace(running);
  const moved_to = place === undefined || place.state === 'in_progress' ? undefined : place.state;
  const folder = place?.folder ?? taskFolder(ws.layout, 'in_progress', id);
  const handed = readHandedIn(ws, running, desk);
  const children = handedOver(running, desk);
  const found = judgeWork({
    task: id,
    contract_changed: contractHash(readContract(ws, folder, id)) !== running.owner.contract,
    moved_to,
    ending,
    ...handed,
    children: children?.ignored === true ? undefined : children,
    timeout_ms,
    stall_ms,
    violations,
    ...(nothing === undefined ? {} : { nothing }),
  });
  const isSilent = found.no_result === true && nothing === undefined && ending?.code !== 0;
  const text =
    (by && found.outcome === 'failed' && lastWords(ws, folder, by, CAUSE_TAIL)?.text) || '';
  const judged = text === '' ? found : withCause(running, found, text, isSilent);
  const noticed = children?.unused(endBeside(judged, handed));
  return noticed === undefined ? judged : { ...judged, noticed: [noticed] };
}

/** Adds the cause that was printed, and the permission that a refused write needs. */
function withCause(
  { ws, contract, id }: Running,
  judged: Judgement<WorkOutcome>,
  printed: string,
  isSilent: boolean,
): Judgement<WorkOutcome> {
  const cause = isSilent ? causeIn(printed) : '';
  // Programs name absolute paths too.
  const root = worktreeOf(ws, id) ?? ws.layout.root;
  const path = readOnlyPath(printed)?.replace(`${root}/`, '');
  const cure = path?.startsWith(`${SETTINGS}/`)
    ? `Hand it in on the desk, as ${onDesk(path)}`
    : path && contract && permissionFor(ws, contract, path);
  const reason = `${judged.reason}${cause && `: ${cause}`}${cure ? `. ${cure}` : ''}`;
  return { ...judged, reason };
}

/** The ending of the call, where children beside it do not count. */
function endBeside(
  { outcome }: Judgement<WorkOutcome>,
  { result }: HandedIn,
): 'result' | 'questions' | undefined {
  if (outcome === 'questions') return 'questions';
  const counts = outcome === 'complete' || outcome === 'failed' || outcome === 'blocked';
  return counts && result?.status !== undefined ? 'result' : undefined;
}
