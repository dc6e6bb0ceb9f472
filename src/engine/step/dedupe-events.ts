/**
 * For calls of many steps: a problem, a wait or a fault that each step finds again is reported once, and
 * again only after it was gone for a step.
 */
import type { Event } from '../../task/core/lines/event.ts';
import { formatProblem } from '../../task/core/model/problem.ts';

type Recurring = 'problem' | 'waits' | 'fault';

interface Reported {
  readonly task: string;
  step: number;
}

/** `next` before each step; its `keep`: tasks that the step before did not look at. */
export function reportOnce(emit: (event: Event) => void, kinds: readonly Recurring[]) {
  const reported = new Map<string, Reported>();
  let step = 0;
  return {
    emit: (event: Event): void => {
      const key = kinds.some((kind) => kind === event.event) ? keyOf(event) : undefined;
      if (key === undefined) return emit(event);
      const before = reported.get(key);
      reported.set(key, { task: ('task' in event ? event.task : undefined) ?? '', step });
      if (before === undefined) emit(event);
    },
    next: (keep: (task: string) => boolean = () => false): void => {
      for (const [key, one] of reported) {
        if (keep(one.task)) one.step = step;
        else if (one.step < step) reported.delete(key);
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
