/**
 * For calls of many steps: what each step finds again (a problem of the tree, and to a watch a wait
 * or a fault) is told once, and again only after it was gone for a step. What happens is always told.
 */
import type { Event } from '../../task/core/lines/event.ts';
import { formatProblem } from '../../task/core/model/problem.ts';

export type Recurring = 'problem' | 'waits' | 'fault';

export interface SaidOnce {
  readonly emit: (event: Event) => void;
  /** Before each step. What the one before did not look at stands where `keep` says so. */
  next(keep?: (task: string) => boolean): void;
}

interface Said {
  readonly task: string;
  step: number;
}

export function saidOnce(emit: (event: Event) => void, kinds: readonly Recurring[]): SaidOnce {
  const said = new Map<string, Said>();
  let step = 0;
  return {
    emit: (event) => {
      const key = kinds.some((kind) => kind === event.event) ? keyOf(event) : undefined;
      if (key === undefined) return emit(event);
      const before = said.get(key);
      said.set(key, { task: ('task' in event ? event.task : undefined) ?? '', step });
      if (before === undefined) emit(event);
    },
    next: (keep = () => false) => {
      for (const [key, one] of said) {
        if (keep(one.task)) one.step = step;
        else if (one.step < step) said.delete(key);
      }
      step++;
    },
  };
}

function keyOf(event: Event): string | undefined {
  switch (event.event) {
    case 'problem':
      return `problem ${formatProblem(event.problem)}`;
    case 'waits':
      return `waits ${event.task} ${event.state} ${event.reason}`;
    case 'fault':
      return `fault ${event.task ?? ''} ${event.reason}`;
    default:
      return undefined;
  }
}
