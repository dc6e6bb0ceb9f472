/** A task that cannot be made leaves nothing behind, at whichever operation the disk refused. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTaskOnce, makeTasks } from '../../src/engine/board/make-task.ts';
import { createTask } from '../../src/engine/commands/create.ts';
import { moveByVerb } from '../../src/engine/commands/moves.ts';
import { contract } from '../support/crash-words.ts';
import { CHANGES, faultyDisk, unsyncedDisk, type FaultyDisk } from '../support/faulty-disk.ts';
import { locate } from '../../src/task/store/tasks/tasks.ts';
import { makeWorld } from '../support/world.ts';

/** What is in active_tasks and in ready afterwards. */
function made(at: number): { disk: FaultyDisk; told: string; left: string[]; ready: string[] } {
  const world = makeWorld();
  const { ws } = world.process({});
  const fault = { kind: 'errno', code: 'ENOSPC', for_good: false } as const;
  const disk = faultyDisk(at, fault, unsyncedDisk);
  const putting = { ...ws.putting, disk };
  let told = '';
  try {
    makeTaskOnce({ ...ws, disk, putting }, 'ready', 'one', contract('one'));
  } catch (error) {
    told = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  const names = (path: string): string[] =>
    readdirSync(join(world.root, path)).filter((name) => name !== '.gitkeep');
  const left = names('active_tasks').filter((name) => name.startsWith('.tmp-'));
  const ready = names('active_tasks/ready');
  return { disk, told, left, ready };
}

test('a task is made, or refused without a trace', () => {
  const { trace } = made(-1).disk;
  const changes = trace.flatMap((met, at) => (CHANGES.has(met.operation) ? [at] : []));
  const rename = trace.findIndex(({ operation }) => operation === 'rename');
  expect(changes.length).toBeGreaterThan(4);
  for (const at of changes) {
    const { told, left, ready } = made(at);
    const where = `refused at ${trace[at]?.operation} ${at}`;
    expect(told, where).toBe('ENOSPC');
    expect(left, where).toEqual([]);
    expect(ready, where).toEqual(at > rename ? ['one'] : []);
  }
});

/** Another process makes, and with `confirms` begins, a task of that id at this point of ours. */
test.each([
  ['just before the folder is prepared', 'mkdir', true],
  ['just before its rename', 'rename', true],
  ['just before its rename, and leaves it a draft', 'rename', false],
] as const)(
  'two of one id at once: the other is made %s, and ours is refused',
  (_, at, confirms) => {
    const world = makeWorld();
    const { ws } = world.process({});
    const wanted = { title: 'One', id: 'one', steps: 'true' };
    let others = 0;
    const before = (): void => {
      if (others++ > 0) return;
      expect(createTask(ws, wanted).ok).toBe(true);
      if (confirms) expect(moveByVerb(ws, 'confirm', 'one').ok).toBe(true);
    };
    const disk = {
      ...ws.disk,
      mkdir: (path: string): void => {
        if (at === 'mkdir' && path.includes('.tmp-')) before();
        ws.disk.mkdir(path);
      },
      rename: (from: string, to: string): void => {
        if (at === 'rename' && from.includes('.tmp-')) before();
        ws.disk.rename(from, to);
      },
    };
    const ours = createTask({ ...ws, disk, putting: { ...ws.putting, disk } }, wanted);
    expect(others).toBeGreaterThan(0);
    expect(locate(ws.disk, ws.layout, 'one')).toEqual([confirms ? 'ready' : 'draft']);
    expect(ours.ok ? [] : ours.problems.map(({ code, message }) => [code, message])).toEqual([
      ['bad_id', 'this id is taken; ids are never reused'],
    ]);
    expect(
      readdirSync(join(world.root, 'active_tasks')).filter((n) => n.startsWith('.tmp-')),
    ).toEqual([]);
  },
);

test('of many each is whole, or none is there: at whichever change the disk refuses', () => {
  const notes = [{ name: '1-a.md', bytes: Buffer.from('A note.') }];
  const wanted = ['one', 'two', 'three'].map((id) => {
    return { state: 'draft', id, text: contract(id), ...(id === 'two' && { notes }) } as const;
  });
  const play = (at: number) => {
    const world = makeWorld();
    const { ws } = world.process({});
    const disk = faultyDisk(at, { kind: 'errno', code: 'ENOSPC', for_good: false }, unsyncedDisk);
    const act = () => makeTasks({ ...ws, disk, putting: { ...ws.putting, disk } }, wanted);
    if (at === -1) expect([...act()]).toEqual(['one', 'two', 'three']);
    else expect(act).toThrow('ENOSPC');
    const draft = join(world.root, 'active_tasks/draft');
    const made = readdirSync(draft).filter((name) => name !== '.gitkeep');
    for (const id of made) {
      expect(readFileSync(join(draft, id, 'contract.md'), 'utf8')).toBe(contract(id));
      if (id === 'two') expect(readdirSync(join(draft, id, 'notes'))).toEqual(['1-a.md']);
    }
    const left = readdirSync(join(world.root, 'active_tasks')).filter((one) =>
      one.startsWith('.tmp-'),
    );
    return { trace: disk.trace, made, left };
  };
  const { trace } = play(-1);
  const first = trace.findIndex(({ operation }) => operation === 'rename');
  for (const [at, { operation }] of trace.entries()) {
    if (!CHANGES.has(operation)) continue;
    const { made, left } = play(at);
    expect([at, left]).toEqual([at, []]);
    // All bytes are durable before the first is visible.
    if (at < first) expect(made).toEqual([]);
  }
  const syncs = trace.slice(0, first).filter(({ operation }) => operation === 'sync');
  expect(syncs.length).toBeGreaterThanOrEqual(8);
});
