/** Asks one gate: calls an agent, takes the review of a dead runner's agent, or reads a person's boxes. */
import { join } from 'node:path';
import type { Adapter } from '../../process/adapter.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { PERSON, type Contract, type Criterion } from '../../task/core/model/contract.ts';
import { awaitedReview, lapsedReview, lastEnded } from '../../task/core/attempts/counters.ts';
import { VERDICT_FORM } from '../../task/core/model/documents.ts';
import type { ReviewEvidence } from '../core/judge/judge.ts';
import type { ClientEnd, Ending } from '../../task/core/attempts/client-report.ts';
import { limitsFor } from '../../task/core/model/policy.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { attemptName, type Attempt } from '../../task/core/attempts/record.ts';
import { attemptFolder, deskFolder } from '../../task/store/tasks/layout.ts';
import { boxesIn, parseReview, unreadVerdict } from '../../task/text/documents/documents.ts';
import { asksPerson, roleOf, type Role } from '../../agents/engine/roles.ts';
import type { Workdir } from '../../worktrees/engine/workdir.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { ownSeal } from '../verify/seals.ts';
import { clientEnd, type CallSeen } from '../call/client-outcome.ts';
import { setupFault } from '../attempt/setup-fault.ts';
import type { Called } from '../call/call.ts';
import { compareLeft, guardAttempt, guardedCall } from '../call/guarded-call.ts';
import { replayLog } from '../call/replay-log.ts';
import { keepSeen } from './seen.ts';
import { inherited, type Running } from '../../workspace/tasks/attempt-context.ts';

export interface Asked extends CallSeen, Pick<ReviewEvidence, 'verdict' | 'findings' | 'unread'> {
  readonly by: ReviewEvidence['asked'];
  /** In its review. */
  readonly boxes?: ReturnType<typeof boxesIn>;
  /** All that an agent with a verdict wrote. */
  readonly text?: string | undefined;
  /** By which adapter it was called here. */
  readonly adapter?: string;
  /** The dead attempt whose reviewer had ended: its review is taken, and the gate is not asked again. */
  readonly adopted?: number;
  /** Changes of its checks outside the permissions of the work. */
  readonly checked?: readonly string[];
  /** Why a client ended without a verdict. */
  readonly end?: ClientEnd;
  /** A fault that must be mended before it can be asked. */
  readonly fault?: Fault;
}

export const NOT_ASKED: Asked = { by: 'nobody', verdict: undefined, findings: '' };

export async function ask(
  running: Running,
  contract: Contract,
  folder: string,
  workdir: Workdir,
  unmentioned: readonly Criterion[],
  asks_person?: boolean,
): Promise<Asked> {
  const { attempts } = running.task;
  // A person's own work was approved with the result, also without a gate.
  const own = lapsedReview(attempts) && lastEnded(attempts, 'work')?.owner?.owner === 'person';
  const gate = running.owner.agent || (asks_person || own ? PERSON : '');
  if (gate === '') return NOT_ASKED;
  const waited = awaitedReview(attempts) !== undefined && running.task.has_review;
  const keep = (): void =>
    keepSeen(running.ws, folder, running.task, attemptFolder(folder, running.number));
  if (!waited) keep();
  if (waited || gate === PERSON || asksPerson(running.ws, contract, gate)) {
    return askPerson(running, folder, waited);
  }
  const ended = inherited(running);
  if (ended !== undefined) {
    const compared = compareLeft(running, workdir, ended.number, ended.agent);
    return { ...(await askedBefore(running, folder, ended)), compared };
  }
  const role = roleOf(running.ws, gate);
  const result = running.ws.disk.read(join(folder, 'result.md'), 1024 * 1024);
  const guarded = await guardedCall(running, contract, {
    role,
    folder,
    guard: guardAttempt(running, contract, role, workdir),
    ...limitsFor(contract, role.definition, running.ws.config),
    session: undefined,
    given: [{ name: 'result.md', bytes: result }],
    unmentioned,
  });
  if (guarded instanceof Fault) throw guarded;
  const { called, compared } = guarded;
  const path = join(deskFolder(running.ws.layout, running.id, running.number), 'review.md');
  const review = readReview(running, path);
  const answer = answerOf(running, review, role.adapter, called, role);
  // What changed while it looked is in the comparison, and what its own checks wrote is its own. A task may have been
  // moved by hand meanwhile.
  const isHere = running.ws.disk.stat(attemptFolder(folder, running.number)) !== undefined;
  if (answer.verdict === 'APPROVED' && isHere) keep();
  return { ...answer, adapter: role.adapter_name, called, compared };
}

/** The verdict of a reviewer that was killed does not count: its review may be half of one. */
function answerOf(
  running: Running,
  review: ReturnType<typeof readReview>,
  adapter: Adapter | undefined,
  { report, ending, model }: Pick<Called, 'report' | 'ending' | 'model'>,
  role?: Role,
): Asked {
  const whole = ending.reason === 'exited' && ending.code !== null && ending.code < 128;
  const verdict = whole ? review?.verdict : undefined;
  const { findings = '', boxes = [] } = review ?? {};
  if (verdict !== undefined) return { by: 'agent', verdict, findings, boxes, text: review?.text };
  const unread = whole ? review?.unread : undefined;
  const none = { by: 'agent', verdict, findings, unread } as const;
  const end = clientEnd(running, adapter, report, ending, { role, model });
  const fault = setupFault({ ...running, agent: running.owner.agent }, adapter, end);
  return { ...none, ...given({ end, fault }) };
}

async function askedBefore(running: Running, folder: string, ended: Attempt): Promise<Asked> {
  const path = join(attemptFolder(folder, ended.number, true), 'desk', 'review.md');
  const review = readReview(running, path);
  const ending: Ending = { reason: 'exited', code: ended.exit?.exit_code ?? null, signal: null };
  const before = await replayLog(running, ended);
  const answer = answerOf(running, review, before.adapter, { ...before, ending });
  return { ...answer, adopted: ended.number, before };
}

/** Boxes count only when they were offered after the latest work. */
function askPerson(running: Running, folder: string, waited: boolean): Asked {
  const review = waited ? readReview(running, join(folder, 'review.md')) : undefined;
  const isNew = !waited && lapsedReview(running.task.attempts) === undefined;
  const isOwn = isNew && [PERSON, ''].includes(running.owner.agent);
  const own = isOwn && ownSeal(running.ws, folder, running.task)?.kind === 'holds';
  const { verdict = own ? 'APPROVED' : undefined, findings = '', boxes = [] } = review ?? {};
  return { by: 'person', verdict, findings, boxes };
}

function readReview(running: Running, path: string) {
  const text = textIfThere(running.ws.disk, path);
  if (text === undefined) return undefined;
  const { line, found } = unreadVerdict(text);
  // The desk is in the attempt by the time that somebody reads this.
  const file = `attempts/${attemptName(running.number)}/desk/review.md`;
  const unread = `${file}:${line} has ${JSON.stringify(found)}; expected below ## Verdict ${VERDICT_FORM}`;
  return { ...parseReview(text), unread, boxes: boxesIn(text), text };
}
