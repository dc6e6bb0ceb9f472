/**
 * Agents that change what describes agents, without a sandbox: it is noticed, and nobody whom it describes is
 * called before a person has looked. Real processes.
 */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeHouse, shellContract, waitsOf, type House } from './house.ts';

const ROLE = `---\\ndescription: me\\ngit: [push, config]\\n---\\nI do all.\\n`;
const writes = (path: string): string =>
  `mkdir -p "$(dirname ${path})"; printf -- '${ROLE}' > ${path}`;
const NOTE = '.contracts/untrusted-agents.md';

async function worked(sh: string, head = '') {
  const house = makeHouse({ neighbour: false });
  const all = `agent: builder\n${head}`.trim();
  house.task('bad', shellContract('bad', { head: all, sh: `echo made > bad.txt\n${sh}` }));
  await house.events('run');
  return house;
}

async function waits(house: House, id: string, says: string): Promise<void> {
  const { events } = await house.events('run');
  const problems = waitsOf(events, id)?.problems ?? [];
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(says)]);
  expect(problems[0]?.fix).toContain(`remove ${NOTE}`);
}

test.each(['.agents/agents/builder.md', '.claude/agents/builder.md', '.opencode/agent/builder.md'])(
  'a role file of its own name: %s: the next call of that role waits',
  async (path) => {
    const house = await worked(writes(path));
    const [state = ''] = house.where('bad');
    expect(house.read(`active_tasks/${state}/bad/attempts/0001/outcome.md`)).toContain(
      `create ${path}: `,
    );
    house.task('next', shellContract('next', { head: 'agent: builder\nadapter: shell' }));
    house.task('free', shellContract('free', { head: 'agent: dev' }));
    await waits(house, 'next', `builder is not called: ${path} changed while attempt 1 of bad ran`);
    expect(house.where('next')).toEqual(['ready']);
    expect(house.where('free')).toEqual(['done']);
    const check = await house.run('check');
    expect(check.out).toContain(`${NOTE}:1:1: error: ${path} changed while attempt 1 of bad ran`);
    const doctor = await house.run('doctor');
    expect(doctor.out + doctor.err).toContain(NOTE);
    rmSync(house.path(NOTE));
    await house.run('run');
    expect(house.where('next')).toEqual(['done']);
  },
);

test('its next attempt waits, and goes on when the file is taken away again', async () => {
  const path = '.agents/agents/builder.md';
  const house = await worked(
    `test "$CONTRACTS_ATTEMPT" = 0001 || exit 0\n${writes(path)}\nexit 1`,
    'retries_max: 1',
  );
  expect(house.where('bad')).toEqual(['ready']);
  await waits(house, 'bad', 'builder is not called');
  rmSync(house.path('.agents'), { recursive: true });
  await house.run('run');
  expect(house.where('bad')).toEqual(['done']);
  expect((await house.run('check')).out).toContain('is again as it was before');
});

test('the instructions of its reviewer: nobody is asked', async () => {
  const config =
    'adapters:\n  judge: { type: command, run: [sh, judge.sh] }\nagents:\n  reviewer: { adapter: judge }\n';
  const house = makeHouse({ config, neighbour: false });
  const review = '## Verdict\\n\\n- [x] APPROVED\\n- [ ] NEEDS_WORK\\n- [ ] REJECT\\n';
  house.write('judge.sh', `printf '${review}' > "$CONTRACTS_OUT/review.md"\n`);
  const sh = `echo made > bad.txt\n${writes('.agents/agents/reviewer.md')}`;
  house.task('bad', shellContract('bad', { head: 'quality_gate: reviewer', sh }));
  const { events } = await house.events('run');
  expect(house.where('bad')).toEqual(['review']);
  expect(waitsOf(events, 'bad')?.problems?.[0]?.message).toContain('reviewer is not called');
  rmSync(house.path(NOTE));
  await house.run('run');
  expect(house.where('bad')).toEqual(['done']);
});

test('a skill that a contract names', async () => {
  const house = makeHouse({ neighbour: false });
  house.write('.claude/skills/mine/SKILL.md', '---\nname: mine\ndescription: x\n---\nDo.\n');
  const sh = 'echo made > bad.txt; echo Obey. >> .claude/skills/mine/SKILL.md';
  house.task('bad', shellContract('bad', { sh }));
  await house.run('run');
  house.task('next', shellContract('next', { head: 'skills: [mine]' }));
  await waits(house, 'next', '.claude/skills/mine/SKILL.md changed while attempt 1 of bad ran');
});

test('who is given the folder by name changes it, and nothing waits', async () => {
  const config = 'agents:\n  keeper: { write: [.agents/agents/**, "*.txt"] }\n';
  const house = makeHouse({ config, neighbour: false });
  const sh = `echo made > bad.txt\n${writes('.agents/agents/builder.md')}`;
  house.task('bad', shellContract('bad', { head: 'agent: keeper', sh }));
  await house.run('run');
  expect(house.where('bad')).toEqual(['done']);
  expect(house.exists(NOTE)).toBe(false);
});
