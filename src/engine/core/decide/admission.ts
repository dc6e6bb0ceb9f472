/**
 * Whether a claim is made now, though nothing is wrong with the task itself: marks of a person, slots, the one call of a
 * step, budgets, pauses, turns and rivals. `decide` asks `heldBy`, so `list` and `show` do too; the plan of a step,
 * which `--dry-run` prints, and the step itself before each claim ask `admit`. Decided nowhere else. Pure.
 */
import type { Rival, Writers } from '../../../task/core/base/glob-overlap.ts';
import type { Action, Wait } from '../../../task/core/model/action.ts';
import type { Config } from '../../../task/core/model/policy.ts';
import type { Facts, Known, TaskRead } from '../../../task/core/model/task.ts';
import { wait } from '../words/waits.ts';
import { ask, type Needs } from './make-action.ts';

export type Claim = Extract<Action, { kind: 'claim' }>;

/** Resources that a task would take if it were claimed. */
export interface Claimant {
  readonly id: string;
  readonly action: Claim;
  /** An agent is called: an executor, or a gate that is no person. */
  readonly calls: boolean;
  /** Its state and its client, where `parallel` has a limit for one of them. */
  readonly slots?: readonly string[];
  /** The turn that it takes, where one task at a time has it. */
  readonly turn: string | undefined;
  readonly writes: readonly string[];
  /** True if it writes in the tree that all share. */
  readonly shared: boolean;
}

/** Resources that are taken, and limits of a claim. */
export interface Taken {
  /** Tasks that a capability holds back. */
  readonly held: ReadonlyMap<string, Wait>;
  /** How many calls may run at once, where as many do. */
  readonly full: number | undefined;
  /** By state or client, and the slots of each task that has some. */
  readonly limits?: Readonly<Record<string, number>>;
  readonly holders?: ReadonlyMap<string, readonly string[]>;
  readonly turns: ReadonlyMap<string, string>;
  readonly writers: Iterable<Writers>;
  readonly conflicts: Config['conflicts'];
  /** Why nothing at all is begun. */
  readonly stopped?: Wait | undefined;
  /** Known only at the claim itself. */
  readonly untrusted?: { readonly reason: string; readonly fix: string } | undefined;
  /** The one call of this step was made for this task. */
  readonly called?: boolean;
  /** The budget of the run, where it is used up. */
  readonly run_budget?: { readonly used: string; readonly key: string } | undefined;
  /** The budget of this calendar day, where it is used up. */
  readonly day_budget?: { readonly used: string } | undefined;
  readonly pause?: Facts['pause'];
}

/** False where files alone are written and moved: such an action needs no trust. */
export function startsProgram(action: Action): boolean {
  if (action.kind === 'claim') return action.owner !== 'person' || action.recovers;
  return (
    ['settle', 'stop'].includes(action.kind) || (action.kind === 'move' && action.to === 'done')
  );
}

type Rule = (one: Claimant, taken: Taken) => Wait | undefined;

/** The first that holds the task back gives the reason. */
const RULES: readonly Rule[] = [
  (_, { untrusted }) => untrusted && wait('untrusted', untrusted),
  (_, { stopped }) => stopped,
  // What a dead runner left is taken up.
  ({ id, action }, { held }) => (action.recovers ? undefined : held.get(id)),
  ({ action }, { full: parallel, holders }) =>
    // People and hosts take no slot.
    parallel !== undefined && action.owner === 'process'
      ? wait('slots', { parallel, by: holders?.keys().next().value })
      : undefined,
  (one, taken) => (one.action.owner === 'process' ? slotWait(one, taken) : undefined),
  ({ calls, action }, { called }) =>
    called === true && calls
      ? wait('next_step', { gate: action.work === 'review' ? action.gate : undefined })
      : undefined,
  (_, { run_budget }) => run_budget && wait('run_budget', run_budget),
  (_, { day_budget }) => day_budget && wait('day_budget', day_budget),
  ({ id }, { pause }) => pause && pauseWait(pause, id),
  ({ id, turn = '' }, { turns }) => {
    const other = turns.get(turn) ?? id;
    return other === id ? undefined : wait('turn', { turn, other });
  },
  (one, taken) => {
    const rival = rivalOf(one, taken);
    return rival && mustWaitFor(one, rival, taken) ? wait('same_file', rival) : undefined;
  },
];

/** Why this claim is not made now; undefined: it is. */
export function admit(one: Claimant, taken: Taken): Wait | undefined {
  for (const rule of RULES) {
    const held = rule(one, taken);
    if (held !== undefined) return held;
  }
  return undefined;
}

/** The first of its slots that others have taken up to the limit. */
function slotWait({ id, slots = [] }: Claimant, { limits = {}, holders }: Taken): Wait | undefined {
  for (const of of slots) {
    const parallel = limits[of] ?? Infinity;
    const others = [...(holders ?? [])].filter(([by, all]) => by !== id && all.includes(of));
    if (others.length >= parallel) return wait('slots', { parallel, of, by: others[0]?.[0] });
  }
  return undefined;
}

/** Another task that works on the same file; a review writes nothing. */
export function rivalOf(
  { id, action, writes }: Claimant,
  { writers, conflicts }: Pick<Taken, 'writers' | 'conflicts'>,
): Rival | undefined {
  if (action.work === 'review' || conflicts === 'ignore') return undefined;
  for (const one of writers) {
    const rival = one.rivalOf(id, writes, () => true);
    if (rival !== undefined) return rival;
  }
  return undefined;
}

/** Two that write the same file do not run together in one tree; in worktrees apart they may. */
function mustWaitFor(
  { shared }: Pick<Claimant, 'shared'>,
  rival: Rival,
  { conflicts }: Pick<Taken, 'conflicts'>,
): boolean {
  return conflicts === 'serialize' && shared && rival.shared;
}

/** A task of the board that works on such a file, or is being judged. */
export function overlapOf(
  one: Pick<Claimant, 'id' | 'writes' | 'shared'>,
  working: Writers,
  conflicts: Config['conflicts'],
): Facts['overlap'] {
  const rival = working.rivalOf(one.id, one.writes, (other) =>
    mustWaitFor(one, other, { conflicts }),
  );
  return rival && { id: rival.id, path: rival.path };
}

/** A wait that ends by itself, or by what a person does to the task. */
function pauseWait({ until_ms, reason }: NonNullable<Facts['pause']>, id: string): Wait {
  return { ...wait('pause', { id, reason }), until: new Date(until_ms).toISOString() };
}

type Held = 'overlap' | 'over_budget' | 'hold' | 'turn_taken' | 'pause';

/** The reason that a fact of the board gives to hold a task back. */
const HELD_BY: {
  readonly [K in Held]: (fact: NonNullable<Facts[K]>, task: TaskRead) => Wait;
} = {
  overlap: (rival) => wait('same_file', rival),
  over_budget: (over) => wait('budget', over),
  hold: (hold) =>
    hold.by === undefined
      ? wait('held', hold)
      : { ...wait('same_file', { id: hold.by, path: '' }), reason: hold.reason },
  turn_taken: ({ key, by }) => wait('turn', { turn: key, other: by }),
  pause: (pause, { id }) => pauseWait(pause, id),
};

/** Asked in this order; each may look at the disk, so those that look more come in later calls. */
export function heldBy(
  task: TaskRead,
  known: Known,
  names: readonly Held[],
): Wait | Needs | undefined {
  return ask(known, names, (facts) => {
    for (const name of names) {
      const held = heldByOne(task, name, facts[name]);
      if (held !== undefined) return held;
    }
    return undefined;
  });
}

function heldByOne<K extends Held>(task: TaskRead, name: K, fact: Facts[K]): Wait | undefined {
  return fact === undefined ? undefined : HELD_BY[name](fact, task);
}
