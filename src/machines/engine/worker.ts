/**
 * A worker: takes jobs that it can do while it has free slots, does each and hands the answer in. It ends what it has
 * before it stops. What it does is reported as one event a line.
 */
import { randomBytes, type KeyObject } from 'node:crypto';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { orAborted } from '../../cli/terminal/interruptible.ts';
import { makeAll, removeFolder } from '../../process/own-folder.ts';
import { orNothing, realBelow } from '../../process/path-kind.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { many } from '../../task/core/base/plural.ts';
import { Fault, wordsOf } from '../../task/core/model/problem.ts';
import { jobId, jobsQueue, NO_ROOM, queuesFor, Refusal, Unfit, UNFIT } from '../core/job.ts';
import type { Answer, Job } from '../core/job.ts';
import { carrierBy } from './carrier.ts';
import { doJob, placesOf } from './do-job.ts';
import type { Taken } from './queue.ts';
import { readJob, whyNot } from './read-job.ts';
import { beating, newLog, repeating, type Reporting } from './report-job.ts';

export interface WorkerOptions extends Reporting {
  readonly keys: readonly KeyObject[];
  readonly agents: readonly string[];
  readonly labels: readonly string[];
  readonly slots: number;
  /** Takes what waits now, up to its slots, and ends. */
  readonly once: boolean;
  /** Absolute: for trees, while a job is done. */
  readonly folder: string;
  /** Aborted: takes nothing more. */
  readonly drain: AbortSignal;
}

interface Working extends WorkerOptions {
  /** Holds the jobs that it has in the queue. */
  readonly token: string;
  /** Tokens of jobs that it did. */
  readonly did: Set<string>;
  rests_until_ms: number;
}

const REST_MS = 30_000;
const UNUSED_REST_MS = 5_000;
const LOOK_MS = 250;
const SHOW_MS = 10_000;
const LEAVE_MS = 1000;
/** Words of BullMQ where a job is gone, or another has it. */
const GONE = /^(?:Missing (?:key|lock)|Lock mismatch)|not in the active state/;

export async function work(options: WorkerOptions): Promise<void> {
  const { queue, name, agents, labels, slots, once, drain, report } = options;
  const names = [...queuesFor(agents, labels)];
  const token = randomBytes(12).toString('hex');
  const busy = new Set<Promise<void>>();
  const by: Working = { ...options, token, did: new Set(), rests_until_ms: 0 };
  // Others see that it is alive.
  const showing = repeating(SHOW_MS, () =>
    queue.show(token, { v: 1, name, agents, labels, slots, busy: busy.size }),
  );
  const on = labels.length > 0 ? ` on ${labels.join(', ')}` : '';
  report('waits', `for jobs: ${agents.join(', ')}${on}`);
  let begun = 0;
  while (!drain.aborted) {
    const rests = by.ws.elapsed_ms() < by.rests_until_ms;
    const free = !rests && busy.size < slots && !(once && begun >= slots);
    const taken = free ? await orAborted(next(by, names), drain) : undefined;
    if (taken !== undefined) {
      begun += 1;
      const one = attempt(by, taken).finally(() => {
        busy.delete(one);
        showing.now();
      });
      busy.add(one);
      showing.now();
      continue;
    }
    if (once && (free || busy.size === 0)) break;
    await sleep(LOOK_MS, undefined, { signal: drain }).catch(() => undefined);
  }
  if (busy.size > 0)
    report('drains', `${many(busy.size, 'job')}, then ends. A second signal stops the agents`);
  await Promise.all(busy);
  const left = showing.end().then(() => queue.leave(token));
  await Promise.race([left.catch(() => undefined), sleep(LEAVE_MS)]);
}

/** Asks each queue once, beginning with another one each time: none waits for ever behind a full one. */
async function next({ queue, token }: Working, names: string[]): Promise<Taken | undefined> {
  names.push(...names.splice(0, 1));
  for (const name of names) {
    const taken = await queue.take(name, token).catch(() => undefined);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

/** Does one job and hands in its answer. Never throws what concerns this job alone. */
async function attempt(by: Working, taken: Taken): Promise<void> {
  const { ws, queue, name: machine, report } = by;
  const job = await accepted(by, taken);
  if (job === undefined) return;
  const about = { task: job.order.task, attempt: job.order.attempt };
  report('takes', `for ${job.order.agent}`, about);
  const folder = join(by.folder, taken.id);
  const places = placesOf(folder, job);
  const { lines, push: heard } = newLog();
  const of_agent = { status_file: join(places.desk, 'status.md'), lines };
  const { signal, end } = beating(by, taken, about, of_agent);
  try {
    removeFolder(folder);
    makeAll(folder);
    const carrier = carrierBy(ws, queue, job.remote);
    const done = await doJob({ ws, job, places, carrier, machine, signal, heard });
    await end();
    await handIn(by, taken, { ...done, lines });
  } catch (error) {
    await end();
    const words = wordsOf(error);
    report('refused', words, about);
    await refuse(by, taken, words);
    if (!(error instanceof Refusal || error instanceof Fault || 'code' in Object(error)))
      throw error;
    // One whose own machine fails would soon have failed every job that waits.
    if (!(error instanceof Refusal) || NO_ROOM.test(words)) rest(by, REST_MS, 'its machine fails');
  } finally {
    orNothing(() => removeFolder(folder));
  }
}

/** The job, where this worker does it; else it is refused. */
async function accepted(by: Working, taken: Taken): Promise<Job | undefined> {
  try {
    const job = readJob(by.keys, taken.data);
    const { agent } = job.order;
    const why = whyReplayed(by, job, taken) ?? whyNotFrom(by, job.remote);
    const lack = whyNot(by.ws, agent);
    if (why !== undefined) throw new Refusal(why);
    if (lack !== undefined) throw new Unfit(`${lack.join('. ')}, on that machine`);
    by.did.add(job.token);
    return job;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    by.report('refused', `${taken.id}: ${error.message}`);
    await refuse(by, taken, `${error instanceof Unfit ? UNFIT : ''}${by.name}: ${error.message}`);
    // One that is wrongly set up would soon have refused every job that waits.
    if (by.did.size === 0) rest(by, UNUSED_REST_MS, 'it has done none yet');
    return undefined;
  }
}

/** A signed job counts once, and under its own name: what comes through the queue can be put into it again by others. */
function whyReplayed({ did }: Working, job: Job, { queue, id }: Taken): string | undefined {
  const { workspace, token, order } = job;
  const own = jobId(workspace, order.task, order.attempt);
  if (jobsQueue(order.agent, order.labels) !== queue || own !== id)
    return `it is the job ${own} under another name`;
  return did.has(token) ? 'it was announced a second time' : undefined;
}

/** A path could lead to a repository that an agent made here, whose hooks would run outside of its sandbox. */
function whyNotFrom({ folder }: WorkerOptions, remote = 'https://'): string | undefined {
  if (/^(?:https?|ssh|git):\/\/|^[\w.-]+@[\w.-]+:/.test(remote)) return undefined;
  const path = remote.replace(/^file:\/\//, '');
  const isOurs = !isAbsolute(path) || isWithin(realBelow(dirname(folder)), realBelow(path));
  return isOurs ? `its remote ${remote} is no address that a worker uses` : undefined;
}

function rest(by: Working, ms: number, why: string): void {
  by.rests_until_ms = by.ws.elapsed_ms() + ms;
  by.report('waits', `${ms / 1000} s before it takes a job: ${why}`);
}

async function refuse({ token }: Working, { job }: Taken, words: string): Promise<void> {
  await job.moveToFailed(new Error(words), token, false).catch(() => undefined);
}

/** Hands in an answer, which is late where the queue no longer has the job. */
async function handIn(by: Working, { job }: Taken, answer: Answer): Promise<void> {
  const { queue, report, token } = by;
  try {
    // It waits for a server that is away for as long as this takes: the work is done.
    await queue.patiently(() => job.moveToCompleted(answer, token, false));
    const { reason, code } = answer.ending;
    report('ended', reason === 'exited' ? `with exit ${code}` : reason, answer);
  } catch (error) {
    const words = wordsOf(error);
    const why = GONE.test(words) ? 'the queue no longer has this job for it' : words;
    report('late', `nobody takes its answer: ${why}`, answer);
  }
}
