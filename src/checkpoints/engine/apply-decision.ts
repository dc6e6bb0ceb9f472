/**
 * What a checkpoint does besides its own move (docs/reference/plans.md#waves-and-checkpoints): the form
 * is put, the wave goes to review again, tasks are given up with it. All of that comes first and its own
 * rename last, and each part is safe to repeat: whoever comes after a crash decides the same again.
 */
import { dependentsOf, TABLE } from '../core/checkpoint.ts';
import type { DecisionDocument } from '../../task/core/model/documents.ts';
import { anewSchema } from '../../task/core/attempts/record.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { transition } from '../../task/core/model/transitions.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import { makeFolder, unlessGone } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { put, putIfUnchanged } from '../../task/store/disk/put.ts';
import { locate, moveTask } from '../../task/store/tasks/tasks.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import { parseDecision } from '../text/decision.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { readAttempts, readRecord } from '../../workspace/tasks/read-attempts.ts';
import { bytesOf, type Context } from '../../workspace/tasks/attempt-context.ts';
import { readBoard } from '../../engine/board/board.ts';
import { DECISION_FILE, decisionForm } from './form.ts';
import { notifyState } from '../../engine/attempt/notify.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import { readBytes, readText } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** Puts the form where it is missing; what was decided before goes to notes/. */
export function putForm({ ws, emit }: Context, task: TaskRead): void {
  if (!task.contract.ok) return;
  const folder = taskFolder(ws.layout, task.state, task.id);
  const path = `${folder}/${DECISION_FILE}`;
  const form = decisionForm(ws, task.id, task.contract.value);
  const there = readBytes(ws.disk, path, DECISION_FILE);
  if (there.ok && sha256(there.value) === sha256(form)) return;
  keepDecision(ws, folder);
  if (putIfUnchanged(ws.putting, path, undefined, form) !== 'put') return;
  const reason = 'GO, PAUSE, REVIEW or ABORT: tick one box';
  emit({ event: 'wrote', task: task.id, file: DECISION_FILE, reason });
}

/** The form of before may have stayed where a crash came after REVIEW, or a person's hand. */
export function beforeClaim({ ws }: Context, { id, state }: TaskRead): void {
  if (state === 'ready') keepDecision(ws, taskFolder(ws.layout, state, id));
}

/** Files there were about the wave as it was then. They are kept, and count no more. */
export function keepDecision(ws: Workspace, folder: string): void {
  const path = `${folder}/${DECISION_FILE}`;
  if (ws.disk.stat(path) === undefined) return;
  const notes = makeNotes(ws, folder);
  // Another process may keep it first.
  unlessGone(() => ws.disk.rename(path, `${notes}/decision-${nextKept(ws, notes)}.md`), undefined);
  ws.disk.sync(notes);
  ws.disk.sync(folder);
}

/** From 1: under which number the present decision would be kept. */
export function nextKept(ws: Workspace, notes: string): number {
  let n = 1;
  while (ws.disk.stat(`${notes}/decision-${n}.md`) !== undefined) n++;
  return n;
}

function makeNotes(ws: Workspace, folder: string): string {
  const notes = `${folder}/notes`;
  const kind = ws.disk.stat(notes)?.kind;
  if (kind === 'folder') return notes;
  if (kind !== undefined) {
    throw new Fault('tree', `${notes} is a link or a file, not a folder`, {
      fix: 'Move it away; the folder is made again',
    });
  }
  makeFolder(ws.disk, notes);
  ws.disk.sync(folder);
  return notes;
}

/**
 * Before the checkpoint's own rename. Returns more words for its reason, or undefined when its boxes
 * are not as they were read any more.
 */
export function beforeMove(context: Context, task: TaskRead, trigger: string): string | undefined {
  if (trigger === 'checkpoint_asked') putForm(context, task);
  if (trigger !== 'checkpoint_review' && trigger !== 'checkpoint_abort') return '';
  const { ws } = context;
  const folder = taskFolder(ws.layout, task.state, task.id);
  const text = readText(ws.disk, `${folder}/${DECISION_FILE}`, DECISION_FILE);
  if (!text.ok) return undefined;
  const now = parseDecision(text.value);
  const seen = task.decision?.ok === true ? task.decision.value : undefined;
  if (now.decision === undefined || now.decision !== seen?.decision) return undefined;
  if (trigger === 'checkpoint_abort') return abortDependents(context, task);
  return reviewWave(context, task, {
    hash: decisionHash(nextKept(ws, `${folder}/notes`), now),
    notes: now.notes,
  });
}

/**
 * What a decision is known by: the same words of another time are another one, distinguished by how many
 * were kept before. It stays as it is until the checkpoint's own rename.
 */
export function decisionHash(kept: number, { decision, notes }: DecisionDocument): string {
  return sha256(`${kept} ${decision} ${notes}`).slice(0, 16);
}

/** The last ones first: whoever is cut short finds the rest by the same dependencies. */
function abortDependents(context: Context, task: TaskRead): string {
  const { tasks, faults } = readBoard(context.ws);
  // One that cannot be read may depend on it, and would be left behind.
  const [fault] = faults.values();
  if (fault !== undefined) throw fault;
  const edges = new Map<string, readonly string[]>();
  for (const [id, { contract }] of tasks) {
    if (contract.ok) edges.set(id, contract.value.head.depends_on);
  }
  addEnded(context.ws, edges);
  const ids = dependentsOf(task.id, edges).filter((id) => moveOther(context, task, id, 'aborted'));
  return ids.length === 0 ? '' : `; ${counted(ids)} depended on it`;
}

/** Ended tasks stay where they are; their dependents depend on what they depended on. */
function addEnded(ws: Workspace, edges: Map<string, readonly string[]>): void {
  const open = [...edges.values()].flat();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (edges.has(id)) continue;
    const [state] = locate(ws.disk, ws.layout, id);
    const contract = state && readContract(ws, taskFolder(ws.layout, state, id), id).contract;
    const needs = contract?.ok === true ? contract.value.head.depends_on : [];
    edges.set(id, needs);
    open.push(...needs);
  }
}

function counted(ids: readonly string[]): string {
  return ids.length === 1 ? `${ids[0]}` : `${ids.length} tasks`;
}

/** By the table, from wherever it is by now; false where that leads nowhere. */
function moveOther(
  { ws, emit }: Context,
  checkpoint: TaskRead,
  id: string,
  to: 'aborted' | 'review',
): boolean {
  const trigger = to === 'aborted' ? 'checkpoint_abort' : 'checkpoint_review';
  const [from, ...more] = locate(ws.disk, ws.layout, id);
  if (from === undefined || more.length > 0 || transition(from, trigger, 'left', TABLE) !== to)
    return false;
  if (moveTask(ws.disk, ws.layout, id, from, to) !== 'moved') return false;
  const reason = `${to === 'aborted' ? 'ABORT' : 'REVIEW'} at ${checkpoint.id}`;
  emit({ event: 'moved', task: id, from, to, trigger, reason });
  notifyState(ws, { task: id, from, to, reason });
  return true;
}

interface Given {
  /** Hash of the decision's bytes: the same decision sends no task twice. */
  readonly hash: string;
  readonly notes: string;
}

function reviewWave(context: Context, task: TaskRead, given: Given): string {
  const { ws } = context;
  if (!task.contract.ok) return '';
  const unseen: string[] = [];
  const sent: string[] = [];
  for (const id of task.contract.value.head.depends_on) {
    const states = locate(ws.disk, ws.layout, id);
    if (states.length !== 1 || states[0] !== 'done') continue;
    const folder = taskFolder(ws.layout, 'done', id);
    if (isBlank(ws, folder)) unseen.push(id);
    else if (markAnew(ws, task.id, { id, folder }, given) && moveOther(context, task, id, 'review'))
      sent.push(id);
  }
  const of =
    sent.length === 0
      ? ''
      : `: ${counted(sent)} of its wave ${sent.length === 1 ? 'is' : 'are'} reviewed again`;
  const left = unseen.length === 0 ? '' : `; no result to review for ${unseen.join(', ')}`;
  return `${of}${left}`;
}

/** Moved to done by hand: without a result.md, or with the form as it was offered. */
function isBlank(ws: Workspace, folder: string): boolean {
  const path = `${folder}/result.md`;
  if (ws.disk.stat(path) === undefined) return true;
  const text = readText(ws.disk, path, 'result.md');
  if (!text.ok) return false;
  const { status, criteria } = parseResult(text.value);
  return status === undefined && !criteria.some(({ ticked }) => ticked);
}

/**
 * Its approvals count no more. False when this very decision had sent it before, and it came back
 * since: then the crash came between the others and the checkpoint's own move.
 */
function markAnew(
  ws: Workspace,
  checkpoint: string,
  { id, folder }: { readonly id: string; readonly folder: string },
  { hash, notes }: Given,
): boolean {
  const { attempts } = readAttempts(ws, folder, id);
  const highest = listAttempts(ws.disk, folder).at(-1);
  const approved = attempts.findLast((one) => !one.lost && one.outcome?.outcome === 'approved');
  for (const one of attempts) {
    const path = `${attemptFolder(folder, one.number, one.lost)}/anew.md`;
    const read = readRecord(ws, path, anewSchema());
    const same =
      read?.ok === true && read.value.checkpoint === checkpoint && read.value.decision === hash;
    if (same && one.number < (highest?.number ?? 0)) return false;
  }
  if (notes !== '') {
    const note = `${makeNotes(ws, folder)}/${checkpoint}-${hash}.md`;
    if (ws.disk.stat(note) === undefined) put(ws.putting, note, bytesOf(`${notes}\n`));
  }
  const record = renderRecord(
    { v: 1, checkpoint, decision: hash },
    `# Reviewed again\n\n${checkpoint} sent it back to review: earlier approvals no longer count.\n`,
  );
  const marked = [approved, highest].flatMap((one) =>
    one === undefined ? [] : attemptFolder(folder, one.number, one.lost),
  );
  for (const attempt of new Set(marked)) put(ws.putting, `${attempt}/anew.md`, bytesOf(record));
  return true;
}

/** After its own move to ready: the decision counts no more. */
export function afterMove({ ws }: Context, id: string, trigger: string): void {
  if (trigger === 'checkpoint_review') keepDecision(ws, taskFolder(ws.layout, 'ready', id));
}
