/**
 * What attempts came to. Each figure is a sum over attempts, so the rows of a group add up to the total
 * (docs/reference/stats.md). What no client reported is not known: it is left out, and never 0. Pure.
 */
import { calledOnce } from '../../task/core/attempts/budget.ts';
import { FAILED } from '../../task/core/attempts/outcome-codes.ts';
import type { Attempt, OutcomeName, OutcomeRecord } from '../../task/core/attempts/record.ts';

export const GROUPS = ['agent', 'client', 'machine', 'squad', 'plan'] as const;

/** Names are empty where there is none. */
export type TaskSeen = Readonly<Record<'squad' | 'plan', string>> & {
  readonly is_done: boolean;
  readonly attempts: readonly Attempt[];
};

type Counted = Readonly<Record<(typeof GROUPS)[number], string>> & {
  readonly attempt: Attempt;
  /** When it ended, else when it was claimed; 0 where neither can be read. */
  readonly at_ms: number;
  /** The outcome with what its call used: a recovery reports that of the lost attempt again. */
  readonly used: OutcomeRecord | undefined;
  /** Fate of its task; only of the first attempt of work. */
  readonly task: 'open' | 'done' | 'first_pass' | undefined;
};

export type IsAsked = (one: Pick<Counted, 'agent' | 'client' | 'plan' | 'at_ms'>) => boolean;

/** A lost attempt is only lost. */
const endOf = ({ attempt }: Counted) => (attempt.lost ? undefined : attempt.outcome);
type Counts = (one: Counted) => boolean;
const is = (name: OutcomeName) => (one: Counted) => endOf(one)?.outcome === name;

const COUNTS = {
  tasks: ({ task }) => task !== undefined,
  done: ({ task }) => task === 'done' || task === 'first_pass',
  first_pass: ({ task }) => task === 'first_pass',
  work: ({ attempt }) => !attempt.lost && attempt.kind === 'work',
  reviews: ({ attempt }) => !attempt.lost && attempt.kind === 'review',
  lost: ({ attempt }) => attempt.lost,
  open: ({ attempt }) => !attempt.lost && attempt.outcome === undefined,
  questions: (one) => is('questions')(one) && endOf(one)?.code !== 'decision',
  failures: (one) => FAILED.some((name) => is(name)(one)),
  approved: is('approved'),
  needs_work: is('needs_work'),
  reject: is('reject'),
  unverified: is('unverified'),
  calls: ({ used }) => used?.seconds !== undefined,
  tokens_known: ({ used }) => (used?.input_tokens ?? used?.output_tokens) !== undefined,
  cost_known: ({ used }) => used?.cost_usd !== undefined,
} satisfies Readonly<Record<string, Counts>>;
const USES = ['seconds', 'input_tokens', 'output_tokens', 'cost_usd'] as const;

export const COUNTED = Object.keys(COUNTS) as readonly (keyof typeof COUNTS)[];
export const KNOWN = [...USES, 'first_pass_rate'] as const;

export type Row = Readonly<Record<(typeof COUNTED)[number], number>> & {
  readonly by: (typeof GROUPS)[number] | 'total';
  readonly name: string;
} & { readonly [K in (typeof KNOWN)[number]]?: number };

/** Work that was handed in, or failed: not questions, not what was delegated or interrupted. */
const TRIES: ReadonlySet<OutcomeName | undefined> = new Set([...FAILED, 'complete', 'blocked']);

function countedIn({ squad, plan, is_done, attempts }: TaskSeen): readonly Counted[] {
  const work = attempts.filter(({ kind, lost }) => kind === 'work' && !lost);
  const tries = work.filter(({ outcome }) => TRIES.has(outcome?.outcome));
  const is_first = tries.length === 1 && tries[0]?.outcome?.outcome === 'complete';
  const became = !is_done ? 'open' : is_first ? 'first_pass' : 'done';
  const calls = new Set(calledOnce(attempts));
  return attempts.map((attempt) => {
    const { owner, outcome } = attempt;
    const used = outcome && calls.has(outcome) ? outcome : undefined;
    const agent = owner?.agent || outcome?.agent || '';
    const client = outcome?.adapter ?? attempt.agent?.adapter ?? '';
    const machine = outcome?.machine ?? '';
    const at_ms = Date.parse(outcome?.at ?? owner?.claimed ?? '') || 0;
    const task = attempt === work[0] ? became : undefined;
    return { agent, client, machine, squad, plan, attempt, at_ms, used, task };
  });
}

/** Rows: the total of the attempts that are asked for, then each group by name. */
export function rowsOf(tasks: readonly TaskSeen[], isAsked: IsAsked): readonly [Row, ...Row[]] {
  const all = tasks.flatMap(countedIn).filter(isAsked);
  const groups = GROUPS.flatMap((by) => {
    const of = (name: string) => all.filter((one) => one[by] === name);
    const names = [...new Set(all.map((one) => one[by]))].toSorted();
    // Where no worker did anything there is one machine.
    if (by === 'machine' && names.every((name) => name === '')) return [];
    return names.map((name) => rowOf(by, name, of(name)));
  });
  return [rowOf('total', '', all), ...groups];
}

function rowOf(by: Row['by'], name: string, all: readonly Counted[]): Row {
  const counts = COUNTED.map((key) => [key, all.filter(COUNTS[key]).length]);
  const uses = USES.flatMap((key) => {
    const known = all.flatMap(({ used }) => used?.[key] ?? []);
    return known.length === 0 ? [] : [[key, rounded(known.reduce((a, b) => a + b))]];
  });
  const row = { by, name, ...Object.fromEntries([...counts, ...uses]) } as Row;
  return row.done === 0 ? row : { ...row, first_pass_rate: rounded(row.first_pass / row.done) };
}

/** Six decimals at most, as in reports. */
const rounded = (sum: number): number => Math.round(sum * 1e6) / 1e6;
