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

/** The places of the fields in a row, behind its key. */
export const FIELD = {
  id: 0,
  state: 1,
  /** Questions about other tasks, each followed by its answer, a line each. */
  asked: 2,
  parent: 3,
  awaited: 4,
  attempt: 5,
  troubled: 6,
  priority: 7,
  since_ms: 8,
  stands_ms: 9,
  title: 10,
  agent: 11,
  plan: 12,
  tags: 13,
  code: 14,
  reason: 15,
  fix: 16,
  more: 17,
  /** Empty where the kind of the task is the plain one. */
  kind: 18,
  head: 19,
} as const;

/** Before the fields: whose row it is, and what was looked at, relative to the task (`./`) or the workspace, a line each. */
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
export function rowOf(
  glance: Glance,
  wait: Wait,
  task: Pick<TaskRead, 'contract' | 'kind'>,
  about: { readonly asked: string; readonly troubled: boolean },
): string | undefined {
  const { ok } = task.contract;
  const contract = task.contract.ok ? task.contract.value : undefined;
  const { besides, comments, tags } = glance;
  const { problems, until, code, reason, fix } = wait;
  const more: More = {
    ...(problems.length === 0 ? {} : { problems }),
    ...(until === undefined ? {} : { until }),
    ...(besides === '' ? {} : { besides }),
    ...(comments.length === 0 ? {} : { comments }),
  };
  const isPlain = ok && task.contract.warnings.length === 0;
  const fields = [
    glance.id,
    STATES.indexOf(glance.state),
    about.asked,
    contract?.head.parent ?? '',
    contract === undefined ? '' : awaitedBy(contract).join(' '),
    glance.attempt,
    about.troubled ? 1 : '',
    PRIORITIES.indexOf(glance.priority),
    glance.since_ms,
    glance.stands_ms,
    glance.title,
    glance.agent,
    glance.plan ?? '',
    tags.length === 0 ? '' : JSON.stringify(tags),
    code,
    reason,
    fix,
    Object.keys(more).length === 0 ? '' : JSON.stringify(more),
    task.kind === PLAIN ? '' : task.kind.name,
    contract !== undefined && isPlain ? JSON.stringify(givenOf(contract.head)) : '',
  ];
  const row = fields.join(FIELD_END);
  return row.split(FIELD_END).length === fields.length ? row : undefined;
}

export function fieldsOf(row: string): readonly string[] {
  return row.split(FIELD_END);
}

export function stateIn(fields: readonly string[]): State {
  return STATES[Number(fields[FIELD.state])] ?? 'draft';
}

export function glanceOf(fields: readonly string[]): Glance {
  const text = (at: number): string => fields[at] ?? '';
  const code = text(FIELD.code) as Wait['code'];
  const more = text(FIELD.more);
  const { problems = [], besides = '', comments = [], ...rest } = moreOf(more);
  const tags = text(FIELD.tags);
  return {
    id: text(FIELD.id),
    state: stateIn(fields),
    title: text(FIELD.title),
    agent: text(FIELD.agent),
    priority: PRIORITIES[Number(fields[FIELD.priority])] ?? 'medium',
    plan: text(FIELD.plan) || undefined,
    tags: tags === '' ? [] : (JSON.parse(tags) as readonly string[]),
    attempt: Number(fields[FIELD.attempt]),
    since_ms: Number(fields[FIELD.since_ms]),
    stands_ms: Number(fields[FIELD.stands_ms]),
    action: {
      kind: 'wait',
      code,
      on: WAITS[code],
      reason: text(FIELD.reason),
      fix: text(FIELD.fix),
      problems,
      ...rest,
    },
    besides,
    comments,
  };
}

const NO_MORE: More = {};

function moreOf(text: string): More {
  return text === '' ? NO_MORE : (JSON.parse(text) as More);
}
