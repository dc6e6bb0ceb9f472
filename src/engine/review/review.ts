/**
 * A review attempt after its claim: verify, ask one gate, judge, commit, roll forward
 * (docs/concepts.md#gates-and-verdicts). One gate an attempt: a crash between two gates loses nothing.
 */
import { ended, finding, type Missing } from '../core/words/outcomes.ts';
import { join } from 'node:path';
import { isScript } from '../../agents/engine/roles.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { lastEnded } from '../../task/core/attempts/counters.ts';
import type { ResultDocument } from '../../task/core/model/documents.ts';
import { judgeReview, type ReviewEvidence, type ReviewJudgement } from '../core/judge/judge.ts';
import { metCriteria, missedIn, unmet, unmetCriteria } from '../core/judge/unmet.ts';
import { limitsFor } from '../../task/core/model/policy.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type {
  Attempt,
  OutcomeRecord,
  ReviewOutcome,
  Receipt,
} from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import { attemptFolder, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import { keepConfirmedOfDead } from '../call/guarded-call.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import { contractHash, readContract } from '../../workspace/tasks/read-contract.ts';
import { remindersOf } from '../../workspace/tasks/capability.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { ask, NOT_ASKED, type Asked } from './ask-gate.ts';
import { changedSinceApproval } from './seen.ts';
import { concludeReview } from './conclude.ts';
import { quoteComments } from './quote-comments.ts';
import { reviewWorkdir } from '../../worktrees/engine/start-attempt.ts';
import { archiveForReview } from '../attempt/current-files.ts';
import {
  findPlace,
  inherited,
  isMovedAway,
  emitClaimed,
  type Running,
} from '../../workspace/tasks/attempt-context.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { leftToGate } from '../preflight/criteria.ts';
import { prepareTree } from '../work/prepare-tree.ts';
import { itemsSeen, tickCriteria } from './tick-criteria.ts';
import { deliverablesOf, ITEM, keepReceipts, verify } from '../verify/verify.ts';
import { quotedOutput } from '../../task/text/markdown/escape.ts';

/** Returns the state that the task is in afterwards, undefined when the race was lost. */
export async function runReview(running: Running): Promise<State | undefined> {
  const { ws, id, contract, task } = running;
  const folder = taskFolder(ws.layout, 'review', id);
  const { agent } = running.owner;
  emitClaimed(running, agent === '' ? 'verification' : `verification, then ${agent}`);
  if (task.state !== 'review' || findPlace(running)?.state !== 'review') {
    return concludeMoved(running);
  }
  if (contract === undefined) return concludeReview(running, ended('contract_unreadable'));
  if (running.recovers) keepConfirmedOfDead(running);
  const left = inherited(running);
  const met: Met = {};
  try {
    // What a dead runner had committed may be published already: then it is the current one.
    if (left?.outcome !== undefined) return adopt(running, left.outcome);
    archiveForReview(running, folder);
    return await review(running, contract, folder, met);
  } catch (error) {
    // Removed, or moved by a person while something was written into its folder.
    const hasLeft = error instanceof Fault && findPlace(running)?.state !== 'review';
    if (hasLeft || isMovedAway(running, error)) return concludeMoved(running);
    if (!(error instanceof Fault)) throw error;
    const { code } = met.asked?.end ?? {};
    concludeReview(running, { ...ended('fault', error), ...given({ code }) }, met.asked);
    throw error;
  }
}

function concludeMoved(running: Running): State | undefined {
  const moved = { to: findPlace(running)?.state, when: 'during the review' };
  return concludeReview(running, ended('moved_by_hand', moved));
}

/** The call that met a fault, for its record. */
interface Met {
  asked?: Asked | undefined;
}

async function review(
  running: Running,
  contract: Contract,
  folder: string,
  met: Met,
): Promise<State | undefined> {
  const work = lastEnded(running.task.attempts, 'work');
  const aside = notJudged(running, folder, work);
  if (aside !== undefined) return concludeReview(running, aside);
  const result = readResult(running, folder);
  const workdir = reviewWorkdir(running);
  const preparing = prepareTree(running, workdir);
  if (preparing !== undefined) await preparing;
  const verified = await verify(running, contract, folder, work, workdir);
  const { receipts, deliverables } = verified;
  const left = leftToGate(running.ws, contract);
  const hard = remindersOf(running, folder).filter(({ severity }) => severity === 'error');
  const missing: readonly Missing[] = [
    ...(result === undefined
      ? [finding('result_incomplete', { is_read: false })]
      : unmet(contract, result, deliverables, receipts, left)),
    ...hard.map(({ message, found = '' }) =>
      finding('check_failed', { check: message, reason: found }),
    ),
  ];
  if (missing.length === 0) tickCriteria(running, contract, folder, deliverables, receipts);
  const said = readResult(running, folder);
  const unmentioned = said ? missedIn(contract.criteria, said) : [];
  const open =
    result && left.for_person.some((one) => !metCriteria(contract, result).includes(one));
  const answered =
    missing.length === 0 && !running.signal.aborted
      ? await ask(running, contract, folder, workdir, unmentioned, open)
      : NOT_ASKED;
  const old = receipts.filter((one) => one.as_before === true);
  const items = itemsSeen(running, contract, answered, deliverables, receipts);
  // Not from the file: an agent may have written it since.
  const { record } = verified;
  if (record !== undefined && items.length > 0)
    keepReceipts(running, { ...record, receipts: [...receipts, ...items] });
  const asked = { ...withItems(answered, items), checked: verified.noticed };
  if (asked.by === 'person' && asked.verdict !== undefined) quoteComments(running, folder, workdir);
  met.asked = asked.fault && asked;
  if (asked.fault !== undefined) throw asked.fault;
  // An agent's approval covers what the result does not mention only where its review ticks it.
  const review = asked.verdict === 'APPROVED' ? asked.text : undefined;
  const said_there = review === undefined ? undefined : parseResult(review);
  const seen = said_there === undefined ? unmentioned : metCriteria(contract, said_there);
  const also = ` (nor did ${running.owner.agent} tick it)`;
  const left_open =
    said_there === undefined || asked.by !== 'agent'
      ? []
      : unmetCriteria(contract, said_there, new Set(unmentioned), true, 'review.md');
  const unticked = unmentioned
    .filter((one) => !seen.includes(one))
    .map((one) => finding('criterion_open', { ...one, text: one.text + also, where: undefined }));
  const all = [...missing, ...unticked, ...left_open];
  const judged = judgeReview({
    ...evidence(running, asked, all),
    violations: asked.compared?.violations,
    contract_changed: isStale(running, work),
    proves_nothing: deliverables.length === 0 && old.length > 0 && old.length === receipts.length,
    same_again: verified.same_again || isIdleAgain(running, contract, missing),
  });
  const told = [...toldIdle(running, missing), ...wordsOf(all)];
  const findings = verificationFindings(told, receipts);
  return concludeReview(running, judged, asked, findings);
}

/** The approval of an agent that left an item of a checklist open is none. */
function withItems(asked: Asked, items: readonly Receipt[]): Asked {
  const open = items.flatMap(({ passed, check }) => (passed ? [] : check.replace(ITEM, '')));
  if (asked.by !== 'agent' || asked.verdict !== 'APPROVED' || open.length === 0) return asked;
  return {
    ...asked,
    verdict: undefined,
    unread: `it approves, and leaves open: ${open.join('; ')}`,
  };
}

/** True for an agent that changed nothing again after it was told so, and for a script at once: it repeats itself. */
function isIdleAgain({ ws, task }: Running, contract: Contract, missing: readonly Missing[]) {
  if (isScript(ws, contract)) return missing.some(({ code }) => code === 'deliverable_missing');
  const calls = task.attempts.filter(({ kind, lost }) => kind === 'work' && !lost).slice(-2);
  return missing.some(isWork) && calls.length === 2 && calls.every(isIdle);
}

const IDLE = 'you changed nothing: do what is missing, or report FAILED or BLOCKED and why';
const isIdle = ({ outcome }: Attempt): boolean => outcome?.code === 'unchanged';
function toldIdle({ task }: Running, missing: readonly Missing[]): readonly string[] {
  const work = lastEnded(task.attempts, 'work');
  return work && isIdle(work) && missing.some(isWork) ? [IDLE] : [];
}

/** True for what only a change can mend. */
const isWork = ({ code }: Missing): boolean => code !== 'criterion_open';

/** The contract changed since the claim, or a file since an approval. */
function notJudged(running: Running, folder: string, work: Attempt | undefined) {
  if (isStale(running, work)) return judgeReview({ ...evidence(running), contract_changed: true });
  const files = changedSinceApproval(running.ws, folder, running.task);
  return files.length > 0 ? ended('approval_lapsed', { files }) : undefined;
}

/** The contract as it is now against the one that the work was claimed with. */
function isStale(running: Running, work: Attempt | undefined): boolean {
  const { ws, id } = running;
  const place = findPlace(running);
  if (place === undefined) return false;
  const now = contractHash(readContract(ws, place.folder, id));
  const of_work = work?.owner?.contract ?? running.owner.contract;
  return now !== running.owner.contract || now !== of_work;
}

function evidence(
  running: Running,
  asked: Asked = NOT_ASKED,
  missing: readonly Missing[] = [],
): ReviewEvidence {
  const place = findPlace(running);
  const moved = place !== undefined && place.state !== 'review' ? place.state : undefined;
  const limits = limitsFor(running.contract, undefined, running.ws.config);
  return {
    contract_changed: false,
    moved_to: moved,
    cancelled: running.signal.aborted || asked.called?.ending.reason === 'cancelled',
    unmet: missing,
    gate: running.owner.agent,
    asked: asked.by,
    verdict: asked.verdict,
    findings: asked.findings,
    without_verdict: withoutVerdict(running.task.attempts),
    without_verdict_max: limits.retries_max,
    unread: asked.unread,
    ...(asked.end === undefined ? {} : { nothing: asked.end }),
  };
}

function withoutVerdict(attempts: readonly Attempt[]): number {
  const work = lastEnded(attempts, 'work')?.number ?? 0;
  return attempts.filter(
    (attempt) => attempt.number > work && !attempt.lost && attempt.outcome?.no_verdict === true,
  ).length;
}

function readResult(running: Running, folder: string): ResultDocument | undefined {
  const path = join(folder, 'result.md');
  const read = readText(running.ws.disk, path, shown(running.ws.layout, path));
  return read.ok ? parseResult(read.value) : undefined;
}

/** Takes over what a dead runner had committed but not rolled forward. */
function adopt(running: Running, left: OutcomeRecord): State | undefined {
  const judged: ReviewJudgement = {
    outcome: left.outcome as ReviewOutcome,
    code: left.code ?? 'recorded',
    reason: left.reason,
    ...(left.no_verdict === true ? { no_verdict: true as const } : {}),
    ...(left.no_result === 'same_again' ? { same_again: true as const } : {}),
  };
  const source = left.adopted ?? left.attempt;
  const findings = judged.outcome === 'unverified' ? foundBefore(running, left, source) : '';
  return concludeReview(running, judged, { ...NOT_ASKED, left, adopted: source }, findings);
}

/**
 * A runner that died before it published left its findings nowhere in full: they are made again from its
 * receipts. Where something changed since, only the recorded reason is known.
 */
function foundBefore(running: Running, { code, reason }: OutcomeRecord, source: number): string {
  const { ws, contract, id } = running;
  const folder = taskFolder(ws.layout, 'review', id);
  const receipts = readReceipts(ws, attemptFolder(folder, source, true))?.receipts ?? [];
  const result = readResult(running, folder);
  if (contract === undefined || result === undefined) return verificationFindings([reason], []);
  const deliverables = deliverablesOf(running, contract, reviewWorkdir(running));
  const missing = unmet(contract, result, deliverables, receipts, leftToGate(ws, contract));
  const same = missing[0] !== undefined && missing[0].code === code;
  const told = [...toldIdle(running, missing), ...wordsOf(missing)];
  return verificationFindings(same ? told : [reason], receipts);
}

function wordsOf(missing: readonly Missing[]): readonly string[] {
  return missing.map(({ words }) => words);
}

/** Findings for the next attempt: what is missing, and what failed checks printed. */
function verificationFindings(missing: readonly string[], receipts: readonly Receipt[]) {
  const list = missing.map((one, i) => `${i + 1}. ${one}`).join('\n');
  const printed = receipts
    .filter((receipt) => !receipt.passed && receipt.output.trim() !== '')
    .map((receipt) => `What \`${receipt.check}\` printed:\n\n${quotedOutput(receipt.output)}`);
  return [list, ...printed].join('\n\n');
}
