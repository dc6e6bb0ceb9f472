/**
 * What is wrong with the tree, `done` included, and what this machine can do. `fix` does only what loses
 * nothing: it makes state folders, moves a desk into its attempt, removes old temporaries.
 */
import { join } from 'node:path';
import type { clientVersions } from '../queries/client-versions.ts';
import { eachOnce } from '../queries/graph.ts';
import { cycleWords } from '../../task/core/base/dependency-graph.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { STATES } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { adoptDesk, listAttempts } from '../../task/store/tasks/claims.ts';
import {
  attemptFolder,
  desksFolder,
  shown,
  stateFolder,
  taskFolder,
} from '../../task/store/tasks/layout.ts';
import { TEMPORARY } from '../../task/store/disk/put.ts';
import {
  listOrNothing,
  listState,
  makeState,
  makeTasksFolder,
} from '../../task/store/tasks/tasks.ts';
import { livesAgain, taskAsArchive, type Finding } from '../board/archive.ts';
import { foreignProblem, readBoard, strangerProblem, tasksIn } from '../board/board.ts';
import { signaturesIn, signedWords } from '../verify/seals.ts';
import { notAsVerified } from '../verify/changed-deliverables.ts';
import { holderOf } from '../../workspace/tasks/liveness.ts';
import { bellProblems } from '../attempt/notify.ts';
import { leftStandIns } from '../../sandbox/engine/placeholder-mounts.ts';
import { probeMachine } from './filesystem-probe.ts';
import { probeClients, type Ability } from '../setup/probe-clients.ts';
import { temporaries } from './temporaries.ts';
import { unfitFiles } from './unfit-files.ts';
import { openQuestion, whyUntrusted } from '../../trust/trust.ts';
import { whyUnsigned } from '../../trust/sign.ts';
import { keyFolder } from '../../workspace/open/state-home.ts';
import { clientProblems } from './client-faults.ts';
import { explainDoubles, type Double } from './duplicate-task.ts';
import { strangeStates } from '../board/unknown-folders.ts';
import { unreadTasks } from '../board/unreadable-tasks.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { noPlace } from '../../worktrees/engine/place.ts';
import { branchInTheWay, findRepository, isRepository } from '../../workspace/open/repository.ts';
import { staleWorktrees } from '../../worktrees/engine/stale-worktrees.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

export interface Diagnosis {
  readonly problems: readonly Problem[];
  /** Tasks that are in two states. */
  readonly doubles: readonly Double[];
  /** Repairs, a line each; empty without `fix`. */
  readonly fixed: readonly string[];
  readonly abilities: readonly Ability[];
  /** How receipts and approvals hold, in a line; empty where there are none. */
  readonly signed: string;
}

export interface DoctorOptions {
  readonly fix: boolean;
  /** Versions and logins that clients report; left out where they were not asked. */
  readonly versions?: Awaited<ReturnType<typeof clientVersions>>;
}

type Found = Finding | Problem;

export function doctor(ws: Workspace, options: DoctorOptions): Diagnosis {
  const doubles = explainDoubles(ws);
  const board = readBoard(ws);
  const read = [...board.tasks.values(), ...tasksIn(ws, ['done', 'aborted'])];
  const signatures = read.map((task) => signaturesIn(ws, task));
  const twice = new Set(doubles.map(({ id }) => id));
  const found: Found[] = [
    ...missingStates(ws),
    ...unfitFiles(ws),
    ...strangers(ws),
    ...strangeStates(ws),
    ...[taskAsArchive(ws)].filter((one) => one !== undefined),
    ...trustFinding(ws),
    ...unsignedFinding(ws),
    ...doubles.map(doubleFinding),
    ...unreadTasks(ws, board),
    ...read.flatMap((task) => taskFindings(ws, task, twice)),
    ...cycles(ws),
    ...desks(ws),
    ...branchFinding(ws),
    ...staleWorktrees(ws),
    ...temporaries(ws),
    ...standIns(ws),
  ];
  const { fixed, problems } = mended(found, options);
  const own = [...ws.problems, ...agentsOf(ws).allProblems(), ...bellProblems(ws)];
  const clients = clientProblems(ws, options.versions);
  return {
    problems: [...signatures.flatMap((one) => one.problems), ...own, ...clients, ...problems],
    signed: signedWords(signatures),
    fixed,
    doubles,
    abilities: [...probeMachine(ws), ...probeClients(ws, options.versions)],
  };
}

/** For one task, whose deliverables are read as well. */
export function doctorTask(ws: Workspace, task: TaskRead, options: DoctorOptions): Diagnosis {
  const stale = staleWorktrees(ws, task.id);
  const signatures = signaturesIn(ws, task);
  const own = [...signatures.problems, ...taskFindings(ws, task, new Set())];
  const clients = clientProblems(ws, options.versions, task.id);
  const found = [...own, ...clients, ...deliveredFindings(ws, task), ...stale];
  const signed = signedWords([signatures]);
  return { ...mended(found, options), doubles: [], abilities: [], signed };
}

function mended(
  found: readonly Found[],
  { fix }: DoctorOptions,
): Pick<Diagnosis, 'fixed' | 'problems'> {
  const all = found.map((one): Finding => ('problem' in one ? one : { problem: one }));
  const mending = all.filter(({ mend }) => fix && mend !== undefined);
  for (const { mend } of mending) mend?.();
  const left = all.filter((one) => !mending.includes(one));
  return {
    fixed: mending.map(({ problem: { file, message } }) => `${file}: ${message}`),
    problems: left.map((one) => one.problem),
  };
}

function deliveredFindings(ws: Workspace, task: TaskRead): Problem[] {
  return notAsVerified(ws, task).map(({ path: file, damaged, words: message }) => {
    const severity = damaged ? 'error' : 'warning';
    const fix = `Restore it from git or a backup, or have it made again: contracts retry ${task.id} --again`;
    return problem({ code: 'stale_deliverable', severity, file, message, fix });
  });
}

/** Only where all tasks work in worktrees; for a single contract `check` reports it. */
function branchFinding(ws: Workspace): Problem[] {
  const repo = findRepository(ws, ws.layout.root);
  if (ws.config.isolation === 'shared' || !isRepository(repo)) return [];
  const found = branchInTheWay(ws.disk, repo) ?? noPlace(ws);
  if (found === undefined) return [];
  const { why: message, fix } = found;
  return [problem({ code: 'environment', file: '.', message, fix })];
}

function trustFinding(ws: Workspace): Problem[] {
  const question = openQuestion(ws);
  const distrust = question && whyUntrusted(ws);
  // In a workspace that is not used yet it is no error.
  const severity = question?.changed.length === 0 ? 'warning' : 'error';
  return distrust === undefined ? [] : [{ ...distrust, severity }];
}

function unsignedFinding(ws: Workspace): Problem[] {
  const why = whyUnsigned(ws);
  if (why === undefined) return [];
  const message = `receipts are not signed, there is no key: ${why}`;
  const folder = keyFolder(ws.env, ws.layout.root);
  const fix = `Make ${folder} yours with mode 700, and its file with 600. Or move the file away: a new key is made`;
  return [problem({ code: 'environment', severity: 'warning', file: '.', message, fix })];
}

function missingStates(ws: Workspace): Finding[] {
  return STATES.flatMap((state): Finding[] => {
    const folder = stateFolder(ws.layout, state);
    const kind = ws.disk.stat(folder)?.kind;
    if (kind !== undefined)
      return kind === 'folder' ? [] : [{ problem: foreignProblem(ws, state) }];
    const file = shown(ws.layout, folder);
    const message = 'this state folder is missing; it is made when it is needed';
    const how = { severity: 'warning', fix: 'contracts doctor --fix' } as const;
    const mend = (): void => {
      makeTasksFolder(ws.disk, ws.layout);
      makeState(ws.disk, ws.layout, state);
    };
    return [{ problem: problem({ code: 'missing_file', file, message, ...how }), mend }];
  });
}

function strangers(ws: Workspace): Problem[] {
  return STATES.flatMap((state) =>
    listState(ws.disk, ws.layout, state)
      .strangers.filter(({ name }) => !name.startsWith(TEMPORARY))
      .map((stranger) => strangerProblem(ws, state, stranger)),
  );
}

/** `doctor --fix` does not choose a side. */
function doubleFinding({ id, sides }: Double): Problem {
  return problem({
    code: 'two_states',
    file: sides[0]?.folder ?? '',
    message: `task ${id} is in ${sides.map(({ state, reached }) => `${state} (${reached})`).join(' and in ')}`,
    fix: `Keep one side: ${sides.map(({ state, command }) => `for ${state} ${command}`).join('; ')}`,
  });
}

/** Unreadable records, unreadable contracts, dead owners. */
function taskFindings(ws: Workspace, task: TaskRead, twice: ReadonlySet<string>): Found[] {
  const unread = task.contract.ok ? [] : task.contract.problems;
  const home = taskFolder(ws.layout, task.state, task.id);
  const found = [...task.problems, ...livesAgain(ws, task), ...unclaimed(ws, task), ...unread];
  const holder = holderOf(ws, task);
  if (holder !== 'dead' && holder !== 'orphan_overdue') return found;
  const number = task.attempts.at(-1)?.number ?? 0;
  const dead = problem({
    code: 'dead_owner',
    severity: 'warning',
    file: shown(ws.layout, attemptFolder(home, number)),
    message:
      holder === 'dead' ? 'the owner of this attempt is dead' : 'this agent is past its deadline',
    fix: twice.has(task.id)
      ? 'Keep one side of this task first; then the next step takes it over'
      : 'The next step takes it over: contracts step',
  });
  return [...found, dead];
}

function cycles(ws: Workspace): Problem[] {
  return eachOnce(readBoard(ws).cycles.values()).map((path) =>
    problem({
      code: 'cycle',
      file: shown(ws.layout, ws.layout.tasks),
      message: `these tasks depend on each other: ${cycleWords(path)}`,
      fix: 'Take one of them out of a depends_on or context_from',
    }),
  );
}

/** A desk without an open attempt: its files belong to that attempt. */
function desks(ws: Workspace): Found[] {
  return listOrNothing(ws.disk, desksFolder(ws.layout)).flatMap(({ name }): Found[] => {
    const match = /^(.+)\.(\d{4,9})$/.exec(name);
    const desk = join(desksFolder(ws.layout), name);
    const [id, number] = [match?.[1] ?? '', Number(match?.[2])];
    const folder = STATES.map((state) => taskFolder(ws.layout, state, id)).find(
      (path) => match !== null && ws.disk.stat(path)?.kind === 'folder',
    );
    // Not removed: what an agent left in it may be worth keeping.
    const byHand = `Keep what you need of it, then remove it yourself: ${shown(ws.layout, desk)}`;
    const attempts = folder === undefined ? [] : listAttempts(ws.disk, folder);
    const attempt = attempts.findLast((one) => one.number === number);
    if (folder === undefined || attempt === undefined)
      return [leftDesk(ws, desk, 'no attempt belongs to it', byHand)];
    const home = attemptFolder(folder, number, attempt.lost);
    const open = !attempt.lost && ws.disk.stat(join(home, 'outcome.md')) === undefined;
    if (open) return [];
    const mend = (): void => adoptDesk(ws.disk, desk, home);
    const taken = ws.disk.stat(join(home, 'desk')) !== undefined;
    const why = `attempt ${number} of ${id} has ended`;
    return taken
      ? [leftDesk(ws, desk, why, byHand)]
      : [{ problem: leftDesk(ws, desk, why, 'contracts doctor --fix puts it there'), mend }];
  });
}

function standIns(ws: Workspace): Finding[] {
  const message = 'an empty folder of a sandbox is left over: its runner is dead';
  const fix = 'The next step removes it, as does contracts doctor --fix';
  return leftStandIns(ws).map(({ folder, remove }) => ({
    problem: leftover(ws, folder, message, fix),
    mend: remove,
  }));
}

function leftDesk(ws: Workspace, desk: string, why: string, fix: string): Problem {
  return leftover(ws, desk, `a desk is left over: ${why}`, fix);
}

function leftover(ws: Workspace, path: string, message: string, fix: string): Problem {
  const file = shown(ws.layout, path);
  return problem({ code: 'leftover', severity: 'warning', file, message, fix });
}

/**
 * A claim makes an attempt and its owner.md in one rename: without owner.md no runner made the folder, and
 * the task waits for nothing. An empty one can be removed without loss.
 */
function unclaimed(ws: Workspace, task: TaskRead): Finding[] {
  const folder = taskFolder(ws.layout, task.state, task.id);
  return task.attempts.flatMap(({ number, lost, outcome }): Finding[] => {
    const path = attemptFolder(folder, number, lost);
    if (outcome !== undefined || ws.disk.stat(`${path}/owner.md`) !== undefined) return [];
    const file = shown(ws.layout, path);
    const isFolder = ws.disk.stat(path)?.kind === 'folder';
    const empty = isFolder && listOrNothing(ws.disk, path).length === 0;
    const away = `Move it away: mv ${shellWord(file)} ${task.id}-attempt-${number}`;
    const found = problem({
      code: 'missing_file',
      file,
      message: `it has no owner.md, so no runner made attempt ${number}; the task waits for it`,
      fix: empty ? 'It is empty: contracts doctor --fix removes it' : away,
    });
    return [{ problem: found, ...(empty ? { mend: () => ws.disk.remove(path) } : {}) }];
  });
}
