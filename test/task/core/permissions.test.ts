/**
 * What an agent may do: tables of single judgements, the matrix read as a person would, and the
 * properties that hold for any globs at all.
 */
import { describe, expect, test } from 'vitest';
import {
  CHANGES,
  GIT_OPERATIONS,
  narrowed,
  OPEN,
  PROTECTED,
  READ_ONLY,
  refuseChange,
  refuseGit,
  SETTING_FOLDERS,
  type Permissions,
  type ChangeKind,
} from '../../../src/task/core/model/permissions.ts';
import { ROLES } from '../../../src/permissions/core/roles.ts';
import { AGENT_PLACES, SKILL_PLACES } from '../../../src/agents/core/places.ts';
import * as fc from '../../support/property.ts';

const may = (permissions: Permissions, kind: ChangeKind, path: string): boolean =>
  refuseChange(permissions, { kind, path }) === undefined;

function role(name: string): Permissions {
  const row = ROLES.get(name);
  if (row === undefined) throw new Error(`no row for ${name}`);
  return row.permissions;
}

test('wherever agents and skills of a project are read nobody writes by a wildcard', () => {
  const places = [...AGENT_PLACES, ...SKILL_PLACES].filter(({ base }) => base === 'project');
  expect(places.length).toBeGreaterThan(10);
  for (const { folder } of places) {
    expect(may(OPEN, 'create', `${folder}/builder.md`), folder).toBe(false);
    const top = folder.split('/')[0] ?? '';
    expect(SETTING_FOLDERS).toContain(top);
    // Who is given it by name may.
    const named = { ...OPEN, create: [`${folder}/**`] };
    expect(may(named, 'create', `${folder}/builder.md`)).toBe(true);
  }
});

describe('what open permissions may write', () => {
  test.each([
    ['src/a.ts', true],
    ['.github/workflows/ci.yml', false],
    ['.github/FUNDING.yml', true],
    ['.gitignore', true],
    ['.git/config', false],
    ['.GIT/hooks/pre-commit', false],
    ['.git./config', false],
    ['git~1/config', false],
    ['sub/module/.git/config', false],
    ['.contracts/agents/qa.md', false],
    ['.contracts/plans/p/notepad.md', false],
    ['.Contracts/config.yaml', false],
    ['active_tasks/ready/a/contract.md', false],
    ['active_tasks', false],
    ['active_tasks.md', true],
    ['sub/active_tasks/a', true],
    ['LEDGER.md', false],
    ['docs/LEDGER.md', true],
    ['.claude/settings.json', false],
    ['.agents/agents/builder.md', false],
    ['.AGENTS/skills/a/SKILL.md', false],
    ['opencode.json', false],
    ['sub/opencode.json', true],
    ['../outside', false],
    ['src/../../outside', false],
    ['/etc/passwd', false],
    ['', false],
    ['./a', false],
    ['a//b', false],
  ])('%s: %s', (path, expected) => {
    for (const kind of CHANGES) expect(may(OPEN, kind, path), kind).toBe(expected);
  });
});

describe('settings are written only by globs that name them', () => {
  const withGlobs = (...write: string[]): Permissions => ({ ...READ_ONLY, write });
  test.each([
    ['**', '.contracts/squads/a/SQUAD.yaml', false],
    ['*/squads/**', '.contracts/squads/a/SQUAD.yaml', false],
    ['.contracts/**', '.contracts/squads/a/SQUAD.yaml', false],
    ['.contracts/*/a/**', '.contracts/squads/a/SQUAD.yaml', false],
    ['.contracts/squads/**', '.contracts/squads/a/SQUAD.yaml', true],
    ['.contracts/config.yaml', '.contracts/config.yaml', false],
    ['.contracts/archive/**', '.contracts/archive/a/contract.md', false],
    ['.claude/**', '.claude/agents/a.md', true],
    ['.clau*/**', '.claude/agents/a.md', false],
    ['opencode.json', 'opencode.json', true],
    ['*.json', 'opencode.json', false],
  ])('%s and %s: %s', (glob, path, expected) => {
    expect(may(withGlobs(glob), 'write', path)).toBe(expected);
  });
});

describe('kinds of change', () => {
  const notepad: Permissions = { ...READ_ONLY, append: ['notes/**'] };
  test('what may only grow may begin, and is not overwritten', () => {
    expect(may(notepad, 'append', 'notes/a.md')).toBe(true);
    expect(may(notepad, 'create', 'notes/a.md')).toBe(true);
    expect(may(notepad, 'write', 'notes/a.md')).toBe(false);
    expect(may(notepad, 'delete', 'notes/a.md')).toBe(false);
  });
  test('what may be written may grow, and is not removed or made', () => {
    const writes: Permissions = { ...READ_ONLY, write: ['a.md'] };
    expect(may(writes, 'append', 'a.md')).toBe(true);
    expect(may(writes, 'create', 'a.md')).toBe(false);
    expect(may(writes, 'delete', 'a.md')).toBe(false);
  });
  test('the folder of tasks is kept where the configuration put it', () => {
    const moved: Permissions = { ...OPEN, kept: [...PROTECTED, '.work/tasks'] };
    expect(may(moved, 'write', '.work/tasks/ready/a/contract.md')).toBe(false);
    expect(may(moved, 'write', '.work/other')).toBe(true);
  });
});

describe('a contract narrows', () => {
  test('both must match, but for the notes of a plan', () => {
    const dev = narrowed(role('dev'), ['src/**']);
    expect(may(dev, 'write', 'src/a.ts')).toBe(true);
    expect(may(dev, 'write', 'lib/a.ts')).toBe(false);
    expect(may(dev, 'append', '.contracts/plans/p/notepad.md')).toBe(true);
    const qa = narrowed(role('qa'), ['**']);
    expect(may(qa, 'write', 'src/a.ts')).toBe(false);
  });
  test('the words name the contract’s part', () => {
    const refusal = refuseChange(narrowed(OPEN, ['src/**']), { kind: 'write', path: 'a.md' });
    expect(refusal).toEqual({
      strength: 'hard',
      why: 'write a.md: the contract lets it write src/**',
    });
  });
  test('twice would lose the first: that is our own mistake', () => {
    expect(() => narrowed(narrowed(OPEN, ['src/**']), ['**'])).toThrow(/^bug: .*narrowed once/);
  });
});

const CODE_WRITERS = ['builder', 'chief-of-staff/executor', 'dev', 'dev-junior', 'kord'];

describe('the matrix', () => {
  const names = [...ROLES.keys()];
  const who = (test: (name: string) => boolean): string[] => names.filter(test).toSorted();

  test('who writes any code', () => {
    for (const kind of ['write', 'create'] as const) {
      expect(who((name) => may(role(name), kind, 'src/main.ts'))).toEqual(CODE_WRITERS);
    }
  });
  test('who deletes: of the seeds’ roles nobody', () => {
    expect(who((name) => role(name).delete.length > 0)).toEqual(['builder']);
  });
  test('who orchestrates or plans writes no code, whatever the path', () => {
    const leads = who((name) => ROLES.get(name)?.orchestrates === true);
    expect(leads).toEqual([
      'build',
      'chief-of-staff',
      'chief-of-staff/chief-of-staff',
      'chief-of-staff/planner',
      'kord',
      'oracle',
      'plan',
    ]);
    for (const name of leads.filter((one) => one !== 'kord')) {
      const globs = CHANGES.flatMap((kind) => role(name)[kind]);
      expect(globs.filter((glob) => !/^\.contracts\/(plans|drafts)\//.test(glob))).toEqual([]);
    }
  });
  test.each([
    ['push', ['devops']],
    ['merge', ['devops']],
    ['rebase', ['devops']],
    ['pull_request', ['devops']],
    ['tag', ['devops']],
    ['config', []],
    ['branch', ['builder', 'chief-of-staff/executor', 'dev', 'devops']],
    ['commit', ['builder', 'chief-of-staff/executor', 'dev', 'dev-junior', 'devops']],
  ] as const)('git %s: %s', (operation, expected) => {
    expect(who((name) => refuseGit(role(name), operation) === undefined)).toEqual(expected);
  });

  test.each<[string, ChangeKind, string, boolean]>([
    ['devops', 'write', '.github/workflows/ci.yml', true],
    ['devops', 'create', 'services/api/Dockerfile', true],
    ['devops', 'write', 'src/main.ts', false],
    ['data-engineer', 'create', 'db/migrations/001.sql', true],
    ['data-engineer', 'write', 'db/schema.prisma', true],
    ['data-engineer', 'write', 'src/main.ts', false],
    ['ux-design-expert', 'write', 'src/components/a/B.tsx', true],
    ['ux-design-expert', 'write', 'src/pages/B.tsx', false],
    ['plan', 'create', '.contracts/plans/p/plan.md', true],
    ['plan', 'create', '.contracts/plans/p/stories/a.md', false],
    ['plan', 'append', '.contracts/plans/p/drafts/a.md', true],
    ['plan', 'write', '.contracts/plans/p/drafts/a.md', false],
    ['sm', 'create', '.contracts/plans/p/stories/a.md', true],
    ['dev', 'write', '.contracts/plans/p/stories/a.md', true],
    ['dev', 'create', '.contracts/plans/p/stories/a.md', false],
    ['dev', 'write', '.contracts/plans/p/notepad.md', false],
    ['dev', 'append', '.contracts/plans/p/notepad.md', true],
    ['dev', 'write', '.contracts/plans/p/plan.md', false],
    ['po', 'write', '.contracts/plans/p/stories/a.md', true],
    ['po', 'create', '.contracts/plans/p/stories/a.md', false],
    ['qa', 'create', '.contracts/plans/p/reviews/a.md', true],
    ['qa', 'write', '.contracts/plans/p/reviews/a.md', false],
    ['architect', 'create', '.contracts/plans/p/adrs/1.md', true],
    ['architect', 'write', 'src/main.ts', false],
    ['analyst', 'create', '.contracts/plans/p/research/a.md', true],
    ['pm', 'write', '.contracts/plans/p/prd.md', true],
    ['build', 'append', '.contracts/plans/p/runs/1.md', true],
    ['build', 'write', '.contracts/plans/p/runs/1.md', false],
    ['squad-creator', 'create', '.contracts/squads/a/SQUAD.yaml', true],
    ['squad-creator', 'write', '.contracts/agents/a.md', false],
    ['janitor', 'write', 'docs/a.md', false],
  ])('%s, %s %s: %s', (name, kind, path, expected) => {
    expect(may(role(name), kind, path)).toBe(expected);
  });
});

const segment = fc.oneof(
  fc.constantFrom(
    '**',
    '*',
    'src',
    '.git',
    '.contracts',
    'plans',
    'a*',
    '[a-z]',
    'LEDGER.md',
    '..',
  ),
  fc.string({ maxLength: 6 }),
);
const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
const globs = fc.array(path, { maxLength: 4 });
const permissions: fc.Arbitrary<Permissions> = fc.record({
  write: globs,
  create: globs,
  delete: globs,
  append: globs,
  git: fc.subarray([...GIT_OPERATIONS]),
  strength: fc.constantFrom('hard', 'soft', 'warn'),
});
const change = fc.record({ kind: fc.constantFrom(...CHANGES), path });

describe('for any globs', () => {
  test('a contract never widens', () => {
    fc.assert(
      fc.property(permissions, globs, change, (one, write, what) => {
        const before = refuseChange(one, what);
        if (before !== undefined) expect(refuseChange(narrowed(one, write), what)).toBeDefined();
      }),
    );
  });
  test('nothing allows what is protected', () => {
    const below = fc.tuple(fc.constantFrom(...PROTECTED), path).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(permissions, fc.constantFrom(...CHANGES), below, (one, kind, kept) => {
        expect(refuseChange(one, { kind, path: kept })?.strength).toBe('hard');
        const named = { ...one, [kind]: [kept, '**'] };
        expect(refuseChange(named, { kind, path: kept })).toBeDefined();
      }),
    );
  });
  test('it always answers, and what it says of a refusal is one line', () => {
    fc.assert(
      fc.property(permissions, change, (one, what) => {
        const refusal = refuseChange(one, what);
        if (refusal !== undefined) expect(refusal.why.startsWith(`${what.kind} `)).toBe(true);
      }),
    );
  });
  test('nothing leads out', () => {
    const out = fc.tuple(globs, globs).map(([a, b]) => [...a, '..', ...b].join('/'));
    fc.assert(
      fc.property(fc.constantFrom(...CHANGES), out, (kind, where) => {
        expect(refuseChange(OPEN, { kind, path: where })).toBeDefined();
      }),
    );
  });
});
