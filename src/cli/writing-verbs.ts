/** init, new, confirm, answer, approve, needs-work, reject, resolve, abort, retry, reopen, note. */
import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { VERDICTS } from '../core/documents.ts';
import { problem, refused, type Result } from '../core/problem.ts';
import { createFromText, createTask, type Created } from '../engine/verbs/create.ts';
import { init } from '../engine/verbs/init.ts';
import { moveByVerb, type MoveVerb } from '../engine/verbs/moves.ts';
import {
  addNote,
  answer,
  giveVerdict,
  resolveBlocked,
  type Written,
} from '../engine/verbs/words.ts';
import { realPorts } from '../engine/workspace.ts';
import { errorCode, type Disk } from '../store/disk.ts';
import { TEXT_BYTES_MAX } from '../store/layout.ts';
import { decodeText } from '../text/front-matter.ts';
import { colourState, makeOutput } from './output.ts';
import { EXIT, type Frame } from './frame.ts';
import { collectValues, example, misused, open, refuse, unwrap, type Verb } from './verb.ts';

export function addWritingVerbs(program: Command, frame: Frame): void {
  addInit(program, frame);
  addNew(program, frame);
  addMoves(program, frame);
  addWords(program, frame);
  addVerdicts(program, frame);
}

function addInit(program: Command, frame: Frame): void {
  program
    .command('init')
    .argument('[folder]', 'where; the working directory when left out')
    .description('make the folders; never overwrites')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts init'))
    .action((folder: string | undefined, _flags: unknown, command: Command) => {
      const options = command.optsWithGlobals<{ json?: boolean; dir?: string }>();
      const out = makeOutput(frame.streams, options.json === true);
      const { disk } = { ...realPorts(), ...frame.ports };
      const place = resolve(folder ?? options.dir ?? '.');
      makeFolder(disk, place);
      const made = init(disk, place);
      out.data({ v: 1, event: 'initialised', ...made });
      if (made.made.length === 0) {
        out.say('Everything is there already; nothing was changed.');
        return;
      }
      for (const path of made.made.filter((one) => !one.endsWith('.gitkeep')))
        out.say(`made ${path}`);
      out.say('');
      out.say('Commit active_tasks/ with your project if you like; desks and logs are left out.');
      out.say('Next: contracts new "What you want" --adapter human, or --sh "commands"');
    });
}

/** With the folders above it, one by one. */
function makeFolder(disk: Disk, path: string): void {
  if (disk.stat(path) !== undefined || dirname(path) === path) return;
  makeFolder(disk, dirname(path));
  try {
    disk.mkdir(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

interface NewFlags {
  readonly from?: string;
  readonly id?: string;
  readonly objective?: string;
  readonly criterion: string[];
  readonly run: string[];
  readonly deliverable: string[];
  readonly dependsOn: string[];
  readonly contextFile: string[];
  readonly gate: string[];
  readonly agent?: string;
  readonly adapter?: string;
  readonly type?: string;
  readonly workflow?: string;
  readonly priority?: string;
  readonly timeout?: string;
  readonly sh?: string;
}

function addNew(program: Command, frame: Frame): void {
  const list = (command: Command, flags: string, text: string): Command =>
    command.option(flags, text, collectValues, []);
  const command = program
    .command('new')
    .argument('[title]', 'what you want, in one line')
    .description('write a contract into draft/ and print its path')
    .option('--from <file>', 'take the contract from this Markdown file')
    .option('--id <id>', 'choose the id yourself')
    .option('--objective <text>', 'more than the title says')
    .option('--agent <name>', 'who executes it')
    .option(
      '--adapter <name>',
      'how the agent is called: shell, human, host, or one of the configuration',
    )
    .option('--type <type>', 'task, story, campaign, case, project, …')
    .option('--workflow <name>', 'first part of the id')
    .option('--priority <word>', 'critical, high, medium or low')
    .option('--timeout <duration>', 'for one call, such as 90s or 10m')
    .option('--sh <commands>', 'a script for the shell adapter, put under ## Steps')
    .option('--json', 'one JSON value a line');
  list(command, '--criterion <text>', 'a success criterion; may be repeated');
  list(command, '--run <command>', 'a check that the runner runs; may be repeated');
  list(command, '--deliverable <path>', 'a file that must be there at the end; may be repeated');
  list(command, '--depends-on <id>', 'may be repeated');
  list(command, '--context-file <path>', 'may be repeated');
  list(command, '--gate <agent>', 'who must approve, or person; may be repeated');
  command
    .addHelpText(
      'after',
      example(
        'contracts new "Say hello" --run "test -s hello.txt" --sh "echo hello > hello.txt"\ncontracts new --from login.md',
      ),
    )
    .action((title: string | undefined, flags: NewFlags, self: Command) => {
      const verb = open(frame, self);
      if (verb !== undefined) doNew(verb, title, flags);
    });
}

/** A file or a pipe, up to the size of a contract: /dev/zero must not be read to its end. */
function readGiven(file: string): Result<string> {
  const bytes = Buffer.alloc(TEXT_BYTES_MAX + 1);
  let at = 0;
  const fd = openSync(file, 'r');
  try {
    for (let got = 1; got > 0 && at < bytes.length; at += got) {
      got = readSync(fd, bytes, at, bytes.length - at, null);
    }
  } finally {
    closeSync(fd);
  }
  if (at <= TEXT_BYTES_MAX) return decodeText(bytes.subarray(0, at), file);
  return refused([
    problem({
      code: 'too_large',
      file,
      message: 'too large for a contract',
      expected: `at most ${TEXT_BYTES_MAX / 1024} KiB`,
      fix: 'Write less, and name the rest as context files',
    }),
  ]);
}

const NO_FILE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
};

function readIfThere(file: string): Result<string> {
  try {
    return readGiven(file);
  } catch (error) {
    const why = NO_FILE[errorCode(error) ?? ''];
    if (why === undefined) throw error;
    const fix = 'Name a file that is there, or give a title: contracts new "What you want"';
    return refused([misused(why, fix, file)]);
  }
}

function doNew(verb: Verb, title: string | undefined, flags: NewFlags): void {
  const said = title !== undefined && title.trim() !== '';
  if (said === (flags.from !== undefined)) {
    const message = said ? 'a title and --from exclude each other' : 'there is nothing to write';
    const fix = 'Give a title, or --from FILE: contracts new "What you want"';
    return refuse(verb.frame, verb.out, [misused(message, fix)]);
  }
  if (flags.from !== undefined) {
    const read = unwrap(verb, readIfThere(flags.from));
    if (read !== undefined) created(verb, createFromText(verb.ws, read, flags.from, flags.id));
    return;
  }
  const named = flags.run.map((command) => `\`${command}\` passes`);
  const files = flags.deliverable.map((path) => `\`${path}\` is there`);
  const criteria = flags.criterion.length > 0 ? flags.criterion : [...named, ...files];
  created(
    verb,
    createTask(verb.ws, {
      title: title ?? '',
      objective: flags.objective,
      criteria,
      steps: flags.sh,
      id: flags.id,
      head: headOf(flags),
    }),
  );
}

function headOf(flags: NewFlags): Record<string, unknown> {
  const verify = [
    ...flags.run.map((command) => `run: ${command}`),
    ...flags.deliverable.map((path) => `file_exists: ${path}`),
  ];
  const entries: [string, unknown][] = [
    ['type', flags.type],
    ['agent', flags.agent],
    ['workflow', flags.workflow],
    ['priority', flags.priority],
    ['depends_on', flags.dependsOn],
    ['context_files', flags.contextFile],
    ['deliverables', flags.deliverable],
    ['verify', verify],
    ['quality_gate', flags.gate],
    ['timeout', flags.timeout],
    ['adapter', flags.adapter],
  ];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function created(verb: Verb, result: ReturnType<typeof createTask>): void {
  const made: Created | undefined = unwrap(verb, result);
  if (made === undefined) return;
  verb.out.data({ v: 1, event: 'created', ...made });
  verb.out.say(made.file);
  if (verb.out.json) return;
  for (const problem of made.problems) verb.out.problem(problem);
  if (made.person_is_gate) {
    verb.frame.streams.err(
      'It asks for no check that the runner can run, so a person is the gate.\n',
    );
  }
  const doomed = made.problems.some((one) => one.severity === 'error');
  const first = doomed ? `correct ${made.file}, then ` : '';
  verb.frame.streams.err(`Next: ${first}contracts confirm ${made.id}\n`);
}

const MOVE_HELP: Readonly<Record<MoveVerb, string>> = {
  confirm: 'a draft may be worked on: draft → ready',
  abort: 'stop working on it: anything → aborted; a running agent is stopped',
  reopen: 'take it up again: done or aborted → ready',
  retry: 'try again without a word: blocked → ready',
};

function addMoves(program: Command, frame: Frame): void {
  for (const name of Object.keys(MOVE_HELP) as MoveVerb[]) {
    program
      .command(name)
      .argument('<id...>')
      .description(MOVE_HELP[name])
      .option('--json', 'one JSON value a line')
      .addHelpText('after', example(`contracts ${name} ID`))
      .action((ids: string[], _flags: unknown, command: Command) => {
        const verb = open(frame, command);
        if (verb === undefined) return;
        for (const id of ids) {
          const moved = unwrap(verb, moveByVerb(verb.ws, name, id));
          if (moved === undefined) continue;
          verb.out.data({ v: 1, event: 'moved', task: id, trigger: name, ...moved });
          verb.out.say(`${id}  ${colourState(moved.from)} → ${colourState(moved.to)}`);
          for (const problem of moved.problems) verb.out.problem(problem);
        }
        if (frame.code === EXIT.fine && name !== 'abort') verb.out.say('Next: contracts run');
      });
  }
}

function addWords(program: Command, frame: Frame): void {
  program
    .command('answer')
    .argument('<id>')
    .argument('<text>')
    .description('answer a question of the agent')
    .option('-q, --question <n>', 'which one; the first open one when left out', Number)
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts answer ID "Use PostgreSQL"'))
    .action((id: string, text: string, flags: { question?: number }, command: Command) => {
      const verb = open(frame, command);
      if (verb === undefined) return;
      const written = unwrap(verb, answer(verb.ws, id, text, flags.question));
      if (written === undefined) return;
      said(verb, 'answered', written);
      if (written.open > 0) verb.out.say(`${written.open} still open: contracts answer ${id} "…"`);
      else verb.out.say('Next: contracts run');
    });
  program
    .command('resolve')
    .argument('<id>')
    .argument('<text>')
    .description('say how a blocked task can go on')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts resolve ID "Use the staging database"'))
    .action((id: string, text: string, _flags: unknown, command: Command) => {
      const verb = open(frame, command);
      if (verb === undefined) return;
      const written = unwrap(verb, resolveBlocked(verb.ws, id, text));
      if (written === undefined) return;
      said(verb, 'resolved', written);
      verb.out.say('Next: contracts run');
    });
  program
    .command('note')
    .argument('<id>')
    .argument('<text>')
    .description('leave a message for the next attempt')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts note ID "The API changed yesterday"'))
    .action((id: string, text: string, _flags: unknown, command: Command) => {
      const verb = open(frame, command);
      if (verb === undefined) return;
      const written = unwrap(verb, addNote(verb.ws, id, text));
      if (written !== undefined) said(verb, 'noted', written);
    });
}

function addVerdicts(program: Command, frame: Frame): void {
  const words = ['approve', 'needs-work', 'reject'] as const;
  const help = ['good as it is', 'send it back, with findings', 'give the task up'];
  for (const [i, name] of words.entries()) {
    const verdict = VERDICTS[i] ?? 'NEEDS_WORK';
    program
      .command(name)
      .argument('<id>')
      .argument('[findings]')
      .description(`a person’s verdict: ${help[i] ?? ''}`)
      .option('--json', 'one JSON value a line')
      .addHelpText(
        'after',
        example(`contracts ${name} ID${i === 0 ? '' : ' "The tests are missing"'}`),
      )
      .action((id: string, findings: string | undefined, _flags: unknown, command: Command) => {
        const verb = open(frame, command);
        if (verb === undefined) return;
        const written = unwrap(verb, giveVerdict(verb.ws, id, verdict, findings));
        if (written === undefined) return;
        said(verb, verdict.toLowerCase(), written);
        verb.out.say('Next: contracts run');
      });
  }
}

function said(verb: Verb, event: string, written: Written): void {
  verb.out.data({ v: 1, event, task: written.id, file: written.file, open: written.open });
  verb.out.say(`wrote ${written.file}`);
}
