/**
 * Watches a running agent, once a tick: stops it when a person moved the task, copies a changed status.md or keeps
 * one itself, reports silence, renews the lease. Also turns output into progress.
 */
import { relative } from 'node:path';
import type { AgentProgress } from '../../process/adapter.ts';
import type { ClientReport } from '../../task/core/attempts/client-report.ts';
import { beat, silenceLimitMs, type Pulse } from '../core/decide/heartbeat.ts';
import { beginningOf } from '../core/words/answers.ts';
import { toolWord } from '../../permissions/core/tools.ts';
import { homeOf } from '../../task/core/attempts/open-attempt.ts';
import type { Stat } from '../../task/store/disk/disk.ts';
import { changedAt, snapshotFolder } from '../../task/store/snapshots/folder-snapshot.ts';
import { attemptFolder, STOP_FILE, taskFolder } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { parseStatus } from '../../task/text/documents/documents.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { collectEvents } from '../attempt/collect-events.ts';
import { shownText } from '../attempt/transcript.ts';
import { fromDesk, isFirstStatus, keptStatus, publishStatus } from '../attempt/current-files.ts';
import { pauseFile, pauseWords, STOP } from '../../workspace/open/pause-file.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';

export interface Watch {
  /** Aborted by Ctrl-C, or when the task was moved away. */
  readonly signal: AbortSignal;
  onLine(line: string): void;
  start(): void;
  stop(): void;
  report(): ClientReport;
}

export interface WatchOptions {
  readonly desk: string;
  readonly root: string;
  readonly stall_ms: number;
  read(line: string): readonly AgentProgress[];
  /** True if a worker on another machine calls it. */
  readonly relays: boolean;
  /** True if its client reports what it does. */
  readonly hears: boolean;
  /** No output, no status and no changed file for so long. */
  stalled(): void;
}

/** In larger trees changed files are not looked for, so an agent never stalls there. */
const FILES_MAX = 100_000;
const LEFT_OUT = new Set(['.git', 'node_modules', 'LEDGER.md']);

const BEAT_MS = 60_000;

export function supervise(running: Running, options: WatchOptions): Watch {
  const { ws, id } = running;
  const moved = new AbortController();
  const signal = AbortSignal.any([running.signal, moved.signal]);
  const home = taskFolder(ws.layout, homeOf(running), id);
  let timer: NodeJS.Timeout | undefined;
  const events = collectEvents();
  const heard = options.hears ? heardBy(running, options) : undefined;
  const mirror = mirrorOf(running, options.desk, home, heard);
  const pulse = pulseOf(running);
  const stall = stallOf(running, home, options);
  // Until a worker took it there is no agent that could be silent.
  let [beats, times, begun] = [0, 0, !options.relays];
  let beat_at = ws.elapsed_ms();

  const look = (): void => {
    const asked = `${attemptFolder(home, running.number)}/${STOP_FILE}`;
    // Where the whole workspace is gone, nobody has moved the task: its agent goes on.
    const gone = ws.disk.stat(home) === undefined && ws.disk.stat(ws.layout.tasks) !== undefined;
    if (gone || ws.disk.stat(asked) !== undefined || pauseWords(ws)?.includes(STOP) === true) {
      moved.abort();
      return;
    }
    const written_ms = mirror();
    if (begun) pulse(heard?.count() ?? written_ms);
    stall.look(written_ms);
    if (ws.elapsed_ms() - beat_at >= BEAT_MS) {
      beat_at = ws.elapsed_ms();
      beats++;
      keepLease(running, home, beats);
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
      stall.sign();
      for (const progress of options.read(line)) {
        events.take(progress);
        begun ||= progress.kind === 'machine';
        heard?.take(progress);
        const text = shownText(progress);
        times = progress.kind === 'retry' ? times + 1 : 0;
        if (progress.kind === 'retry') {
          const of = { task: id, attempt: running.number, times, text: progress.text };
          running.emit({ event: 'retries', ...of });
        } else if (text !== undefined) {
          running.emit({ event: 'progress', task: id, attempt: running.number, text });
        }
      }
    },
    start: () => {
      // It may have come during setup or the checks.
      if (ws.disk.stat(pauseFile(ws)) !== undefined) moved.abort();
      safely();
      timer = setInterval(safely, ws.tick_ms);
    },
    stop: () => {
      clearInterval(timer);
      safely();
    },
    report: events.report,
  };
}

function stallOf(
  { ws, number }: Running,
  home: string,
  { desk, root, stall_ms, stalled }: WatchOptions,
): { sign(): void; look(written_ms: number): void } {
  // On the clock of that file system; the brief is written last before the start.
  const began = ws.disk.stat(`${desk}/brief.md`)?.ctime_ms ?? 0;
  const start_ms = ws.elapsed_ms();
  let sign_ms = start_ms;
  let last_ms: number | undefined;
  const sign = (): void => {
    sign_ms = ws.elapsed_ms();
  };
  const newest = (): number => {
    const skipped = new Set([relative(root, ws.layout.tasks)]);
    const about = { files_max: FILES_MAX, left_out: LEFT_OUT, skipped };
    const sights = [root, desk].map((folder) => snapshotFolder(ws.disk, folder, about));
    if (sights.includes(undefined)) return Infinity;
    const log_ms = ws.disk.stat(`${attemptFolder(home, number)}/output.log`)?.ctime_ms ?? 0;
    const times = sights.flatMap((sight) => [...(sight?.files.values() ?? [])].map(changedAt));
    return times.reduce((a, b) => Math.max(a, b), log_ms) - began + start_ms;
  };
  return {
    sign,
    look: (written_ms) => {
      if (written_ms !== last_ms) sign();
      last_ms = written_ms;
      if (ws.elapsed_ms() - sign_ms < stall_ms) return;
      sign_ms = Math.max(sign_ms, Math.min(newest(), ws.elapsed_ms()));
      if (ws.elapsed_ms() - sign_ms >= stall_ms) stalled();
    },
  };
}

interface Heard {
  take(progress: AgentProgress): void;
  count(): number;
  /** The status in the agent's place; undefined where nothing came since the last one. */
  status(): Uint8Array | undefined;
}

/** Listens to the client: when it last reported something, which step, which files. */
function heardBy(running: Running, { desk, root }: WatchOptions): Heard {
  const { ws } = running;
  const files = new Set<string>();
  const plain = (text: string) => text.replaceAll(`${desk}/`, '').replaceAll(`${root}/`, '');
  // A call may fail.
  const isThere = (path: string) => ws.disk.stat(`${root}/${path}`)?.kind === 'file';
  let step = '';
  let words = '';
  let at = ws.machine.now();
  let events = 0;
  let shown = 0;
  return {
    take: (progress) => {
      // A relay reports it, also where nothing was heard of the agent.
      if (progress.kind === 'ended') return;
      events += 1;
      at = ws.machine.now();
      if (progress.kind !== 'line' && progress.kind !== 'tool') return;
      const isPart = progress.kind === 'line' && progress.part === true;
      const text = plain(shownText(progress) ?? '');
      words = isPart ? words + text : text;
      step = beginningOf(words) || step;
      if (!isPart) words = '';
      if (progress.kind !== 'tool' || !WRITES.has(toolWord(progress.name) ?? '')) return;
      for (const path of [progress.detail, ...progress.detail.split(' ')]) files.add(plain(path));
    },
    count: () => events,
    status: () => {
      if (events === shown || step === '') return undefined;
      shown = events;
      const made = [...files].filter(isThere).slice(0, FILES_SHOWN_MAX);
      return bytesOf(keptStatus(running, at.toISOString(), step, made));
    },
  };
}

const WRITES = new Set<string>(['write', 'edit']);
const FILES_SHOWN_MAX = 50;

/**
 * Copies status.md of the desk to the task when it changed, and keeps one in place of an agent that wrote none;
 * returns its time. The time alone does not show a change: two writes within a tick of the file system's clock
 * have the same.
 */
function mirrorOf(running: Running, desk: string, home: string, heard?: Heard): () => number {
  const look = (): Stat | undefined => running.ws.disk.stat(`${desk}/status.md`);
  let seen = markOf(look());
  let last: string | undefined;
  let isOwn = false;
  return () => {
    const now = look();
    const mark = markOf(now);
    const written_ms = now?.mtime_ms ?? 0;
    if (running.kind !== 'work') return written_ms;
    if (mark === seen) {
      const kept = isOwn ? undefined : heard?.status();
      // A template of the workspace may know no kept one.
      if (kept !== undefined && !isFirstStatus(running, kept))
        last = publishStatus(running, home, kept, last, true);
      return written_ms;
    }
    const bytes = fromDesk(running, desk, 'status.md');
    if (bytes !== undefined && !isFirstStatus(running, bytes)) {
      isOwn = true;
      last = publishStatus(running, home, bytes, last);
      reportStatus(running, bytes);
    }
    seen = mark;
    return written_ms;
  };
}

function markOf(stat: Stat | undefined): string {
  return [stat?.inode, stat?.bytes, stat?.mtime_ms, stat?.ctime_ms].join(' ');
}

function reportStatus(running: Running, bytes: Uint8Array): void {
  const text = decodeText(bytes, 'status.md');
  const step = text.ok ? parseStatus(text.value).current_step : '';
  if (step === '') return;
  running.emit({ event: 'status', task: running.id, attempt: running.number, text: step });
}

/** Reports once that the agent fell silent, and once that it continues. A reviewer writes no status. */
function pulseOf(running: Running): (sign: number) => void {
  const { ws, contract } = running;
  const limit_ms = contract === undefined ? Infinity : silenceLimitMs(contract);
  let pulse: Pulse | undefined;
  return (sign) => {
    if (running.kind !== 'work') return;
    pulse ??= { sign, heard_ms: ws.elapsed_ms(), lagging: false };
    const now = beat(pulse, sign, ws.elapsed_ms(), limit_ms);
    pulse = now.pulse;
    if (now.news === undefined) return;
    running.emit({
      event: now.news,
      task: running.id,
      attempt: running.number,
      seconds: Math.round(now.silent_ms / 1000),
      limit_seconds: Math.round(limit_ms / 1000),
    });
  };
}

function keepLease(running: Running, home: string, beat: number): void {
  const record = renderRecord({ v: 1, nonce: running.owner.nonce, beat }, '');
  const path = `${attemptFolder(home, running.number)}/lease.md`;
  put(running.ws.putting, path, bytesOf(record), { durable: false });
}
