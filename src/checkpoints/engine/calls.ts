/** What checkpoints do where an agent is called or a person answers; other calls of the command leave it out. */
import type { CallPoints, Written } from '../../workspace/tasks/capability.ts';
import { DECISION_FILE, decisionForm, wordsWithGo } from './form.ts';
import { anewSchema } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import { attemptFolder, taskFolder, shown } from '../../task/store/tasks/layout.ts';
import { locate, moveTask } from '../../task/store/tasks/tasks.ts';
import { parseDecision, decisionIn } from '../text/decision.ts';
import { readAttempts, readRecord } from '../../workspace/tasks/read-attempts.ts';
import { readText } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { decisionHash, nextKept } from './apply-decision.ts';
import { DECISIONS, TABLE, type Decision } from '../core/checkpoint.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { transition } from '../../task/core/model/transitions.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { tickDecision } from '../text/decision-edit.ts';
import { notifyState } from '../../engine/attempt/notify.ts';
import { editFile } from '../../engine/commands/file-edit.ts';
import { notMoved } from '../../engine/commands/moves.ts';

export const calls: CallPoints = {
  brief: ({ running, contract }) => ({ notes: wordsWithGo(running.ws, contract) }),
  given: (ws, id, contract) => [{ name: DECISION_FILE, bytes: decisionForm(ws, id, contract) }],
  answer: decideByVerb,
  no_resolution: notDecided,
  expected_task: isSentAgain,
};

/** True if a runner sent it to review again, by a decision that a checkpoint holds or has kept since. */
function isSentAgain(ws: Workspace, id: string, state: State): boolean {
  const folder = taskFolder(ws.layout, state, id);
  return readAttempts(ws, folder, id).attempts.some(({ number, lost }) => {
    const read = readRecord(ws, `${attemptFolder(folder, number, lost)}/anew.md`, anewSchema());
    if (read?.ok !== true) return false;
    const { checkpoint, decision } = read.value;
    return decisionsOf(ws, checkpoint).includes(decision);
  });
}

function decisionsOf(ws: Workspace, checkpoint: string): readonly string[] {
  const [state] = locate(ws.disk, ws.layout, checkpoint);
  if (state === undefined) return [];
  const folder = taskFolder(ws.layout, state, checkpoint);
  const notes = `${folder}/notes`;
  const last = nextKept(ws, notes);
  const kept = Array.from({ length: last - 1 }, (_, i) => `${notes}/decision-${i + 1}.md`);
  return [...kept, `${folder}/${DECISION_FILE}`].flatMap((path, i) => {
    const read = ws.disk.stat(path) === undefined ? undefined : readText(ws.disk, path, path);
    return read?.ok === true ? [decisionHash(i + 1, parseDecision(read.value))] : [];
  });
}

/**
 * Ticks one box of the form: `text` is one word, and for REVIEW what is to be looked at. A checkpoint whose agent
 * failed is in blocked and has no form: it is put there, ticked, and the checkpoint moved to questions, where the
 * next step reads it as any other decision. Each part is safe to repeat.
 */
function decideByVerb(ws: Workspace, task: TaskRead, text: string): Result<Written> {
  const { id, state, contract } = task;
  const [, word = '', notes = ''] = /^\s*(\p{L}+)[\s:,.–—-]*([^]*)$/u.exec(text) ?? [];
  const decision = decisionIn(word);
  if (decision === undefined || !contract.ok) return refused([noDecision(ws, task, text)]);
  if (state === 'blocked') putFormInBlocked(ws, id, contract.value);
  const edited = editFile(ws, id, state, DECISION_FILE, (whole) => {
    const none = 'a tick there would not count: another box is ticked, or a comment is open';
    return tickDecision(whole, decision, notes) ?? { message: none, fix: '' };
  });
  return state === 'blocked' && edited.ok ? intoQuestions(ws, id, decision) : edited;
}

function noDecision(ws: Workspace, { id, state }: TaskRead, text: string): Problem {
  return problem({
    code: 'undecided',
    file: shown(ws.layout, `${taskFolder(ws.layout, state, id)}/${DECISION_FILE}`),
    message: 'a checkpoint is answered by one word',
    found: text,
    expected: `${DECISIONS.join(', ')}; words after it go to its notes`,
    fix: `contracts answer ${id} GO`,
  });
}

/** Words for an agent that is called again, where a decision was meant. */
function notDecided(
  ws: Workspace,
  { id }: Pick<TaskRead, 'id'>,
  text: string,
): Problem | undefined {
  const meant = decisionIn(text);
  if (meant === undefined) return undefined;
  return problem({
    code: 'undecided',
    file: shown(ws.layout, taskFolder(ws.layout, 'blocked', id)),
    message: 'a resolution makes a checkpoint ask again; it decides nothing',
    found: text,
    expected: 'words for the gate that is asked again',
    fix: `contracts answer ${id} ${meant}`,
  });
}

function putFormInBlocked(ws: Workspace, id: string, contract: Contract): void {
  const path = `${taskFolder(ws.layout, 'blocked', id)}/${DECISION_FILE}`;
  if (ws.disk.stat(path) !== undefined) return;
  putIfUnchanged(ws.putting, path, undefined, decisionForm(ws, id, contract));
}

function intoQuestions(ws: Workspace, id: string, decision: Decision): Result<Written> {
  const to = transition('blocked', 'checkpoint_answered', 'left', TABLE) ?? 'blocked';
  const moved = moveTask(ws.disk, ws.layout, id, 'blocked', to);
  if (moved !== 'moved') return notMoved(ws, { id, from: 'blocked', to }, moved);
  notifyState(ws, { task: id, from: 'blocked', to, reason: `${decision} by a person` });
  const folder = shown(ws.layout, taskFolder(ws.layout, to, id));
  return ok({ id, file: `${folder}/${DECISION_FILE}`, open: 0 });
}
