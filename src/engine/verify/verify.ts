/** The verification of a review: leaves receipts.md in the attempt. Judges nothing. */
import { join } from 'node:path';
import { pathsOf, type Contract } from '../../task/core/model/contract.ts';
import { lastEnded, roundStart } from '../../task/core/attempts/counters.ts';
import type {
  Attempt,
  Delivered,
  Receipt,
  ReceiptsRecord,
} from '../../task/core/attempts/record.ts';
import type { DeliverableSeen } from '../core/judge/unmet.ts';
import { isScript } from '../../agents/engine/roles.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { put, syncBelow } from '../../task/store/disk/put.ts';
import { fingerprint, snapshot } from '../../task/store/snapshots/fingerprint.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { signed } from '../../trust/sign.ts';
import { readBefore, readReceipts } from '../../workspace/tasks/read-attempts.ts';
import { guardChecks } from '../call/guarded-call.ts';
import { committedIn } from '../../worktrees/engine/committed.ts';
import { layoutOn, type Workdir } from '../../worktrees/engine/workdir.ts';
import { ignoredWork } from '../../worktrees/engine/ignored.ts';
import { runChecks } from './run-checks.ts';
import { inspectDeliverables, isGlob, matching, rootOf } from '../attempt/deliverables.ts';
import { atPlace, bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';

/** How many files a receipt lists with size and hash. */
const DELIVERED_MAX = 200;

/**
 * Runs the checks, or takes over the receipts of an attempt since the work that a crash cut short,
 * or that waited for a person, when contract and tree are the same
 * (docs/concepts.md#checks-and-receipts). `noticed`: what the checks changed outside the permissions.
 */
export async function verify(
  running: Running,
  contract: Contract,
  folder: string,
  work: Attempt | undefined,
  workdir: Workdir,
) {
  const { ws } = running;
  const seen = snapshot(ws.disk, layoutOn(running, workdir));
  const tree = fingerprint(seen);
  const before = readBefore(ws, folder, running.task.attempts);
  const earlier = reusable(running, folder, work, tree);
  const around =
    earlier === undefined && guardChecks(running, contract, contract.checks, workdir, seen);
  const ignored = earlier?.ignored ?? ignoredWork(ws, workdir);
  const committed = committedIn(ws, workdir, work?.outcome?.commit);
  const options = { contract, workdir, ignored, before: before?.receipts, committed };
  const receipts =
    earlier?.receipts.filter((one) => !isItem(one)) ??
    (await runChecks(running, contract.checks, options));
  const noticed = around ? around() : [];
  const deliverables = deliverablesOf(running, contract, workdir);
  const found = { receipts, deliverables, noticed };
  if (running.signal.aborted) return { ...found, record: undefined, same_again: false };
  const delivered = deliverables.flatMap(({ files = [] }) => files);
  syncRelied(running, contract, delivered, workdir);
  const record: ReceiptsRecord = {
    v: 1,
    contract: running.owner.contract,
    tree,
    tests_changed: (work?.outcome?.changed ?? []).filter(isTestFile),
    ignored: [...ignored],
    receipts: [...receipts],
    deliverables: delivered.slice(0, DELIVERED_MAX),
  };
  keepReceipts(running, record);
  return { ...found, record, same_again: endsTheSame(running, record, before) };
}

export function keepReceipts(running: Running, record: ReceiptsRecord): void {
  const { ws, id, number } = running;
  const about = { of: 'receipts', task: id, attempt: number } as const;
  const bytes = bytesOf(signed(ws, about, renderRecord(record, receiptsBody(record))));
  atPlace(running, ({ folder }) =>
    put(ws.putting, join(attemptFolder(folder, number), 'receipts.md'), bytes),
  );
}

/** Begins the name of a receipt that a gate gave to an item of a checklist. */
export const ITEM = 'checklist item: ';
export const isItem = ({ check }: Receipt): boolean => check.startsWith(ITEM);

/** A command of a script failed that had failed in the same way before: another attempt can only end so. */
function endsTheSame(
  { ws, id, task, contract }: Running,
  now: ReceiptsRecord,
  before: ReceiptsRecord | undefined,
): boolean {
  const work = lastEnded(task.attempts, 'work');
  if (work?.owner?.owner !== 'process' || !isScript(ws, contract)) return false;
  const folder = taskFolder(ws.layout, 'review', id);
  const from = roundStart(task.attempts);
  const earlier = task.attempts
    .filter(({ number, kind }) => kind === 'review' && number > from && number < work.number)
    .map(({ number, lost }) => readReceipts(ws, attemptFolder(folder, number, lost)));
  const failed = new Set(
    [before, ...earlier].flatMap((then) =>
      then?.contract === now.contract ? then.receipts.flatMap(failureOf) : [],
    ),
  );
  return now.receipts.flatMap(failureOf).some((one) => failed.has(one));
}

/** Times and counts that it prints do not matter. Only commands: what others look at may be elsewhere. */
function failureOf({ check, passed, exit_code, output }: Receipt): string[] {
  if (passed || exit_code === null) return [];
  return [[check, exit_code, output.replace(/\d+/g, '0')].join('\n')];
}

export function deliverablesOf(
  running: Running,
  { head: { deliverables } }: Contract,
  workdir: Workdir,
): readonly DeliverableSeen[] {
  const { ws, task } = running;
  if (deliverables.length === 0) return [];
  const committed = committedIn(ws, workdir, lastEnded(task.attempts, 'work')?.outcome?.commit);
  return deliverables.flatMap((path) => {
    const is_own = rootOf(running, workdir, path) === workdir.root;
    const layout = is_own ? layoutOn(running, workdir) : ws.layout;
    return inspectDeliverables(running, [path], layout, is_own ? committed : undefined);
  });
}

/** Deliverables, and files that checks name, are durable before the receipt that proves them. */
function syncRelied(
  running: Running,
  contract: Contract,
  delivered: readonly Delivered[],
  workdir: Workdir,
): void {
  const { disk } = running.ws;
  const named = contract.checks.flatMap(pathsOf);
  const files = named.some(isGlob) ? snapshot(disk, layoutOn(running, workdir)) : undefined;
  const paths = named.flatMap((path) => (isGlob(path) ? matching(files, path) : [path]));
  syncBelow(disk, workdir.root, [...delivered.map(({ path }) => path), ...paths]);
}

function reusable(running: Running, folder: string, work: Attempt | undefined, tree: string) {
  if (tree === '') return undefined;
  const last = running.task.attempts.findLast((attempt) => attempt.kind === 'review');
  if (last === undefined || last.number < (work?.number ?? 0)) return undefined;
  if (!last.lost && !running.recovers && last.outcome?.outcome !== 'awaits_person')
    return undefined;
  const lost = running.recovers && last.number > running.owner.base ? true : last.lost;
  const record = readReceipts(running.ws, attemptFolder(folder, last.number, lost));
  const same = record?.tree === tree && record.contract === running.owner.contract;
  return same && record.receipts.every((one) => one.passed || isItem(one)) ? record : undefined;
}

/** Listed in the receipt: an agent that changes the tests changes what passing means. */
function isTestFile(path: string): boolean {
  return /(^|\/)(tests?|__tests__|specs?)\//i.test(path) || /[._-](test|spec)\.[^/]+$/i.test(path);
}

export function receiptsBody(record: ReceiptsRecord): string {
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
