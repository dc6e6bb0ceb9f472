/**
 * A worker that lies: takes jobs by BullMQ as any worker does, and hands in what a test makes up. It knows all that a
 * worker knows, so its token is right unless the lie is about it.
 */
import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { jobsQueue, type Answer, type Job, type Pack } from '../../src/machines/core/job.ts';
import { openQueue, type JobQueue, type Taken } from '../../src/machines/engine/queue.ts';
import { GIT_ENV } from '../support/git.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

export const TOKEN = 'of-the-liar';
export const JOBS = jobsQueue('builder', []);

export interface Lie {
  readonly taken: Taken;
  readonly job: Job;
  readonly queue: JobQueue;
  /** Hands in an answer that is right but for this. */
  readonly answer: (wrong?: Partial<Answer>) => Promise<void>;
  readonly trees: Trees;
}

export async function lyingQueue(url: string): Promise<JobQueue> {
  const queue = await openQueue(url);
  onTestFinished(() => queue.close());
  return queue;
}

export async function taken(queue: JobQueue): Promise<Taken> {
  let found: Taken | undefined;
  let asked: Promise<void> | undefined;
  return until('a job', () => {
    asked ??= queue.take(JOBS, TOKEN).then((one) => {
      found = one;
      asked = undefined;
    });
    return found;
  });
}

export async function lieAbout(queue: JobQueue): Promise<Lie> {
  const one = await taken(queue);
  const job = JSON.parse(one.data.text) as Job;
  const { task, attempt } = job.order;
  const right: Answer = {
    v: 1,
    workspace: job.workspace,
    task,
    attempt,
    token: job.token,
    machine: 'liar',
    enforced: [],
    ending: {
      reason: 'exited',
      code: 0,
      signal: null,
    },
    lines: [],
    desk: [
      {
        path: 'result.md',
        data: Buffer.from(RESULT).toString('base64'),
      },
    ],
  };
  const base = await queue.pack(job.base);
  if (base === undefined) throw new Error('there is no base');
  return {
    taken: one,
    job,
    queue,
    trees: treesOn(queue, job, base),
    answer: async (wrong) => {
      await one.job.moveToCompleted(
        {
          ...right,
          ...wrong,
        },
        TOKEN,
        false,
      );
    },
  };
}

const RESULT = '---\nstatus: COMPLETE\n---\n\n## Success Criteria\n\n- [x] It was done\n';

export interface Trees {
  readonly git: (args: readonly string[], input?: string | Buffer) => string;
  readonly blob: (text: string) => string;
  /** A file of so many zeros, which packs to next to nothing. */
  readonly zeros: (bytes: number) => string;
  /** Entries as `MODE HASH\tNAME`, written as they are: git would refuse some. */
  readonly tree: (
    ...entries: readonly (readonly [mode: string, hash: string, name: string])[]
  ) => string;
  /** The entries of the base. */
  readonly base: () => readonly (readonly [mode: string, hash: string, name: string])[];
  /** A change whose files are this tree, put into the queue. */
  readonly change: (tree: string) => Promise<Pack>;
}

function treesOn(queue: JobQueue, job: Job, base: Buffer): Trees {
  const folder = sealedFolder('lie');
  const git: Trees['git'] = (args, input) =>
    execFileSync('git', [...args], {
      cwd: folder,
      env: { ...process.env, ...GIT_ENV },
      maxBuffer: 64 * 1024 * 1024,
      ...(input !== undefined && { input }),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
      .toString()
      .trim();
  git(['init', '-q']);
  git(['index-pack', '--stdin'], base);
  const object = (type: string, bytes: Buffer): string =>
    git(['hash-object', '-t', type, '-w', '--literally', '--stdin'], bytes);
  return {
    git,
    blob: (text) => object('blob', Buffer.from(text)),
    zeros: (bytes) => {
      const made = `head -c ${bytes} /dev/zero | git -c core.bigFileThreshold=1m hash-object -w --stdin`;
      return execFileSync('sh', ['-c', made], { cwd: folder }).toString().trim();
    },
    tree: (...entries) =>
      object(
        'tree',
        Buffer.concat(
          entries.flatMap(([mode, hash, name]) => [
            Buffer.from(`${mode} ${name}\0`),
            Buffer.from(hash, 'hex'),
          ]),
        ),
      ),
    base: () =>
      git(['ls-tree', job.base.commit])
        .split('\n')
        .map((line) => {
          const [mode = '', , hash = '', name = ''] = line.split(/[ \t]/);
          return [mode.replace(/^0/, ''), hash, name] as const;
        }),
    change: async (tree) => {
      const commit = git(['commit-tree', tree, '-p', job.base.commit, '-m', 'lie']);
      const listed = git([
        'rev-list',
        '--objects',
        '--no-object-names',
        commit,
        `^${job.base.commit}`,
      ]);
      const how = ['-c', 'core.bigFileThreshold=1m', 'pack-objects', '--quiet', '--stdout'];
      const bytes = execFileSync('git', how, {
        cwd: folder,
        input: `${listed}\n`,
        maxBuffer: 256 * 1024 * 1024,
      });
      return queue.putPack(`change.${commit}`, commit, () => Promise.resolve(bytes));
    },
  };
}
