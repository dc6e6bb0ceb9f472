/**
 * An import is ended at each operation of the disk, and begun again: what is there then is what one import
 * makes, nothing twice and nothing half. The disk is real; that a process dies is MOCK.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeImport, prepareImport } from '../../../src/exchange/engine/import.ts';
import {
  CHANGES,
  Died,
  faultyDisk,
  unsyncedDisk,
  type FaultKind,
} from '../../support/faulty-disk.ts';
import { makeWorld, type World } from '../../support/world.ts';

type Wish = Pick<Parameters<typeof prepareImport>[0], 'tool' | 'to'>;

const BACKLOG: Readonly<Record<string, string>> = {
  'backlog/tasks/task-1 - A.md':
    '---\nid: task-1\ntitle: A\n---\n## Implementation Notes\n\nBegan.\n',
  'backlog/tasks/task-2 - B.md': '---\nid: task-2\ntitle: B\ndependencies: [task-1]\n---\n',
  'backlog/tasks/task-3 - C.md': '---\nid: task-3\ntitle: C\n---\n',
};
const SPECKIT: Readonly<Record<string, string>> = {
  'specs/001-a/tasks.md':
    '## Phase 1: A\n\n- [ ] T001 One\n- [ ] T002 Two\n\n## Follow-up\n\n- [ ] T003 Three\n',
};
const MORE: Readonly<Record<string, string>> = {
  'specs/001-a/tasks.md': `${SPECKIT['specs/001-a/tasks.md']}- [ ] T004 Four\n\n## Phase 2: B\n\n- [ ] T005 Five\n`,
};

/** Imports the whole; `at`: where the process dies. Returns the operations. */
function imported(
  world: World,
  { tool, to }: Wish,
  at = -1,
  fault?: FaultKind,
  accepted: readonly string[] = [],
) {
  const { ws } = world.process({});
  const disk = faultyDisk(at, fault, unsyncedDisk);
  const there = { ...ws, disk, putting: { ...ws.putting, disk } };
  const wish = { ws: there, tool, to, path: world.root, all: false, tag: undefined, map: {} };
  const prepared = prepareImport(wish);
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.problems));
  for (const one of prepared.value) {
    const made = makeImport(one, wish, new Set(accepted));
    if (!made.ok) throw new Error(JSON.stringify(made.problems));
  }
  return disk.trace;
}

/** Everything that was made, without times. */
function madeIn(root: string): Record<string, string> {
  const files = ['active_tasks', '.contracts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    ),
  );
  const kept = files.filter(
    (path) => statSync(join(root, path)).isFile() && !path.includes('.tmp-'),
  );
  const text = (path: string): string =>
    readFileSync(join(root, path), 'utf8')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'NOW')
      .replaceAll(/"here": "[0-9a-f]{16}"/g, '"here": "…"');
  return Object.fromEntries(kept.toSorted().map((path) => [path, text(path)]));
}

/** `first`: imported before, without a death. */
function worldWith(
  files: Readonly<Record<string, string>>,
  wish: Wish,
  first?: typeof files,
): World {
  const world = makeWorld();
  if (first !== undefined) {
    for (const [path, text] of Object.entries(first)) world.write(path, text);
    imported(world, wish);
  }
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  return world;
}

/** After its last operation it is already over. */
function died(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Died)) throw error;
  }
}

test.each([
  ['drafts with notes', { tool: 'backlog', to: 'contracts' }, BACKLOG, undefined],
  ['a plan, and a draft beside it', { tool: 'speckit', to: 'plan' }, SPECKIT, undefined],
  ['more for a plan', { tool: 'speckit', to: 'plan' }, MORE, SPECKIT],
] as const)('%s: killed at each change, then imported again', (_, wish, files, first) => {
  const clean = worldWith(files, wish, first);
  const trace = imported(clean, wish);
  const expected = madeIn(clean.root);
  const changes = trace.flatMap((met, at) => (CHANGES.has(met.operation) ? [at] : []));
  expect(changes.length).toBeGreaterThan(12);
  for (const at of changes) {
    for (const kind of ['die_before', 'die_after', 'die_torn'] as const) {
      const world = worldWith(files, wish, first);
      died(() => imported(world, wish, at, { kind }));
      // Half of a task is in no state.
      for (const state of readdirSync(join(world.root, 'active_tasks'))) {
        if (state.startsWith('.')) continue;
        for (const id of readdirSync(join(world.root, 'active_tasks', state))) {
          if (id === '.gitkeep') continue;
          expect(
            readFileSync(join(world.root, 'active_tasks', state, id, 'contract.md'), 'utf8'),
          ).toContain('## Original');
        }
      }
      imported(world, wish);
      expect(madeIn(world.root), `${kind} ${trace[at]?.operation} ${trace[at]?.path}`).toEqual(
        expected,
      );
    }
  }
});

test('where the disk refuses, it is said, and the next import continues', () => {
  const wish = { tool: 'backlog', to: 'contracts' } as const;
  const clean = worldWith(BACKLOG, wish);
  const trace = imported(clean, wish);
  const expected = madeIn(clean.root);
  for (const [at, { operation }] of trace.entries()) {
    if (!CHANGES.has(operation)) continue;
    const world = worldWith(BACKLOG, wish);
    expect(() =>
      imported(world, wish, at, { kind: 'errno', code: 'ENOSPC', for_good: false }),
    ).toThrow();
    imported(world, wish);
    expect(madeIn(world.root)).toEqual(expected);
    expect(
      readdirSync(join(world.root, 'active_tasks')).filter((name) => name.startsWith('.tmp-')),
    ).toEqual([]);
    rmSync(world.root, { recursive: true });
  }
});

test.each([
  ['speckit', 'plan', '.contracts/plans/001-a/plan.md', 'verify: `run: npm test`'],
  ['speckit', 'contracts', 'active_tasks/draft/t001/contract.md', '  - "run: npm test"'],
] as const)(
  'a command of %s becomes a check of a %s when a person said so, and only then',
  (tool, to, file, check) => {
    const files = {
      'specs/001-a/tasks.md': '- [ ] T001 Test it with `npm test`\n- [ ] T002 Run `make all`\n',
    };
    for (const accepted of [[], ['npm test']]) {
      const world = worldWith(files, { tool, to });
      imported(world, { tool, to }, -1, undefined, accepted);
      const text = readFileSync(join(world.root, file), 'utf8');
      const [made] = text.split('## Original');
      expect(made?.includes(check)).toBe(accepted.length > 0);
      expect(made?.includes('which is a check only')).toBe(to === 'plan' || accepted.length === 0);
    }
  },
);
