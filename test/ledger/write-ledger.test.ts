/**
 * When the ledger is written, what is looked at for it, and what a death or a full disk leaves. The disk is
 * real; that a process dies is MOCK, and so are agents.
 */
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { linkSync, mkdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readBoard } from '../../src/engine/board/board.ts';
import { step } from '../../src/engine/step/step.ts';
import { writeLedger } from '../../src/ledger/engine/write-ledger.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import type { Event } from '../../src/task/core/lines/event.ts';
import { CONFIG, contract } from '../support/crash-words.ts';
import { Died, faultyDisk, unsyncedDisk, type FaultKind } from '../support/faulty-disk.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.write('.contracts/config.yaml', CONFIG);
});

const at = (path: string): string => join(world.root, path);
const ledger = (): string => readFileSync(at('LEDGER.md'), 'utf8');
const put = (state: string, id: string, ...head: string[]): void =>
  world.write(`active_tasks/${state}/${id}/contract.md`, contract(id, head));
const PERSON = 'adapter: human';

/** Everything that the ledger shows, with a question, work at hand, and what ended. */
function fill(): void {
  put('ready', 'by-hand', PERSON);
  put('ready', 'next', PERSON, 'depends_on: [by-hand, asks]');
  put('questions', 'asks', PERSON);
  world.write(
    'active_tasks/questions/asks/questions.md',
    '## Questions\n\n1. Which one?\n2. When?\n',
  );
  put('draft', 'idea');
  for (const id of ['old', 'older']) put('done', id);
  put('aborted', 'dropped');
}

const without = (ws: Workspace): Workspace => ({
  ...ws,
  capabilities: ws.capabilities.filter((one) => !('name' in one && one.name === 'ledger')),
});
const onDisk = (ws: Workspace, disk: Disk): Workspace => ({
  ...ws,
  disk,
  putting: { ...ws.putting, disk },
});

/** As after a step that moved this task; what it reported. */
function written(ws: Workspace, ...moved: string[]): readonly Event[] {
  const events: Event[] = [];
  const emit = (event: Event): void => void events.push(event);
  writeLedger(
    { ws, emit, moved: new Set(moved), held: new Map() },
    readBoard(ws, { quick: 'rows' }),
  );
  return events;
}

describe('a step', () => {
  test('that moves a task writes it; one that moves none asks for its age alone', async () => {
    fill();
    await step(world.process({}).ws);
    expect(ledger()).toContain('- by-hand: builder, try 1\n');
    expect(ledger()).toContain('- asks: Which one? (and 1 more) → contracts answer asks\n');
    expect(ledger()).toContain(
      '- Tasks: 1 draft, 1 ready, 1 in progress, 1 questions, 2 done, 1 aborted',
    );
    const { ino } = lstatSync(at('LEDGER.md'));
    const traces: (readonly unknown[])[] = [];
    for (const change of [(ws: Workspace) => ws, without]) {
      const disk = faultyDisk(-1, undefined, unsyncedDisk);
      const report = await step(change(world.process({ disk }).ws));
      expect(report.progressed).toBe(false);
      traces.push(disk.trace);
    }
    const [with_it = [], without_it = []] = traces;
    expect(with_it.length).toBe(without_it.length + 1 + STATES.length);
    expect(lstatSync(at('LEDGER.md')).ino).toBe(ino);
  });

  test('that moves none writes one that is older than what was moved', async () => {
    fill();
    await step(world.process({}).ws);
    const newest = ledger();
    world.write('LEDGER.md', newest.replace('1 ready', '9 ready'));
    utimesSync(at('LEDGER.md'), new Date(0), new Date(0));
    expect((await step(world.process({}).ws)).progressed).toBe(false);
    expect(ledger()).toBe(newest);
    // Of a person it stays, and nothing is said of it.
    world.write('LEDGER.md', 'mine\n');
    utimesSync(at('LEDGER.md'), new Date(0), new Date(0));
    const { events } = await step(world.process({}).ws);
    expect(events.filter(({ event }) => event === 'problem')).toEqual([]);
    expect(ledger()).toBe('mine\n');
  });

  test('shows a decision as one question', async () => {
    put('ready', 'go', 'type: checkpoint', 'agent: person', 'plan: launch', 'wave: 1');
    await step(world.process({}).ws);
    expect(ledger()).toContain(
      '- go: How should the plan continue? GO, PAUSE, REVIEW, ABORT → contracts answer go\n',
    );
  });

  test('opens nothing in done and aborted, whose names it counts', async () => {
    fill();
    put('ready', 'moves', PERSON);
    const disk = faultyDisk(-1, undefined, unsyncedDisk);
    await step(world.process({ disk }).ws);
    expect(ledger()).toContain('2 done');
    const ended = disk.trace.filter(({ path }) => /\/(?:done|aborted)\/./.test(path));
    expect(ended.filter(({ operation }) => operation !== 'stat')).toEqual([]);
    expect(ended.filter(({ path }) => /\/(?:old|older|dropped)\//.test(path))).toEqual([]);
  });

  test('shows an agent at work with the step that it reports, and no secret of it', async () => {
    world.write('.contracts/config.yaml', CONFIG.replace('] }', '], env: [MY_TOKEN] }'));
    put('ready', 'one', PERSON);
    const env = { ...process.env, CONTRACTS_SANDBOX: 'none', MY_TOKEN: 'abc-secret-123' };
    const { ws } = world.process({ ports: { env } });
    await step(ws);
    expect(ledger()).toContain('- one: builder, try 1\n');
    const status = '- Status: IN_PROGRESS\n- Current Step: trying abc-secret-123 | now\n';
    world.write('active_tasks/.desk/one.0001/status.md', status);
    written(ws, 'one');
    expect(ledger()).toMatch(/^- one: builder, try 1: trying .+ \\\| now$/m);
    expect(ledger()).not.toContain('abc-secret-123');
  });
});

describe('the same tree', () => {
  test('gives the same bytes: again, in a copy elsewhere, and with another look at the tasks', async () => {
    fill();
    await step(world.process({}).ws);
    const first = ledger();
    const copy = sealedFolder('copy');
    cpSync(world.root, copy, { recursive: true });
    for (const root of [world.root, copy]) {
      rmSync(join(root, 'LEDGER.md'));
      const { ws } = world.process({});
      const opened = openWorkspace({ capabilities: ws.capabilities, dir: root, ports: ws });
      if (!opened.ok) throw new Error('not opened');
      written(opened.value, 'by-hand');
      expect(readFileSync(join(root, 'LEDGER.md'), 'utf8')).toBe(first);
      written(opened.value, 'asks', 'idea');
      expect(readFileSync(join(root, 'LEDGER.md'), 'utf8')).toBe(first);
    }
    rmSync(copy, { recursive: true });
    expect(first).not.toContain(world.root);
  });

  test('of hundreds of tasks too, whatever is cached of them', () => {
    for (let i = 0; i < 400; i++) put('ready', `t${i}`, PERSON, ...(i > 300 ? ['parent: t7'] : []));
    const { ws } = world.process({});
    written(ws, 't1');
    const first = ledger();
    expect(first).toContain('## Graph (50 of 400 live tasks)');
    expect(first.split('\n').length).toBeLessThan(200);
    rmSync(at('LEDGER.md'));
    const board = readBoard(ws);
    writeLedger({ ws, emit: () => undefined, moved: new Set(), held: new Map() }, board);
    expect(ledger()).toBe(first);
    rmSync(at('LEDGER.md'));
    written(world.process({}).ws, 't1');
    expect(ledger()).toBe(first);
  });
});

describe('what is in its place', () => {
  const make: Readonly<Record<string, () => void>> = {
    'a file of a person': () => world.write('LEDGER.md', '# Mine\n'),
    'an empty file': () => world.write('LEDGER.md', ''),
    'a link': () => {
      world.write('elsewhere.md', 'x\n');
      symlinkSync('elsewhere.md', at('LEDGER.md'));
    },
    'a link to nothing': () => symlinkSync('nowhere.md', at('LEDGER.md')),
    'a folder': () => mkdirSync(at('LEDGER.md')),
    'a hard link': () => {
      put('ready', 'seen', PERSON);
      written(world.process({}).ws, 'seen');
      renameSync(at('LEDGER.md'), at('elsewhere.md'));
      linkSync(at('elsewhere.md'), at('LEDGER.md'));
    },
  };
  test.each(Object.keys(make))('%s stays, and one warning says so', (name) => {
    make[name]?.();
    const before = lstatSync(at('LEDGER.md'));
    put('ready', 'one', PERSON);
    const events = written(world.process({}).ws, 'one');
    expect(events).toMatchObject([
      { event: 'problem', problem: { severity: 'warning', file: 'LEDGER.md' } },
    ]);
    const after = lstatSync(at('LEDGER.md'));
    expect([after.ino, after.size, after.mtimeMs]).toEqual([
      before.ino,
      before.size,
      before.mtimeMs,
    ]);
    expect(existsSync(at('nowhere.md'))).toBe(false);
    expect(readdirSync(world.root).filter((one) => one.startsWith('.tmp-'))).toEqual([]);
  });

  test('edits of a ledger are lost, as its first line says', () => {
    put('ready', 'one', PERSON);
    const { ws } = world.process({});
    written(ws, 'one');
    const first = ledger();
    // Git may have changed its line ends.
    for (const edited of [`${first}and more\n`, first.replaceAll('\n', '\r\n')]) {
      world.write('LEDGER.md', edited);
      expect(written(ws, 'one')).toEqual([]);
      expect(ledger()).toBe(first);
    }
  });
});

describe('a process that ends while it writes', () => {
  const kinds: readonly FaultKind[] = [
    { kind: 'die_before' },
    { kind: 'die_after' },
    { kind: 'die_torn' },
    { kind: 'errno', code: 'ENOSPC', for_good: false },
    { kind: 'errno', code: 'EIO', for_good: true },
  ];
  test.each(kinds)('leaves the old or the new one at each call of the disk: %j', (fault) => {
    fill();
    const { ws } = world.process({});
    for (const first of [false, true]) {
      rmSync(at('LEDGER.md'), { force: true });
      if (!first) written(ws, 'idea');
      const old = first ? undefined : ledger();
      put('ready', `more-${first}`, PERSON);
      const clean = faultyDisk(-1, undefined, unsyncedDisk);
      written(onDisk(ws, clean), 'idea');
      const fresh = ledger();
      expect(fresh).not.toBe(old);
      expect(clean.trace.length).toBeGreaterThan(20);
      for (let nth = 0; nth < clean.trace.length; nth++) {
        rmSync(at('LEDGER.md'), { force: true });
        if (old !== undefined) world.write('LEDGER.md', old);
        const disk = faultyDisk(nth, fault, unsyncedDisk);
        try {
          written(onDisk(ws, disk), 'idea');
        } catch (error) {
          const isMeant = error instanceof Died || /injected/.test(String(error));
          if (!isMeant) throw error;
        }
        const is = existsSync(at('LEDGER.md')) ? ledger() : undefined;
        expect([old, fresh]).toContain(is);
        for (const name of readdirSync(world.root).filter((one) => one.startsWith('.tmp-'))) {
          rmSync(at(name));
        }
        written(ws, 'idea');
        expect(ledger()).toBe(fresh);
      }
    }
  });

  test('one task that may not be read keeps no other from the page', () => {
    fill();
    const { ws } = world.process({});
    const read: Disk['read'] = (path, ...more) => {
      if (path.includes('/idea/')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      return ws.disk.read(path, ...more);
    };
    written(onDisk(ws, { ...ws.disk, read }), 'next', 'idea');
    expect(ledger()).toContain('1 draft');
    expect(ledger()).toContain('(3 of 4 live tasks)');
  });

  test('another runner that wrote what it knew before gets the newer page over it', () => {
    fill();
    const { ws } = world.process({});
    written(ws, 'next');
    const wanted = ledger();
    const older = wanted.replace('# Ledger', '# Older ledger');
    rmSync(at('LEDGER.md'));
    let others = 0;
    const create: Disk['create'] = (path, ...more) => {
      if (others++ === 0) world.write('LEDGER.md', older);
      ws.disk.create(path, ...more);
    };
    written(onDisk(ws, { ...ws.disk, create }), 'next');
    expect(ledger()).toBe(wanted);
  });

  test('a full disk is a fault of the step, and no task is lost', async () => {
    const disk = faultyDisk(-1, undefined, unsyncedDisk);
    const full: Disk = {
      ...disk,
      create: (path, bytes, options) => {
        if (path.startsWith(`${world.root}/.tmp-`))
          throw Object.assign(new Error('ENOSPC: full'), { code: 'ENOSPC' });
        disk.create(path, bytes, options);
      },
    };
    put('ready', 'two', PERSON);
    const { events, faulted } = await step(world.process({ disk: full }).ws);
    expect(events).toContainEqual(expect.objectContaining({ event: 'fault', code: 'disk' }));
    expect(faulted.size).toBe(1);
    expect(existsSync(at('active_tasks/in_progress/two'))).toBe(true);
    expect(existsSync(at('LEDGER.md'))).toBe(false);
  });
});
