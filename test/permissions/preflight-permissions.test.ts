/** Pre-flight of permissions: told before anything is called, and only what is refused holds a task back. */
import { beforeEach, expect, test } from 'vitest';
import { executorOf } from '../../src/agents/engine/roles.ts';
import { preflight } from '../../src/engine/preflight/preflight.ts';
import { createTask } from '../../src/engine/commands/create.ts';
import { findTask } from '../../src/engine/queries/find-task.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => void (world = makeWorld()));

function problemsOf(config: string, head: Record<string, unknown>) {
  const mine =
    'adapters:\n  mine: { type: command, run: [sh] }\n  other: { type: command, run: [cat] }\n';
  world.write('.contracts/config.yaml', `${mine}adapter: mine\n${config}`);
  const { ws } = world.process({ script: () => 0 });
  const made = createTask(ws, { title: 'Count', id: 'count', criteria: ['it adds up'], head });
  expect(made.ok).toBe(true);
  const task = findTask(ws, 'count');
  if (!task.ok || !task.value.contract.ok) throw new Error('no contract');
  const contract = task.value.contract.value;
  const found = preflight(ws, `${ws.layout.tasks}/draft/count`, contract, true);
  return {
    found: found.map(({ code, severity }) => `${severity} ${code}`),
    told: found,
    ws,
    contract,
  };
}

test.each([
  ['a role that may', { agent: 'builder', deliverables: ['src/a.ts'] }, []],
  [
    'a reviewer who delivers',
    { agent: 'qa', deliverables: ['src/a.ts'] },
    ['error beyond_permissions'],
  ],
  [
    'a contract that does not let it write what it wants',
    { agent: 'builder', write: ['docs/**'], deliverables: ['docs/a.md', 'src/a.ts'] },
    ['error beyond_permissions'],
  ],
  [
    'what is the runner’s',
    { agent: 'builder', deliverables: ['LEDGER.md'] },
    ['error beyond_permissions'],
  ],
  ['a person', { agent: 'qa', adapter: 'human', deliverables: ['src/a.ts'] }, []],
  ['a pattern is not guessed', { agent: 'qa', deliverables: ['src/*.ts'] }, []],
])('%s', (_what, head, expected) => {
  expect(problemsOf('', head).found).toEqual(expected);
});

test('the cure is the line to add: to the contract only where that itself narrows', () => {
  const cure = (head: Record<string, unknown>) => problemsOf('', head).told[0]?.fix;
  const deliverables = ['src/a.ts'];
  expect(cure({ agent: 'builder', write: ['docs/**'], deliverables })).toBe(
    'Write under write: of the contract: write: [docs/**, src/a.ts]',
  );
  world = makeWorld();
  expect(cure({ agent: 'qa', write: ['src/**'], deliverables })).toMatch(
    /^Name an agent that may, or add to \.contracts\/config\.yaml, under agents: qa: (?:write|create): \[(?:.*, )?src\/a\.ts\]$/,
  );
  world = makeWorld();
  world.write('.contracts/agents/cook.md', '---\nwrite: ["*/food/**"]\n---\nCook.\n');
  expect(cure({ agent: 'cook', deliverables: ['menu.md'] })).toBe(
    'Name an agent that may, or add to .contracts/agents/cook.md write: ["*/food/**", menu.md]',
  );
  world = makeWorld();
  expect(cure({ agent: 'builder', deliverables: ['LEDGER.md'] })).toBe(
    'Take it out: no agent may write it',
  );
});

test('an agent’s own permissions count', () => {
  const config = 'agents:\n  qa: { write: ["tests/**"] }\n';
  expect(problemsOf(config, { agent: 'qa', deliverables: ['tests/a.ts'] }).found).toEqual([]);
});

test.each([
  ['../out/**', 'the path has a .. segment'],
  ['/etc/**', 'the path is absolute'],
  ['!src/**', 'the pattern starts with !'],
  ['src/{a,b}/**', 'the pattern has braces'],
  ['src/@(a|b)', 'the pattern has an extended glob'],
  ['.git/hooks/**', 'the path leads into .git'],
  ['src\\a', 'the path has a backslash'],
  ['', 'the path is empty'],
])('a contract may not write %j: refused, with the line', (glob, why) => {
  const head = `title: Count\nwrite:\n  - src/**\n  - ${JSON.stringify(glob)}\n`;
  world.write(
    'active_tasks/ready/count/contract.md',
    `---\n${head}---\n\n## Success Criteria\n\n- [ ] it adds up\n`,
  );
  const found = findTask(world.process({ script: () => 0 }).ws, 'count');
  if (!found.ok || found.value.contract.ok) throw new Error('it was taken');
  expect(found.value.contract.problems).toEqual([
    expect.objectContaining({ code: 'bad_path', severity: 'error', message: why, line: 5 }),
  ]);
});

test('an agent’s file with a word of git that nobody knows: the task waits, and is told where and what', () => {
  world.write('.contracts/agents/pusher.md', '---\ngit: [add, psuh]\n---\nPush it.\n');
  const { told } = problemsOf('', { agent: 'pusher' });
  expect(told).toEqual([
    expect.objectContaining({
      severity: 'error',
      file: '.contracts/agents/pusher.md',
      line: 2,
      message: 'agent pusher is left out: git.1: unknown word',
      found: 'psuh',
      fix: 'Did you mean push?',
    }),
  ]);
});

test('reviewer_client: other wants another client than the executor’s', () => {
  const head = { agent: 'builder', quality_gate: ['qa'] };
  const same = problemsOf('reviewer_client: other\n', head);
  expect(same.found).toEqual(['error same_client']);
  expect(executorOf(same.ws, same.contract).adapter_name).toBe('mine');
});

test('and is content with another, or where nobody asks for it', () => {
  const head = { agent: 'builder', quality_gate: ['qa', 'person'] };
  const other = 'reviewer_client: other\nagents:\n  qa: { adapter: other }\n';
  expect(problemsOf(other, head).found).toEqual([]);
});
