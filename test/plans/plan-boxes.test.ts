/**
 * Boxes of plans and folders of tasks: after a step they never disagree, whatever people moved and
 * ticked before it, and nothing else of the plan is touched. Held against an oracle written by hand.
 */
import * as fs from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { planTaskId } from './support/plan-ids.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { isOneAtATime } from '../../src/plans/engine/follow/plan-facts.ts';
import { step, WHOLE_STEP } from '../../src/engine/step/step.ts';
import { moveByVerb } from '../../src/engine/commands/moves.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { parsePlan } from '../../src/plans/text/plan.ts';
import { boxesWorld, FILE, PLAN, type BoxesWorld } from './support/boxes-world.ts';
import { unsyncedDisk } from '../support/faulty-disk.ts';
import * as fc from '../support/property.ts';

/** In the order of the file; a group by those below it, a criterion by its item. */
const BOXES = [
  'page',
  'draft',
  'draft!',
  'draft!!',
  'check',
  'ship',
  'ask',
  'deep',
  'sell',
  'price',
  'own',
] as const;
const FENCED = 10;
type Key = (typeof BOXES)[number];
const KEYS = ['draft', 'check', 'checked', 'ship', 'ship+@b', 'deep', 'sell', 'sell+@b'];
KEYS.push('price', 'price+@b');

/** As the file says by now: people rename items, and say who does them. */
function tasksOf(key: Key): readonly string[] {
  const parted = text().includes('ship, executors: @a @b') ? ['ship', 'ship+@b'] : ['ship'];
  const tasks: Partial<Record<Key, readonly string[]>> = {
    draft: ['draft'],
    check: text().includes('(id: checked)') ? ['checked'] : ['check'],
    ship: parted,
    deep: ['deep'],
    sell: ['sell', 'sell+@b'],
    price: ['price', 'price+@b'],
  };
  return tasks[key] ?? [];
}

let world: BoxesWorld;
beforeEach(() => void (world = boxesWorld()));
const at = (path: string): string => world.at(path);
const stateOf = (key: string): string | undefined => world.stateOf(key) ?? world.archivedAs(key);
const text = (): string => fs.readFileSync(at(FILE), 'utf8');
const open = (disk?: Disk): Workspace => world.open(disk);

const BOX = /\[(.)\](?= )/g;
/** Those of the file that are boxes. */
const marks = (): string[] =>
  [...text().matchAll(BOX)].map(([, one = '']) => one).filter((_, i) => i !== FENCED);

const AT_WORK = new Set<string | undefined>(['in_progress', 'review', 'questions']);

const ENDS: Readonly<Record<string, string>> = {
  archived_done: 'done',
  archived_aborted: 'aborted',
};

/** What a box is to say; undefined: whatever it said before. */
function wanted(key: Key): string | undefined {
  const states = tasksOf(key).map((one) => ENDS[stateOf(one) ?? ''] ?? stateOf(one));
  if (states.every((one) => one === undefined) || states.includes('archived')) return undefined;
  if (states.every((one) => one === 'done')) return 'x';
  if (states.some((one) => AT_WORK.has(one))) return '~';
  if (states.includes('aborted')) return '-';
  return states.includes('done') ? '~' : ' ';
}

function groupWanted(below: readonly Key[], said: (key: Key) => string): string | undefined {
  if (below.every((key) => wanted(key) === undefined)) return undefined;
  const all = below.map((key) => wanted(key) ?? said(key).toLowerCase());
  if (all.every((one) => one === '-')) return '-';
  if (all.every((one) => one === 'x' || one === '-')) return 'x';
  return all.some((one) => one === 'x' || one === '~') ? '~' : ' ';
}

function expectedMarks(before: readonly string[]): string[] {
  const said = (key: Key): string => before[BOXES.indexOf(key)] ?? '';
  const met = wanted('draft') && (wanted('draft') === 'x' ? 'x' : ' ');
  const others: Partial<Record<Key, string | undefined>> = {
    page: groupWanted(['draft', 'check'], said),
    ask: groupWanted(['deep'], said),
    'draft!': met,
    'draft!!': met,
    own: undefined,
  };
  return BOXES.map((key) => (key in others ? others[key] : wanted(key)) ?? said(key));
}

type Deed =
  | { readonly make: string; readonly in: string }
  | { readonly move: string; readonly to: string }
  | { readonly box: number; readonly mark: string }
  | { readonly archive: string; readonly by_hand: boolean }
  | { readonly forget: string }
  | { readonly say: readonly [string, string] }
  | { readonly verb: 'abort' | 'reopen' | 'retry'; readonly of: string }
  | { readonly step: true };

/** What people make of the plan's words meanwhile, to and fro. */
const SAID: readonly (readonly [string, string])[] = [
  ['(id: check)', '(id: checked)'],
  ['ship, executors: @a @b', 'ship, executor: @a'],
];

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ make: fc.constantFrom(...KEYS), in: fc.constantFrom('draft', 'ready', 'done') }),
  fc.record({ move: fc.constantFrom(...KEYS), to: fc.constantFrom(...STATES) }),
  fc.record({ box: fc.nat(BOXES.length - 1), mark: fc.constantFrom(' ', 'x', 'X', '~', '-') }),
  fc.record({ archive: fc.constantFrom(...KEYS), by_hand: fc.boolean() }),
  fc.record({ forget: fc.constantFrom(...KEYS) }),
  fc.record({ say: fc.constantFrom(...SAID) }),
  fc.record({
    verb: fc.constantFrom('abort', 'reopen', 'retry'),
    of: fc.constantFrom(...KEYS),
  }),
  fc.constant({ step: true as const }),
);

function mark(box: number, to: string): void {
  let n = -1;
  const file = box >= FENCED ? box + 1 : box;
  const marked = text().replace(BOX, (whole) => (++n === file ? `[${to}]` : whole));
  fs.writeFileSync(at(FILE), marked);
}

function say([one, other]: readonly [string, string]): void {
  const said = text();
  const changed = said.includes(other) ? said.replace(other, one) : said.replace(one, other);
  fs.writeFileSync(at(FILE), changed);
}

async function act(deed: Deed): Promise<void> {
  if ('step' in deed) await step(open());
  else if ('make' in deed) world.make(deed.make, deed.in);
  else if ('box' in deed) mark(deed.box, deed.mark);
  else if ('archive' in deed) world.archive(deed.archive, deed.by_hand);
  else if ('forget' in deed) world.forget(deed.forget);
  else if ('say' in deed) say(deed.say);
  else if ('verb' in deed) moveByVerb(open(), deed.verb, planTaskId('launch', deed.of, sha256));
  else world.move(deed.move, deed.to);
}

test('the plan is read as the oracle reads it', () => {
  const read = parsePlan(PLAN, FILE);
  expect(read.ok && read.value.items.map(({ key, kind }) => [key, kind])).toEqual([
    ['page', 'group'],
    ['draft', 'task'],
    ['check', 'task'],
    ['ship', 'task'],
    ['ask', 'group'],
    ['deep', 'task'],
    ['sell', 'task'],
    ['price', 'task'],
  ]);
  expect(read.ok && read.value.boxes.length).toBe(BOXES.length);
});

test('after a step boxes and folders never disagree, and nothing else is changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDeed, { maxLength: 14 }), async (deeds) => {
      world.begin();
      for (const deed of deeds) await act(deed);
      const before = marks();
      const words = text().replace(BOX, '[ ]');
      const report = await step(open());
      expect(report.faulted).toEqual(new Set());
      const meant = expectedMarks(before).map((one) => (one === 'X' ? 'x' : one));
      expect(marks().map((one) => (one === 'X' ? 'x' : one))).toEqual(meant);
      expect(text().replace(BOX, '[ ]')).toBe(words);
      const again = await step(open());
      expect(again.events.filter(({ event }) => event === 'box')).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('who saves the plan while a step ticks it loses nothing; the next step ticks', async () => {
  world.make('draft', 'done');
  let saved = false;
  const disk: Disk = {
    ...unsyncedDisk,
    read: (path, ...rest) => {
      const bytes = unsyncedDisk.read(path, ...rest);
      if (path === at(FILE) && !saved) {
        saved = true;
        fs.appendFileSync(at(FILE), '- [ ] One more (id: more)\n');
      }
      return bytes;
    },
  };
  await step(open(disk));
  expect(text()).toBe(`${PLAN}- [ ] One more (id: more)\n`);
  await step(open());
  expect(text()).toContain('- [ ] One more (id: more)\n');
  expect(marks().slice(0, 4)).toEqual(['~', 'x', 'x', 'x']);
});

test('neither done nor aborted is listed for it, and a tree without plans is not asked for one', async () => {
  world.make('draft', 'done');
  const listed: string[] = [];
  const read: string[] = [];
  const disk: Disk = {
    ...unsyncedDisk,
    list: (folder) => {
      listed.push(folder);
      return unsyncedDisk.list(folder);
    },
    names: (folder) => {
      listed.push(folder);
      return unsyncedDisk.names(folder);
    },
    read: (path, ...rest) => {
      read.push(path);
      return unsyncedDisk.read(path, ...rest);
    },
  };
  await step(open(disk));
  expect(marks()[1]).toBe('x');
  for (const state of ['done', 'aborted'])
    expect(listed).not.toContain(at(`active_tasks/${state}`));
  fs.rmSync(at('.contracts/plans'), { recursive: true });
  for (const seen of [listed, read]) seen.splice(0);
  await step(open(disk));
  expect([...listed, ...read].filter((path) => path.includes('plans'))).toEqual([]);
});

test('a box that the disk does not take is a fault of the step', async () => {
  world.make('draft', 'done');
  const full: Disk = {
    ...unsyncedDisk,
    rename: (from, to) => {
      if (to === at(FILE)) throw Object.assign(new Error('ENOSPC: full'), { code: 'ENOSPC' });
      unsyncedDisk.rename(from, to);
    },
  };
  const { events, faulted } = await step(open(full));
  expect(events.filter(({ event }) => event === 'fault')).toHaveLength(1);
  expect(faulted).toEqual(new Set([WHOLE_STEP]));
});

test('a plan that leads elsewhere, or cannot be read, is left as it is', async () => {
  world.make('draft', 'done');
  fs.renameSync(at(FILE), at('elsewhere.md'));
  fs.symlinkSync('../../../elsewhere.md', at(FILE));
  await step(open());
  expect(fs.readFileSync(at('elsewhere.md'), 'utf8')).toBe(PLAN);
  fs.rmSync(at(FILE));
  fs.writeFileSync(at(FILE), Buffer.from([0xff, 0xfe, 0x5b, 0x00]));
  world.make('check', 'blocked');
  const { events, faulted } = await step(open());
  expect(faulted).toEqual(new Set());
  expect(events.filter(({ event }) => event === 'problem')).toHaveLength(1);
});

test.each([
  '# P\n\nOne at a time: yes\n\n- [ ] a\n',
  '# P\n\n**One at a time**: yes\n\n- [ ] a\n',
  '# P\n\n**One at a time:** Yes.\n\n- [ ] a\n',
  '# P\n\n- One at a time: true\n- [ ] a\n',
  '# P\n\nOne at a time: no\n\n- [ ] a\n',
  '---\none_at_a_time: true\n---\n\n- [ ] a\n',
  '---\none_at_a_time: false\n---\n\nOne at a time: yes\n\n- [ ] a\n',
  '# P\n\n<!-- One at a time: yes -->\n\n- [ ] a\n',
  '# P\n\n```\nOne at a time: yes\n```\n\n- [ ] a\n',
  '# P\n\n- [ ] a\n  One at a time: yes\n',
  '# P\n\nWe go one at a time: it is better.\n\n- [ ] a\n',
  '# P\n\n- [ ] One at a time: yes\n',
])('one at a time is read as the whole plan reads it: %j', (plan) => {
  world.write(FILE, plan);
  const read = parsePlan(plan, FILE);
  expect(isOneAtATime(open(), 'launch')).toBe(read.ok && read.value.one_at_a_time === true);
});

test('a task that another runner moved since the step looked is where it stands now, and nobody is blamed', async () => {
  world.make('deep', 'review');
  let others = (): void => {
    world.move('deep', 'done');
    world.write(FILE, text().replace('- [ ] Deep', '- [x] Deep'));
  };
  const disk: Disk = {
    ...unsyncedDisk,
    read: (path, ...how) => {
      if (path.endsWith(FILE)) {
        others();
        others = () => undefined;
      }
      return unsyncedDisk.read(path, ...how);
    },
  };
  const { events } = await step(open(disk));
  expect(events.filter(({ event }) => event === 'box')).toEqual([]);
  expect(text()).toContain('- [x] Deep');
});
