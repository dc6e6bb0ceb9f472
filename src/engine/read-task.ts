/**
 * One task of the tree as plain data: its contract, its attempts, and the files that its state needs.
 * A listing of thousands of tasks asks for little of each, so what a reason to wait seldom needs
 * (hashes, inputs, which files lie there) is looked for when it is asked for, once; whoever changes
 * the folder takes `wholeTask` first. Looks at files; judges nothing.
 */
import type { Contract } from '../core/contract.ts';
import { ok, problem, refused, type Problem, type Result } from '../core/problem.ts';
import type { Attempt } from '../core/record.ts';
import type { State } from '../core/state.ts';
import type { Presence, TaskRead } from '../core/task.ts';
import { sha256 } from '../store/hash.ts';
import { attemptsFolder, shown, taskFolder } from '../store/layout.ts';
import { parseContract } from '../text/contract.ts';
import { parseBlocked, parseQuestions, parseReview } from '../text/documents.ts';
import { decodeText } from '../text/front-matter.ts';
import { keptDesk, readAttempts, type AttemptsRead } from './attempts.ts';
import { gatherInputs, hashInputs } from './inputs.ts';
import { readBytes, readText } from './read-text.ts';
import type { Workspace } from './workspace.ts';

const NEVER_CLAIMED: AttemptsRead = { attempts: [], problems: [] };

/**
 * undefined when somebody moved the folder meanwhile. `counted_on`: the device on which a folder's
 * link count is known to tell how many folders are in it, so that an empty one needs no listing.
 */
export function readTask(
  ws: Workspace,
  state: State,
  id: string,
  counted_on?: number,
): TaskRead | undefined {
  const folder = taskFolder(ws.layout, state, id);
  const seen: { mtime_ms?: number } = {};
  const read = readContract(ws, folder, id, seen);
  if (seen.mtime_ms === undefined && ws.disk.stat(folder)?.kind !== 'folder') return undefined;
  const since_ms = seen.mtime_ms ?? ws.disk.stat(`${folder}/contract.md`)?.mtime_ms ?? 0;
  const place = ws.disk.stat(attemptsFolder(folder));
  const odd = place !== undefined && place.kind !== 'folder';
  const empty = place === undefined || (place.links === 2 && place.device === counted_on);
  const { attempts, problems } = odd || empty ? NEVER_CLAIMED : readAttempts(ws, folder, id);
  const has = new Lying(ws, folder);
  const state_file = (name: keyof Presence, wanted: State): Result<string> | undefined =>
    state === wanted && has[name] ? textIn(ws, folder, `${name}.md`) : undefined;
  let inputs_hash: string | undefined;
  let blocked: TaskRead['blocked'] | null = null;
  return {
    id,
    state,
    contract: odd ? refused([oddAttempts(ws, folder)]) : read.contract,
    get contract_hash() {
      return read.hash;
    },
    get inputs_hash() {
      if (!mayBeClaimed(state)) return '';
      return (inputs_hash ??= hashInputs(read.hash, gatherInputs(ws, folder, attempts)));
    },
    attempts,
    has,
    questions: map(state_file('questions', 'questions'), (text) =>
      parseQuestions(text, original(ws, folder, attempts)),
    ),
    review: map(state_file('review', 'review'), parseReview),
    get blocked() {
      if (blocked === null) {
        const needed = (state === 'blocked' || mayBeClaimed(state)) && has.blocked;
        blocked = needed ? map(textIn(ws, folder, 'blocked.md'), parseBlocked) : undefined;
      }
      return blocked;
    },
    problems,
    since_ms,
  };
}

/** Everything of it, as it is now: for whoever goes on to change its folder. */
export function wholeTask(task: TaskRead): TaskRead {
  const { status, questions, result, review, blocked } = task.has;
  return { ...task, has: { status, questions, result, review, blocked } };
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

/** The agent's own bytes of questions.md, before answer slots were added. */
export function original(
  ws: Workspace,
  folder: string,
  attempts: readonly Attempt[],
): string | undefined {
  const last = attempts.findLast(
    (attempt) => !attempt.lost && attempt.outcome?.outcome === 'questions',
  );
  if (last === undefined) return undefined;
  const read = textIn(ws, keptDesk(folder, last), 'questions.md');
  return read.ok ? read.value : undefined;
}

function map<A, B>(result: Result<A> | undefined, change: (value: A) => B): Result<B> | undefined {
  if (result === undefined || !result.ok) return result;
  return ok(change(result.value), result.warnings);
}

export interface ContractRead {
  readonly contract: Result<Contract>;
  /** sha256 of the bytes; empty when they cannot be read. */
  readonly hash: string;
}

/** `seen` gets the time of the file that was read. */
export function readContract(
  ws: Workspace,
  folder: string,
  id: string,
  seen?: { mtime_ms?: number },
): ContractRead {
  const path = `${folder}/contract.md`;
  const file = shown(ws.layout, path);
  const bytes = readBytes(ws.disk, path, file, { single_link: true, ...(seen && { seen }) });
  if (!bytes.ok) return { contract: bytes, hash: '' };
  const text = decodeText(bytes.value, file);
  if (!text.ok) return { contract: text, hash: sha256(bytes.value) };
  let hash: string | undefined;
  return {
    contract: named(parseContract(text.value, file), id, file),
    get hash() {
      // What is text is the same in bytes.
      return (hash ??= sha256(text.value));
    },
  };
}

function named(contract: Result<Contract>, id: string, file: string): Result<Contract> {
  if (!contract.ok) return contract;
  const found = contract.value.head.id;
  if (found === undefined || found === id) return contract;
  return refused([
    problem({
      code: 'id_mismatch',
      file,
      message: 'the contract names another task than its folder',
      found,
      expected: id,
      fix: 'Correct id in contract.md, or rename the folder',
    }),
  ]);
}
