/**
 * Records what was started, an agent or a check, durably before its gate opens (docs/protocol.md#start).
 * Without the record the gate stays shut.
 */
import type { Gated } from '../../process/process-room.ts';
import type { Reach } from '../../sandbox/core/writable-paths.ts';
import type { AgentRecord } from '../../task/core/attempts/record.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { atPlace, bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';

export interface Start extends Pick<
  AgentRecord,
  'role' | 'adapter' | 'mark' | 'enforced' | 'model'
> {
  readonly timeout_ms: number;
  readonly reach?: Reach | undefined;
  /** Checks have their own record: that of the agent keeps its deadline. */
  readonly file: 'agent.md' | 'check.md';
}

export function recordStart(
  running: Running,
  gated: Gated,
  { file, timeout_ms, role, adapter, mark, enforced, model, reach }: Start,
): void {
  const { ws, number } = running;
  // Nothing runs: `done` says why, and there is no process to name.
  if (!gated.started) return;
  const now = ws.machine.now();
  const isLimited = Number.isFinite(timeout_ms);
  const record: AgentRecord = {
    v: 1,
    role,
    adapter,
    mark,
    started: now.toISOString(),
    timeout_ms: isLimited ? timeout_ms : null,
    deadline: isLimited ? new Date(now.getTime() + timeout_ms).toISOString() : null,
    enforced,
    model,
    writes: reach && [...reach.writes],
    shut: reach && [...reach.shut],
    ...gated.process,
  };
  try {
    const bytes = bytesOf(renderRecord(record, ''));
    const written = atPlace(running, ({ folder }) => {
      put(ws.putting, `${attemptFolder(folder, number)}/${file}`, bytes);
      return true;
    });
    // Fenced, or removed: nothing may run for an attempt that is not there.
    if (written === undefined) gated.abandon();
  } catch (error) {
    gated.abandon();
    throw error;
  }
}
