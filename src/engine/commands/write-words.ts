/**
 * The verbs that write a person's words into a file: answer, approve, needs-work, reject, resolve, note.
 * Each is the smallest edit; the next step reads it as it would read an edit by hand.
 */
import { join } from 'node:path';
import { given } from '../../task/core/base/defined-fields.ts';
import { awaitedReview, lastAsker } from '../../task/core/attempts/counters.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { suffix } from '../../task/core/model/id.ts';
import type { Question, Same, Verdict } from '../../task/core/model/documents.ts';
import { ok, refused, type Result } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { makeFolder } from '../../task/store/disk/disk.ts';
import { attemptFolder, shown, STOP_FILE, taskFolder } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { escapeBlock } from '../../task/text/markdown/escape.ts';
import { choiceIn } from '../../task/text/documents/confirmation.ts';
import { saysSomething } from '../../task/text/documents/answer-words.ts';
import { parseQuestions, parseReview } from '../../task/text/documents/documents.ts';
import {
  addAnswerSlots,
  addVerdict,
  setFindingsAside,
  tickVerdict,
  whyNoVerdict,
  writeAnswer,
  writeResolution,
  type WhyNot,
} from '../../task/text/documents/edit.ts';
import { completeResult } from '../../task/text/documents/result-edit.ts';
import { withSignature } from '../../task/text/documents/signature.ts';
import { calledIn, confirming, original } from '../../workspace/tasks/read-attempts.ts';
import { lies } from '../../workspace/tasks/read-task.ts';
import { beginningOf } from '../core/words/answers.ts';
import { findTask } from '../queries/find-task.ts';
import { wrongState } from './moves.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { capabilityOfKind, type Written } from '../../workspace/tasks/capability.ts';
import { sameQuestions, unshared } from '../queries/same-questions.ts';
import { keepSeen } from '../review/seen.ts';
import { approvalSignature } from '../verify/seals.ts';
import { editFile, writtenConflict } from './file-edit.ts';

/** True if it is answered by ticking a box, and not in words. */
export function decides({ state, kind }: TaskRead): boolean {
  return (state === 'questions' || state === 'blocked') && kind.decision !== undefined;
}

interface Answering {
  /** Equal questions of other tasks get the same. */
  readonly shares?: boolean;
  /** Number of the newest attempt as the person saw it. */
  readonly attempt?: number;
}

/**
 * `number` is 1-based; without it the first open question is answered. Equal questions of other tasks that were asked
 * before the work get the same.
 */
export function answer(
  ws: Workspace,
  id: string,
  text: string,
  number?: number,
  { shares = true, attempt }: Answering = {},
): Result<Written> {
  const found = inState(ws, id, 'questions', 'answer', (task) => mayAnswer(ws, task));
  if (!found.ok) return found;
  if (attempt !== undefined && attempt !== (found.value.attempts.at(-1)?.number ?? 0))
    return refused(askedSince(ws, id));
  const { state, kind } = found.value;
  const decided = decides(found.value)
    ? capabilityOfKind(ws, kind)?.answer?.(ws, found.value, text)
    : undefined;
  if (decided !== undefined) return decided;
  const folder = taskFolder(ws.layout, state, id);
  const file = shown(ws.layout, join(folder, 'questions.md'));
  const before = original(ws, folder, found.value.attempts);
  if (confirming(ws, folder, found.value)?.asked !== undefined && choiceIn(text) === undefined) {
    return refused({
      code: 'undecided',
      file,
      message: 'which contract holds is answered by one word',
      found: text,
      expected: 'take or restore',
      fix: `contracts answer ${id} take, or contracts answer ${id} restore`,
    });
  }
  // While it is open itself.
  const isShared = shares && lastAsker(found.value.attempts)?.kind === 'ask';
  const same = isShared ? sameQuestions(ws, id) : undefined;
  let asked: Pick<Written, 'open' | 'took' | 'next'> = { open: 0 };
  const edited = editFile(ws, id, state, 'questions.md', (whole) => {
    const slotted = addAnswerSlots(whole, before);
    const questions = parseQuestions(slotted, before).questions;
    const wanted = number ?? questions.findIndex((question) => question.answer === '') + 1;
    asked = { open: questions.filter((one) => one.answer === '').length };
    const open = questions.filter((one) => one.answer === '' && one.number !== wanted);
    if (!saysSomething(text)) return saysNothing(id, text.trim());
    const same = kind.works && questions.find((one) => one.answer === text.trim());
    if (number === undefined && same && wanted > 0) return twice(same, wanted);
    const told = ({ number: at, text: words }: Question) => ({ number: at, text: words });
    const [took] = questions.slice(wanted - 1, wanted).map(told);
    const edited = writeAnswer(slotted, wanted, text, before);
    if (typeof edited === 'string')
      asked = { open: open.length, ...given({ took, next: open.map(told)[0] }) };
    return edited;
  });
  const left = edited.ok || !isShared ? [] : unshared(ws, id, text);
  if (!edited.ok && left.length === 0) return edited;
  const others = edited.ok ? (same?.get(asked.took?.number ?? 0) ?? []) : left;
  const shared = filled(shareWith(ws, others, text));
  return ok({ ...(edited.ok ? edited.value : { id, file }), ...asked, ...shared });
}

function shareWith(ws: Workspace, others: readonly Same[], text: string) {
  const all = others.map(({ id, number, attempt }) => {
    const given = answer(ws, id, text, number, { shares: false, attempt });
    return { id, ok: given.ok };
  });
  const of = (is: boolean) => all.flatMap((one) => (one.ok === is ? one.id : []));
  return { also: of(true), apart: of(false) };
}

/** Without empty lists. */
const filled = <T extends object>(lists: T): Partial<T> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list?.length > 0)) as Partial<T>;

function askedSince({ layout }: Workspace, id: string) {
  const file = shown(layout, join(taskFolder(layout, 'questions', id), 'questions.md'));
  const message = 'it has asked other questions since';
  return { code: 'undecided', file, message, fix: `See them: contracts show ${id}` } as const;
}

function saysNothing(id: string, text: string): WhyNot {
  const message = text === '' ? 'the text is empty' : `this says nothing: ${beginningOf(text)}`;
  return { message, fix: `Write some text: contracts answer ${id} "…"` };
}

function twice({ number, text }: Question, wanted: number): WhyNot {
  const message = `this is the answer to question ${number} already: ${text}`;
  return { message, fix: `Question ${wanted} is open; -q ${wanted} gives it the same` };
}

/** As they are in the file now, answered ones too. */
export function questionsOf(ws: Workspace, id: string): Result<readonly Question[]> {
  const found = inState(ws, id, 'questions', 'answer', (task) => mayAnswer(ws, task));
  if (!found.ok) return found;
  if (decides(found.value)) return ok([]);
  const folder = taskFolder(ws.layout, found.value.state, id);
  const path = join(folder, 'questions.md');
  const text = readText(ws.disk, path, shown(ws.layout, path));
  if (!text.ok) return text;
  return ok(parseQuestions(text.value, original(ws, folder, found.value.attempts)).questions);
}

const VERB_OF: Readonly<Record<Verdict, string>> = {
  APPROVED: 'approve',
  NEEDS_WORK: 'needs-work',
  REJECT: 'reject',
};

/** Ticks one box of review.md and unticks the others, or adds it where none can be read; `findings` go to its end. Signed. */
export function giveVerdict(ws: Workspace, id: string, verdict: Verdict, findings?: string) {
  const isOwn = (task: TaskRead): boolean =>
    verdict === 'APPROVED' &&
    task.state === 'in_progress' &&
    openAttempt(task)?.owner?.owner === 'person';
  const found = inState(ws, id, 'review', VERB_OF[verdict], isOwn);
  if (!found.ok) return found;
  if (found.value.state !== 'review') return approveOwn(ws, found.value, findings);
  if (found.value.review === undefined) {
    return refused({
      code: 'undecided',
      file: shown(ws.layout, join(taskFolder(ws.layout, 'review', id), 'review.md')),
      message: 'nobody has asked for a verdict yet',
      fix: `Verify it first: contracts step --only ${id}`,
    });
  }
  const folder = taskFolder(ws.layout, 'review', id);
  const asked = awaitedReview(found.value.attempts);
  if (asked !== undefined && verdict === 'APPROVED')
    keepSeen(ws, folder, found.value, calledIn(folder, asked));
  const signature = approvalSignature(ws, folder, found.value, verdict);
  return editFile(ws, id, 'review', 'review.md', (text) => {
    const whole = withSignature(text, undefined);
    const edited = tickVerdict(whole, verdict) ?? addVerdict(whole, verdict);
    if (edited === undefined) return whyNoVerdict(whole);
    const before = parseReview(whole);
    const other = before.verdict !== undefined && before.verdict !== verdict;
    const ticked = other && before.findings !== '' ? setFindingsAside(edited) : edited;
    const words = findings?.trim() ? escapeBlock(findings) : '';
    return withSignature(words ? `${ticked.trimEnd()}\n\n${words}\n` : ticked, signature);
  });
}

/** Work in a person's hands is done when they say so. That is their result, and they are not asked again. */
function approveOwn(ws: Workspace, task: TaskRead, notes = ''): Result<Written> {
  const { id, state, contract } = task;
  const folder = taskFolder(ws.layout, state, id);
  const open = attemptFolder(folder, openAttempt(task)?.number ?? 0);
  return editFile(ws, id, state, 'result.md', (text) => {
    const whole = completeResult(text, contract.ok ? contract.value.criteria : []);
    const words = notes.trim() === '' ? '' : `\n${escapeBlock(notes)}\n`;
    keepSeen(ws, folder, task, open, whole + words);
    return withSignature(whole + words, approvalSignature(ws, folder, task, 'APPROVED'));
  });
}

export function resolveBlocked(ws: Workspace, id: string, text: string): Result<Written> {
  const found = inState(ws, id, 'blocked', 'retry');
  if (!found.ok) return found;
  const why = capabilityOfKind(ws, found.value.kind)?.no_resolution?.(ws, found.value, text);
  if (why !== undefined) return refused([why]);
  return editFile(ws, id, 'blocked', 'blocked.md', (whole) => writeResolution(whole, text));
}

/** One message, one file; every later brief has it. */
export function addNote(ws: Workspace, id: string, text: string): Result<Written> {
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const now = ws.machine.now().toISOString();
  const folder = join(taskFolder(ws.layout, found.value.state, id), 'notes');
  if ((ws.disk.stat(folder)?.kind ?? 'folder') !== 'folder') {
    return refused({
      code: 'not_a_file',
      file: shown(ws.layout, folder),
      message: 'notes is a link or a file',
      expected: 'a folder',
      fix: 'Move it away; the folder is made again',
    });
  }
  const name = `${now.replace(/[:.]/g, '').slice(0, 17)}${suffix(() => Math.floor(ws.machine.random() * 32))}.md`;
  const path = join(folder, name);
  const file = shown(ws.layout, path);
  const conflict = writtenConflict(text.trim(), file);
  if (conflict !== undefined) return refused([conflict]);
  makeFolder(ws.disk, folder);
  put(ws.putting, path, bytesOf(`${text.trim()}\n`));
  return ok({ id, file, open: 0 });
}

/** Asks the runner of the attempt that works on it to stop; also one of another process. False where none does. */
export function stopNow(ws: Workspace, id: string): boolean {
  const found = findTask(ws, id);
  const open = found.ok ? openAttempt(found.value) : undefined;
  const works = open?.owner?.owner === 'process' && open.outcome === undefined;
  if (!found.ok || !works || found.value.state !== 'in_progress') return false;
  const folder = attemptFolder(taskFolder(ws.layout, 'in_progress', id), open.number, open.lost);
  put(ws.putting, join(folder, STOP_FILE), bytesOf('A note for it is there.\n'));
  return true;
}

function mayAnswer(ws: Workspace, task: TaskRead): boolean {
  // Moved on by hand with its questions still open: it waits in ready for the same words.
  const last = lastAsker(task.attempts)?.outcome?.outcome;
  const folder = taskFolder(ws.layout, task.state, task.id);
  const wasPutBack =
    task.state === 'ready' && last === 'questions' && lies(ws, folder, 'questions');
  return wasPutBack || decides(task);
}

function inState(
  ws: Workspace,
  id: string,
  state: State,
  verb: string,
  or: (task: TaskRead) => boolean = () => false,
): Result<TaskRead> {
  const found = findTask(ws, id);
  if (!found.ok || found.value.state === state || or(found.value)) return found;
  return refused([wrongState(ws, id, verb, found.value.state, state)]);
}
