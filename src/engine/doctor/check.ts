/**
 * `check`: every problem of the tree in one list, sorted by place. Reads everything that a step would read
 * and the names in done and aborted; writes nothing but its cache.
 */
import type { LineData } from '../core/events/command-lines.ts';
import { join } from 'node:path';
import type { Wait } from '../../task/core/model/action.ts';
import { STATUS_FORM, VERDICT_FORM } from '../../task/core/model/documents.ts';
import { ok, problem, type Problem, type Result } from '../../task/core/model/problem.ts';
import { isBroken, signaturesIn } from '../verify/seals.ts';
import { orNothing } from '../../process/path-kind.ts';
import { isDone, type TaskRead } from '../../task/core/model/task.ts';
import { SETTINGS, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { listOrNothing, listState, namesInState } from '../../task/store/tasks/tasks.ts';
import { parseRest } from '../../task/text/documents/contract.ts';
import { whyNoTemplate } from '../../task/text/markdown/template.ts';
import { parseReview, unreadStatus } from '../../task/text/documents/documents.ts';
import { readBoard, strangerProblem, type Board } from '../board/board.ts';
import { about, dependency } from '../board/dependency.ts';
import { glanceAt } from '../step/glance.ts';
import { livesAgain } from '../board/archive.ts';
import { archivedIds } from '../board/resolve-id.ts';
import { doubleProblem } from '../step/next-action.ts';
import { bellProblems } from '../attempt/notify.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { marksOf } from '../../trust/changed-settings.ts';
import { trustFolder, whyUntrusted } from '../../trust/trust.ts';
import { bothSides, currentTexts } from '../preflight/both-sides.ts';
import { preflight } from '../preflight/preflight.ts';
import { readProse } from '../../workspace/open/prose-file.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { unreadTasks } from '../board/unreadable-tasks.ts';
import { ignoredComments } from '../step/ignored-comments.ts';
import { unfitFiles } from './unfit-files.ts';
import { cycleProblem, lostDependencies } from '../preflight/dependencies.ts';
import { findTask } from '../queries/find-task.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { standingTwice } from '../queries/count-by-state.ts';
import { copiedAttempts } from '../preflight/copied.ts';
import { unnamedCriteria } from '../preflight/criteria.ts';
import { problemsOfAll } from '../../workspace/tasks/capability.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Checked extends LineData<'check'> {
  /** Each once. */
  readonly problems: readonly Problem[];
}

export function checkTree(opened: Workspace): Checked {
  // Programs are looked for once.
  const ws: Workspace = { ...opened, installed: new Map() };
  const board = readBoard(ws, { quick: 'checks' });
  const tasks = [...board.tasks.values()];
  const archived = archivedIds(ws).flatMap((id) => board.tasks.get(id) ?? []);
  const found = tasks.flatMap((task) => {
    const { action } = glanceAt(ws, board, task, wrongWith);
    return action.kind === 'wait' ? action.problems : [];
  });
  board.rows?.save(tasks);
  return checked(
    [
      ...ws.problems,
      ...agentsOf(ws).allProblems(),
      ...bellProblems(ws),
      ...settingsProblems(ws),
      ...unfitFiles(ws),
      ...untrusted(ws),
      ...board.problems,
      ...endedStrangers(ws),
      ...standingTwice(ws).map(([id, states]) => doubleProblem(ws, id, states)),
      ...unreadTasks(ws, board),
      ...archived.flatMap((task) => livesAgain(ws, task)),
      ...found,
      ...brokenReceipts(ws, tasks),
      ...problemsOfAll(ws),
    ],
    tasks.length,
  );
}

/** Checks one task alone, whatever its state. */
export function checkTask(ws: Workspace, id: string): Result<Checked> {
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const problems = [...livesAgain(ws, found.value), ...problemsOf(ws, readBoard(ws), found.value)];
  return ok(checked(problems, 1));
}

export function checked(found: readonly Problem[], tasks: number): Checked {
  const unique = new Map(
    found.map((one) => [JSON.stringify([one.code, one.message, one.file, one.line, one.col]), one]),
  );
  const problems = [...unique.values()].sort(byPlace);
  const errors = problems.filter((one) => one.severity === 'error').length;
  return { problems, errors, warnings: problems.length - errors, tasks };
}

/** Errors before warnings. */
function byPlace(a: Problem, b: Problem): number {
  if (isBroken(a) !== isBroken(b)) return isBroken(a) ? -1 : 1;
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.col - b.col;
}

/** Problems of settings that would fail when they are used: own templates, and adapters without a program. */
function settingsProblems(ws: Workspace): Problem[] {
  const folder = `${SETTINGS}/templates`;
  const names = listOrNothing(ws.disk, join(ws.layout.root, folder)).map(({ name }) => name);
  const templates = names
    .filter((name) => name.endsWith('.hbs'))
    .flatMap((name) => {
      const file = `${folder}/${name}`;
      const read = readText(ws.disk, join(ws.layout.root, file), file, { single_link: false });
      if (!read.ok) return read.problems;
      const why = whyNoTemplate(read.value);
      const fix = 'Correct it, or remove it to use the built-in one';
      const message = `this template cannot be compiled: ${why}`;
      return why === undefined ? [] : problem({ code: 'bad_value', file, message, fix });
    });
  const file = `${SETTINGS}/config.yaml`;
  const empty = Object.entries(ws.config.adapters).flatMap(([name, { type, run }]) => {
    if (run !== undefined || (type !== 'command' && type !== 'acp')) return [];
    const message = `adapters.${name} has no run, so there is no program to call`;
    const fix = `Write adapters.${name}.run, such as [node, my-agent.mjs, "{{brief_file}}"]`;
    return problem({ code: 'bad_value', file, message, fix });
  });
  return [...templates, ...empty];
}

function untrusted(ws: Workspace): Problem[] {
  // A check needs no trust; a change by an agent is a problem for everyone.
  const distrust = marksOf(ws, trustFolder(ws)).length > 0 ? whyUntrusted(ws) : undefined;
  return distrust === undefined ? [] : [distrust];
}

function brokenReceipts(ws: Workspace, live: readonly TaskRead[]): Problem[] {
  // One that cannot be read is not in a list either, and others say so.
  const ended = (['done', 'aborted'] as const).flatMap((state) =>
    namesInState(ws.disk, ws.layout, state).flatMap(
      (id) => orNothing(() => readTask(ws, state, id)) ?? [],
    ),
  );
  const tried = [...live, ...ended].filter(({ attempts }) => attempts.length > 0);
  return tried.flatMap((task) => signaturesIn(ws, task).problems);
}

function endedStrangers(ws: Workspace): Problem[] {
  return (['done', 'aborted'] as const).flatMap((state) =>
    listState(ws.disk, ws.layout, state).strangers.map((one) => strangerProblem(ws, state, one)),
  );
}

/** All that keeps it from being in order, as the wait that a row keeps. */
function wrongWith(ws: Workspace, board: Board, task: TaskRead): Wait {
  const problems = problemsOf(ws, board, task);
  return { kind: 'wait', code: 'problem', on: 'person', reason: '', fix: '', problems };
}

function problemsOf(ws: Workspace, board: Board, task: TaskRead): Problem[] {
  const folder = taskFolder(ws.layout, task.state, task.id);
  const found = [
    ...task.problems,
    ...copiedAttempts(ws, task),
    ...fileProblems(ws, task, folder),
    ...ignoredComments(ws, task),
  ];
  const file = shown(ws.layout, join(folder, 'contract.md'));
  if (!task.contract.ok) {
    const text = readText(ws.disk, join(folder, 'contract.md'), file);
    const rest = text.ok ? parseRest(text.value, file) : undefined;
    const named = rest === undefined ? [] : preflight(ws, folder, rest, false);
    const unknown = named.filter(({ code }) => code === 'unknown_agent');
    return [...found, ...task.contract.problems, ...unknown];
  }
  const contract = task.contract.value;
  const cycle = about(ws, 'cycle', () => board.cycles.get(task.id));
  const settled = contract.head.depends_on.every((id) => isDone(dependency(ws, board, id)));
  return [
    ...found,
    ...task.contract.warnings,
    ...lostDependencies(ws, board, contract, file),
    ...cycleProblem(task.id, cycle, contract, file),
    ...preflight(ws, folder, contract, settled),
    ...bothSides(ws, folder, contract),
    ...unnamedCriteria(ws, contract, file),
  ];
}

/** Each current file is readable text, without both sides of a merge, and a review is decided once. */
function fileProblems(ws: Workspace, task: TaskRead, folder: string): Problem[] {
  return currentTexts(ws, folder).flatMap((name): readonly Problem[] => {
    const file = shown(ws.layout, `${folder}/${name}`);
    const read = readProse(ws.disk, `${folder}/${name}`, file);
    const isNote = name.startsWith('notes/');
    if (!read.ok) return read.problems.filter(({ code }) => !isNote || code === 'conflict');
    const is_form = name === 'review.md' || (name === 'result.md' && task.state === 'in_progress');
    return is_form ? unread(name, read.value, file) : [];
  });
}

/** A verdict that counts for nothing; while a task is in progress, a result.md at its top is a person's. */
function unread(name: string, text: string, file: string): Problem[] {
  const review = name === 'review.md' ? parseReview(text) : undefined;
  const place = review === undefined ? unreadStatus(text) : review.unread;
  if (place === undefined) return [];
  const two = review !== undefined && review.ticked.length > 1;
  const why = two
    ? 'more than one verdict is ticked, so none counts'
    : 'the verdict cannot be read';
  return [
    problem({
      code: review === undefined ? 'no_result' : 'undecided',
      file,
      line: place.line,
      message: review === undefined ? 'result.md has no readable status' : why,
      found: two ? review.ticked.join(' and ') : place.found,
      expected: review === undefined ? STATUS_FORM : VERDICT_FORM,
      fix: two ? 'Untick all but one' : 'Correct this line',
    }),
  ];
}
