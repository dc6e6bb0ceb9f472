/**
 * The owner's side of one attempt on another machine: announces it, follows the reports of its worker, and takes its
 * answer or refuses it. It believes nothing that came through the queue: what it puts into the worktree and on the
 * desk is judged like the work of an agent here.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentProgress } from '../../process/adapter.ts';
import type { Ending } from '../../task/core/attempts/client-report.ts';
import { attemptName } from '../../task/core/attempts/record.ts';
import { fields, parsedJson } from '../../task/core/base/json.ts';
import { Fault, wordsOf } from '../../task/core/model/problem.ts';
import { put } from '../../task/store/disk/put.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import {
  answerSchema,
  LOST,
  NO_ROOM,
  Refusal,
  REPORT_BYTES_MAX,
  reportSchema,
  UNFIT,
} from '../core/job.ts';
import type { Answer, Pack } from '../core/job.ts';
import { announce, earlierJobs, Given, type Announcement, type Relay } from './announce.ts';
import { putFiles } from './desk-files.ts';
import { refusedLogin } from './patiently.ts';
import type { Kept } from './queue-engines.ts';
import { putChange, takeObjects } from './take-change.ts';

/** Beyond the limit of the agent, for what its worker does before and after it. */
const GRACE_MS = 120_000;
/** Often at first, and then less: many owners may ask one server. */
const LOOK_MS = { first: 100, more: 20, later: 1000 };
/** How often it is said that no worker has come yet. */
const WAITS_MS = 60_000;
const BAD_PACK = /\bpack\b|lacks the commit/;

/** Returns the exit code. */
export async function relay(by: Relay): Promise<number> {
  let made: Announcement | undefined;
  let is_over = true;
  try {
    made = await announce(by);
    const answer = await follow(by, made);
    if (answer === undefined) return 143;
    await take(by, made, answer);
    await keepLate(by, made);
    return answer.ending.code ?? 0;
  } catch (thrown) {
    const error = refusedLogin(by.order.url, thrown) ?? thrown;
    // Any other is of this machine, as a full disk: the answer stays in the queue.
    is_over = error instanceof Refusal || error instanceof Fault;
    if (!is_over && made !== undefined) throw error;
    by.emit(endOf(error, made !== undefined));
    return 1;
  } finally {
    if (made !== undefined && is_over) await leave(by, made);
  }
}

/** Before a job was announced, and where a worker lacks something, only a person can mend what is wrong. */
export function endOf(error: unknown, announced: boolean): AgentProgress {
  const text = wordsOf(error);
  const words = error instanceof Fault ? `${text}. ${error.fix}` : text;
  if (error instanceof Given && error.reason !== 'setup') return endedBy(error.reason, text);
  if (error instanceof Given || !announced) return { kind: 'error', what: 'setup', text: words };
  return endedBy('refused', `its answer is refused: ${words}`);
}

export function endedBy(reason: Ending['reason'], error: string): AgentProgress {
  return { kind: 'ended', ending: { reason, code: null, signal: null, error } };
}

interface Seen {
  beat: number;
  /** How many of its lines were seen. */
  lines: number;
  machine: string;
}

/** undefined where it was stopped. */
async function follow(by: Relay, made: Announcement): Promise<Answer | undefined> {
  const { ws, queue, signal, emit, lost_ms } = by;
  const { agent, timeout_ms } = made.job.order;
  const seen: Seen = { beat: -1, lines: 0, machine: '' };
  let [silent_ms, taken_ms, waits_ms, missing] = [0, 0, 0, 0];
  let looked_ms = ws.elapsed_ms();
  for (let looks = 0; !signal.aborted; looks++) {
    const looked = await queue.look(made.name, made.id).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) break;
    // Only time in which the queue answered: a server that is down says nothing about the worker.
    const passed_ms = Math.min(ws.elapsed_ms() - looked_ms, 2 * LOOK_MS.later);
    looked_ms = ws.elapsed_ms();
    by.answered();
    if (!looked && ++missing > 1) throw new Given('queue_lost', 'the queue no longer has its job');
    if (looked) {
      mustStand(made, looked);
      if (looked.finished) return answered(by, made, looked.answer, seen);
      // A worker can be lost before it has said anything.
      if (heard(by, looked.progress, seen)) silent_ms = 0;
      else if (looked.taken) silent_ms += passed_ms;
      if (looked.taken) taken_ms += passed_ms;
      else waits_ms += passed_ms;
    }
    if (silent_ms > lost_ms) {
      const who = seen.machine || 'the worker that took it';
      const why = `${who} has reported nothing for ${Math.round(lost_ms / 1000)} s`;
      throw new Given('machine_lost', why);
    }
    if (taken_ms > timeout_ms + GRACE_MS)
      throw new Given('timed_out', `${seen.machine} did not end it in time`);
    if (waits_ms > WAITS_MS) {
      waits_ms = 0;
      emit({
        kind: 'noise',
        text: `no worker has taken it yet (agent ${agent}). Start one: contracts doctor`,
      });
    }
    const pause_ms = Math.min(LOOK_MS.later, LOOK_MS.first + looks * LOOK_MS.more);
    await sleep(pause_ms, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** A job that a worker may still answer. Throws a Refusal, with a reason where a worker has ended it. */
function mustStand({ text }: Announcement, { bytes, data, failed }: Kept): void {
  if (bytes > REPORT_BYTES_MAX)
    throw new Refusal(`it has ${bytes} bytes, at most ${REPORT_BYTES_MAX} are read`);
  if (fields(data)['text'] !== text) throw new Refusal('its job was replaced in the queue');
  if (failed?.startsWith(LOST)) throw new Given('queue_lost', failed.slice(0, 200));
  const lack = failed?.startsWith(UNFIT) && oneLine(failed.slice(UNFIT.length));
  if (lack) throw new Given('setup', `a worker cannot do it: ${lack}`);
  if (failed) throw new Given('refused', `a worker refused it: ${oneLine(failed)}`);
}

/** Prints what is new in a report; true if its worker is alive. */
function heard({ emit, ws, order }: Relay, progress: unknown, seen: Seen): boolean {
  const read = reportSchema().safeParse(progress);
  if (!read.success || read.data.beat <= seen.beat) return false;
  const { beat, machine, from, lines, status } = read.data;
  if (seen.beat < 0) emit({ kind: 'machine', name: machine, enforced: [] });
  seen.beat = beat;
  seen.machine = machine;
  printLines(emit, lines.slice(Math.max(0, seen.lines - from)));
  seen.lines = Math.max(seen.lines, from + lines.length);
  if (status !== undefined) keepStatus(ws, order.desk, status);
  return true;
}

/** Prints events of the call on the other machine; how it ended is ours to say. */
function printLines(emit: Relay['emit'], lines: readonly string[]): void {
  for (const line of lines) {
    const event = fields(parsedJson(line));
    if (event['kind'] !== 'machine' && event['kind'] !== 'ended') emit(event);
  }
}

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

function keepStatus(ws: Workspace, desk: string, status: string): void {
  const path = join(desk, 'status.md');
  const bytes = Buffer.from(status, 'utf8');
  const there = ws.disk.stat(path);
  const isLike = there?.kind === 'file' && there.bytes === bytes.length;
  if (isLike && bytes.equals(ws.disk.read(path, bytes.length))) return;
  put(ws.putting, path, bytes, { durable: false });
}

function answered({ emit }: Relay, { job }: Announcement, value: unknown, seen: Seen) {
  const read = answerSchema().safeParse(value);
  if (!read.success) throw new Refusal('it cannot be read');
  const { workspace, task, attempt, token, machine, enforced, lines } = read.data;
  const { order } = job;
  if (task !== order.task || attempt !== order.attempt || workspace !== job.workspace) {
    const other = oneLine(`${task}, attempt ${attempt}`);
    throw new Refusal(`it is the answer for ${other}, not for this attempt`);
  }
  if (token !== job.token) throw new Refusal('it lacks the token of this attempt');
  printLines(emit, lines.slice(seen.lines));
  emit({ kind: 'machine', name: machine, enforced });
  return read.data;
}

/** The change first: a result without its files would be judged without them. */
async function take(by: Relay, made: Announcement, answer: Answer): Promise<void> {
  const { ws, order, emit } = by;
  const { change, desk, ending } = answer;
  if (order.order.kind === 'ask' && change !== undefined)
    throw new Refusal('it was to be asked, and it changed files');
  if (order.order.kind === 'work' && change !== undefined) {
    await takeObjects(ws, made, change);
    putChange(ws, made, change);
  }
  putFiles(ws, order.desk, desk);
  emit({ kind: 'ended', ending: { ...ending, error: ending.error ?? '' } });
}

/** Answers of earlier attempts that came when nobody waited any more: kept as a ref, and never taken. */
async function keepLate({ ws, queue, emit }: Relay, made: Announcement): Promise<void> {
  const { job, name } = made;
  for (const { number, id } of earlierJobs(job)) {
    const looked = await queue.look(name, id);
    const read = answerSchema().safeParse(looked?.answer);
    if (looked?.finished !== true || !read.success) continue;
    const { change, machine } = read.data;
    const ref = `refs/contracts/late/${job.order.task}/${attemptName(number)}`;
    const kept = change !== undefined && (await keptAs(ws, made, ref, change));
    const where = kept ? `; its files are kept as ${ref}` : '';
    const text = `the late answer of attempt ${number} from ${machine} is refused${where}`;
    emit({ kind: 'noise', text });
    await queue.drop(name, id);
  }
}

async function keptAs(ws: Workspace, made: Announcement, ref: string, change: Pack) {
  try {
    await takeObjects(ws, made, change);
    made.git.out(['update-ref', ref, change.commit]);
    return true;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Fault) return false;
    throw error;
  }
}

/** Nothing that this attempt put into the queue is needed any more. */
async function leave({ queue, signal }: Relay, made: Announcement): Promise<void> {
  const { name, id, job, carrier } = made;
  const looked = signal.aborted ? undefined : await queue.look(name, id);
  const { finished = false, failed } = looked ?? {};
  if (!finished && !failed) return queue.cancel(name, id);
  const read = answerSchema().safeParse(looked?.answer);
  if (read.success && read.data.change !== undefined) await carrier.drop(read.data.change);
  // Put again by the next attempt. Other troubles of one worker take it from nobody who waits.
  if (failed && BAD_PACK.test(failed) && !NO_ROOM.test(failed)) await carrier.drop(job.base);
  await queue.drop(name, id);
  return queue.sweep(name);
}
