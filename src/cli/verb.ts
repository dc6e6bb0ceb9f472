/**
 * What verbs share: opening the workspace, showing problems, setting the exit code. A verb is a
 * function from an opened workspace to nothing; what it says goes through the output.
 */
import type { Command } from 'commander';
import { nearest } from '../core/nearest.ts';
import { problem, type Problem, type Result } from '../core/problem.ts';
import type { State } from '../core/state.ts';
import { findTask } from '../engine/verbs/find-task.ts';
import { resolveId } from '../engine/verbs/resolve-id.ts';
import type { Written } from '../engine/verbs/file-edit.ts';
import { openWorkspace, type OpenOptions, type Workspace } from '../engine/workspace.ts';
import { asker, type Asker } from './ask.ts';
import { COMMAND_LINE, makeOutput, type Output } from './output.ts';
import { EXIT, type Frame } from './frame.ts';
import { pathsFrom } from './standing.ts';

export interface Verb {
  readonly ws: Workspace;
  readonly out: Output;
  readonly frame: Frame;
  /** For words that are missing; undefined where nobody can be asked. */
  readonly ask: Asker | undefined;
}

/** Opens the workspace that the options name; undefined (and said) when there is none. */
export function open(
  frame: Frame,
  command: Command,
  more: Pick<OpenOptions, 'dead_hosts'> = {},
): Verb | undefined {
  const options = command.optsWithGlobals<{ json?: boolean; dir?: string }>();
  const out = makeOutput(frame.streams, options.json === true);
  const ws = openWorkspace({
    ...more,
    reads: frame.reads === true,
    ports: frame.ports,
    ...(options.dir === undefined ? {} : { dir: options.dir }),
  });
  if (!ws.ok) {
    refuse(frame, out, ws.problems);
    return undefined;
  }
  const json = options.json === true;
  const placed = makeOutput(frame.streams, json, pathsFrom(ws.value.layout, options.dir));
  return { ws: ws.value, out: placed, frame, ask: asker(frame, json) };
}

/** Of a verb that does something alone and has verbs below it: a word that is none of them was meant to be one. */
export function noneBelow(self: Command): void {
  const [word] = self.args;
  if (word === undefined) return;
  const near = nearest(
    word,
    self.commands.map((one) => one.name()),
  );
  const meant = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  self.error(`error: unknown command '${word}'${meant}`, {
    code: 'commander.unknownCommand',
    exitCode: EXIT.usage,
  });
}

/** Shows what is wrong with what was asked for. */
export function refuse(frame: Frame, out: Output, problems: readonly Problem[]): void {
  for (const problem of problems) out.problem(problem);
  frame.code = EXIT.usage;
}

/** What was asked for cannot be meant; `fix` names the command that can. */
export function misused(message: string, fix: string, found?: string): Problem {
  return problem({
    code: 'bad_value',
    file: COMMAND_LINE,
    message,
    ...(found === undefined ? {} : { found }),
    fix,
  });
}

/** Refuses as commander does; `shown` is the command with everything that it needs. */
export function missing(command: Command, name: string, shown: string): never {
  return command.error(`error: missing required argument '${name}'\nGive it: ${shown}`, {
    code: 'commander.missingArgument',
    exitCode: EXIT.usage,
  });
}

/** Nobody can be asked for words that are missing: they are refused before anything is looked at. */
export function cannotAsk(frame: Frame, command: Command): boolean {
  return asker(frame, command.optsWithGlobals<{ json?: boolean }>().json === true) === undefined;
}

/** The value, or undefined after its problems were shown. */
export function unwrap<T>(verb: Verb, result: Result<T>): T | undefined {
  if (result.ok) return result.value;
  refuse(verb.frame, verb.out, result.problems);
  return undefined;
}

/** The id that is meant by what was typed: itself, or the only one that starts so. */
export function idOf(verb: Verb, typed: string): string | undefined {
  const found = resolveId(verb.ws, typed);
  if (found.ok) return found.value;
  // What was typed stands in no file.
  const typos = found.problems.map((one) => ({ ...one, file: COMMAND_LINE, line: 1, col: 1 }));
  refuse(verb.frame, verb.out, typos);
  return undefined;
}

/** Asking for words is worth it only where they can be written then. */
export function stands(verb: Verb, id: string, state: State): boolean {
  const found = findTask(verb.ws, id);
  return found.ok && found.value.state === state;
}

/** All of them; undefined, and the first that is wrong said, when one of them is no task. */
export function idsOf(verb: Verb, typed: readonly string[]): readonly string[] | undefined {
  const ids: string[] = [];
  for (const one of typed) {
    const id = idOf(verb, one);
    if (id === undefined) return undefined;
    ids.push(id);
  }
  return ids;
}

type WrittenEvent = 'answered' | 'resolved' | 'noted' | 'approved' | 'needs_work' | 'reject';

/** Says which file was written. */
export function saidWritten(verb: Verb, event: WrittenEvent, written: Written): void {
  verb.out.data({ v: 1, event, task: written.id, file: written.file, open: written.open });
  verb.out.say(`wrote ${verb.out.path(written.file)}`);
}

export function collectValues(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

export function example(lines: string): string {
  return `\nExample:\n${lines
    .trim()
    .split('\n')
    .map((line) => `  ${line.trim()}`)
    .join('\n')}`;
}
