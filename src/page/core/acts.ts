/** Acts of a person on the page, each by the verb that does it in a terminal. Pure. */
import type { State } from '../../task/core/model/state.ts';

/** Body of a change; nothing of it is trusted. */
export interface Given {
  readonly id?: string;
  readonly text?: string;
  readonly question?: number;
  /** State and attempt that the person saw: the task may have moved since. */
  readonly seen?: { readonly state: State; readonly attempt: number };
  readonly flags?: Readonly<Record<string, string>>;
}

export interface Act {
  /** Words on its button. */
  readonly label: string;
  /** States in which it is offered, and to which a card may be dragged for it. */
  readonly from: readonly State[];
  readonly to?: State;
  /** `must`: words are needed; `may`: they can be given. */
  readonly text?: 'must' | 'may';
  /** The command line after `contracts`. */
  words(given: Given): readonly string[];
}

const LIVE: readonly State[] = ['draft', 'ready', 'in_progress', 'questions', 'review', 'blocked'];
/** Words that begin with a dash are words. */
const on =
  (...verb: readonly string[]) =>
  ({ id = '', text = '' }: Given): readonly string[] => [
    ...verb,
    '--',
    id,
    ...(text === '' ? [] : [text]),
  ];
/** Names one task alone, whatever else is sent. */
const onOne =
  (...verb: readonly string[]) =>
  ({ id = '' }: Given): readonly string[] =>
    on(...verb)({ id });
/** Makes words for verbs that take several tasks: a text with white space is never one, nor a pattern such as `*`. */
const saying =
  (...verb: readonly string[]) =>
  ({ id = '', text = '' }: Given): readonly string[] =>
    on(...verb)({ id, text: text === '' || /\s/.test(text) ? text : `${text}\n` });

export const ACTS = {
  confirm: { label: 'Confirm', from: ['draft'], to: 'ready', words: onOne('confirm') },
  answer: {
    label: 'Answer',
    from: ['questions'],
    text: 'must',
    words: (given) =>
      on('answer', ...(given.question ? ['-q', String(given.question)] : []))(given),
  },
  approve: {
    label: 'Approve',
    from: ['review'],
    to: 'done',
    text: 'may',
    words: saying('approve'),
  },
  'needs-work': {
    label: 'Needs work',
    from: ['review'],
    to: 'ready',
    text: 'must',
    words: saying('needs-work'),
  },
  reject: { label: 'Reject', from: ['review'], text: 'must', words: saying('reject') },
  retry: { label: 'Retry', from: ['blocked'], to: 'ready', text: 'may', words: saying('retry') },
  again: {
    label: 'Do it again',
    from: ['done', 'aborted'],
    to: 'ready',
    text: 'may',
    words: saying('retry', '--again'),
  },
  note: { label: 'Leave a note', from: ['ready', 'in_progress'], text: 'must', words: on('note') },
  remember: { label: 'Accept', from: [], words: onOne('memory', 'accept') },
  forget: { label: 'Dismiss', from: [], words: onOne('memory', 'forget') },
  abort: { label: 'Abort', from: [...LIVE, 'done'], to: 'aborted', words: onOne('abort') },
} as const satisfies Readonly<Record<string, Act>>;

export type ActName = keyof typeof ACTS;

export const actsIn = (state: State): readonly ActName[] =>
  (Object.keys(ACTS) as ActName[]).filter((name) => (ACTS[name] as Act).from.includes(state));

/** The act by which a task goes from one state to another; undefined where a person has none. */
export const actFor = (from: State, to: State): ActName | undefined =>
  actsIn(from).find((name) => (ACTS[name] as Act).to === to);

/** Fields of the form for a new contract: flags of `contracts new`, with how they are asked. */
export const NEW_FIELDS = [
  ['agent', 'Agent', 'who executes it; the default one when left out'],
  ['run', 'Check', 'a command that passes when it is done, such as npm test'],
  ['deliverable', 'Deliverable', 'a file that must be there at the end'],
  ['criterion', 'Criterion', 'what must hold, in words'],
  ['depends-on', 'Waits for', 'the id of another task'],
  ['gate', 'Gate', 'who must approve: an agent, or person'],
] as const;

export function newWords({ text = '', flags = {} }: Given): readonly string[] {
  const given = NEW_FIELDS.flatMap(([name]) => {
    const value = (flags[name] ?? '').trim();
    return value === '' ? [] : [`--${name}=${value}`];
  });
  return ['new', ...given, '--', text];
}
