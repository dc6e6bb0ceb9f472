/**
 * archive: which tasks go, what they count as afterwards, and what a death or a power cut at each
 * disk operation leaves: the task is in exactly one of the two places, whole, and nobody who
 * depends on it notices. The clock of the machine is MOCK; the disk is real, and dies where it is told.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readBoard } from '../../src/engine/board/board.ts';
import { dependency } from '../../src/engine/board/dependency.ts';
import { archiveTasks, type ArchiveOptions } from '../../src/engine/commands/archive.ts';
import { moveByVerb } from '../../src/engine/commands/moves.ts';
import { step } from '../../src/engine/step/step.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { CHANGES, Died, faultyDisk, unsyncedDisk } from '../support/faulty-disk.ts';
import { PowerCutDisk } from '../support/power-cut-disk.ts';
import { makeWorld, type World } from '../support/world.ts';

const DAY = 86_400_000;
const contract = (head = ''): string =>
  `---\ntitle: T\nverify: ["run: true"]\n${head}---\n\n## Success Criteria\n\n- [ ] \`true\` passes\n\n## Steps\n\n\`\`\`sh\ntrue\n\`\`\`\n`;

let world: World;
beforeEach(() => void (world = makeWorld()));

const path = (...parts: string[]): string => join(world.root, ...parts);
const there = (where: string): string[] =>
  fs.existsSync(path(where))
    ? fs.readdirSync(path(where)).filter((name) => !name.startsWith('.'))
    : [];

/** A new process; its MOCK clock says that this many days have gone since now. */
function open(days = 0, disk = unsyncedDisk): Workspace {
  const { ws } = world.process({ disk });
  const now = new Date(Date.now() + days * DAY);
  return { ...ws, machine: { ...ws.machine, now: () => now } };
}

/** In done or aborted by a person's own mv: nothing but the folder says so. */
function byHand(id: string, state = 'done', head = ''): void {
  world.write(`active_tasks/${state}/${id}/contract.md`, contract(head));
}

const archive = (ws: Workspace, options: Partial<ArchiveOptions> = {}) =>
  archiveTasks(ws, { older_than_ms: 30 * DAY, ...options });

test('old ones go, younger ones stay, and a dry run moves nothing', () => {
  byHand('a');
  byHand('b', 'aborted');
  byHand('live', 'ready');
  expect(archive(open(29))).toEqual({ archived: [], problems: [], kept: 2 });
  const dry = archive(open(31), { dry_run: true });
  expect(dry.archived).toMatchObject([
    { id: 'a', from: 'done', to: '.contracts/archive/a' },
    { id: 'b', from: 'aborted', to: '.contracts/archive/b' },
  ]);
  expect(there('.contracts/archive')).toEqual([]);
  expect(archive(open(31))).toMatchObject({ archived: [{ id: 'a' }, { id: 'b' }], problems: [] });
  expect(there('.contracts/archive')).toEqual(['a', 'b']);
  expect(there('active_tasks/ready')).toEqual(['live']);
  expect(archive(open(99))).toEqual({ archived: [], problems: [], kept: 0 });
});

test('named ones go whatever their age; a live one, an unknown one and a second one are refused', () => {
  byHand('young');
  byHand('live', 'ready');
  byHand('again');
  world.write('.contracts/archive/again/contract.md', contract());
  const { archived, problems } = archive(open(), { ids: ['young', 'live', 'nobody', 'again'] });
  expect(archived.map(({ id }) => id)).toEqual(['young']);
  expect(problems.map(({ message }) => message)).toEqual([
    'cannot archive a task that is in ready',
    'there is no task nobody',
    '.contracts/archive/again is there already',
  ]);
  expect(there('active_tasks/done')).toEqual(['again']);
});

test('MOCK agents: who depends on them finds them as they were: by receipts, by hand, aborted', async () => {
  byHand('worked', 'ready');
  const running = open();
  await step(running);
  await step(running);
  expect(there('active_tasks/done')).toEqual(['worked']);
  byHand('moved');
  byHand('given-up', 'aborted');
  byHand('next', 'ready', 'depends_on: [worked, moved]\n');
  const before = open();
  const states = (ws: Workspace) =>
    ['worked', 'moved', 'given-up'].map((id) => dependency(ws, readBoard(ws), id).state);
  expect(states(before)).toEqual(['done', 'done', 'aborted']);
  expect(archive(open(31)).problems).toEqual([]);
  const after = open();
  expect(states(after)).toEqual(['archived_done', 'archived_done', 'archived_aborted']);
  const { events } = await step(after, { only: new Set(['next']) });
  expect(events).toContainEqual(expect.objectContaining({ event: 'claimed', task: 'next' }));
});

test('the record of an earlier archiving does not speak for what came later', () => {
  byHand('back');
  expect(archive(open(31)).archived).toHaveLength(1);
  fs.renameSync(path('.contracts/archive/back'), path('active_tasks/ready/back'));
  fs.mkdirSync(path('active_tasks/ready/back/attempts/0001'), { recursive: true });
  fs.renameSync(path('active_tasks/ready/back'), path('.contracts/archive/back'));
  const ws = open();
  expect(dependency(ws, readBoard(ws), 'back').state).toBe('archived');
});

test('what an attempt of still runs, or has a desk, is not moved', () => {
  byHand('busy');
  fs.mkdirSync(path('active_tasks/.desk/busy.0001'), { recursive: true });
  const { archived, problems } = archive(open(31), { ids: ['busy'] });
  expect(archived).toEqual([]);
  expect(problems).toMatchObject([{ message: 'a desk of it is in .desk/' }]);
  expect(archive(open(31)).problems).toHaveLength(1);
});

test('done by hand while an attempt of a person was open: that attempt holds nothing', async () => {
  byHand('mine', 'ready', 'agent: person\n');
  await step(open());
  fs.renameSync(path('active_tasks/in_progress/mine'), path('active_tasks/done/mine'));
  await step(open());
  expect(there('active_tasks/done/mine/attempts')).toEqual(['0001']);
  expect(archive(open(), { ids: ['mine'] })).toMatchObject({
    archived: [{ id: 'mine', from: 'done' }],
    problems: [],
  });
  const ws = open();
  expect(dependency(ws, readBoard(ws), 'mine').state).toBe('archived_done');
});

test('an id in two states is refused, and both stay', () => {
  byHand('two');
  byHand('two', 'ready');
  const { archived, problems } = archive(open(31));
  expect(archived).toEqual([]);
  expect(problems).toMatchObject([{ code: 'two_states' }]);
});

test('a task that was renamed to be the archive is told, and nothing is put into it', () => {
  byHand('a');
  world.write('.contracts/archive/contract.md', contract());
  expect(archive(open(31)).problems).toMatchObject([
    { message: 'a task was renamed to be the archive, so nothing in it is found' },
  ]);
  expect(there('active_tasks/done')).toEqual(['a']);
});

test('a death at each operation: it is in one place, whole, and the next archive ends it', () => {
  const options = { ids: ['a'] };
  byHand('a');
  const clean = faultyDisk(-1, undefined, unsyncedDisk);
  archive(open(31, clean), options);
  const points = clean.trace.flatMap(({ operation }, at) => (CHANGES.has(operation) ? [at] : []));
  expect(points.length).toBeGreaterThanOrEqual(5);
  const outcomes = new Set<string>();
  for (const at of points) {
    for (const kind of ['die_before', 'die_after', 'die_torn'] as const) {
      fs.renameSync(path('.contracts/archive/a'), path('active_tasks/done/a'));
      fs.writeFileSync(path('active_tasks/done/a/contract.md'), contract(`tags: ["${at}"]\n`));
      // What the disk did before the process lived is not what it dies at.
      const ws = open(31);
      const disk = faultyDisk(at - openingOperations(clean), { kind }, unsyncedDisk);
      expect(() => archive({ ...ws, disk, putting: { ...ws.putting, disk } }, options)).toThrow(
        Died,
      );
      const places = [there('active_tasks/done'), there('.contracts/archive')];
      expect(places.flat()).toEqual(['a']);
      outcomes.add(places[0]?.length === 1 ? 'before' : 'after');
      const after = open(31);
      expect(dependency(after, readBoard(after), 'a').state).toMatch(/^(?:archived_)?done$/);
      if (places[0]?.length === 1) expect(archive(after, options).problems).toEqual([]);
      expect(fs.readFileSync(path('.contracts/archive/a/contract.md'), 'utf8')).toContain(
        `"${at}"`,
      );
      expect(dependency(after, readBoard(after), 'a').state).toBe('archived_done');
    }
  }
  expect([...outcomes].sort()).toEqual(['after', 'before']);
});

/** Of the trace of a clean run: those by which the workspace was opened. */
function openingOperations(clean: ReturnType<typeof faultyDisk>): number {
  return clean.trace.findIndex(({ path: where }) => where.endsWith('archive/contract.md'));
}

test('what was told survives a power cut, and each sync is needed for it', () => {
  const play = (ignores?: (site: string) => boolean) => {
    const own = makeWorld();
    own.write('active_tasks/done/a/contract.md', contract());
    const { ws } = own.process({});
    const disk = new PowerCutDisk(own.root, ignores);
    const powered = { ...ws, disk, putting: { ...ws.putting, disk } };
    expect(archive(powered, { ids: ['a'] }).archived).toHaveLength(1);
    const findings = [...disk.notDurable('.contracts/archive'), ...disk.notDurable('active_tasks')];
    const sites = [...disk.sites];
    return { findings, sites };
  };
  const clean = play();
  expect(clean.findings).toEqual([]);
  const mine = clean.sites.filter((site) => site.includes('engine/board/archive.ts'));
  expect(mine).toHaveLength(2);
  for (const site of mine) expect(play((one) => one === site).findings, site).not.toEqual([]);
});

test('a person who moved it meanwhile wins; a disk that refuses is a fault', () => {
  byHand('a');
  const ws = open(31);
  const gone = {
    ...unsyncedDisk,
    rename: (from: string, to: string): void => {
      if (from.endsWith('done/a')) fs.renameSync(from, path('active_tasks/ready/a'));
      unsyncedDisk.rename(from, to);
    },
  };
  expect(archive({ ...ws, disk: gone }, { ids: ['a'] }).problems).toMatchObject([
    { message: 'it was moved just now' },
  ]);
  expect(there('active_tasks/ready')).toEqual(['a']);
  byHand('b');
  const full = faultyDisk(-1, undefined, {
    ...unsyncedDisk,
    create: () => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    },
  });
  const putting = { ...ws.putting, disk: full };
  expect(() => archive({ ...ws, disk: full, putting }, { ids: ['b'] })).toThrow('ENOSPC');
  expect(there('active_tasks/done')).toEqual(['b']);
});

test('confirm and reopen of one that is archived say where it is', () => {
  byHand('a');
  archive(open(31));
  const moved = moveByVerb(open(), 'reopen', 'a');
  expect(moved.ok ? [] : moved.problems).toMatchObject([
    { message: 'a is archived in .contracts/archive/a' },
  ]);
});
