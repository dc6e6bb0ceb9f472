/**
 * How a capability joins: squads, checkpoints, plans and delegation are values of this shape, and whoever
 * opens a workspace gives the list (src/capabilities.ts). Each point is asked in the order of the list.
 * The first line of each looks at the contract's head alone, so that a task that does not use the
 * capability costs no look at the disk; heavy work is behind a lazy import.
 */
import type { AgentDefinition } from '../../agents/core/agents.ts';
import type { Wait } from '../../task/core/model/action.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import type { Problem, Report, Result } from '../../task/core/model/problem.ts';
import type { Attempt, OutcomeRecord } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import type { Hold, Kind, TaskRead } from '../../task/core/model/task.ts';
import type { Workspace } from '../open/workspace.ts';
import type { Context, Emit, Running } from './attempt-context.ts';
import type { ContractPoint } from './complete-contract.ts';
import { kindOf, type KindPoint } from './kinds.ts';
import type * as z from 'zod/mini';
import type { LedgerPart, LiveTasks } from './ledger-part.ts';
import type { LineShapes } from '../../task/core/lines/line-types.ts';
import type { WrittenFields } from '../../task/core/lines/shared-lines.ts';
import type { JoiningBelow, JoiningFlags, JoiningVerb } from './verb.ts';
import type { RoutePoints } from './routes.ts';

/** The whole of a capability: the points of reading tasks, and those of calling agents. */
export interface Capability<S extends Shapes = never>
  extends ContractPoint, KindPoint, RoutePoints, CallPoints {
  /** The name of its folder. */
  readonly name: string;
  /** Verbs of the command, each behind another one in the help. */
  readonly verbs?: readonly JoiningVerb[];
  /** The shapes of its lines of `--json` and of its files, for the schemas: no verb loads them. */
  readonly shapes?: () => Promise<S>;
  /** Flags of verbs that are there. */
  readonly flags?: readonly JoiningFlags[];
  /** Verbs below verbs that are there, and flags of such. */
  readonly below?: readonly JoiningBelow[];
  /** Lines about what could be begun, shown where there is no task. `busy`: only about what was begun and is not whole. */
  readonly idle?: (ws: Workspace, busy?: boolean) => string | undefined;
  /** The names of the entries of `verify:` that it looks at. */
  readonly checks?: readonly string[];
  /** The tasks that came out of this one. */
  readonly parts?: (ws: Workspace, of: PartsOf) => readonly string[];
  /** Acts of its kind on the disk, loaded when the first of its tasks is acted on. */
  readonly acts?: () => Promise<KindActs>;
  /** Reports the reasons against a call for this contract. */
  readonly preflight?: (ws: Workspace, contract: Contract, report: Report) => void;
  /** Gives a new contract what its words lack, by its title. */
  readonly draft?: (ws: Workspace, text: string, wish: Wish) => Promise<Draft | undefined>;
  /** Files whose text its agents get; absolute. `folder` is the task's. */
  readonly texts?: (ws: Workspace, contract: Contract, folder: string) => readonly string[];
  /** Why its task is not begun now; `tasks`: all that are live. */
  readonly hold?: (...asked: Parameters<typeof holdOf>) => Hold | undefined;
  /** The turn that its task takes: one task at a time has it. */
  readonly turn?: (contract: Contract) => Turn | undefined;
  /** Adds to `doctor` of the whole tree. Ends within seconds, whatever does not answer. */
  readonly examine?: (ws: Workspace) => Promise<readonly Examined[]>;
  /** Statements of agents that may name a confidence, with what people said of them, for figures. */
  readonly estimates?: (ws: Workspace) => Promise<readonly Estimate[]>;
  /** Problems of its files, for `check`. */
  readonly problems?: (ws: Workspace) => readonly Problem[];
  /** The command that makes a task that this contract waits for and that does not exist. */
  readonly makes?: (contract: Contract, id: string) => string | undefined;
}

/** One thing that the result of one task says; names are empty where there is none. */
export interface Estimate extends Readonly<Record<'agent' | 'client' | 'plan', string>> {
  /** When its attempt ended, in ms since the epoch; 0 where that cannot be read. */
  readonly at_ms: number;
  /** 0 to 1; undefined: the result names no number. */
  readonly confidence: number | undefined;
  /** The word of a person; undefined: nobody decided it yet. */
  readonly verdict: 'confirmed' | 'rejected' | undefined;
}

/** Findings of `doctor`. */
export interface Examined {
  readonly problems: readonly Problem[];
  readonly abilities: readonly {
    readonly name: string;
    readonly holds: boolean;
    readonly means: string;
    /** Values of `means`, for programs. */
    readonly facts?: Readonly<Record<string, unknown>>;
  }[];
}

/** Each is safe to repeat: after a crash the same is decided again. */
export interface KindActs {
  /** Before a claim for work that takes over nothing. */
  readonly beforeClaim: (context: Context, task: TaskRead) => void;
  /** Puts the form in which a decision is asked for. */
  readonly putForm: (context: Context, task: TaskRead) => void;
  /** Before a move that no attempt owns. Returns more words for its reason; undefined: it is not moved. */
  readonly beforeMove: (context: Context, task: TaskRead, trigger: string) => string | undefined;
  /** After such a move. */
  readonly afterMove: (context: Context, id: string, trigger: string) => void;
}

export interface Turn {
  /** Unique among all capabilities; people read it. */
  readonly key: string;
  /** Asked only where another task has the same key. */
  readonly isOneAtATime: (ws: Workspace) => boolean;
}

/** Asked where agents are called and people answer: a file of its own, `calls.ts`, for the bundle's sake. */
export interface CallPoints {
  /** Adds to the brief of an attempt of work or review. */
  readonly brief?: (asked: BriefAsked) => BriefPart;
  /** Files for the desk of the agent that is called for a task of its kind. */
  readonly given?: (ws: Workspace, id: string, contract: Contract) => readonly NamedBytes[];
  /** The documents below `.contracts/` that it takes from the desks of this task. */
  readonly documents?: (ws: Workspace, id: string, contract: Contract) => Documents | undefined;
  /** Writes a person's decision about a task of its kind, which is in questions or blocked. */
  readonly answer?: (ws: Workspace, task: TaskRead, text: string) => Result<Written>;
  /** Why these words are no resolution of a task of its kind. */
  readonly no_resolution?: (ws: Workspace, task: TaskRead, text: string) => Problem | undefined;
  /** Looks at an entry of `verify:` that is one of its `checks`: why it does not hold, or undefined. */
  readonly check?: (ws: Workspace, asked: CheckAsked) => Promise<string | undefined>;
  /** Work for others that an agent left on its desk in place of a result. */
  readonly evidence?: (running: Running, desk: string) => HandedOver | undefined;
  /** Does what was handed over, between the outcome's commit and the move: durable, and the same when repeated. */
  readonly handed_over?: (running: Running, desk: string, outcome: OutcomeRecord) => void;
  /** Judges ended work by rules: an error sends it back, a warning moves nothing. `folder`: of the task. */
  readonly remind?: (running: Running, folder: string) => readonly Problem[];
  /** Keeps what an approved result says before its task moves to done: durable, and the same when repeated. */
  readonly on_done?: (running: Running, folder: string) => void;
  /** Notes that work was not accepted, before its task moves back or is blocked: durable, and the same when repeated. */
  readonly on_back?: (running: Running, folder: string, outcome: OutcomeRecord) => void;
  readonly follow?: (step: FollowedStep) => Follower;
  /** A person's verb made, moved or answered a task. Throws nothing. */
  readonly changed?: (ws: Workspace) => void;
  /** Adds to the ledger after a step that moved a task. Reads no task in done or aborted. */
  readonly ledger?: (ws: Workspace, tasks: LiveTasks) => LedgerPart | readonly LedgerPart[];
  /** Sections for the session of a host client: at its start, with a prompt, and at its end. */
  readonly session?: (ws: Workspace, asked: SessionAsked) => Promise<readonly Section[]>;
  /** A session of a host client ended. */
  readonly session_ended?: (ws: Workspace, ended: SessionEnded) => Promise<void>;
}

/** Text under a title; without text it is left out. */
export interface Section {
  readonly title: string;
  readonly text: string;
}

export interface SessionAsked {
  readonly event: 'start' | 'prompt' | 'end';
  /** The prompt, else empty. */
  readonly words: string;
  /** When a session began here before, in ms since the epoch; absent where none did, or long ago. */
  readonly since_ms?: number | undefined;
}

/** A session as its client knows it (docs/clients.md#sessions). */
export interface SessionEnded {
  readonly client: string;
  readonly session: string;
  readonly summary: string;
  /** Relative to the workspace. */
  readonly files: readonly string[];
  /** The person's objections to the work, a sentence each. */
  readonly corrections: readonly string[];
  readonly duration_ms: number | undefined;
}

/** Values for `brief.hbs`: `context` is printed under CONTEXT, `sections` under titles of their own. */
export interface BriefPart {
  readonly context?: readonly Section[];
  readonly sections?: readonly Section[];
  /** Notes before those of the task. */
  readonly notes?: readonly { readonly name: string; readonly text: string }[];
  readonly [value: string]: unknown;
}

/** Paths are below `.contracts/`. */
export interface Documents {
  /** Documents of this folder are taken, and only by the agent's own permissions. */
  readonly folder: string;
  /** Files that are put on the desk whatever the agent may write. */
  readonly shown: readonly string[];
  /** A folder of documents of other tasks: none is put on the desk, so none there can be changed. */
  readonly others?: string;
}

export interface FollowedStep {
  readonly ws: Workspace;
  readonly emit: Emit;
  /** Tasks that this step moved so far. */
  readonly moved: ReadonlySet<string>;
  /** Gets tasks that no step of this process begins, and what they wait for. */
  readonly held: Map<string, Wait>;
}

export interface Follower {
  /** Before the step does anything; `acting` are the tasks that do not wait. */
  readonly before: (tasks: TasksSeen, acting: readonly TaskRead[]) => void;
  /** When tasks were claimed, and their agents begin to work. Throws nothing. */
  readonly claimed?: (tasks: TasksSeen) => void;
  /** When the step has done everything. */
  readonly after: (tasks: TasksSeen) => void;
}

/** The tasks before the step, as its board has them. */
export interface TasksSeen {
  /** Tasks of the live states, by id. One that is in two of them is read from the first. */
  readonly tasks: ReadonlyMap<string, TaskRead>;
  /** Ids that are in two live states. */
  readonly doubles: ReadonlyMap<string, readonly State[]>;
  /** Tasks that could not be read because the environment failed. */
  readonly faults: ReadonlyMap<string, unknown>;
}

export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file of a task that a verb wrote, relative to the workspace root. */
export type Written = Omit<WrittenFields, 'task'> & { readonly id: string };

export interface BriefAsked {
  readonly running: Running;
  readonly contract: Contract;
  readonly role: RoleAsked;
  /** True for the executor; false for a reviewer, or an agent that only decides. */
  readonly works: boolean;
  /** The task's folder, in its present state. */
  readonly folder: string;
}

/** Some fields of an agent: agents/engine/roles.ts has all of them. */
export interface RoleAsked {
  readonly name: string;
  readonly definition: AgentDefinition | undefined;
}

export interface CheckAsked {
  readonly name: string;
  /** The words behind its colon: a name, or the path of a folder or file. */
  readonly path: string | undefined;
  readonly contract: Contract;
  /** The tree that is looked at, absolute. */
  readonly root: string;
}

/** The agents and words that a new contract names. */
export interface Wish {
  readonly category?: string | undefined;
  readonly executors: readonly string[];
  /** Nothing says who does it: no agent, category, adapter or script. */
  readonly open?: boolean;
}

export interface Draft {
  readonly head: Readonly<Record<string, string>>;
  /** Shown to whoever wrote it, on one line. */
  readonly line: string;
}

export interface PartsOf {
  readonly id: string;
  readonly folder: string;
  readonly attempts: readonly Attempt[];
}

export interface HandedOver {
  /** Names of the tasks to be made. */
  readonly names: readonly string[];
  /** Why none of it is done; empty: it can be. */
  readonly problems: readonly string[];
  /** This agent may hand nothing over, so it counts for nothing. */
  readonly ignored?: true;
  /** In words, where it is not used: of an agent that may not, or beside another end. */
  readonly unused: (beside: 'result' | 'questions' | undefined) => string | undefined;
}

/** A shape that the package ships as a JSON Schema. */
export interface Shipped {
  readonly shape: z.core.$ZodType;
  readonly title: string;
  /** Keys that are not in the shape are refused by what reads it. */
  readonly closed?: boolean;
}

export interface Shapes {
  readonly lines: LineShapes;
  /** By the name of the schema. */
  readonly files?: Readonly<Record<string, Shipped>>;
}

export function capabilitiesIn(opaque: readonly object[]): readonly Capability<Shapes>[] {
  return opaque as readonly Capability<Shapes>[];
}

export function capabilitiesOf(ws: Workspace): readonly Capability<Shapes>[] {
  return capabilitiesIn(ws.capabilities);
}

/** The answer of the first capability that gives one. */
function first<T>(ws: Workspace, give: (one: Capability<Shapes>) => T | undefined): T | undefined {
  for (const one of capabilitiesOf(ws)) {
    const given = give(one);
    if (given !== undefined) return given;
  }
  return undefined;
}

export function capabilityFor(ws: Workspace, check: string): Capability<Shapes> | undefined {
  return capabilitiesOf(ws).find(({ checks }) => checks?.includes(check) === true);
}

/** The capability of its kind; undefined of a plain task. */
export function capabilityOfKind(ws: Workspace, kind: Kind): Capability<Shapes> | undefined {
  return capabilitiesOf(ws).find((one) => one.kind === kind);
}

/** undefined where its kind does nothing of its own. */
export function actsOf(ws: Workspace, { kind }: TaskRead): Capability['acts'] {
  return capabilityOfKind(ws, kind)?.acts;
}

/** Files for the desk that the kind of the task brings. */
export function givenBy(ws: Workspace, id: string, contract: Contract): readonly NamedBytes[] {
  return capabilityOfKind(ws, kindOf(ws, contract))?.given?.(ws, id, contract) ?? [];
}

/** The first that a capability finds on the desk. */
export function handedOver(running: Running, desk: string): HandedOver | undefined {
  return first(running.ws, ({ evidence }) => evidence?.(running, desk));
}

/** In the order in which they were made. */
export function partsOf(ws: Workspace, of: PartsOf): readonly string[] {
  return capabilitiesOf(ws).flatMap((one) => one.parts?.(ws, of) ?? []);
}

export function remindersOf(running: Running, folder: string): readonly Problem[] {
  return capabilitiesOf(running.ws).flatMap((one) => one.remind?.(running, folder) ?? []);
}

/** For whoever reviews, a line each. */
export function reminderLines(running: Running, folder: string): readonly string[] {
  const all = remindersOf(running, folder);
  return all.map(({ message, found, fix }) => `${message}: ${found}. ${fix}.`);
}

export function idleWords(ws: Workspace, busy?: boolean): readonly string[] {
  return capabilitiesOf(ws).flatMap((one) => one.idle?.(ws, busy) ?? []);
}

export function holdOf(
  ws: Workspace,
  contract: Contract,
  task: TaskRead,
  tasks: TasksSeen['tasks'],
): Hold | undefined {
  return first(ws, ({ hold }) => hold?.(ws, contract, task, tasks));
}

export function turnOf(ws: Workspace, contract: Contract): Turn | undefined {
  return first(ws, ({ turn }) => turn?.(contract));
}

/** The key of its turn, where only one task at a time may have it. */
export function turnKeyOf(ws: Workspace, contract: Contract): string | undefined {
  const turn = turnOf(ws, contract);
  return turn?.isOneAtATime(ws) === true ? turn.key : undefined;
}

export function makerOf(ws: Workspace, contract: Contract, id: string): string | undefined {
  return first(ws, ({ makes }) => makes?.(contract, id));
}

export async function examinedByAll(ws: Workspace): Promise<readonly Examined[]> {
  return (await Promise.all(capabilitiesOf(ws).map((one) => one.examine?.(ws) ?? []))).flat();
}

export function problemsOfAll(ws: Workspace): readonly Problem[] {
  return capabilitiesOf(ws).flatMap((one) => one.problems?.(ws) ?? []);
}
