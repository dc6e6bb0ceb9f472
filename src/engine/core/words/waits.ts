/**
 * The words for each reason to wait, by its code: why, and the command or edit that ends it; empty
 * when time alone does. Every wait is made here, so none is without a code.
 */
import { given } from '../../../task/core/base/defined-fields.ts';
import { cycleWords } from '../../../task/core/base/dependency-graph.ts';
import { attemptName } from '../../../task/core/attempts/record.ts';
import type { Wait } from '../../../task/core/model/action.ts';
import { WAITS, type WaitCode } from '../../../task/core/model/wait-codes.ts';
import {
  STATUS_FORM,
  tickedWords,
  VERDICT_FORM,
  type Question,
  type ReviewDocument,
  type UnreadLine,
} from '../../../task/core/model/documents.ts';
import { beginningOf } from './answers.ts';
import {
  formatProblem,
  type Fault,
  type FaultCode,
  type Problem,
} from '../../../task/core/model/problem.ts';
import type { State } from '../../../task/core/model/state.ts';
import type { Dependency, Facts, Hold } from '../../../task/core/model/task.ts';

type Words = readonly [reason: string, fix: string];

type Task = Pick<Dependency, 'id'>;

interface Running extends Task {
  /** `try 2`. */
  readonly name: string;
}

interface Verdict extends Task {
  readonly review: ReviewDocument;
  /** Why the last reviewer gave none. */
  readonly without: string | undefined;
}

interface Blocked extends Task {
  readonly why: string;
  readonly word: string | undefined;
  readonly criterion?: boolean;
}

interface Undecided extends Task {
  readonly boxes: number;
  readonly ticked: readonly string[];
  /** The agent that has not decided, where one was to. */
  readonly who: string | undefined;
  readonly words: readonly string[];
}

interface Unknown extends Task {
  /** The command that makes it, where one does. */
  readonly made_by: string | undefined;
  /** The key of the contract that names it. */
  readonly key: string;
}

/** Why words are not an answer, and the edit that makes them one. */
const UNREAD: Readonly<Record<NonNullable<Question['unread']>['why'], Words>> = {
  nothing: ['is no answer', ''],
  aside: ['is a heading or quotation alone, and no answer', 'write the answer in place of it'],
  contradicts: ['is a tick and a text that contradict each other', 'leave one of them'],
  section: ['is a section of its own, and no answer', 'put each answer below its ### Answer'],
};

interface Slots {
  readonly parallel: number;
  /** The state or client, where the limit is by one of these. */
  readonly of?: string;
  /** A task that has one of them. */
  readonly by?: string | undefined;
}

const WAIT_WORDS = {
  problem: ({ problems }: { readonly problems: readonly Problem[] }): Words => {
    const first = problems.find((p) => p.severity === 'error') ?? problems[0];
    if (first === undefined) return ['cannot be read', 'contracts check'];
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    return [`${formatProblem(first)}${more}`, 'contracts check'];
  },
  two_states: ({ states }: { readonly states: readonly State[] }): Words => [
    `is in ${states.join(' and in ')}; neither folder is changed`,
    'contracts doctor',
  ],
  ended: ({ id, state, rest = '' }: Task & { readonly state: State; readonly rest?: string }) =>
    [`is ${state}${rest}`, `contracts retry ${id} --again`] as const,
  no_move: ({ reason }: Pick<Hold, 'reason'>): Words => [reason, ''],
  unconfirmed: ({ id }: Task): Words => ['not confirmed yet', `contracts confirm ${id}`],
  asked_since: (): Words => ['another round has asked it since', ''],
  not_asked: ({ state }: { readonly state: State }): Words => [
    ['draft', 'ready'].includes(state)
      ? 'a script, a person and a host are not asked'
      : `it is in ${state}: only drafts and ready tasks are asked`,
    '',
  ],
  contract_changed: ({ id, unclear }: Task & { readonly unclear: boolean }): Words => [
    `${unclear ? 'the answer is neither take nor restore; ' : ''}the contract changed while an agent ran that could write it, see questions.md`,
    `contracts answer ${id} take, or contracts answer ${id} restore`,
  ],
  untrusted: ({ reason, fix }: Hold): Words => [reason, fix],

  dependency_aborted: ({
    id,
    state,
    next,
  }: Dependency & { /** What else is to be done. */ readonly next: string }): Words => {
    const reopen = state === 'archived_aborted' ? '' : `contracts retry ${id} --again, or `;
    const fix = `${reopen}take ${reopen === '' ? id : 'it'} out of depends_on${next}`;
    return [`dependency ${id} is aborted`, fix];
  },
  dependency_cycle: ({ cycle, key }: { readonly cycle: readonly string[]; readonly key: string }) =>
    [`depends on itself: ${cycleWords(cycle)}`, `edit ${key}`] as const,
  dependency_unknown: ({ id, made_by, key }: Unknown): Words => [
    `depends on ${id}, which does not exist`,
    `${made_by === undefined ? '' : `${made_by}, or `}edit ${key}`,
  ],
  dependency_archived: ({ id }: Task): Words => [
    `depends on ${id}, which is archived without an approval`,
    `take ${id} out of depends_on, or move it to done/`,
  ],
  parent_aborted: ({ id, parent }: Task & { readonly parent: string }): Words => [
    `its parent ${parent} is aborted`,
    `contracts abort ${id}, or contracts retry ${parent} --again`,
  ],
  dependencies: ({ pending }: { readonly pending: readonly Dependency[] }): Words => {
    const [first] = pending;
    // Every verb but this one refuses a task that is there twice.
    const fix =
      first?.places === undefined ? `contracts show ${first?.id ?? ''}` : 'contracts doctor';
    return [`waits for ${pending.map(pendingWords).join(', ')}`, fix];
  },
  children: ({ children }: { readonly children: Facts['open_children'] }): Words => {
    const list = children.map(({ id, state }) => `${id} (${state})`).join(', ');
    return [`waits for its children ${list}`, `contracts show ${firstChild(children)?.id ?? ''}`];
  },
  same_file: ({ id, path }: Task & { readonly path: string }): Words => [
    `waits for ${id}, which writes ${path} too`,
    `contracts show ${id}`,
  ],

  budget: ({ reason, fix }: Hold): Words => [reason, fix],
  run_budget: ({ used, key }: { readonly used: string; readonly key: string }): Words => [
    `this run has used ${used} (run_${key})`,
    `contracts run again, or raise run_${key} in config.yaml`,
  ],
  pause: ({ id, reason }: Task & Pick<Hold, 'reason'>): Words => [
    reason,
    `contracts note ${id} "…" to try at once`,
  ],
  day_budget: ({ used }: { readonly used: string }): Words => [
    `the calls of today have used ${used} (day_cost_max)`,
    'contracts run tomorrow, or raise day_cost_max in config.yaml',
  ],
  paused: ({ reason }: Pick<Hold, 'reason'>): Words => [
    `everything is paused${reason === '' ? '' : `: ${reason}`}`,
    'contracts pause --end',
  ],
  run_until: ({ until }: { readonly until: string }): Words => [
    `this run begins nothing after ${until}`,
    'contracts run',
  ],
  slots: ({ parallel, of, by }: Slots): Words => {
    const some = parallel === 1 ? 'the only slot' : `all ${parallel} slots`;
    const whose = of === undefined ? '' : ` of ${of}`;
    const fix = by === undefined ? '' : `contracts show ${by}`;
    return [`${some}${whose} ${parallel === 1 ? 'is' : 'are'} taken`, fix];
  },
  next_step: ({
    gate,
  }: {
    /** undefined: of its work. */ readonly gate: string | undefined;
  }): Words => [
    `${gate === undefined ? 'is tried again' : `${gate} is asked`} by the next step`,
    '',
  ],
  held: ({ reason, fix }: Hold): Words => [reason, fix],
  turn: ({ turn, other }: { readonly turn: string; readonly other: string }): Words => [
    `${turn} allows one task at a time: ${other} is running`,
    '',
  ],

  running: ({ id, name }: Running): Words => [`${name} is running`, `contracts logs ${id} -f`],
  running_elsewhere: ({ name, host }: Pick<Running, 'name'> & { readonly host: string }) =>
    [
      `${name} runs on ${host}`,
      'contracts doctor --recover NAME, if that machine is gone for good',
    ] as const,
  orphaned: ({ id, name }: Running): Words => [
    `${name} is still running although its runner has exited; waiting for it`,
    `contracts logs ${id} -f, or contracts abort ${id}`,
  ],
  owner_unreadable: ({ attempt }: { readonly attempt: number }): Words => [
    `owner.md of attempt ${attempt} cannot be read`,
    'contracts doctor',
  ],
  to_delegate: ({ id }: Task): Words => ['waits for a host to take it', `contracts delegate ${id}`],
  delegated: ({ id, name }: Running): Words => [
    `delegated to a host as ${name}`,
    `contracts collect ${id}`,
  ],
  status_unread: ({ id, unread }: Task & { readonly unread: UnreadLine }): Words => [
    `result.md has no readable status: ${resultOf(id)}:${unread.line} has ${JSON.stringify(unread.found)}`,
    `write ${STATUS_FORM} there`,
  ],
  /** `before`: the last attempt that ended, which keeps what a person wrote. */
  in_hands: ({
    id,
    has_result,
    before,
  }: Task & { readonly has_result: boolean; readonly before?: number | undefined }): Words => [
    before === undefined
      ? 'a person is working on it'
      : `a person is working on it; what was written before is in active_tasks/in_progress/${id}/attempts/${attemptName(before)}/`,
    `${has_result ? 'fill in' : 'write'} ${resultOf(id)}, or write questions.md there; once it is done: contracts approve ${id}`,
  ],

  no_questions: (): Words => [
    'there is no questions.md',
    'write questions.md, or move the folder on',
  ],
  question_gone: ({ number, text }: { readonly number: number; readonly text: string }): Words => [
    `question ${number} is no longer in questions.md: ${text}`,
    'put it back there and answer it, or move the folder to ready/',
  ],
  questions: ({
    id,
    open,
    total,
  }: Task & {
    readonly open: readonly Pick<Question, 'text' | 'unread'>[];
    readonly total: number;
  }) => {
    const many = open.length === 1 ? 'a question' : `${open.length} questions`;
    const some = open.length < total ? ` (${total - open.length} of ${total} answered)` : '';
    const unread = open.find((one) => one.unread !== undefined)?.unread;
    const asks = `asks ${many}${some}: ${open[0]?.text ?? ''}`;
    if (unread === undefined) return [asks, `contracts answer ${id}`] as const;
    const [why, edit] = UNREAD[unread.why];
    const fix =
      edit === ''
        ? `contracts answer ${id}`
        : `${edit} in active_tasks/questions/${id}/questions.md`;
    return [`${JSON.stringify(beginningOf(unread.found))} ${why}; ${asks}`, fix] as const;
  },
  unanswered: ({ id, name, has_questions }: Running & { readonly has_questions: boolean }) =>
    [
      `${name} asked questions and has no answer yet`,
      has_questions
        ? `contracts answer ${id} "…", or contracts note ${id} "…"`
        : `contracts note ${id} "…"`,
    ] as const,
  decision_paused: ({
    id,
    reason,
    word,
  }: Task & Pick<Hold, 'reason'> & { readonly word: string }) =>
    [reason, `contracts answer ${id} ${word}`] as const,
  decision: ({ id, boxes, ticked, who, words }: Undecided): Words => {
    const several = ticked.length > 1 ? `${tickedWords(ticked)}; ` : '';
    const why = boxes === 0 ? 'questions.md has no box that can be read; ' : several;
    const whose = who === undefined ? 'a person' : `a person, since ${who} has not decided`;
    const reason = `${why}waits for ${words.slice(0, -1).join(', ')} or ${words.at(-1)} by ${whose}`;
    return [reason, `contracts answer ${id} ${words[0]}`];
  },

  no_result: (): Words => ['there is no result.md', 'write result.md, or move the folder on'],
  unprepared: ({ message, fix }: Pick<Problem, 'message' | 'fix'>): Words => [message, fix],
  // Only shown: a step calls it again.
  client_fault: ({ message, fault, fix }: Pick<Fault, 'message' | 'fault' | 'fix'>): Words => [
    message,
    thenRun(fault, fix),
  ],
  verdict: ({ id, review, without }: Verdict): Words => [
    `${without === undefined ? '' : `${without}; `}${whatIsMissing(id, review)}`,
    `contracts approve ${id}, or needs-work, or reject`,
  ],
  /** `word`: a decision that a person can give instead of a resolution. `criterion`: one that nobody ticks stopped it. */
  blocked: ({ id, why, word, criterion = false }: Blocked): Words => {
    const mend = criterion ? `contracts edit ${id} contract, or ` : '';
    const say = word === undefined ? `retry ${id} "…"` : `answer ${id} ${word}`;
    return [why, `${mend}contracts ${say}, or contracts retry ${id}`];
  },
} satisfies { readonly [C in WaitCode]: (fields: never) => Words };

type Fields<C extends WaitCode> = Parameters<(typeof WAIT_WORDS)[C]>[0];

export function wait<C extends WaitCode>(
  code: C,
  fields: Fields<C>,
  problems: readonly Problem[] = [],
): Wait {
  const words = WAIT_WORDS[code] as (fields: Fields<C>) => Words;
  const [reason, fix] = words(fields);
  const behind = BEHIND[code]?.(fields as never);
  return { kind: 'wait', code, on: WAITS[code], reason, fix, problems, ...given({ behind }) };
}

/** The task whose end or next state a wait is for. */
const BEHIND: { readonly [C in WaitCode]?: (fields: Fields<C>) => string | undefined } = {
  dependencies: ({ pending }) => pending[0]?.id,
  children: ({ children }) => firstChild(children)?.id,
  same_file: ({ id }) => id,
  slots: ({ by }) => by,
  turn: ({ other }) => other,
};

function firstChild(children: Facts['open_children']): Facts['open_children'][number] | undefined {
  return children.find(({ state }) => state === 'questions') ?? children[0];
}

export function refusal(problems: readonly Problem[]): Wait {
  return wait('problem', { problems }, problems);
}

function resultOf(id: string): string {
  return `active_tasks/in_progress/${id}/result.md`;
}

function pendingWords({ id, state, places, asks }: Dependency): string {
  // What its agent did not decide, a person does.
  const left = state === 'questions' || state === 'blocked';
  if (asks !== undefined) {
    return `${asks.word} at ${id} (${state}), by ${left ? 'a person' : asks.by}`;
  }
  return `${id} (${places?.join(' and ') ?? state})`;
}

function whatIsMissing(id: string, { ticked, boxes, unread }: ReviewDocument): string {
  if (unread !== undefined && ticked.length < 2) {
    const place = `active_tasks/review/${id}/review.md:${unread.line}`;
    return `${place} has ${JSON.stringify(unread.found)}; expected ${VERDICT_FORM}`;
  }
  if (boxes === 0) return 'review.md has no box that can be read';
  return `waits for a verdict in review.md${ticked.length > 1 ? ` (${tickedWords(ticked)})` : ''}`;
}

/** Says what to do about a fault of this code, and how the tasks continue after that. */
export function thenRun(fault: FaultCode | undefined, fix: string): string {
  // A cure of the disk may be a command line, to be copied as it stands.
  if (fault === 'disk') return 'mend it as said above, then contracts run';
  return fault !== undefined && BARE.has(fault) && fix !== '' ? `${fix}, then contracts run` : fix;
}

/** Faults whose cure names no command that goes on. */
const BARE: ReadonlySet<FaultCode> = new Set<FaultCode>(['login', 'workspace', 'tree']);
