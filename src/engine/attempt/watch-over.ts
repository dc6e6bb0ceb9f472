/**
 * What the runner does while an agent runs: once a tick it looks where the task stands (a person
 * may have moved it: then the agent is stopped), mirrors a changed status.md, and keeps the lease
 * fresh for other hosts. Also turns output into progress. Stops by itself at the end of the call.
 */
import { join } from 'node:path';
import type { AgentProgress } from '../../agent/adapter.ts';
import { homeOf } from '../../core/open-attempt.ts';
import { attemptFolder, taskFolder } from '../../store/layout.ts';
import { put } from '../../store/put.ts';
import { renderRecord } from '../../text/record.ts';
import { fromDesk, isFirstStatus, publishStatus } from './current-files.ts';
import { bytesOf, type Running } from './running.ts';

export interface Watch {
  /** Aborted by Ctrl-C, or when the task was moved away. */
  readonly signal: AbortSignal;
  onLine(line: string): void;
  start(): void;
  stop(): void;
  /** The client's session id, once it told one. */
  session(): string | undefined;
}

export interface WatchOptions {
  readonly desk: string;
  read(line: string): readonly AgentProgress[];
}

const BEAT_MS = 60_000;

export function watchOver(running: Running, options: WatchOptions): Watch {
  const { ws, id } = running;
  const moved = new AbortController();
  const signal = AbortSignal.any([running.signal, moved.signal]);
  const home = taskFolder(ws.layout, homeOf(running.kind), id);
  let timer: NodeJS.Timeout | undefined;
  let session: string | undefined;
  const mirror = mirrorOf(running, options.desk, home);
  let beat = 0;
  let beat_at = Date.now();

  const look = (): void => {
    if (ws.disk.stat(home) === undefined) {
      moved.abort();
      return;
    }
    mirror();
    if (Date.now() - beat_at >= BEAT_MS) {
      beat_at = Date.now();
      beat++;
      keepLease(running, home, beat);
    }
  };
  const safely = (): void => {
    try {
      look();
    } catch {
      // A full disk or a racing move must not end the watch; the commit will meet it again.
    }
  };
  return {
    signal,
    onLine: (line) => {
      for (const progress of options.read(line)) {
        if (progress.kind === 'session') session = progress.id;
        if (progress.kind === 'line' || progress.kind === 'tool') {
          const text =
            progress.kind === 'line' ? progress.text : `${progress.name} ${progress.detail}`;
          running.emit({ event: 'progress', task: id, attempt: running.number, text });
        }
      }
    },
    start: () => {
      safely();
      timer = setInterval(safely, ws.tick_ms);
    },
    stop: () => {
      clearInterval(timer);
      safely();
    },
    session: () => session,
  };
}

function mirrored(running: Running, desk: string): number {
  return running.ws.disk.stat(join(desk, 'status.md'))?.mtime_ms ?? 0;
}

/** Copies status.md of the desk to the task each time that it changed. */
function mirrorOf(running: Running, desk: string, home: string): () => void {
  let seen = mirrored(running, desk);
  let last: string | undefined;
  return () => {
    if (running.kind !== 'work') return;
    const now = mirrored(running, desk);
    if (now === seen) return;
    const bytes = fromDesk(running, desk, 'status.md');
    if (bytes !== undefined && !isFirstStatus(running, bytes)) {
      last = publishStatus(running, home, bytes, last);
    }
    seen = now;
  };
}

function keepLease(running: Running, home: string, beat: number): void {
  const record = renderRecord({ v: 1, nonce: running.owner.nonce, beat }, '');
  const path = join(attemptFolder(home, running.number), 'lease.md');
  put(running.ws.putting, path, bytesOf(record), { durable: false });
}
