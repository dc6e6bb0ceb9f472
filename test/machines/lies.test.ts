/**
 * A worker that lies, and a queue into which somebody puts jobs: each lie is refused and named, nothing of it reaches
 * the owner's worktree, desk or repository, and its size is not the owner's memory.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lieAbout, lyingQueue, JOBS, taken, TOKEN, type Lie } from './lying-worker.ts';
import { machinesRoom, type Machine, type MachinesRoom } from '../support/machines-room.ts';
import { queueServersMissing, startPostgres, startRedis } from '../support/queue-servers.ts';
import type { Server } from '../support/queue-servers.ts';
import { until } from '../support/until.ts';

const missing = queueServersMissing();
if (missing !== undefined) console.log(`LEFT OUT: lies of workers, because ${missing}`);

const MIB = 1024 * 1024;
/** Of any process of the owner but git; one that does nothing has 100. */
const MEMORY_MAX = 400 * MIB;
/** Of git, which ends where it wants more. */
const GIT_MEMORY_MAX = 2100 * MIB;
const ENGINES = [
  ['Redis', () => startRedis()],
  ['PostgreSQL', () => startPostgres()],
] as const;

type Trick = (lie: Lie) => Promise<void>;

const file = '100644';
const withEntry = async (
  lie: Lie,
  make: (lie: Lie) => readonly (readonly [string, string, string])[],
) =>
  lie.answer({
    change: await lie.trees.change(lie.trees.tree(...sorted([...lie.trees.base(), ...make(lie)]))),
  });
const sorted = (all: readonly (readonly [string, string, string])[]) =>
  all.toSorted(([m, , a], [n, , b]) => Buffer.compare(key(m, a), key(n, b)));
const key = (mode: string, name: string) => Buffer.from(mode === '40000' ? `${name}/` : name);

/** What is written, and what the outcome says. */
const LIES: Readonly<Record<string, readonly [trick: Trick, says: RegExp]>> = {
  'an answer for a foreign task': [
    ({ answer }) => answer({ task: 'another_20261121_task_aaaa' }),
    /refused: it is the answer for another_20261121_task_aaaa, attempt 1, not for this attempt/,
  ],
  'an answer without a token': [
    ({ answer }) => answer({ token: '' }),
    /refused: it lacks the token/,
  ],
  'an answer with the token of another': [
    ({ answer, job }) => answer({ token: job.token.replace(/./g, 'x') }),
    /refused: it lacks the token/,
  ],
  'an answer that is none': [({ answer }) => answer({ v: 2 as 1 }), /refused: it cannot be read/],
  'another job under its name': [
    async ({ taken: { job, data } }) => job.updateData({ ...data, text: '{}' }),
    /its job was replaced in the queue/,
  ],
  'a file below .git': [
    (lie) =>
      withEntry(lie, ({ trees }) => [
        [
          '40000',
          trees.tree(['40000', trees.tree(['100755', trees.blob('evil'), 'evil-hook']), 'hooks']),
          '.git',
        ],
      ]),
    /refused: git does not take its pack: .*hasDotgit/,
  ],
  'a file above the tree': [
    (lie) =>
      withEntry(lie, ({ trees }) => [
        ['40000', trees.tree([file, trees.blob('evil'), 'evil-above']), '..'],
      ]),
    /refused: git does not take its pack/,
  ],
  'a file through a link of the same change': [
    (lie) =>
      withEntry(lie, ({ trees }) => [
        ['120000', trees.blob('../..'), 'way'],
        ['40000', trees.tree([file, trees.blob('evil'), 'evil-through']), 'way'],
      ]),
    /refused: git does not take its pack/,
  ],
  'a repository in the tree': [
    (lie) => withEntry(lie, ({ job }) => [['160000', job.base.commit, 'evil-repository']]),
    /refused: it has a folder of another repository/,
  ],
  'a file above the desk': [
    ({ answer }) => answer({ desk: [{ path: '../../evil-desk', data: '' }] }),
    /refused: a file of its desk cannot be taken/,
  ],
  'a change that is not there': [
    ({ answer, job }) =>
      answer({ change: { id: 'nothing', commit: job.base.commit.replace(/./g, 'a') } }),
    /the queue no longer has its files/,
  ],
  'a change of another commit': [
    async ({ answer, trees, job }) => {
      const { id } = await trees.change(trees.tree([file, trees.blob('evil'), 'evil-other']));
      await answer({ change: { id, commit: job.base.commit.replace(/./g, 'a') } });
    },
    /refused: it lacks the commit/,
  ],
  'an answer of a hundred MiB': [
    ({ answer }) => answer({ lines: [`{"kind":"noise","text":"${'x'.repeat(100 * MIB)}"}`] }),
    /refused: it has \d{9} bytes, at most \d+ are read/,
  ],
  'a report of a hundred MiB': [
    ({ taken: { job } }) =>
      job.updateProgress({
        v: 1,
        machine: 'liar',
        beat: 1,
        from: 0,
        lines: ['x'.repeat(100 * MIB)],
      }),
    /refused: it has \d{9} bytes, at most \d+ are read/,
  ],
  'a pack of a hundred MiB': [
    async ({ answer, queue, job }) => {
      const { commit } = job.base;
      await answer({
        change: await queue.putPack('huge', commit, () =>
          Promise.resolve(Buffer.alloc(100 * MIB, 'x')),
        ),
      });
    },
    /refused: its pack has \d{9} bytes/,
  ],
  'a small pack with more than a GiB': [
    (lie) => withEntry(lie, ({ trees }) => [[file, trees.zeros(1280 * MIB), 'evil-zeros']]),
    /refused: (?:unpacked it would have \d{10} bytes|git does not take its pack)/,
  ],
  'a tree that names itself ten to the eight times': [
    (lie) =>
      withEntry(lie, ({ trees }) => {
        let at = trees.tree([file, trees.blob('evil'), 'evil-leaf']);
        for (let depth = 0; depth < 8; depth++)
          at = trees.tree(...Array.from({ length: 10 }, (_, n) => ['40000', at, `d${n}`] as const));
        return [['40000', at, 'evil-trees']];
      }),
    /refused: it changes more than \d+ files/,
  ],
};

interface Peak {
  readonly end: () => { readonly own: number; readonly git: number };
}

/** The most memory that any process of the owner had, by what the kernel kept of each while it lived. */
function watchMemory(run: Machine): Peak {
  const most = { own: 0, git: 0 };
  const timer = setInterval(() => {
    for (const pid of below(run.started.child.pid ?? 0)) {
      const kib = Number(/^VmHWM:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
      const whose = textOf(`/proc/${pid}/comm`).startsWith('git') ? 'git' : 'own';
      most[whose] = Math.max(most[whose], kib * 1024);
    }
  }, 20);
  return {
    end: () => {
      clearInterval(timer);
      return most;
    },
  };
}

function below(pid: number): readonly number[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [pid, ...children.flatMap(below)];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const evil = (room: MachinesRoom): readonly string[] =>
  readdirSync(room.base, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('evil'),
  );

async function stage(start: () => Promise<Server>) {
  const server = await start();
  onTestFinished(server.stop);
  const room = machinesRoom({ url: server.url, tasks: 1, retries_max: 0 });
  const queue = await lyingQueue(server.url);
  return { server, room, queue };
}

describe.runIf(missing === undefined).each(ENGINES)('lies on %s', (_, start) => {
  test.each(Object.entries(LIES))('%s is refused', async (_name, [trick, says]) => {
    const { room, queue } = await stage(start);
    const run = room.run();
    const memory = watchMemory(run);
    await trick(await lieAbout(queue));
    await run.started.ended;
    const peak = memory.end();
    const [first] = room.outcomes();
    expect(first?.reason).toMatch(says);
    expect(first?.outcome).not.toBe('complete');
    expect(room.states()).not.toHaveProperty('done');
    expect(evil(room)).toEqual([]);
    expect(peak.own).toBeLessThan(MEMORY_MAX);
    expect(peak.git).toBeLessThan(GIT_MEMORY_MAX);
  });

  test('a change outside of its permissions violates them, and is kept as a patch', async () => {
    const { room, queue } = await stage(start);
    const path = `${room.root}/active_tasks/ready/${room.ids[0]}/contract.md`;
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('v: 1\n', 'v: 1\nwrite: [src/**]\n'));
    const run = room.run();
    const lie = await lieAbout(queue);
    await withEntry(lie, ({ trees }) => [[file, trees.blob('evil\n'), 'evil.txt']]);
    await run.started.ended;
    const [first] = room.outcomes();
    expect(first?.outcome).toBe('violated');
    expect(first?.reason).toContain('evil.txt');
    expect(room.git('show-ref')).toContain(`refs/contracts/violated/${room.ids[0]}/0001`);
    const patch = readdirSync(room.base, { recursive: true, encoding: 'utf8' });
    expect(patch.filter((one) => one.endsWith('violation.patch'))).toHaveLength(1);
  });

  test('a worker refuses jobs that no owner of its has signed as they are', async () => {
    const { room, queue } = await stage(start);
    const run = room.run();
    const { data, id, job } = await taken(queue);
    const { text, signature } = data;
    const own = generateKeyPairSync('ed25519').privateKey;
    const { task, attempt } = (JSON.parse(text) as { order: { task: string; attempt: number } })
      .order;
    const name = signature.split(' ')[0] ?? '';
    const message = Buffer.from(`contracts job 1\n${task}\n${attempt}\n${name}\n${text}`);
    const forged = `${name} ${sign(null, message, own).toString('base64')}`;
    const put = {
      unsigned: { text, signature: '' },
      'of-another': { text, signature: forged },
      changed: { text: text.replace('"labels":[]', '"labels":["x"]'), signature },
      nonsense: { text: 'evil', signature },
      '../../evil': { text, signature },
    };
    for (const [one, said] of Object.entries(put)) await queue.announce(JOBS, one, said);
    const worker = await room.worker('w1', { slots: 1 });
    const said = (): string => worker.started.stdout();
    const refused = (one: string): string =>
      said()
        .split('\n')
        .find((line) => line.includes(` refused ${one}: `)) ?? '';
    for (const one of Object.keys(put))
      await until(`${one} to be refused`, () => refused(one) !== '');
    for (const one of ['unsigned', 'of-another', 'changed'])
      expect(refused(one)).toContain('its --key file has no key that signed this');
    expect(refused('nonsense')).toContain('it is no job that this version knows');
    expect(refused('../../evil')).toContain(`it is the job ${id} under another name`);
    expect(room.starts()).toEqual([]);
    // The true one is done, and not once more.
    await job.moveToFailed(new Error('the liar gives it up'), TOKEN, false);
    await run.started.ended;
    const again = await queue.free(JOBS, id);
    expect(again).toBe(true);
    await queue.announce(JOBS, id, { text, signature });
    await until(
      'the end of it',
      () => said().includes(` ended ${task}`) || said().includes(` refused ${task}`),
    );
    await queue.drop(JOBS, id);
    await queue.announce(JOBS, id, { text, signature });
    await until('the replay to be refused', () => refused(id) !== '');
    expect(refused(id)).toContain('it was announced a second time');
  });
});
