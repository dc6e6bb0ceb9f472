/**
 * What verbs share: opening the workspace, refusing, and the exit code. A verb is a function from an
 * opened workspace to nothing; what it says goes through the output. What cannot be done is thrown as
 * Refused, and said in one place.
 */
import { problem, type Problem, type Result } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import type { Created } from '../../engine/commands/create.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import type { Moved } from '../../engine/commands/moves.ts';
import { resolveId } from '../../engine/board/resolve-id.ts';
import type { Written } from '../../engine/commands/file-edit.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import { openWorkspace, type OpenOptions, type Workspace } from '../../workspace/open/workspace.ts';
import { asker, type Asker } from '../prompts/ask.ts';
import { colourState, COMMAND_LINE, makeOutput, type Output } from '../output/output.ts';
import { EXIT, type Frame } from './frame.ts';
import type { Line } from '../../workspace/tasks/verb.ts';
import { pathsFrom } from '../output/relative-paths.ts';

/** What a verb has before a workspace is looked at. */
export interface Place {
  readonly out: Output;
  readonly frame: Frame;
  readonly line: Line;
  /** For words that are missing; undefined where nobody can be asked. */
  readonly ask: Asker | undefined;
}

export interface Verb extends Place {
  readonly ws: Workspace;
}

/** What was asked for cannot be done: what is wrong, and through which output it is said. */
class Refused extends Error {
  readonly out: Output;
  readonly problems: readonly Problem[];
  constructor(out: Output, problems: readonly Problem[]) {
    super('refused');
    this.out = out;
    this.problems = problems;
  }
}

/** Its arguments are the flags and the words, as the verb declares them. */
type Act<P> = (place: P, flags: never, ...given: never[]) => unknown;

/** What a verb does. */
export type Run = (frame: Frame, line: Line) => Promise<void>;

/** A verb that needs no workspace, or opens it in its own way. */
export function bare(act: Act<Place>): Run {
  return async (frame, line) => {
    const out = makeOutput(frame.streams, line.json);
    const place = { out, frame, line, ask: asker(frame, line.json) };
    await attempted(frame, () => called(act, place, line));
  };
}

/** `early` refuses what cannot be meant, before a workspace is looked at. */
export function verb(act: Act<Verb>, early?: Act<Place>): Run {
  return bare(async (place) => {
    const { line } = place;
    if (early !== undefined) await called(early, place, line);
    const opened = open(place, line.starts ? trustOf(line) : {});
    if (line.starts) await asked(opened);
    await called(act, opened, line);
  });
}

type Trusting = { readonly trust?: boolean; readonly dryRun?: boolean; readonly explain?: string };

export function trustOf({ flags }: Line): Pick<OpenOptions, 'trust'> {
  return (flags as Trusting).trust === true ? { trust: true } : {};
}

/** At a terminal only; elsewhere what is not trusted is refused where it would be started. */
export async function asked(verb: Verb): Promise<void> {
  const { dryRun, explain } = verb.line.flags as Trusting;
  if (verb.ask === undefined || dryRun === true || explain !== undefined) return;
  if (whyUntrusted(verb.ws) === undefined) return;
  const { askTrust } = await import('../prompts/ask-trust.ts');
  await askTrust(verb);
}

function called<P>(act: Act<P>, place: P, { flags, given }: Line): unknown {
  return act(place, flags as never, ...(given as never[]));
}

/** Opens the workspace that the line names. */
export function open(place: Place, more: Pick<OpenOptions, 'dead_hosts' | 'trust'> = {}): Verb {
  const { frame, line } = place;
  const ws = openWorkspace({
    ...more,
    reads: frame.reads === true,
    ports: frame.ports,
    capabilities: frame.capabilities,
    ...(line.dir === undefined ? {} : { dir: line.dir }),
  });
  const { layout } = unwrap(place, ws);
  const out = makeOutput(frame.streams, line.json, pathsFrom(layout, line.dir));
  return { ...place, ws: unwrap(place, ws), out };
}

/** What the work gives; undefined after it was said why it was refused. */
export async function attempted<T>(
  frame: Frame,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    for (const problem of error.problems) error.out.problem(problem);
    frame.code = EXIT.usage;
    return undefined;
  }
}

/** Ends the work with what is wrong with what was asked for. */
export function refuse({ out }: Pick<Place, 'out'>, problems: readonly Problem[]): never {
  throw new Refused(out, problems);
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

/** The value; its problems are refused. */
export function unwrap<T>(place: Pick<Place, 'out'>, result: Result<T>): T {
  return result.ok ? result.value : refuse(place, result.problems);
}

/** The same for what was typed: it is in no file. */
export function unwrapTyped<T>(place: Pick<Place, 'out'>, result: Result<T>): T {
  if (result.ok) return result.value;
  const typos = result.problems.map((one) => ({ ...one, file: COMMAND_LINE, line: 1, col: 1 }));
  return refuse(place, typos);
}

/** The id that is meant by what was typed: itself, or the only one that starts so. */
export function idOf(verb: Verb, typed: string): string {
  return unwrapTyped(verb, resolveId(verb.ws, typed));
}

export function idsOf(verb: Verb, typed: readonly string[]): readonly string[] {
  return typed.map((one) => idOf(verb, one));
}

/** Asking for words is worth it only where they can be written then. */
export function stands(verb: Verb, id: string, state: State): boolean {
  const found = findTask(verb.ws, id);
  return found.ok && found.value.state === state;
}

/** Says where a task went, and what is wrong with it there. */
export function saidMoved({ out }: Verb, moved: Moved, more = ''): void {
  out.say(`${moved.id}  ${colourState(moved.from)} → ${colourState(moved.to)}${more}`);
  for (const problem of moved.problems) out.problem(problem);
}

/** Says which contract was made, and what is wrong with it. */
export function saidCreated({ out }: Verb, made: Created): void {
  out.data({ v: 1, event: 'created', ...made });
  out.say(out.path(made.file));
  for (const problem of made.problems) if (!out.json) out.problem(problem);
}

type WrittenEvent = 'answered' | 'resolved' | 'noted' | 'approved' | 'needs_work' | 'reject';

/** Says which file was written. */
export function saidWritten(verb: Verb, event: WrittenEvent, written: Written): void {
  verb.out.data({ v: 1, event, task: written.id, file: written.file, open: written.open });
  verb.out.say(`wrote ${verb.out.path(written.file)}`);
}
