/**
 * Reads the tree once into plain data: tasks with their state, and the facts about them that decide
 * needs. Looks at files, processes and clocks; judges nothing. What is read depends on the state.
 */
import { join } from 'node:path';
import { isTaskId } from '../core/id.ts';
import type { Contract } from '../core/contract.ts';
import { openAttempt } from '../core/open-attempt.ts';
import { findCycles } from '../core/graph.ts';
import { Fault, ok, problem, refused, type Problem, type Result } from '../core/problem.ts';
import type { Attempt } from '../core/record.ts';
import { isTerminal, LIVE_STATES, STATES, type State } from '../core/state.ts';
import type { Presence, TaskRead } from '../core/task.ts';
import { errorCode, isGone, type Entry } from '../store/disk.ts';
import { sha256 } from '../store/hash.ts';
import { attemptsFolder, shown, stateFolder, taskFolder } from '../store/layout.ts';
import { isForeign, listState } from '../store/tasks.ts';
import { parseContract } from '../text/contract.ts';
import { parseBlocked, parseQuestions, parseReview } from '../text/documents.ts';
import { decodeText } from '../text/front-matter.ts';
import { keptDesk, readAttempts } from './attempts.ts';
import { gatherInputs, hashInputs } from './inputs.ts';
import { readBytes, readText } from './read-text.ts';
import { strangeStates } from './strange-states.ts';
import type { Workspace } from './workspace.ts';

export interface Board {
  /** Tasks of the live states, by id. An id in two states is in `doubles` instead. */
  readonly tasks: ReadonlyMap<string, TaskRead>;
  readonly doubles: ReadonlyMap<string, readonly State[]>;
  readonly cycles: ReadonlyMap<string, readonly string[]>;
  /** Names in state folders that are no tasks. */
  readonly problems: readonly Problem[];
  /** Tasks that could not be read because the environment failed. */
  readonly faults: ReadonlyMap<string, unknown>;
}

export function readBoard(ws: Workspace): Board {
  const { places, problems } = readPlaces(ws);
  const tasks = new Map<string, TaskRead>();
  const doubles = new Map<string, readonly State[]>();
  const faults = new Map<string, unknown>();
  for (const [id, listed] of places) {
    const states = listed.length > 1 ? standing(ws, id, listed) : listed;
    const [state] = states;
    if (states.length > 1 || state === undefined) {
      doubles.set(id, states);
      continue;
    }
    try {
      const task = readTask(ws, state, id);
      if (task !== undefined) tasks.set(id, task);
    } catch (error) {
      faults.set(id, error);
    }
  }
  const edges = new Map<string, readonly string[]>();
  for (const [id, task] of tasks) {
    if (task.contract.ok) edges.set(id, task.contract.value.head.depends_on);
  }
  return { tasks, doubles, cycles: findCycles(edges), problems, faults };
}

/** One that was moved while the states were listed is in two lists, but stands in one place. */
function standing(ws: Workspace, id: string, listed: readonly State[]): readonly State[] {
  return listed.filter(
    (state) => ws.disk.stat(taskFolder(ws.layout, state, id))?.kind === 'folder',
  );
}

interface Places {
  readonly places: ReadonlyMap<string, readonly State[]>;
  readonly problems: readonly Problem[];
}

/** Which ids stand in which live states. `done` and `aborted` are never listed here. */
function readPlaces(ws: Workspace): Places {
  const places = new Map<string, State[]>();
  const problems: Problem[] = [];
  for (const state of STATES) {
    if (isForeign(ws.disk, ws.layout, state)) problems.push(foreignProblem(ws, state));
  }
  problems.push(...strangeStates(ws));
  for (const state of LIVE_STATES) {
    const listed = listState(ws.disk, ws.layout, state);
    for (const id of listed.ids) {
      const found = places.get(id);
      if (found === undefined) places.set(id, [state]);
      else found.push(state);
    }
    for (const stranger of listed.strangers) problems.push(strangerProblem(ws, state, stranger));
  }
  return { places, problems };
}

function foreignProblem(ws: Workspace, state: State): Problem {
  return problem({
    code: 'not_a_file',
    file: shown(ws.layout, stateFolder(ws.layout, state)),
    message: 'this state is a link or a file; what is behind it is not looked at',
    expected: 'a folder',
    fix: 'Put a real folder there',
  });
}

export function strangerProblem(
  ws: Workspace,
  state: State,
  stranger: { readonly name: string; readonly kind: string },
): Problem {
  const file = shown(ws.layout, join(ws.layout.tasks, state, stranger.name));
  if (stranger.kind === 'folder' && !isTaskId(stranger.name)) {
    return problem({
      code: 'bad_id',
      file,
      message: 'the name of this folder is not a task id',
      expected: 'a-z, 0-9, _ and -, starting with a letter or digit, at most 64',
      fix: 'Rename the folder, or move it out of active_tasks',
    });
  }
  return problem({
    code: 'leftover',
    severity: 'warning',
    file,
    message:
      stranger.kind === 'other' ? 'a link or special file, left alone' : 'not a task, left alone',
    fix: 'Move it out of active_tasks',
  });
}

/** undefined when somebody moved the folder meanwhile. */
export function readTask(ws: Workspace, state: State, id: string): TaskRead | undefined {
  const folder = taskFolder(ws.layout, state, id);
  let names: ReadonlyMap<string, Entry['kind']>;
  let since = 0;
  try {
    names = new Map(ws.disk.list(folder).map((entry) => [entry.name, entry.kind]));
    since = ws.disk.stat(join(folder, 'contract.md'))?.mtime_ms ?? 0;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
  const read_contract = readContract(ws, folder, id);
  const { hash } = read_contract;
  const odd = (names.get('attempts') ?? 'folder') !== 'folder';
  const contract = odd ? refused([oddAttempts(ws, folder)]) : read_contract.contract;
  const { attempts, problems } =
    names.has('attempts') && !odd ? readAttempts(ws, folder, id) : { attempts: [], problems: [] };
  const has: Presence = {
    status: names.has('status.md'),
    questions: names.has('questions.md'),
    result: names.has('result.md'),
    review: names.has('review.md'),
    blocked: names.has('blocked.md'),
  };
  const read: TaskRead = {
    id,
    state,
    contract,
    contract_hash: hash,
    inputs_hash: '',
    attempts,
    has,
    questions: undefined,
    review: undefined,
    blocked: undefined,
    problems,
    since_ms: since,
  };
  return withStateFiles(ws, folder, read);
}

/** A link there would lead claims and records out of the task. */
function oddAttempts(ws: Workspace, folder: string): Problem {
  return problem({
    code: 'not_a_file',
    file: shown(ws.layout, attemptsFolder(folder)),
    message: 'attempts is a link or a file',
    expected: 'a folder',
    fix: 'Put back the folder of this task, or remove it when there never was one',
  });
}

function withStateFiles(ws: Workspace, folder: string, task: TaskRead): TaskRead {
  const text = (name: string): Result<string> => {
    const path = join(folder, name);
    return readText(ws.disk, path, shown(ws.layout, path));
  };
  switch (task.state) {
    case 'ready':
    case 'in_progress': {
      const inputs = gatherInputs(ws, folder, task.attempts);
      return {
        ...task,
        inputs_hash: hashInputs(task.contract_hash, inputs),
        blocked: task.has.blocked ? map(text('blocked.md'), parseBlocked) : undefined,
      };
    }
    case 'questions':
      if (!task.has.questions) return task;
      return {
        ...task,
        questions: map(text('questions.md'), (t) =>
          parseQuestions(t, original(ws, folder, task.attempts)),
        ),
      };
    case 'review':
      return task.has.review ? { ...task, review: map(text('review.md'), parseReview) } : task;
    case 'blocked':
      return task.has.blocked ? { ...task, blocked: map(text('blocked.md'), parseBlocked) } : task;
    default:
      return task;
  }
}

/** The agent's own bytes of questions.md, before answer slots were added. */
export function original(
  ws: Workspace,
  folder: string,
  attempts: readonly Attempt[],
): string | undefined {
  const last = attempts.findLast(
    (attempt) => !attempt.lost && attempt.outcome?.outcome === 'questions',
  );
  if (last === undefined) return undefined;
  const path = join(keptDesk(folder, last), 'questions.md');
  const read = readText(ws.disk, path, shown(ws.layout, path));
  return read.ok ? read.value : undefined;
}

function map<A, B>(result: Result<A>, change: (value: A) => B): Result<B> {
  return result.ok ? ok(change(result.value), result.warnings) : result;
}

export interface ContractRead {
  readonly contract: Result<Contract>;
  /** sha256 of the bytes; empty when they cannot be read. */
  readonly hash: string;
}

export function readContract(ws: Workspace, folder: string, id: string): ContractRead {
  const path = join(folder, 'contract.md');
  const file = shown(ws.layout, path);
  const bytes = readBytes(ws.disk, path, file);
  if (!bytes.ok) return { contract: bytes, hash: '' };
  const hash = sha256(bytes.value);
  const text = decodeText(bytes.value, file);
  if (!text.ok) return { contract: text, hash };
  const contract = parseContract(text.value, file);
  if (!contract.ok) return { contract, hash };
  const named = contract.value.head.id;
  if (named !== undefined && named !== id) {
    const mismatch = problem({
      code: 'id_mismatch',
      file,
      message: 'the contract names another task than its folder',
      found: named,
      expected: id,
      fix: 'Correct id in contract.md, or rename the folder',
    });
    return { contract: refused([mismatch]), hash };
  }
  return { contract, hash };
}

/** Attempts that run now, of whomever: they take slots. */
export function runningCount(board: Board, holderOf: (task: TaskRead) => string): number {
  let running = 0;
  for (const task of board.tasks.values()) {
    if (isTerminal(task.state) || openAttempt(task) === undefined) continue;
    if (runs(task, holderOf)) running++;
  }
  return running;
}

/** When nobody can tell it counts as running; why, the plan meets and says. */
function runs(task: TaskRead, holderOf: (task: TaskRead) => string): boolean {
  try {
    return ['alive', 'orphan', 'orphan_overdue', 'elsewhere'].includes(holderOf(task));
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof Fault)) throw error;
    return true;
  }
}
