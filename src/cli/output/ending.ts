/** How `run` and `watch` end, for people: what needs them, what is done, what it cost. Each fact once. */
import type { Event } from '../../task/core/lines/event.ts';
import { addUse, dollars, NO_USE } from '../../task/core/attempts/budget.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { isYours, type ListedTask } from '../../engine/queries/list.ts';
import { byUrgency } from '../../engine/queries/waiting.ts';
import { inThousands, type Waits } from './group-waiting.ts';
import { took } from './live.ts';
import type { Output } from './output.ts';
import { many } from './plural.ts';

/** So many have a line, or a name. */
const NAMED_MAX = 5;
const YOURS = 'contracts list --waits-for me';

export function makeTally(now_ms: () => number) {
  const began_ms = now_ms();
  const done = new Set<string>();
  let use = NO_USE;
  return {
    event: (event: Event): void => {
      if (event.event === 'moved' && event.to === 'done') done.add(event.task);
      if (event.event === 'ended') use = addUse(use, event);
    },
    /**
     * Prints the ending: `waiting` of now, faults reported before, Ctrl-C, how many are done and not merged, and
     * how many wait for a person that were not to be run.
     */
    end: (
      out: Output,
      waiting: readonly Waits[],
      faults: number,
      stopped = false,
      unmerged = 0,
      others = 0,
    ) => {
      if (out.json) return;
      const people = waiting.filter(({ on }) => on === 'person' || on === 'host');
      const drafts = people.filter(isDraft);
      const mine = byUrgency(people.filter((one) => !isDraft(one)));
      const lines = alike(mine).slice(0, NAMED_MAX);
      for (const [first, ...same] of lines) {
        const more = same.length > 0 ? ` and ${same.length} more` : '';
        out.event({ ...first, task: `${first.task}${more}` });
      }
      const more = mine.length - lines.flat().length;
      if (more > 0) out.print(`and ${more} more: ${YOURS}`);
      const nothing = people.length + faults === 0 && !stopped;
      const yours = people.filter(isYours).length;
      const hosts = people.filter(({ on }) => on === 'host').length;
      const paused = people.length - yours - hosts;
      const words = [
        ...(done.size > 0 || nothing ? [doneWords([...done])] : []),
        ...(faults > 0 ? [`${many(faults, 'fault')} met; see above.`] : []),
        ...(hosts > 0 ? [`${many(hosts, 'task')} ${waits(hosts)} for a host.`] : []),
        ...(paused > 0 ? [`${many(paused, 'task')} ${paused === 1 ? 'is' : 'are'} paused.`] : []),
        ...(unmerged > 0 ? [`${many(unmerged, 'done task')} not merged: contracts merge.`] : []),
        ...(nothing && unmerged + others === 0 ? ['Nothing waits for a person.'] : []),
        ...(stopped ? ['Stopped by you; contracts run continues.'] : []),
        ...(yours > drafts.length ? [`${many(yours, 'task')} ${waits(yours)} for you.`] : []),
        ...draftWords(drafts, yours > drafts.length),
        ...(others > 0 ? [`${many(others, 'other task')} ${waits(others)} for you: ${YOURS}`] : []),
      ];
      out.printWrapped(words.join(' '));
      const spent = [
        ...(use.tokens > 0 ? [`${inThousands(use.tokens)} tokens`] : []),
        ...(use.cost_usd > 0 ? [dollars(use.cost_usd)] : []),
      ];
      if (spent.length > 0) out.print(`Used ${spent.join(', ')} in ${took(now_ms() - began_ms)}.`);
    },
  };
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
export function isDraft({ state, code }: Waits): boolean {
  return state === 'draft' && (code === 'unconfirmed' || code === 'problem');
}

const waits = (count: number): string => (count === 1 ? 'waits' : 'wait');

function doneWords(ids: readonly string[]): string {
  const more = ids.length - NAMED_MAX;
  const named = `${ids.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${many(ids.length, 'task')} done${named === '' ? '' : `: ${named}`}.`;
}

function draftWords([first, ...others]: readonly Waits[], of_them: boolean): string[] {
  if (first === undefined) return [];
  const broken = [first, ...others].find(({ code }) => code === 'problem');
  const why = broken && escapeText(broken.reason);
  const one = of_them ? '1 of them is a draft' : '1 draft is not confirmed';
  if (others.length === 0) return [`${one}: ${why ?? first.fix}`];
  const error = why === undefined ? '' : `. A draft has an error: ${why}`;
  const all = of_them ? 'of them are drafts' : 'drafts are not confirmed';
  return [`${others.length + 1} ${all}: contracts list --state draft${error}`];
}

/** The waits in the list, as a step would report them. */
export function waitsOf(tasks: readonly ListedTask[]): readonly Waits[] {
  return tasks.flatMap(({ id: task, state, code, waits_for: on, reason, fix }) =>
    code === 'nothing' || on === 'nothing'
      ? []
      : { event: 'waits', task, state, code, on, reason, fix },
  );
}
