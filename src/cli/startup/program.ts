/** Runs the verb that the arguments name and returns the exit code; never exits by itself. */
import { Command, CommanderError, type Option } from 'commander';
import { CAPABILITIES } from '../../capabilities.ts';
import { faultEvent, isFault } from '../../engine/attempt/fault-event.ts';
import type { Ports } from '../../workspace/open/workspace.ts';
import { Cancelled } from '../terminal/ask.ts';
import { EXIT, type Frame } from '../terminal/frame.ts';
import { screenOf, wrap } from '../output/text-width.ts';
import { makeOutput } from '../output/output.ts';
import { processStreams, type Streams } from '../streams/streams.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { runPlain } from './plain-line.ts';
import { DIR, flagsOf, innerVerbs, Misread, parserOf, runVerb } from '../terminal/command-shape.ts';
import type { Parse } from '../terminal/command-shape.ts';
import type { Flag, Line, VerbEntry } from '../../workspace/tasks/verb.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { effectsOf, verbsOf } from './verbs.ts';
import { packageVersion } from '../../workspace/open/package-version.ts';
import { isBare, verbAt, verbFirst, wantedWord } from './verb-of-args.ts';

export async function main(
  argv: readonly string[],
  streams: Streams = processStreams,
  ports: Partial<Ports> = {},
): Promise<number> {
  const verbs = verbsOf(CAPABILITIES);
  const wanted = wantedVerb(verbs, argv);
  const reads = wanted !== undefined && onlyReads(wanted, argv);
  const frame: Frame = {
    streams,
    ports,
    capabilities: CAPABILITIES,
    effects: () => effectsOf(CAPABILITIES),
    after: async (ws) => (await import('./after-verb.ts')).afterVerb(ws),
    again: (line, shown) => main(line, shown, ports),
    reads,
    code: EXIT.fine,
  };
  try {
    if (wanted?.topic === true) {
      const line = argv.filter((one) => one !== 'help' && one !== wanted.name);
      if (await runPlain(wanted, frame, line)) return frame.code;
      return await runCommander(frame, verbs, wanted, [wanted.name, ...line]);
    }
    if (wanted?.heading === '') {
      const none = { given: [], flags: {}, json: false, dir: undefined, starts: false };
      const helps = /^(?:-h|--help)$/.test(argv[2] ?? '');
      const named = innerVerbs(wanted).find(({ name }) => name === argv.slice(0, 2).join(' '));
      const inner = helps ? undefined : named;
      const words = argv.slice(helps || inner ? 2 : 1);
      await runVerb(inner ?? wanted, frame, { ...none, words });
      return frame.code;
    }
    const [verb, ...words] = verbFirst(argv);
    const inside = reads ? undefined : await refused(wanted, argv, ports);
    if (inside) {
      makeOutput(streams, wantsJson(argv)).problem(inside);
      return EXIT.usage;
    }
    const status = isBare(argv) ? verbs.find(({ name }) => name === 'status') : undefined;
    const here = status && { ...status, name: 'status here' };
    if (here !== undefined && (await runPlain(here, frame, argv))) return frame.code;
    const plain = wanted !== undefined && verb === wanted.name;
    if (plain && (await runPlain(wanted, frame, words))) return frame.code;
    return await runCommander(frame, verbs, wanted, argv);
  } catch (error) {
    if (error instanceof Cancelled || (error instanceof Error && error.name === 'AbortError')) {
      frame.streams.err(
        `${(error instanceof Cancelled ? error : new Cancelled('interrupt')).message}\n`,
      );
      return EXIT.interrupted;
    }
    return failed(frame, argv.includes('--json'), error);
  }
}

/** The verb that these arguments name, also after `help`. */
function wantedVerb(verbs: readonly VerbEntry[], argv: readonly string[]): VerbEntry | undefined {
  const name = wantedWord(argv);
  const isHelp = argv[verbAt(argv)] === 'help';
  return verbs.find(
    (one) =>
      one.name === name && (one.topic === true ? isHelp : one.heading !== '' || argv[0] === name),
  );
}

/** Flags with which a verb that reads writes, or starts programs. */
const WRITES: ReadonlySet<string> = new Set('--fix --recover --report --rerun --write'.split(' '));

function onlyReads({ below = {}, effect }: VerbEntry, argv: readonly string[]): boolean {
  const helps = argv[0] === 'help' || argv.includes('--help') || argv.includes('-h');
  const inner = below[wordBelow(argv)];
  const does = inner?.starts === true ? inner.effect : (inner?.effect ?? effect);
  return helps || (does === 'reads' && !argv.some((one) => WRITES.has(one.replace(/=.*/s, ''))));
}

function wordBelow(argv: readonly string[]): string {
  return wantedWord(verbFirst(argv).slice(1)) ?? '';
}

/** An agent cannot decide what is reserved for people. */
async function refused(
  wanted: VerbEntry | undefined,
  argv: readonly string[],
  { env }: Partial<Ports>,
): Promise<Problem | undefined> {
  if (wanted === undefined) return undefined;
  const { refusedInside } = await import('./attempt-guard.ts');
  const { name, below, arguments: [first] = [] } = wanted;
  const whole = below === undefined ? name : `${name} ${wordBelow(argv)}`.trimEnd();
  return refusedInside(whole, argv, { env, makesFolder: first?.[0] === '[folder]' });
}

/** Help, suggestions, mistakes, and all forms in which a flag can be written. */
async function runCommander(
  frame: Frame,
  verbs: readonly VerbEntry[],
  wanted: VerbEntry | undefined,
  argv: readonly string[],
): Promise<number> {
  const said: string[] = [];
  const program = makeProgram(frame, verbs, wanted, argv, said);
  try {
    await program.parseAsync(meant(argv, wanted), { from: 'user' });
    return frame.code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.fine;
    const { guessed, misuse } = await import('./misread.ts');
    for (const text of said) frame.streams.err(escapeText(guessed(text, wanted, verbs), LINES));
    if (wantsJson(argv)) makeOutput(frame.streams, true).problem(misuse(error, wanted, verbs));
    return EXIT.usage;
  }
}

const LINES = { multiline: true };

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--json');
}

/** Help for a misspelt verb is answered as the verb is: with the one that was meant. */
function meant(argv: readonly string[], wanted: VerbEntry | undefined): string[] {
  const at = argv.indexOf('help');
  const inner = at === verbAt(argv) && wanted?.below?.[argv[at + 2] ?? ''] !== undefined;
  if (inner) return [...argv.toSpliced(at, 1), '--help'];
  const misspelt = wanted === undefined && wantedWord(argv) !== undefined;
  const isDir = (one: string | undefined): boolean => one === '-C' || one === '--dir';
  const nothing = argv.every((one, i) => isDir(one) || isDir(argv[i - 1]));
  if (nothing || (wantedWord(argv) === undefined && argv.includes('--all'))) return ['--help'];
  const helps = (one: string): boolean => one === '--help' || one === '-h';
  const typed = misspelt ? argv.filter((one) => !helps(one)) : [...argv];
  return misspelt && at >= 0 ? typed.toSpliced(typed.indexOf('help'), 1) : typed;
}

/** The help without a verb names these alone. */
const FIRST = new Set(
  'init do new run status list show review answer approve retry doctor'.split(' '),
);

function failed(frame: Frame, json: boolean, error: unknown): number {
  if (isFault(error)) {
    const event = faultEvent(undefined, error);
    if (json) makeOutput(frame.streams, true).event(event);
    else if (event.event === 'fault')
      frame.streams.err(
        `${wrap(`fault: ${escapeText(event.reason)}. ${escapeText(event.fix)}`, screenOf(frame.streams).limit, 4).join('\n')}\n`,
      );
    return EXIT.fault;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  frame.streams.err(
    `This is a bug of contracts, not of your files. Please report it.\n${escapeText(text, { multiline: true })}\n`,
  );
  return EXIT.bug;
}

function describeOption(option: Option): string {
  const { description, defaultValue: value } = option;
  return typeof value === 'number' ? `${description} (default: ${value})` : description;
}

/** Only the wanted verb can be called; the others are there for help and suggestions, where these can come. */
function makeProgram(
  frame: Frame,
  verbs: readonly VerbEntry[],
  wanted: VerbEntry | undefined,
  argv: readonly string[],
  said: string[],
): Command {
  const alone = wanted !== undefined && argv[0] === wanted.name;
  // Where a word is misspelt, all are there to be meant.
  const few = wantedWord(argv) === undefined && !argv.includes('--all');
  const program = new Command('contracts')
    .description('Work for agents as folders that anyone can read.')
    .version(packageVersion(), '-V, --version')
    .option(DIR[0], DIR[1])
    .exitOverride()
    .configureOutput({
      writeOut: (text) => frame.streams.out(text),
      getOutHelpWidth: () => screenOf(frame.streams).cells,
      // Nothing coloured goes through it, and a look would make Node's streams.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getErrHelpWidth: () => screenOf(frame.streams).cells,
      // It quotes arguments, and these may come from anywhere: kept until it has ended.
      writeErr: (text) => void said.push(text),
    })
    .configureHelp({ minWidthToWrap: 20, optionDescription: describeOption })
    .commandsGroup(few ? 'Commands:' : 'Look after:')
    .helpCommand(
      'help [verb]',
      few ? 'more about one; --all: all commands' : 'more about one, or: help states',
    )
    .showSuggestionAfterError()
    .showHelpAfterError('See: contracts --help')
    .addHelpText(
      'after',
      `
A first walk:
  contracts init
  contracts do "Say hello" --run "test -s hello.txt" --sh "echo hello > hello.txt"
  contracts status

At a terminal, contracts alone opens a live board; ? shows its keys.`,
    );
  for (const entry of verbs) {
    if ((entry.heading === '' || alone) && entry !== wanted) continue;
    const { name, summary, heading } = entry;
    const hidden = few && !FIRST.has(name);
    const group = few ? 'Commands:' : heading;
    const command = program.command(name, { hidden }).description(summary).helpGroup(group);
    command.showHelpAfterError(`See: contracts ${name} --help`);
    if (entry === wanted) declare(command, entry, frame);
  }
  return program;
}

export function declare(command: Command, verb: VerbEntry, frame: Frame): void {
  for (const [name, about, choices] of verb.arguments ?? []) {
    const argument = command.createArgument(name, about);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const flag of verb.required ?? []) command.requiredOption(...optionOf(flag));
  for (const flag of flagsOf(verb)) {
    command.option(...optionOf(flag));
    if (flag[2]?.hidden === true) command.options.at(-1)?.hideHelp();
  }
  const lines = verb.example.split('\n').map((line) => `\n  ${line}`);
  command.addHelpText('after', `${verb.help ?? ''}\nExample:${lines.join('')}`);
  command.helpCommand(false);
  for (const one of innerVerbs(verb)) {
    const [name = ''] = one.name.split(' ').slice(-1);
    declare(command.command(name).description(one.summary), one, frame);
  }
  if (verb.onlyBelow === true) return;
  // Only now, or those below it would take them too.
  if (verb.loose === true || verb.below !== undefined) command.allowExcessArguments();
  command.action((...all: unknown[]) => run(verb, frame, command, all.slice(0, -2)));
}

function optionOf(flag: Flag): [names: string, about: string, parse: Parse, preset: unknown] {
  const [names, about, value] = flag;
  return [names, about, parserOf(flag) as Parse, value?.preset];
}

async function run(verb: VerbEntry, frame: Frame, command: Command, given: readonly unknown[]) {
  const { json = false, dir } = command.optsWithGlobals<{ json?: boolean; dir?: string }>();
  const starts = verb.starts === true;
  const line: Line = { given, flags: command.opts(), words: command.args, json, dir, starts };
  try {
    if (verb.below !== undefined) noneBelow(line);
    await runVerb(verb, frame, line);
  } catch (error) {
    if (!(error instanceof Misread)) throw error;
    command.error(error.message, { code: error.code, exitCode: EXIT.usage });
  }
}

/** A verb that does something alone and has verbs below it takes no other word. */
function noneBelow({ words: [word] }: Line): void {
  if (word === undefined) return;
  throw new Misread(`error: unknown command '${word}'`, 'commander.unknownCommand');
}
