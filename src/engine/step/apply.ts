/** Does what was decided: a flat switch over actions, no rules. Files are written first, the rename comes last. */
import { join } from 'node:path';
import { killOrphan } from '../../process/process-room.ts';
import type { Action } from '../../task/core/model/action.ts';
import { unreachable } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { highestAttempt } from '../../task/store/tasks/claims.ts';
import { isGone } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { taskFolder, TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { moveTask } from '../../task/store/tasks/tasks.ts';
import { addAnswerSlots } from '../../task/text/documents/edit.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { lies } from '../../workspace/tasks/read-task.ts';
import { original, readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { renderBlocked } from '../attempt/blocked-file.ts';
import { GRACE_MS } from '../call/call.ts';
import { putQuestion, settleContract } from '../attempt/contract-confirmation.ts';
import { inBoth } from '../attempt/fault-event.ts';
import { notifyState } from '../attempt/notify.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { settleAttempt } from '../work/adopt.ts';
import { actsOf } from '../../workspace/tasks/capability.ts';
import { runAsk } from '../work/ask-agent.ts';
import { runReview } from '../review/review.ts';
import { claimAttempt } from '../attempt/claim.ts';
import { offerForm, putEarlierAway } from '../attempt/previous-files.ts';
import {
  bytesOf,
  runningOf,
  type Claim,
  type Context,
} from '../../workspace/tasks/attempt-context.ts';
import { loadReaders } from '../attempt/readable-log.ts';
import { runWork } from '../work/work.ts';

export type Doing = Exclude<Action, { kind: 'wait' }>;

export async function apply(context: Context, task: TaskRead, action: Doing) {
  try {
    const loading = loadReaders(context.ws, task.attempts);
    if (loading !== undefined) await loading;
    return await act(context, task, action);
  } catch (error) {
    // An attempt looks at this itself, where its place is known.
    const { disk, layout } = context.ws;
    const stands = () => disk.stat(taskFolder(layout, task.state, task.id)) !== undefined;
    if (action.kind === 'claim' || !isGone(error) || stands()) throw error;
    context.emit({ event: 'lost_race', task: task.id, reason: 'it was moved before the claim' });
    return undefined;
  }
}

async function act(context: Context, task: TaskRead, action: Doing): Promise<State | undefined> {
  switch (action.kind) {
    case 'move':
      return applyMove(context, task, action);
    case 'write':
      return WRITERS[action.what](context, task);
    case 'claim':
      return applyClaim(context, task, action);
    case 'settle':
      return settle(context, task, action.attempt);
    case 'stop':
      return stop(context, task, action.attempt);
    default:
      return unreachable(action);
  }
}

async function applyClaim(context: Context, task: TaskRead, action: Claim) {
  const acts = action.work === 'work' && !action.recovers ? actsOf(context.ws, task) : undefined;
  if (acts !== undefined) (await acts()).beforeClaim(context, task);
  const running = claimAttempt(context, task, action, whoIsCalled(context, task, action));
  if (running === undefined) return undefined;
  try {
    return await RUNS[action.work](running);
  } finally {
    context.ws.active.delete(running.owner.nonce);
  }
}

const RUNS = { work: runWork, review: runReview, ask: runAsk };

function whoIsCalled(context: Context, task: TaskRead, action: Claim): string {
  if (action.work === 'review') return action.gate;
  return task.contract.ok ? executorOf(context.ws, task.contract.value).name : '';
}

/**
 * A move that no attempt owns: refused when a newer attempt appeared since the task was read, and
 * taken back when one appeared just then.
 */
async function applyMove(
  context: Context,
  task: TaskRead,
  action: Extract<Action, { kind: 'move' }>,
): Promise<State | undefined> {
  const { ws, emit } = context;
  const { from, to, trigger } = action;
  const seen = task.attempts.at(-1)?.number ?? 0;
  const folder = taskFolder(ws.layout, from, task.id);
  const lost = (why: string): undefined => {
    emit({ event: 'lost_race', task: task.id, reason: why });
  };
  if (highestAttempt(ws.disk, folder) !== seen) return lost('another process took it over');
  const load = actsOf(ws, task);
  const acts = load && (await load());
  const more = acts === undefined ? '' : acts.beforeMove(context, task, trigger);
  if (more === undefined) return lost('its boxes were changed at the same time');
  const reason = `${action.reason}${more}`;
  if (to === 'blocked' && !lies(ws, folder, 'blocked')) {
    const text = renderBlocked(ws, task, reason, folder);
    putIfUnchanged(ws.putting, join(folder, 'blocked.md'), undefined, bytesOf(text));
  }
  const moved = moveTask(ws.disk, ws.layout, task.id, from, to);
  if (moved === 'gone') return lost('it was moved before the claim');
  if (moved === 'taken') throw inBoth(task.id, from, to);
  if (isOvertaken(ws, task.id, to, seen)) {
    moveTask(ws.disk, ws.layout, task.id, to, from);
    return lost('another process took it over');
  }
  emit({ event: 'moved', task: task.id, from, to, trigger, reason });
  notifyState(ws, { task: task.id, from, to, reason });
  acts?.afterMove(context, task.id, trigger);
  return to;
}

/**
 * A newer attempt appeared before the move. One that is open in ready came after it: somebody has
 * gone on from there already, as they may.
 */
function isOvertaken(ws: Workspace, id: string, to: State, seen: number): boolean {
  const folder = taskFolder(ws.layout, to, id);
  if (ws.disk.stat(folder) === undefined || highestAttempt(ws.disk, folder) === seen) return false;
  const last = readAttempts(ws, folder, id).attempts.at(-1);
  return to !== 'ready' || last?.outcome !== undefined;
}

type Writer = (context: Context, task: TaskRead) => State | undefined | Promise<State>;

const WRITERS: Readonly<Record<Extract<Action, { kind: 'write' }>['what'], Writer>> = {
  answer_slots: writeSlots,
  blocked: writeBlocked,
  form: writeForm,
  decision: writeDecision,
  confirm: writeConfirm,
  take: (context, task) => writeContract(context, task, 'take'),
  restore: (context, task) => writeContract(context, task, 'restore'),
};

function writeSlots({ ws, emit }: Context, task: TaskRead): State | undefined {
  const folder = taskFolder(ws.layout, task.state, task.id);
  const path = join(folder, 'questions.md');
  const asked = original(ws, folder, task.attempts);
  const bytes = task.questions === undefined ? undefined : ws.disk.read(path, TEXT_BYTES_MAX);
  const text = decodeText(bytes ?? bytesOf(asked ?? ''), 'questions.md');
  if (!text.ok) return task.state;
  const edited = addAnswerSlots(text.value, asked);
  if (edited === (bytes === undefined ? '' : text.value)) return undefined;
  const written = putIfUnchanged(ws.putting, path, bytes && sha256(bytes), bytesOf(edited));
  if (written !== 'put') {
    const reason = `questions.md was ${written} at the same time`;
    emit({ event: 'lost_race', task: task.id, reason });
    return undefined;
  }
  emit({ event: 'wrote', task: task.id, file: 'questions.md', reason: 'answer slots' });
  return task.state;
}

function writeBlocked({ ws, emit }: Context, task: TaskRead): State | undefined {
  const folder = taskFolder(ws.layout, task.state, task.id);
  const text = renderBlocked(ws, task, 'It was put into blocked by hand.', folder);
  const path = join(folder, 'blocked.md');
  if (putIfUnchanged(ws.putting, path, undefined, bytesOf(text)) !== 'put') return undefined;
  emit({ event: 'wrote', task: task.id, file: 'blocked.md', reason: 'a slot for the resolution' });
  return task.state;
}

/** For a person's attempt whose claim was interrupted or whose form is gone. */
function writeForm(context: Context, task: TaskRead): State | undefined {
  const running = runningOf(context, task, task.attempts.at(-1)?.number ?? 0);
  if (running === undefined) return undefined;
  const folder = taskFolder(context.ws.layout, task.state, task.id);
  putEarlierAway(running, folder, 'before');
  if (running.contract !== undefined && offerForm(running, running.contract, folder)) {
    context.emit({ event: 'wrote', task: task.id, file: 'result.md', reason: 'a form to fill in' });
  }
  return task.state;
}

function writeConfirm({ ws, emit }: Context, task: TaskRead): State | undefined {
  if (!putQuestion(ws, task)) return undefined;
  emit({ event: 'wrote', task: task.id, file: 'questions.md', reason: 'how the contract changed' });
  return task.state;
}

function writeContract({ ws, emit }: Context, task: TaskRead, how: 'take' | 'restore'): State {
  settleContract(ws, task, how);
  const reason = how === 'take' ? 'its change is confirmed' : 'as it was confirmed';
  emit({ event: 'wrote', task: task.id, file: 'contract.md', reason });
  return task.state;
}

async function writeDecision(context: Context, task: TaskRead): Promise<State> {
  const acts = await actsOf(context.ws, task)?.();
  acts?.putForm(context, task);
  return task.state;
}

/** An attempt that no process owns: a person's or a host's. */
export function settle(context: Context, task: TaskRead, number: number, files?: string) {
  const running = runningOf(context, task, number);
  return running === undefined ? undefined : settleAttempt(running, files);
}

/** An orphan past its deadline, or of a task that was moved; the next look finds it dead. */
async function stop({ ws }: Context, task: TaskRead, number: number): Promise<State | undefined> {
  const open = task.attempts.find((attempt) => attempt.number === number && !attempt.lost);
  for (const started of [open?.agent, open?.check]) {
    if (started !== undefined) await killOrphan(started, started.mark, ws.machine, GRACE_MS);
  }
  return task.state;
}
