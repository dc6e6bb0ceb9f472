/**
 * The end of a work attempt: its outcome is committed as a record, with a text for people below it, and the
 * task is rolled forward. An attempt that was taken over fails to commit, and moves nothing.
 */
import { ifAllowed } from '../core/judge/after-call.ts';
import { join } from 'node:path';
import type { Adapter } from '../../process/adapter.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { checkName } from '../../task/core/model/contract.ts';
import { FAILURES } from '../../task/core/attempts/counters.ts';
import { enforcedList, enforcedWords } from '../../permissions/core/enforcement.ts';
import type { ClientEnd, ClientError } from '../../task/core/attempts/client-report.ts';
import { ended, type Judgement } from '../core/words/outcomes.ts';
import type { OutcomeRecord, WorkOutcome } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import { attemptFolder, deskFolder } from '../../task/store/tasks/layout.ts';
import { sentence } from '../../task/text/markdown/sections.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { forgetBaseline } from '../../permissions/engine/audit/audit-attempt.ts';
import { listed, findingLines } from '../../permissions/engine/audit/format-findings.ts';
import { treesOf } from '../../permissions/engine/audit/shared-tree.ts';
import type { Settled } from '../../worktrees/engine/settle-attempt.ts';
import { outcomeHead, usedBefore, usedFields, type CallSeen } from '../call/client-outcome.ts';
import { setupFault } from '../attempt/setup-fault.ts';
import { isStatusUntouched } from '../attempt/current-files.ts';
import { goneOf } from '../attempt/deliverables.ts';
import { handsInDocuments } from '../attempt/documents.ts';
import type { Role } from '../../agents/engine/roles.ts';
import { remindersOf } from '../../workspace/tasks/capability.ts';
import { calledIn } from '../../workspace/tasks/read-attempts.ts';
import { redactedRecord } from '../../workspace/tasks/redact.ts';
import { rollForward } from '../attempt/roll-forward.ts';
import { commitOutcome, findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';

/** How many changed paths an outcome lists. */
const CHANGED_MAX = 200;

interface Details extends CallSeen {
  readonly adopted?: number;
  /** Desk of that call, before the commit. */
  readonly desk?: string;
  readonly settled?: Settled | undefined;
  /** Changes of the checks for its result outside the permissions of the work. */
  readonly checked?: { readonly noticed: readonly string[] } | undefined;
  /** Why the client failed and nothing was handed in. */
  readonly error?: ClientError | undefined;
  readonly resets_at?: string | undefined;
}

/** Commit and roll forward. undefined when this attempt had been taken over. */
export function conclude(
  running: Running,
  role: Role | undefined,
  judged: Judgement<WorkOutcome>,
  details: Details,
): State | undefined {
  const { number } = running;
  const allowed = ifAllowed(judged, details.settled);
  const isIdle = allowed.code === 'complete' && changedNothing(running, details);
  const done = isIdle ? { ...allowed, ...ended('unchanged') } : allowed;
  const outcome = workOutcome(running, role, done, details);
  const place = commitOutcome(running, outcome, bodyOf(running, outcome, details));
  if (place === undefined) return undefined;
  forgetBaseline(running, place.folder, details.adopted);
  const reminders = outcome.outcome === 'complete' ? remindersOf(running, place.folder) : [];
  for (const problem of reminders) running.emit({ event: 'problem', problem });
  const desk = join(calledIn(place.folder, { number, lost: false, outcome }), 'desk');
  const given = running.owner.owner === 'person' ? place.folder : desk;
  return rollForward(running, place, { outcome, desk: given, stays: judged.by_hand === true });
}

/** Only where it was compared, and where neither the result itself nor what others did is the work. */
function changedNothing(running: Running, { settled, compared, adopted }: Details): boolean {
  const { ws, id, number, task, contract } = running;
  const { folder } = findPlace(running) ?? {};
  const seen = settled ?? (compared?.after.tree && compared);
  const isElsewhere =
    contract?.checks.some(({ kind }) => kind === 'result') ||
    task.attempts.some(({ outcome }) => outcome?.outcome === 'delegated');
  if (folder === undefined || isElsewhere || seen?.changed.length !== 0) return false;
  const attempt = attemptFolder(folder, adopted ?? number, adopted !== undefined);
  const desk = adopted === undefined ? deskFolder(ws.layout, id, number) : join(attempt, 'desk');
  return !handsInDocuments(ws, attempt, desk);
}

/** After a call that ended: `nothing` is why it may have handed in nothing. */
export function concludeCall(
  running: Running,
  role: Role | undefined,
  judged: Judgement<WorkOutcome>,
  details: Details,
  { nothing, adapter }: { nothing: ClientEnd | undefined; adapter: Adapter | undefined },
): State | undefined {
  const end = judged.from_client === true ? nothing : undefined;
  const { error, resets_at } = end ?? {};
  const all = { ...details, error, resets_at };
  const called = { ...running, agent: running.owner.agent };
  const fault = setupFault(called, adapter, end && { ...end, reason: judged.reason });
  if (fault === undefined) return conclude(running, role, judged, all);
  conclude(running, role, { ...judged, outcome: 'interrupted' }, all);
  throw fault;
}

function workOutcome(
  running: Running,
  role: Role | undefined,
  judged: Judgement<WorkOutcome>,
  details: Details,
): OutcomeRecord {
  const { called, compared, adopted, left, settled, before, checked } = details;
  const { error = left?.error, resets_at = left?.resets_at } = details;
  const no_result = noResult(running, role, judged, details);
  const { branch, commit } = settled ?? left ?? {};
  const used = called ?? before;
  // A session belongs to the adapter that reported it.
  const adapter = before?.adapter?.name ?? left?.adapter ?? role?.adapter_name;
  const { noticed } = judged;
  const besides = noticed === undefined ? undefined : { noticed };
  const enforced = enforcedList([
    ...(settled === undefined ? [] : ['worktree']),
    ...(compared === undefined ? [] : ['compared']),
    ...(called?.enforced ?? left?.enforced ?? before?.enforced ?? []),
  ]);
  return redactedRecord<OutcomeRecord>(running.ws, {
    ...outcomeHead(running, judged, details),
    agent: running.owner.agent,
    adapter,
    exit_code: called?.ending.code ?? (before ?? left)?.exit_code,
    signal: called?.ending.signal ?? undefined,
    ...(used === undefined ? usedBefore(left) : usedFields(running, used)),
    error,
    resets_at,
    no_result,
    adopted,
    enforced,
    changed: ((settled ?? compared ?? left)?.changed ?? []).toSorted().slice(0, CHANGED_MAX),
    gone: goneOf(running),
    ...listed('violations', [settled, compared], left),
    ...listed('noticed', [settled, compared, checked, called?.seen, besides], left),
    branch,
    commit,
    ...(branch === undefined ? sharedTrees(running, details) : {}),
    left_behind: called?.left_behind || undefined,
  });
}

/** Trees of the attempt that worked, which a recovery may have put aside; without git the files that are new. */
function sharedTrees(running: Running, { adopted, compared, left }: Details) {
  const { trees: had, beside, created: made } = left ?? {};
  if (left !== undefined) return given({ trees: had, beside, created: made });
  const place = findPlace(running)?.folder ?? '';
  const folder = attemptFolder(place, adopted ?? running.number, adopted !== undefined);
  const kept = treesOf(running, folder, compared && (() => compared.after.tree));
  const created = (compared?.created ?? []).toSorted();
  return kept.trees !== undefined || created.length === 0 ? kept : { ...kept, created };
}

function noResult(
  running: Running,
  role: Role | undefined,
  { no_result, outcome }: Judgement<WorkOutcome>,
  { called, before, left, compared, settled, desk = '' }: Details,
): OutcomeRecord['no_result'] {
  const used = called ?? before;
  if (used === undefined) return left?.no_result;
  if (no_result !== true || !FAILURES.has(outcome)) return undefined;
  const adapter = before?.adapter ?? role?.adapter;
  if (adapter?.writes_result_itself === false) {
    const changed = (settled ?? compared)?.changed.length;
    const isSame = outcome === 'failed' && changed === 0 && compared?.after.tree !== undefined;
    return isSame ? 'same_again' : undefined;
  }
  const { session, last_message, output_tokens, ended } = used.report;
  const begun = session !== undefined && (last_message !== '' || output_tokens !== undefined);
  const isSilent = !begun && ended === undefined;
  return isSilent && isStatusUntouched(running, desk) ? 'silent' : 'working';
}

function commitLines({ branch, commit, enforced }: OutcomeRecord): readonly string[] {
  if (branch === undefined) {
    if (enforced.includes('sandbox') || enforced.includes('client')) return [];
    return ['Nothing confined this agent: no sandbox and no worktree was in force.', ''];
  }
  const at = commit === undefined ? 'was left as it was' : `is at ${commit}`;
  return [`It worked in a worktree; ${branch} ${at}.`, ''];
}

function bodyOf(running: Running, outcome: OutcomeRecord, { called, compared }: Details): string {
  const lines = [
    `# Attempt ${running.number}: ${outcome.outcome}`,
    '',
    sentence(outcome.reason),
    '',
  ];
  const { contract } = running;
  if (contract !== undefined && contract.checks.length > 0 && outcome.outcome === 'complete') {
    lines.push(`Checks to pass in review: ${contract.checks.map(checkName).join(', ')}.`, '');
  }
  const held = enforcedWords(outcome.enforced);
  if (held !== '') lines.push(`Its permissions were enforced by: ${held}.`, '');
  lines.push(...commitLines(outcome));
  for (const words of called?.words ?? []) lines.push(words, '');
  if (FAILURES.has(outcome.outcome)) lines.push('What it printed is in `output.log`.', '');
  if (outcome.left_behind !== undefined) {
    lines.push(`It left ${outcome.left_behind} processes running; they were ended.`, '');
  }
  if (outcome.changed.length > 0) {
    const where =
      outcome.branch === undefined ? 'in the workspace while it ran' : 'in its worktree';
    lines.push(`Files that changed ${where}:`, '');
    lines.push(...outcome.changed.map((path) => `- ${JSON.stringify(path)}`), '');
  }
  lines.push(...findingLines(outcome, compared?.typed));
  return escapeText(lines.join('\n'), { multiline: true });
}
