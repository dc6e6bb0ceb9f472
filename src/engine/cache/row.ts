/**
 * What is said of a task that waits, and the same as a row of text: a few fields, each as short as it can be.
 * A field that holds a separator makes no row.
 */
import { givenOf } from '../../task/core/model/parse-head.ts';
import { PRIORITIES, type Priority } from '../../task/core/model/contract-shape.ts';
import type { Action, Wait } from '../../task/core/model/action.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { STATES, type State } from '../../task/core/model/state.ts';
import { awaitedBy, PLAIN, type TaskRead } from '../../task/core/model/task.ts';
import { WAITS } from '../../task/core/model/wait-codes.ts';

/** A task as `list` and `step` see it: what it waits for, or what happens next with it. */
export interface Glance {
  readonly id: string;
  readonly state: State;
  readonly title: string;
  /** The name of its executor; empty where the contract cannot be read. */
  readonly agent: string;
  readonly priority: Priority;
  readonly plan: string | undefined;
  readonly tags: readonly string[];
  /** The number of the last one, or 0. */
  readonly attempt: number;
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

/** In this order. */
const FIELDS = [
  // Questions about other tasks, each followed by its answer, a line each.
  ...(['asked', 'parent', 'awaited', 'attempt', 'troubled', 'priority', 'since_ms'] as const),
  ...(['stands_ms', 'title', 'agent', 'plan', 'tags', 'code', 'reason', 'fix', 'more'] as const),
  // Empty where it is the plain one.
  'kind',
] as const;

/** The places of the fields in a row. */
export const FIELD = Object.fromEntries(FIELDS.map((name, at) => [name, at])) as {
  readonly [K in (typeof FIELDS)[number]]: number;
};

/** Before the fields: whose row it is, and what was looked at, a line each. */
export function keyOf(id: string, state: State, paths: string): string {
  return `${id}${FIELD_END}${STATES.indexOf(state)}${FIELD_END}${paths}`;
}

/** The paths behind such a key; undefined where it is of another task, or of another state. */
export function pathsIn(key: string, id: string, state: State): string | undefined {
  const start = keyOf(id, state, '');
  return key.startsWith(start) ? key.slice(start.length) : undefined;
}

export function idIn(key: string): string {
  return key.slice(0, key.indexOf(FIELD_END));
}

/** Beside the words of the wait; most tasks have nothing of it. */
type More = Partial<Pick<Wait, 'problems' | 'until'> & Pick<Glance, 'besides' | 'comments'>>;

/** undefined where it cannot be a row. */
export function fieldsFrom(
  glance: Glance,
  { problems, until, code, reason, fix }: Wait,
  task: Pick<TaskRead, 'contract' | 'kind'>,
  about: { readonly asked: string; readonly troubled: boolean },
): string | undefined {
  const contract = task.contract.ok ? task.contract.value : undefined;
  const { besides, comments, tags, priority, plan, ...rest } = glance;
  const more: More = {
    ...(problems.length === 0 ? {} : { problems }),
    ...(until === undefined ? {} : { until }),
    ...(besides === '' ? {} : { besides }),
    ...(comments.length === 0 ? {} : { comments }),
  };
  const row: Record<keyof typeof FIELD, string | number> = {
    ...rest,
    ...{ code, reason, fix, asked: about.asked, plan: plan ?? '' },
    priority: PRIORITIES.indexOf(priority),
    parent: contract?.head.parent ?? '',
    awaited: contract === undefined ? '' : awaitedBy(contract).join(' '),
    troubled: about.troubled ? 1 : '',
    tags: tags.length === 0 ? '' : JSON.stringify(tags),
    more: Object.keys(more).length === 0 ? '' : JSON.stringify(more),
    kind: task.kind === PLAIN ? '' : task.kind.name,
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

export function glanceOf(
  { id, state }: Pick<TaskRead, 'id' | 'state'>,
  fields: readonly string[],
): Glance {
  const code = fields[FIELD.code] as Wait['code'];
  const { [FIELD.more]: more = '', [FIELD.tags]: tags = '' } = fields;
  const rest = more === '' ? NO_MORE : (JSON.parse(more) as More);
  const { problems = [], besides = '', comments = [], until } = rest;
  const { [FIELD.reason]: reason = '', [FIELD.fix]: fix = '' } = fields;
  const wait = { kind: 'wait', code, on: WAITS[code], reason, fix, problems } as const;
  return {
    id,
    state,
    title: fields[FIELD.title] ?? '',
    agent: fields[FIELD.agent] ?? '',
    priority: PRIORITIES[Number(fields[FIELD.priority])] ?? 'medium',
    plan: fields[FIELD.plan] || undefined,
    tags: tags === '' ? [] : (JSON.parse(tags) as readonly string[]),
    attempt: Number(fields[FIELD.attempt]),
    since_ms: Number(fields[FIELD.since_ms]),
    stands_ms: Number(fields[FIELD.stands_ms]),
    action: until === undefined ? wait : { ...wait, until },
    besides,
    comments,
  };
}
