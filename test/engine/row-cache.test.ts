/**
 * Rows: a step or a list that knows most tasks by their rows says what one that reads them all says, whatever
 * was done to the tree meanwhile; it reads no more than what changed, what waits for that, and what works; and
 * no row is kept of a look that asked or did more than look at files.
 */
import { CAPABILITIES } from '../../src/capabilities.ts';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { STATES } from '../../src/task/core/model/state.ts';
import { FIELD } from '../../src/engine/cache/row.ts';
import { KEPT_TASKS_MIN, RowCache } from '../../src/engine/cache/row-cache.ts';
import { NO_BOARD, readBoard } from '../../src/engine/board/board.ts';
import { awaitedOf, isKnownAtRest, parentOf } from '../../src/engine/cache/known-task.ts';
import { lookNow } from '../../src/engine/step/glance.ts';
import { orNothing } from '../../src/process/path-kind.ts';
import { readTask } from '../../src/workspace/tasks/read-task.ts';
import { checkTree } from '../../src/engine/doctor/check.ts';
import { step, type StepReport } from '../../src/engine/step/step.ts';
import { listTasks } from '../../src/engine/queries/list.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { unsyncedDisk } from '../support/faulty-disk.ts';
import { IN_MEMORY, putFile, sealedFolder } from '../support/sealed-folder.ts';
import * as fc from '../support/property.ts';
import { IN_FULL } from '../support/share.ts';

const DRAFTS = KEPT_TASKS_MIN;
/** Each looks at two hundred tasks some twenty times. */
const RUNS = IN_FULL ? 60 : 15;
const ACTORS = ['plan', 'build', 'asks', 'stuck', 'late'] as const;

let root: string;
const at = (path: string): string => join(root, path);
const write = (path: string, text: string): void => putFile(at(path), text);
const contract = (more = ''): string =>
  `---\ntitle: A task\n${more}---\n\n## Success Criteria\n\n- [ ] it is there\n`;
const QUESTIONS = '# Questions\n\n## Questions\n\n1. Which one?\n\n### Answer\n';
const MERGED = '<<<<<<< ours\nOne.\n=======\nTwo.\n>>>>>>> theirs\n';
const BLOCKED = '# Blocked\n\n## Problem\n\nIt is stuck.\n\n## Resolution\n';

beforeEach(() => {
  root = sealedFolder('rows', IN_MEMORY);
  fs.mkdirSync(at('.contracts'));
  for (const state of STATES) fs.mkdirSync(at(`active_tasks/${state}`), { recursive: true });
  for (let n = 0; n < DRAFTS; n++) write(`active_tasks/draft/d-${n}/contract.md`, contract());
  reset();
});

/** The actors as they stand at first; nothing else but the drafts. */
function reset(): void {
  for (const path of ['cache', 'archive', 'config.yaml']) {
    fs.rmSync(at(`.contracts/${path}`), { recursive: true, force: true });
  }
  for (const state of STATES.filter((one) => one !== 'draft')) {
    fs.rmSync(at(`active_tasks/${state}`), { recursive: true, force: true });
    fs.mkdirSync(at(`active_tasks/${state}`));
  }
  for (const actor of ACTORS)
    fs.rmSync(at(`active_tasks/draft/${actor}`), { recursive: true, force: true });
  write('active_tasks/draft/plan/contract.md', contract());
  write('active_tasks/ready/build/contract.md', contract('depends_on: [plan, ended]\n'));
  write('active_tasks/questions/asks/contract.md', contract());
  write('active_tasks/questions/asks/questions.md', QUESTIONS);
  write('active_tasks/blocked/stuck/contract.md', contract());
  write('active_tasks/blocked/stuck/blocked.md', BLOCKED);
  write(
    'active_tasks/ready/late/contract.md',
    contract('parent: plan\nworkflow: build\nphase: test\ndepends_on: [build]\n'),
  );
  write('active_tasks/done/ended/contract.md', contract());
}

interface Opening {
  /** As if the look came a minute after the last change, so that all files are settled. */
  readonly later?: boolean;
  /** Without: nothing is known of an earlier look, and nothing is kept. */
  readonly rows?: boolean;
  readonly disk?: Disk;
  readonly host?: string;
}

const refused = (): never => {
  throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
};

/** The contracts that were read since `seen` was emptied. */
const seen = new Set<string>();

function open({
  later = true,
  rows = true,
  disk = unsyncedDisk,
  host = '',
}: Opening = {}): Workspace {
  const isCache = (path: string): boolean => !rows && path.startsWith(at('.contracts/cache'));
  const counting: Disk = {
    ...disk,
    read: (path, ...rest) => {
      if (isCache(path)) refused();
      if (path.endsWith('/contract.md')) seen.add(path.split('/').at(-2) ?? '');
      return disk.read(path, ...rest);
    },
    create: (path, ...rest) => (isCache(path) ? refused() : disk.create(path, ...rest)),
  };
  const opened = openWorkspace({
    // The ledger looks at the tree once more after each move, and has no part in the cache.
    capabilities: CAPABILITIES.filter(({ name }) => name !== 'ledger'),
    dir: root,
    ports: { disk: counting },
    ...(host === '' ? {} : { dead_hosts: [host] }),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  const { machine } = opened.value;
  const now = (): Date => new Date(Date.now() + (later ? 60_000 : 0));
  return { ...opened.value, machine: { ...machine, now } };
}

/** The clock of the file system has gone on: what is written now has other times. */
function nextTick(): void {
  const probe = at('.contracts/probe');
  const written = (): number => {
    fs.writeFileSync(probe, `${Math.random()}`);
    return fs.statSync(probe).ctimeMs;
  };
  const before = written();
  while (written() === before);
  fs.rmSync(probe);
}

const waits = ({ events }: StepReport) => events.filter(({ event }) => event === 'waits');
const rows = (): string => at('.contracts/cache/rows');

/** The names of tasks whose contracts a step reads now. */
async function readBy(look: (ws: Workspace) => unknown, options: Opening = {}): Promise<string[]> {
  const ws = open(options);
  seen.clear();
  await look(ws);
  return [...seen].sort();
}

/** Steps until there is nothing to do; the last of these left rows. */
async function settle(options = {}): Promise<StepReport> {
  for (;;) {
    const report = await step(open(options));
    if (!report.progressed) return report;
    nextTick();
  }
}

test('a second step and a second list read no contract, and say the same', async () => {
  const first = await settle();
  expect(await readBy(step)).toEqual([]);
  expect((await step(open())).events).toEqual(first.events);
  expect(first.events.length).toBeGreaterThan(DRAFTS);
  expect(listTasks(open())).toEqual(listTasks(open({ rows: false })));
  expect(await readBy(listTasks)).toEqual([]);
  expect(fs.readFileSync(at('.contracts/cache/.gitignore'), 'utf8')).toBe('*\n');
});

test('after a change one task is read, and of those that wait for it only who asked what changed', async () => {
  await settle();
  nextTick();
  write('active_tasks/draft/plan/contract.md', contract('priority: high\n'));
  expect(await readBy(step)).toEqual(['plan']);
  expect(listTasks(open())).toEqual(listTasks(open({ rows: false })));
  nextTick();
  fs.renameSync(at('active_tasks/draft/plan'), at('active_tasks/blocked/plan'));
  expect(await readBy(listTasks)).toEqual(['build', 'late', 'plan']);
  expect(listTasks(open())).toEqual(listTasks(open({ rows: false })));
});

type Hand = (actor: string) => void;

function folderOf(actor: string): string | undefined {
  return STATES.map((state) => `active_tasks/${state}/${actor}`).find((one) =>
    fs.existsSync(at(one)),
  );
}

function inFile(name: string, change: (text: string) => string): Hand {
  return (actor) => {
    const folder = folderOf(actor);
    const file = at(`${folder}/${name}`);
    if (folder === undefined || !fs.existsSync(file) || !fs.statSync(file).isFile()) return;
    fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
  };
}

const inFolder =
  (change: (folder: string) => void): Hand =>
  (actor) => {
    const folder = folderOf(actor);
    if (folder !== undefined) change(at(folder));
  };

/** What a person, an editor or git does to a tree. Some change nothing that matters. */
const HANDS: Readonly<Record<string, Hand>> = {
  'a title of the same length': inFile('contract.md', (text) => text.replace('A task', 'B task')),
  'front matter broken': inFile('contract.md', (text) => text.replace('---\n', '--\n')),
  'front matter mended': inFile('contract.md', (text) => text.replace(/^--\n/, '---\n')),
  'a dependency more': inFile('contract.md', (text) =>
    text.replace(/^title/m, 'depends_on: [d-1]\ntitle'),
  ),
  'dependencies gone': inFile('contract.md', (text) => text.replace(/depends_on.*\n/, '')),
  'an answer': inFile('questions.md', (text) =>
    text.replace('### Answer\n', '### Answer\n\nThis.\n'),
  ),
  'a resolution': inFile('blocked.md', (text) => `${text}\nGo on.\n`),
  'words in the wrong place': inFile('blocked.md', (text) => text.replace('It is', 'It was')),
  'saved by an editor': inFolder((folder) => {
    fs.writeFileSync(join(folder, '.new'), contract('priority: high\n'));
    fs.renameSync(join(folder, '.new'), join(folder, 'contract.md'));
  }),
  'a link in its place': inFolder((folder) => {
    fs.rmSync(join(folder, 'contract.md'), { force: true });
    fs.symlinkSync('../elsewhere', join(folder, 'contract.md'));
  }),
  'both sides of a merge in a note': inFolder((folder) => {
    fs.mkdirSync(join(folder, 'notes'), { recursive: true });
    fs.writeFileSync(join(folder, 'notes/merged.md'), MERGED);
  }),
  'notes without them': inFolder((folder) => {
    const file = join(folder, 'notes/merged.md');
    if (fs.existsSync(file)) fs.writeFileSync(file, 'Both.\n');
  }),
  'one of its id in the archive': (actor) =>
    fs.mkdirSync(at(`.contracts/archive/${actor}`), { recursive: true }),
  'no contract': inFolder((folder) => fs.rmSync(join(folder, 'contract.md'), { force: true })),
  'an attempt of nobody': inFolder((folder) =>
    fs.mkdirSync(join(folder, 'attempts/0001'), { recursive: true }),
  ),
  'no attempts': inFolder((folder) =>
    fs.rmSync(join(folder, 'attempts'), { recursive: true, force: true }),
  ),
  'a form of a person': inFolder((folder) => fs.writeFileSync(join(folder, 'blocked.md'), BLOCKED)),
  'a file of nobody': inFolder((folder) => fs.writeFileSync(join(folder, 'notes.txt'), 'Notes')),
  touched: inFolder((folder) => fs.utimesSync(folder, new Date(), new Date())),
  gone: inFolder((folder) => fs.rmSync(folder, { recursive: true })),
  'there again': (actor) => {
    if (folderOf(actor) === undefined) write(`active_tasks/draft/${actor}/contract.md`, contract());
  },
  'in two states': (actor) => write(`active_tasks/review/${actor}/contract.md`, contract()),
  'a stranger': () => write('active_tasks/ready/notes.txt', 'Notes'),
  'no stranger': () => fs.rmSync(at('active_tasks/ready/notes.txt'), { force: true }),
  'other settings': () =>
    write(
      '.contracts/config.yaml',
      `parallel: ${fs.readdirSync(at('active_tasks/ready')).length + 1}\n`,
    ),
  'a state gone': () => {
    if (fs.readdirSync(at('active_tasks/review')).length === 0) {
      fs.rmdirSync(at('active_tasks/review'));
      fs.writeFileSync(at('active_tasks/review'), '');
    }
  },
  'a state back': () => {
    if (fs.statSync(at('active_tasks/review')).isDirectory()) return;
    fs.rmSync(at('active_tasks/review'));
    fs.mkdirSync(at('active_tasks/review'));
  },
  'the dependency archived': () => {
    if (!fs.existsSync(at('active_tasks/done/ended'))) return;
    fs.mkdirSync(at('.contracts/archive'), { recursive: true });
    fs.renameSync(at('active_tasks/done/ended'), at('.contracts/archive/ended'));
  },
  ...Object.fromEntries(
    STATES.map((state) => [
      `moved to ${state}`,
      (actor: string) => {
        const from = folderOf(actor);
        const to = at(`active_tasks/${state}/${actor}`);
        const free = from !== undefined && !fs.existsSync(to) && fs.existsSync(dirname(to));
        if (free && fs.statSync(dirname(to)).isDirectory()) fs.renameSync(at(from), to);
      },
    ]),
  ),
};

test(`after any ${RUNS} walks of a person's hand a step says what a look says, and so do list and check`, async () => {
  let fewer = 0;
  const isDraft = (id: string): boolean => id.startsWith('d-');
  const hand = fc.tuple(fc.constantFrom(...Object.keys(HANDS)), fc.constantFrom(...ACTORS));
  const walk = fc.array(fc.array(hand, { maxLength: 2 }), { minLength: 3, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(walk, async (rounds) => {
      reset();
      let first = true;
      for (const hands of rounds) {
        nextTick();
        for (const [name, actor] of hands) {
          try {
            HANDS[name]?.(actor);
          } catch (error) {
            // A hand that finds a file where it looks for a folder does nothing.
            if (
              !['ENOTDIR', 'EEXIST', 'EISDIR'].includes(String((error as { code?: string }).code))
            )
              throw error;
          }
        }
        nextTick();
        const planned = await step(open({ rows: false }), { dry_run: true });
        let again = planned;
        const once = await readBy(async (ws) => (again = await step(ws, { dry_run: true })));
        // Of the others none changed, and none waits for one that did.
        const isForAll = first || hands.some(([name]) => name === 'other settings');
        if (!isForAll) expect(once.filter(isDraft)).toEqual([]);
        first = false;
        expect(again.plan).toEqual(planned.plan);
        expect(again.events).toEqual(planned.events);
        const wanted = listTasks(open({ rows: false }));
        let found: unknown;
        const read = await readBy((ws) => (found = listTasks(ws)));
        expect(found).toEqual(wanted);
        // Whatever changed for all, the look before has kept it.
        expect(read.filter(isDraft)).toEqual([]);
        if (read.length < ACTORS.length) fewer++;
        const problems = checkTree(open({ rows: false }));
        const checked = await readBy((ws) => expect(checkTree(ws)).toEqual(problems));
        if (!isForAll) expect(checked.filter(isDraft)).toEqual([]);
        const taken = await step(open());
        const acts = planned.plan.some(({ action }) => action.kind !== 'wait');
        if (!acts) expect(waits(taken)).toEqual(waits(planned));
      }
    }),
    { numRuns: RUNS },
  );
  expect(fewer).toBeGreaterThan(RUNS);
}, 600_000);

test('a plan that is paused, resumed or edited is looked at, and its tasks are', async () => {
  const task = 'draft-5e6y';
  const file = '.contracts/plans/launch/plan.md';
  const box = (): string => /\[.\]/.exec(fs.readFileSync(at(file), 'utf8'))?.[0] ?? '';
  write(`active_tasks/ready/${task}/contract.md`, contract('plan: launch\nadapter: human\n'));
  write('.contracts/plans/launch/PAUSED', '');
  const reasons = ({ events }: StepReport) =>
    events.flatMap((one) => (one.event === 'waits' && one.task === task ? [one.reason] : []));
  expect(reasons(await settle())).toEqual(['plan launch is paused']);
  expect(reasons(await step(open()))).toEqual(['plan launch is paused']);
  write(file, '- [x] Draft it (id: draft)\n');
  const told = await step(open());
  expect(box()).toBe('[ ]');
  expect(told.events.filter(({ event }) => event === 'box')).toHaveLength(1);
  await settle();
  nextTick();
  fs.rmSync(at('.contracts/plans/launch/PAUSED'));
  const resumed = await step(open());
  expect(reasons(resumed)).toEqual(['a person is working on it']);
  expect(box()).toBe('[~]');
  fs.rmSync(at('.contracts/plans'), { recursive: true });
});

test('events are said to whoever listens, in their order', async () => {
  const first = await settle();
  const heard: unknown[] = [];
  await step(open(), { emit: (event) => heard.push(event) });
  expect(heard).toEqual(first.events);
});

test('other settings, a removed cache: all are read', async () => {
  await settle();
  expect(await readBy(step)).toEqual([]);
  write('.contracts/config.yaml', 'parallel: 3\n');
  expect((await readBy(step)).length).toBeGreaterThan(DRAFTS);
  expect(await readBy(step)).toEqual([]);
  fs.rmSync(at('.contracts/cache'), { recursive: true });
  expect((await readBy(step)).length).toBeGreaterThan(DRAFTS);
});

test('what was written within two seconds before the look may change once more unseen: its row alone is not kept', async () => {
  const soon = new Date(Date.now() + 59_000);
  fs.utimesSync(at('active_tasks/draft/plan/contract.md'), soon, soon);
  await settle();
  expect(await readBy(listTasks)).toEqual(['plan']);
  expect(await readBy(listTasks, { later: false })).toEqual(['plan']);
  fs.rmSync(at('.contracts/cache'), { recursive: true });
  await readBy(listTasks, { later: false });
  expect(fs.existsSync(rows())).toBe(false);
});

/** A task whose agent is called by a program that is not there. */
function needsProgram(): void {
  const adapters = 'adapters: { odd: { type: command, run: [no-such-program] } }';
  write('.contracts/config.yaml', `${adapters}\nagents: { builder: { adapter: odd } }\n`);
  write('active_tasks/ready/alone/contract.md', contract());
  const folder = sealedFolder('programs');
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
}

function install(): void {
  const [folder = ''] = (process.env['PATH'] ?? '').split(':');
  fs.writeFileSync(join(folder, 'no-such-program'), '#!/bin/sh\n', { mode: 0o755 });
}

test('what is installed is asked again: that is nowhere in the tree', async () => {
  needsProgram();
  const report = await settle();
  const reason = expect.stringContaining('no-such-program') as string;
  expect(waits(report)).toContainEqual(expect.objectContaining({ task: 'alone', reason }));
  expect(await readBy(listTasks)).toEqual([]);
  install();
  expect(await readBy(listTasks)).toEqual(['alone']);
  expect(listTasks(open())).toEqual(listTasks(open({ rows: false })));
});

test('a look that asked which processes live is not kept', async () => {
  // The process that started this one: it lives for as long as the test does.
  const runner = open().machine.identify(process.ppid);
  const { pid, start, boot, pid_ns, host, machine } = runner ?? open().machine.self();
  const place = { pid, start, boot, pid_ns, host, machine };
  const claim = {
    attempt: 1,
    kind: 'work',
    owner: 'process',
    agent: 'builder',
    nonce: 'n',
    base: 0,
  };
  const seen = { claimed: '2026-11-21T12:00:00.000Z', contract: 'x', inputs: 'x' };
  const owner = JSON.stringify({ v: 1, task: 'runs', ...claim, ...seen, ...place });
  write('active_tasks/in_progress/runs/contract.md', contract());
  write('active_tasks/in_progress/runs/attempts/0001/owner.md', `---\n${owner}\n---\n`);
  write('active_tasks/in_progress/runs/attempts/0001/lease.md', '');
  const report = await settle();
  expect(waits(report)).toContainEqual(expect.objectContaining({ task: 'runs', on: 'agent' }));
  expect(await readBy(listTasks)).toEqual(['runs']);
});

test('who could be begun is read anew, and so is what it waits for in vain', async () => {
  write(
    'active_tasks/ready/alone/contract.md',
    `${contract()}\n## Steps\n\n\`\`\`sh\ntrue\n\`\`\`\n`,
  );
  write('.contracts/PAUSED', '');
  await settle();
  expect(await readBy(listTasks)).toEqual(['alone']);
  fs.rmSync(at('.contracts/PAUSED'));
});

function renamed(from: RegExp, to: string): (bytes: Buffer) => Buffer {
  return (bytes) => Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');
}

test('the format of a row names each of its fields', async () => {
  await settle();
  const { v } = JSON.parse(fs.readFileSync(rows(), 'latin1').split('\n')[0] ?? '') as { v: string };
  expect(v.split(' ')).toEqual(expect.arrayContaining([...Object.keys(FIELD), ...STATES]));
});

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
  ['empty', () => Buffer.alloc(0)],
  ['without its first line', (bytes: Buffer) => bytes.subarray(bytes.indexOf('\n') + 1)],
  ['of another format', renamed(/(?<="v":")\d/, '0')],
  ['of a version with another column', renamed(/(?<="v":"[^"]* )stands_ms(?= )/, 'stood__ms')],
  [
    'of a version with its states in another order',
    renamed(/(?<="v":"[^"]*)draft ready/, 'ready draft'),
  ],
  [
    'with a page of zeros at its end',
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -4096), Buffer.alloc(4096)]),
  ],
  [
    'with a page of zeros in its middle',
    (bytes: Buffer) =>
      Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(4096), bytes.subarray(12288)]),
  ],
  [
    'with another word in a row',
    (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('A task', 'B task'), 'latin1'),
  ],
])('a file of rows that is %s is none', async (_, tear) => {
  const first = await settle();
  fs.writeFileSync(rows(), tear(fs.readFileSync(rows())));
  expect((await readBy(listTasks)).length).toBeGreaterThan(DRAFTS);
  fs.writeFileSync(rows(), tear(fs.readFileSync(rows())));
  expect((await step(open())).events).toEqual(first.events);
});

test('a cache that cannot be written costs time only', async () => {
  fs.writeFileSync(at('.contracts/cache'), 'a file');
  const first = await settle();
  expect((await step(open())).events).toEqual(first.events);
});

test('a small tree has none', async () => {
  fs.rmSync(at('active_tasks/draft'), { recursive: true });
  fs.mkdirSync(at('active_tasks/draft'));
  await settle();
  expect(fs.existsSync(rows())).toBe(false);
});

test('who acts is read anew: rows that say it is free are not believed', async () => {
  const steps = ['## Steps', '```sh', 'true', '```', ''].join('\n\n');
  write(
    'active_tasks/ready/build/contract.md',
    `${contract('depends_on: [plan, ended]\n')}\n${steps}`,
  );
  await settle();
  // Its sum is right, and its row is of another task that is free.
  forge((text) =>
    text.replace('depends_on', 'was_on').replaceAll('dependency plan', 'dependency d-00'),
  );
  const { events } = await step(open(), { only: new Set(['build']) });
  expect(events.map((event) => 'task' in event && [event.event, event.task])).toEqual([
    ['waits', 'build'],
  ]);
  expect(fs.readdirSync(at('active_tasks/ready/build'))).toEqual(['contract.md']);
});

/** Another text of the same length, with the sum of it. */
function forge(change: (text: string) => string, header = (head: object): object => head): void {
  const bytes = fs.readFileSync(rows());
  const end = bytes.indexOf('\n') + 1;
  const body = Buffer.from(change(bytes.toString('latin1', end)), 'latin1');
  const known = JSON.parse(bytes.toString('utf8', 0, end)) as object;
  const head = JSON.stringify({ ...header(known), sum: crc32(body) });
  const filled = head.length % 8 === 7 ? head : head.padEnd(head.length + 7 - (head.length % 8));
  fs.writeFileSync(rows(), Buffer.concat([Buffer.from(`${filled}\n`), body]));
}

const move = (from: string, task: string, to: string): void =>
  fs.renameSync(at(`active_tasks/${from}/${task}`), at(`active_tasks/${to}/${task}`));
const asks = 'active_tasks/questions/asks/questions.md';
const hosted = (more = ''): string =>
  contract(`${more}adapter: host\nverify: ["file_exists: out.txt"]\n`);
const record = (fields: object): string => `---\n${JSON.stringify({ v: 1, ...fields })}\n---\n`;
const owner = (task: string): string =>
  record({
    task,
    attempt: 1,
    kind: 'work',
    owner: 'person',
    agent: 'builder',
    nonce: 'n',
    base: 0,
    claimed: '2026-11-21T12:00:00.000Z',
    contract: 'x',
    inputs: 'x',
  });
/** A task in a person's hands: its attempt is open, and no process is asked about it. */
const inHands = (task: string, more: string): void => {
  write(`active_tasks/in_progress/${task}/contract.md`, contract(`${more}adapter: human\n`));
  write(`active_tasks/in_progress/${task}/attempts/0001/owner.md`, owner(task));
};
const AWAY = { outcome: 'interrupted', error: 'outage', reason: 'the model is away' };
/** A task that was called, and whose call ended so. */
const called = (ended: object): void => {
  const at_now = new Date(Date.now() + 55_000).toISOString();
  write('active_tasks/blocked/stuck/attempts/0001/owner.md', owner('stuck'));
  write(
    'active_tasks/blocked/stuck/attempts/0001/outcome.md',
    record({ attempt: 1, kind: 'work', at: at_now, adapter: 'host', ...ended }),
  );
};
const heldTask = (): void => {
  write('.contracts/plans/launch/PAUSED', '');
  const head = 'plan: launch\nadapter: human\ndeliverables: [out.txt]\n';
  write('active_tasks/ready/held/contract.md', contract(head));
};

/** Each asks one thing that nothing else tells: a row that did not ask it would be believed. */
const QUESTIONS_OF_ROWS: Readonly<
  Record<string, readonly [before: () => void, change: () => void]>
> = {
  'its contract': [
    () => undefined,
    () => write('active_tasks/draft/plan/contract.md', contract().replace('A task', 'B task')),
  ],
  'what is not in its folder': [() => fs.rmSync(at(asks)), () => write(asks, QUESTIONS)],
  'its questions': [
    () => undefined,
    () => fs.appendFileSync(at(asks), '\n2. And which then?\n\n### Answer\n'),
  ],
  'what it waits for': [() => undefined, () => move('draft', 'plan', 'blocked')],
  'what it waited for and is done': [() => undefined, () => move('done', 'ended', 'draft')],
  'whether it waits for itself': [
    () => undefined,
    () => write('active_tasks/draft/plan/contract.md', contract('depends_on: [build]\n')),
  ],
  'who is its child': [
    () => {
      write('active_tasks/ready/whole/contract.md', contract('adapter: human\n'));
      write('active_tasks/draft/child/contract.md', contract('parent: whole\n'));
    },
    () => move('draft', 'child', 'blocked'),
  ],
  'a file that it needs': [
    () =>
      write(
        'active_tasks/ready/needs/contract.md',
        `${contract()}\n## Context Files\n\n- in.txt\n`,
      ),
    () => write('in.txt', 'It is here.'),
  ],
  'an agent of the workspace': [
    () => write('active_tasks/ready/novel/contract.md', contract('agent: novel\n')),
    () =>
      write('.contracts/agents/novel.md', '---\nname: novel\ndescription: Writes\n---\n\nWrite.\n'),
  ],
  'whether its plan is paused': [heldTask, () => fs.rmSync(at('.contracts/plans/launch/PAUSED'))],
  'who writes the same file': [
    () => {
      write(
        'active_tasks/ready/late/contract.md',
        contract('adapter: human\ndeliverables: [out.txt]\n'),
      );
      write('active_tasks/review/rival/contract.md', contract('deliverables: [out.txt]\n'));
    },
    () => move('review', 'rival', 'draft'),
  ],
  'who has its turn': [
    () => {
      write(
        '.contracts/plans/launch/plan.md',
        '---\none at a time: yes\n---\n\n- [ ] One (id: one)\n',
      );
      write('active_tasks/ready/late/contract.md', hosted('plan: launch\n'));
      inHands('first', 'plan: launch\n');
    },
    () => fs.rmSync(at('active_tasks/in_progress/first'), { recursive: true }),
  ],
  'a pause that its adapter brings': [
    () => write('active_tasks/ready/late/contract.md', hosted()),
    () => called(AWAY),
  ],
  'whether somebody is in its way': [
    () => {
      heldTask();
      write('active_tasks/draft/rival/contract.md', contract('deliverables: [out.txt]\n'));
    },
    () => move('draft', 'rival', 'review'),
  ],
};

test.each(Object.entries(QUESTIONS_OF_ROWS))(
  'a row is not believed when %s changed',
  (_, [before, change]) => {
    before();
    nextTick();
    const first = listTasks(open());
    expect(listTasks(open())).toEqual(first);
    nextTick();
    change();
    const wanted = listTasks(open({ rows: false }));
    expect(wanted).not.toEqual(first);
    expect(listTasks(open())).toEqual(wanted);
  },
);

const FIELD_END = String.fromCharCode(0x1f);
/** The wait of a draft has no problems: in their place, as many letters less of its fix. */
const forgeLast = (problems: string) => (text: string) =>
  text.replaceAll(
    new RegExp(`(contracts confirm [^${FIELD_END}]*)${FIELD_END.repeat(3)}`, 'g'),
    (_, fix: string) =>
      `${fix.slice(problems.length)}${FIELD_END.repeat(2)}${problems}${FIELD_END}`,
  );
const NOVEL = '---\nname: novel\ndescription: Writes\n---\n\nWrite.\n';

const AGENT = '---\nname: novel\ndescription: Writes\n---\n\nWrite.\n';
const QUESTIONS_OF_CHECKS: Readonly<
  Record<string, readonly [before: () => void, change: () => void]>
> = {
  'its contract': [
    () => undefined,
    () => write('active_tasks/draft/plan/contract.md', contract('priority: odd\n')),
  ],
  'what is not in its folder': [
    () => undefined,
    () => write('active_tasks/draft/plan/status.md', MERGED),
  ],
  'a note': [
    () => write('active_tasks/draft/plan/notes/merged.md', MERGED),
    () => write('active_tasks/draft/plan/notes/merged.md', 'Both.\n'),
  ],
  'whether what it waits for was given up': [
    () => undefined,
    () => move('draft', 'plan', 'aborted'),
  ],
  'whether it waits for itself': [
    () => undefined,
    () => write('active_tasks/draft/plan/contract.md', contract('depends_on: [build]\n')),
  ],
  'whether one of its id is in the archive': [
    () => undefined,
    () => write('.contracts/archive/plan/contract.md', contract()),
  ],
  'which programs are there': [needsProgram, install],
  'an agent of the workspace': [
    () => write('active_tasks/ready/novel/contract.md', contract('agent: novel\n')),
    () =>
      write('.contracts/agents/novel.md', '---\nname: novel\ndescription: Writes\n---\n\nWrite.\n'),
  ],
  'an agent in a home that is in the workspace': [
    () => {
      vi.stubEnv('HOME', at('home'));
      for (const id of ['novel', 'novel-too'])
        write(`active_tasks/draft/${id}/contract.md`, contract('agent: novel\n'));
    },
    () => write('home/.claude/agents/novel.md', AGENT),
  ],
  'a file that it needs': [
    () =>
      write(
        'active_tasks/draft/needs/contract.md',
        `${contract()}\n## Context Files\n\n- in.txt\n`,
      ),
    () => write('in.txt', 'It is here.'),
  ],
};

test.each(Object.entries(QUESTIONS_OF_CHECKS))(
  'a check that is kept is made again when %s changed',
  async (_, [before, change]) => {
    before();
    nextTick();
    const first = checkTree(open());
    let again: unknown;
    // The receipts of those that ended are looked at each time.
    expect(await readBy((ws) => (again = checkTree(ws)))).toEqual(['ended']);
    expect(again).toEqual(first);
    nextTick();
    change();
    nextTick();
    again = checkTree(open());
    expect(again).not.toEqual(first);
    expect(again).toEqual(checkTree(open({ rows: false })));
  },
);

test('a file in the cache that a task needs is looked for each time', () => {
  const needs = `${contract()}\n## Context Files\n\n- .contracts/cache/in.txt\n`;
  write('active_tasks/draft/needs/contract.md', needs);
  write('.contracts/cache/in.txt', 'It is here.');
  const first = checkTree(open());
  expect(checkTree(open())).toEqual(first);
  fs.rmSync(at('.contracts/cache/in.txt'));
  expect(checkTree(open())).not.toEqual(first);
});

test('a check that is kept says nothing to a list, and a list nothing to a check', () => {
  const [listed, found] = [listTasks(open({ rows: false })), checkTree(open({ rows: false }))];
  for (const look of [checkTree, listTasks, checkTree]) look(open());
  expect(listTasks(open())).toEqual(listed);
  expect(checkTree(open())).toEqual(found);
});

test.each(['.claude', '.opencode', '.agents'])(
  'an agent in %s is asked for once, and changes all tasks that name it',
  (client) => {
    for (const id of ['one', 'two']) {
      write(`active_tasks/ready/${id}/contract.md`, contract('adapter: human\nagent: novel\n'));
    }
    nextTick();
    const first = listTasks(open());
    expect(listTasks(open())).toEqual(first);
    nextTick();
    write(`${client}/agents/novel.md`, NOVEL);
    const wanted = listTasks(open({ rows: false }));
    expect(wanted).not.toEqual(first);
    expect(listTasks(open())).toEqual(wanted);
  },
);

test('a workspace that was moved to another place asks there', () => {
  write('active_tasks/ready/one/contract.md', contract('adapter: human\nagent: novel\n'));
  nextTick();
  listTasks(open());
  const above = sealedFolder('above', IN_MEMORY);
  fs.renameSync(root, join(above, 'ws'));
  root = join(above, 'ws');
  write('.contracts/agents/novel.md', NOVEL);
  expect(listTasks(open())).toEqual(listTasks(open({ rows: false })));
});

/** It moves right before its contract is read for the first time. */
function raced(from: string, to: string): Workspace {
  const ws = open();
  let moved = false;
  const read: Disk['read'] = (path, ...rest) => {
    if (!moved && path === at(`${from}/contract.md`)) {
      moved = true;
      fs.renameSync(at(from), at(to));
    }
    return ws.disk.read(path, ...rest);
  };
  return { ...ws, disk: { ...ws.disk, read } };
}

test('a task that another runner moves while a step or a list looks faults no other', async () => {
  const waits = `${contract('adapter: human\n')}\n## Context Files\n\n- in.txt\n`;
  write('active_tasks/review/rev/contract.md', contract());
  for (const id of ['one', 'two']) write(`active_tasks/ready/${id}/contract.md`, waits);
  nextTick();
  listTasks(open());
  const looked = raced('active_tasks/review/rev', 'active_tasks/done/rev');
  const { events } = await step(looked, { dry_run: true });
  expect(events.filter(({ event }) => event === 'fault')).toEqual([]);
  fs.renameSync(at('active_tasks/done/rev'), at('active_tasks/review/rev'));
  const again = raced('active_tasks/review/rev', 'active_tasks/done/rev');
  expect(listTasks(again).tasks.length).toBeGreaterThan(DRAFTS);
  const all = raced('active_tasks/draft/d-7', 'active_tasks/ready/d-7');
  expect(listTasks(all, { text: 'task' }).tasks.length).toBeGreaterThan(DRAFTS - 2);
});

test.each([
  [
    'shared paths that are none',
    (head: object) => ({ ...head, shared: [null] }),
    (text: string) => text,
  ],
  [
    'times that are none',
    (head: object) => head,
    (text: string) =>
      text
        .split(FIELD_END)
        .map((one) => (/^\d{13}(?:\.\d+)?$/.test(one) ? 'x'.repeat(one.length) : one))
        .join(FIELD_END),
  ],
  ['problems that are none', (head: object) => head, forgeLast('7')],
  ['problems of nothing', (head: object) => head, forgeLast('[null]')],
  ['problems that cannot be read', (head: object) => head, forgeLast('[')],
])('a file of rows with a right sum and %s stops nobody', async (_, head, body) => {
  await settle();
  const wanted = listTasks(open({ rows: false }));
  forge(body, head);
  expect(listTasks(open())).toEqual(wanted);
});

test('nothing is written through a link that has the name of the cache', async () => {
  fs.mkdirSync(at('elsewhere'));
  fs.symlinkSync('../elsewhere', at('.contracts/cache'));
  await settle();
  expect(fs.readdirSync(at('elsewhere'))).toEqual([]);
  fs.rmSync(at('.contracts/cache'));
});

/** One draft, read and looked at through a cache of its own; whether it is known to the next. */
function isKept(ask: (ws: Workspace) => unknown, wait: object = {}, more: object = {}): boolean {
  fs.rmSync(at('.contracts/cache'), { recursive: true, force: true });
  const ws = open();
  const cache = new RowCache(ws, 'rows');
  const task = cache.read('plan', 'draft', (through) => readTask(through, 'draft', 'plan'))!;
  cache.look(
    task,
    () => undefined,
    (through) => {
      ask(through);
      const glance = lookNow(through, NO_BOARD, task);
      return { ...glance, ...more, action: { ...glance.action, ...wait } as typeof glance.action };
    },
  );
  cache.save([task]);
  return new RowCache(ws, 'rows').known('plan', 'draft') !== undefined;
}

const BEYOND: Readonly<Record<string, (ws: Workspace) => unknown>> = {
  'whether a process lives': ({ machine }) => machine.judge(machine.self()),
  'how old a process is': ({ machine }) => machine.ageSeconds(machine.self()),
  'which process that is': ({ machine }) => machine.identify(process.pid),
  'the environment': ({ env }) => env,
  'the clock': (ws) => ws.timed?.(),
  git: ({ git, layout }) => orNothing(() => git(['--version'] as never, layout.root as never)),
  'for a change': ({ disk }) => disk.mkdir(at(`active_tasks/draft/plan/made-${Math.random()}`)),
};

test.each(Object.entries(BEYOND))('a look that asked %s is not kept', (_, ask) => {
  expect(isKept(() => undefined)).toBe(true);
  expect(isKept(ask)).toBe(false);
});

test('a look that asked what is behind a link is not kept', () => {
  fs.symlinkSync(root, at('active_tasks/draft/plan/notes'));
  expect(isKept(({ disk }) => disk.stat(at('active_tasks/draft/plan/notes')))).toBe(true);
  expect(isKept(({ disk }) => disk.stat(at('active_tasks/draft/plan/notes/odd.md')))).toBe(false);
});

test('nor is a wait that ends at a time, one in two states, or one with words of its reviews', () => {
  expect(isKept(() => undefined, { until: '2026-11-26T12:00:00.000Z' })).toBe(false);
  expect(isKept(() => undefined, { code: 'two_states' })).toBe(false);
  expect(isKept(() => undefined, {}, { besides: '; noticed 1 change' })).toBe(false);
});

test('other settings of the person, as another client, have other rows', () => {
  const ws = open();
  listTasks(ws);
  expect(new RowCache(ws, 'rows').file).toBeDefined();
  expect(new RowCache({ ...ws, person: { client: 'codex' } }, 'rows').file).toBeUndefined();
});

test('another user has other rows, as far as MOCKED ids tell; and so has another who called sudo', () => {
  const ws = open();
  listTasks(ws);
  expect(
    new RowCache({ ...ws, env: { ...ws.env, SUDO_UID: '4242' } }, 'rows').file,
  ).toBeUndefined();
  const user = vi.spyOn(process, 'getuid').mockReturnValue(4242);
  onTestFinished(() => user.mockRestore());
  expect(new RowCache(ws, 'rows').file).toBeUndefined();
});

test('a folder of agents that cannot be looked at is a fault of whoever asks, with rows and without', async () => {
  write('.claude/agents/novel.md', AGENT);
  write('active_tasks/ready/build/contract.md', contract('agent: novel\n'));
  await settle({});
  const disk: Disk = {
    ...unsyncedDisk,
    stat: (path) => {
      if (path.includes('/.claude/')) throw Object.assign(new Error(path), { code: 'EACCES' });
      return unsyncedDisk.stat(path);
    },
  };
  const look = (rows: boolean) => step(open({ rows, disk }), { dry_run: true });
  expect((await look(true)).events).toEqual((await look(false)).events);
});

test('a file deep in a task that comes, changes or goes is seen', () => {
  const folder = at('active_tasks/draft/plan/a/b');
  fs.mkdirSync(folder, { recursive: true });
  const isSeen = (change: () => void): boolean => {
    const asks = (ws: Workspace) => ws.disk.stat(`${folder}/c.md`);
    nextTick();
    expect(isKept(asks)).toBe(true);
    nextTick();
    change();
    return new RowCache(open(), 'rows').known('plan', 'draft') === undefined;
  };
  expect(isSeen(() => fs.writeFileSync(`${folder}/c.md`, 'one'))).toBe(true);
  expect(isSeen(() => fs.writeFileSync(`${folder}/c.md`, 'two'))).toBe(true);
  expect(isSeen(() => fs.rmSync(`${folder}/c.md`))).toBe(true);
});

test('who is in the hands of a person keeps others waiting, at each look', async () => {
  inHands('first', 'deliverables: [out.txt]\n');
  write(
    'active_tasks/ready/late/contract.md',
    contract('adapter: human\ndeliverables: [out.txt]\n'),
  );
  const reason = (ws: Workspace) => listTasks(ws).tasks.find(({ id }) => id === 'late')?.reason;
  expect(reason(open())).toContain('first');
  expect(await readBy(listTasks)).toEqual(['first', 'late']);
  expect(reason(open())).toContain('first');
});

test('a lease that a dead runner left is given back by the step after a list', async () => {
  called({ outcome: 'blocked', reason: 'it is stuck' });
  write('active_tasks/blocked/stuck/attempts/0001/lease.md', '');
  listTasks(open());
  listTasks(open());
  await step(open());
  expect(fs.existsSync(at('active_tasks/blocked/stuck/attempts/0001/lease.md'))).toBe(false);
});

test('a pause that comes from a task that is known holds back who is looked at anew', () => {
  called(AWAY);
  listTasks(open());
  write('active_tasks/ready/late/contract.md', hosted());
  const wanted = listTasks(open({ rows: false }));
  const late = wanted.tasks.find(({ id }) => id === 'late');
  expect(late?.reason).toContain('the model is away');
  expect(listTasks(open())).toEqual(wanted);
});

test('words that are not read are told by each step', async () => {
  const form = `${BLOCKED}\n<!-- go on with the other one -->\n`;
  write('active_tasks/blocked/stuck/blocked.md', form);
  const told = ({ events }: StepReport) => events.filter(({ event }) => event === 'problem');
  const first = told(await settle());
  expect(first).toHaveLength(1);
  expect(told(await step(open()))).toEqual(first);
});

test('an awaited task that is archived is asked about by those who wait for it alone', async () => {
  write('active_tasks/ready/last/contract.md', contract('depends_on: [absent]\n'));
  await settle();
  nextTick();
  write('.contracts/archive/absent/contract.md', contract());
  expect((await readBy(listTasks)).filter((id) => id.startsWith('d-'))).toEqual([]);
  expect(listTasks(open())).toEqual(listTasks(open({ rows: false })));
});

test('of named tasks a step says the same, and keeps of the others only what is asked of all', () => {
  write('.contracts/config.yaml', 'adapter: shell\n');
  const ws = open({ rows: false });
  const whole = listTasks(ws).tasks;
  for (const id of ACTORS) {
    const ids = new Set([id]);
    expect(listTasks(ws, { ids }).tasks).toEqual(whole.filter((one) => one.id === id));
  }
  const { tasks, cycles } = readBoard(ws, { quick: 'rows', only: new Set(['build']) });
  expect(cycles).toEqual(readBoard(ws).cycles);
  const [named, other] = [tasks.get('build'), tasks.get('late')];
  if (named === undefined || other === undefined) throw new Error('both are ready');
  expect([named, other].map(isKnownAtRest)).toEqual([false, true]);
  seen.clear();
  expect([parentOf(other), awaitedOf(other), other.attempts]).toEqual(['plan', 'build', []]);
  expect([...seen]).toEqual([]);
  expect(other.contract.ok && other.contract.value.title).toBe('A task');
  expect([...seen]).toEqual(['late']);
});
