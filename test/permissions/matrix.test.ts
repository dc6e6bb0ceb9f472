/**
 * The matrix of roles as it was asked for: 20 agents, 28 calls each, by the function that the hook calls, with the
 * permissions of the agents as they are built in; some of them by the built command. The table is typed from the
 * request, not made from src/permissions/core/roles.ts.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ownPermissions } from '../../src/permissions/engine/enforce/effective-permissions.ts';
import { answerTo } from '../../src/permissions/engine/enforce/tool-hook.ts';
import { allowedText } from '../../src/permissions/core/allowed.ts';
import { contractsIn } from '../support/binary.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { EFFECTS } from '../support/verbs.ts';

let root = '';
let desk = '';
beforeAll(() => {
  root = sealedFolder('matrix');
  desk = join(root, 'active_tasks/.desk/hello.0001');
  mkdirSync(desk, { recursive: true });
  for (const call of Object.values(CALLS)) {
    if (call.kind !== 'edit' && call.kind !== 'append') continue;
    putFile(join(root, call.path), 'old\n');
  }
});

type Call =
  | { readonly kind: 'edit' | 'create' | 'append'; readonly path: string }
  | { readonly kind: 'shell'; readonly command: string };

const edit = (path: string): Call => ({ kind: 'edit', path });
const create = (path: string): Call => ({ kind: 'create', path });
const append = (path: string): Call => ({ kind: 'append', path });
const shell = (command: string): Call => ({ kind: 'shell', command });

const PLAN = '.contracts/plans/p';
/** By the names in the table below: `+` creates. */
const CALLS: Readonly<Record<string, Call>> = {
  code: edit('src/a.ts'),
  'code+': create('src/new.ts'),
  'code-': shell('rm src/a.ts'),
  ci: edit('Dockerfile'),
  'ci+': create('docker-compose.yml'),
  migration: edit('db/migrations/1.sql'),
  'migration+': create('db/migrations/2.sql'),
  design: edit('src/app.css'),
  'design+': create('src/components/button.tsx'),
  plan: edit(`${PLAN}/plan.md`),
  'prd+': create(`${PLAN}/prd.md`),
  'research+': create(`${PLAN}/research/market.md`),
  'drafts+': create(`${PLAN}/drafts/idea.md`),
  story: edit(`${PLAN}/stories/1.md`),
  'story+': create(`${PLAN}/stories/2.md`),
  'adr+': create(`${PLAN}/adrs/1.md`),
  'architecture+': create(`${PLAN}/architecture/parts.md`),
  notepad: append(`${PLAN}/notepad.md`),
  'reviews+': create(`${PLAN}/reviews/1.md`),
  'runs+': create(`${PLAN}/runs/1.md`),
  add: shell('git add src/a.ts'),
  commit: shell('git commit -m "a"'),
  branch: shell('git branch new'),
  push: shell('git push origin main'),
  merge: shell('git merge other'),
  rebase: shell('git rebase main'),
  'pr create': shell('gh pr create --fill'),
  'pr merge': shell('gh pr merge 1'),
};

const SOURCE = ['code', 'code+', 'ci', 'ci+', 'migration', 'migration+', 'design', 'design+'];
const GIT = ['add', 'commit', 'branch', 'push', 'merge', 'rebase', 'pr create', 'pr merge'];
/** Typed from the request: all that each may do of these calls. No agent deletes. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  kord: SOURCE,
  plan: ['plan', 'drafts+'],
  build: ['notepad', 'runs+'],
  dev: [...SOURCE, 'story', 'notepad', 'add', 'commit', 'branch'],
  'dev-junior': [...SOURCE, 'story', 'notepad', 'add', 'commit'],
  qa: ['story', 'reviews+'],
  architect: ['adr+', 'architecture+'],
  analyst: ['research+'],
  sm: ['story', 'story+'],
  pm: ['prd+'],
  po: ['story'],
  devops: ['ci', 'ci+', ...GIT],
  'data-engineer': ['migration', 'migration+', 'add'],
  'ux-design-expert': ['design', 'design+', 'add'],
  librarian: [],
  explore: [],
  vision: [],
  'squad-creator': [],
  'plan-analyzer': [],
  'plan-reviewer': [],
};

/** Ours, which the request does not have: what these two are for. */
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  librarian: ['docs/guide.md', '.contracts/memory/candidates/decisions.md'],
  'squad-creator': ['.contracts/squads/mine/SQUAD.yaml'],
};
const OF_CODE = new Set(['kord', 'dev', 'dev-junior']);

function inAttempt(name: string): Record<string, string> {
  const permissions = ownPermissions(
    { root, tasks: join(root, 'active_tasks') },
    { name, definition: undefined },
  );
  return {
    ...sealedEnv(),
    CONTRACTS_TASK: 'hello',
    CONTRACTS_OUT: desk,
    CONTRACTS_ROOT: root,
    CONTRACTS_PERMISSIONS: allowedText({ permissions, root, desk }),
  };
}

function use(call: Call): { readonly tool: string; readonly input: object } {
  if (call.kind === 'shell') return { tool: 'Bash', input: { command: call.command } };
  const file_path = join(root, call.path);
  if (call.kind === 'edit')
    return { tool: 'Edit', input: { file_path, old_string: 'old', new_string: 'new' } };
  const content = call.kind === 'append' ? 'old\nnew\n' : 'new\n';
  return { tool: 'Write', input: { file_path, content } };
}

function allows(name: string, call: Call): boolean {
  const asked = { client: 'claude', cwd: root, ...use(call) };
  return answerTo(inAttempt(name), EFFECTS, () => asked)?.decision !== 'deny';
}

test('20 agents and 28 calls are 560', () => {
  expect(Object.keys(MAY).length * Object.keys(CALLS).length).toBe(560);
});

test.each(Object.entries(MAY))('@%s may do exactly this: %j', (name, may) => {
  const allowed = Object.entries(CALLS).filter(([, call]) => allows(name, call));
  expect(allowed.map(([what]) => what).toSorted()).toEqual(may.toSorted());
});

test.each(Object.entries(MAY))(
  '@%s: a document on the desk is judged as in its place',
  (name, may) => {
    const documents = Object.entries(CALLS).flatMap(([what, call]) => {
      if (call.kind === 'shell' || !call.path.startsWith('.contracts/')) return [];
      const path = `active_tasks/.desk/hello.0001/documents/${call.path.replace('.contracts/', '')}`;
      return [[what, { ...call, path }] as const];
    });
    for (const [, { kind, path }] of documents) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      if (kind !== 'create') writeFileSync(join(root, path), 'old\n');
    }
    expect(documents).toHaveLength(11);
    const allowed = documents.filter(([, call]) => allows(name, call)).map(([what]) => what);
    const names = new Set(documents.map(([what]) => what));
    expect(allowed.toSorted()).toEqual(may.filter((what) => names.has(what)).toSorted());
  },
);

test('the exceptions: documents and memory of the librarian, squads of the squad-creator', () => {
  for (const path of Object.values(BESIDES).flat()) {
    for (const name of Object.keys(MAY)) {
      const isOfCode = path.startsWith('docs/') && OF_CODE.has(name);
      const expected = isOfCode || BESIDES[name]?.includes(path) === true;
      expect(allows(name, create(path)), `${name} ${path}`).toBe(expected);
    }
  }
});

/** One allowed and one refused call for each of them, by a client's own way. */
const SAMPLE: readonly (readonly [string, string, boolean])[] = [
  ['dev', 'code', true],
  ['dev', 'push', false],
  ['qa', 'code', false],
  ['qa', 'story', true],
  ['devops', 'push', true],
  ['devops', 'code', false],
  ['build', 'notepad', true],
  ['plan', 'code+', false],
  ['kord', 'code-', false],
];
test.each(SAMPLE)('the same by the built command: %s, %s', (name, what, allowed) => {
  const { tool, input } = use(CALLS[what] ?? shell(''));
  const { status, stdout } = contractsIn(root, ['hook', 'pre-tool-use', '--client', 'claude'], {
    env: inAttempt(name),
    input: JSON.stringify({ session_id: 's', cwd: root, tool_name: tool, tool_input: input }),
  });
  expect(status).toBe(0);
  if (allowed) expect(stdout).toBe('');
  else expect(JSON.parse(stdout)).toHaveProperty('hookSpecificOutput.permissionDecision', 'deny');
  expect(allows(name, CALLS[what] ?? shell(''))).toBe(allowed);
});

test('each refusal is in the log of the attempt', () => {
  const log = readFileSync(join(desk, 'hook.log'), 'utf8');
  expect(log).toContain('git push: this agent may add, commit, branch, stash');
  expect(log).toContain('"paths":["src/a.ts"]');
});
