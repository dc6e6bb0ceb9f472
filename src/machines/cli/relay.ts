/**
 * The relay, a program of its own (dist/bin/relay.cjs): reads its order from the desk, announces it and waits for the
 * answer. It prints an event a line. Exit: that of the agent; 1: no answer was taken; 143: it was stopped.
 */
import { readFileSync } from 'node:fs';
import { filledUrl } from '../../clients/adapters/queue.ts';
import { queueOrderSchema } from '../../clients/core/queue-order.ts';
import type { AgentProgress } from '../../process/adapter.ts';
import { openWorkspace } from '../../workspace/open/workspace.ts';
import { openQueue } from '../engine/queue.ts';
import { endOf, relay } from '../engine/relay.ts';

const LOST_S = 120;
const STOPPED = 143;
/** The runner kills five seconds after its TERM. */
const END_MS = 4_500;
/** A server that has not answered for so many times the limit of a worker is given up. */
const AWAY = 10;

function emit(event: AgentProgress): void {
  const plain = event.kind === 'ended' ? { kind: event.kind, ...event.ending } : event;
  print(JSON.stringify({ ...plain, at: new Date().toISOString() }));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ends the process where the queue has not answered for so long: a frozen server never refuses. */
function givenUp(after_ms: number) {
  const give = (): void => {
    ended(`the queue has not answered for ${Math.round(after_ms / 1000)} s`);
    process.exit(1);
  };
  let timer = setTimeout(give, after_ms);
  const end = (): void => clearTimeout(timer);
  const answered = (): void => {
    end();
    timer = setTimeout(give, after_ms);
  };
  return { answered, end };
}

function ended(error: string): void {
  emit({ kind: 'ended', ending: { reason: 'queue_lost', code: null, signal: null, error } });
}

/** Until then whatever fails is of this machine, and a person mends it before the next call. */
let begun = false;

async function main(file: string): Promise<number> {
  const order = queueOrderSchema().parse(JSON.parse(readFileSync(file, 'utf8')));
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => stop.abort());
  const opened = openWorkspace({ capabilities: [], dir: order.workspace, reads: true });
  if (!opened.ok) throw new Error(opened.problems[0]?.message ?? 'the workspace cannot be opened');
  const url = filledUrl(order.url, process.env);
  const lost = Number(new URL(url).searchParams.get('lost') ?? LOST_S);
  let last = '';
  const heard = ({ message }: Error): void => {
    if (message !== last) emit({ kind: 'noise', text: `the queue: ${message}` });
    last = message;
  };
  // Whoever stops it does not wait for a server that is gone.
  stop.signal.addEventListener('abort', () =>
    setTimeout(() => process.exit(STOPPED), END_MS).unref(),
  );
  const queue = await openQueue(url, heard, { signal: stop.signal });
  const lost_ms = lost * 1000;
  const by = { ws: opened.value, order, queue, lost_ms, signal: stop.signal, emit, print };
  const away = givenUp(lost_ms * AWAY);
  begun = true;
  const code = await relay({ ...by, answered: away.answered });
  away.end();
  await queue.close();
  return stop.signal.aborted ? STOPPED : code;
}

main(process.argv[2] ?? '').then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (begun) ended(error instanceof Error ? error.message : String(error));
    else emit(endOf(error, false));
    process.exit(1);
  },
);
