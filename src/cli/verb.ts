/**
 * What verbs share: opening the workspace, showing problems, setting the exit code. A verb is a
 * function from an opened workspace to nothing; what it says goes through the output.
 */
import type { Command } from 'commander';
import { problem, type Problem, type Result } from '../core/problem.ts';
import { openWorkspace, type OpenOptions, type Workspace } from '../engine/workspace.ts';
import { makeOutput, type Output } from './output.ts';
import { EXIT, type Frame } from './frame.ts';

export interface Verb {
  readonly ws: Workspace;
  readonly out: Output;
  readonly frame: Frame;
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
    ports: frame.ports,
    ...(options.dir === undefined ? {} : { dir: options.dir }),
  });
  if (ws.ok) return { ws: ws.value, out, frame };
  refuse(frame, out, ws.problems);
  return undefined;
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
    file: 'contracts',
    message,
    ...(found === undefined ? {} : { found }),
    fix,
  });
}

/** The value, or undefined after its problems were shown. */
export function unwrap<T>(verb: Verb, result: Result<T>): T | undefined {
  if (result.ok) return result.value;
  refuse(verb.frame, verb.out, result.problems);
  return undefined;
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
