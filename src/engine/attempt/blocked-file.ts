/** Renders blocked.md: why the task stopped, what was tried, what would help, a slot for the answer. */
import { join } from 'node:path';
import {
  FAILURES,
  SEND_BACKS,
  count,
  sentBackTooOften,
  tryName,
} from '../../task/core/attempts/counters.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Attempt, OutcomeRecord } from '../../task/core/attempts/record.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { parseQuestions, parseResult } from '../../task/text/documents/documents.ts';
import { sentence } from '../../task/text/markdown/sections.ts';
import {
  calledIn,
  keptDesk,
  originalOf,
  readAttempts,
  readBefore,
  readReceipts,
} from '../../workspace/tasks/read-attempts.ts';
import { quotedOutput } from '../../task/text/markdown/escape.ts';
import { lastWords, quoted } from './log-tail.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { fillTemplate, type Workspace } from '../../workspace/open/workspace.ts';

/** `folder` is where the task is: its attempts are read again, this one included. */
export function renderBlocked(ws: Workspace, task: TaskRead, reason: string, folder: string) {
  const { attempts } = readAttempts(ws, folder, task.id);
  const tried = attempts.flatMap((one) =>
    one.lost || one.outcome === undefined
      ? []
      : [`${tryName(attempts, one)}: ${one.outcome.outcome}, ${one.outcome.reason}`],
  );
  const last = attempts.findLast((attempt) => !attempt.lost);
  return fillTemplate(ws, 'blocked', {
    id: task.id,
    reason: `${reason}${failed(last) ? quoted(lastWords(ws, folder, last)) : failedBefore(ws, folder, attempts)}`,
    tried,
    help:
      decisionHelp(task) ||
      conflictHelp(ws, folder, last) ||
      askedFor(ws, folder, last) ||
      openQuestions(ws, folder, last) ||
      helpFor(task.id, last?.outcome),
  });
}

function decisionHelp({ id, kind }: TaskRead): string {
  const [first, ...others] = kind.decision?.words.keys() ?? [];
  if (first === undefined) return '';
  const last = others.pop();
  return `Decide it yourself: \`contracts answer ${id} ${first}\`, or ${others.join(', ')} or ${last}. What is written below asks again, and decides nothing.`;
}

function conflictHelp(ws: Workspace, folder: string, last: Attempt | undefined): string {
  if (last === undefined) return '';
  const conflict = `${attemptFolder(folder, last.number)}/clash.md`;
  return ws.disk.stat(conflict) === undefined
    ? ''
    : 'Decide which side counts where they differ: the next attempt finds both in its worktree and resolves the conflict. Or resolve it yourself on its branch.';
}

/** The failed checks of a review that had failed before the work, too. */
function failedBefore(ws: Workspace, folder: string, attempts: readonly Attempt[]): string {
  const last = attempts.findLast(({ lost }) => !lost);
  const now = last && readReceipts(ws, calledIn(folder, last))?.receipts;
  const failed = new Set(now?.flatMap(({ passed, check }) => (passed ? [] : check)));
  const before = failed.size === 0 ? undefined : readBefore(ws, folder, attempts);
  const both = before?.receipts.filter(({ passed, check }) => !passed && failed.has(check)) ?? [];
  const words = both.map(
    ({ check, reason, output }) =>
      `\`${check}\` failed before the work, too: ${reason}\n\n${quotedOutput(output)}`,
  );
  return words.map((one) => `\n\n${one.trim()}`).join('');
}

function failed(attempt: Attempt | undefined): attempt is Attempt {
  return attempt?.outcome !== undefined && FAILURES.has(attempt.outcome.outcome);
}

/** `## Required Resolution` of the result with which the agent gave up; empty without one. */
function askedFor(ws: Workspace, folder: string, last: Attempt | undefined): string {
  const outcome = last?.outcome?.outcome;
  if (last === undefined || (outcome !== 'failed' && outcome !== 'blocked')) return '';
  const text = textIfThere(ws.disk, join(keptDesk(folder, last), 'result.md'));
  return text === undefined ? '' : parseResult(text).required_resolution;
}

/** When no round is left they are not published: a person reads them only here. */
function openQuestions(ws: Workspace, folder: string, last: Attempt | undefined): string {
  const text = last === undefined ? undefined : originalOf(ws, folder, last);
  const asked = parseQuestions(text ?? '').questions.map((one) => `- ${one.text}`);
  return asked.length === 0 ? '' : ['Answer what is open:', '', ...asked].join('\n');
}

/** The reason with the limit that was reached; none was reached where the agent reported `blocked`. */
export function whyBlocked(task: TaskRead, { outcome, reason, no_result }: OutcomeRecord): string {
  if (no_result === 'same_again' && outcome === 'unverified') {
    return `${sentence(reason)} Nothing was changed that could mend it, so another call would end the same way.`;
  }
  if (no_result === 'same_again') {
    return `${sentence(reason)} The script changed no file, so another run would end the same way.`;
  }
  if (outcome === 'questions' && task.kind.decision !== undefined) {
    return `It ${sentence(task.kind.decision.stopped(reason))}`;
  }
  if (outcome === 'questions') return `${sentence(reason)} No round of questions is left.`;
  if (SEND_BACKS.has(outcome)) return `${sentence(reason)} No send-back is left.`;
  if (FAILURES.has(outcome)) return `${sentence(reason)} No retry is left.`;
  return reason;
}

/** In a line. */
export function stoppedBecause(
  task: TaskRead,
  { outcome, reason }: Pick<OutcomeRecord, 'outcome' | 'reason'>,
): string {
  const { decision } = task.kind;
  if (outcome === 'needs_work') {
    return sentBackTooOften(count(task.attempts, false).send_backs, reason);
  }
  return outcome === 'questions' && decision ? decision.stopped(reason) : reason;
}

function helpFor(id: string, outcome: OutcomeRecord | undefined): string {
  const look = `Run contracts logs ${id}; write what to do differently, or change the contract.`;
  switch (outcome?.outcome) {
    case undefined:
      return 'Write what should happen, or correct depends_on in contract.md.';
    case 'questions':
      return 'Answer what is still open here, or make the contract clearer.';
    case 'unverified':
      return outcome.code === 'check_failed'
        ? 'Look at the failed checks in the last attempt; correct the contract if it asks for the wrong thing.'
        : 'Read in result.md what is open, and why; correct the contract if it asks for the wrong thing, or for what cannot be seen.';
    case 'needs_work':
    case 'reject':
      return 'Read review.md; write which findings matter, or change the contract.';
    case 'failed':
      return outcome.no_result === 'same_again'
        ? 'Correct the commands under `## Steps` in contract.md, or the files that they use. Then move the task back: contracts retry.'
        : look;
    case 'blocked':
      if (outcome.error === 'too_long') {
        return 'Name less in context_files of contract.md, make the task smaller, or name a model that takes more. Then move the task back: contracts retry.';
      }
      return outcome.error === 'outage'
        ? 'Look at the account and the status page of the client. Then move the task back: contracts retry.'
        : look;
    case 'stalled':
      return 'Give it longer without a sign of work (stall in contract.md), or a smaller task.';
    case 'timed_out':
      return 'Give it more time (timeout in contract.md), or a smaller task.';
    default:
      return look;
  }
}
