/**
 * A step, or what the last one reported where it had nothing to do and nothing has changed since: then the
 * code of a step is not even loaded.
 */
import { recall, record, rowLines, rowsOf } from '../cache/scan-cache.ts';
import type { Event } from '../../task/core/lines/event.ts';
import type { StepOptions, StepReport } from './step-report.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export { WHOLE_STEP, type StepOptions, type StepReport } from './step-report.ts';

export async function step(ws: Workspace, options: StepOptions = {}): Promise<StepReport> {
  if (!isWhole(ws, options)) return await take(ws, options);
  const again = reportedBefore(recall(ws, 'step'), options);
  if (again !== undefined) return again;
  const recording = record(ws, 'step');
  const report = await take(recording.ws, options, ws);
  const quiet = report.events.every(({ event }) => event === 'waits' || event === 'problem');
  const well = !report.interrupted && report.faulted.size === 0;
  if (quiet && well && isWhole(ws, options)) recording.keep(() => rowLines(report.events));
  return report;
}

/** All tasks are looked at, and no other step of this process works on one. */
function isWhole(ws: Workspace, { only, wants, until, except, dry_run, in_flight }: StepOptions) {
  const limited = only ?? wants ?? until;
  const narrowed = limited !== undefined || dry_run === true || (except?.size ?? 0) > 0;
  const alone = in_flight === undefined || in_flight.busy.size + in_flight.taken.size === 0;
  return !narrowed && alone && ws.dead_hosts.size === 0;
}

/** Whether it is trusted is asked apart: that is no part of what a certificate holds. */
async function take(ws: Workspace, options: StepOptions, apart = ws): Promise<StepReport> {
  const { takeStep } = await import('./step.ts');
  return await takeStep(ws, options, apart);
}

/** undefined also where the rows cannot be read: the cache must never prevent a step. */
function reportedBefore(lines: Buffer | undefined, { emit }: StepOptions): StepReport | undefined {
  if (lines === undefined) return undefined;
  try {
    for (const event of rowsOf<Event>(lines)) emit?.(event);
  } catch {
    return undefined;
  }
  return {
    get events() {
      return [...rowsOf<Event>(lines)];
    },
    progressed: false,
    faulted: new Set(),
    interrupted: false,
    plan: [],
    quiet: true,
  };
}
