/**
 * A work attempt after its claim: take over what a dead one left, or call the executor; then judge,
 * commit, roll forward. For people nothing is called: the attempt stays open until they hand in.
 */
import { join } from 'node:path';
import type { Contract } from '../../core/contract.ts';
import { sessionToResume } from '../../core/count.ts';
import type { ClientEnd } from '../../core/heard.ts';
import type { Ending, Judgement } from '../../core/judge.ts';
import { judgeWork } from '../../core/judge.ts';
import { limitsFor } from '../../core/policy.ts';
import { Fault } from '../../core/problem.ts';
import type { Attempt, WorkOutcome } from '../../core/record.ts';
import type { State } from '../../core/state.ts';
import { attemptFolder, deskFolder, taskFolder } from '../../store/layout.ts';
import { readContract } from '../read-contract.ts';
import { compareAfter } from '../compare/after.ts';
import { keepWitness } from '../compare/kept-witness.ts';
import { takeWitness } from '../compare/witness.ts';
import { settleGround } from '../worktree/settle.ts';
import { authorityFor } from './authority.ts';
import { clientEnd, writeAsked } from './client-outcome.ts';
import { callAgent, type Called } from './call.ts';
import { settleLeft, takeGround, type Settling } from './grounding.ts';
import { archiveForWork } from './current-files.ts';
import { offerForm, putEarlierAway } from './earlier.ts';
import { readHandedIn } from './hand-in.ts';
import { writeOwnResult } from './own-result.ts';
import { executorOf, type Role } from '../roles.ts';
import { enter, findPlace, inherited, isMovedAway, type Place, type Running } from './running.ts';
import { conclude } from './conclude.ts';

/** An exit record counts in seconds, and the deadline from the record of the start. */
const RECORD_SLACK_MS = 2_000;

/** Returns the state in which the task stands afterwards, undefined when the race was lost. */
export async function runWork(running: Running): Promise<State | undefined> {
  const { ws, contract } = running;
  const role = contract === undefined ? undefined : executorOf(ws, contract);
  try {
    return await throughWork(running, role);
  } catch (error) {
    const removed = error instanceof Fault && findPlace(running) === undefined;
    if (!removed && !isMovedAway(running, error)) throw error;
    return conclude(running, role, interrupted(running), {});
  }
}

async function throughWork(running: Running, role: Role | undefined): Promise<State | undefined> {
  const { ws, id, emit, task, contract } = running;
  const left = inherited(running);
  // Nobody makes a desk for a person, so what lies at the top when the task comes to in_progress is
  // what they hand in: the earlier files must be gone by then.
  const by_person = running.owner.owner === 'person';
  if (by_person) putEarlierAway(running, taskFolder(ws.layout, task.state, id), 'now');
  if (!enter(running)) return conclude(running, role, interrupted(running), {});
  const folder = taskFolder(ws.layout, 'in_progress', id);
  // What a dead runner had committed may be published already: then it is the current one.
  if (!by_person && left?.outcome === undefined) archiveForWork(running, folder);
  emit({
    event: 'claimed',
    task: id,
    attempt: running.number,
    kind: 'work',
    agent: running.owner.agent,
    reason: contract?.title ?? id,
  });
  if (left !== undefined) return adopt(running, role, left);
  if (contract === undefined) {
    return conclude(
      running,
      role,
      { outcome: 'interrupted', reason: 'the contract cannot be read' },
      {},
    );
  }
  if (mayHaveRun(running) && (contract.head.rerun ?? ws.config.rerun) === 'ask') {
    const reason = 'runner and agent died together; it may have run in part (rerun: ask)';
    return conclude(running, role, { outcome: 'blocked', reason }, {});
  }
  if (by_person) {
    offerForm(running, contract, folder);
    return 'in_progress';
  }
  return work(running, contract, executorOf(ws, contract), task.attempts);
}

function interrupted(running: Running): Judgement<WorkOutcome> {
  const place = findPlace(running);
  const where = place === undefined ? 'removed' : `moved to ${place.state}`;
  const reason = `${where} ${whenMoved(running, place)}`;
  return { outcome: 'interrupted', reason, by_hand: true };
}

function whenMoved({ ws, number, recovers, task, owner }: Running, place?: Place): string {
  const own = place === undefined ? undefined : attemptFolder(place.folder, number);
  if (own !== undefined && ws.disk.stat(join(own, 'agent.md')) !== undefined) return 'while it ran';
  const begun = recovers
    ? task.attempts.findLast((one) => one.number > owner.base && (one.agent ?? one.exit))
    : undefined;
  return begun === undefined ? 'before it started' : `after attempt ${begun.number} was cut short`;
}

/** A start was recorded by one of the dead, and no exit: the gate may have been open. */
function mayHaveRun(running: Running): boolean {
  return (
    running.recovers &&
    running.task.attempts.some(
      (attempt) => attempt.number > running.owner.base && attempt.agent !== undefined,
    )
  );
}

async function work(
  running: Running,
  contract: Contract,
  role: Role,
  attempts: readonly Attempt[],
): Promise<State | undefined> {
  const { ws, id } = running;
  const folder = taskFolder(ws.layout, 'in_progress', id);
  const authority = authorityFor(ws.layout, role, contract);
  const taken = takeGround(running, contract, role);
  if ('ended' in taken) return taken.ended;
  const { ground } = taken;
  const witness = takeWitness(running, { ground, authority });
  keepWitness(running, witness);
  if (readContract(ws, folder, id).hash !== running.owner.contract) {
    const reason = 'the contract was edited just before the agent was called';
    return conclude(running, role, { outcome: 'stale', reason }, {});
  }
  const limits = limitsFor(contract, role.definition, ws.config);
  const resumed = running.task.has.blocked;
  let called: Called;
  try {
    called = await callAgent(running, contract, {
      role,
      folder,
      ground,
      authority,
      timeout_ms: limits.timeout_ms,
      session:
        role.adapter?.resumable === true
          ? sessionToResume(attempts, resumed, role.adapter_name)
          : undefined,
      given: [],
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // It could not be started because its folder was moved: that is no fault.
    const moved = findPlace(running)?.state !== 'in_progress';
    if (moved) return conclude(running, role, interrupted(running), {});
    conclude(running, role, { outcome: 'interrupted', reason: error.message }, {});
    throw error;
  }
  const desk = deskFolder(ws.layout, id, running.number);
  const compared = compareAfter(running, witness, { writable: called.writable });
  const { violations } = compared;
  const settled = settleGround(running, ground, authority, running.number, violations);
  const ending = await finished(running, role, desk, called.ending, { ground, settled });
  const nothing = clientEnd(role, called.heard, ending);
  if (nothing !== undefined) writeAsked(running, desk, called.heard, compared.changed.length > 0);
  const judged = judge(running, desk, ending, limits.timeout_ms, { violations, nothing });
  const error = judged.reason === nothing?.reason ? nothing?.error : undefined;
  const details = { called, compared, settled, error };
  if (error !== 'login') return conclude(running, role, judged, details);
  // Whoever comes next would meet the same: it is no try of this task, and only a person can mend it.
  conclude(running, role, { ...judged, outcome: 'interrupted' }, details);
  throw new Fault(judged.reason, { fix: role.adapter?.client?.login ?? '' });
}

/**
 * The shell adapter leaves the result to the runner, also after the runner's own crash. The checks
 * that this takes belong to the work: stopped during them, it was stopped before it ended.
 */
async function finished(
  running: Running,
  role: Role | undefined,
  desk: string,
  ending: Ending,
  { ground, settled }: Settling,
): Promise<Ending> {
  const { contract } = running;
  const clean = ending.reason === 'exited' && ending.code === 0;
  const violated = (settled?.violations.length ?? 0) > 0;
  if (
    violated ||
    !clean ||
    contract === undefined ||
    role?.adapter?.writes_result_itself !== false
  ) {
    return ending;
  }
  const how = await writeOwnResult(running, contract, desk, ground);
  return how === 'stopped' ? { ...ending, reason: 'cancelled' } : ending;
}

interface Known {
  readonly violations?: readonly string[] | undefined;
  readonly nothing?: ClientEnd | undefined;
}

function judge(
  running: Running,
  desk: string,
  ending: Ending | undefined,
  timeout_ms: number,
  { violations = [], nothing }: Known = {},
): Judgement<WorkOutcome> {
  const { ws, id } = running;
  const place = findPlace(running);
  const moved_to = place === undefined || place.state === 'in_progress' ? undefined : place.state;
  const folder = place?.folder ?? taskFolder(ws.layout, 'in_progress', id);
  return judgeWork({
    task: id,
    contract_changed: readContract(ws, folder, id).hash !== running.owner.contract,
    moved_to,
    ending,
    ...readHandedIn(ws, desk),
    timeout_ms,
    violations,
    ...(nothing === undefined ? {} : { nothing }),
  });
}

/** Takes over the newest outcome or exit record after the base (PROTOCOL step 8). */
async function adopt(
  running: Running,
  role: Role | undefined,
  left: Attempt,
): Promise<State | undefined> {
  const { ws, id } = running;
  const folder = taskFolder(ws.layout, 'in_progress', id);
  const source = left.outcome?.adopted ?? left.number;
  if (left.outcome !== undefined) {
    const { outcome, reason } = left.outcome;
    return conclude(
      running,
      role,
      { outcome: outcome as WorkOutcome, reason },
      { adopted: source, left: left.outcome },
    );
  }
  const desk = join(attemptFolder(folder, source, true), 'desk');
  const settling = settleLeft(running, role, source);
  const ending = await finished(running, role, desk, endingOf(left), settling);
  const { settled, compared } = settling;
  const timeout_ms = left.agent?.timeout_ms ?? 0;
  const judged = judge(running, desk, ending, timeout_ms, { violations: compared?.violations });
  return conclude(running, role, judged, {
    adopted: source,
    settled,
    compared,
    enforced: left.agent?.enforced,
  });
}

/** What an exit record tells. An orphan that was stopped at its deadline has timed out. */
function endingOf(left: Attempt): Ending {
  const code = left.exit?.exit_code ?? null;
  const deadline = left.agent?.deadline ?? null;
  const late =
    deadline !== null &&
    left.exit !== undefined &&
    Date.parse(left.exit.ended) + RECORD_SLACK_MS >= Date.parse(deadline);
  const signalled = code !== null && code > 128;
  return { reason: late && signalled ? 'timed_out' : 'exited', code, signal: null };
}

/**
 * Ends an attempt that no process stands for: a person's or a host's, whose files are there, or
 * whose task was moved by hand (DESIGN §8). `files` is where they handed in; the task's own folder
 * when left out.
 */
export function settleAttempt(running: Running, files?: string): State | undefined {
  const { ws, contract } = running;
  const place = findPlace(running);
  if (place === undefined) return undefined;
  const role = contract === undefined ? undefined : executorOf(ws, contract);
  const { settled, compared } = settleLeft(running, role, running.number);
  const judged = judge(running, files ?? place.folder, undefined, 0, {
    violations: compared?.violations,
  });
  return conclude(running, role, judged, { settled, compared });
}
