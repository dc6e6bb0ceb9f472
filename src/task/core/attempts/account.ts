/**
 * An account of what was done since a moment, made of records of the runner alone: outcomes and receipts. Words of an
 * agent come with its name, in quotation marks. Pure.
 */
import { groupedBy } from '../base/groups.ts';
import { calledOnce, addUse, NO_USE, type Use } from './budget.ts';
import { many } from '../base/plural.ts';
import { PERSON } from '../model/contract.ts';
import type { AccountedFields } from '../lines/shared-lines.ts';
import type { Attempt, Receipt } from './record.ts';

/** A task with its attempts; `files`: what its work changed, in lines where git knows them. */
export interface Accounted {
  readonly id: string;
  readonly is_done: boolean;
  readonly is_blocked?: boolean;
  readonly attempts: readonly Attempt[];
  /** Receipts of the checks that ran since then. */
  readonly receipts: readonly Receipt[];
  readonly files: readonly {
    readonly path: string;
    readonly added: number | null;
    readonly removed: number | null;
  }[];
}

/** `by`: the gate, or `verification`; `reason`: the runner's own words, or the first line of the gate. */
type SentBack = AccountedFields['sent_back'][number];

export interface Account extends AccountedFields {
  readonly done: readonly string[];
  /** Calls of agents that ended. */
  readonly calls: number;
  readonly seconds: number;
  readonly use: Use;
}

/** Counts what ended at `since_ms` or later. */
export function accountOf(tasks: readonly Accounted[], since_ms: number): Account {
  const isNew = ({ outcome }: Attempt): boolean => Date.parse(outcome?.at ?? '') >= since_ms;
  const touched = tasks.filter(({ attempts }) => attempts.some(isNew));
  const changed = touched.flatMap((one) => one.files);
  const files = new Set(changed.map(({ path }) => path));
  const lines = changed.map(({ added, removed }) =>
    added === null || removed === null ? undefined : ([added, removed] as const),
  );
  const known = lines.flatMap((one) => (one === undefined ? [] : [one]));
  const isKnown = known.length === lines.length && lines.length > 0;
  const calls = touched.flatMap(({ attempts }) =>
    calledOnce(attempts).filter(
      ({ at, seconds }) => seconds !== undefined && Date.parse(at) >= since_ms,
    ),
  );
  return {
    done: touched.filter(({ is_done }) => is_done).map(({ id }) => id),
    files: files.size,
    ...(isKnown
      ? {
          added: known.reduce((sum, [added]) => sum + added, 0),
          removed: known.reduce((sum, [, removed]) => sum + removed, 0),
        }
      : {}),
    checks_passed: touched.flatMap(({ receipts }) => receipts).filter(({ passed }) => passed)
      .length,
    sent_back: touched.flatMap(({ id, attempts, is_blocked }) => {
      // What blocked the task did not send it back.
      const ended = attempts.at(-1)?.outcome?.outcome === 'needs_work' && is_blocked === true;
      return (ended ? attempts.slice(0, -1) : attempts).filter(isNew).flatMap(sentBack(id));
    }),
    calls: calls.length,
    seconds: calls.reduce((sum, { seconds = 0 }) => sum + seconds, 0),
    use: calls.reduce(addUse, NO_USE),
  };
}

const sentBack =
  (task: string) =>
  ({ lost, outcome: ended }: Attempt): readonly SentBack[] => {
    if (lost || (ended?.outcome !== 'needs_work' && ended?.outcome !== 'unverified')) return [];
    const by = ended.outcome === 'unverified' ? 'verification' : (ended.gate ?? PERSON);
    return [{ task, by, reason: ended.reason }];
  };

const REASON_CHARS_MAX = 64;
const SENT_MAX = 3;

type Facts = Pick<Account, 'files' | 'checks_passed' | 'sent_back'> & {
  readonly [K in 'added' | 'removed']?: number | undefined;
};

export const NOTHING_DONE: Account = {
  done: [],
  files: 0,
  checks_passed: 0,
  sent_back: [],
  calls: 0,
  seconds: 0,
  use: NO_USE,
};

/** Sentences about changes, checks and what was sent back; none where there was nothing of it. */
export function accountWords({ files, added, removed, checks_passed, sent_back }: Facts) {
  const lines = added === undefined || removed === undefined ? '' : ` (+${added} −${removed})`;
  const facts = [
    ...(files > 0 ? [`${many(files, 'file')} changed${lines}`] : []),
    ...(checks_passed > 0 ? [`${many(checks_passed, 'check')} passed`] : []),
  ];
  const groups = [...groupedBy(sent_back, ({ task, by }) => `${task} ${by}`).values()];
  const more = groups.length - SENT_MAX;
  const sent = groups.slice(0, SENT_MAX).map(sentWords).join('; ');
  return [
    ...(facts.length > 0 ? [`${facts.join(', ')}.`] : []),
    ...(sent === '' ? [] : [`Sent back: ${sent}${more > 0 ? ` and ${more} more` : ''}.`]),
  ];
}

/** Words for what one gate sent back of one task: how often, and why at last. */
function sentWords(all: readonly SentBack[]): string {
  const { task = '', by = '', reason = '' } = all.at(-1) ?? {};
  const short =
    reason.length > REASON_CHARS_MAX ? `${reason.slice(0, REASON_CHARS_MAX - 1)}…` : reason;
  const named = `${task}${all.length > 1 ? ` ${all.length} times` : ''}`;
  if (by === 'verification') return `${named} by its verification (${short})`;
  const said = short.replaceAll('"', "'");
  return `${named} by ${by === PERSON ? 'a person' : by}${said === '' ? '' : `: "${said}"`}`;
}
