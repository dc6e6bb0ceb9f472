/** Which tasks need care, how urgent that is, and why in one sentence (docs/troubleshooting.md). Pure. */
import { count, FAILURES, SEND_BACKS } from '../../../task/core/attempts/counters.ts';
import type { Attempt } from '../../../task/core/attempts/record.ts';
import type { Limits } from '../../../task/core/model/policy.ts';
import type { Hold } from '../../../task/core/model/task.ts';
import { WAITS, type WaitCode } from '../../../task/core/model/wait-codes.ts';
import type { LineData } from '../events/command-lines.ts';

type ListedTask = LineData<'task'>;

/** The worst first. */
export const TROUBLES = ['stuck', 'over_budget', 'failing', 'waits'] as const;

/** Waits that end only when something is put right. */
const BROKEN: ReadonlySet<ListedTask['code']> = new Set<WaitCode>([
  ...(['problem', 'two_states', 'owner_unreadable', 'orphaned', 'untrusted'] as const),
  ...(['dependency_aborted', 'dependency_cycle', 'dependency_unknown'] as const),
  ...(['dependency_archived', 'parent_aborted', 'question_gone', 'no_questions'] as const),
  ...(['no_result', 'unprepared', 'status_unread'] as const),
]);
/** A draft keeps nothing waiting, and a pause waits for one command. */
const UNASKED: ReadonlySet<ListedTask['code']> = new Set<WaitCode>(['unconfirmed', 'paused']);
const BUDGETS: ReadonlySet<ListedTask['code']> = new Set<WaitCode>(['run_budget', 'day_budget']);

export interface TaskKnown {
  readonly attempts: readonly Attempt[];
  /** Its highest attempt was claimed and not ended. */
  readonly is_open: boolean;
  /** It was in blocked, and a person let it go on. */
  readonly resolved: boolean;
  readonly limits: Limits;
  readonly silence_ms: number;
  readonly over_budget: Hold | undefined;
}

type Row = Pick<ListedTask, 'id' | 'state' | 'code' | 'reason' | 'fix' | 'attempt'> &
  Pick<ListedTask, 'lagging' | 'step_seconds'>;

export interface Trouble {
  readonly trouble: (typeof TROUBLES)[number];
  readonly reason: string;
  readonly fix: string;
}

/** undefined where nothing is to be done about it now. */
export function troubleOf(row: Row, known: TaskKnown): Trouble | undefined {
  const { id, code, reason, fix, attempt } = row;
  if (row.lagging === true) {
    const silent = `status.md is ${row.step_seconds} s old, more than ${known.silence_ms / 1000} s`;
    return {
      trouble: 'stuck',
      reason: `attempt ${attempt}: ${silent}`,
      fix: `contracts logs ${id} -f`,
    };
  }
  if (code === 'nothing' && known.is_open) {
    const gone = `attempt ${attempt} has no living owner; the next step takes it over`;
    return { trouble: 'stuck', reason: gone, fix };
  }
  if (BROKEN.has(code)) return { trouble: 'stuck', reason, fix };
  if (known.over_budget) return { trouble: 'over_budget', ...known.over_budget };
  if (BUDGETS.has(code)) return { trouble: 'over_budget', reason, fix };
  const failing = failingOf(row, known);
  if (failing !== undefined) return failing;
  const is_asked = code !== 'nothing' && WAITS[code] === 'person' && !UNASKED.has(code);
  return is_asked ? { trouble: 'waits', reason, fix } : undefined;
}

/** Its last attempt that ended failed, or sent the work back. */
function failingOf({ id, state, fix }: Row, known: TaskKnown): Trouble | undefined {
  const { attempts, resolved, limits } = known;
  const last = attempts.findLast(({ lost, outcome }) => !lost && outcome !== undefined);
  const { outcome, reason: why = '' } = last?.outcome ?? {};
  if (outcome === undefined || resolved) return undefined;
  const isSentBack = SEND_BACKS.has(outcome);
  if (!isSentBack && !FAILURES.has(outcome)) return undefined;
  const { failures, send_backs } = count(attempts, resolved);
  const [times, most] = isSentBack
    ? [send_backs, limits.reviews_max]
    : [failures, limits.retries_max];
  const left = state === 'blocked' ? 0 : Math.max(0, most + 1 - times);
  const tries = `${left === 1 ? '1 try is' : `${left === 0 ? 'no' : left} tries are`} left`;
  const reason = `${tries}; attempt ${last?.number}: ${outcome}, ${why}`;
  return { trouble: 'failing', reason, fix: left === 0 ? fix : `contracts logs ${id}` };
}

/** The worst first; of equal ones what stands longest. */
export function byTrouble<T extends Trouble & Pick<ListedTask, 'id' | 'stands_since'>>(a: T, b: T) {
  const worse = TROUBLES.indexOf(a.trouble) - TROUBLES.indexOf(b.trouble);
  const keys = [a, b].map(({ stands_since, id }) => `${stands_since} ${id}`) as [string, string];
  return worse || (keys[0] < keys[1] ? -1 : 1);
}
