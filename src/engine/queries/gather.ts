/** The ends of some tasks, once each has ended or needs a person or a host. It only looks: others move them. */
import { isAtRest, type Standing } from '../core/decide/at-rest.ts';
import type { LineData } from '../core/events/command-lines.ts';
import { awaitedBy } from '../../task/core/model/task.ts';
import { WAITS, type WaitCode } from '../../task/core/model/wait-codes.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isOpen, lastFolder, stateOfTask } from '../board/archive.ts';
import { boardAround } from '../board/scoped-board.ts';
import { lastWord, resultText, stateWord } from '../brief/task-report.ts';
import { decided } from '../step/facts.ts';
import { Looks } from '../step/watch-schedule.ts';
import { findAny } from './find-task.ts';
import { listTasks, type ListedTask } from './list.ts';

export type Gathered = LineData<'gathered'>;
type Live = Map<string, Standing & { readonly row: Gathered['pending'][number] }>;

/** While nothing rings. */
const LOOK_MS = 5_000;

export interface GatherOptions {
  readonly signal: AbortSignal;
  readonly timeout_ms: number;
  /** Gets the function that rings, once something is waited for. */
  onWait(ring: () => void): Promise<unknown>;
}

export async function gather(ws: Workspace, ids: readonly string[], options: GatherOptions) {
  const { signal, timeout_ms } = options;
  const looks = new Looks(ws.elapsed_ms, LOOK_MS);
  const due_ms = ws.elapsed_ms() + timeout_ms;
  for (let waits = false; ;) {
    const began = looks.begin();
    const live = liveTasks(ws, ids);
    began.end();
    const isOver = ids.every((id) => isAtRest(id, live));
    if (isOver || signal.aborted || ws.elapsed_ms() >= due_ms) return gathered(ws, ids, live);
    // What changed before the first ring was heard is looked at once more.
    if (!waits) await options.onWait(() => looks.ring());
    looks.rest(0, waits ? due_ms : 0);
    waits = true;
    await looks.next(signal);
  }
}

function liveTasks(ws: Workspace, ids: readonly string[]): Live {
  const live: Live = new Map();
  const { tasks, problems } = listTasks(ws);
  for (const task of tasks) {
    const { id, state, waits_for, code, reason, fix } = task;
    const row = { id, state, waits_for, code, reason, fix };
    // Read only where it is asked for.
    live.set(id, {
      row,
      code,
      get awaits() {
        return awaitsOf(ws, task, live);
      },
    });
  }
  for (const id of ids) {
    const state = live.has(id) ? 'unknown' : stateOfTask(ws, id);
    if (!isOpen(state)) continue;
    const file = shown(ws.layout, lastFolder(ws, id));
    const unread = problems.find((one) => one.code === 'environment' && one.file === file);
    const code: WaitCode = unread === undefined ? 'next_step' : 'problem';
    const reason = unread?.message ?? 'it is being moved';
    const row = { id, state, waits_for: WAITS[code], code, reason, fix: `contracts show ${id}` };
    live.set(id, { row, code, awaits: [] });
  }
  return live;
}

/** Without the results of others that count as over, because those are blocked. */
function awaitsOf(ws: Workspace, { id, state, code }: ListedTask, live: Live): readonly string[] {
  const task = code !== 'nothing' && WAITS[code] === 'task' ? readTask(ws, state, id) : undefined;
  if (task?.contract.ok !== true) return [];
  const contract = task.contract.value;
  if (code !== 'dependencies') {
    const { known } = decided(ws, boardAround(ws, task), task);
    const { open_children = [], overlap, turn_taken, hold } = known;
    const others = [...open_children.map((one) => one.id), overlap?.id, turn_taken?.by, hold?.by];
    return others.filter((one) => one !== undefined);
  }
  const isOver = (one: string) => live.get(one)?.row.state === 'blocked';
  const { depends_on } = contract.head;
  return awaitedBy(contract).filter((one) => depends_on.includes(one) || !isOver(one));
}

function gathered(ws: Workspace, ids: readonly string[], live: Live): Gathered {
  const rows = ids.flatMap((id) => live.get(id)?.row ?? []);
  const pending = rows.filter(({ state }) => state !== 'blocked');
  const waiting = new Set(pending.map(({ id }) => id));
  const completed = ids.filter((id) => !waiting.has(id));
  const reasonOf = (id: string) => live.get(id)?.row.reason;
  return { completed: completed.map((id) => completedTask(ws, id, reasonOf(id))), pending };
}

function completedTask(ws: Workspace, id: string, reason?: string): Gathered['completed'][number] {
  const found = findAny(ws, id);
  const contract = found.ok && found.value.task.contract.ok && found.value.task.contract.value;
  const state = stateOfTask(ws, id);
  const folder = lastFolder(ws, id);
  const otherwise = found.ok ? 'a person moved it there' : 'its folder is gone';
  return {
    id,
    agent: contract ? executorOf(ws, contract).name : '',
    success: state === 'done' || state === 'archived_done',
    state: stateWord(state),
    reason: reason ?? (lastWord(ws, folder, id) || otherwise),
    deliverables: contract ? [...contract.head.deliverables] : [],
    result: resultText(ws, folder),
  };
}
