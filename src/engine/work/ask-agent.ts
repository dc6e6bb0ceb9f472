/**
 * A round of questions before the work: the task's own agent is called once, read-only, and writes questions.md or that
 * it has none. The task stays where it is unless something is asked. No round is repeated; only one whose outcome a dead
 * runner had committed is taken over.
 */
import { join } from 'node:path';
import { judgeAsk, QUESTIONS_MAX } from '../core/judge/judge-ask.ts';
import { ended, type Judgement } from '../core/words/outcomes.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { limitsFor } from '../../task/core/model/policy.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { AskOutcome, OutcomeRecord } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import { put } from '../../task/store/disk/put.ts';
import { deskFolder } from '../../task/store/tasks/layout.ts';
import { firstQuestions, quotingNone, saysNone } from '../../task/text/documents/questions.ts';
import { sentence } from '../../task/text/markdown/sections.ts';
import { enforcedList } from '../../permissions/core/enforcement.ts';
import { forgetBaseline } from '../../permissions/engine/audit/audit-attempt.ts';
import { findingLines, listed } from '../../permissions/engine/audit/format-findings.ts';
import { executorOf, type Role } from '../../agents/engine/roles.ts';
import { contractHash, readContract } from '../../workspace/tasks/read-contract.ts';
import { givenBy } from '../../workspace/tasks/capability.ts';
import { redactedRecord } from '../../workspace/tasks/redact.ts';
import { calledIn } from '../../workspace/tasks/read-attempts.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { reviewWorkdir } from '../../worktrees/engine/start-attempt.ts';
import { archiveForWork, freeName } from '../attempt/current-files.ts';
import { readHandedIn } from '../attempt/hand-in.ts';
import { rollForward } from '../attempt/roll-forward.ts';
import { changedFiles, changesBeside, filesOfTasks } from './round-sight.ts';
import { replayLog } from '../call/replay-log.ts';
import {
  clientEnd,
  outcomeHead,
  usedBefore,
  usedFields,
  writeAsked,
  type CallSeen,
} from '../call/client-outcome.ts';
import {
  compareLeft,
  guardAttempt,
  guardedCall,
  keepConfirmedOfDead,
} from '../call/guarded-call.ts';
import {
  bytesOf,
  commitOutcome,
  emitClaimed,
  findPlace,
  inherited,
  isMovedAway,
  type Running,
} from '../../workspace/tasks/attempt-context.ts';

interface Details extends CallSeen {
  readonly role?: Role;
}

/** Returns the state that the task is in afterwards, undefined when the race was lost. */
export async function runAsk(running: Running): Promise<State | undefined> {
  const { contract } = running;
  emitClaimed(running, 'questions before the work');
  if (running.recovers) return cutShort(running);
  if (contract === undefined) return conclude(running, ended('contract_unreadable'));
  try {
    return await ask(running, contract);
  } catch (error) {
    const hasLeft = error instanceof Fault && findPlace(running) === undefined;
    if (!hasLeft && !isMovedAway(running, error)) throw error;
    const moved = { to: findPlace(running)?.state, when: 'while it was asked' };
    return conclude(running, { ...ended('moved_by_hand', moved), by_hand: true });
  }
}

/** Tells what a dead runner's agent changed, used and was refused; what it asked is not taken. */
async function cutShort(running: Running): Promise<State | undefined> {
  keepConfirmedOfDead(running);
  const left = inherited(running)?.outcome;
  if (left !== undefined) {
    const { code = 'recorded', reason } = left;
    return conclude(running, { outcome: left.outcome as AskOutcome, code, reason }, { left });
  }
  const dead = running.task.attempts.findLast(({ lost, agent }) => lost && agent !== undefined);
  const compared = dead && compareLeft(running, reviewWorkdir(running), dead.number, dead.agent);
  const before = dead && (await replayLog(running, dead));
  return conclude(running, ended('round_cut_short'), { compared, before });
}

async function ask(running: Running, contract: Contract): Promise<State | undefined> {
  const { ws, id, number } = running;
  const role = executorOf(ws, contract);
  const { folder = '' } = findPlace(running) ?? {};
  archiveForWork(running, folder, (name) => name === 'questions.md');
  const guard = guardAttempt(running, contract, role, reviewWorkdir(running));
  const files = filesOfTasks(running);
  const limits = limitsFor(contract, role.definition, ws.config);
  const given = givenBy(ws, id, contract);
  const session = undefined;
  const options = { role, folder, guard, ...limits, session, given };
  const guarded = await guardedCall(running, contract, options);
  if (guarded instanceof Fault) {
    conclude(running, ended('fault', guarded), { role });
    throw guarded;
  }
  const { called, compared } = guarded;
  const desk = deskFolder(ws.layout, id, number);
  const { ending, report, model } = called;
  const nothing = clientEnd(running, role.adapter, report, ending, { role, model });
  writeAsked(running, desk, report, compared.changed.length > 0);
  const asked = keptQuestions(running, desk, folder);
  const place = findPlace(running);
  const moved = place !== undefined && place.state !== running.task.state;
  // In a sandbox, and on another machine, others have changed what it could not.
  const isFree = called.reach === undefined && role.adapter?.relays === undefined;
  const changed = isFree
    ? [...changesBeside(running, guard, compared), ...changedFiles(running, guard, files)]
    : compared.violations;
  const judged = judgeAsk({
    moved_to: moved ? place.state : undefined,
    contract_changed: contractHash(readContract(ws, folder, id)) !== running.owner.contract,
    ending,
    changed,
    ...asked,
    nothing,
    ...limits,
  });
  const reason = judged.outcome === 'questions' ? judged.reason + toldOf(asked) : judged.reason;
  return conclude(running, { ...judged, reason }, { role, called, compared });
}

function toldOf({ more, free }: ReturnType<typeof keptQuestions>): string {
  const left = more > 0 ? `; ${more} more are in all-questions.md on its desk` : '';
  const [which, quote] = free.length === 1 ? ['question', 'quotes'] : ['questions', 'quote'];
  const none = `; ${which} ${free.join(', ')} ${quote} no line of the contract`;
  return `${left}${free.length > 0 ? none : ''}`;
}

/** At most so many of its questions stay in the file; the whole one stays beside it. */
function keptQuestions(running: Running, desk: string, folder: string) {
  const { ws } = running;
  const path = join(desk, 'questions.md');
  const read = readHandedIn(ws, running, desk);
  const { questions_refused: refused } = read;
  const whole = refused === undefined ? (textIfThere(ws.disk, path) ?? '') : '';
  const says_none = saysNone(whole);
  const questions = says_none ? [] : (read.questions?.questions ?? []);
  const more = questions.length - QUESTIONS_MAX;
  if (more > 0) {
    const kept = freeName(ws.disk, desk, 'all-questions.md');
    put(ws.putting, kept, bytesOf(whole), { durable: false });
    put(ws.putting, path, bytesOf(firstQuestions(whole, QUESTIONS_MAX)), { durable: false });
  }
  const contract = textIfThere(ws.disk, join(folder, 'contract.md')) ?? '';
  const free = quotingNone(textIfThere(ws.disk, path) ?? '', contract);
  const count = { questions: questions.length - Math.max(0, more), more: Math.max(0, more) };
  return { ...count, says_none, free, refused };
}

function conclude(
  running: Running,
  judged: Judgement<AskOutcome>,
  { role, called, before, compared, left }: Details = {},
): State | undefined {
  const { ws, number, owner } = running;
  const source = left && (left.adopted ?? left.attempt);
  const used = called ?? before;
  const outcome = redactedRecord<OutcomeRecord>(ws, {
    ...outcomeHead(running, judged, { called, before, left }),
    agent: owner.agent,
    adapter: left?.adapter ?? before?.adapter?.name ?? role?.adapter_name,
    ...(used === undefined ? usedBefore(left) : usedFields(running, used)),
    adopted: source,
    enforced: enforcedList((used ?? left)?.enforced ?? []),
    changed: [...((compared ?? left)?.changed ?? [])],
    ...listed('violations', [compared], left),
    ...listed('noticed', [compared, called?.seen], left),
  });
  const body = [
    `# Round of questions ${number}: ${judged.outcome}\n\n${sentence(judged.reason)}\n`,
    ...findingLines(outcome, compared?.typed),
  ];
  const place = commitOutcome(running, outcome, body.join('\n'));
  if (place === undefined) return undefined;
  forgetBaseline(running, place.folder, source);
  const desk = join(calledIn(place.folder, { number, lost: false, outcome }), 'desk');
  return rollForward(running, place, { outcome, desk, stays: judged.by_hand === true });
}
