/**
 * The owner's side of one attempt on another machine: announces it, follows the reports of its worker, and takes its
 * answer or refuses it. It believes nothing that came through the queue: what it puts into the worktree and on the
 * desk is judged like the work of an agent here.
 */
import { randomBytes } from 'node:crypto';
import { dirname, join, posix, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueOrder } from '../../clients/core/queue-order.ts';
import { findGit } from '../../git/find-git.ts';
import { realBelow } from '../../process/path-kind.ts';
import type { AgentProgress } from '../../process/adapter.ts';
import { attemptName } from '../../task/core/attempts/record.ts';
import { fields, parsedJson } from '../../task/core/base/json.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { put } from '../../task/store/disk/put.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { signatureOf } from '../../trust/sign.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitAt, type Git } from '../../worktrees/engine/git.ts';
import { treeOfFiles } from '../../worktrees/engine/write-tree.ts';
import { answerSchema, LOST, jobId, jobsQueue, NO_ROOM, reportSchema } from '../core/job.ts';
import type { Answer, Job, Pack } from '../core/job.ts';
import { Refusal } from '../core/job.ts';
import { filesOf, putFiles } from './desk-files.ts';
import { Carrier } from './carrier.ts';
import { leaveOut, sameCommit } from './pack.ts';
import { takeChange, takeObjects } from './take-change.ts';
import type { JobQueue } from './queue.ts';

export interface Relay {
  readonly ws: Workspace;
  readonly order: QueueOrder;
  readonly queue: JobQueue;
  /** A worker that reports nothing for so long is lost. */
  readonly lost_ms: number;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentProgress) => void;
  /** Prints an event of the call as its worker wrote it. */
  readonly print: (line: string) => void;
  /** Called whenever the queue has answered. */
  readonly answered: () => void;
}

/** Beyond the limit of the agent, for what its worker does before and after it. */
const GRACE_MS = 120_000;
/** Often at first, and then less: many owners may ask one server. */
const LOOK_MS = { first: 100, more: 20, later: 1000 };
/** How often it is said that no worker has come yet. */
const WAITS_MS = 60_000;
/** Answers that came after their attempt had been given up are looked for so far back. */
const LATE_MAX = 5;

/** Ends the attempt without an answer. */
class Given extends Error {
  readonly reason: 'machine_lost' | 'queue_lost' | 'refused' | 'timed_out';
  constructor(reason: Given['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Announcement {
  readonly job: Job;
  readonly text: string;
  readonly name: string;
  readonly id: string;
  readonly git: Git;
  readonly carrier: Carrier;
}

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
  } catch (error) {
    const known = error instanceof Given || error instanceof Refusal || error instanceof Fault;
    // Of this machine, as a full disk: the answer stays in the queue.
    is_over = known;
    if (!known && made !== undefined) throw error;
    by.emit(endOf(error, made !== undefined));
    return 1;
  } finally {
    if (made !== undefined && is_over) await leave(by, made);
  }
}

/** Before a job was announced, only a person can mend what is wrong. */
export function endOf(error: unknown, announced: boolean): AgentProgress {
  const text = error instanceof Error ? error.message : String(error);
  const words = error instanceof Fault ? `${text}. ${error.fix}` : text;
  if (error instanceof Given)
    return {
      kind: 'ended',
      ending: { reason: error.reason, code: null, signal: null, error: text },
    };
  if (!announced) return { kind: 'error', what: 'setup', text: words };
  const ending = { code: null, signal: null, error: `its answer is refused: ${words}` };
  return { kind: 'ended', ending: { reason: 'refused', ...ending } };
}

async function announce(by: Relay): Promise<Announcement> {
  const { ws, order: given, queue } = by;
  const { order } = given;
  const found = findGit(ws, given.root);
  if (found === undefined) throw new Refusal('a worker needs a git repository, and there is none');
  const place = { git_dir: found.own, common_dir: found.common, work_tree: found.top };
  const git = gitAt(ws, place);
  const prefix = relative(found.top, given.root);
  const remote = given.remote && addressOf(git, given.remote);
  const carrier = new Carrier(ws, queue, remote);
  const base = await baseOf(by, git, carrier, posix.join(prefix, given.tasks));
  const workspace = sha256(ws.machine.self().machine, realBelow(ws.layout.root));
  const id = jobId(workspace, order.task, order.attempt);
  const name = jobsQueue(order.agent, order.labels);
  const token = randomBytes(18).toString('base64url');
  const desk = filesOf(ws.disk, given.desk, ['queue.json']);
  const paths = { root: given.root, desk: given.desk, workspace: given.workspace };
  const job: Job = {
    v: 1,
    workspace,
    token,
    order,
    prefix,
    base,
    desk,
    paths,
    ...(remote && { remote }),
  };
  const text = JSON.stringify(job);
  const about = { of: 'job', task: order.task, attempt: order.attempt } as const;
  const signature = signatureOf(ws, about, text);
  if (signature === undefined)
    throw new Refusal('there is no key to sign the job with: contracts doctor');
  if (!(await queue.free(name, id)))
    throw new Given('queue_lost', 'the queue has another job of this attempt, which a worker does');
  // Of an owner that died, nobody waits for them any more.
  for (const number of earlier(order.attempt))
    await queue.giveUp(name, jobId(workspace, order.task, number));
  await queue.announce(name, id, { text, signature });
  // At once: what is being asked of the queue may take longer than this process has.
  const cancel = (): void => void queue.cancel(name, id).catch(() => undefined);
  by.signal.addEventListener('abort', cancel, { once: true });
  by.emit({ kind: 'line', text: `waits for a worker that calls ${order.agent}` });
  return { job, text, name, id, git, carrier };
}

/** The address of a remote that the repository names, else the words themselves; a relative one from the main checkout. */
function addressOf(git: Git, remote: string): string {
  const { code, out } = git.run(['config', '--get', `remote.${remote}.url`]);
  const address = code === 0 ? out.trim() : remote;
  return /^\.\.?(?:\/|$)/.test(address) ? join(dirname(git.place.common_dir), address) : address;
}

/** The files of the worktree as they are, without the folder of tasks; once in the queue for all that begin there. */
async function baseOf({ ws }: Relay, git: Git, carrier: Carrier, tasks: string): Promise<Pack> {
  const admin = git.place.git_dir;
  const head = git.commitOf('HEAD');
  if (head === undefined) throw new Refusal('the repository has no commit to begin with');
  const { tree } = treeOfFiles(ws, { git, admin }, head);
  const index = join(admin, `contracts-index.${ws.machine.nonce().slice(0, 12)}`);
  try {
    git.out(['read-tree', tree], { index });
    leaveOut(git, index, [tasks]);
    const files = git.out(['write-tree'], { index });
    // At a remote that has the history, only what is new travels.
    const commit = carrier.isRemote ? sameCommit(git, files, head) : sameCommit(git, files);
    return await carrier.send(git, commit, `contracts/base/${commit}`);
  } finally {
    if (ws.disk.stat(index) !== undefined) ws.disk.remove(index);
  }
}

/** undefined where it was stopped. */
async function follow(by: Relay, made: Announcement): Promise<Answer | undefined> {
  const { ws, queue, signal, emit, order, lost_ms } = by;
  const { name, id, text } = made;
  const limit_ms = order.order.timeout_ms + GRACE_MS;
  const seen = {
    beat: -1,
    lines: 0,
    silent_ms: 0,
    taken_ms: 0,
    machine: '',
    missing: 0,
  };
  let looked_ms = ws.elapsed_ms();
  let waits_ms = 0;
  for (let looks = 0; !signal.aborted; looks++) {
    const looked = await queue.look(name, id).catch(stopped(signal));
    if (signal.aborted) break;
    // Only time in which the queue answered: a server that is down says nothing about the worker.
    const passed_ms = Math.min(ws.elapsed_ms() - looked_ms, 2 * LOOK_MS.later);
    looked_ms = ws.elapsed_ms();
    by.answered();
    if (looked === undefined) {
      if (++seen.missing > 1) throw new Given('queue_lost', 'the queue no longer has its job');
    } else {
      if (looked.text !== text) throw new Refusal('its job was replaced in the queue');
      if (looked.failed !== undefined) throw refusedBy(looked.failed);
      if (looked.finished) return answered(by, made, looked.answer, seen);
      if (heard(by, looked.progress, seen)) seen.silent_ms = 0;
      else if (looked.taken) seen.silent_ms += passed_ms;
      // A worker can be lost before it has said anything.
      seen.taken_ms += looked.taken ? passed_ms : 0;
      waits_ms += looked.taken ? 0 : passed_ms;
    }
    if (seen.silent_ms > lost_ms)
      throw new Given(
        'machine_lost',
        `${seen.machine || 'the worker that took it'} has reported nothing for ${Math.round(lost_ms / 1000)} s`,
      );
    if (seen.taken_ms > limit_ms)
      throw new Given('timed_out', `${seen.machine} did not end it in time`);
    if (waits_ms > WAITS_MS) {
      waits_ms = 0;
      emit({ kind: 'noise', text: `no worker has taken it yet (agent ${order.order.agent})` });
    }
    const pause_ms = Math.min(LOOK_MS.later, LOOK_MS.first + looks * LOOK_MS.more);
    await sleep(pause_ms, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** Nothing of a server that is away, from one who was stopped. */
const stopped =
  (signal: AbortSignal) =>
  (error: unknown): undefined => {
    if (!signal.aborted) throw error;
  };

function refusedBy(words: string): Given {
  if (words.startsWith(LOST)) return new Given('queue_lost', words.slice(0, 200));
  return new Given('refused', `a worker refused it: ${oneLine(words)}`);
}

interface Seen {
  beat: number;
  /** How many of its lines were seen. */
  lines: number;
  machine: string;
}

/** Prints what is new in a report; true if its worker is alive. */
function heard({ emit, print, ws, order }: Relay, progress: unknown, seen: Seen): boolean {
  const read = reportSchema().safeParse(progress);
  if (!read.success || read.data.beat <= seen.beat) return false;
  const { beat, machine, from, lines, status } = read.data;
  if (seen.beat < 0) emit({ kind: 'machine', name: machine, enforced: [] });
  seen.beat = beat;
  seen.machine = machine;
  printLines(print, lines.slice(Math.max(0, seen.lines - from)));
  seen.lines = Math.max(seen.lines, from + lines.length);
  if (status !== undefined) keepStatus(ws, order.desk, status);
  return true;
}

/** Prints events of the call on the other machine; how it ended is ours to say. */
function printLines(print: Relay['print'], lines: readonly string[]): void {
  for (const line of lines) {
    const event = fields(parsedJson(line));
    if (event['kind'] !== 'machine' && event['kind'] !== 'ended') print(JSON.stringify(event));
  }
}

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

function keepStatus(ws: Workspace, desk: string, status: string): void {
  const path = join(desk, 'status.md');
  const there =
    ws.disk.stat(path)?.kind === 'file' ? ws.disk.read(path, status.length * 4 + 1) : undefined;
  if (there !== undefined && Buffer.from(there).toString('utf8') === status) return;
  put(ws.putting, path, Buffer.from(status, 'utf8'), { durable: false });
}

function answered(
  { emit, print }: Relay,
  { job }: Announcement,
  value: unknown,
  seen: Seen,
): Answer {
  const read = answerSchema().safeParse(value);
  if (!read.success) throw new Refusal('it cannot be read');
  const { workspace, task, attempt, token } = read.data;
  const { order } = job;
  if (task !== order.task || attempt !== order.attempt || workspace !== job.workspace)
    throw new Refusal(
      `it is the answer for ${oneLine(`${task}, attempt ${attempt}`)}, not for this attempt`,
    );
  if (token !== job.token) throw new Refusal('it lacks the token of this attempt');
  const { machine, enforced, lines } = read.data;
  printLines(print, lines.slice(seen.lines));
  emit({ kind: 'machine', name: machine, enforced });
  return read.data;
}

/** The change first: a result without its files would be judged without them. */
async function take(by: Relay, made: Announcement, answer: Answer): Promise<void> {
  const { ws, order, emit } = by;
  const { change } = answer;
  if (order.order.kind === 'work' && change !== undefined)
    await takeChange(ws, made.carrier, made.git, made.job.base.commit, change);
  putFiles(ws, order.desk, answer.desk);
  const { error = '', ...ending } = answer.ending;
  emit({ kind: 'ended', ending: { ...ending, error } });
}

const earlier = (attempt: number): readonly number[] =>
  Array.from({ length: Math.min(LATE_MAX, attempt - 1) }, (_, n) => attempt - 1 - n);

/** Answers of earlier attempts that came when nobody waited any more: kept as a ref, and never taken. */
async function keepLate({ ws, queue, emit }: Relay, made: Announcement): Promise<void> {
  const { job, name } = made;
  const { task, attempt } = job.order;
  for (const number of earlier(attempt)) {
    const id = jobId(job.workspace, task, number);
    if (!(await queue.fits(name, id))) continue;
    const looked = await queue.look(name, id);
    const read = answerSchema().safeParse(looked?.answer);
    if (looked?.finished !== true || !read.success) continue;
    const { change, machine } = read.data;
    const ref = `refs/contracts/late/${task}/${attemptName(number)}`;
    const kept = change !== undefined && (await keptAs(ws, made, ref, change));
    const where = kept ? `; its files are kept as ${ref}` : '';
    emit({
      kind: 'noise',
      text: `the late answer of attempt ${number} from ${machine} is refused${where}`,
    });
    await queue.drop(name, id);
  }
}

async function keptAs(
  ws: Workspace,
  { carrier, git, job }: Announcement,
  ref: string,
  change: Pack,
) {
  try {
    await takeObjects(ws, carrier, git, job.base.commit, change);
    git.out(['update-ref', ref, change.commit]);
    return true;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Fault) return false;
    throw error;
  }
}

/** Nothing that this attempt put into the queue is needed any more. */
async function leave(
  { queue, signal }: Relay,
  { name, id, job, carrier }: Announcement,
): Promise<void> {
  if (signal.aborted || !(await queue.fits(name, id))) return queue.cancel(name, id);
  const looked = await queue.look(name, id);
  if (looked?.finished === true || looked?.failed !== undefined) {
    const read = answerSchema().safeParse(looked.answer);
    if (read.success && read.data.change !== undefined) await carrier.drop(read.data.change);
    // Put again by the next attempt. Other troubles of one worker take it from nobody who waits.
    const { failed = '' } = looked;
    if (BAD_PACK.test(failed) && !NO_ROOM.test(failed)) await carrier.drop(job.base);
    await queue.drop(name, id);
    return queue.sweep(name);
  }
  return queue.cancel(name, id);
}
