/**
 * The cache of contract heads: a large tree that is read with it says the same as one that is read
 * without, whatever was done to its contracts meanwhile; one that is torn or forged in form is as none.
 */
import { CAPABILITIES } from '../../src/capabilities.ts';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CACHED_TASKS_MIN } from '../../src/workspace/tasks/contract-cache.ts';
import { listTasks } from '../../src/engine/queries/list.ts';
import { step } from '../../src/engine/step/cached-step.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';

let root: string;
let read: string[];
const cache = (): string => join(root, '.contracts/cache/contracts.json');
const contractOf = (n: number): string => join(root, `active_tasks/ready/t-${n}/contract.md`);
const text = (title: string, more = ''): string =>
  `---\ntitle: ${title}\ndepends_on: [held]\n${more}---\n\n## Success Criteria\n\n- [ ] it is there\n`;

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'contracts-cache-'));
  read = [];
  fs.mkdirSync(join(root, '.contracts'));
  fs.mkdirSync(join(root, 'active_tasks/draft/held'), { recursive: true });
  fs.writeFileSync(
    join(root, 'active_tasks/draft/held/contract.md'),
    text('Held').replace('held', 'x'),
  );
  for (let n = 0; n < CACHED_TASKS_MIN; n++) {
    fs.mkdirSync(join(root, `active_tasks/ready/t-${n}`), { recursive: true });
    fs.writeFileSync(contractOf(n), text(`Task ${n}`));
  }
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

/** `later`: as if the look came a minute after the last change, so that all files are settled. */
function open(later = true): Workspace {
  const disk: Disk = {
    ...realDisk,
    read: (path, bytes_max, options) => {
      if (path.endsWith('/contract.md')) read.push(path);
      return realDisk.read(path, bytes_max, options);
    },
  };
  const opened = openWorkspace({ capabilities: CAPABILITIES, dir: root, ports: { disk } });
  if (!opened.ok) throw new Error('no workspace');
  const { machine } = opened.value;
  const now = (): Date => new Date(Date.now() + (later ? 60_000 : 0));
  return { ...opened.value, machine: { ...machine, now } };
}

/** By a look that is taken: a certificate of the one before would answer without the cache. */
function listed(ws: Workspace) {
  fs.rmSync(join(root, '.contracts/cache/list.certificate'), { force: true });
  read = [];
  // What is searched for is looked at anew: no certificate is taken or left.
  return listTasks(ws, { text: '' }).tasks.map(({ id, title, reason, priority, tags }) => {
    return { id, title, reason, priority, tags };
  });
}

test('the second look reads no contract, and says the same', () => {
  const first = listed(open());
  expect(read).toHaveLength(CACHED_TASKS_MIN + 1);
  expect(listed(open())).toEqual(first);
  expect(read).toEqual([]);
  expect(fs.readFileSync(join(root, '.contracts/cache/.gitignore'), 'utf8')).toBe('*\n');
});

test('what was written within the last two seconds is not kept', () => {
  listed(open(false));
  expect(fs.existsSync(cache())).toBe(false);
  expect(listed(open(false))).toHaveLength(CACHED_TASKS_MIN + 1);
  expect(read).toHaveLength(CACHED_TASKS_MIN + 1);
});

test('a contract of the same size and time is read anew: its change time tells', async () => {
  const old = new Date('2026-01-01T00:00:00Z');
  fs.utimesSync(contractOf(7), old, old);
  listed(open());
  await sleep(20);
  fs.writeFileSync(contractOf(7), text('Other7'));
  fs.utimesSync(contractOf(7), old, old);
  expect(listed(open()).find(({ id }) => id === 't-7')?.title).toBe('Other7');
  expect(read).toEqual([contractOf(7)]);
});

test.each([
  ['torn', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['changed', (bytes: Buffer) => Buffer.from(bytes.toString().replace('Task 3"', 'Evil "'))],
  ['empty', () => Buffer.alloc(0)],
  [
    'of another format',
    (bytes: Buffer) => Buffer.from(bytes.toString().replace(/"v":\d+/, '"v":0')),
  ],
  ['no JSON', () => Buffer.from('{"v":1\n[')],
])('a cache that is %s is as none', (_, harm) => {
  const first = listed(open());
  fs.writeFileSync(cache(), harm(fs.readFileSync(cache())));
  expect(listed(open())).toEqual(first);
  expect(read).toHaveLength(CACHED_TASKS_MIN + 1);
});

test('a tree that cannot be written is read as it is', () => {
  const ws = open();
  const disk: Disk = {
    ...ws.disk,
    mkdir: () => {
      throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
    },
  };
  expect(listed({ ...ws, disk })).toHaveLength(CACHED_TASKS_MIN + 1);
  expect(fs.existsSync(cache())).toBe(false);
});

test('whatever is done to contracts, a look with the cache says what one without says', () => {
  const change = fc.record({
    n: fc.nat(CACHED_TASKS_MIN - 1),
    how: fc.constantFrom('write', 'replace', 'remove', 'break', 'warn', 'link', 'depend'),
  });
  listed(open());
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
      for (const { n, how } of changes) alter(n, how);
      const quick = listed(open());
      fs.rmSync(cache());
      expect(quick).toEqual(listed(open()));
    }),
    { numRuns: 15 },
  );
});

function alter(n: number, how: string): void {
  const path = contractOf(n);
  fs.rmSync(path, { force: true });
  if (how === 'write') fs.writeFileSync(path, text(`New ${n}`));
  if (how === 'break') fs.writeFileSync(path, text('Broken', 'priority: never\n'));
  if (how === 'warn') fs.writeFileSync(path, text('Warned', 'unknown_key: 1\n'));
  if (how === 'link') fs.symlinkSync('/etc/hostname', path);
  if (how === 'depend') fs.writeFileSync(path, text('Free').replace('held', `t-${(n + 1) % 100}`));
  if (how !== 'replace') return;
  fs.writeFileSync(`${path}.new`, text(`Put ${n}`));
  fs.renameSync(`${path}.new`, path);
}

/** The cache as it would be if one task asked for nothing: its sum is right, its rows are wrong. */
function forgeFree(id: string): void {
  const [head = '', rows = ''] = fs.readFileSync(cache(), 'utf8').split('\n');
  const forged = (JSON.parse(rows) as [string, ...unknown[]][]).map((row) => {
    if (row[0] !== id) return row;
    const { depends_on: _, ...given } = row[5] as { depends_on?: unknown };
    return row.with(5, given);
  });
  const text = JSON.stringify(forged);
  const { v } = JSON.parse(head) as { v: number };
  fs.writeFileSync(cache(), `${JSON.stringify({ v, sum: sha256(text) })}\n${text}`);
}

test('who acts is read anew: a cache that says it is free is not believed', async () => {
  const steps = ['## Steps', '```sh', 'true', '```', ''].join('\n\n');
  fs.writeFileSync(contractOf(5), `${text('Five')}\n${steps}`);
  listed(open());
  forgeFree('t-5');
  const planned = await step(open(), { only: new Set(['t-5']), dry_run: true });
  expect(planned.plan.map(({ action }) => action.kind)).toEqual(['claim']);
  const { events } = await step(open(), { only: new Set(['t-5']) });
  expect(events.map((event) => 'task' in event && [event.event, event.task])).toEqual([
    ['waits', 't-5'],
  ]);
  expect(events[0]).toMatchObject({ reason: expect.stringContaining('held') as unknown });
  expect(fs.readdirSync(join(root, 'active_tasks/ready/t-5'))).toEqual(['contract.md']);
});
