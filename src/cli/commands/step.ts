/** step, run, recover: the verbs that make things move, and how they end. */
import type { Event } from '../../task/core/lines/event.ts';
import { explain } from '../../engine/queries/explain.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { idleWords } from '../../workspace/tasks/capability.ts';
import { run as runAll } from '../../engine/step/run.ts';
import {
  step as stepOnce,
  type StepOptions,
  type StepReport,
} from '../../engine/step/cached-step.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { withLive } from '../output/live-screen.ts';
import { colourState, type Output } from '../output/output.ts';
import { Misread } from '../terminal/command-shape.ts';
import { asked, bare, idOf, idsOf, open, trustOf, unwrap, verb } from '../terminal/verb-context.ts';
import type { Place, Verb } from '../terminal/verb-context.ts';
import { keepWaits } from '../output/group-waiting.ts';

interface StepFlags {
  readonly only: readonly string[];
  readonly parallel?: number;
  readonly dryRun?: boolean;
  readonly revertViolations?: boolean;
  readonly called?: boolean;
  readonly explain?: string;
}

export const runs = {
  step: verb(doStep, (place) => noTasks(place, 'step')),
  run: verb(doRun, (place) => noTasks(place, 'run')),
  recover: bare(async (place, flags: { host: readonly string[] }) => {
    const opened = open(place, { dead_hosts: flags.host, ...trustOf(place.line) });
    await asked(opened);
    await doStep(opened, { only: [] });
  }),
};

/** A word that was meant as a task: it is said how that is named. */
function noTasks({ line }: Place, name: string): void {
  const [id] = line.words;
  if (id === undefined) return;
  throw new Misread(
    `error: too many arguments for '${name}'.\nGive it: contracts ${name} --only ${id}`,
    'commander.excessArguments',
  );
}

/** Refuses what names a task that does not exist or cannot be told. */
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
      const waits = keepWaits(out, { first_at_once: true });
      const ended = await stepOnce(verb.ws, {
        ...stepOptions(flags, only),
        signal,
        emit: waits.emit,
      });
      waits.flush();
      return ended;
    }),
  );
  if (flags.dryRun === true) sayPlan(verb.out, report);
  const empty = report.plan.length === 0 && report.faulted.size === 0;
  if (empty && report.quiet !== true) nothingThere(verb, flags);
  verb.frame.code = codeOf(report.interrupted, report.faulted.size > 0, false);
}

function doExplain(verb: Verb, id: string): void {
  const { out } = verb;
  const { facts, action, words, ...rest } = unwrap(verb, explain(verb.ws, id));
  out.data({ v: 1, event: 'explained', ...rest, facts, action, words });
  const ends =
    action.kind === 'wait' ? [['code', action.code] as const, ['fix', action.fix] as const] : [];
  const asked = facts.map(({ fact, answer }) => [fact.replaceAll('_', ' '), answer] as const);
  const rows = [...asked, ['', ''] as const, ['decision', words] as const, ...ends];
  const cells = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) {
    out.tell(`${name.padEnd(cells)}  ${escapeText(value)}`.trimEnd());
  }
}

function codeOf(interrupted: boolean, faulted: boolean, people: boolean): number {
  if (interrupted) return EXIT.interrupted;
  if (faulted) return EXIT.fault;
  return people ? EXIT.people : EXIT.fine;
}

function nothingThere(verb: Verb, flags: StepFlags): void {
  if (flags.only.length > 0) {
    verb.out.say(
      `No live task named ${escapeText(flags.only.join(', '))}. See them all: contracts list`,
    );
  } else {
    verb.out.say('Nothing to do. Make a task: contracts new "What you want"');
    sayIdle(verb);
  }
}

function sayIdle({ ws, out }: Verb): void {
  for (const words of idleWords(ws)) out.say(words);
}

function sayPlan(out: Output, report: StepReport): void {
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
    out.tell(`${id}  would: ${what}  ${escapeText(action.reason)}`);
  }
}

async function doRun(verb: Verb, flags: StepFlags): Promise<void> {
  const only = onlyThese(verb, flags.only);
  const counts = new Map<string, number>();
  const report = await interruptible((signal) =>
    withLive(verb, async ({ out }) => {
      const waits = keepWaits(out);
      const emit = (event: Event): void => {
        if (event.event === 'moved') counts.set(event.to, (counts.get(event.to) ?? 0) + 1);
        waits.emit(event);
      };
      const ended = await runAll(verb.ws, { ...stepOptions(flags, only), signal, emit });
      waits.flush();
      return ended;
    }),
  );
  if (report.gave_up_on !== undefined) {
    verb.out.say(
      `Stopped: the adapter ${report.gave_up_on} failed 5 times in a row. See the last output.log.`,
    );
  }
  const people = report.waiting.filter((event) => event.on === 'person' || event.on === 'host');
  if (!report.interrupted) {
    verb.out.say(closing(counts.get('done') ?? 0, people.length, report.faulted.size));
    if (only.length === 0 && people.length + report.faulted.size === 0) sayIdle(verb);
  }
  const faulted = report.faulted.size > 0 || report.gave_up_on !== undefined;
  verb.frame.code = codeOf(report.interrupted, faulted, people.length > 0);
}

function closing(done: number, people: number, faults: number): string {
  const waits = `${people === 1 ? '1 task waits' : `${people} tasks wait`} for a person.`;
  const met = `${faults === 1 ? '1 fault' : `${faults} faults`} met; see above.`;
  return [
    `${done === 1 ? '1 task' : `${done} tasks`} done.`,
    ...(faults > 0 ? [met] : []),
    ...(people > 0 ? [waits] : faults > 0 ? [] : ['Nothing waits for a person.']),
  ].join(' ');
}
