/** Waits of one kind in one line with their number, where there are many. With `--json` each is a line. */
import type { Event } from '../../task/core/lines/event.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import { colourState, type Output } from './output.ts';

export type Waits = Extract<Event, { event: 'waits' }>;

/** So many of one kind have a line each. */
export const ALIKE_MAX = 20;
const NAMED_MAX = 3;

interface Alike {
  readonly first: Waits[];
  count: number;
}

/** What a person has to do differs from task to task. */
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

/** `5,980`. Intl takes longer to load than all else here. */
export function inThousands(count: number): string {
  return `${count}`.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

const WORDS: Readonly<Record<Exclude<Waits['on'], 'time' | 'person'>, string>> = {
  slot: 'wait for a free slot',
  task: 'wait for other tasks',
  agent: 'are being worked on',
  host: 'are delegated to a host',
  step: 'continue with the next step',
  nobody: 'wait for nothing',
};

function words({ on, reason, task }: Waits): string {
  if (on === 'person') return `wait for a person: ${escapeText(reason.replaceAll(task, 'ID'))}`;
  return on === 'time' ? escapeText(reason) : WORDS[on];
}

export interface WaitsKept {
  readonly emit: (event: Event) => void;
  /** Prints what was kept. */
  flush(): void;
}

/** Keeps waits until the end; with `first_at_once` only those after the first few of a kind. */
export function keepWaits(out: Output, options = { first_at_once: false }): WaitsKept {
  // Of many of a kind no more is held than is printed.
  const kept = new Map<string, Alike>();
  const keep = (kind: string, one: Waits): void => {
    const alike = kept.get(kind) ?? { first: [], count: 0 };
    kept.set(kind, alike);
    alike.count++;
    if (alike.count <= ALIKE_MAX) alike.first.push(one);
  };
  const printed = new Map<string, number>();
  const isFirst = (kind: string): boolean => {
    const before = printed.get(kind) ?? 0;
    if (before < ALIKE_MAX) printed.set(kind, before + 1);
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
        if (alike.count > ALIKE_MAX) out.printWrapped(manyLine(alike, more));
        else for (const one of alike.first) out.event(one);
      }
      kept.clear();
    },
  };
}
