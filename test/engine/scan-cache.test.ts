/**
 * Certificates: a step or a list that is not taken says what one that is taken would say, whatever was
 * done to the tree meanwhile; and none is kept of a look that asked or did more than look at files.
 */
import { CAPABILITIES } from '../../src/capabilities.ts';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { STATES } from '../../src/task/core/model/state.ts';
import { CERTIFIED_FILES_MIN } from '../../src/engine/cache/scan-cache.ts';
import { newInFlight } from '../../src/engine/step/in-flight.ts';
import { step, type StepReport } from '../../src/engine/step/cached-step.ts';
import { listTasks } from '../../src/engine/queries/list.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { unsyncedDisk } from '../support/faulty-disk.ts';

/** Each is asked for its contract and its attempts. */
const DRAFTS = CERTIFIED_FILES_MIN / 2;
const RUNS = Number(process.env['CERTIFICATE_RUNS'] ?? 60);
const ACTORS = ['plan', 'build', 'asks', 'stuck', 'late'] as const;

let root: string;
const at = (path: string): string => join(root, path);
const write = (path: string, text: string): void => {
  fs.mkdirSync(dirname(at(path)), { recursive: true });
  fs.writeFileSync(at(path), text);
};
const contract = (more = ''): string =>
  `---\ntitle: A task\n${more}---\n\n## Success Criteria\n\n- [ ] it is there\n`;
const QUESTIONS = '# Questions\n\n## Questions\n\n1. Which one?\n\n### Answer\n';
const BLOCKED = '# Blocked\n\n## Problem\n\nIt is stuck.\n\n## Resolution\n';

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'contracts-certificate-'));
  fs.mkdirSync(at('.contracts'));
  for (const state of STATES) fs.mkdirSync(at(`active_tasks/${state}`), { recursive: true });
  for (let n = 0; n < DRAFTS; n++) write(`active_tasks/draft/d-${n}/contract.md`, contract());
  reset();
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

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
  write('active_tasks/ready/late/contract.md', contract('parent: plan\ndepends_on: [build]\n'));
  write('active_tasks/done/ended/contract.md', contract());
}

/** `later`: as if the look came a minute after the last change, so that all files are settled. */
function open({ later = true, disk = unsyncedDisk, host = '' } = {}): Workspace {
  const opened = openWorkspace({
    capabilities: CAPABILITIES,
    dir: root,
    ports: { disk },
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
const certificate = (look = 'step'): string => at(`.contracts/cache/${look}.certificate`);

/** Steps until there is nothing to do; the last of these left a certificate, where there can be one. */
async function settle(options = {}): Promise<StepReport> {
  for (;;) {
    const report = await step(open(options));
    if (!report.progressed) return report;
    nextTick();
  }
}

test('the second step is not taken, and says the same; nor is the second list', async () => {
  const first = await settle();
  const again = await step(open());
  expect([first.quiet, again.quiet]).toEqual([undefined, true]);
  expect(again.events).toEqual(first.events);
  expect(first.events.length).toBeGreaterThan(DRAFTS);
  const asked: string[] = [];
  const taken = listTasks(open());
  const disk: Disk = {
    ...unsyncedDisk,
    read: (path, ...rest) => {
      asked.push(path);
      return unsyncedDisk.read(path, ...rest);
    },
  };
  expect(listTasks(open({ disk }))).toEqual(taken);
  expect(asked).toEqual([certificate('list')]);
});

test('a plan that is paused, resumed or edited is looked at, and its tasks are', async () => {
  const task = 'launch_draft_yuxk';
  const file = '.contracts/plans/launch/plan.md';
  const box = (): string => /\[.\]/.exec(fs.readFileSync(at(file), 'utf8'))?.[0] ?? '';
  write(`active_tasks/ready/${task}/contract.md`, contract('plan: launch\nadapter: human\n'));
  write('.contracts/plans/launch/PAUSED', '');
  const reasons = ({ events }: StepReport) =>
    events.flatMap((one) => (one.event === 'waits' && one.task === task ? [one.reason] : []));
  expect(reasons(await settle())).toEqual(['plan launch is paused']);
  expect((await step(open())).quiet).toBe(true);
  write(file, '- [x] Draft it (id: draft)\n');
  const told = await step(open());
  expect([told.quiet, box()]).toEqual([undefined, '[ ]']);
  expect(told.events.filter(({ event }) => event === 'box')).toHaveLength(1);
  await settle();
  expect((await step(open())).quiet).toBe(true);
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
  const again = await step(open(), { emit: (event) => heard.push(event) });
  expect(again.quiet).toBe(true);
  expect(heard).toEqual(first.events);
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

test(`after any ${RUNS} walks of a person's hand a step says what a look says, and so does list`, async () => {
  let quiet = 0;
  const hand = fc.tuple(fc.constantFrom(...Object.keys(HANDS)), fc.constantFrom(...ACTORS));
  const walk = fc.array(fc.array(hand, { maxLength: 2 }), { minLength: 3, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(walk, async (rounds) => {
      reset();
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
        const planned = await step(open(), { dry_run: true });
        const seen = listTasks(open(), { text: '' });
        expect(listTasks(open())).toEqual(seen);
        const taken = await step(open());
        if (taken.quiet === true) quiet++;
        const acts = planned.plan.some(({ action }) => action.kind !== 'wait');
        if (acts) expect(taken.quiet).toBeUndefined();
        else expect(waits(taken)).toEqual(waits(planned));
      }
    }),
    { numRuns: RUNS },
  );
  expect(quiet).toBeGreaterThan(0);
}, 600_000);

test('changed settings, a removed cache: the step is taken', async () => {
  await settle();
  write('.contracts/config.yaml', 'parallel: 3\n');
  expect((await step(open())).quiet).toBeUndefined();
  expect((await step(open())).quiet).toBe(true);
  fs.rmSync(at('.contracts/cache'), { recursive: true });
  expect((await step(open())).quiet).toBeUndefined();
});

test('who narrows the step, or declares a host dead, has it taken', async () => {
  await settle();
  expect((await step(open(), { only: new Set(['plan']) })).quiet).toBeUndefined();
  expect((await step(open(), { except: new Set(['plan']) })).quiet).toBeUndefined();
  expect((await step(open(), { except: new Set() })).quiet).toBe(true);
  expect((await step(open(), { dry_run: true })).quiet).toBeUndefined();
  expect((await step(open({ host: 'old-laptop' }))).quiet).toBeUndefined();
});

test('one that begins while others of its process go on is taken, and leaves none', async () => {
  await settle();
  const in_flight = newInFlight();
  in_flight.busy.add('plan');
  expect((await step(open(), { in_flight })).quiet).toBeUndefined();
  fs.rmSync(certificate());
  await step(open(), { in_flight });
  expect(fs.existsSync(certificate())).toBe(false);
  in_flight.busy.clear();
  await step(open(), { in_flight });
  expect(fs.existsSync(certificate())).toBe(true);
});

test('what was written within two seconds before the look may change once more unseen: none is kept', async () => {
  await settle();
  fs.rmSync(at('.contracts/cache'), { recursive: true });
  nextTick();
  write('active_tasks/draft/plan/contract.md', contract('priority: low\n'));
  await step(open({ later: false }));
  expect(fs.existsSync(certificate())).toBe(false);
  await step(open());
  expect(fs.existsSync(certificate())).toBe(true);
});

test('a look that asked what is installed leaves none: that is nowhere in the tree', async () => {
  const adapters = 'adapters: { odd: { type: command, run: [no-such-program] } }';
  write('.contracts/config.yaml', `${adapters}\nagents: { builder: { adapter: odd } }\n`);
  write('active_tasks/ready/alone/contract.md', contract());
  const report = await settle();
  const reason = expect.stringContaining('no-such-program') as string;
  expect(waits(report)).toContainEqual(expect.objectContaining({ task: 'alone', reason }));
  expect(fs.existsSync(certificate())).toBe(false);
});

test('a look that asked which processes live leaves none', async () => {
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
  expect(fs.existsSync(certificate())).toBe(false);
});

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
  ['empty', () => Buffer.alloc(0)],
  ['without its first line', (bytes: Buffer) => bytes.subarray(bytes.indexOf('\n') + 1)],
  [
    'of another format',
    (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace(/"v":\d+/, '"v":0'), 'latin1'),
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
])('a certificate that is %s is none', async (_, tear) => {
  const first = await settle();
  fs.writeFileSync(certificate(), tear(fs.readFileSync(certificate())));
  const again = await step(open());
  expect(again.quiet).toBeUndefined();
  expect(again.events).toEqual(first.events);
});

test('one whose rows cannot be read stops nobody', async () => {
  const first = await settle();
  const listing = listTasks(open());
  for (const look of ['step', 'list']) {
    const bytes = fs.readFileSync(certificate(look)).toString('latin1');
    const last = bytes.lastIndexOf('"]]\n');
    fs.writeFileSync(certificate(look), `${bytes.slice(0, last)}"}]\n`, 'latin1');
  }
  expect(listTasks(open())).toEqual(listing);
  const again = await step(open());
  expect(again.quiet).toBeUndefined();
  expect(again.events).toEqual(first.events);
});

test('a cache that cannot be written costs time only', async () => {
  fs.writeFileSync(at('.contracts/cache'), 'a file');
  const first = await settle();
  expect((await step(open())).events).toEqual(first.events);
});

test('a small tree leaves none', async () => {
  fs.rmSync(at('active_tasks/draft'), { recursive: true });
  fs.mkdirSync(at('active_tasks/draft'));
  await settle();
  expect(fs.existsSync(certificate())).toBe(false);
});
