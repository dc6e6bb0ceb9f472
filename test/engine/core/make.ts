/**
 * Small makers of core values for the tables: a contract, an attempt, a task as read, facts about
 * the world. Each gives the plainest value; a test names only what it is about.
 */
import {
  contractHeadSchema,
  type ContractHead,
} from '../../../src/task/core/model/contract-shape.ts';
import { PERSON, type Check, type Contract } from '../../../src/task/core/model/contract.ts';
import { moveByKind } from '../../../src/engine/core/decide/make-action.ts';
import { ok, refused } from '../../../src/task/core/model/problem.ts';
import type {
  Attempt,
  OutcomeName,
  OutcomeRecord,
  OwnerRecord,
} from '../../../src/task/core/attempts/record.ts';
import type { State } from '../../../src/task/core/model/state.ts';
import {
  PLAIN,
  type CurrentFile,
  type Facts,
  type Kind,
  type TaskRead,
  type WholeTask,
} from '../../../src/task/core/model/task.ts';
import { rows } from '../../../src/task/core/model/transitions.ts';
import type { Action } from '../../../src/task/core/model/action.ts';
import { gatesOf } from '../../../src/task/core/model/policy.ts';
import { decide } from '../../../src/engine/core/decide/decide.ts';

export interface ContractInput {
  readonly head?: Partial<ContractHead>;
  readonly checks?: readonly Check[];
  readonly criteria?: readonly string[];
}

export function makeContract(input: ContractInput = {}): Contract {
  return {
    head: { ...contractHeadSchema().parse({}), ...input.head },
    title: 'A task',
    checks: input.checks ?? [],
    objective: 'It is done',
    requirements: '',
    instructions: '',
    criteria: (input.criteria ?? ['It works']).map((text, i) => ({ number: i + 1, text, line: i })),
    context_files: [],
    steps: [],
    rest: '',
    unknown_keys: [],
    lines: new Map(),
  };
}

export function makeOwner(number: number, input: Partial<OwnerRecord> = {}): OwnerRecord {
  return {
    v: 1,
    task: 'a',
    attempt: number,
    kind: 'work',
    owner: 'process',
    agent: 'builder',
    nonce: String(number),
    base: number - 1,
    claimed: '2026-11-21T12:00:00Z',
    contract: 'c1',
    inputs: 'i1',
    baseline: [],
    pid: 1,
    start: '1',
    boot: 'b',
    pid_ns: 'n',
    host: 'h',
    machine: 'm',
    ...input,
  };
}

export interface AttemptInput extends Partial<Omit<Attempt, 'outcome' | 'owner'>> {
  readonly outcome?: OutcomeName | undefined;
  readonly record?: Partial<OutcomeRecord>;
  readonly owner?: Partial<OwnerRecord> | undefined;
}

const REVIEWS: ReadonlySet<OutcomeName> = new Set([
  'approved',
  'needs_work',
  'reject',
  'unverified',
  'awaits_person',
]);

export function makeAttempt(number: number, input: AttemptInput = {}): Attempt {
  const { outcome, owner, record, ...rest } = input;
  const kind = rest.kind ?? (outcome !== undefined && REVIEWS.has(outcome) ? 'review' : 'work');
  return {
    number,
    lost: false,
    kind,
    owner: makeOwner(number, { kind, ...owner }),
    agent: undefined,
    check: undefined,
    exit: undefined,
    outcome:
      outcome === undefined
        ? undefined
        : {
            v: 1,
            attempt: number,
            kind,
            outcome,
            reason: `it ended as ${outcome}`,
            at: '2026-11-21T12:00:00Z',
            enforced: [],
            changed: [],
            ...record,
          },
    leased: outcome === undefined,
    blocked: false,
    anew: false,
    ...rest,
  };
}

/** A kind that no capability has: with all that a kind may have. */
export const OTHER: Kind = {
  name: 'other',
  is: ({ head }) => head.type === 'custom',
  works: false,
  table: [
    ...rows(['ready', 'in_progress'], ['other_asked'], { to: 'questions', when: 'it asks' }),
    ...rows('questions', ['other_yes'], { to: 'done', when: 'it is decided' }),
  ],
  decision: {
    words: new Map([
      ['YES', 'it goes on'],
      ['NO', 'it does not'],
    ]),
    question: 'Shall it go on?',
    parse: () => ({ decision: undefined, ticked: [], boxes: 2, notes: '' }),
    stopped: (reason) => `${reason}, too often`,
  },
  decide: (task) => {
    const form = task.decision?.ok === true ? task.decision.value : undefined;
    const yes = task.state === 'questions' && task.contract.ok && form?.decision === 'YES';
    return yes ? moveByKind(task, 'other_yes', 'YES') : undefined;
  },
  asked: ({ head }) => head.agent ?? PERSON,
  asks: { trigger: 'other_asked', reason: 'it may go on' },
  joins: true,
  repeats: true,
};

/** A task and what a test says of its folder: `readOf` and `knownOf` take it apart. */
export interface MadeTask extends WholeTask {
  readonly has: Readonly<Record<CurrentFile, boolean>>;
  readonly blocked: Facts['blocked'];
}

/** Facts that no file of the task's folder says. */
export interface MadeFacts extends Omit<
  Facts,
  | 'contract_hash'
  | 'has_result'
  | 'has_questions'
  | 'blocked'
  | 'confirming'
  | 'inputs_hash'
  | 'gates'
> {
  /** The agent that its category names to review. */
  readonly reviewer: string | undefined;
}

/** As the reader gives it: a form is read where its file is there. */
export function readOf(task: MadeTask): TaskRead {
  const { id, state, contract, kind, source, attempts, problems, since_ms, has } = task;
  return {
    id,
    state,
    contract,
    kind,
    source,
    attempts,
    problems,
    since_ms,
    questions: has.questions ? (task.questions ?? refused([])) : undefined,
    decision: has.questions ? (task.decision ?? refused([])) : undefined,
    review: has.review ? (task.review ?? refused([])) : undefined,
  };
}

export function knownOf(task: MadeTask, { reviewer, ...facts }: MadeFacts): Facts {
  const { has, blocked, confirming, contract_hash, inputs_hash, contract } = task;
  return {
    ...facts,
    has_result: has.result,
    has_questions: has.questions,
    blocked: has.blocked ? (blocked ?? refused([])) : undefined,
    confirming,
    contract_hash,
    inputs_hash,
    gates: contract.ok ? gatesOf(contract.value, reviewer) : [],
  };
}

/** With all facts known. */
export function decideOn(task: MadeTask, facts: MadeFacts): Action {
  const answer = decide(readOf(task), knownOf(task, facts));
  if (answer.kind === 'needs') throw new Error(`asks for ${answer.facts.join(', ')}`);
  return answer;
}

export function makeTask(state: State, input: Partial<MadeTask> = {}): MadeTask {
  return {
    id: 'a',
    state,
    contract: ok(makeContract({ checks: [{ kind: 'run', command: 'true' }] })),
    kind: PLAIN,
    contract_hash: 'c1',
    source: { hash: '' },
    inputs_hash: 'i1',
    attempts: [],
    has: { status: false, questions: false, result: false, review: false, blocked: false },
    questions: undefined,
    review: undefined,
    decision: undefined,
    blocked: undefined,
    has_review: input.has?.review === true,
    has_blocked: input.has?.blocked === true,
    confirming: undefined,
    problems: [],
    since_ms: 0,
    ...input,
  };
}

export function makeFacts(input: Partial<MadeFacts> = {}): MadeFacts {
  return {
    holder: 'none',
    dependencies: [],
    open_children: [],
    aborted_parent: undefined,
    cycle: undefined,
    preflight: [],
    overlap: undefined,
    over_budget: undefined,
    pause: undefined,
    hold: undefined,
    turn_taken: undefined,
    reviewer: undefined,
    executor_mode: 'process',
    can_ask: true,
    handed_in: false,
    unread_result: undefined,
    earlier_left: false,
    unprepared: undefined,
    ...input,
  };
}

export const HAS_NOTHING = makeTask('draft').has;

/** An action in few words: its kind, whom it is for or where it goes, and its reason. */
export function words(action: Action): string {
  switch (action.kind) {
    case 'wait':
      return `wait ${action.code}: ${action.reason}`;
    case 'write':
      return `write ${action.what}`;
    case 'claim':
      return `claim ${action.attempt} ${action.work} by ${action.owner}${action.gate === '' ? '' : `, ${action.gate}`}${action.recovers ? ', recovers' : ''}`;
    case 'settle':
    case 'stop':
      return `${action.kind} ${action.attempt}: ${action.reason}`;
    case 'move':
      return `move ${action.to}: ${action.trigger}`;
  }
}
