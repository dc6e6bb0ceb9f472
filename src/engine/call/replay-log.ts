/** Reads the log of an attempt whose runner died, line by line, as that runner would have read it. */
import { join } from 'node:path';
import type { Adapter } from '../../process/adapter.ts';
import { LINE_MAX } from '../../process/log-tail.ts';
import { adapterFor } from '../../clients/adapters/registry.ts';
import { endOf } from '../../task/core/attempts/open-attempt.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { logLines } from '../../workspace/open/text-file.ts';
import { LOG_BYTES_MAX } from '../attempt/log-tail.ts';
import type { Called } from './call.ts';
import { collectEvents } from '../attempt/collect-events.ts';
import { liveIn, readHookLog, withDenied } from '../../permissions/engine/enforce/hook-log.ts';
import { loadedAdapter } from '../attempt/readable-log.ts';
import { findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';

/** By the record of the dead attempt, not by the contract of today. */
export interface Before
  extends Pick<Called, 'report' | 'model' | 'enforced'>, ReturnType<typeof endOf> {
  readonly adapter: Adapter | undefined;
}

/** `left` was put aside by the recovery that asks. */
export async function replayLog(running: Running, left: Attempt): Promise<Before> {
  const { ws } = running;
  const { adapter: name, model, enforced = [] } = left.agent ?? {};
  const adapter = name === undefined ? undefined : adapterFor(name, ws.config);
  const events = collectEvents();
  const folder = findPlace(running)?.folder;
  if (adapter?.client !== undefined && folder !== undefined) {
    const loaded = await loadedAdapter(ws, adapter);
    const log = join(attemptFolder(folder, left.number, true), 'output.log');
    for (const line of logLines(ws.disk, log, LOG_BYTES_MAX)) {
      for (const progress of loaded.read(line.slice(0, LINE_MAX))) events.take(progress);
    }
  }
  const hooked = readHookLog(running, left.number);
  const report = withDenied(events.report(), hooked);
  const all = [...enforced, ...liveIn(report, hooked), ...(report.machine?.enforced ?? [])];
  return { adapter, report, model, enforced: all, ...endOf(left) };
}
