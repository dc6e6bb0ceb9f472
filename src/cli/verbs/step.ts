/** step, run, recover: the verbs that make things move, and how they end. */
import { InvalidArgumentError, type Command } from 'commander';
import type { Event } from '../../core/event.ts';
import { findTask } from '../../engine/verbs/find-task.ts';
import { unstartedWords } from '../../engine/verbs/plan-unstarted.ts';
import { run as runAll } from '../../engine/verbs/run.ts';
import { step as stepOnce, type StepOptions, type StepReport } from '../../engine/step.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { interruptible } from '../interruptible.ts';
import { withLive } from '../live-screen.ts';
import { colourState, type Output } from '../output.ts';
import { collectValues, example, idsOf, open, unwrap, type Verb } from '../verb.ts';
import { keepWaits } from '../waits.ts';

interface StepFlags {
  readonly only: string[];
  readonly parallel?: number;
  readonly dryRun?: boolean;
  readonly revertViolations?: boolean;
  readonly called?: boolean;
}

export function step(command: Command, frame: Frame): void {
  stepFlags(command)
    .option('-n, --dry-run', 'print the plan and change nothing')
    .addHelpText('after', example('contracts step --dry-run\ncontracts step --only ID'))
    .action(async (flags: StepFlags, self: Command) => {
      noTasks(self);
      const verb = open(frame, self);
      if (verb !== undefined) await doStep(verb, flags);
    });
}

export function run(command: Command, frame: Frame): void {
  stepFlags(command)
    .addHelpText('after', example('contracts run --parallel 4'))
    .action(async (flags: StepFlags, self: Command) => {
      noTasks(self);
      const verb = open(frame, self);
      if (verb !== undefined) await doRun(verb, flags);
    });
}

export function recover(command: Command, frame: Frame): void {
  command
    .requiredOption(
      '--host <name>',
      'its host name, as in owner.md; may be repeated',
      collectValues,
    )
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts recover --host old-laptop'))
    .action(async (flags: { host: string[] }, self: Command) => {
      const verb = open(frame, self, { dead_hosts: flags.host });
      if (verb !== undefined) await doStep(verb, { only: [] });
    });
}

/** A word that was meant as a task: it is said how that is named. */
function noTasks(self: Command): void {
  const [id] = self.args ?? [];
  if (id === undefined) return;
  const message = `error: too many arguments for '${self.name()}'.\nGive it: contracts ${self.name()} --only ${id}`;
  self.error(message, { code: 'commander.excessArguments', exitCode: EXIT.usage });
}

function stepFlags(command: Command): Command {
  return command
    .allowExcessArguments()
    .option('--only <id>', 'act on this task alone; may be repeated', collectValues, [])
    .option('-p, --parallel <n>', 'agents at once', positive)
    .option(
      '--revert-violations',
      'take back what an agent provably did beyond its authority; what is only noticed is left',
    )
    .option('--json', 'one JSON value a line');
}

export function positive(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1 || n > 64)
    throw new InvalidArgumentError('Give a number from 1 to 64.');
  return n;
}

/** undefined, and said, when `--only` names a task that does not exist or cannot be told. */
function onlyThese(verb: Verb, typed: readonly string[]): readonly string[] | undefined {
  const ids = idsOf(verb, typed);
  const known = ids?.every((id) => unwrap(verb, findTask(verb.ws, id)) !== undefined);
  return known === true ? ids : undefined;
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
  const only = onlyThese(verb, flags.only);
  if (only === undefined) return;
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
  verb.frame.code = report.interrupted
    ? EXIT.interrupted
    : report.faulted.size > 0
      ? EXIT.fault
      : EXIT.fine;
}

function nothingThere(verb: Verb, flags: StepFlags): void {
  if (flags.only.length > 0) {
    verb.out.say(
      `No live task named ${escapeText(flags.only.join(', '))}. See them all: contracts list`,
    );
  } else {
    verb.out.say('Nothing to do. Make a task: contracts new "What you want"');
    sayUnstarted(verb);
  }
}

function sayUnstarted({ ws, out }: Verb): void {
  const words = unstartedWords(ws);
  if (words !== undefined) out.say(words);
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
  if (only === undefined) return;
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
    if (only.length === 0 && people.length + report.faulted.size === 0) sayUnstarted(verb);
  }
  verb.frame.code = report.interrupted
    ? EXIT.interrupted
    : report.faulted.size > 0 || report.gave_up_on !== undefined
      ? EXIT.fault
      : people.length > 0
        ? EXIT.people
        : EXIT.fine;
}

function closing(done: number, people: number, faults: number): string {
  const waits = `${people === 1 ? '1 task waits' : `${people} tasks wait`} for a person.`;
  const met = `${faults === 1 ? '1 fault' : `${faults} faults`} met; see above.`;
  return [
    `${done === 1 ? '1 task' : `${done} tasks`} done.`,
    ...(faults > 0 ? [met] : []),
    ...(people > 0 ? [waits] : faults > 0 ? [] : ['Nobody is waited for.']),
  ].join(' ');
}
