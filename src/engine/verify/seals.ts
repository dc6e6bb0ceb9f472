/** How the signatures of a task hold. Reads each receipt and each verdict, so never for a list. */
import { dirname, join } from 'node:path';
import { awaitedReview, lastEnded } from '../../task/core/attempts/counters.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { VERDICTS, type Verdict } from '../../task/core/model/documents.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { isTerminal } from '../../task/core/model/state.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import { attemptFolder, SETTINGS, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { bytesAt } from '../../task/store/snapshots/folder-snapshot.ts';
import { parseReview } from '../../task/text/documents/documents.ts';
import { signatureIn } from '../../task/text/documents/signature.ts';
import { sealBy, sealOf, signatureOf, type Seal } from '../../trust/sign.ts';
import { isDoneByHand } from '../core/decide/decide.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import { contractHash } from '../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

interface AttemptSeal extends Seal {
  /** The attempt; of a verdict that was not read yet, the one that asks for it. */
  readonly number: number;
  /** Absolute. */
  readonly file: string;
}

interface Approval extends AttemptSeal {
  /** Empty where a person moved the task to done. */
  readonly verdict: Verdict | '';
  readonly gate: string;
}

/** By attempt, those that have receipts. Of a task in done the contract of the last ones is compared too. */
function sealsIn(ws: Workspace, folder: string, task: TaskRead): readonly AttemptSeal[] {
  const found = listAttempts(ws.disk, folder).flatMap(({ number, lost }): AttemptSeal[] => {
    const file = receiptsFile(folder, number, lost);
    if (ws.disk.stat(file) === undefined) return [];
    const about = { of: 'receipts', task: task.id, attempt: number } as const;
    return [{ number, file, ...sealOf(ws, about, bytesOf(ws, file)) }];
  });
  const last = found.at(-1);
  if (task.state !== 'done' || last?.kind !== 'holds') return found;
  const { contract, receipts = [] } = readReceipts(ws, dirname(last.file)) ?? {};
  const isDone = isDoneByHand(task) || receipts.every(({ passed }) => passed);
  if (contract === contractHash(task) && isDone) return found;
  return [...found.slice(0, -1), { ...last, kind: 'broken', words: 'do not hold' }];
}

function receiptsFile(task: string, number: number, lost = false): string {
  return `${attemptFolder(task, number, lost)}/receipts.md`;
}

function bytesOf({ disk }: Workspace, file: string): Uint8Array {
  const bytes = disk.stat(file)?.kind === 'file' && bytesAt(disk, file, TEXT_BYTES_MAX);
  return bytes || new Uint8Array();
}

/** The bytes of a verdict's signature: the contract, the receipts of the attempt that asked, with their tree, and what it showed. */
function approved(ws: Workspace, receipts: string, contract: string, verdict?: Verdict): string {
  const seen = join(dirname(receipts), 'seen.sums');
  const shown_as = ws.disk.stat(seen) === undefined ? '' : `${sha256(bytesOf(ws, seen))}\n`;
  return `${verdict}\n${contract}\n${sha256(bytesOf(ws, receipts))}\n${shown_as}`;
}

/** For review.md, or result.md of one's own work; undefined where no attempt asks, or without a key. */
export function approvalSignature(ws: Workspace, folder: string, task: TaskRead, verdict: Verdict) {
  const asked = awaitedReview(task.attempts) ?? openAttempt(task);
  if (asked === undefined) return undefined;
  const about = { of: 'approval', task: task.id, attempt: asked.number } as const;
  const receipts = receiptsFile(folder, asked.number);
  return signatureOf(ws, about, approved(ws, receipts, contractHash(task), verdict));
}

/** The seal on the result of a person's own work, which they approved when they handed it in. */
export function ownSeal(
  ws: Workspace,
  folder: string,
  task: Pick<TaskRead, 'id' | 'attempts' | 'source'>,
) {
  const work = lastEnded(task.attempts, 'work');
  const made = signatureIn(textIfThere(ws.disk, `${folder}/result.md`) ?? '');
  if (work?.owner?.owner !== 'person' || made === undefined) return undefined;
  const about = { of: 'approval', task: task.id, attempt: work.number } as const;
  const words = approved(ws, receiptsFile(folder, work.number), contractHash(task), 'APPROVED');
  return sealBy(ws, about, made, Buffer.from(words));
}

/** All verdicts, of agents too, in the order of their attempts. */
function approvalsIn(ws: Workspace, folder: string, task: TaskRead): readonly Approval[] {
  const { id, state } = task;
  const ended = task.attempts.filter(({ lost, outcome }) => !lost && outcome !== undefined);
  const reviews = ended.filter(({ kind }) => kind === 'review');
  const last = reviews.at(-1);
  const askedBefore = ({ number }: Pick<Attempt, 'number'>) =>
    awaitedReview(ended.filter((other) => other.number < number));
  const decided = reviews.findLast((one) => one.outcome?.gate || askedBefore(one));
  const found = reviews.flatMap((one): Approval[] => {
    const { number, outcome } = one;
    const given = VERDICTS.find((word) => word === outcome?.outcome.toUpperCase());
    const waits = outcome?.outcome === 'awaits_person' && one === last && state === 'review';
    const asked = waits ? one : askedBefore(one);
    const gate = outcome?.gate ?? '';
    const own = join(attemptFolder(folder, number), 'review.md');
    const file = one === last && ws.disk.stat(own) === undefined ? join(folder, 'review.md') : own;
    if ((given === undefined && !waits) || (asked === undefined && gate === '')) return [];
    if (asked === undefined) {
      const own = gate === PERSON && one === last ? ownSeal(ws, folder, task) : undefined;
      const place = own === undefined ? file : join(folder, 'result.md');
      return [{ number, verdict: given ?? '', gate, file: place, ...(own ?? UNSIGNED) }];
    }
    const text = textIfThere(ws.disk, file) ?? '';
    const { verdict } = parseReview(text);
    const made = signatureIn(text);
    if (waits && verdict === undefined && made === undefined) return [];
    const now = waits || (one === decided && isTerminal(state));
    const contract = now ? contractHash(task) : (one.owner?.contract ?? '');
    const receipts = receiptsFile(folder, asked.number);
    const read = waits || given === verdict ? verdict : undefined;
    const words = approved(ws, receipts, contract, read);
    const about = { of: 'approval', task: id, attempt: asked.number } as const;
    const seal = made === undefined ? BY_HAND : sealBy(ws, about, made, Buffer.from(words));
    return [{ number, verdict: given ?? verdict ?? '', gate, file, ...seal }];
  });
  if (!isDoneByHand(task)) return found;
  const number = ended.at(-1)?.number ?? 0;
  return [...found, { number, verdict: '', gate: '', file: folder, ...BY_HAND }];
}

const UNSIGNED: Seal = { kind: 'unsigned', words: 'not signed' };
const BY_HAND: Seal = { kind: 'by_hand', words: 'by hand' };

export interface Signatures {
  readonly receipts: readonly AttemptSeal[];
  readonly approvals: readonly Approval[];
  /** Broken signatures, each an error. */
  readonly problems: readonly Problem[];
}

export function signaturesIn(
  ws: Workspace,
  task: TaskRead,
  folder = taskFolder(ws.layout, task.state, task.id),
): Signatures {
  const receipts = sealsIn(ws, folder, task);
  const approvals = approvalsIn(ws, folder, task);
  const broken = (all: Signatures['receipts' | 'approvals'], what: string, do_not: string) =>
    all.flatMap(({ kind, number, file: path }) => {
      const file = shown(ws.layout, path);
      const again = isTerminal(task.state)
        ? `or have it verified again: contracts retry ${task.id} --again`
        : 'or have it verified again by the next run';
      // What was verified again since then decides.
      const is_past = all.some((one) => one.kind === 'holds' && one.number > number);
      if (kind === 'unknown') {
        const message = `the ${what} of attempt ${number}: the key that signed is not in ${SETTINGS}/keys`;
        const fix = `Add the public key of its author to ${SETTINGS}/keys, ${again}`;
        return problem({ code: 'untrusted', severity: 'warning', file, message, fix });
      }
      if (kind !== 'broken') return [];
      const of = task.attempts.find((one) => one.number === number)?.owner?.task ?? task.id;
      const why =
        of === task.id
          ? 'a record, or the contract, changed after it was signed'
          : `it was signed for ${of}`;
      const message = `the ${what} of attempt ${number} ${do_not} hold: ${why}`;
      const fix =
        of === task.id
          ? `Restore it from git or a backup, ${again}`
          : `If ${of} was renamed, rename it back; if it was copied: contracts new --like ${of}`;
      const severity = is_past ? 'warning' : 'error';
      return problem({ code: 'broken_signature', severity, file, message, fix });
    });
  return {
    receipts,
    approvals,
    problems: [
      ...broken(receipts, 'receipts', 'do not'),
      ...broken(approvals, 'approval', 'does not'),
    ],
  };
}

const ORDER: readonly Seal['kind'][] = ['broken', 'unknown', 'unsigned', 'by_hand', 'holds'];

/** In one line, what does not hold first; empty where there is nothing. */
export function signedWords(all: readonly Signatures[]): string {
  const lines = (['receipts', 'approvals'] as const).flatMap((what) => {
    const seals = all.flatMap((one): readonly Seal[] => one[what]);
    const counts = new Map<string, number>();
    for (const { words } of seals.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)))
      counts.set(words, (counts.get(words) ?? 0) + 1);
    const counted = [...counts].map(([words, n]) => (counts.size === 1 ? words : `${n} ${words}`));
    return counts.size === 0 ? [] : [`${what} ${counted.join(', ')}`];
  });
  return lines.join('; ');
}

export function isBroken({ code }: Problem): boolean {
  return code === 'broken_signature';
}
