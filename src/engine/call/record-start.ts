/**
 * What was started, durable before its gate opens (docs/protocol.md#start): of an agent, and of a check.
 * A record that could not be written, or has no place any more, leaves the gate shut.
 */
import type { Gated } from '../../process/process-room.ts';
import type { AgentRecord } from '../../task/core/attempts/record.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { atPlace, bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';

export interface Start {
  readonly role: string;
  readonly adapter: string;
  readonly mark: string;
  readonly timeout_ms: number;
  readonly folder: string;
  /** Checks have a record of their own: that of the agent still says when it had to end. */
  readonly file: 'agent.md' | 'check.md';
  readonly enforced?: readonly string[];
  readonly model?: string | undefined;
  readonly writes?: readonly string[];
  readonly shut?: readonly string[];
}

/** Durable before the gate opens; a failure here leaves a gate that reads EOF. */
export function recordStart(running: Running, gated: Gated, start: Start): void {
  const { ws, number } = running;
  // Nothing runs: `done` says why, and there is no process to name.
  if (!gated.started) return;
  const now = ws.machine.now();
  const { timeout_ms } = start;
  const isLimited = Number.isFinite(timeout_ms);
  const record: AgentRecord = {
    v: 1,
    role: start.role,
    adapter: start.adapter,
    mark: start.mark,
    started: now.toISOString(),
    timeout_ms: isLimited ? timeout_ms : null,
    deadline: isLimited ? new Date(now.getTime() + timeout_ms).toISOString() : null,
    enforced: start.enforced && [...start.enforced],
    model: start.model,
    writes: start.writes && [...start.writes],
    shut: start.shut && [...start.shut],
    ...gated.process,
  };
  try {
    const bytes = bytesOf(renderRecord(record, ''));
    const written = atPlace(running, ({ folder }) => {
      put(ws.putting, `${attemptFolder(folder, number)}/${start.file}`, bytes);
      return true;
    });
    // Fenced, or removed: nothing may run for an attempt that is not there.
    if (written === undefined) gated.abandon();
  } catch (error) {
    gated.abandon();
    throw error;
  }
}
