/**
 * Steps, for as long as nobody ends it: after a ring of the bell, and by an interval. Never two at
 * once; a ring during a step asks for one more. A task that met a fault is left alone for a while,
 * longer each time. What stands still is told once. Ends by its signal alone.
 */
import type { Event } from '../../core/event.ts';
import { backOffMs, nextLookAt, rung, type Rings } from '../../core/watch-clock.ts';
import { saidOnce } from '../said-once.ts';
import { step, WHOLE_STEP, type StepReport } from '../step.ts';
import type { Workspace } from '../workspace.ts';

export interface WatchOptions {
  readonly interval_ms: number;
  readonly signal: AbortSignal;
  readonly parallel?: number | undefined;
  readonly emit: (event: Event) => void;
  /** Gets the function that rings, before the first step. */
  onReady?(ring: () => void): void;
  /** After each step that leaves nothing to be done at once. */
  onRest?(report: StepReport): void;
}

/** A tree so large that a look takes long is not looked at all the time. */
const REST_FOR_LOOK = 4;

interface BackOff {
  readonly delay_ms: number;
  readonly until_ms: number;
}

export async function watch(ws: Workspace, options: WatchOptions): Promise<number> {
  const { signal } = options;
  const once = saidOnce(options.emit, ['problem', 'waits', 'fault']);
  const backOffs = new Map<string, BackOff>();
  let rings: Rings | undefined;
  let wake: () => void = () => undefined;
  options.onReady?.(() => {
    rings = rung(rings, ws.elapsed_ms());
    wake();
  });
  let left: ReadonlySet<string> = new Set();
  for (let steps = 0; ; steps++) {
    if (signal.aborted) return steps;
    const began = ws.elapsed_ms();
    rings = undefined;
    once.next((task) => left.has(task));
    left = new Set([...backOffs].filter(([, one]) => one.until_ms > began).map(([id]) => id));
    const report = await step(ws, {
      except: left,
      parallel: options.parallel,
      signal,
      emit: once.emit,
    });
    const ended = ws.elapsed_ms();
    backOff(backOffs, report, left, ended);
    const again = report.events.some((one) => one.event === 'waits' && one.on === 'step');
    if ((report.progressed || again) && !report.faulted.has(WHOLE_STEP)) continue;
    options.onRest?.(report);
    const interval = Math.max(options.interval_ms, REST_FOR_LOOK * (ended - began));
    const not_before = backOffs.get(WHOLE_STEP)?.until_ms ?? 0;
    await rest(
      () => nextLookAt(ended, interval, rings, not_before) - ws.elapsed_ms(),
      (heard) => {
        wake = heard;
      },
      signal,
    );
  }
}

function backOff(
  backOffs: Map<string, BackOff>,
  report: StepReport,
  left: ReadonlySet<string>,
  now_ms: number,
): void {
  for (const id of backOffs.keys()) {
    if (!left.has(id) && !report.faulted.has(id)) backOffs.delete(id);
  }
  for (const id of report.faulted) {
    const delay_ms = backOffMs(backOffs.get(id)?.delay_ms);
    backOffs.set(id, { delay_ms, until_ms: now_ms + delay_ms });
  }
}

/** Until there is nothing left to wait for; each ring asks anew how long that is. */
function rest(
  left_ms: () => number,
  listen: (heard: () => void) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((done) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      listen(() => undefined);
      done();
    };
    const look = (): void => {
      clearTimeout(timer);
      const left = left_ms();
      if (left <= 0 || signal.aborted) end();
      else timer = setTimeout(look, left);
    };
    signal.addEventListener('abort', end);
    listen(look);
    look();
  });
}
