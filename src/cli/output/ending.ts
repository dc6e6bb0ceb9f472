/** How `run`, `do` and `watch` end: what needs them, what is done, what it cost. Each fact once. */
import type { Event } from '../../task/core/lines/event.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import { accountWords, NOTHING_DONE, type Account } from '../../task/core/attempts/account.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { addUse, dollars, NO_USE } from '../../task/core/attempts/budget.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { LineData } from '../../engine/core/events/command-lines.ts';
import { thenRun } from '../../engine/core/words/waits.ts';
import { isYours, type ListedTask } from '../../engine/queries/list.ts';
import { byUrgency } from '../../engine/queries/waiting.ts';
import { inThousands, type Waits } from './group-waiting.ts';
import { took } from './live.ts';
import type { Output } from './output.ts';
import { many } from '../../task/core/base/plural.ts';

/** So many have a line, or a name. */
const NAMED_MAX = 5;
const YOURS = 'contracts list --waits-for me';

/** Facts that a tally does not see by itself. */
export interface Ended {
  /** Waits of now, of the tasks that were run. */
  readonly waiting: readonly Waits[];
  /** True: these were asked for by name or filter, so that each that is not done has a line. */
  readonly named?: boolean;
  readonly faults?: number;
  /** By Ctrl-C. */
  readonly stopped?: boolean;
  /** How many are done and not merged. */
  readonly unmerged?: number;
  /** How many wait for a person that were not to be run. */
  readonly others?: number;
}

/** `account`: of these tasks, since the run began, from their records. */
export function makeTally(
  now_ms: () => number,
  account: (places: ReadonlyMap<string, State>) => Account = () => NOTHING_DONE,
) {
  const began_ms = now_ms();
  const done = new Set<string>();
  const worked = new Map<string, State>();
  const errors = new Set<string>();
  let mend = '';
  let use = NO_USE;
  return {
    event: (event: Event): void => {
      if (event.event === 'moved' && event.to === 'done') done.add(event.task);
      if (event.event === 'moved' && worked.has(event.task)) worked.set(event.task, event.to);
      if (event.event === 'ended') {
        use = addUse(use, event);
        worked.set(event.task, event.kind === 'work' ? 'in_progress' : 'review');
      }
      if (event.event === 'fault' && mend === '') mend = thenRun(event.code, event.fix);
      if (unfoundIn([event]) > 0) errors.add(JSON.stringify(event));
    },
    /** Prints the ending; with `--json` as one line. True if nothing is left that needs somebody. */
    end: (out: Output, ended: Ended): boolean => {
      const { files, added, removed, checks_passed, sent_back } = account(worked);
      const receipts = { files, ...given({ added, removed }), checks_passed, sent_back };
      const then = (ended.faults ?? 0) > 0 ? mend : '';
      const found = endingOf([...done], ended);
      const ending = { ...found, next: then || found.next, ...receipts };
      out.data({ v: 1, event: 'ending', ...ending });
      const isCalm = ending.waits.length + errors.size === 0;
      if (out.json) return isCalm;
      printWaits(out, ending.waits);
      out.printWrapped(wordsOf(ending, ended, errors.size).join(' '));
      const spent = [
        ...(use.tokens > 0 ? [`${inThousands(use.tokens)} tokens`] : []),
        ...(use.cost_usd > 0 ? [dollars(use.cost_usd)] : []),
      ];
      if (then !== '') out.printWrapped(escapeText(`Next: ${then}`));
      if (spent.length > 0) out.print(`Used ${spent.join(', ')} in ${took(now_ms() - began_ms)}.`);
      return isCalm;
    },
  };
}

/** True for a folder without the name of a task, and for one beside the states that holds tasks. */
export function isUnfound({ code, severity }: Problem): boolean {
  return severity === 'error' && (code === 'bad_id' || code === 'leftover');
}

/** How many of such folders these events name. */
export function unfoundIn(events: readonly Event[]): number {
  return events.filter((event) => event.event === 'problem' && isUnfound(event.problem)).length;
}

/** No sentence end: it is also a heading. */
export function unfoundWords(count: number): string {
  return `${many(count, 'error')} found; see above`;
}

type Ending = Omit<LineData<'ending'>, 'v' | 'event'>;
type Waiting = Pick<Ending, 'done' | 'waits' | 'behind' | 'next'>;

/** `waits`: what needs a person or a host, and each named task that is not done; the first is the most urgent. */
function endingOf(done: readonly string[], { waiting, named, unmerged = 0 }: Ended): Waiting {
  const ofPeople = waiting.filter(({ on }) => on === 'person' || on === 'host');
  const ofOthers = waiting.filter(({ on }) => !['person', 'host', 'nobody'].includes(on));
  const waits = [...byUrgency(ofPeople), ...(named === true ? ofOthers : [])];
  const behind = named === true ? 0 : ofOthers.filter(({ on }) => on === 'task').length;
  const next = waits.find(({ fix }) => fix !== '')?.fix ?? (unmerged > 0 ? 'contracts merge' : '');
  return { done: [...done], waits, behind, next };
}

function printWaits(out: Output, waits: Ending['waits']): void {
  const mine = waits.filter((one) => !isDraft(one));
  const lines = alike(mine).slice(0, NAMED_MAX);
  for (const [first, ...same] of lines) {
    const more = same.length > 0 ? ` and ${same.length} more` : '';
    out.event({ ...first, task: `${first.task}${more}` });
  }
  const more = mine.length - lines.flat().length;
  if (more > 0) out.print(`and ${more} more: ${YOURS}`);
}

function wordsOf(ending: Ending, ended: Ended, errors: number): readonly string[] {
  const { done, behind } = ending;
  const { faults = 0, stopped = false, unmerged = 0, others = 0 } = ended;
  const people = ending.waits.filter(({ on }) => on === 'person' || on === 'host');
  const drafts = people.filter(isDraft);
  const nothing = ending.waits.length + behind + faults + errors === 0 && !stopped;
  const yours = people.filter(isYours).length;
  const hosts = people.filter(({ on }) => on === 'host').length;
  const paused = people.length - yours - hosts;
  const later = ending.waits.length - people.length + behind;
  const theirs = drafts.length > 0 ? '.' : `: ${YOURS}`;
  return [
    ...(done.length > 0 || nothing ? [doneWords(done)] : []),
    ...accountWords(ending).map((one) => escapeText(one)),
    ...(faults > 0 ? [`${many(faults, 'fault')} met; see above.`] : []),
    ...(errors > 0 ? [`${unfoundWords(errors)}.`] : []),
    ...(hosts > 0 ? [`${many(hosts, 'task')} ${waits(hosts)} for a host.`] : []),
    ...(paused > 0 ? [`${many(paused, 'task')} ${paused === 1 ? 'is' : 'are'} paused.`] : []),
    ...(later > 0 ? [`${many(later, 'task')} ${waits(later)} for others.`] : []),
    ...(unmerged > 0 ? [`${many(unmerged, 'done task')} not merged: contracts merge.`] : []),
    ...(nothing && unmerged + others === 0 ? ['Nothing waits for a person.'] : []),
    ...(stopped ? ['Stopped by you; contracts run continues.'] : []),
    ...(yours > drafts.length ? [`${many(yours, 'task')} ${waits(yours)} for you.`] : []),
    ...(others > 0 ? [`${many(others, 'other task')} ${waits(others)} for you${theirs}`] : []),
    ...draftWords(drafts, yours > drafts.length),
  ];
}

/** Groups with the same remedy, such as all tasks that a pause holds back. */
function alike(waiting: readonly Waits[]): readonly (readonly [Waits, ...Waits[]])[] {
  const found = new Map<string, [Waits, ...Waits[]]>();
  for (const one of waiting) {
    const key = [one.state, one.reason, one.fix].join('|');
    const same = found.get(key);
    if (same === undefined) found.set(key, [one]);
    else same.push(one);
  }
  return [...found.values()];
}

/** Nothing happens to it until a person confirms it, so it is only counted. */
export function isDraft({ state, code }: Pick<Waits, 'state' | 'code'>): boolean {
  return state === 'draft' && (code === 'unconfirmed' || code === 'problem');
}

const waits = (count: number): string => (count === 1 ? 'waits' : 'wait');

export function doneWords(ids: readonly string[]): string {
  const more = ids.length - NAMED_MAX;
  const named = `${ids.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${many(ids.length, 'task')} done${named === '' ? '' : `: ${named}`}.`;
}

function draftWords([first, ...others]: Ending['waits'], of_them: boolean): string[] {
  if (first === undefined) return [];
  const broken = [first, ...others].find(({ code }) => code === 'problem');
  const why = broken && escapeText(broken.reason);
  const one = of_them ? '1 of them is a draft' : '1 draft is not confirmed';
  if (others.length === 0) return [`${one}: ${why ?? first.fix}`];
  const error = why === undefined ? '' : `. A draft has an error: ${why}`;
  const all = of_them ? 'of them are drafts' : 'drafts are not confirmed';
  return [`${others.length + 1} ${all}: contracts list --state draft${error}`];
}

/** With what the task behind which it waits needs itself, where that is known. */
export function withCause(one: Waits, tasks: readonly ListedTask[]): Waits {
  const other = tasks.find(({ id }) => id === one.behind);
  if (other === undefined || other.code === 'nothing') return one;
  return { ...one, reason: `${one.reason}; ${other.id} ${other.reason}`, fix: other.fix };
}

/** The waits in the list, as a step would report them. */
export function waitsOf(tasks: readonly ListedTask[]): readonly Waits[] {
  return tasks.flatMap(({ id: task, state, code, waits_for: on, reason, fix }) =>
    code === 'nothing' || on === 'nothing'
      ? []
      : { event: 'waits', task, state, code, on, reason, fix },
  );
}
