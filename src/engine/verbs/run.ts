/**
 * Steps, repeated until nothing can move without a person (DESIGN §6). Waits for agents that other
 * runners left going; leaves out tasks that met a fault; stops when an adapter keeps failing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '../../core/event.ts';
import { step, type StepOptions } from '../step.ts';
import type { Workspace } from '../workspace.ts';

export interface RunReport {
  /** Tasks that wait for a person, with the words of the last step. */
  readonly waiting: readonly Extract<Event, { event: 'waits' }>[];
  readonly faulted: ReadonlySet<string>;
  readonly interrupted: boolean;
  /** Name of the adapter that crashed too often in a row; undefined when none did. */
  readonly gave_up_on: string | undefined;
  readonly steps: number;
}

/** Crashes of one adapter in a row, over all tasks, after which the run stops. */
const ADAPTER_ERRORS_MAX = 5;

export async function run(ws: Workspace, options: StepOptions = {}): Promise<RunReport> {
  const faulted = new Set<string>(options.except ?? []);
  const errors = new Map<string, number>();
  const signal = options.signal ?? new AbortController().signal;
  const called = new Map<string, string>();
  const told = new Set<string>();
  const emit = (event: Event): void => {
    // What is wrong with a file or a setting is seen by each of the steps, and said once.
    if (event.event === 'problem') {
      const words = JSON.stringify(event.problem);
      if (told.has(words)) return;
      told.add(words);
    }
    countErrors(event, called, errors);
    options.emit?.(event);
  };
  for (let steps = 1; ; steps++) {
    const report = await step(ws, { ...options, except: faulted, emit: quietly(emit) });
    for (const id of report.faulted) faulted.add(id);
    const waiting = report.events.filter((event) => event.event === 'waits');
    const gave_up_on = [...errors].find(([, n]) => n >= ADAPTER_ERRORS_MAX)?.[0];
    const on_agents = waiting.some((event) => event.on === 'agent');
    const again = report.progressed || on_agents || waiting.some((event) => event.on === 'step');
    if (signal.aborted || gave_up_on !== undefined || !again) {
      for (const event of waiting) options.emit?.(event);
      return { waiting, faulted, interrupted: signal.aborted, gave_up_on, steps };
    }
    if (!report.progressed) await sleep(ws.tick_ms, undefined, { signal }).catch(() => undefined);
  }
}

/** What waits is said once, at the end of the run, and not after each of its steps. */
function quietly(emit: (event: Event) => void): (event: Event) => void {
  return (event) => {
    if (event.event !== 'waits') emit(event);
  };
}

function countErrors(event: Event, called: Map<string, string>, errors: Map<string, number>): void {
  if (event.event === 'called') called.set(event.task, event.adapter);
  if (event.event !== 'ended') return;
  const adapter = called.get(event.task);
  if (adapter === undefined) return;
  called.delete(event.task);
  errors.set(adapter, event.outcome === 'crashed' ? (errors.get(adapter) ?? 0) + 1 : 0);
}
