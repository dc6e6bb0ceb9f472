/** The current step of a running attempt of work: from the status.md on its desk, else from the one that its runner keeps. */
import { join } from 'node:path';
import { attemptFolder, deskFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { parseStatus } from '../../task/text/documents/documents.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { redacted } from '../../workspace/tasks/redact.ts';
import { silenceLimitMs } from '../core/decide/heartbeat.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import type { ListedTask } from './listing.ts';

/** Empty where no agent works. A host is not expected to keep its status.md fresh, so it never lags. */
export function progressOf(
  ws: Workspace,
  { id, state, attempt, waits_for }: Pick<ListedTask, 'id' | 'state' | 'attempt' | 'waits_for'>,
): Pick<ListedTask, 'step' | 'step_seconds' | 'lagging'> {
  if (state !== 'in_progress' || !['agent', 'host'].includes(waits_for)) return {};
  const own = join(deskFolder(ws.layout, id, attempt), 'status.md');
  const written_ms = ws.disk.stat(own)?.mtime_ms;
  if (written_ms === undefined) return {};
  const folder = taskFolder(ws.layout, state, id);
  const read = readTask(ws, state, id)?.contract;
  const contract = read?.ok === true ? read.value : undefined;
  const hears = contract && executorOf(ws, contract).adapter?.client !== undefined;
  // Events go to the log as they come; a status that the runner keeps is at the top of the task alone.
  const log = join(attemptFolder(folder, attempt), 'output.log');
  const heard_ms = hears === true ? ws.disk.stat(log)?.mtime_ms : undefined;
  const last_ms = Math.max(written_ms, heard_ms ?? 0);
  const ms = Math.max(0, ws.machine.now().getTime() - last_ms);
  const lagging = waits_for === 'agent' && contract !== undefined && ms > silenceLimitMs(contract);
  const step = stepIn(ws, own) || stepIn(ws, join(folder, 'status.md'));
  return { step, step_seconds: Math.round(ms / 1000), lagging };
}

/** Empty where it says nothing yet, as the template does. */
function stepIn(ws: Workspace, file: string): string {
  const text = textIfThere(ws.disk, file) ?? '';
  const { current_step: step } = parseStatus(
    Buffer.from(redacted(ws, Buffer.from(text))).toString(),
  );
  return step === 'not started' ? '' : step;
}
