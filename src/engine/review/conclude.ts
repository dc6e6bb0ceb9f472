/**
 * The end of a review attempt: its outcome is committed and the task rolled forward, with the file that
 * the runner writes: boxes for a person, or the findings of verification.
 */
import { join } from 'node:path';
import { awaitedReview, lastEnded } from '../../task/core/attempts/counters.ts';
import { enforcedList } from '../../permissions/core/enforcement.ts';
import { checklistsOf } from '../../task/core/model/criterion-check.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import type { ReviewJudgement } from '../core/judge/judge.ts';
import { claimsIn } from '../core/judge/unmet.ts';
import { isBeyond, noticedIn, runsFirst } from '../../task/core/attempts/noticed.ts';
import type { OutcomeRecord, ReviewOutcome } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { oneLine, sentence } from '../../task/text/markdown/sections.ts';
import { withoutOf } from '../brief/task-report.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import { escapeComments } from '../../task/text/markdown/escape.ts';
import { forgetBaseline } from '../../permissions/engine/audit/audit-attempt.ts';
import { listed, findingLines } from '../../permissions/engine/audit/format-findings.ts';
import { redactedRecord } from '../../workspace/tasks/redact.ts';
import { fillTemplate } from '../../workspace/open/workspace.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { reminderLines } from '../../workspace/tasks/capability.ts';
import { calledIn, readReceipts } from '../../workspace/tasks/read-attempts.ts';
import { changedFiles, countedFile } from '../attempt/attempt-diff.ts';
import { signaturesIn } from '../verify/seals.ts';
import { isItem, ITEM } from '../verify/verify.ts';
import { NOT_ASKED, type Asked } from './ask-gate.ts';
import { outcomeHead, usedBefore, usedFields } from '../call/client-outcome.ts';
import { notifyPerson } from '../attempt/notify.ts';
import { rollForward } from '../attempt/roll-forward.ts';
import { commitOutcome, inherited, type Running } from '../../workspace/tasks/attempt-context.ts';

/** How many changed files a form lists. */
const FILES_MAX = 100;
const AS_BEFORE = ' (it passed before the work, too, so it proves nothing new)';

export function concludeReview(
  running: Running,
  judged: ReviewJudgement,
  asked: Asked = NOT_ASKED,
  findings = '',
): State | undefined {
  const { ws, owner } = running;
  const gate = owner.agent || (asked.by === 'person' ? PERSON : asked.left?.gate);
  const { checked = [], adopted } = asked;
  const around = checked.length > 0 ? { noticed: checked } : undefined;
  const used = asked.called ?? asked.before;
  const outcome = redactedRecord<OutcomeRecord>(ws, {
    ...outcomeHead(running, judged, asked),
    gate,
    agent: gate,
    adapter: asked.adapter ?? asked.before?.adapter?.name ?? asked.left?.adapter,
    ...(used === undefined ? usedBefore(asked.left) : usedFields(running, used)),
    no_verdict: judged.no_verdict,
    no_result: judged.same_again && 'same_again',
    error: asked.end?.error ?? asked.left?.error,
    resets_at: asked.end?.resets_at ?? asked.left?.resets_at,
    adopted,
    enforced: enforcedList(used?.enforced ?? asked.left?.enforced ?? []),
    changed: [...((asked.compared ?? asked.left)?.changed ?? [])],
    ...listed('violations', [asked.compared], asked.left),
    ...listed('noticed', [asked.compared, around, asked.called?.seen], asked.left),
  });
  const place = commitOutcome(
    running,
    outcome,
    [
      `# Review ${running.number}: ${judged.outcome}\n\n${sentence(judged.reason)}\n`,
      ...findingLines(outcome, asked.compared?.typed),
    ].join('\n'),
  );
  if (place === undefined) return undefined;
  forgetBaseline(running, place.folder, adopted);
  const speaker = { number: running.number, lost: false, outcome };
  const desk = join(calledIn(place.folder, speaker), 'desk');
  const asked_before = awaitedReview(running.task.attempts) !== undefined;
  const offered =
    (running.recovers || asked_before) &&
    ws.disk.stat(join(place.folder, 'review.md')) !== undefined;
  const awaits = judged.outcome === 'awaits_person';
  // The boxes that an earlier review offered may be ticked by now: they are not offered again.
  const review =
    awaits && offered
      ? undefined
      : reviewFile(running, place.folder, judged.outcome, findings, checked);
  const to = rollForward(running, place, { outcome, desk, review });
  if (awaits && !asked_before) notifyPerson(ws, running.id, 'it waits for your verdict', 'review');
  return to;
}

function reviewFile(
  running: Running,
  folder: string,
  outcome: ReviewOutcome,
  findings: string,
  checked: readonly string[],
): string | undefined {
  const { ws, id, contract, owner } = running;
  if (outcome === 'unverified' && findings !== '') {
    return `# Review: ${id}\n\n- Verdict: NEEDS_WORK\n- Gate: verification by the runner\n\n## Findings\n\n${findings}\n`;
  }
  if (outcome !== 'awaits_person' || contract === undefined) return undefined;
  const { attempts } = running.task;
  // What a dead runner had committed stands on its receipts.
  const left = inherited(running);
  const own = left?.outcome ? calledIn(folder, left) : attemptFolder(folder, running.number);
  const receipts = readReceipts(ws, own)?.receipts ?? [];
  const { files, files_note } = changedFiles(ws, folder, attempts);
  const broken = signaturesIn(ws, running.task, folder).problems.map(({ message }) => message);
  const more = files.length - FILES_MAX;
  const noticed = noticedIn(attempts);
  const texts = contract.criteria.map(({ text }) => text);
  const said = parseResult(textIfThere(ws.disk, join(folder, 'result.md')) ?? '');
  return fillTemplate(ws, 'review', {
    id,
    title: contract.title,
    gate: owner.agent || PERSON,
    denied: lastEnded(attempts, 'work')?.outcome?.denied ?? [],
    beyond: noticed.filter(isBeyond),
    noticed: [...broken, ...runsFirst([...noticed, ...checked]).filter((one) => !isBeyond(one))],
    checklists: checklistsOf(contract).map(({ items, ...list }) => ({
      ...list,
      items: items.map((text) => ({ text, ...receipts.find((one) => one.check === ITEM + text) })),
    })),
    without: withoutOf(ws, contract).map(({ id, title, state, text }) => {
      const [why = ''] = text.split('\n\n', 1);
      return escapeComments(oneLine(`${id}, ${title} (${state})${why && `: ${why}`}`));
    }),
    reminders: reminderLines(running, folder).map(escapeComments),
    files: files.slice(0, FILES_MAX).map((one) => escapeComments(countedFile(one))),
    note: more > 0 ? `${more} more. ${files_note}` : files_note,
    evidence: claimsIn(texts, said).map(({ mark, text, evidence }) =>
      escapeComments(`${mark} ${text}${evidence && ` — ${evidence}`}`),
    ),
    checks: receipts
      .filter((one) => !isItem(one))
      .map(
        ({ check, passed, reason, as_before }) =>
          `${passed ? 'passed' : 'failed'} \`${check}\`${reason === 'passed' ? '' : `: ${reason}`}${as_before ? AS_BEFORE : ''}`,
      ),
  });
}
