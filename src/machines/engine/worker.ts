/**
 * A worker: takes jobs that it can do while it has free slots, does each and hands the answer in. It ends what it has
 * before it stops. What it does is reported as one event a line.
 */
import { randomBytes, type KeyObject } from 'node:crypto';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentProgress } from '../../process/adapter.ts';
import { aborted } from '../../cli/terminal/interruptible.ts';
import { makeAll, removeFolder } from '../../process/own-folder.ts';
import { orNothing, realBelow } from '../../process/path-kind.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { jobId, jobsQueue, NO_ROOM, queuesFor, type Answer, type Job } from '../core/job.ts';
import { Refusal } from '../core/job.ts';
import { Carrier } from './carrier.ts';
import { doJob } from './do-job.ts';
import type { JobQueue, Taken } from './queue.ts';
import { readJob, whyNot } from './read-job.ts';
import { beating, newLog, type Reporting } from './report-job.ts';

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

interface Life {
  /** Tokens of jobs that it did. */
  readonly did: Set<string>;
  rests_until_ms: number;
}

const REST_MS = 30_000;
const UNUSED_REST_MS = 5_000;
const LOOK_MS = 250;
const SHOW_MS = 10_000;
const LEAVE_MS = 1000;
export async function work(by: WorkerOptions): Promise<void> {
  const { queue, agents, labels, slots, once, drain, report } = by;
  const names = queuesFor(agents, labels);
  const token = randomBytes(12).toString('hex');
  const busy = new Set<Promise<void>>();
  const life: Life = { did: new Set(), rests_until_ms: 0 };
  const showing = shown(by, token, () => busy.size);
  report({
    what: 'waits',
    words: `for jobs: ${agents.join(', ')}${labels.length > 0 ? ` on ${labels.join(', ')}` : ''}`,
  });
  let turn = 0;
  let begun = 0;
  while (!drain.aborted) {
    const rests = by.ws.elapsed_ms() < life.rests_until_ms;
    const free = !rests && busy.size < slots && !(once && begun >= slots);
    const asked = free ? next(queue, names, token, turn++) : undefined;
    const taken = await Promise.race([asked, aborted(drain)]);
    if (taken !== undefined) {
      begun += 1;
      const one = attempt(by, taken, token, life).finally(() => {
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
    report({
      what: 'drains',
      words: `ends after ${busy.size} ${busy.size === 1 ? 'job' : 'jobs'}; a second signal stops its agents`,
    });
  await Promise.all(busy);
  await Promise.race([showing.end(), sleep(LEAVE_MS)]);
}

/** A worker whose own machine fails would soon have failed every job that waits. */
function rest({ ws, report }: WorkerOptions, life: Life, ms: number, why: string): void {
  life.rests_until_ms = ws.elapsed_ms() + ms;
  report({ what: 'waits', words: `takes no job for ${ms / 1000} s: ${why}` });
}

/** Asks each queue once, beginning with another one each time: none waits for ever behind a full one. */
async function next(
  queue: JobQueue,
  names: readonly string[],
  token: string,
  turn: number,
): Promise<Taken | undefined> {
  for (let at = 0; at < names.length; at++) {
    const name = names[(turn + at) % names.length] ?? '';
    const taken = await queue.take(name, token).catch(() => undefined);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

/** Others see that it is alive. */
function shown(by: WorkerOptions, token: string, busy: () => number) {
  const { queue, name, agents, labels, slots } = by;
  let isNew = true;
  let showing: Promise<unknown> | undefined;
  const show = (): void => {
    if (showing !== undefined) return;
    const seen = { v: 1, name, agents, labels, slots, busy: busy() };
    showing = queue.show(token, seen, isNew).then(
      () => (isNew = false),
      () => undefined,
    );
    void showing.finally(() => (showing = undefined));
  };
  show();
  const timer = setInterval(show, SHOW_MS);
  return {
    now: show,
    end: async (): Promise<void> => {
      clearInterval(timer);
      await showing;
      await queue.leave(token).catch(() => undefined);
    },
  };
}

/** Does one job and hands in its answer. Never throws what concerns this job alone. */
async function attempt(by: WorkerOptions, taken: Taken, token: string, life: Life): Promise<void> {
  const { ws, keys, report } = by;
  let job: Job;
  try {
    job = readJob(keys, taken.data);
    const why =
      whyReplayed(job, taken, life) ?? whyNot(ws, job.order.agent) ?? whyNotFrom(by, job.remote);
    if (why !== undefined) throw new Refusal(why);
    life.did.add(job.token);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    report({ what: 'refused', words: `${taken.id}: ${error.message}` });
    await refuse(taken, token, `${by.name}: ${error.message}`);
    // One that is wrongly set up would soon have refused every job that waits.
    if (life.did.size === 0) rest(by, life, UNUSED_REST_MS, 'it has not done any yet');
    return;
  }
  const of = { task: job.order.task, attempt: job.order.attempt };
  report({ what: 'takes', ...of, words: `for ${job.order.agent}` });
  const folder = join(by.folder, taken.id);
  const log = newLog();
  const beats = beating(by, taken, { job, folder }, log);
  try {
    const done = await did(by, { job, folder }, beats.signal, log.push);
    await beats.end();
    await handIn(by, taken, token, { ...done, lines: [...log.all()] });
  } catch (error) {
    await beats.end();
    const words = error instanceof Error ? error.message : String(error);
    report({ what: 'refused', ...of, words });
    const known = error instanceof Refusal || error instanceof Fault || 'code' in Object(error);
    await refuse(taken, token, words);
    if (!known) throw error;
    if (!(error instanceof Refusal) || NO_ROOM.test(words))
      rest(by, life, REST_MS, 'its machine fails');
  } finally {
    orNothing(() => removeFolder(folder));
  }
}

/** A signed job counts once, and under its own name: what comes through the queue can be put into it again by others. */
function whyReplayed(
  { workspace, token, order }: Job,
  { queue, id }: Taken,
  { did }: Life,
): string | undefined {
  const { task, attempt: number, agent, labels } = order;
  const own = [jobsQueue(agent, labels), jobId(workspace, task, number)];
  if (own[0] !== queue || own[1] !== id) return `it is the job ${own[1]} under another name`;
  return did.has(token) ? 'it was announced a second time' : undefined;
}

/** A path could lead to a repository that an agent made here, whose hooks would run outside of its sandbox. */
function whyNotFrom({ folder }: WorkerOptions, remote = 'https://'): string | undefined {
  if (/^(?:https?|ssh|git):\/\/|^[\w.-]+@[\w.-]+:/.test(remote)) return undefined;
  const path = remote.replace(/^file:\/\//, '');
  const isOurs = !isAbsolute(path) || isWithin(realBelow(dirname(folder)), realBelow(path));
  return isOurs ? `its remote ${remote} is no address that a worker uses` : undefined;
}

async function refuse({ job }: Taken, token: string, words: string): Promise<void> {
  await job.moveToFailed(new Error(words), token, false).catch(() => undefined);
}

async function did(
  by: WorkerOptions,
  { job, folder }: { readonly job: Job; readonly folder: string },
  signal: AbortSignal,
  heard: (event: AgentProgress) => void,
): Promise<Omit<Answer, 'lines'>> {
  const { ws, queue, name: machine } = by;
  removeFolder(folder);
  makeAll(folder);
  const emit = (): void => undefined;
  const carrier = new Carrier(ws, queue, job.remote);
  return doJob({ ws, job, folder, carrier, machine, signal, heard, emit });
}

/** Hands in an answer, which is late where the queue no longer has the job. */
async function handIn(
  { queue, report }: WorkerOptions,
  taken: Taken,
  token: string,
  answer: Answer,
): Promise<void> {
  const { task, attempt: number } = answer;
  const of = { task, attempt: number };
  try {
    // It waits for a server that is away for as long as this takes: the work is done.
    await queue.patiently(() => taken.job.moveToCompleted(answer, token, false));
    const { reason, code } = answer.ending;
    report({ what: 'ended', ...of, words: reason === 'exited' ? `with exit ${code}` : reason });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    report({ what: 'late', ...of, words: `its answer is not taken: ${words}` });
  }
}
