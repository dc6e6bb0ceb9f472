/**
 * Steps, repeated until nothing can move without a person. While an agent works and slots are free,
 * further steps run beside it (in-flight.ts); the last one is taken alone, and its waits are the report.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_USE } from '../../task/core/attempts/budget.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { errorsPause, type Call } from '../../task/core/attempts/pause.ts';
import { slotLimits } from '../../task/core/model/policy.ts';
import { newInFlight, type InFlight } from '../board/in-flight.ts';
import { callsOfAdapter } from '../board/pauses.ts';
import { step, WHOLE_STEP, type StepOptions, type StepReport } from './step.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

type Waits = Extract<Event, { event: 'waits' }>;

export interface RunReport {
  /** Tasks that wait for a person, with the words of the last step. */
  readonly waiting: readonly Waits[];
  readonly faulted: ReadonlySet<string>;
  readonly interrupted: boolean;
  /** Name of the adapter that crashed, or whose client failed, too often in a row; undefined when none did. */
  readonly gave_up_on: string | undefined;
  readonly steps: number;
}

/** While all waits end at a certain time: a person may change something earlier. */
const LOOK_MS = 10_000;
/** While agents work: what a person answered or moved is taken up. */
const BESIDE_MS = 5_000;
/** Beside agents, looks at a tree take at most so much of the time: the first of so many parts. */
const LOOK_PARTS = 5;
/** A shorter wait is not worth a line. */
const REPORT_MS = 1000;

export async function run(ws: Workspace, options: StepOptions = {}): Promise<RunReport> {
  const faulted = new Set<string>(options.except ?? []);
  const signal = options.signal ?? new AbortController().signal;
  const reported = new Set<string>();
  const emit = (event: Event): void => {
    // Waits are reported once, at the end of the run; what another runner works on, at once.
    if (event.event === 'waits') {
      const words = `${event.task} ${event.reason}`;
      if (event.on === 'agent' && !reported.has(words)) options.emit?.(event);
      if (event.on === 'agent') reported.add(words);
      return;
    }
    // Each step finds what is wrong with a file or a setting; it is reported once.
    if (event.event === 'problem' || (event.event === 'fault' && event.task === undefined)) {
      const words = JSON.stringify(event);
      if (reported.has(words)) return;
      reported.add(words);
    }
    // At once: a step beside this one would try it again.
    if (event.event === 'fault') faulted.add(event.task ?? WHOLE_STEP);
    options.emit?.(event);
  };
  const in_flight = newInFlight();
  const gaveUpOn = (): string | undefined => brokenIn([...in_flight.calls.values()]);
  const isOver = (): boolean => signal.aborted || gaveUpOn() !== undefined;
  const doSteps = overlapping(
    { ...ws, begins_anew: true },
    { ...options, in_flight, spending: { use: NO_USE }, except: faulted, emit },
    isOver,
  );
  for (let steps = 0; ;) {
    const { report, taken } = await doSteps();
    steps += taken;
    for (const id of report.faulted) faulted.add(id);
    const waiting = report.events.filter((event) => event.event === 'waits');
    const waitsOn = (whom: Waits['on']) => waiting.find(({ on }) => on === whom);
    // A run of named tasks does not see the agents that have its slots.
    const others = waitsOn('agent') ?? waitsOn('slot');
    const until = untilOf(waiting);
    const late = options.until !== undefined && ws.machine.now().getTime() >= options.until.ms;
    const again = report.progressed || (!late && (others ?? waitsOn('step')) !== undefined);
    if (isOver() || (!again && (late || until === undefined))) {
      for (const event of waiting) options.emit?.(event);
      const gave_up_on = gaveUpOn();
      return { waiting, faulted, interrupted: signal.aborted, gave_up_on, steps };
    }
    if (again || until === undefined) {
      if (report.progressed) continue;
      if (others?.on === 'slot' && !reported.has(others.fix)) options.emit?.(others);
      reported.add(others?.fix ?? '');
      await sleep(ws.tick_ms, undefined, { signal }).catch(() => undefined);
      continue;
    }
    const left_ms = Date.parse(until) - ws.machine.now().getTime();
    const first = waiting.find((event) => event.until === until);
    if (left_ms >= REPORT_MS && !reported.has(until) && first !== undefined) options.emit?.(first);
    reported.add(until);
    await ws.sleep(Math.max(0, Math.min(left_ms, LOOK_MS)), signal);
  }
}

/** The first instant at which a wait ends by itself. */
export function untilOf(waiting: readonly Waits[]): string | undefined {
  return waiting.flatMap(({ until }) => until ?? []).sort()[0];
}

function brokenIn(calls: readonly Call[]): string | undefined {
  const adapters = new Set(calls.flatMap(({ adapter }) => adapter ?? []));
  return [...adapters].find((one) => errorsPause(callsOfAdapter(calls, one)) !== undefined);
}

/**
 * One step, and others beside it for as long as it goes on: every few seconds, and when a task was put
 * down after something had moved, while agents work and a slot is free. Answers the report of the first, when all
 * have ended. A bug in one of them stops the agents of all, and goes up.
 */
function overlapping(
  ws: Workspace,
  options: StepOptions & { readonly in_flight: InFlight },
  isOver: () => boolean,
): () => Promise<{ report: StepReport; taken: number }> {
  const slots = options.parallel ?? slotLimits(ws.config).all;
  const goingOn = { beside: (): void => undefined, news: false, freed: false, looked_ms: 0 };
  const { in_flight } = options;
  in_flight.freed = () => {
    // By then the step that put it down has taken up its next one, where it has one.
    goingOn.freed = true;
    setImmediate(takeUp);
  };
  const isEarly = (least_ms: number): boolean =>
    ws.elapsed_ms() - goingOn.looked_ms < Math.max(least_ms, in_flight.look_ms * LOOK_PARTS);
  const takeUp = (): void => {
    const free = in_flight.busy.size > 0 && in_flight.busy.size < slots;
    if (goingOn.freed && goingOn.news && free && !isEarly(0) && !isOver()) goingOn.beside();
  };
  const emit = (event: Event): void => {
    if (event.event === 'moved' || event.event === 'ended') goingOn.news = true;
    options.emit?.(event);
  };
  return async () => {
    const bug = new AbortController();
    const asked = options.signal === undefined ? [] : [options.signal];
    const signal = AbortSignal.any([bug.signal, ...asked]);
    const going = new Set<Promise<unknown>>();
    let taken = 0;
    const begin = (): Promise<StepReport> => {
      taken += 1;
      goingOn.freed = goingOn.news = false;
      goingOn.looked_ms = ws.elapsed_ms();
      const one = step(ws, { ...options, emit, signal });
      const ended: Promise<unknown> = one
        .catch((error: unknown) => bug.abort({ error }))
        .finally(() => going.delete(ended));
      going.add(ended);
      return one;
    };
    goingOn.beside = () => void begin();
    const first = begin();
    const looks = setInterval(() => {
      if (in_flight.busy.size === 0) return;
      if (isEarly(BESIDE_MS)) return takeUp();
      if (!isOver()) goingOn.beside();
    }, ws.tick_ms);
    while (going.size > 0) await Promise.all(going);
    clearInterval(looks);
    if (bug.signal.aborted) throw (bug.signal.reason as { readonly error: unknown }).error;
    return { report: await first, taken };
  };
}
