/** Reports of a worker while it does a job: the events of the call, the agent's status, and that it is alive. */
import type { AgentProgress } from '../../process/adapter.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Job } from '../core/job.ts';
import { statusOf } from './do-job.ts';
import type { JobQueue, Taken } from './queue.ts';

/** A line of the worker's log. */
export interface WorkerEvent {
  readonly what: 'queue' | 'waits' | 'takes' | 'ended' | 'refused' | 'late' | 'drains';
  readonly task?: string;
  readonly attempt?: number;
  readonly words: string;
}

/** Parts of a worker that each of its jobs needs. */
export interface Reporting {
  readonly ws: Workspace;
  readonly queue: JobQueue;
  /** Name of this machine, as people and owners see it. */
  readonly name: string;
  /** Aborted: stops the agents, too. */
  readonly stop: AbortSignal;
  readonly report: (event: WorkerEvent) => void;
}

const BEAT_MS = 1000;
/** A worker with nothing to report says this often that it is alive. */
const QUIET_MS = 5000;
const LINES_BYTES_MAX = 2 * 1024 * 1024;
const REPORTED_MAX = 200;
/** Events that an owner must get, however many lines there are. */
const ESSENTIAL = new Set([
  'session',
  'usage',
  'error',
  'resets',
  'denied',
  'judged',
  'end',
  'question',
]);

interface Log {
  readonly push: (event: AgentProgress) => void;
  readonly all: () => readonly string[];
}

/** Events as lines. Of too many only those that count are kept. */
export function newLog(): Log {
  const lines: string[] = [];
  let bytes = 0;
  return {
    push: (event) => {
      const line = JSON.stringify(event);
      if (bytes > LINES_BYTES_MAX && !ESSENTIAL.has(event.kind)) return;
      bytes += line.length;
      lines.push(line);
    },
    all: () => lines,
  };
}

/** Reports what is new, and hears that the owner no longer waits. */
export function beating(
  { ws, queue, name: machine, stop, report }: Reporting,
  taken: Taken,
  doing: { readonly job: Job; readonly folder: string },
  log: Log,
) {
  const given_up = new AbortController();
  const signal = AbortSignal.any([stop, given_up.signal]);
  let [beat, sent, reported_at] = [0, 0, 0];
  let status: string | undefined;
  let under_way: Promise<unknown> | undefined;
  const one = async (): Promise<void> => {
    const looked = await queue.look(taken.queue, taken.id);
    if (looked === undefined || looked.cancel) {
      const why = looked === undefined ? 'the queue no longer has it' : 'its owner gave it up';
      if (!given_up.signal.aborted)
        report({
          what: 'late',
          task: doing.job.order.task,
          attempt: doing.job.order.attempt,
          words: why,
        });
      given_up.abort();
      return;
    }
    const text = textIfThere(ws.disk, statusOf(doing))?.slice(0, 64 * 1024);
    const lines = log.all();
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
  const tick = (): void => {
    under_way ??= one()
      .catch(() => undefined)
      .finally(() => (under_way = undefined));
  };
  tick();
  const timer = setInterval(tick, BEAT_MS);
  return {
    signal,
    end: async (): Promise<void> => {
      clearInterval(timer);
      await under_way;
    },
  };
}
