/** One contract to the person about the open assumptions of a plan: a question each, in questions/. */
import { join } from 'node:path';
import { composeContract } from '../../engine/commands/create.ts';
import { makeTasks } from '../../engine/board/make-task.ts';
import { isArchived } from '../../engine/board/archive.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { isTerminal, type State } from '../../task/core/model/state.ts';
import { PERSON, type Contract } from '../../task/core/model/contract.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { addAnswerSlots } from '../../task/text/documents/edit.ts';
import { escapeComments } from '../../task/text/markdown/escape.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { ASKS, questionOf, reasonToAsk, type KeptAssumption } from '../core/assumption.ts';
import { changeAssumption, doneCount, endedCount, openAssumptions } from './store.ts';

/** The contract about this plan that has not ended, or the id that its next one gets. */
function askOf(ws: Workspace, plan: string | undefined): { id: string; state: State | undefined } {
  const of = plan === undefined ? '' : `-${nameOf(plan)}`;
  for (let number = 1; ; number++) {
    // The number in front, for `-2` at the end may be that of a plan.
    const id = `${ASKS}${number === 1 ? '' : `_${number}`}${of}`;
    const [state] = locate(ws.disk, ws.layout, id);
    if (state === undefined ? !isArchived(ws, id) : isAsk(ws, state, id)) return { id, state };
  }
}

/** Plan names that are not valid task ids get a hashed name. */
function nameOf(plan: string): string {
  if (isTaskId(`${ASKS}_999-${plan}`)) return plan;
  const words = plan
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 20);
  return `${words}-${sha256(plan).slice(0, 8)}`.replace(/^-+/, '');
}

/** Another task may have such a name. */
function isAsk(ws: Workspace, state: State, id: string): boolean {
  if (isTerminal(state)) return false;
  const { contract } = readContract(ws, taskFolder(ws.layout, state, id), id);
  return !contract.ok || contract.value.head.type === ASKS;
}

export function openAsk(ws: Workspace, plan: string | undefined): string | undefined {
  const { id, state } = askOf(ws, plan);
  return state === undefined ? undefined : id;
}

/** Asks where it is time, and says so; `more` as of `askWhereDue`. */
export function askAndTell({ ws, emit }: Pick<Running, 'ws' | 'emit'>, more?: number): void {
  if (ws.config.assumptions !== 'ask') return;
  for (const { id, isNew } of askWhereDue(ws, false, more)) {
    const reason = `assumptions wait for an answer: contracts answer ${id}`;
    if (isNew) emit({ event: 'wrote', task: id, file: 'questions.md', reason });
  }
}

/**
 * Asks about each plan for which it is time; `now`: about all that is open. One contract a plan at a time;
 * `isNew`: this call made it. `more`: tasks about to be done; without it none is counted, because counting lists
 * done/.
 */
export function askWhereDue(ws: Workspace, now = false, more?: number) {
  const { open } = openAssumptions(ws);
  if (open.length === 0) return [];
  const ended = more === undefined ? -Infinity : endedCount(ws) + more;
  let counted: number | undefined;
  const done = (): number => (counted ??= doneCount(ws) + (more ?? 0));
  return [...new Set(open.map(({ plan }) => plan))].flatMap((plan) => {
    const own = open.filter((one) => one.plan === plan);
    // An upper bound that is cheaper to compute.
    const isDue = reasonToAsk(own, ended) !== undefined;
    const reason = now ? 'a person asked for them' : isDue ? reasonToAsk(own, done()) : undefined;
    const { id, state } = askOf(ws, plan);
    const isNew = state === undefined;
    if (isNew && (reason === undefined || !makeAsk(ws, id, { plan, reason, open: own }))) return [];
    // Repeated for an existing contract: its creator may have crashed before this step.
    const { contract } = readContract(ws, taskFolder(ws.layout, state ?? 'questions', id), id);
    for (const one of contract.ok ? askedBy(ws, contract.value) : [])
      changeAssumption(ws, one, ({ done: before, asked }) => ({
        asked: true,
        done: asked && reason === undefined ? before : done(),
      }));
    return { id, isNew };
  });
}

interface Ask {
  readonly plan: string | undefined;
  readonly reason: string;
  readonly open: readonly KeptAssumption[];
}

function composeAsk(ws: Workspace, { plan, reason, open }: Ask) {
  const of = plan === undefined ? '' : ` of ${oneLine(plan)}`;
  const holds = of && ` No new task${of} begins until then.`;
  return composeContract(ws, {
    title: `Assumptions${of}`,
    objective: `Say of each whether it holds: ${reason}.${holds}`,
    criteria: ['Each question has an answer'],
    context_files: open.map(({ file }) => file),
    head: { type: ASKS, agent: PERSON },
  });
}

function makeAsk(ws: Workspace, id: string, ask: Ask): boolean {
  const composed = composeAsk(ws, ask);
  if (!composed.ok) return false;
  const made = makeTasks(ws, [{ state: 'questions', id, text: composed.value.text }]);
  putQuestions(ws, id, ask.open);
  return made.has(id);
}

/** Never over what is there: a person may be answering in it. */
export function putQuestions(ws: Workspace, id: string, open: readonly KeptAssumption[]): void {
  const path = join(taskFolder(ws.layout, 'questions', id), 'questions.md');
  const items = open.map((one, i) => `${i + 1}. ${escapeComments(oneLine(questionOf(one)))}`);
  const text = addAnswerSlots(`# Questions: ${id}\n\n## Questions\n\n${items.join('\n')}\n`);
  putIfUnchanged(ws.putting, path, undefined, bytesOf(text));
}

/** Open assumptions that this contract asks about. */
export function askedBy(ws: Workspace, { context_files }: Contract): readonly KeptAssumption[] {
  return openAssumptions(ws).open.filter(({ file }) => context_files.includes(file));
}
