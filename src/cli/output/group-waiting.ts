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

function kindOf({ task, state, on, reason }: Waits): string {
  return `${state}|${on}|${on === 'person' ? reason.replaceAll(task, 'ID') : ''}`;
}

function manyLine(alike: Alike): string {
  const [first] = alike.first;
  if (first === undefined) return '';
  const named = alike.first.map((one) => one.task);
  const count = inThousands(alike.count - ALIKE_MAX);
  const fix = pc.dim(`  → contracts list --state ${first.state}`);
  return `${colourState(first.state)}: ${count} more ${words(first)} (${named.join(', ')} …)${fix}`;
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

/** The first few waits of a kind at once; how many more there were, at the end. */
export function keepWaits(out: Output) {
  const kinds = new Map<string, Alike>();
  return {
    emit: (event: Event): void => {
      if (event.event !== 'waits' || event.on === 'time' || out.json) return out.event(event);
      const kind = kindOf(event);
      const alike = kinds.get(kind) ?? { first: [], count: 0 };
      kinds.set(kind, alike);
      alike.count++;
      if (alike.count <= ALIKE_MAX) return out.event(event);
      if (alike.first.length < NAMED_MAX) alike.first.push(event);
    },
    /** Prints how many more there were. */
    flush: (): void => {
      for (const alike of kinds.values()) {
        if (alike.count > ALIKE_MAX) out.printWrapped(manyLine(alike));
      }
      kinds.clear();
    },
  };
}
