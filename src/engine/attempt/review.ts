/**
 * A review attempt after its claim: verify first, then ask one gate, then judge, commit, roll
 * forward (DESIGN §5). One attempt asks one gate, so that a crash between two gates loses nothing.
 */
import { join } from 'node:path';
import { PERSON, type Contract } from '../../core/contract.ts';
import { lastEnded } from '../../core/count.ts';
import type { ResultDocument, Verdict } from '../../core/documents.ts';
import { judgeReview, unmet, type Ending, type ReviewJudgement } from '../../core/judge.ts';
import { limitsFor } from '../../core/policy.ts';
import { Fault } from '../../core/problem.ts';
import type {
  Attempt,
  OutcomeRecord,
  Receipt,
  ReceiptsRecord,
  ReviewOutcome,
} from '../../core/record.ts';
import type { State } from '../../core/state.ts';
import { attemptFolder, deskFolder, shown, taskFolder } from '../../store/layout.ts';
import { put } from '../../store/put.ts';
import { fingerprint, snapshot } from '../../store/tree.ts';
import { parseResult, parseReview } from '../../text/documents.ts';
import { renderRecord } from '../../text/record.ts';
import { sentence } from '../../text/sections.ts';
import { readReceipts } from '../attempts.ts';
import { readContract } from '../read-task.ts';
import { callAgent, type Called } from './call.ts';
import { runChecks } from './checks.ts';
import { archiveForReview } from './current-files.ts';
import { inspectDeliverables } from './deliverables.ts';
import { verificationFindings } from './findings.ts';
import { roleOf } from '../preflight.ts';
import { readText } from '../read-text.ts';
import { rollForward } from './roll.ts';
import {
  atPlace,
  bytesOf,
  commitOutcome,
  findPlace,
  inherited,
  isMovedAway,
  release,
  type Running,
} from './running.ts';
import { fillTemplate } from '../workspace.ts';

interface Asked {
  readonly by: 'nobody' | 'person' | 'agent';
  readonly verdict: Verdict | undefined;
  readonly findings: string;
  readonly called?: Called;
  /** The dead attempt whose reviewer had ended: its review is taken, nobody is asked again. */
  readonly adopted?: number;
}

const LEFT = 'it does not stand in review any more';
const NOBODY: Asked = { by: 'nobody', verdict: undefined, findings: '' };

/** Returns the state in which the task stands afterwards, undefined when the race was lost. */
export async function runReview(running: Running): Promise<State | undefined> {
  const { ws, id, emit, contract, task } = running;
  const folder = taskFolder(ws.layout, 'review', id);
  emit({
    event: 'claimed',
    task: id,
    attempt: running.number,
    kind: 'review',
    agent: running.owner.agent,
    reason:
      running.owner.agent === '' ? 'verification' : `verification, then ${running.owner.agent}`,
  });
  const moved = findPlace(running);
  if (contract === undefined || task.state !== 'review' || moved?.state !== 'review') {
    return conclude(running, { outcome: 'interrupted', reason: LEFT }, NOBODY);
  }
  const left = inherited(running);
  try {
    // What a dead runner had committed may be published already: then it is the current one.
    if (left?.outcome !== undefined) return adopt(running, left.outcome);
    archiveForReview(running, folder);
    return await review(running, contract, folder);
  } catch (error) {
    if (isMovedAway(running, error) || (error instanceof Fault && hasLeft(running))) {
      return conclude(running, { outcome: 'interrupted', reason: LEFT }, NOBODY);
    }
    if (!(error instanceof Fault)) throw error;
    conclude(running, { outcome: 'interrupted', reason: error.message }, NOBODY);
    throw error;
  }
}

/** Removed, or moved by a person while something was written into its folder. */
function hasLeft(running: Running): boolean {
  return findPlace(running)?.state !== 'review';
}

async function review(
  running: Running,
  contract: Contract,
  folder: string,
): Promise<State | undefined> {
  const work = lastEnded(running.task.attempts, 'work');
  if (isStale(running, work)) {
    return conclude(
      running,
      judgeReview({ ...evidence(running, NOBODY, []), contract_changed: true }),
      NOBODY,
    );
  }
  const result = readResult(running, folder);
  const receipts = await verify(running, contract, result, folder, work);
  const deliverables = inspectDeliverables(
    running.ws,
    contract.head.deliverables,
    running.task.attempts,
  );
  const missing =
    result === undefined
      ? ['result.md cannot be read']
      : unmet(contract, result, deliverables, receipts);
  const asked =
    missing.length === 0 && !running.signal.aborted ? await ask(running, contract, folder) : NOBODY;
  const judged = judgeReview({
    ...evidence(running, asked, missing),
    contract_changed: isStale(running, work),
  });
  return conclude(running, judged, asked, verificationFindings(missing, receipts));
}

/** The contract as it is now against the one that the work was claimed with. */
function isStale(running: Running, work: Attempt | undefined): boolean {
  const { ws, id } = running;
  const place = findPlace(running);
  if (place === undefined) return false;
  const now = readContract(ws, place.folder, id).hash;
  const of_work = work?.owner?.contract ?? running.owner.contract;
  return now !== running.owner.contract || now !== of_work;
}

function evidence(
  running: Running,
  asked: Asked,
  missing: readonly string[],
): Parameters<typeof judgeReview>[0] {
  const place = findPlace(running);
  const moved = place !== undefined && place.state !== 'review' ? place.state : undefined;
  const limits = limitsFor(running.contract, undefined, running.ws.config);
  return {
    contract_changed: false,
    moved_to: moved,
    cancelled: running.signal.aborted,
    unmet: missing,
    gate: running.owner.agent,
    asked: asked.by,
    verdict: asked.verdict,
    findings: asked.findings,
    without_verdict: withoutVerdict(running.task.attempts),
    without_verdict_max: limits.retries_max,
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

/**
 * Runs the checks, or takes over the receipts of an attempt since the work that a crash cut short,
 * or that waited for a person, when contract and tree are the same (DESIGN §5).
 */
async function verify(
  running: Running,
  contract: Contract,
  result: ResultDocument | undefined,
  folder: string,
  work: Attempt | undefined,
): Promise<readonly Receipt[]> {
  const { ws } = running;
  const tree = fingerprint(snapshot(ws.disk, ws.layout));
  const earlier = reusable(running, folder, work, tree);
  const { timeout_ms } = limitsFor(contract, undefined, ws.config);
  const receipts =
    earlier?.receipts ??
    (await runChecks(running, contract.checks, { contract, result, timeout_ms }));
  if (running.signal.aborted) return receipts;
  const record: ReceiptsRecord = {
    v: 1,
    contract: running.owner.contract,
    tree,
    tests_changed: (work?.outcome?.changed ?? []).filter(isTestFile),
    receipts: [...receipts],
  };
  const bytes = bytesOf(renderRecord(record, receiptsBody(record)));
  atPlace(running, (place) =>
    put(ws.putting, join(attemptFolder(place.folder, running.number), 'receipts.md'), bytes),
  );
  return receipts;
}

function reusable(
  running: Running,
  folder: string,
  work: Attempt | undefined,
  tree: string,
): ReceiptsRecord | undefined {
  if (tree === '') return undefined;
  const last = running.task.attempts.findLast((attempt) => attempt.kind === 'review');
  if (last === undefined || last.number < (work?.number ?? 0)) return undefined;
  if (!last.lost && !running.recovers && last.outcome?.outcome !== 'awaits_person')
    return undefined;
  const lost = running.recovers && last.number > running.owner.base ? true : last.lost;
  const record = readReceipts(running.ws, attemptFolder(folder, last.number, lost));
  const same = record?.tree === tree && record.contract === running.owner.contract;
  return same && record.receipts.every((receipt) => receipt.passed) ? record : undefined;
}

/** Named in the receipt, because an agent that changes the tests changes what passing means. */
function isTestFile(path: string): boolean {
  return /(^|\/)(tests?|__tests__|specs?)\//i.test(path) || /[._-](test|spec)\.[^/]+$/i.test(path);
}

function receiptsBody(record: ReceiptsRecord): string {
  const lines = ['# Receipts', ''];
  for (const receipt of record.receipts) {
    lines.push(
      `- [${receipt.passed ? 'x' : ' '}] ${receipt.check} — ${receipt.reason}, ${receipt.ms} ms`,
    );
  }
  if (record.receipts.length === 0) lines.push('The contract names no check.');
  if (record.tests_changed.length > 0) {
    lines.push('', 'Test files that changed while the agent worked:', '');
    lines.push(...record.tests_changed.map((path) => `- ${JSON.stringify(path)}`));
  }
  return `${lines.join('\n')}\n`;
}

async function ask(running: Running, contract: Contract, folder: string): Promise<Asked> {
  const gate = running.owner.agent;
  if (gate === '') return NOBODY;
  const last = lastEnded(running.task.attempts, 'review')?.outcome;
  const waited = last?.outcome === 'awaits_person' && running.task.has.review;
  if (waited || gate === PERSON) return askPerson(running, folder, waited);
  const ended = inherited(running);
  if (ended !== undefined) return askedBefore(running, folder, ended);
  const role = roleOf(running.ws, gate);
  const result = running.ws.disk.read(join(folder, 'result.md'), 1024 * 1024);
  const called = await callAgent(running, contract, {
    role,
    folder,
    timeout_ms: limitsFor(contract, role.definition, running.ws.config).timeout_ms,
    session: undefined,
    given: [{ name: 'result.md', bytes: result }],
  });
  const path = join(deskFolder(running.ws.layout, running.id, running.number), 'review.md');
  const said = readReview(running, path);
  const verdict = endedByItself(called.ending) ? said?.verdict : undefined;
  return { by: 'agent', verdict, findings: said?.findings ?? '', called };
}

/** A reviewer that was killed may have had more to say: its verdict does not count. */
function endedByItself({ reason, code }: Ending): boolean {
  return reason === 'exited' && code !== null && code < 128;
}

function askedBefore(running: Running, folder: string, ended: Attempt): Asked {
  const path = join(attemptFolder(folder, ended.number, true), 'desk', 'review.md');
  const said = readReview(running, path);
  const clean = ended.exit !== undefined && ended.exit.exit_code < 128;
  return {
    by: 'agent',
    verdict: clean ? said?.verdict : undefined,
    findings: said?.findings ?? '',
    adopted: ended.number,
  };
}

/** Their boxes count only when they were offered after the latest work: never yesterday's. */
function askPerson(running: Running, folder: string, waited: boolean): Asked {
  const said = waited ? readReview(running, join(folder, 'review.md')) : undefined;
  return { by: 'person', verdict: said?.verdict, findings: said?.findings ?? '' };
}

function readReview(running: Running, path: string): ReturnType<typeof parseReview> | undefined {
  if (running.ws.disk.stat(path) === undefined) return undefined;
  const read = readText(running.ws.disk, path, shown(running.ws.layout, path));
  return read.ok ? parseReview(read.value) : undefined;
}

/** Takes over what a dead runner had committed but not rolled forward. */
function adopt(running: Running, left: OutcomeRecord): State | undefined {
  const judged: ReviewJudgement = {
    outcome: left.outcome as ReviewOutcome,
    reason: left.reason,
    ...(left.no_verdict === true ? { no_verdict: true as const } : {}),
  };
  // What verification found stands nowhere else when it died before it published.
  const findings =
    judged.outcome === 'unverified' ? verificationFindings(left.reason.split('; '), []) : '';
  return conclude(running, judged, NOBODY, findings, left.adopted ?? left.attempt);
}

function conclude(
  running: Running,
  judged: ReviewJudgement,
  asked: Asked,
  findings = '',
  adopted = asked.adopted,
): State | undefined {
  const { ws, owner } = running;
  const gate = owner.agent;
  const outcome: OutcomeRecord = {
    v: 1,
    attempt: running.number,
    kind: 'review',
    outcome: judged.outcome,
    reason: judged.reason,
    at: running.ws.machine.now().toISOString(),
    ...(asked.called === undefined ? {} : { seconds: asked.called.seconds }),
    ...(gate === '' ? {} : { gate, agent: gate }),
    ...(judged.no_verdict === true ? { no_verdict: true } : {}),
    ...(adopted === undefined ? {} : { adopted }),
    enforced: ['nothing'],
    changed: [],
  };
  const place = commitOutcome(
    running,
    outcome,
    `# Review ${running.number}: ${judged.outcome}\n\n${sentence(judged.reason)}\n`,
  );
  if (place === undefined) {
    release(running);
    return undefined;
  }
  const source = adopted ?? running.number;
  const desk = join(attemptFolder(place.folder, source, adopted !== undefined), 'desk');
  const offered = running.recovers && ws.disk.stat(join(place.folder, 'review.md')) !== undefined;
  const awaits = judged.outcome === 'awaits_person';
  // The boxes that a dead runner offered may be ticked by now: they are not offered again.
  const review = awaits && offered ? undefined : reviewFile(running, judged.outcome, findings);
  return rollForward(running, place, {
    outcome,
    desk,
    ...(review === undefined ? {} : { review }),
  });
}

/** What the runner itself writes: the boxes for a person, or what verification found. */
function reviewFile(
  running: Running,
  outcome: ReviewOutcome,
  findings: string,
): string | undefined {
  const { ws, id, contract, owner } = running;
  if (outcome === 'unverified' && findings !== '') {
    return `# Review: ${id}\n\n- Verdict: NEEDS_WORK\n- Gate: verification by the runner\n\n## Findings\n\n${findings}\n`;
  }
  if (outcome !== 'awaits_person' || contract === undefined) return undefined;
  return fillTemplate(ws, 'review', {
    id,
    title: contract.title,
    gate: owner.agent,
    checks:
      contract.checks.length === 0 ? [] : ['all checks passed; their receipts are in attempts/'],
  });
}
