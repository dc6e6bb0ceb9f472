/**
 * Reads what an agent and the checks after it printed: the logs of their attempts; with `follow` the newest
 * one as it grows, and on into the next attempts.
 * Events of a client become lines that people read; reads only, and never a whole log at once.
 */
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ok, refused, type Result } from '../../task/core/model/problem.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import type { State } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { LINE_MAX } from '../../process/log-tail.ts';
import { openGrowing, type GrowingFile } from '../../task/store/disk/tail-file.ts';
import { ReadRefused } from '../../task/store/disk/disk.ts';
import { loadTranscript } from '../attempt/readable-log.ts';
import { attemptFolder, SETUP_LOG, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { findTask } from './find-task.ts';

export interface LogsOptions {
  /** This attempt alone; when left out, the newest of an agent and what came after it. */
  readonly attempt?: number | undefined;
  /** Only the last lines of what is there already, of each attempt. */
  readonly last?: number | undefined;
  readonly follow?: boolean | undefined;
  /** The lines as the client printed them. */
  readonly raw?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  onLine(attempt: number, line: string): void;
  /** Before the first line of each attempt. */
  onAttempt(attempt: Attempt, of: number): void;
}

const LOOK_MS = 200;

/** Returns the state of the task at the end, and whether there was anything to read. */
export async function readLogs(
  ws: Workspace,
  id: string,
  options: LogsOptions,
): Promise<Result<{ readonly state: State; readonly found: boolean }>> {
  let reading: Reading | undefined;
  let found = false;
  try {
    for (;;) {
      const known = findTask(ws, id);
      if (!known.ok) return known;
      const task = known.value;
      const wanted = wantedAttempts(ws, task, options);
      if (!wanted.ok) return wanted;
      // Looked at before the log is read: all output until its end is then in what is read.
      const over = options.follow !== true || isOver(task, options.attempt);
      for (const one of wanted.value) {
        if (one.number === reading?.attempt.number) continue;
        reading?.end();
        reading = await begin(ws, task, one, options, options.follow !== true || !found);
        found ||= reading !== undefined;
      }
      reading?.look();
      if (over || options.signal?.aborted === true) return ok({ state: task.state, found });
      await sleep(LOOK_MS, undefined, { signal: options.signal }).catch(() => undefined);
    }
  } catch (error) {
    if (!(error instanceof ReadRefused)) throw error;
    const fix = 'Move it away; the runner creates a new log';
    const file = `output.log of ${id}`;
    return refused({ code: error.reason, file, message: error.message, fix });
  } finally {
    reading?.end();
  }
}

function wantedAttempts(
  ws: Workspace,
  task: TaskRead,
  { attempt: number, follow }: LogsOptions,
): Result<readonly Attempt[]> {
  const bytes = (one: Attempt): number => ws.disk.stat(logOf(ws, task, one))?.bytes ?? -1;
  const printed = task.attempts.filter((one) => bytes(one) > 0);
  if (number === undefined) {
    const begin =
      follow === true ? -1 : printed.findLastIndex((one) => attemptWords(one) !== VERIFICATION);
    // A verification without output has an empty log.
    const empty = task.attempts.findLast((one) => bytes(one) === 0);
    return ok(printed.length === 0 && empty ? [empty] : printed.slice(begin));
  }
  const attempt = task.attempts.find((one) => one.number === number);
  if (attempt !== undefined) return ok([attempt]);
  const there = task.attempts.map((one) => one.number).join(', ');
  return refused({
    code: 'bad_value',
    file: shown(ws.layout, taskFolder(ws.layout, task.state, task.id)),
    message: 'there is no such attempt',
    found: String(number),
    expected: there === '' ? 'none yet' : there,
    fix: `See them: contracts show ${task.id}`,
  });
}

/** Such as `work by builder`. A review that called no agent is a verification: what it printed is of the checks. */
export function attemptWords({ kind, agent, outcome }: Attempt): string {
  const called = outcome?.agent ?? agent?.role ?? PERSON;
  if (called !== PERSON) return `${kind} by ${called}`;
  return kind === 'review' ? VERIFICATION : kind;
}

const VERIFICATION = 'verification';

function logOf(ws: Workspace, task: TaskRead, attempt: Attempt): string {
  const folder = taskFolder(ws.layout, task.state, task.id);
  const own = attemptFolder(folder, attempt.number, attempt.lost);
  const output = join(own, 'output.log');
  const setup = join(own, SETUP_LOG);
  // An agent that was not called, and checks that did not run, for want of what setup makes.
  return ws.disk.stat(output) === undefined && ws.disk.stat(setup) !== undefined ? setup : output;
}

/** In ready it is tried again by the next step; where a person is needed nothing more is printed. */
function isOver(task: TaskRead, number: number | undefined): boolean {
  if (number !== undefined) {
    return task.attempts.some((one) => one.number === number && one.outcome !== undefined);
  }
  if (task.state === 'review') return task.attempts.at(-1)?.outcome?.outcome === 'awaits_person';
  return task.state !== 'ready' && task.state !== 'in_progress';
}

interface Reading {
  readonly attempt: Attempt;
  look(): void;
  /** Reads the rest, an unfinished last line included. */
  end(): void;
}

async function begin(
  ws: Workspace,
  task: TaskRead,
  attempt: Attempt,
  options: LogsOptions,
  first: boolean,
): Promise<Reading | undefined> {
  const log = logOf(ws, task, attempt);
  const file: GrowingFile | undefined = openGrowing(log);
  if (file === undefined) return undefined;
  options.onAttempt(attempt, task.attempts.length);
  const words = options.raw === true ? undefined : await loadTranscript(ws, dirname(log), attempt);
  const inWords = (line: string): readonly string[] =>
    words === undefined ? [line] : words.take(line.slice(0, LINE_MAX));
  const { last = 0, follow } = options;
  let tail: readonly string[] | undefined = first && options.last !== undefined ? [] : undefined;
  const show = (lines: readonly string[]): void => {
    if (tail !== undefined) tail = lastOf([...tail, ...lines], last);
    else for (const line of lines) options.onLine(attempt.number, line);
  };
  const showTail = (most: number): void => {
    const lines = lastOf(tail ?? [], most);
    tail = undefined;
    show(lines);
  };
  let rest = '';
  const look = (): void => {
    for (let more = file.more(); more !== ''; more = file.more()) {
      const lines = (rest + more).split('\n');
      rest = lines.pop() ?? '';
      show(lines.flatMap(inWords));
    }
    if (follow !== true) return;
    if (tail !== undefined) {
      // An unfinished last line is one of the last lines.
      showTail(Math.max(0, last - (rest === '' ? 0 : 1)));
      if (last === 0) rest = '';
    }
    show(words?.running() ?? []);
  };
  let open = true;
  return {
    attempt,
    look,
    end: () => {
      if (!open) return;
      open = false;
      look();
      file.close();
      show([...(rest === '' ? [] : inWords(rest)), ...(words?.end() ?? [])]);
      showTail(last);
    },
  };
}

function lastOf(lines: readonly string[], most: number): readonly string[] {
  return lines.slice(Math.max(0, lines.length - most));
}
