/**
 * Why a task comes back, oldest first (docs/concepts.md#your-move-wins). The same value fills the next brief
 * and is hashed: unchanged inputs are never sent twice. Files at the top belong to the latest attempt.
 */
import { PERSON } from '../../task/core/model/contract.ts';
import { lastAsker, lastEnded, SEND_BACKS, FAILURES } from '../../task/core/attempts/counters.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import type { Question } from '../../task/core/model/documents.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { confirmationIn } from '../../task/text/documents/confirmation.ts';
import { parseBlocked, parseQuestions, parseReview } from '../../task/text/documents/documents.ts';
import { originalOf } from './read-attempts.ts';
import { textIfThere } from '../open/text-file.ts';
import type { Workspace } from '../open/workspace.ts';

export interface Answered {
  readonly question: string;
  readonly answer: string;
  /** Answers that the agent proposed. */
  readonly options?: readonly string[];
}

export interface Inputs {
  readonly answers: readonly Answered[];
  readonly findings: readonly {
    readonly attempt: number;
    readonly by: string;
    readonly text: string;
  }[];
  readonly failures: readonly {
    readonly attempt: number;
    readonly outcome: string;
    readonly text: string;
  }[];
  readonly resolutions: readonly string[];
  readonly notes: readonly { readonly name: string; readonly text: string }[];
}

export function gatherInputs(ws: Workspace, task: string, attempts: readonly Attempt[]): Inputs {
  const ended = attempts.filter((attempt) => !attempt.lost && attempt.outcome !== undefined);
  return {
    answers: answersOf(ws, task, attempts),
    findings: ended.flatMap((attempt) => findingsOf(ws, task, attempts, attempt)),
    failures: ended.flatMap(({ number, outcome }) =>
      outcome !== undefined && FAILURES.has(outcome.outcome)
        ? [{ attempt: number, outcome: outcome.outcome, text: outcome.reason }]
        : [],
    ),
    resolutions: resolutionsOf(ws, task),
    notes: notesOf(ws, task),
  };
}

/** Failures are left out: a retry is allowed to see the same inputs again. */
export function hashInputs(contract: string, inputs: Inputs): string {
  const { answers, findings, resolutions, notes } = inputs;
  return sha256(contract, JSON.stringify([answers, findings, resolutions, notes]));
}

/** A file of an attempt: kept in its folder, or still at the top when it is the latest of its kind. */
function fileOf(
  ws: Workspace,
  task: string,
  attempts: readonly Attempt[],
  attempt: Attempt,
  name: string,
): string | undefined {
  const kept = `${attemptFolder(task, attempt.number)}/${name}`;
  if (ws.disk.stat(kept) !== undefined) return textIfThere(ws.disk, kept);
  if (lastEnded(attempts, attempt.kind)?.number !== attempt.number) return undefined;
  return textIfThere(ws.disk, `${task}/${name}`);
}

/** Answers in every questions.md: kept in an attempt, still at the top, or written by a person's hand. */
function answersOf(ws: Workspace, task: string, attempts: readonly Attempt[]): Inputs['answers'] {
  const kept = listAttempts(ws.disk, task).flatMap(({ number, lost }) => {
    const folder = attemptFolder(task, number, lost);
    return [
      { path: `${folder}/by-hand-questions.md`, asked: undefined },
      {
        path: `${folder}/questions.md`,
        asked: attempts.find((one) => one.number === number && one.lost === lost),
      },
    ];
  });
  const top = { path: `${task}/questions.md`, asked: lastAsker(attempts) };
  return [...kept, top].flatMap(({ path, asked }) => {
    const text = textIfThere(ws.disk, path);
    if (text === undefined) return [];
    const confirmed = confirmationIn(text) !== undefined;
    const original = asked === undefined || confirmed ? undefined : originalOf(ws, task, asked);
    const { questions } = parseQuestions(text, original);
    // What a person wrote in place of a question is for the agent to read.
    const edited = questions.some(({ missing }) => missing === true)
      ? [{ question: 'questions.md as a person edited it', answer: text.trim() }]
      : [];
    const answered = questions.filter(({ answer }) => answer !== '');
    const said = ({ text: question, answer, options }: Question): Answered => ({
      question,
      answer,
      ...given({ options }),
    });
    return [...answered.map(said), ...edited];
  });
}

function findingsOf(ws: Workspace, task: string, attempts: readonly Attempt[], attempt: Attempt) {
  const { outcome, number } = attempt;
  if (outcome === undefined || attempt.kind !== 'review') return [];
  const read = (name: string): string =>
    parseReview(fileOf(ws, task, attempts, attempt, name) ?? '').findings.trim();
  const sent_back = SEND_BACKS.has(outcome.outcome);
  const by = outcome.outcome === 'unverified' ? 'verification' : (outcome.gate ?? 'review');
  const own = read('review.md');
  const sent = sent_back ? [{ attempt: number, by, text: own || outcome.reason }] : [];
  // An agent's approval needs nothing. A person's form is kept in whichever review came last.
  const isForm = !sent_back && (outcome.outcome !== 'approved' || outcome.adapter === undefined);
  const forms = [read('by-hand-review.md'), isForm ? own : ''].filter(Boolean);
  return [...forms.map((text) => ({ attempt: number, by: PERSON, text })), ...sent];
}

/** Looked for on the disk: since the task was read an attempt took blocked.md, and a fence renames folders. */
function resolutionsOf(ws: Workspace, task: string): string[] {
  const paths = listAttempts(ws.disk, task).map(
    (attempt) => `${attemptFolder(task, attempt.number, attempt.lost)}/blocked.md`,
  );
  return [...paths, `${task}/blocked.md`].flatMap((path) => {
    const text = textIfThere(ws.disk, path);
    const resolution = text === undefined ? '' : parseBlocked(text).resolution.trim();
    return resolution === '' ? [] : [resolution];
  });
}

function notesOf(ws: Workspace, task: string): Inputs['notes'] {
  const folder = `${task}/notes`;
  if (ws.disk.stat(folder)?.kind !== 'folder') return [];
  return listOrNothing(ws.disk, folder).flatMap((entry) => {
    if (entry.kind !== 'file' || !entry.name.endsWith('.md')) return [];
    const text = textIfThere(ws.disk, `${folder}/${entry.name}`);
    return text === undefined || text.trim() === ''
      ? []
      : [{ name: entry.name, text: text.trim() }];
  });
}
