/**
 * One task of the tree as plain data: its contract, its attempts, and the files that its state needs.
 * A listing of thousands of tasks asks for little of each, so what a reason to wait seldom needs
 * (hashes, inputs, which files lie there) is looked for when it is asked for, once; whoever changes
 * the folder takes `wholeTask` first. Looks at files; judges nothing.
 */
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import type { State } from '../../task/core/model/state.ts';
import type { Presence, TaskRead } from '../../task/core/model/task.ts';
import { attemptsFolder, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { isCheckpoint } from '../../checkpoints/core/checkpoint.ts';
import {
  parseBlocked,
  parseDecision,
  parseQuestions,
  parseReview,
} from '../../task/text/documents/documents.ts';
import { confirming, original, readAttempts, type AttemptsRead } from './read-attempts.ts';
import type { ContractCache } from './contract-cache.ts';
import { gatherInputs, hashInputs } from './inputs.ts';
import { readContract, type ContractRead } from './read-contract.ts';
import { readText } from '../open/text-file.ts';
import { completed } from './complete-contract.ts';
import type { Workspace } from '../open/workspace.ts';

const NEVER_CLAIMED: AttemptsRead = { attempts: [], problems: [] };

/**
 * undefined when somebody moved the folder meanwhile. `counted_on`: the device on which a folder's
 * link count is known to tell how many folders are in it, so that an empty one needs no listing. With
 * a cache the contract may be one that is only known: good for who waits.
 */
export function readTask(
  ws: Workspace,
  state: State,
  id: string,
  counted_on?: number,
  cache?: ContractCache,
): TaskRead | undefined {
  const folder = taskFolder(ws.layout, state, id);
  const seen: { mtime_ms?: number } = {};
  const read = cache === undefined ? undefined : readKnown(ws, folder, id, seen, cache);
  return readRest(ws, state, id, { counted_on, folder, seen, read });
}

interface Begun {
  readonly counted_on: number | undefined;
  readonly folder: string;
  readonly seen: { mtime_ms?: number };
  readonly read: ContractRead | undefined;
}

/** From the cache, or into it. */
function readKnown(
  ws: Workspace,
  folder: string,
  id: string,
  seen: { mtime_ms?: number },
  cache: ContractCache,
): ContractRead | undefined {
  const found = ws.disk.stat(`${folder}/contract.md`);
  if (found === undefined) return undefined;
  const known = cache.find(id, found, () => readContract(ws, folder, id));
  if (known !== undefined) {
    seen.mtime_ms = found.mtime_ms;
    return known;
  }
  const read = readContract(ws, folder, id, seen);
  cache.note(id, found, read);
  return read;
}

function readRest(
  ws: Workspace,
  state: State,
  id: string,
  { counted_on, folder, seen, read: known }: Begun,
): TaskRead | undefined {
  const read = known ?? readContract(ws, folder, id, seen);
  const stands = seen.mtime_ms === undefined ? ws.disk.stat(folder) : undefined;
  if (seen.mtime_ms === undefined && stands?.kind !== 'folder') return undefined;
  const since_ms =
    seen.mtime_ms ?? (ws.disk.stat(`${folder}/contract.md`) ?? stands)?.mtime_ms ?? 0;
  const place = ws.disk.stat(attemptsFolder(folder));
  const odd = place !== undefined && place.kind !== 'folder';
  const empty = place === undefined || (place.links === 2 && place.device === counted_on);
  const { attempts, problems } = odd || empty ? NEVER_CLAIMED : readAttempts(ws, folder, id);
  const contract = odd ? refused([oddAttempts(ws, folder)]) : wholeContract(ws, read.contract);
  return new ReadTask(ws, folder, { id, state, contract, attempts, problems, since_ms }, read);
}

type Given = Pick<TaskRead, 'id' | 'state' | 'contract' | 'attempts' | 'problems' | 'since_ms'>;

/** Its getters do not survive a spread: who spreads it, spreads what wholeTask gives. */
class ReadTask implements TaskRead {
  readonly id: string;
  readonly state: State;
  readonly contract: TaskRead['contract'];
  readonly attempts: TaskRead['attempts'];
  readonly problems: TaskRead['problems'];
  readonly since_ms: number;
  readonly questions: TaskRead['questions'];
  readonly review: TaskRead['review'];
  readonly decision: TaskRead['decision'];
  readonly #ws: Workspace;
  readonly #folder: string;
  readonly #read: ContractRead;
  #has: Presence | undefined;
  #inputs: string | undefined;
  #blocked: TaskRead['blocked'] | null = null;
  #confirming: TaskRead['confirming'] | null = null;

  constructor(ws: Workspace, folder: string, given: Given, read: ContractRead) {
    this.id = given.id;
    this.state = given.state;
    this.contract = given.contract;
    this.attempts = given.attempts;
    this.problems = given.problems;
    this.since_ms = given.since_ms;
    this.#ws = ws;
    this.#folder = folder;
    this.#read = read;
    const asked = given.state === 'questions' && this.has.questions;
    this.questions = asked
      ? map(textIn(ws, folder, 'questions.md'), (text) =>
          parseQuestions(text, original(ws, folder, given.attempts)),
        )
      : undefined;
    const may_decide = asked && (!given.contract.ok || isCheckpoint(given.contract.value));
    this.decision = may_decide ? map(textIn(ws, folder, 'questions.md'), parseDecision) : undefined;
    const judged = given.state === 'review' && this.has.review;
    this.review = judged ? map(textIn(ws, folder, 'review.md'), parseReview) : undefined;
  }

  get has(): Presence {
    return (this.#has ??= new Lying(this.#ws, this.#folder));
  }

  get contract_hash(): string {
    return this.#read.hash;
  }

  get inputs_hash(): string {
    if (!mayBeClaimed(this.state)) return '';
    return (this.#inputs ??= hashInputs(
      this.contract_hash,
      gatherInputs(this.#ws, this.#folder, this.attempts),
    ));
  }

  get confirming(): TaskRead['confirming'] {
    if (this.#confirming !== null) return this.#confirming;
    return (this.#confirming = confirming(this.#ws, this.#folder, this));
  }

  get blocked(): TaskRead['blocked'] {
    if (this.#blocked !== null) return this.#blocked;
    const needed = (this.state === 'blocked' || mayBeClaimed(this.state)) && this.has.blocked;
    return (this.#blocked = needed
      ? map(textIn(this.#ws, this.#folder, 'blocked.md'), parseBlocked)
      : undefined);
  }
}

/** Everything of it, as it is now: for whoever goes on to change its folder. */
export function wholeTask(task: TaskRead): TaskRead {
  const { id, state, contract, contract_hash, inputs_hash, attempts } = task;
  const { questions, review, decision, blocked, confirming: now, problems, since_ms } = task;
  const has = {
    status: task.has.status,
    questions: task.has.questions,
    result: task.has.result,
    review: task.has.review,
    blocked: task.has.blocked,
  };
  const known = { id, state, contract, contract_hash, inputs_hash, attempts, has };
  return { ...known, questions, review, decision, blocked, confirming: now, problems, since_ms };
}

function mayBeClaimed(state: State): boolean {
  return state === 'ready' || state === 'in_progress';
}

/** Which of the current files lie there, each as it was when first asked about. */
class Lying implements Presence {
  readonly #ws: Workspace;
  readonly #folder: string;
  readonly #known: Partial<Record<keyof Presence, boolean>> = {};

  constructor(ws: Workspace, folder: string) {
    this.#ws = ws;
    this.#folder = folder;
  }

  #look(name: keyof Presence): boolean {
    return (this.#known[name] ??= this.#ws.disk.stat(`${this.#folder}/${name}.md`) !== undefined);
  }

  get status(): boolean {
    return this.#look('status');
  }

  get questions(): boolean {
    return this.#look('questions');
  }

  get result(): boolean {
    return this.#look('result');
  }

  get review(): boolean {
    return this.#look('review');
  }

  get blocked(): boolean {
    return this.#look('blocked');
  }
}

/** A link there would lead claims and records out of the task. */
function oddAttempts(ws: Workspace, folder: string): Problem {
  return problem({
    code: 'not_a_file',
    file: shown(ws.layout, attemptsFolder(folder)),
    message: 'attempts is a link or a file',
    expected: 'a folder',
    fix: 'Put back the folder of this task, or remove it when there never was one',
  });
}

function textIn(ws: Workspace, folder: string, name: string): Result<string> {
  const path = `${folder}/${name}`;
  return readText(ws.disk, path, shown(ws.layout, path));
}

function map<A, B>(result: Result<A>, change: (value: A) => B): Result<B> {
  return result.ok ? ok(change(result.value), result.warnings) : result;
}

function wholeContract(ws: Workspace, read: Result<Contract>): Result<Contract> {
  if (!read.ok) return read;
  const whole = completed(ws, read.value);
  return whole === read.value ? read : ok(whole, read.warnings);
}
