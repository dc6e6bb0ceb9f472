/** A task as read from disk, and the facts that decide() may ask for: plain data. */
import type { Action } from './action.ts';
import type { Contract } from './contract.ts';
import type {
  BlockedDocument,
  DecisionDocument,
  QuestionsDocument,
  ReviewDocument,
  UnreadLine,
} from './documents.ts';
import type { Pause } from '../attempts/pause.ts';
import type { Limits } from './policy.ts';
import type { Problem, Result } from './problem.ts';
import type { Attempt, OutcomeName } from '../attempts/record.ts';
import type { State } from './state.ts';
import type { Transition } from './transitions.ts';

/** The current files, at the top of the task folder; each ends in .md. */
export type CurrentFile = 'status' | 'questions' | 'result' | 'review' | 'blocked';

/** Its contract may have been changed by an agent, or a person is asked about that. */
export interface Confirming {
  /** The question about it, where questions.md holds it; its answer: empty where there is none, undefined where it is another word. */
  readonly asked: { readonly answer: 'take' | 'restore' | '' | undefined } | undefined;
  /** confirmed.md is there, and is not what the contract says now. */
  readonly differs: boolean;
}

/** Contents of contract.md when it was read: text, or sha256; empty when it cannot be read. */
export type ContractSource = { readonly text: string } | { readonly hash: string };

/**
 * A kind of task (docs/architecture.md#kinds-of-tasks): in what its tasks differ from plain ones, which
 * have none of the optional members. Pure; what a kind does on the disk is in its capability.
 */
export interface Kind {
  /** Unique. */
  readonly name: string;
  readonly is: (contract: Contract) => boolean;
  /** An agent does work that is verified and reviewed: it has criteria, gates and a result. */
  readonly works: boolean;
  /** Its own rows of the table of moves. */
  readonly table?: readonly Transition[];
  /** Its questions.md is a form with boxes, of which one is ticked, and asks nothing else. */
  readonly decision?: DecisionForm;
  /** The next action where no attempt is open; undefined: the same as for a plain task. */
  readonly decide?: (task: TaskRead) => Action | undefined;
  /** The name of the agent that is asked, or PERSON. */
  readonly asked?: (contract: Contract) => string;
  /** The move by which a person is asked, in place of a call. */
  readonly asks?: { readonly trigger: string; readonly reason: string };
  /** True if the task continues when one that it depends on failed. */
  readonly joins?: true;
  /** True if an agent may be called again with unchanged inputs. */
  readonly repeats?: true;
  /** Its limits; `decision` reads the box that is ticked on the desk. */
  readonly limits?: (
    limits: Limits,
    outcome: OutcomeName,
    decision: () => string | undefined,
  ) => Limits;
}

export interface DecisionForm {
  /** The words of its boxes, with what each means. The first lets go on what waits for the task. */
  readonly words: ReadonlyMap<string, string>;
  /** As a person is asked at a terminal. */
  readonly question: string;
  /** Never fails. */
  readonly parse: (text: string) => DecisionDocument;
  /** Why it is in blocked, from the reason of the attempt that decided. */
  readonly stopped: (reason: string) => string;
}

export const PLAIN: Kind = { name: 'task', is: () => true, works: true };

/** The decision that lets go on what waits for it; undefined where none is asked for. */
export function firstWord({ decision }: Kind): string | undefined {
  return decision?.words.keys().next().value;
}

/** A task as every command reads it, plain and frozen. Few need more: a fact, or a WholeTask. */
export interface TaskRead {
  readonly id: string;
  readonly state: State;
  readonly contract: Result<Contract>;
  /** PLAIN where the contract cannot be read. */
  readonly kind: Kind;
  readonly source: ContractSource;
  /** Ascending by number; a lost attempt comes before the one that took over. */
  readonly attempts: readonly Attempt[];
  /** In questions, and in done of a kind that asks in words and does no work; where questions.md is there. */
  readonly questions: Result<QuestionsDocument> | undefined;
  /** In review, where review.md is there. */
  readonly review: Result<ReviewDocument> | undefined;
  /** questions.md of a kind that is decided in it, or of a task that may be of one. */
  readonly decision: Result<DecisionDocument> | undefined;
  /** Unreadable records and other findings that do not stop the task. */
  readonly problems: readonly Problem[];
  /** Milliseconds since the epoch; change time of the folder's contract, for age and order. */
  readonly since_ms: number;
}

/** With all of its files as they were at one time: for whoever goes on to change its folder. */
export interface WholeTask
  extends TaskRead, Pick<Facts, 'contract_hash' | 'inputs_hash' | 'confirming'> {
  readonly has_review: boolean;
  readonly has_blocked: boolean;
}

/**
 * The holder of the open attempt:
 * - none: no attempt is open, or the task was never claimed
 * - alive: another process of this machine
 * - orphan: its runner is dead, its agent lives; overdue when past its deadline
 * - dead: runner and agent are dead, or the lease of another host has expired
 * - elsewhere: another host, its lease is fresh
 * - unknown: owner.md cannot be read, so no runner may take over
 * - person, host: never judged; files, `collect` or a verb end them
 */
export type Holder =
  | 'none'
  | 'alive'
  | 'orphan'
  | 'orphan_overdue'
  | 'dead'
  | 'elsewhere'
  | 'unknown'
  | 'person'
  | 'host';

/** `archived`: nothing in the archive says whether it was done. */
export type DependencyState = State | 'archived_done' | 'archived_aborted' | 'archived' | 'unknown';

export interface Dependency {
  readonly id: string;
  readonly state: DependencyState;
  /** All states that it is in, where these are two or more. */
  readonly places?: readonly State[];
  /** The decision that a live task needs, and whose. */
  readonly asks?: { readonly word: string; readonly by: string };
  /** Aborted or blocked is enough: the brief of the waiting task says what failed. */
  readonly join?: true;
  /** The command that makes it, where it does not exist. */
  readonly made_by?: string;
}

/** Why a task is not begun now, and what a person does to end that. */
export interface Hold {
  readonly reason: string;
  readonly fix: string;
  /** The task that it waits for; undefined: a person. */
  readonly by?: string;
}

/** Facts that decide() asks for beside a TaskRead. Each is looked up when asked for, once at most. */
export interface Facts {
  readonly holder: Holder;
  /** sha256 of contract.md; empty when it cannot be read. */
  readonly contract_hash: string;
  readonly has_result: boolean;
  readonly has_questions: boolean;
  /** blocked.md, where the task is blocked or may be claimed. */
  readonly blocked: Result<BlockedDocument> | undefined;
  readonly confirming: Confirming | undefined;
  /** sha256 over contract, answers, findings, resolution and notes; empty where it cannot be claimed. */
  readonly inputs_hash: string;
  readonly dependencies: readonly Dependency[];
  /** Live tasks that name this one as their parent and are not blocked, and where they stand. */
  readonly open_children: readonly { readonly id: string; readonly state: State }[];
  /** The task that it is a part of was given up. */
  readonly aborted_parent: string | undefined;
  /** The path of a dependency cycle through this task, first id repeated at the end. */
  readonly cycle: readonly string[] | undefined;
  /** Reasons against a call: unknown agent, missing context file, no criteria. */
  readonly preflight: readonly Problem[];
  /** A live task that writes the same deliverable. */
  readonly overlap: { readonly id: string; readonly path: string } | undefined;
  /** Agents and persons who must approve, in order. */
  readonly gates: readonly string[];
  /** The budget that is used up, when the next call would be of a client that costs. */
  readonly over_budget: { readonly reason: string; readonly fix: string } | undefined;
  /** Until when its next call waits, after an outage or failures; undefined when that has passed. */
  readonly pause: Pause | undefined;
  /** The worktree still lacks what interrupted its last review. */
  readonly unprepared: { readonly message: string; readonly fix: string } | undefined;
  /** The reason why it is not begun though nothing is wrong with it. */
  readonly hold: Hold | undefined;
  /** Another task that is at work now and has the turn that this one would take. */
  readonly turn_taken: { readonly key: string; readonly by: string } | undefined;
  readonly executor_mode: 'process' | 'human' | 'host';
  /** True where a program is called that reads its brief. */
  readonly can_ask: boolean;
  /** For a task held by a person: a readable result.md or questions.md lies in the folder. */
  readonly handed_in: boolean;
  /** For a task held by a person: the line of a result.md whose status cannot be read. */
  readonly unread_result: UnreadLine | undefined;
  /** For a task held by a person: what lay in the folder at the claim was not put away yet. */
  readonly earlier_left: boolean;
}

export type FactName = keyof Facts;

/** Facts that were looked up so far. */
export type Known = Partial<Facts>;

export function isDone(dependency: Dependency): boolean {
  return dependency.state === 'done' || dependency.state === 'archived_done';
}

export function isAborted(dependency: Dependency): boolean {
  return dependency.state === 'aborted' || dependency.state === 'archived_aborted';
}

/** True for a dependency that will never be done, and that its dependents need. */
export function isLost(dependency: Dependency): boolean {
  return isAborted(dependency) && dependency.join !== true;
}

/** True if a task continues when `id` failed: its whole kind does, or it takes only the result. */
export function isJoin(kind: Kind, { head }: Contract, id: string): boolean {
  return kind.joins === true || !head.depends_on.includes(id);
}

/** Nothing is left to wait for. A join goes on with what failed; anything else needs it done. */
export function isOver(dependency: Dependency): boolean {
  if (dependency.join !== true) return isDone(dependency);
  const { state } = dependency;
  return isDone(dependency) || isAborted(dependency) || state === 'archived' || state === 'blocked';
}

/** The tasks of `depends_on` and `context_from`, without its parent, which waits for its children. */
export function awaitedBy({ head }: Contract): readonly string[] {
  const { depends_on, context_from, parent } = head;
  if (context_from.length === 0) return depends_on;
  return [...new Set([...depends_on, ...context_from.filter((id) => id !== parent)])];
}
