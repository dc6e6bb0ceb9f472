/**
 * The current step of a running attempt of work: from the status.md on its desk, else from the one that its runner
 * keeps. Where a worker does it, its machine, from the log.
 */
import { join } from 'node:path';
import { adapterFor } from '../../clients/adapters/registry.ts';
import { machineIn } from '../../clients/adapters/queue.ts';
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
): Pick<ListedTask, 'machine' | 'step' | 'step_seconds' | 'lagging'> {
  if (!['agent', 'host'].includes(waits_for)) return {};
  const away = awayOf(ws, { id, state, attempt });
  if (state !== 'in_progress' || away.step !== undefined) return away;
  const own = join(deskFolder(ws.layout, id, attempt), 'status.md');
  const written_ms = ws.disk.stat(own)?.mtime_ms;
  if (written_ms === undefined) return away;
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
  return { ...away, step, step_seconds: Math.round(ms / 1000), lagging };
}

/** A worker that is alive has taken a job by then, unless all its slots are taken. */
const LONG_MS = 60_000;
/** Bytes of a log in which the worker is named: before that only waiting is reported, once a minute. */
const HEAD_BYTES = 256 * 1024;

/** The machine of a worker, or that none has taken it yet; empty for agents of this machine. */
function awayOf(
  ws: Workspace,
  { id, state, attempt }: Pick<ListedTask, 'id' | 'state' | 'attempt'>,
): Pick<ListedTask, 'machine' | 'step' | 'step_seconds'> {
  if (!Object.values(ws.config.adapters).some(({ type }) => type === 'queue')) return {};
  const last = readTask(ws, state, id)?.attempts.at(-1);
  const { adapter = '', started = '' } = (last?.number === attempt && last.agent) || {};
  if (adapterFor(adapter, ws.config)?.relays === undefined) return {};
  const log = join(attemptFolder(taskFolder(ws.layout, state, id), attempt), 'output.log');
  if (ws.disk.stat(log)?.kind !== 'file') return {};
  const head = ws.disk.read(log, HEAD_BYTES, { single_link: false, compared: true });
  const [machine] = new TextDecoder().decode(head).split('\n').flatMap(machineIn);
  if (machine !== undefined) return { machine };
  const ms = ws.machine.now().getTime() - Date.parse(started);
  if (head.length >= HEAD_BYTES || !(ms >= 0)) return {};
  const more = ms < LONG_MS ? '' : '; start one: contracts doctor';
  return { step: `waits for a worker${more}`, step_seconds: Math.round(ms / 1000) };
}

/** Empty where it says nothing yet, as the template does. */
function stepIn(ws: Workspace, file: string): string {
  const text = textIfThere(ws.disk, file) ?? '';
  const { current_step: step } = parseStatus(
    Buffer.from(redacted(ws, Buffer.from(text))).toString(),
  );
  return step === 'not started' ? '' : step;
}
