/**
 * Changes held against permissions: the table of who is blamed for what, and what holds of every
 * change: nobody is blamed without proof, and nothing that is allowed is told.
 */
import { describe, expect, test } from 'vitest';
import {
  CHANGES,
  GIT_OPERATIONS,
  OPEN,
  READ_ONLY,
  type Permissions,
} from '../../../src/task/core/model/permissions.ts';
import { isBeyond } from '../../../src/task/core/attempts/noticed.ts';
import {
  judgeChanges,
  type Found,
  type Proof,
} from '../../../src/permissions/core/judge-changes.ts';
import * as fc from '../../support/property.ts';

const NONE: Proof = { named: new Set() };
const DOCS: Permissions = {
  ...READ_ONLY,
  write: ['docs/**'],
  create: ['docs/**'],
  append: ['docs/**', 'log.md'],
  git: ['add', 'commit'],
};

function file(path: string, more: Partial<Found> = {}): Found {
  return { area: 'file', kind: 'write', path, own_workdir: true, ...more };
}

function git(path: string, more: Partial<Found> = {}): Found {
  return { area: 'git', kind: 'write', path, own_workdir: true, ...more };
}

type End = 'violated' | 'noticed' | 'nothing';

function end(found: Found, permissions: Permissions, proof = NONE): End {
  const { violations, noticed } = judgeChanges([found], permissions, proof);
  return violations.length > 0 ? 'violated' : noticed.length > 0 ? 'noticed' : 'nothing';
}

describe('a change, on its own workdir and on one that is shared', () => {
  const rows: readonly [name: string, found: Found, own: End, shared: End][] = [
    ['a file that it may write', file('docs/a.md'), 'nothing', 'nothing'],
    ['a file that it may not write', file('src/a.ts'), 'violated', 'noticed'],
    ['a file made where it may', file('docs/b.md', { kind: 'create' }), 'nothing', 'nothing'],
    ['a file made where it may not', file('src/b.ts', { kind: 'create' }), 'violated', 'noticed'],
    ['a file removed', file('docs/a.md', { kind: 'delete' }), 'violated', 'noticed'],
    ['a log that grew', file('log.md', { kind: 'append' }), 'nothing', 'nothing'],
    ['a log that was rewritten', file('log.md'), 'violated', 'noticed'],
    ['the settings', file('.contracts/a.md', { area: 'settings' }), 'violated', 'noticed'],
    ['another task', file('x/contract.md', { area: 'task' }), 'violated', 'noticed'],
    [
      'its own records',
      file('attempts/0001/outcome.md', { area: 'own_task' }),
      'violated',
      'noticed',
    ],
    ['a commit, allowed', git('refs/heads/main', { operation: 'commit' }), 'nothing', 'nothing'],
    ['a tag, not allowed', git('refs/tags/v1', { operation: 'tag' }), 'violated', 'noticed'],
    ['.git/config', git('config'), 'violated', 'noticed'],
    ['a link within', file('docs/l', { kind: 'create' }), 'nothing', 'nothing'],
    [
      'a link that leads out, made where it may',
      file('docs/l', { kind: 'create', odd: 'link docs/l leads out of the tree, to /etc' }),
      'noticed',
      'noticed',
    ],
  ];
  test.each(rows)('%s', (_name, found, own, shared) => {
    expect(end(found, DOCS)).toBe(own);
    expect(end({ ...found, own_workdir: false }, DOCS)).toBe(shared);
  });

  test('who may write everything may not write the settings, other tasks or the configuration of git', () => {
    for (const area of ['settings', 'task', 'own_task', 'git'] as const) {
      expect(end(file('.contracts/config.yaml', { area }), OPEN), area).toBe('violated');
    }
    expect(end(file('anything'), OPEN)).toBe('nothing');
    expect(end(file('sub/.git/config'), OPEN)).toBe('violated');
  });

  test('settings that its globs name are its to write, and no others', () => {
    const planner: Permissions = { ...DOCS, write: ['.contracts/plans/**'] };
    const plan = file('.contracts/plans/a/plan.md', { area: 'settings' });
    expect(end(plan, planner)).toBe('nothing');
    expect(end(file('.contracts/config.yaml', { area: 'settings' }), planner)).toBe('violated');
  });

  test('a rule that is only soft is told, and violates nothing', () => {
    const soft = { ...DOCS, strength: 'soft' } as const;
    expect(end(file('src/a.ts'), soft)).toBe('noticed');
    // Proved or not: only where it is not known by whom, nothing is said of it.
    const lines = (own_workdir: boolean) =>
      judgeChanges([file('src/a.ts', { own_workdir })], soft, { named: new Set() }).noticed;
    const why = 'write src/a.ts: this agent may write docs/**';
    expect(lines(true)).toEqual([`${why} (its own doing: its strength refuses nothing)`]);
    expect(lines(false)).toEqual([why]);
  });
});

describe('proof', () => {
  const shared = file('src/a.ts', { own_workdir: false });

  test('the log of a hook names the file', () => {
    expect(end(shared, DOCS, { named: new Set(['src/a.ts']) })).toBe('violated');
    expect(end(shared, DOCS, { named: new Set(['src/b.ts']) })).toBe('noticed');
  });

  test('what a sandbox kept from it is somebody else’s; what it let through may be', () => {
    const proof = (writable: boolean): Proof => ({ named: new Set(), writable: () => writable });
    expect(end(shared, DOCS, proof(false))).toBe('nothing');
    expect(end(shared, DOCS, proof(true))).toBe('noticed');
  });

  test('a file that a sandbox let it write beyond hard globs is marked; nothing else is', () => {
    const proof: Proof = { named: new Set(), writable: () => true };
    const isMarked = (found: Found, permissions = DOCS, by = proof): boolean =>
      judgeChanges([found], permissions, by).noticed.some(isBeyond);
    expect(isMarked(shared)).toBe(true);
    expect(isMarked({ ...shared, kind: 'delete' })).toBe(true);
    expect(isMarked(shared, DOCS, NONE)).toBe(false);
    expect(isMarked(shared, { ...DOCS, strength: 'soft' })).toBe(false);
    expect(isMarked(file('docs/a.md', { own_workdir: false }))).toBe(false);
    expect(isMarked(git('refs/tags/v1', { operation: 'tag', own_workdir: false }))).toBe(false);
    const settings = file('.contracts/a.md', { area: 'settings', own_workdir: false });
    expect(isMarked(settings)).toBe(false);
  });
});

test('a change is listed as such whether it was allowed or not; of git and of tasks it is none of the tree', () => {
  const found = [file('src/a.ts'), file('docs/a.md'), git('refs/tags/v1', { operation: 'tag' })];
  const { changed, violating } = judgeChanges(found, DOCS, NONE);
  expect(changed).toEqual(['docs/a.md', 'src/a.ts']);
  expect(violating.map(({ path }) => path)).toEqual(['src/a.ts', 'refs/tags/v1']);
});

const paths = fc.constantFrom(
  'docs/a.md',
  'src/a.ts',
  'log.md',
  '.contracts/config.yaml',
  'a/.git/x',
);
const founds: fc.Arbitrary<Found> = fc.record({
  area: fc.constantFrom('file', 'settings', 'task', 'own_task', 'git'),
  kind: fc.constantFrom(...CHANGES),
  path: paths,
  own_workdir: fc.boolean(),
  operation: fc.constantFrom(...GIT_OPERATIONS),
});

test('property: without a workdir of its own and without a hook’s word nobody is blamed', () => {
  fc.assert(
    fc.property(fc.array(founds), fc.constantFrom(OPEN, READ_ONLY, DOCS), (found, permissions) => {
      const shared = found.map((one) => ({ ...one, own_workdir: false }));
      expect(judgeChanges(shared, permissions, NONE).violations).toEqual([]);
    }),
  );
});

test('property: who may do less is never told less', () => {
  fc.assert(
    fc.property(fc.array(founds), (found) => {
      const told = (permissions: Permissions): number => {
        const { violations, noticed } = judgeChanges(found, permissions, NONE);
        return violations.length + noticed.length;
      };
      expect(told(READ_ONLY)).toBeGreaterThanOrEqual(told(DOCS));
    }),
  );
});

test('property: the order of the changes decides nothing', () => {
  fc.assert(
    fc.property(fc.array(founds), (found) => {
      const one = judgeChanges(found, DOCS, NONE);
      const other = judgeChanges(found.toReversed(), DOCS, NONE);
      expect(other.changed).toEqual(one.changed);
      expect([...other.violations].sort()).toEqual([...one.violations].sort());
      expect([...other.noticed].sort()).toEqual([...one.noticed].sort());
    }),
  );
});
