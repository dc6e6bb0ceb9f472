/**
 * Writes LEDGER.md after the claims of a step, and at its end if it moved something or the page is older than a state folder. A file there that no
 * step wrote stays as it is. What ended is counted by the names of its folders.
 */
import { tryName, whoAt } from '../../task/core/attempts/counters.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { problem } from '../../task/core/model/problem.ts';
import { STATES, type State } from '../../task/core/model/state.ts';
import { awaitedBy, type TaskRead } from '../../task/core/model/task.ts';
import { unlessShut } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { namesInState } from '../../task/store/tasks/tasks.ts';
import { progressOf } from '../../engine/queries/progress.ts';
import { readBytes } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import * as joined from '../../workspace/tasks/capability.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { FILE, isLedger, MARK } from '../core/mark.ts';
import {
  ENTRIES_MAX,
  LINE_CHARS_MAX,
  renderLedger,
  type LedgerFacts,
} from '../text/render-ledger.ts';

const GRAPH_MAX = 50;
const ORDER: readonly State[] = ['questions', 'in_progress', 'blocked', 'review', 'ready', 'draft'];

const TRIES = 3;

/** `isNew`: the board was just read, so that only what moved since is read again. */
export function writeLedger(
  { ws, emit, moved }: joined.FollowedStep,
  board: joined.TasksSeen,
  isNew = false,
) {
  const path = `${ws.layout.root}/${FILE}`;
  for (let tries = 1; tries <= TRIES; tries++) {
    const read = readBytes(ws.disk, path, FILE);
    const isNone = !read.ok && read.problems[0]?.code === 'missing_file';
    if (!isNone && !(read.ok && isLedger(read.value))) {
      const message = 'no step wrote this file, so it stays as it is, and there is no ledger';
      const fix = `Rename it; the next step that moves a task writes ${FILE}`;
      const facts = { code: 'not_a_file', severity: 'warning', file: FILE, message, fix } as const;
      return emit({ event: 'problem', problem: problem({ ...facts, expected: MARK.trim() }) });
    }
    const bytes = Buffer.from(renderLedger(factsOf(ws, moved, isNew ? 0 : GRAPH_MAX, board)));
    const before = read.ok ? sha256(read.value) : undefined;
    if (before === sha256(bytes)) return;
    // Another runner that wrote in between may have looked before this one moved its task.
    if (putIfUnchanged(ws.putting, path, before, bytes) === 'put') return;
  }
}

function factsOf(
  ws: Workspace,
  moved: ReadonlySet<string>,
  again: number,
  board: joined.TasksSeen,
): LedgerFacts {
  const names = new Map(STATES.map((state) => [state, namesInState(ws.disk, ws.layout, state)]));
  const tasks = new Map<string, TaskRead>();
  for (const state of ORDER) {
    for (const id of names.get(state)?.toSorted() ?? []) {
      // What is shown is read as it is now: an agent may have gone on since the step looked.
      const known = moved.has(id) || tasks.size < again ? undefined : board.tasks.get(id);
      // One that may not be read is counted, and keeps no other from the page.
      const task = known?.state === state ? known : unlessShut(() => readTask(ws, state, id));
      if (task !== undefined && !tasks.has(id)) tasks.set(id, task);
    }
  }
  const all = [...tasks.values()];
  // Of many tasks most are only counted.
  const entries = (state: State, textOf: (task: TaskRead) => string): readonly string[] =>
    all
      .filter((task) => task.state === state)
      .map((task, i) => (i < ENTRIES_MAX ? `${task.id}: ${textOf(task)}` : task.id));
  const workers = entries('in_progress', (task) => workOf(ws, task));
  const own = { sections: { workers, questions: entries('questions', questionOf) } };
  const others = joined.capabilitiesOf(ws).flatMap((one) => one.ledger?.(ws, tasks) ?? []);
  const counts = [...names].map(([state, ids]) => ({ state, tasks: ids.length }));
  return { counts, parts: [own, ...others], graph: graphOf(all.slice(0, GRAPH_MAX)) };
}

export function holdsMore({ disk, layout }: Workspace, most: number): boolean {
  return ORDER.reduce((sum, state) => sum + namesInState(disk, layout, state).length, 0) > most;
}

function workOf(ws: Workspace, task: TaskRead): string {
  const open = openAttempt(task);
  if (open === undefined) return 'no try yet';
  const at = { ...task, attempt: open.number, waits_for: 'agent' } as const;
  const { step, machine } = progressOf(ws, at);
  return `${whoAt(open.owner?.agent ?? '', machine)}, ${tryName(task.attempts, open)}${step ? `: ${step}` : ''}`;
}

function questionOf({ id, kind: { decision }, questions }: TaskRead): string {
  const asked = questions?.ok === true && decision === undefined ? questions.value.questions : [];
  const open = asked.filter(({ answer }) => answer === '');
  if (asked.length > 0 && open.length === 0) return 'answered → contracts run';
  const more = open.length > 1 ? ` (and ${open.length - 1} more)` : '';
  const form = decision && `${decision.question} ${[...decision.words.keys()].join(', ')}`;
  const command = `${more} → contracts answer ${id}`;
  // A long line is cut at its end: the question is the part that may be.
  const room = Math.max(20, LINE_CHARS_MAX - id.length - command.length - 4);
  const question = form ?? open[0]?.text ?? '';
  return `${question.length > room ? `${question.slice(0, room)}…` : question}${command}`;
}

function graphOf(shown: readonly TaskRead[]): LedgerFacts['graph'] {
  const titled = shown.map(({ id, state, contract }) => {
    const { title = '' } = contract.ok ? contract.value : {};
    return { id, state, title, awaited: contract.ok ? awaitedBy(contract.value) : [] };
  });
  const edges = titled.flatMap(({ id: to, awaited }) =>
    awaited
      .filter((from) => titled.some(({ id }) => id === from))
      .map((from) => ({ from, to, on_cycle: false })),
  );
  return { nodes: titled, edges };
}
