/** Runs a worker until a signal. The first signal ends it after its present jobs, the second stops their agents. */
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '../../cli/output/output.ts';
import { aborted, draining, endBySignal, orAborted } from '../../cli/terminal/interruptible.ts';
import type { Verb } from '../../cli/terminal/verb-context.ts';
import { filledUrl } from '../../clients/adapters/queue.ts';
import { removeFolder } from '../../process/own-folder.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { wordsOf } from '../../task/core/model/problem.ts';
import { namesIn, orNothing } from '../../process/path-kind.ts';
import { answersSignals } from '../../process/process-table.ts';
import { codeFolder } from '../../workspace/open/code-folder.ts';
import { stateHome } from '../../workspace/open/state-home.ts';
import type { lines } from '../core/machine-lines.ts';
import { openQueue } from '../engine/queue.ts';
import { refusedLogin } from '../engine/patiently.ts';
import { keysIn, whyNot } from '../engine/read-job.ts';
import type { Report } from '../engine/report-job.ts';
import { work } from '../engine/worker.ts';

export interface WorkerFlags {
  readonly queue?: string;
  readonly key?: string;
  readonly agent?: readonly string[];
  readonly labels?: readonly string[];
  readonly slots?: number;
  readonly once?: boolean;
}

const workerData = dataOf<typeof lines>();

/** After the second signal, for agents to end and answers to go. */
const STOP_MS = 8_000;
const CLOSE_MS = 2_000;

/** Reason why an agent cannot be called, and how to mend it. */
type Refused = readonly [message: string, fix: string];

export async function runWorker(
  { ws, out }: Verb,
  { queue: url = ws.env['CONTRACTS_QUEUE'] ?? '', key = '', ...flags }: WorkerFlags,
): Promise<Refused | undefined> {
  const { agent: agents = [], labels = [], slots = 1, once = false } = flags;
  for (const one of agents) {
    const [why, fix = ''] = whyNot(ws, one) ?? [];
    if (why !== undefined) return [`${one}: ${why}`, fix];
  }
  const keys = keysIn(resolve(key));
  const report: Report = (what, reason, about) => {
    const of = about && { task: about.task, attempt: about.attempt };
    const exit_code = about?.ending?.code ?? undefined;
    workerData(out, { v: 1, event: 'worker', what, ...of, ...given({ exit_code }), reason });
    const where = of ? ` ${of.task}, attempt ${of.attempt}:` : '';
    out.printWrapped(`${ws.machine.now().toISOString().slice(11, 19)} ${what}${where} ${reason}`);
  };
  let is_there = false;
  const heard = (error?: Error): void => {
    if (error === undefined) return report('queue', 'answers again');
    // The one that ends it is reported once.
    if (is_there || refusedLogin(url, error) === undefined)
      report('queue', `cannot be used: ${wordsOf(error)}. It is asked again until it can`);
  };
  const refuses = (error: unknown): never => {
    throw refusedLogin(url, error) ?? error;
  };
  const folder = ownFolder(`${codeFolder(ws.env) ?? join(stateHome(ws.env), 'contracts')}-worker`);
  const of = { agents, labels, slots, once, folder, name: hostname() };
  await draining(async (drain, stop) => {
    const begun = openQueue(filledUrl(url, ws.env), heard, { signal: drain });
    const queue = await orAborted(begun.catch(refuses), drain);
    try {
      const asked = queue?.patiently(() => queue.engine.now()).catch(refuses);
      is_there = asked !== undefined && (await orAborted(asked, drain)) !== undefined;
      const worked = queue && is_there && work({ ws, queue, keys, ...of, drain, stop, report });
      await Promise.race([worked, aborted(stop).then(() => sleep(STOP_MS))]);
    } finally {
      orNothing(() => removeFolder(folder));
      const closed = await Promise.race([queue?.close().then(() => true), sleep(CLOSE_MS)]);
      // A server that does not answer keeps its connections, and this process, for ever.
      if (closed !== true) endBySignal();
    }
  });
  return undefined;
}

/** A folder of this process, in none that a sandbox shows; those of processes that are gone are removed. */
function ownFolder(all: string): string {
  for (const name of namesIn(all))
    if (!answersSignals(Number(name))) orNothing(() => removeFolder(join(all, name)));
  return join(all, String(process.pid));
}
