/**
 * One task of the tree as plain data: its contract, its attempts, and the files that its state needs. What
 * a listing of thousands seldom needs is a fact of its own: before a change of the folder take `wholeTask`.
 */
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import type { State } from '../../task/core/model/state.ts';
import type { CurrentFile, Facts, TaskRead, WholeTask } from '../../task/core/model/task.ts';
import { archiveFolder, attemptsFolder, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { parseBlocked, parseQuestions, parseReview } from '../../task/text/documents/documents.ts';
import { confirming, original, readAttempts, type AttemptsRead } from './read-attempts.ts';
import { gatherInputs, hashInputs } from './inputs.ts';
import { contractHash, readContract } from './read-contract.ts';
import { readText } from '../open/text-file.ts';
import { completed } from './complete-contract.ts';
import { decisionsOf, kindOf } from './kinds.ts';
import type { Workspace } from '../open/workspace.ts';

const NEVER_CLAIMED: AttemptsRead = { attempts: [], problems: [] };

/** undefined when somebody moved the folder meanwhile. */
export function readTask(ws: Workspace, state: State, id: string): TaskRead | undefined {
  return readIn(ws, taskFolder(ws.layout, state, id), state, id);
}

/** One that was put into the archive; `state` is what it was. */
export function readArchived(ws: Workspace, state: State, id: string): TaskRead | undefined {
  return readIn(ws, archiveFolder(ws.layout, id), state, id);
}

function readIn(ws: Workspace, folder: string, state: State, id: string): TaskRead | undefined {
  const seen: { mtime_ms?: number } = {};
  const read = readContract(ws, folder, id, seen);
  const stands = seen.mtime_ms === undefined ? ws.disk.stat(folder) : undefined;
  if (seen.mtime_ms === undefined && stands?.kind !== 'folder') return undefined;
  const since_ms =
    seen.mtime_ms ?? (ws.disk.stat(`${folder}/contract.md`) ?? stands)?.mtime_ms ?? 0;
  const place = ws.disk.stat(attemptsFolder(folder));
  const odd = place !== undefined && place.kind !== 'folder';
  const isNone = odd || place === undefined;
  const { attempts, problems } = isNone ? NEVER_CLAIMED : readAttempts(ws, folder, id);
  const contract = odd ? refused([oddAttempts(ws, folder)]) : wholeContract(ws, read.contract);
  const kind = kindOf(ws, contract.ok ? contract.value : undefined);
  const given = { id, state, contract, kind, source: read.source, attempts, problems, since_ms };
  return Object.freeze({ ...given, ...formsOf(ws, folder, given) });
}

type Forms = Pick<TaskRead, 'questions' | 'review' | 'decision'>;
const NO_FORMS: Forms = { questions: undefined, review: undefined, decision: undefined };

/** Forms by which its state asks a person. */
function formsOf(
  ws: Workspace,
  folder: string,
  { state, contract, kind, attempts }: Pick<TaskRead, 'state' | 'contract' | 'kind' | 'attempts'>,
): Forms {
  if (state === 'review' && lies(ws, folder, 'review')) {
    return { ...NO_FORMS, review: map(textIn(ws, folder, 'review.md'), parseReview) };
  }
  const isAnswered = state === 'done' && !kind.works && kind.decision === undefined;
  if (!(state === 'questions' || isAnswered) || !lies(ws, folder, 'questions')) return NO_FORMS;
  const read = textIn(ws, folder, 'questions.md');
  const form = contract.ok ? kind.decision : decisionsOf(ws)[0];
  return {
    ...NO_FORMS,
    questions: map(read, (text) => parseQuestions(text, original(ws, folder, attempts))),
    decision: form && map(read, form.parse),
  };
}

/** True if this file is at the top of the task's folder. */
export function lies(ws: Workspace, folder: string, name: CurrentFile): boolean {
  return ws.disk.stat(`${folder}/${name}.md`) !== undefined;
}

/** sha256 over contract, answers, findings, resolution and notes; empty where it cannot be claimed. */
export function inputsHash(ws: Workspace, { id, state, source, attempts }: TaskRead): string {
  // A draft can be asked for its questions.
  if (!mayBeClaimed(state) && state !== 'draft') return '';
  const folder = taskFolder(ws.layout, state, id);
  return hashInputs(contractHash({ source }), gatherInputs(ws, folder, attempts));
}

export function blockedOf(ws: Workspace, { id, state }: TaskRead): Facts['blocked'] {
  const folder = taskFolder(ws.layout, state, id);
  const needed = state === 'blocked' || mayBeClaimed(state);
  if (!needed || !lies(ws, folder, 'blocked')) return undefined;
  return map(textIn(ws, folder, 'blocked.md'), parseBlocked);
}

/** Everything of it, as it is now: for whoever goes on to change its folder. */
export function wholeTask(ws: Workspace, task: TaskRead): WholeTask {
  const folder = taskFolder(ws.layout, task.state, task.id);
  return Object.freeze({
    ...task,
    has_review: lies(ws, folder, 'review'),
    has_blocked: lies(ws, folder, 'blocked'),
    contract_hash: contractHash(task),
    inputs_hash: inputsHash(ws, task),
    confirming: confirming(ws, folder, task),
  });
}

function mayBeClaimed(state: State): boolean {
  return state === 'ready' || state === 'in_progress';
}

/** A link there would lead claims and records out of the task. */
function oddAttempts(ws: Workspace, folder: string): Problem {
  const file = shown(ws.layout, attemptsFolder(folder));
  const message = 'attempts is a link or a file';
  const fix = 'Restore the folder of this task, or remove this if there never was one';
  return problem({ code: 'not_a_file', file, message, expected: 'a folder', fix });
}

function textIn(ws: Workspace, folder: string, name: string): Result<string> {
  const path = `${folder}/${name}`;
  return readText(ws.disk, path, shown(ws.layout, path));
}

function map<A, B>(result: Result<A>, change: (value: A) => B): Result<B> {
  return result.ok ? ok(change(result.value), result.warnings) : result;
}

function wholeContract(ws: Workspace, read: Result<Contract>): Result<Contract> {
  if (!read.ok) return read;
  const whole = completed(ws, read.value);
  return whole === read.value ? read : ok(whole, read.warnings);
}
