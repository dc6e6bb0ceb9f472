/** new: a contract into draft/, from flags, a file, or questions at a terminal. Only its path goes to stdout. */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { refused, type Result } from '../../task/core/model/problem.ts';
import { createFromText, createTask, type Created } from '../../engine/commands/create.ts';
import { executors } from '../../engine/queries/executors.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { resolveId } from '../../engine/board/resolve-id.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { shown, taskFolder, TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { likeContract } from '../../task/text/documents/like-contract.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import type { Asker } from '../terminal/ask.ts';
import { blameFlags, wantedTask, wrongFlags, type NewFlags } from '../prompts/new-flags.ts';
import { askForTask, showAndCreate } from '../prompts/new-walk.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { capabilitiesOf } from '../../workspace/tasks/capability.ts';
import {
  idOf,
  misused,
  refuse,
  confirmNext,
  printCreated,
  unwrap,
  verb,
  type Verb,
} from '../terminal/verb-context.ts';

export const runs = {
  new: verb(async (verb, given: NewFlags, title?: string) => {
    const flags = meantBy(verb, given);
    const asked = lacksWords(title, flags) ? verb.ask : undefined;
    const made =
      asked === undefined
        ? unwrap(verb, await newTask(verb, title, flags))
        : await askAndCreate(verb, asked, flags, title);
    if (made !== undefined) printNext(verb, made);
  }),
};

/** Neither what must hold nor who does it is given. */
function lacksWords(title: string | undefined, flags: NewFlags): boolean {
  const { run, deliverable, criterion, sh, agent, adapter, squad, from, like } = flags;
  const given = [run, deliverable, criterion, sh ?? agent ?? adapter ?? squad ?? []];
  return (from ?? like) === undefined && (title === undefined || given.flat().length === 0);
}

/** A file or a pipe, up to the size of a contract: /dev/zero must not be read to its end. */
function readGiven(file: string): Result<string> {
  const bytes = Buffer.alloc(TEXT_BYTES_MAX + 1);
  let at = 0;
  const fd = file === '-' ? 0 : openSync(file, 'r');
  try {
    for (let got = 1; got > 0 && at < bytes.length; at += got) {
      got = readSync(fd, bytes, at, bytes.length - at, null);
    }
  } finally {
    if (fd !== 0) closeSync(fd);
  }
  if (at <= TEXT_BYTES_MAX) return decodeText(bytes.subarray(0, at), file);
  const message = 'too large for a contract';
  const expected = `at most ${TEXT_BYTES_MAX / 1024} KiB`;
  const fix = 'Write less, and name the rest as context files';
  return refused({ code: 'too_large', file, message, expected, fix });
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

/** A draft with the contract of another task, ended ones too; nothing else of it. */
function likeTask(verb: Verb, typed: string, title?: string, id?: string): Result<Created> {
  const { ws } = verb;
  const other = idOf(verb, typed);
  const found = findTask(ws, other);
  if (!found.ok) return found;
  const { contract } = found.value;
  if (!contract.ok) return contract;
  const path = join(taskFolder(ws.layout, found.value.state, other), 'contract.md');
  const read = readText(ws.disk, path, shown(ws.layout, path));
  if (!read.ok) return read;
  return createFromText(ws, likeContract(read.value, title), `the contract of ${other}`, id);
}

/** `lacksWho`: an agent or a script must be given, and is not. */
export async function newTask(
  verb: Verb,
  title: string | undefined,
  flags: NewFlags,
  lacksWho = false,
): Promise<Result<Created>> {
  const { ws } = verb;
  const titled = title !== undefined && title.trim() !== '';
  if (flags.like !== undefined) return likeTask(verb, flags.like, title, flags.id);
  if (titled === (flags.from !== undefined)) {
    const message = titled ? 'a title and --from exclude each other' : 'there is nothing to write';
    const fix = 'Give a title, or --from FILE: contracts new "What you want"';
    return refused([misused(message, fix)]);
  }
  if (flags.from !== undefined) {
    const read = readIfThere(flags.from);
    return read.ok ? createFromText(ws, read.value, flags.from, flags.id) : read;
  }
  const wrong = wrongFlags(ws, flags);
  if (wrong.length > 0) return refused(wrong);
  if (lacksWho) {
    const can = executors(ws).filter(({ how }) => !/^shell$|installed\)$/.test(how));
    const more = can.map(({ key, name }) => `, or --${key} ${name}`).join('');
    return refused([misused('no agent and no script is given', `Add --sh "commands"${more}`)]);
  }
  const given = await draftedBy(ws, title ?? '', flags);
  const all = { ...flags, ...given?.head };
  const made = createTask(ws, wantedTask(title ?? '', all));
  if (made.ok && given !== undefined) verb.frame.streams.err(`${escapeText(given.line)}\n`);
  return made.ok ? made : refused(blameFlags(ws, flags, made.problems));
}

/** Additions of a capability, such as the squad that has the agent. */
async function draftedBy(ws: Workspace, text: string, flags: NewFlags) {
  const { squad, agent, adapter, sh } = flags;
  if (squad !== undefined) return undefined;
  const open = (agent ?? adapter ?? sh) === undefined;
  for (const one of capabilitiesOf(ws)) {
    const given = await one.draft?.(ws, text, { executors: [agent ?? []].flat(), open });
    if (given !== undefined) return given;
  }
  return undefined;
}

/** A misspelt flag is reported before five questions are asked. */
async function askAndCreate(verb: Verb, ask: Asker, given: NewFlags, titled?: string) {
  const wrong = wrongFlags(verb.ws, given);
  if (wrong.length > 0) refuse(verb, wrong);
  for (;;) {
    const { title, flags } = await askForTask(verb, ask, given, titled);
    const made = await showAndCreate(verb, ask, wantedTask(title, flags));
    if (made !== 'again') return made;
  }
}

/**
 * The beginning of an id that is there means that id; any other word may become one. The name of a check in
 * the configuration means its commands.
 */
export function meantBy(verb: Verb, flags: NewFlags): NewFlags {
  const dependsOn = flags.dependsOn.map((one) => {
    const found = resolveId(verb.ws, one);
    const ambiguous = !found.ok && found.problems.some(({ code }) => code === 'bad_id');
    return found.ok || ambiguous ? unwrap(verb, found) : one;
  });
  const checks = new Map(Object.entries(verb.ws.config.checks));
  return { ...flags, dependsOn, run: flags.run.flatMap((one) => checks.get(one) ?? one) };
}

function printNext(verb: Verb, made: Created): void {
  const { out, frame } = verb;
  printCreated(verb, made);
  if (out.json) return;
  if (made.person_is_gate) {
    frame.streams.err(
      'The runner cannot check all of its criteria, so a person must approve the result.\n',
    );
  }
  frame.streams.err(`Next: ${confirmNext(verb, made)}\n`);
}
