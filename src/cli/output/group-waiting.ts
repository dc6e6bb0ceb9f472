/**
 * What waits, in few lines: thousands of tasks that wait for the same thing are one line with their
 * number. Pure; whoever wants each of them asks with `--json` or `list`.
 */
import type { Event } from '../../task/core/lines/event.ts';
import { unreachable } from '../../task/core/model/problem.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import { colourState, type Output } from './output.ts';

export type Waits = Extract<Event, { event: 'waits' }>;

/** So many of one kind are still said one by one. */
export const ALIKE_MAX = 20;
const NAMED_MAX = 3;

/** Those of one kind: the first of them, and how many there are. */
interface Alike {
  readonly first: Waits[];
  count: number;
}

/** What a person has to do differs from task to task; what waits by itself does not. */
function kindOf({ task, state, on, reason }: Waits): string {
  return `${state}|${on}|${on === 'person' ? reason.replaceAll(task, 'ID') : ''}`;
}

function manyLine(alike: Alike, more: string): string {
  const [first] = alike.first;
  if (first === undefined) return '';
  const named = alike.first.slice(0, NAMED_MAX).map((one) => one.task);
  const count = inThousands(alike.count);
  const fix = pc.dim(`  → contracts list --state ${first.state}`);
  return `${colourState(first.state)}: ${count} ${more}${words(first)} (${named.join(', ')} …)${fix}`;
}

/** `5,980`. Intl says the same, but takes longer to load than all else here. */
function inThousands(count: number): string {
  return `${count}`.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

function words(first: Waits): string {
  switch (first.on) {
    case 'slot':
      return 'wait for a free slot';
    case 'task':
      return 'wait for other tasks';
    case 'agent':
      return 'are being worked on';
    case 'host':
      return 'are delegated to a host';
    case 'time':
      return escapeText(first.reason);
    case 'step':
      return 'continue with the next step';
    case 'nobody':
      return 'wait for nothing';
    case 'person':
      return `wait for a person: ${escapeText(first.reason.replaceAll(first.task, 'ID'))}`;
    default:
      return unreachable(first.on);
  }
}

export interface WaitsKept {
  readonly emit: (event: Event) => void;
  /** Says what was kept. */
  flush(): void;
}

/**
 * Keeps what waits until the end, for people; a program that reads gets each event at once. With
 * `first_at_once` only what exceeds the first few of a kind is kept.
 */
export function keepWaits(out: Output, options = { first_at_once: false }): WaitsKept {
  // In the order of the first of each kind. Of many of a kind no more is held than is said.
  const kept = new Map<string, Alike>();
  const keep = (kind: string, one: Waits): void => {
    const alike = kept.get(kind) ?? { first: [], count: 0 };
    kept.set(kind, alike);
    alike.count++;
    if (alike.count <= ALIKE_MAX) alike.first.push(one);
  };
  const said = new Map<string, number>();
  const isFirst = (kind: string): boolean => {
    const before = said.get(kind) ?? 0;
    if (before < ALIKE_MAX) said.set(kind, before + 1);
    return before < ALIKE_MAX;
  };
  return {
    emit: (event) => {
      if (event.event !== 'waits' || event.on === 'time' || out.json) return out.event(event);
      const kind = kindOf(event);
      if (options.first_at_once && isFirst(kind)) out.event(event);
      else keep(kind, event);
    },
    flush: () => {
      const more = options.first_at_once ? 'more ' : '';
      for (const alike of kept.values()) {
        if (alike.count > ALIKE_MAX) out.say(manyLine(alike, more));
        else for (const one of alike.first) out.event(one);
      }
      kept.clear();
    },
  };
}
