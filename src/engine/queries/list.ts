/**
 * Each task with its state and what it waits for: the plan of a step, never applied. `done` and `aborted`
 * only when asked for.
 */
import type { Action } from '../../task/core/model/action.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { PRIORITIES, workflowOf } from '../../task/core/model/contract-shape.ts';
import { isTerminal, type State } from '../../task/core/model/state.ts';
import { firstWord, type TaskRead } from '../../task/core/model/task.ts';
import { unverified } from '../core/decide/decide.ts';
import { rowIn } from '../cache/known-task.ts';
import { readBoard, tasksIn } from '../board/board.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { claimantOf, heldNow, othersOf, type Others } from '../step/claimant.ts';
import { faultLeft } from '../step/fault-left.ts';
import { glanceAt, lookNow, type Glance } from '../step/glance.ts';
import { doubleOf, doubleProblem, nextWords } from '../step/next-action.ts';
import { unreadTasks } from '../board/unreadable-tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { unmergedIn } from '../../worktrees/engine/unmerged.ts';
import { progressOf } from './progress.ts';
import type { ListedTask, Listing, ListQuery } from './listing.ts';

export { isYours, type ListedTask, type Listing, type ListQuery } from './listing.ts';

/** The last moment that a Date can hold. */
const DATE_MS_MAX = 8.64e15;

export function listTasks(ws: Workspace, query: ListQuery = {}): Listing {
  const { tasks, problems } = look(ws, query);
  const wanted = tasks.filter(
    ({ waits_for: whom, code }) =>
      query.waits_for?.includes(code === 'paused' ? 'nobody' : whom) !== false,
  );
  const now = wanted.map((task) =>
    task.state === 'in_progress' || task.waits_for === 'agent'
      ? { ...task, ...progressOf(ws, task) }
      : task,
  );
  return { tasks: sorted(now, query.sort), problems };
}

function look(ws: Workspace, query: ListQuery): Listing {
  const board = readBoard(ws, { quick: 'rows', only: query.quick ? new Set() : query.ids });
  const asked = (['done', 'aborted'] as const).filter((state) => query.states?.has(state) === true);
  const ended = tasksIn(ws, asked);
  const doubles = new Map([...board.doubles].map(([id, at]) => [id, doubleProblem(ws, id, at)]));
  const isUnmerged = unmergedIn(ws);
  let others: Others | undefined;
  const tasks: ListedTask[] = [];
  for (const task of [...board.tasks.values(), ...ended]) {
    if (query.states?.has(task.state) === false || query.ids?.has(task.id) === false) continue;
    if (query.quick && board.rows && task.state === 'ready' && rowIn(task) === undefined) continue;
    const glance = (isTerminal(task.state) ? lookNow : glanceAt)(ws, board, task);
    if (!isLike(glance.task, query) || !hasText(task, query)) continue;
    const one = claimantOf(ws, task, glance.action);
    others ??= one && othersOf(ws, board, { own: new Set() });
    const held = one && others && heldNow(ws, others, task, one);
    const action = held ?? (one && faultLeft(ws, board, task, one)) ?? glance.action;
    const double = doubleOf(action);
    if (double !== undefined) doubles.set(task.id, double);
    const shown = listed(task, action === glance.action ? glance : { ...glance, action });
    const unmerged = { reason: 'done, not merged', fix: `contracts merge ${task.id}` };
    tasks.push(task.state === 'done' && isUnmerged(task) ? { ...shown, ...unmerged } : shown);
  }
  board.rows?.save(board.tasks.values());
  const unread = unreadTasks(ws, board);
  return { tasks, problems: [...ws.problems, ...board.problems, ...doubles.values(), ...unread] };
}

/** All conditions that need no other task of the board. */
export function isAskedFor(ws: Workspace, task: TaskRead, query: ListQuery): boolean {
  const contract = task.contract.ok ? task.contract.value : undefined;
  const { plan, tags = [] } = contract?.head ?? {};
  const agent = contract === undefined ? '' : executorOf(ws, contract).name;
  const known = { state: task.state, tags, agent, ...given({ plan }) };
  return isLike(known, query) && hasText(task, query);
}

function hasText(task: TaskRead, { text }: ListQuery): boolean {
  if (text === undefined) return true;
  const { title = '', objective = '', head } = task.contract.ok ? task.contract.value : {};
  const words = [task.id, title, objective, (head && workflowOf(head)) ?? '', head?.phase ?? ''];
  return words.some((one) => one.toLowerCase().includes(text.toLowerCase()));
}

export function isLike(
  task: Pick<ListedTask, 'state' | 'agent' | 'plan' | 'tags'>,
  { states, agents, plans, tags }: ListQuery,
): boolean {
  return (
    states?.has(task.state) !== false &&
    agents?.includes(task.agent) !== false &&
    plans?.includes(task.plan ?? '') !== false &&
    tags?.some((tag) => task.tags.includes(tag)) !== false
  );
}

function listed(task: TaskRead, glance: Glance): ListedTask {
  const { action } = glance;
  const { id, state, title, agent, priority, plan, workflow, phase, tags, attempt } = glance.task;
  const waits = action.kind === 'wait' ? action : undefined;
  return {
    // Each by its name: a spread takes ten times as long, for thousands of tasks.
    id,
    state,
    title,
    agent,
    priority,
    ...(plan === undefined ? {} : { plan }),
    ...(workflow === undefined ? {} : { workflow }),
    ...(phase === undefined ? {} : { phase }),
    tags,
    attempt,
    since: isoTime(glance.since_ms),
    stands_since: isoTime(glance.stands_ms),
    waits_for: waits?.on ?? 'nothing',
    code: waits?.code ?? 'nothing',
    reason: `${reasonOf(task, action, agent)}${glance.besides}`,
    fix: waits?.fix ?? 'contracts step',
  };
}

function reasonOf(task: TaskRead, action: Action, agent: string): string {
  if (task.state !== 'done') {
    return action.kind === 'wait' ? action.reason : nextWords(task, action, agent);
  }
  const decided = firstWord(task.kind);
  if (decided !== undefined) return decided;
  return `done${unverified(task) ?? ', with receipts'}`;
}

/** A file's time can be one that no calendar has: then the nearest that there is. */
export function isoTime(ms: number): string {
  if (ms === lastTime.ms) return lastTime.text;
  const text = new Date(Math.max(-DATE_MS_MAX, Math.min(DATE_MS_MAX, ms))).toISOString();
  lastTime = { ms, text };
  return text;
}

/** Most tasks ask twice for the same. */
let lastTime = { ms: 0, text: new Date(0).toISOString() };

function sorted(tasks: readonly ListedTask[], by: ListQuery['sort']): readonly ListedTask[] {
  if (by === undefined) return tasks;
  const keyOf = { turn: turnOf, age: () => 0, id: () => 0 }[by];
  const isAged = ({ state }: ListedTask): boolean =>
    by === 'age' || (by === 'turn' && !isTerminal(state));
  const isBefore = (a: ListedTask, b: ListedTask): boolean =>
    isAged(a) && a.stands_since !== b.stands_since ? a.stands_since < b.stands_since : a.id < b.id;
  const keyed = tasks.map((task) => ({ task, key: keyOf(task) }));
  keyed.sort((a, b) => a.key - b.key || (isBefore(a.task, b.task) ? -1 : 1));
  return keyed.map(({ task }) => task);
}

function urgencyOf({ priority }: ListedTask): number {
  return PRIORITIES.indexOf(priority);
}

/** An agent waits for an answer; a draft keeps nobody waiting. */
export const STATE_ORDER: readonly State[] = [
  ...(['questions', 'review', 'blocked', 'in_progress', 'ready', 'draft'] as const),
  ...(['done', 'aborted'] as const),
];
/** Drafts after all else that waits for a person; a task that waits for others has none. */
const TURNS: Record<string, number> = { person: 0, nothing: 2, step: 2, agent: 3, host: 3 };

function turnOf(task: ListedTask): number {
  const { state, waits_for } = task;
  const turn = isTerminal(state) ? 5 : (TURNS[waits_for] ?? 4) + (state === 'draft' ? 1 : 0);
  return turn * 100 + urgencyOf(task) * 10 + STATE_ORDER.indexOf(state);
}
