/** What checkpoints do where an agent is called or a person answers; other calls of the command leave it out. */
import type { CallPoints, Written } from '../../workspace/tasks/capability.ts';
import { DECISION_FILE, decisionForm, wordsWithGo } from './form.ts';
import { taskFolder, shown } from '../../task/store/tasks/layout.ts';
import { moveTask } from '../../task/store/tasks/tasks.ts';
import { decisionIn } from '../text/decision.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
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
};

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
