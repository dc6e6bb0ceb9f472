/** What verbs share: opening the workspace, refusing, and the exit code. */
import { given } from '../../task/core/base/defined-fields.ts';
import {
  isOfMachine,
  problem,
  refused,
  type Problem,
  type Result,
} from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import type { Created } from '../../engine/commands/create.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import type { Moved } from '../../engine/commands/moves.ts';
import { resolveId } from '../../engine/board/resolve-id.ts';
import type { Written } from '../../workspace/tasks/capability.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import { openWorkspace, type OpenOptions, type Workspace } from '../../workspace/open/workspace.ts';
import { asker, type Asker } from './ask.ts';
import { colourState, COMMAND_LINE, makeOutput, type Output } from '../output/output.ts';
import { Misread } from './command-shape.ts';
import { EXIT, type Frame } from './frame.ts';
import type { Line } from '../../workspace/tasks/verb.ts';
import { pathsFrom } from '../output/relative-paths.ts';
import { idShortener } from '../output/shorten-ids.ts';

/** A verb's surroundings before a workspace is looked at. */
export interface Place {
  readonly out: Output;
  readonly frame: Frame;
  readonly line: Line;
  /** undefined where nobody can be asked. */
  readonly ask: Asker | undefined;
}

export interface Verb extends Place {
  readonly ws: Workspace;
}

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
    const { trust, recover } = line.flags as OpeningFlags;
    const options = {
      ...(line.starts && trust && { trust }),
      ...(recover && { dead_hosts: recover }),
    };
    const opened = open(place, options);
    if (line.starts && !('only' in (line.flags as object))) await askForTrust(opened);
    try {
      await called(act, opened, line);
    } finally {
      if (opened.frame.changed) await opened.frame.after(opened.ws);
    }
  });
}

/** Flags of verbs that start programs; `recover` names machines that are gone. */
interface OpeningFlags {
  readonly trust?: boolean;
  readonly dryRun?: boolean;
  readonly explain?: string;
  readonly recover?: readonly string[];
}

/** At a terminal only: elsewhere what is not trusted is refused when it would start. */
export async function askForTrust(verb: Verb, due?: () => Promise<boolean>): Promise<void> {
  const { dryRun, explain } = verb.line.flags as OpeningFlags;
  if (verb.ask === undefined || dryRun === true || explain !== undefined) return;
  if (whyUntrusted(verb.ws) === undefined) return;
  if (due !== undefined && !(await due())) return;
  const { askTrust } = await import('./ask-trust.ts');
  await askTrust(verb);
}

function called<P>(act: Act<P>, place: P, { flags, given }: Line): unknown {
  return act(place, flags as never, ...(given as never[]));
}

/** Opens the workspace that the line names. */
function open(place: Place, more: Pick<OpenOptions, 'dead_hosts' | 'trust'> = {}): Verb {
  const { frame, line } = place;
  const { isTTY, out: write } = frame.streams;
  const ring_bell = (): void => write('\u0007');
  const ws = openWorkspace({
    ...more,
    reads: more.dead_hosts === undefined && (frame.reads === true || !line.starts),
    ports: line.json || isTTY !== true ? frame.ports : { ...frame.ports, ring_bell },
    capabilities: frame.capabilities,
    dir: line.dir,
  });
  const opened = unwrap(place, ws);
  // What reads tasks reports them itself.
  if (frame.reads !== true) for (const one of opened.problems) place.out.problem(one);
  let short: Output['short'] | undefined;
  const out = makeOutput(frame.streams, line.json, pathsFrom(opened.layout, line.dir), (text) =>
    (short ??= idShortener(opened))(text),
  );
  return { ...place, ws: opened, out };
}

/** undefined where there is no workspace, here or above. */
export function openIfThere(place: Place): Verb | undefined {
  try {
    return open(place);
  } catch (error) {
    const problems = error instanceof Refused ? error.problems : [];
    if (problems.some(({ code }) => code === 'missing_file')) return undefined;
    throw error;
  }
}

/** Returns what the work returns; undefined after its problems were reported. */
export async function attempted<T>(frame: Frame, work: () => T | Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    for (const problem of error.problems) error.out.problem(problem);
    frame.code = EXIT.usage;
    return undefined;
  }
}

export function refuse({ out }: Pick<Place, 'out'>, problems: readonly Problem[]): never {
  throw new Refused(out, problems);
}

/** A problem of the command line; `fix` names the right command. */
export function misused(message: string, fix: string, found?: string): Problem {
  return problem({ code: 'bad_value', file: COMMAND_LINE, message, ...given({ found }), fix });
}

/** Refuses with one problem of the command line. */
export function refuseUse(place: Pick<Place, 'out'>, ...what: Parameters<typeof misused>): never {
  refuse(place, [misused(...what)]);
}

/** Refuses where nobody can be asked for what is missing. */
export function mustAsk({ ask }: Place, name: string, shown: string): void {
  if (ask !== undefined) return;
  const message = `error: missing required argument '${name}'\nGive it: ${shown}`;
  throw new Misread(message, 'commander.missingArgument');
}

/** For `early` of a verb whose first argument is an id, or several. */
export function needsId(shown: string) {
  return (place: Place, _flags: unknown, typed: string | readonly string[] = []): void => {
    if ([typed].flat().length === 0) mustAsk(place, 'id', shown);
  };
}

/** The value; its problems are refused. */
export function unwrap<T>(place: Pick<Place, 'out'>, result: Result<T>): T {
  return result.ok ? result.value : refuse(place, result.problems);
}

/** The value; problems of it are in no file, because it was typed. */
export function unwrapTyped<T>(place: Pick<Place, 'out'>, result: Result<T>): T {
  if (result.ok) return result.value;
  const typos = result.problems.map((one) => ({ ...one, file: COMMAND_LINE, line: 1, col: 1 }));
  return refuse(place, typos);
}

/** The id that was typed, or the only one that begins so. A word `behind` an id may have been meant as a reason. */
export function idOf(verb: Verb, typed: string, behind = typed): string {
  const found = resolveId(verb.ws, typed, verb.line.dir);
  const isReason = !found.ok && behind !== typed && found.problems[0]?.code === 'missing_file';
  const note = isReason ? `. A reason is a note: contracts note ${behind} "…"` : '';
  if (found.ok || note === '') return unwrapTyped(verb, found);
  return unwrapTyped(verb, refused(found.problems.map((one) => ({ ...one, fix: one.fix + note }))));
}

export function idsOf(verb: Verb, typed: readonly string[]): readonly string[] {
  return typed.map((one) => idOf(verb, one));
}

export function isIn(verb: Verb, id: string, state: State): boolean {
  const found = findTask(verb.ws, id);
  return found.ok && found.value.state === state;
}

export function printMoved({ out, frame }: Verb, moved: Moved, more = ''): void {
  frame.changed = true;
  out.printWrapped(`${moved.id}  ${colourState(moved.from)} → ${colourState(moved.to)}${more}`);
  for (const problem of moved.problems) out.problem(problem);
}

export function printCreated({ out, frame }: Verb, made: Created): void {
  frame.changed = true;
  out.data({ v: 1, event: 'created', ...made });
  out.print(out.path(made.file));
  for (const problem of made.problems) if (!out.json) out.problem(problem);
}

/** The command after a new draft; before it what is wrong, where the error is not of this contract too. */
export function confirmNext({ out }: Verb, { id, file, problems }: Created): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const isOther = (one: Problem): boolean => isOfMachine(one) || one.code === 'missing_section';
  const isOwn = errors.some((one) => one.file === file && !isOther(one));
  const what = isOwn ? out.path(file) : 'what the error names';
  return `${errors.length === 0 ? '' : `correct ${what}, then `}contracts confirm ${out.short(id)}`;
}

type WrittenEvent = 'answered' | 'resolved' | 'noted' | 'approved' | 'needs_work' | 'reject';

export function printWritten(verb: Verb, event: WrittenEvent, written: Written): void {
  verb.frame.changed = true;
  const { id: task, ...rest } = written;
  verb.out.data({ v: 1, event, task, ...rest });
  const { also = [], apart = [] } = written;
  // Answered by a call that was killed before it gave it to the others.
  const isLeft = written.took === undefined && also.length + apart.length > 0;
  verb.out.print(`${isLeft ? 'answered already:' : 'wrote'} ${verb.out.path(written.file)}`);
  if (written.also !== undefined)
    verb.out.printWrapped(`the same question, and the same answer: ${written.also.join(', ')}`);
  if (written.apart !== undefined)
    verb.out.printWrapped(`the same question, answered since: ${written.apart.join(', ')}`);
}
