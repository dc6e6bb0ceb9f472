/** The owner announces an attempt: its files, its desk and its order, signed, as a job that a worker can take. */
import { randomBytes } from 'node:crypto';
import { dirname, join, posix, relative } from 'node:path';
import type { QueueOrder } from '../../clients/core/queue-order.ts';
import { findGit } from '../../git/find-git.ts';
import type { AgentProgress } from '../../process/adapter.ts';
import { realBelow } from '../../process/path-kind.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import type { Fields } from '../../task/core/base/json.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { signatureOf } from '../../trust/sign.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { gitAt, type Git } from '../../worktrees/engine/git.ts';
import { treeOfFiles, withIndex } from '../../worktrees/engine/write-tree.ts';
import { jobId, jobsQueue, Refusal, type Job, type Pack } from '../core/job.ts';
import { carrierBy, type Carrier } from './carrier.ts';
import { filesOf } from './desk-files.ts';
import { sameCommit } from './pack.ts';
import type { JobQueue } from './queue.ts';

export interface Relay {
  readonly ws: Workspace;
  readonly order: QueueOrder;
  readonly queue: JobQueue;
  /** A worker that reports nothing for so long is lost. */
  readonly lost_ms: number;
  readonly signal: AbortSignal;
  /** Prints an event, of ours or as a worker wrote it. */
  readonly emit: (event: AgentProgress | Fields) => void;
  /** Called whenever the queue has answered. */
  readonly answered: () => void;
}

export interface Announcement {
  readonly job: Job;
  readonly text: string;
  /** Name of its queue. */
  readonly name: string;
  readonly id: string;
  readonly git: Git;
  readonly carrier: Carrier;
}

/** Ends the attempt without an answer. */
export class Given extends Refusal {
  readonly reason: 'machine_lost' | 'queue_lost' | 'refused' | 'timed_out' | 'setup';
  constructor(reason: Given['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** So many earlier attempts are looked for in the queue. */
const LATE_MAX = 5;

export async function announce(by: Relay): Promise<Announcement> {
  const { ws, order: about, queue, signal } = by;
  const { order, root, desk, workspace } = about;
  const found = findGit(ws, root);
  if (found === undefined) throw new Refusal('a worker needs a git repository, and there is none');
  const git = gitAt(ws, { git_dir: found.own, common_dir: found.common, work_tree: found.top });
  const prefix = relative(found.top, root);
  const remote = about.remote && addressOf(git, about.remote);
  const carrier = carrierBy(ws, queue, remote);
  const job: Job = {
    v: 1,
    workspace: sha256(ws.machine.self().machine, realBelow(ws.layout.root)),
    token: randomBytes(18).toString('base64url'),
    order,
    prefix,
    base: await baseOf(ws, git, carrier, posix.join(prefix, about.tasks)),
    desk: filesOf(ws.disk, desk, ['queue.json']),
    paths: { root, desk, workspace },
    ...given({ remote }),
  };
  const text = JSON.stringify(job);
  const signed = { of: 'job', task: order.task, attempt: order.attempt } as const;
  const signature = signatureOf(ws, signed, text);
  if (signature === undefined)
    throw new Refusal('there is no key to sign the job with: contracts doctor');
  const id = jobId(job.workspace, order.task, order.attempt);
  const name = jobsQueue(order.agent, order.labels);
  if (!(await queue.free(name, id)))
    throw new Given('queue_lost', 'the queue has another job of this attempt, which a worker does');
  // Of an owner that died, nobody waits for them any more.
  for (const earlier of earlierJobs(job)) await queue.giveUp(name, earlier.id);
  await queue.announce(name, id, { text, signature });
  // At once: what is being asked of the queue may take longer than this process has.
  const cancel = (): void => void queue.cancel(name, id).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  by.emit({ kind: 'line', text: `waits for a worker that calls ${order.agent}` });
  return { job, text, name, id, git, carrier };
}

/** The jobs of attempts before this one, the last first. */
export function earlierJobs({ workspace, order: { task, attempt } }: Job) {
  return Array.from({ length: Math.min(LATE_MAX, attempt - 1) }, (_, n) => {
    const number = attempt - 1 - n;
    return { number, id: jobId(workspace, task, number) };
  });
}

/** The address of a remote that the repository names, else the words themselves; a relative one from the main checkout. */
function addressOf(git: Git, remote: string): string {
  const { code, out } = git.run(['config', '--get', `remote.${remote}.url`]);
  const address = code === 0 ? out.trim() : remote;
  return /^\.\.?(?:\/|$)/.test(address) ? join(dirname(git.place.common_dir), address) : address;
}

/** The files of the worktree as they are, without the folder of tasks; once in the queue for all that begin there. */
function baseOf(ws: Workspace, git: Git, carrier: Carrier, tasks: string): Promise<Pack> {
  const admin = git.place.git_dir;
  const head = git.commitOf('HEAD');
  if (head === undefined) throw new Refusal('the repository has no commit to begin with');
  const { tree } = treeOfFiles(ws, { git, admin }, head);
  const files = withIndex(ws, admin, (index) => {
    git.out(['read-tree', tree], { index });
    git.out(['rm', '--cached', '-r', '--quiet', '--ignore-unmatch', '--', tasks], { index });
    return git.out(['write-tree'], { index });
  });
  // At a remote that has the history, only what is new travels.
  const commit = sameCommit(git, files, ...(carrier.remote === undefined ? [] : [head]));
  return carrier.send(git, commit, `contracts/base/${commit}`);
}
