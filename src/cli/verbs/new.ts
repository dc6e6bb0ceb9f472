/**
 * new: a contract into draft/, from flags, from a file, or from a walk of questions at a terminal; its
 * path on stdout, the rest on stderr.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Command } from 'commander';
import { problem, refused, type Result } from '../../core/problem.ts';
import { createFromText, createTask, type Created } from '../../engine/verbs/create.ts';
import { resolveId } from '../../engine/verbs/resolve-id.ts';
import { errorCode } from '../../store/disk.ts';
import { TEXT_BYTES_MAX } from '../../store/layout.ts';
import { decodeText } from '../../text/front-matter.ts';
import type { Asker } from '../ask.ts';
import { blameFlags, wantedTask, wrongFlags, type NewFlags } from '../new-flags.ts';
import { askForTask, showAndCreate } from '../new-walk.ts';
import type { Frame } from '../frame.ts';
import { collectValues, example, misused, open, refuse, unwrap, type Verb } from '../verb.ts';

export function newTask(command: Command, frame: Frame): void {
  const list = (flags: string, text: string): Command =>
    command.option(flags, text, collectValues, []);
  command
    .argument('[title]', 'what you want, in one line')
    .option('--from <file>', 'take the contract from this Markdown file')
    .option('--id <id>', 'choose the id yourself')
    .option('--objective <text>', 'more than the title says')
    .option('--agent <name>', 'who executes it')
    .option(
      '--adapter <name>',
      'how the agent is called: shell, human, host, or one of the configuration',
    )
    .option('--squad <name>', 'whose work it is: see contracts squad list')
    .option('--category <name>', 'what kind of work it is: who does it follows from that')
    .option('--type <type>', 'task, story, campaign, case, project, …')
    .option('--workflow <name>', 'first part of the id')
    .option('--priority <word>', 'critical, high, medium or low')
    .option('--timeout <duration>', 'for one call, such as 90s or 10m')
    .option('--sh <commands>', 'a script for the shell adapter, put under ## Steps')
    .option('--json', 'one JSON value a line');
  list('--criterion <text>', 'a success criterion; may be repeated');
  list('--run <command>', 'a check that the runner runs; may be repeated');
  list('--deliverable <path>', 'a file that must be there at the end; may be repeated');
  list('--depends-on <id>', 'may be repeated');
  list('--context-file <path>', 'may be repeated');
  list('--gate <agent>', 'who must approve, or person; may be repeated');
  command
    .addHelpText(
      'after',
      example(
        'contracts new "Say hello" --run "test -s hello.txt" --sh "echo hello > hello.txt"\ncontracts new --from login.md',
      ),
    )
    .action(async (title: string | undefined, flags: NewFlags, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const dependsOn = idsOrNew(verb, flags.dependsOn);
      if (dependsOn === undefined) return;
      const asked = title === undefined && flags.from === undefined ? verb.ask : undefined;
      if (asked === undefined) doNew(verb, title, { ...flags, dependsOn });
      else await askAndCreate(verb, asked, { ...flags, dependsOn });
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
  const wrong = wrongFlags(verb.ws, flags);
  if (wrong.length > 0) return refuse(verb.frame, verb.out, wrong);
  const made = createTask(verb.ws, wantedTask(title ?? '', flags));
  created(verb, made.ok ? made : refused(blameFlags(verb.ws, flags, made.problems)));
}

/** Nobody answers five questions to be told then that a flag was misspelt. */
async function askAndCreate(verb: Verb, ask: Asker, given: NewFlags): Promise<void> {
  const wrong = wrongFlags(verb.ws, given);
  if (wrong.length > 0) return refuse(verb.frame, verb.out, wrong);
  const { title, flags } = await askForTask(verb, ask, given);
  const kept = await showAndCreate(verb, ask, wantedTask(title, flags));
  if (kept !== undefined) saidCreated(verb, kept);
}

/** The beginning of an id that is there means that id; any other word may become one. */
function idsOrNew(verb: Verb, typed: readonly string[]): string[] | undefined {
  const ids: string[] = [];
  for (const one of typed) {
    const found = resolveId(verb.ws, one);
    const ambiguous = !found.ok && found.problems.some(({ code }) => code === 'bad_id');
    if (ambiguous) {
      unwrap(verb, found);
      return undefined;
    }
    ids.push(found.ok ? found.value : one);
  }
  return ids;
}

function created(verb: Verb, result: ReturnType<typeof createTask>): void {
  const made: Created | undefined = unwrap(verb, result);
  if (made !== undefined) saidCreated(verb, made);
}

function saidCreated(verb: Verb, made: Created): void {
  verb.out.data({ v: 1, event: 'created', ...made });
  verb.out.say(verb.out.path(made.file));
  if (verb.out.json) return;
  for (const problem of made.problems) verb.out.problem(problem);
  if (made.person_is_gate) {
    verb.frame.streams.err(
      'The runner cannot check all that it asks for, so a person is the gate.\n',
    );
  }
  const doomed = made.problems.some((one) => one.severity === 'error');
  const first = doomed ? `correct ${verb.out.path(made.file)}, then ` : '';
  verb.frame.streams.err(`Next: ${first}contracts confirm ${made.id}\n`);
}
