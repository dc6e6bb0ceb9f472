/** What is said of a task that waits, and the same as a row of text: a key, and short fields. */
import { PRIORITIES } from '../../task/core/model/contract-shape.ts';
import type { Action, Wait } from '../../task/core/model/action.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { STATES, type State } from '../../task/core/model/state.ts';
import { awaitedBy, PLAIN, type TaskRead } from '../../task/core/model/task.ts';
import { WAITS } from '../../task/core/model/wait-codes.ts';
import type { LineData } from '../core/events/command-lines.ts';

type Optional = 'plan' | 'workflow' | 'phase';

/** A task as `list` and `step` see it: what it waits for, or what happens next with it. */
export interface Glance {
  readonly task: Pick<
    LineData<'task'>,
    'id' | 'state' | 'title' | 'agent' | 'priority' | Optional | 'tags' | 'attempt'
  >;
  /** As in TaskRead. */
  readonly since_ms: number;
  /** Since when it stands in its state, as far as its records tell. */
  readonly stands_ms: number;
  readonly action: Action;
  /** Notices of its reviews, as words behind the reason. */
  readonly besides: string;
}

const FIELD_END = '\x1f';

/** In this order. `asked`: questions about other tasks, each followed by its answer, a line each. `kind`: empty for the plain one. */
const FIELDS = [
  'asked',
  'parent',
  'awaited',
  'attempt',
  'troubled',
  'priority',
  'since_ms',
  'stands_ms',
  'title',
  'agent',
  'plan',
  'workflow',
  'phase',
  'tags',
  'code',
  'reason',
  'fix',
  'behind',
  'problems',
  'kind',
] as const;

/** Names all that says how a row is read, so that a row of another version is none. */
export const ROW_FORMAT = [2, ...FIELDS, ...STATES, ...PRIORITIES].join(' ');

/** The places of the fields in a row. */
export const FIELD = Object.fromEntries(FIELDS.map((name, at) => [name, at])) as {
  readonly [K in (typeof FIELDS)[number]]: number;
};

/** The task of a row, and the paths that were looked at, a line each. */
export function keyOf(id: string, state: State, paths: string): string {
  return `${id}${FIELD_END}${STATES.indexOf(state)}${FIELD_END}${paths}`;
}

export function idIn(key: string): string {
  return key.slice(0, key.indexOf(FIELD_END));
}

/** undefined where it cannot be a row. */
export function fieldsFrom(
  { task, since_ms, stands_ms }: Glance,
  { problems, code, reason, fix, behind = '' }: Wait,
  { contract, kind }: Pick<TaskRead, 'contract' | 'kind'>,
  about: { readonly asked: string; readonly troubled: boolean },
): string | undefined {
  const textOf = (list: readonly unknown[]): string =>
    list.length === 0 ? '' : JSON.stringify(list);
  const { parent = '' } = contract.ok ? contract.value.head : {};
  const awaited = contract.ok ? awaitedBy(contract.value).join(' ') : '';
  const { title, agent, plan = '', workflow = '', phase = '', attempt } = task;
  const origin = [plan, workflow, phase];
  const urgency = PRIORITIES.indexOf(task.priority);
  // In the order of FIELDS, and by no object: there are thousands.
  const numbers = [attempt, about.troubled ? 1 : '', urgency, since_ms, stands_ms];
  const waits = [code, reason, fix, behind, textOf(problems)];
  const words = [title, agent, ...origin, textOf(task.tags), ...waits];
  const name = kind === PLAIN ? '' : kind.name;
  const fields = [about.asked, parent, awaited, ...numbers, ...words, name];
  const text = fields.join(FIELD_END);
  return fieldsOf(text).length === FIELDS.length ? text : undefined;
}

export function fieldsOf(text: string): readonly string[] {
  return text.split(FIELD_END);
}

/** undefined where it is none: whoever can write the file can write anything into it. */
export function glanceOf({ id, state }: TaskRead, fields: readonly string[]): Glance | undefined {
  const code = fields[FIELD.code] as Wait['code'];
  const [since_ms, stands_ms] = [Number(fields[FIELD.since_ms]), Number(fields[FIELD.stands_ms])];
  const tags = listOf<string>(fields[FIELD.tags], 'string');
  const problems = listOf<Problem>(fields[FIELD.problems], 'object');
  const isRow = Object.hasOwn(WAITS, code ?? '') && Number.isFinite(since_ms + stands_ms);
  if (!isRow || tags === undefined || problems === undefined) return undefined;
  const { [FIELD.plan]: plan = '', [FIELD.reason]: reason = '', [FIELD.fix]: fix = '' } = fields;
  const { [FIELD.workflow]: workflow = '', [FIELD.phase]: phase = '' } = fields;
  const behind = fields[FIELD.behind] ?? '';
  const task = {
    id,
    state,
    title: fields[FIELD.title] ?? '',
    agent: fields[FIELD.agent] ?? '',
    priority: PRIORITIES[Number(fields[FIELD.priority])] ?? 'medium',
    tags,
    attempt: Number(fields[FIELD.attempt]),
  };
  const origin = {
    ...(plan !== '' && { plan }),
    ...(workflow !== '' && { workflow }),
    ...(phase !== '' && { phase }),
  };
  const wait = { kind: 'wait', code, on: WAITS[code], reason, fix, problems } as const;
  return {
    task: plan + workflow + phase === '' ? task : { ...task, ...origin },
    since_ms,
    stands_ms,
    action: behind === '' ? wait : { ...wait, behind },
    besides: '',
  };
}

function listOf<T>(text = '', type: 'string' | 'object'): T[] | undefined {
  if (text === '') return [];
  try {
    const list = JSON.parse(text) as T[];
    return list.every((one) => one !== null && typeof one === type) ? list : undefined;
  } catch {
    return undefined;
  }
}
