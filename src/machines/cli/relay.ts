/**
 * The relay, a program of its own (dist/bin/relay.cjs): reads its order from the desk, announces it and waits for the
 * answer. It prints an event a line. Exit: that of the agent; 1: no answer was taken; 143: it was stopped.
 */
import { readFileSync } from 'node:fs';
import { filledUrl } from '../../clients/adapters/queue.ts';
import { queueOrderSchema } from '../../clients/core/queue-order.ts';
import type { AgentProgress } from '../../process/adapter.ts';
import type { Fields } from '../../task/core/base/json.ts';
import { wordsOf } from '../../task/core/model/problem.ts';
import { openWorkspace } from '../../workspace/open/workspace.ts';
import { openQueue } from '../engine/queue.ts';
import { endedBy, endOf, relay } from '../engine/relay.ts';

const LOST_S = 120;
const STOPPED = 143;
/** Less than the least silence that is reported. */
const AGAIN_MS = 20_000;
/** The runner kills five seconds after its TERM. */
const END_MS = 4_500;
/** A server that has not answered for so many times the limit of a worker is given up: a frozen one never refuses. */
const AWAY = 10;

/** The step of the agent, to which people come back once the queue answers again. */
let step: AgentProgress | Fields | undefined;

function emit(event: AgentProgress | Fields): void {
  const { kind, part } = event as Fields;
  if (kind === 'tool' || (kind === 'line' && part !== true)) step = event;
  print(event);
}

function print(event: AgentProgress | Fields): void {
  process.stdout.write(`${JSON.stringify({ ...event, at: new Date().toISOString() })}\n`);
}

/** Until then whatever fails is of this machine, and a person mends it before the next call. */
let begun = false;

async function main(file: string): Promise<number> {
  const order = queueOrderSchema().parse(JSON.parse(readFileSync(file, 'utf8')));
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(name, () => {
      stop.abort();
      // Whoever stops it does not wait for a server that is gone.
      setTimeout(() => process.exit(STOPPED), END_MS).unref();
    });
  const { signal } = stop;
  const opened = openWorkspace({ capabilities: [], dir: order.workspace, reads: true });
  if (!opened.ok) throw new Error(opened.problems[0]?.message ?? 'the workspace cannot be opened');
  const url = filledUrl(order.url, process.env);
  const lost_ms = Number(new URL(url).searchParams.get('lost') ?? LOST_S) * 1000;
  let trouble: string | undefined;
  const heard = (error?: Error): void => {
    trouble = error && `the queue does not answer: ${wordsOf(error)}`;
    if (trouble !== undefined) return print({ kind: 'line', text: trouble });
    print({ kind: step === undefined ? 'line' : 'noise', text: 'the queue answers again' });
    if (step !== undefined) print(step);
  };
  // Until then its agent is not silent: nothing can be heard of it.
  setInterval(() => trouble && print({ kind: 'line', text: trouble }), AGAIN_MS).unref();
  const queue = await openQueue(url, heard, { signal });
  const away_ms = lost_ms * AWAY;
  const away = setTimeout(() => {
    emit(endedBy('queue_lost', `the queue has not answered for ${Math.round(away_ms / 1000)} s`));
    process.exit(1);
  }, away_ms);
  const answered = (): unknown => away.refresh();
  begun = true;
  const by = { ws: opened.value, order, queue, lost_ms, signal, emit, answered };
  const code = await relay(by);
  clearTimeout(away);
  await queue.close();
  return signal.aborted ? STOPPED : code;
}

main(process.argv[2] ?? '').then(
  (code) => process.exit(code),
  (error: unknown) => {
    emit(begun ? endedBy('queue_lost', wordsOf(error)) : endOf(error, false));
    process.exit(1);
  },
);
