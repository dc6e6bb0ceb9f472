/**
 * What the client of an agent told whose runner died: its log is read again, line by line, as that
 * runner would have read it. Bounded; of a log that is missing, refused or too long nothing is known.
 */
import { join } from 'node:path';
import type { Adapter } from '../../agent/adapter.ts';
import { LINE_MAX } from '../../agent/output.ts';
import { adapterFor } from '../../agent/registry.ts';
import type { Heard } from '../../core/heard.ts';
import type { Attempt } from '../../core/record.ts';
import { ReadRefused } from '../../store/disk.ts';
import { attemptFolder } from '../../store/layout.ts';
import type { Workspace } from '../workspace.ts';
import { hearing } from './hearing.ts';
import { liveIn, readHookLog, withDenied } from './hooked.ts';
import { loadedAdapter } from './readable.ts';
import { findPlace, type Running } from './running.ts';

/** What a runner lets a log grow to, and a little more. */
const LOG_BYTES_MAX = 65 * 1024 * 1024;

/** Of the call of a dead attempt, by its own record and not by what the contract says today. */
export interface Before {
  readonly adapter: Adapter | undefined;
  readonly heard: Heard;
  readonly model: string | undefined;
  readonly enforced: readonly string[];
}

/** `left` was put aside by the recovery that asks. */
export async function heardBefore(running: Running, left: Attempt): Promise<Before> {
  const { ws } = running;
  const { adapter: name, model, enforced = [] } = left.agent ?? {};
  const adapter = name === undefined ? undefined : adapterFor(name, ws.config);
  const told = hearing();
  const folder = findPlace(running)?.folder;
  if (adapter?.client !== undefined && folder !== undefined) {
    const loaded = await loadedAdapter(ws, adapter);
    const log = join(attemptFolder(folder, left.number, true), 'output.log');
    for (const line of linesOf(ws, log)) {
      for (const progress of loaded.read(line.slice(0, LINE_MAX))) told.take(progress);
    }
  }
  const hooked = readHookLog(running, left.number);
  const heard = withDenied(told.heard(), hooked);
  return { adapter, heard, model, enforced: [...enforced, ...liveIn(heard, hooked)] };
}

function linesOf({ disk }: Workspace, log: string): readonly string[] {
  if (disk.stat(log)?.kind !== 'file') return [];
  try {
    const bytes = disk.read(log, LOG_BYTES_MAX, { single_link: true });
    return new TextDecoder().decode(bytes).split(/\r?\n/);
  } catch (error) {
    if (error instanceof ReadRefused) return [];
    throw error;
  }
}
