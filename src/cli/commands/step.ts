/** step, run: the verbs that move tasks on, and how they end. */
import { Cancelled } from '../terminal/ask.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { unmergedDone } from '../../worktrees/engine/unmerged.ts';
import { isAskedFor, isYours, listTasks, type ListedTask } from '../../engine/queries/list.ts';
import type { Until } from '../../engine/step/claimant.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { isCallDue, roundLines, roundWords } from '../../engine/queries/round-words.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { accountSince } from '../../engine/queries/account.ts';
import { idleWords } from '../../workspace/tasks/capability.ts';
import { run as runAll } from '../../engine/step/run.ts';
import {
  startsNow,
  step as stepOnce,
  type StepOptions,
  type StepReport,
} from '../../engine/step/step.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { exitOf } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { withLive } from '../output/live-screen.ts';
import { colourState, type Output } from '../output/output.ts';
import {
  askForTrust,
  idOf,
  idsOf,
  refuseUse,
  unwrap,
  verb,
  type Verb,
} from '../terminal/verb-context.ts';
import { makeTally, unfoundIn, unfoundWords, waitsOf, withCause } from '../output/ending.ts';
import { keepWaits, type Waits } from '../output/group-waiting.ts';

interface StepFlags {
  readonly only: readonly string[];
  readonly parallel?: number;
  readonly dryRun?: boolean;
  readonly revertViolations?: boolean;
  readonly called?: boolean;
  readonly explain?: string;
}

interface RunFlags extends StepFlags {
  readonly tag?: readonly string[];
  readonly plan?: readonly string[];
  readonly agent?: readonly string[];
  readonly until?: string;
  /** Lines about calls that were printed before. */
  readonly said?: Set<string>;
}

export const runs = {
  step: verb(async (verb, flags: StepFlags, ids: readonly string[]) => {
    await askForTrust(verb, () => startsNow(verb.ws));
    await doStep(verb, withIds(flags, ids));
  }),
  run: verb(async (verb, flags: RunFlags, ids: readonly string[]) => {
    await askForTrust(verb, () => startsNow(verb.ws));
    await doRun(verb, withIds(flags, ids));
  }),
};

function withIds<F extends StepFlags>(flags: F, ids: readonly string[]): F {
  return { ...flags, only: [...flags.only, ...ids] };
}

function onlyThese(verb: Verb, typed: readonly string[]): readonly string[] {
  const ids = idsOf(verb, typed);
  for (const id of ids) unwrap(verb, findTask(verb.ws, id));
  return ids;
}

function stepOptions(flags: StepFlags, only: readonly string[]): StepOptions {
  return {
    ...(only.length === 0 ? {} : { only: new Set(only) }),
    parallel: flags.parallel,
    dry_run: flags.dryRun,
    revert_violations: flags.revertViolations,
    called: flags.called,
  };
}

export async function doStep(verb: Verb, flags: StepFlags): Promise<void> {
  if (flags.explain !== undefined) return doExplain(verb, idOf(verb, flags.explain));
  const only = onlyThese(verb, flags.only);
  const report = await interruptible((signal) =>
    withLive(verb, async ({ out }) => {
      const { emit, flush } = keepWaits(out);
      const ended = await stepOnce(verb.ws, { ...stepOptions(flags, only), signal, emit });
      flush();
      return ended;
    }),
  );
  if (flags.dryRun === true) printPlan(verb.out, report);
  const empty = report.plan.length === 0 && report.faulted.size === 0;
  if (empty) nothingThere(verb, flags, unfoundIn(report.events));
  verb.frame.code = exitOf(report.interrupted, report.faulted.size > 0, false);
}

async function doExplain(verb: Verb, id: string): Promise<void> {
  const { out } = verb;
  const { explain } = await import('../../engine/queries/explain.ts');
  const { facts, action, words, ...rest } = unwrap(verb, explain(verb.ws, id));
  out.data({ v: 1, event: 'explained', ...rest, facts, action, words });
  const ends =
    action.kind === 'wait' ? [['code', action.code] as const, ['fix', action.fix] as const] : [];
  const asked = facts.map(({ fact, answer }) => [fact.replaceAll('_', ' '), answer] as const);
  const rows = [...asked, ['', ''] as const, ['decision', words] as const, ...ends];
  const cells = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) {
    out.printWrapped(`${name.padEnd(cells)}  ${escapeText(value)}`.trimEnd());
  }
}

function nothingThere(verb: Verb, flags: StepFlags, unfound: number): void {
  if (flags.only.length > 0) {
    verb.out.print(
      `No live task named ${escapeText(flags.only.join(', '))}. See them all: contracts list`,
    );
  } else if (unfound > 0) {
    verb.out.print(`${unfoundWords(unfound)}.`);
  } else {
    verb.out.print('Nothing to do. Make a task: contracts new "What you want"');
    printIdle(verb);
  }
}

function printIdle({ ws, out }: Verb, busy?: boolean): void {
  for (const words of idleWords(ws, busy)) out.print(words);
}

function printPlan(out: Output, report: StepReport): void {
  for (const { id, action } of report.plan) {
    if (action.kind === 'wait') continue;
    out.data({ v: 1, event: 'planned', task: id, action });
    const what =
      action.kind === 'move'
        ? `${colourState(action.from)} → ${colourState(action.to)}`
        : action.kind === 'claim'
          ? action.work === 'work'
            ? 'is claimed and its agent called'
            : 'is reviewed'
          : action.kind;
    out.printWrapped(`${id}  would: ${what}  ${escapeText(action.reason)}`);
  }
}

export async function doRun(verb: Verb, flags: RunFlags): Promise<void> {
  const { ws } = verb;
  const only = onlyThese(verb, flags.only);
  const ids = only.length === 0 ? undefined : new Set(only);
  const given = (names?: readonly string[]) => (names?.length === 0 ? undefined : names);
  const query = { tags: given(flags.tag), plans: given(flags.plan), agents: given(flags.agent) };
  const narrowed = Object.values(query).some((names) => names !== undefined);
  if (narrowed) {
    const { unknownFilter } = await import('../output/unknown-filters.ts');
    const odd = unknownFilter(ws, query, listTasks(ws, query).tasks);
    if (odd !== undefined) refuseUse(verb, ...odd);
  }
  const wants = narrowed ? (task: TaskRead) => isAskedFor(ws, task, query) : undefined;
  const until = flags.until === undefined ? undefined : timeOf(verb, flags.until);
  const since_ms = ws.machine.now().getTime();
  const tally = makeTally(ws.elapsed_ms, (ids) => accountSince(ws, since_ms, ids));
  const report = await interruptible((signal) =>
    withLive(verb, ({ out }) => {
      const others = otherRunners(out);
      const announce = announcer(verb.ws, out, flags.said, () => {
        return called(listTasks(ws, { ...query, ids }).tasks);
      });
      const emit = (event: Event): void => {
        announce(event);
        tally.event(event);
        if (event.event !== 'waits' || out.json || event.on === 'time') out.event(event);
        else if (['agent', 'slot'].includes(event.on) && !signal.aborted) others(event);
      };
      return runAll(ws, { ...stepOptions(flags, only), wants, until, signal, emit });
    }),
  );
  if (report.gave_up_on !== undefined) {
    verb.out.print(
      `Stopped: the adapter ${report.gave_up_on} failed 5 times in a row. See the last output.log.`,
    );
  }
  // After Ctrl-C the last step is old: a person may have answered since then.
  const now = report.interrupted
    ? waitsOf(listTasks(ws, { ...query, quick: true }).tasks)
    : report.waiting;
  const named = only.length > 0 || narrowed;
  const all = named ? listTasks(ws, { quick: true }).tasks : [];
  const mine = now.filter(({ task }) => only.length === 0 || only.includes(task));
  const waiting = named ? mine.map((one) => withCause(one, all)) : mine;
  const isElsewhere = ({ id }: ListedTask): boolean =>
    mine.every(({ task }) => task !== id) && !report.faulted.has(id);
  const isCalm = tally.end(verb.out, {
    waiting,
    named,
    faults: report.faulted.size,
    stopped: report.interrupted,
    unmerged: unmergedDone(ws).filter((id) => only.length === 0 || only.includes(id)).length,
    others: all.filter((task) => isYours(task) && isElsewhere(task)).length,
  });
  const faulted = report.faulted.size > 0 || report.gave_up_on !== undefined;
  if (only.length === 0 && !report.interrupted) printIdle(verb, named || faulted || !isCalm);
  verb.frame.code = exitOf(report.interrupted, faulted, !isCalm);
}

/** The next time that a clock shows this. */
function timeOf(verb: Verb, words: string): Until {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(words) ?? [];
  if (minutes === undefined) {
    refuseUse(verb, '--until takes a time of day', 'Write it as 07:00', words);
  }
  const now_ms = verb.ws.machine.now().getTime();
  const at = new Date(now_ms);
  at.setHours(Number(hours), Number(minutes), 0, 0);
  if (at.getTime() <= now_ms) at.setDate(at.getDate() + 1);
  return { ms: at.getTime(), words };
}

/** Prints before a model is called for the first time who works, who reviews and what limits it, of all tasks. */
function announcer(
  ws: Workspace,
  out: Output,
  said = new Set<string>(),
  tasks: () => readonly ListedTask[],
): (event: Event) => void {
  let isFirst = true;
  return (event) => {
    const begins = event.event === 'moved' && event.to === 'in_progress';
    if (out.json || !(begins || event.event === 'called')) return;
    if (roundWords(ws, event.task) === undefined) return;
    const others = isFirst ? tasks().map(({ id }) => id) : [];
    isFirst = false;
    for (const line of roundLines(ws, [event.task, ...others], said)) {
      out.printWrapped(escapeText(line));
    }
  };
}

/** Picks the tasks that a run calls, now or after others. */
function called(tasks: readonly ListedTask[]): readonly ListedTask[] {
  return tasks.filter(
    ({ waits_for: on, code }) =>
      code === 'client_fault' || !['person', 'host', 'nobody'].includes(on),
  );
}

/** Said once, at once: what other runners work on. */
function otherRunners(out: Output): (event: Waits) => void {
  let told = false;
  return (event) => {
    if (event.code !== 'running') return out.event(event);
    if (!told) {
      out.printWrapped(
        `Another runner works on ${event.task}. This one takes what else is ready, and waits for it.`,
      );
    }
    told = true;
  };
}

/** True if a run would act on a task, now or after others. */
export function isRunDue(ws: Workspace): boolean {
  return called(listTasks(ws).tasks).length > 0;
}

/**
 * Goes on after words of a person: a run where `wants` is true or a person says so, else the next command. A workspace
 * with a mistake in its settings is refused by the run itself.
 */
export async function runNow(
  verb: Verb,
  wants: boolean | undefined,
  next = 'contracts run',
  more: Partial<RunFlags> = {},
) {
  const { out, frame, line } = verb;
  const said = new Set<string>();
  if (next === 'contracts run' && wants !== true && !isRunDue(verb.ws))
    return out.print('Next: contracts status');
  const goes = wants === true || (next === 'contracts run' && (await asksToRun(verb, said)));
  if (!goes) return out.print(`Next: ${next}`);
  const { json, dir } = line;
  await runs.run(frame, {
    given: [[]],
    flags: { only: [], said, ...more },
    words: [],
    json,
    dir,
    starts: true,
  });
}

/** At a terminal alone, below what the first call of a model would be. */
async function asksToRun({ ws, out, ask }: Verb, said: Set<string>): Promise<boolean> {
  if (ask === undefined) return false;
  const { tasks } = listTasks(ws);
  const due = tasks.filter(
    ({ waits_for: on, code }) => on === 'nothing' || on === 'step' || code === 'client_fault',
  );
  const paidIn = (several: readonly ListedTask[]): readonly string[] =>
    several.flatMap(({ id }) => (roundWords(ws, id) === undefined ? [] : [id]));
  const calls = paidIn(due.filter(({ id }) => isCallDue(ws, id)));
  for (const line of roundLines(ws, calls, said)) out.printWrapped(escapeText(line));
  const later = paidIn(called(tasks).filter((one) => !due.includes(one)));
  const lines = roundLines(ws, later, said);
  if (lines.length > 0) out.print('Of those that wait for others, once they may:');
  for (const line of lines) out.printWrapped(escapeText(line));
  const others = calls.length > 1 ? ` ${calls.length} tasks are due.` : '';
  // What was written before stays, so a question that is left is a no.
  return ask.yes(`Run now?${others}`).catch((error: unknown) => {
    if (error instanceof Cancelled) return false;
    throw error;
  });
}
