/**
 * Checks that run what the agent wrote, without a sandbox: what they change beyond its permissions is noticed with
 * their names, and what describes agents is not obeyed. Real processes.
 */
import { expect, test } from 'vitest';
import { makeHouse, shellContract, type House } from './house.ts';

async function checked(script: string, head = 'write: [src/**]'): Promise<House> {
  const house = makeHouse({ neighbour: false });
  house.write('docs/d.txt', 'mine\n');
  house.write('base.txt', 'base\n');
  const all = `verify: ["run: sh src/test.sh"]\ndeliverables: [src/test.sh]\n${head}`;
  const contract = shellContract('bad', {
    sh: `mkdir -p src; cat > src/test.sh <<'E'\n${script}\nE`,
  })
    .replace(/verify:\n.*\ndeliverables: .*\n/, `${all}\n`)
    .replace('`test -s bad.txt` passes', '`sh src/test.sh` passes');
  house.task('bad', contract);
  await house.run('run');
  return house;
}

/** The runner runs them for the result of the shell, and again in review. */
const outcomeOf = (house: House, attempt: string): string => {
  const [state = ''] = house.where('bad');
  return house.read(`active_tasks/${state}/bad/attempts/${attempt}/outcome.md`);
};

test('what a check changes beyond the permissions of its task is noticed with its name', async () => {
  const house = await checked('echo owned > docs/d.txt; rm base.txt; mkdir out; touch out/a out/b');
  expect(house.where('bad')).toEqual(['done']);
  const outcome = outcomeOf(house, '0001');
  expect(outcome).toContain(
    'run: sh src/test.sh: write docs/d.txt: the contract lets it write src/**',
  );
  expect(outcome).toContain('run: sh src/test.sh: delete base.txt: ');
  expect(outcome).toMatch(/create out\/a: [^\n]*; and 1 more in out\//);
  expect(outcomeOf(house, '0002')).toContain('run: sh src/test.sh: write docs/d.txt: ');
  expect((await house.run('list', '--all')).out).toMatch(/noticed \d changes/);
});

test('what it changes within them is not told', async () => {
  const house = await checked('echo built > src/built.txt');
  expect(house.where('bad')).toEqual(['done']);
  for (const one of ['0001', '0002']) expect(outcomeOf(house, one)).not.toContain('noticed');
  const open = await checked('echo built > out.txt', '');
  expect(open.where('bad')).toEqual(['done']);
  for (const one of ['0001', '0002']) expect(outcomeOf(open, one)).not.toContain('noticed');
});

test('a role that a check makes is not called', async () => {
  const role =
    'mkdir -p .agents/agents; printf -- "---\\ndescription: x\\n---\\nx\\n" > .agents/agents/builder.md';
  const house = await checked(role);
  expect(outcomeOf(house, '0001')).toContain('create .agents/agents/builder.md');
  house.task('next', shellContract('next', { head: 'agent: builder' }));
  const { out } = await house.run('run');
  expect(out).toContain('fault: .agents/agents/builder.md changed while attempt 1 of bad ran');
  expect(house.where('next')).toEqual(['ready']);
});

test('settings of a client', async () => {
  const house = await checked('mkdir -p .claude; echo {} > .claude/settings.json');
  expect(outcomeOf(house, '0001')).toContain('create .claude/settings.json');
});
