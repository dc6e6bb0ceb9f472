/**
 * What agents and people hand in, on a desk or in the task's folder: a questions.md with a question, or a
 * result.md whose status can be read. A half-written file is not handed in yet.
 */
import type { TaskRead } from '../../task/core/model/task.ts';
import type { WorkEvidence } from '../core/judge/judge.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { confirmationIn } from '../../task/text/documents/confirmation.ts';
import { parseQuestions, parseResult } from '../../task/text/documents/documents.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { isResultForm } from './current-files.ts';
import { handedOver, type HandedOver } from '../../workspace/tasks/capability.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import { readText } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const IMITATES = 'it asks what the runner asks about a changed contract';

export type HandedIn = Pick<
  WorkEvidence,
  'questions' | 'result' | 'decision' | 'result_refused' | 'questions_refused'
>;

/** `folder` is a desk or the task itself; each file is undefined when absent, unreadable or as it was given. */
export function readHandedIn(ws: Workspace, of: Pick<Running, 'id' | 'contract'>, folder: string) {
  const { id, contract } = of;
  const real = ws.disk.stat(folder)?.kind === 'folder';
  const refused: { result_refused?: string; questions_refused?: string } = {};
  const text = (name: string): string | undefined => {
    if (!real) return undefined;
    const path = `${folder}/${name}`;
    if (ws.disk.stat(path) === undefined) return undefined;
    const read = readText(ws.disk, path, shown(ws.layout, path));
    if (read.ok) return read.value;
    const why = read.problems[0]?.message ?? 'it is not text';
    refused[name === 'result.md' ? 'result_refused' : 'questions_refused'] = why;
    // An empty text has no status and no question.
    return '';
  };
  const questions = text('questions.md');
  if (confirmationIn(questions ?? '') !== undefined) refused.questions_refused = IMITATES;
  const result = text('result.md');
  const form = kindOf(ws, contract).decision;
  const is_none =
    result === undefined ||
    (refused.result_refused === undefined && isResultForm(ws, id, contract, result));
  const isRead = questions !== undefined && refused.questions_refused === undefined;
  const asked = isRead && !form ? parseQuestions(questions) : undefined;
  return {
    questions: asked !== undefined && asked.questions.length > 0 ? asked : undefined,
    result: is_none ? undefined : parseResult(result),
    ...(form && { decision: form.parse(questions ?? '') }),
    ...refused,
  };
}

export function handedIn(ws: Workspace, task: TaskRead): boolean {
  const folder = taskFolder(ws.layout, task.state, task.id);
  const contract = task.contract.ok ? task.contract.value : undefined;
  const { questions, result, decision } = readHandedIn(ws, { id: task.id, contract }, folder);
  return (questions ?? decision?.decision ?? result?.status) !== undefined;
}

/**
 * Neither questions nor a result is there, and nothing was handed over. An agent may have put a link in
 * the desk's place: nothing is written through it.
 */
export function isEmptyHanded(running: Running, desk: string): boolean {
  const { disk } = running.ws;
  if (disk.stat(desk)?.kind !== 'folder') return false;
  if (disk.stat(`${desk}/questions.md`) !== undefined) return false;
  if (readHandedIn(running.ws, running, desk).result !== undefined) return false;
  return givenToOthers(running, desk) === undefined;
}

/** Work for others on the desk; undefined where there is none. */
export function givenToOthers(running: Running, desk: string): HandedOver | undefined {
  const found = handedOver(running, desk);
  return found?.ignored === true ? undefined : found;
}
