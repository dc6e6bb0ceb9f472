/** Which tasks need care, how much, and why in one sentence (docs/troubleshooting.md#what-needs-care). Pure. */
import { count, FAILURES, SEND_BACKS, tryName } from '../../../task/core/attempts/counters.ts';
import { openAttempt } from '../../../task/core/attempts/open-attempt.ts';
import type { Limits } from '../../../task/core/model/policy.ts';
import type { Facts, TaskRead } from '../../../task/core/model/task.ts';
import { WAITS } from '../../../task/core/model/wait-codes.ts';
import type { LineData } from '../events/command-lines.ts';

type Row = LineData<'task'>;
type Name = NonNullable<Row['trouble']>;
export type Trouble = Pick<Row, 'reason' | 'fix'> & { readonly trouble: Name };

/** The worst first. */
const ORDER: readonly Name[] = ['stuck', 'over_budget', 'failing', 'waits'];
const BUDGETS = /^(?:run_|day_)?budget$/;
const ASKS =
  /^(?:questions|unanswered|verdict|blocked|decision|decision_paused|in_hands|contract_changed|held)$/;

/** By its code alone. A draft keeps nothing waiting; all else that needs a person is stuck. */
export function nameOf(code: Row['code']): Name | undefined {
  if (code === 'nothing' || code === 'unconfirmed' || code === 'paused') return undefined;
  if (WAITS[code] !== 'person') return code === 'orphaned' ? 'stuck' : undefined;
  return BUDGETS.test(code) ? 'over_budget' : ASKS.test(code) ? 'waits' : 'stuck';
}

/** `resolved`: a person let it go on after it was blocked. */
type Known = Pick<Facts, 'over_budget'> & { readonly limits: Limits; readonly resolved: boolean };

/** undefined where there is nothing to do about it now. */
export function troubleOf(row: Row, task: TaskRead, known: Known): Trouble | undefined {
  const { id, code, lagging, step_seconds = 0, reason, fix } = row;
  const trouble = nameOf(code);
  const last = task.attempts.at(-1);
  const name = last === undefined ? 'it' : tryName(task.attempts, last);
  if (lagging === true) {
    const silent = `${name} is silent: its last report is ${step_seconds} s old`;
    return { trouble: 'stuck', reason: silent, fix: `contracts logs ${id} -f` };
  }
  if (code === 'nothing' && openAttempt(task) !== undefined)
    return { trouble: 'stuck', reason: `${name} has no living owner`, fix };
  if (known.over_budget !== undefined && trouble !== 'stuck')
    return { trouble: 'over_budget', ...known.over_budget };
  const own = trouble && { trouble, reason, fix };
  return own === undefined || code === 'blocked' ? (failingOf(row, task, known) ?? own) : own;
}

/** Its last attempt that ended failed, or sent the work back. */
function failingOf(row: Row, { attempts }: TaskRead, known: Known): Trouble | undefined {
  const last = attempts.findLast(({ lost, outcome }) => !lost && outcome !== undefined);
  if (last === undefined) return undefined;
  const { outcome = 'complete', reason: why } = last.outcome ?? {};
  const is_sent_back = SEND_BACKS.has(outcome);
  if (known.resolved || !(is_sent_back || FAILURES.has(outcome))) return undefined;
  const { failures, send_backs } = count(attempts, false);
  const { limits } = known;
  const more = is_sent_back ? limits.reviews_max - send_backs : limits.retries_max - failures;
  const left = row.state === 'blocked' ? 0 : Math.max(0, more + 1);
  const tries = `${left > 1 ? `${left} tries are` : `${left || 'no'} try is`} left`;
  const reason = `${tryName(attempts, last)}: ${outcome}, ${why}; ${tries}`;
  return { trouble: 'failing', reason, fix: left === 0 ? row.fix : `contracts logs ${row.id}` };
}

/** The worst first; of equal ones what stands longest. */
export function byTrouble(a: Trouble & Row, b: Trouble & Row): number {
  const place = ORDER.indexOf(a.trouble) - ORDER.indexOf(b.trouble);
  return place || a.stands_since.localeCompare(b.stands_since);
}
