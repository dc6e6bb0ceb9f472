/** Reports of a worker while it does a job: the events of the call, the agent's status, and that it is alive. */
import type { AgentProgress } from '../../process/adapter.ts';
import { fields } from '../../task/core/base/json.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { JobQueue, Taken } from './queue.ts';

/** An attempt, as the log of a worker names it. */
export interface About {
  readonly task: string;
  readonly attempt: number;
  /** End of its agent. */
  readonly ending?: { readonly code: number | null };
}

/** Prints a line of the worker's log. */
export type Report = (
  what: 'queue' | 'waits' | 'takes' | 'ended' | 'refused' | 'late' | 'drains',
  words: string,
  about?: About,
) => void;

/** Parts of a worker that each of its jobs needs. */
export interface Reporting {
  readonly ws: Workspace;
  readonly queue: JobQueue;
  /** Name of this machine, as people and owners see it. */
  readonly name: string;
  /** Aborted: stops the agents, too. */
  readonly stop: AbortSignal;
  readonly report: Report;
}

const BEAT_MS = 1000;
/** A worker with nothing to report says this often that it is alive. */
const QUIET_MS = 5000;
const LINES_BYTES_MAX = 2 * 1024 * 1024;
const STATUS_MAX = 64 * 1024;
const REPORTED_MAX = 200;
/** Events that an owner must get, however many lines there are. */
const ESSENTIAL = new Set('session usage error resets denied judged end question'.split(' '));

/** Keeps events as lines; `push` leaves out what is not essential once there are too many. */
export function newLog() {
  const lines: string[] = [];
  let bytes = 0;
  const push = (event: AgentProgress): void => {
    const line = JSON.stringify(event);
    if (bytes > LINES_BYTES_MAX && !ESSENTIAL.has(event.kind)) return;
    bytes += line.length;
    lines.push(line);
  };
  return { lines, push };
}

/** Does something at once and again and again, never twice at a time; what fails is tried the next time. */
export function repeating(pause_ms: number, act: () => Promise<unknown>) {
  let under_way: Promise<unknown> | undefined;
  const now = (): void => {
    under_way ??= act()
      .catch(() => undefined)
      .finally(() => (under_way = undefined));
  };
  now();
  const timer = setInterval(now, pause_ms);
  const end = async (): Promise<void> => {
    clearInterval(timer);
    await under_way;
  };
  return { now, end };
}

/** Reports what is new, and hears that the owner no longer waits. `status_file`: of the agent. */
export function beating(
  { ws, queue, name: machine, stop, report }: Reporting,
  taken: Taken,
  about: About,
  { status_file, lines }: { readonly status_file: string; readonly lines: readonly string[] },
) {
  const given_up = new AbortController();
  let [beat, sent, reported_at] = [0, 0, 0];
  let status: string | undefined;
  const look = async (): Promise<void> => {
    const looked = await queue.look(taken.queue, taken.id);
    if (looked === undefined || fields(looked.data)['cancel'] === true) {
      const why = looked === undefined ? 'the queue no longer has it' : 'its owner no longer waits';
      if (!given_up.signal.aborted) report('late', `${why}, so its agent is stopped`, about);
      given_up.abort();
      return;
    }
    const text = textIfThere(ws.disk, status_file)?.slice(0, STATUS_MAX);
    const isNew = lines.length > sent || text !== status || beat === 0;
    if (!isNew && ws.elapsed_ms() - reported_at < QUIET_MS) return;
    reported_at = ws.elapsed_ms();
    // Also earlier ones: an owner may not have seen the last report.
    const from = Math.max(0, lines.length - REPORTED_MAX);
    sent = lines.length;
    status = text;
    const words = { lines: lines.slice(from), ...(text === undefined ? {} : { status: text }) };
    await taken.job.updateProgress({ v: 1, machine, beat: ++beat, from, ...words });
  };
  const { end } = repeating(BEAT_MS, look);
  return { signal: AbortSignal.any([stop, given_up.signal]), end };
}
