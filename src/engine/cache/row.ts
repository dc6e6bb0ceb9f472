/** What is said of a task that waits, and the same as a row of text: a key, short fields, the contract's head. */
import { givenOf } from '../../task/core/model/parse-head.ts';
import { PRIORITIES } from '../../task/core/model/contract-shape.ts';
import type { Action, Wait } from '../../task/core/model/action.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { STATES, type State } from '../../task/core/model/state.ts';
import { awaitedBy, PLAIN, type TaskRead } from '../../task/core/model/task.ts';
import { WAITS } from '../../task/core/model/wait-codes.ts';
import type { LineData } from '../core/events/command-lines.ts';

/** A task as `list` and `step` see it: what it waits for, or what happens next with it. */
export interface Glance extends Pick<
  LineData<'task'>,
  'id' | 'state' | 'title' | 'agent' | 'priority' | 'plan' | 'tags' | 'attempt'
> {
  /** As in TaskRead. */
  readonly since_ms: number;
  /** Since when it stands in its state, as far as its records tell. */
  readonly stands_ms: number;
  readonly action: Action;
  /** What its reviews noticed, as words behind the reason. */
  readonly besides: string;
  /** Words that a person typed where they are not read. */
  readonly comments: readonly Problem[];
}

const FIELD_END = '\x1f';

/** In this order. `asked`: questions about other tasks, each followed by its answer, a line each. `kind`: empty for the plain one. */
const FIELDS = [
  ...(['asked', 'parent', 'awaited', 'attempt', 'troubled', 'priority', 'since_ms'] as const),
  ...(['stands_ms', 'title', 'agent', 'plan', 'tags', 'code', 'reason', 'fix', 'more'] as const),
  'kind',
] as const;

/** The places of the fields in a row. */
export const FIELD = Object.fromEntries(FIELDS.map((name, at) => [name, at])) as {
  readonly [K in (typeof FIELDS)[number]]: number;
};

/** Whose row it is, and what was looked at, a line each. */
export function keyOf(id: string, state: State, paths: string): string {
  return `${id}${FIELD_END}${STATES.indexOf(state)}${FIELD_END}${paths}`;
}

export function idIn(key: string): string {
  return key.slice(0, key.indexOf(FIELD_END));
}

/** Beside the words of the wait; most tasks have nothing of it. */
type More = Partial<Pick<Wait, 'problems' | 'until'> & Pick<Glance, 'besides' | 'comments'>>;

/** undefined where it cannot be a row. */
export function fieldsFrom(
  { besides, comments, ...glance }: Glance,
  { problems, until, code, reason, fix }: Wait,
  { contract, kind }: Pick<TaskRead, 'contract' | 'kind'>,
  about: { readonly asked: string; readonly troubled: boolean },
): string | undefined {
  const all: More = { problems, besides, comments, ...(until === undefined ? {} : { until }) };
  const more = Object.entries(all).filter(([, { length }]) => length > 0);
  const row: Record<keyof typeof FIELD, string | number> = {
    ...glance,
    code,
    reason,
    fix,
    asked: about.asked,
    plan: glance.plan ?? '',
    priority: PRIORITIES.indexOf(glance.priority),
    parent: (contract.ok && contract.value.head.parent) || '',
    awaited: contract.ok ? awaitedBy(contract.value).join(' ') : '',
    troubled: about.troubled ? 1 : '',
    tags: glance.tags.length === 0 ? '' : JSON.stringify(glance.tags),
    more: more.length === 0 ? '' : JSON.stringify(Object.fromEntries(more)),
    kind: kind === PLAIN ? '' : kind.name,
  };
  const text = FIELDS.map((name) => row[name]).join(FIELD_END);
  return fieldsOf(text).length === FIELDS.length ? text : undefined;
}

/** Empty where the whole contract is to be read each time. */
export function headText({ contract }: Pick<TaskRead, 'contract'>): string {
  const isPlain = contract.ok && contract.warnings.length === 0;
  return isPlain ? JSON.stringify(givenOf(contract.value.head)) : '';
}

export function fieldsOf(text: string): readonly string[] {
  return text.split(FIELD_END);
}

const NO_MORE: More = {};

export function glanceOf({ id, state }: TaskRead, fields: readonly string[]): Glance {
  const text = (name: keyof typeof FIELD): string => fields[FIELD[name]] ?? '';
  const [code, plan, tags, more] = [
    text('code') as Wait['code'],
    text('plan'),
    text('tags'),
    text('more'),
  ];
  const {
    problems = [],
    besides = '',
    comments = [],
    until,
  } = more === '' ? NO_MORE : (JSON.parse(more) as More);
  const words = { reason: text('reason'), fix: text('fix'), problems };
  const wait = { kind: 'wait', code, on: WAITS[code], ...words } as const;
  return {
    id,
    state,
    title: text('title'),
    agent: text('agent'),
    priority: PRIORITIES[Number(text('priority'))] ?? 'medium',
    ...(plan === '' ? {} : { plan }),
    tags: tags === '' ? [] : (JSON.parse(tags) as string[]),
    attempt: Number(text('attempt')),
    since_ms: Number(text('since_ms')),
    stands_ms: Number(text('stands_ms')),
    action: until === undefined ? wait : { ...wait, until },
    besides,
    comments,
  };
}
