/** The current step of a running attempt of work, whoever runs it: from the status.md on its desk. */
import { join } from 'node:path';
import { deskFolder } from '../../task/store/tasks/layout.ts';
import { parseStatus } from '../../task/text/documents/documents.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { redacted } from '../../workspace/tasks/redact.ts';
import { silenceLimitMs } from '../core/decide/heartbeat.ts';
import type { ListedTask } from './listing.ts';

/** Empty where no agent works. A host is not expected to keep its status.md fresh, so it never lags. */
export function progressOf(
  ws: Workspace,
  { id, state, attempt, waits_for }: Pick<ListedTask, 'id' | 'state' | 'attempt' | 'waits_for'>,
): Pick<ListedTask, 'step' | 'step_seconds' | 'lagging'> {
  if (state !== 'in_progress' || !['agent', 'host'].includes(waits_for)) return {};
  const file = join(deskFolder(ws.layout, id, attempt), 'status.md');
  const text = textIfThere(ws.disk, file);
  const written_ms = ws.disk.stat(file)?.mtime_ms;
  if (text === undefined || written_ms === undefined) return {};
  const step = parseStatus(Buffer.from(redacted(ws, Buffer.from(text))).toString()).current_step;
  const ms = Math.max(0, ws.machine.now().getTime() - written_ms);
  const contract = readTask(ws, state, id)?.contract;
  const lagging =
    waits_for === 'agent' && contract?.ok === true && ms > silenceLimitMs(contract.value);
  // As the template has it.
  return { step: step === 'not started' ? '' : step, step_seconds: Math.round(ms / 1000), lagging };
}
