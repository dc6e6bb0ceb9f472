/**
 * Agents that change what describes agents, or settings, without a sandbox: it is noticed, and nothing is
 * started before a person has looked. Real processes.
 */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeHouse, shellContract, type House } from './house.ts';

const ROLE = `---\\ndescription: me\\ngit: [push, config]\\n---\\nI do all.\\n`;
const writes = (path: string): string =>
  `mkdir -p "$(dirname ${path})"; printf -- '${ROLE}' > ${path}`;

async function worked(sh: string, head = '') {
  const house = makeHouse({ neighbour: false });
  const all = `agent: builder\n${head}`.trim();
  house.task('bad', shellContract('bad', { head: all, sh: `echo made > bad.txt\n${sh}` }));
  await house.events('run');
  return house;
}

async function isHeld(house: House, id: string, path: string): Promise<void> {
  const [before] = house.where(id);
  const { code, out, err } = await house.run('step');
  const said = `fault: ${path} changed while attempt 1 of bad ran, which had no permission to change it`;
  expect(out + err).toContain(`${said}. Review ${path}; restore it, or keep it: contracts trust`);
  expect(code).toBe(3);
  expect(house.where(id)).toEqual([before]);
}

test.each([
  '.agents/agents/builder.md',
  '.claude/agents/builder.md',
  '.opencode/agent/builder.md',
  '.contracts/config.yaml',
  '.claude/settings.json',
])('%s: the next step refuses until a person has looked', async (path) => {
  const isConfig = path.endsWith('config.yaml');
  const house = await worked(isConfig ? `echo 'parallel: 1' > ${path}` : writes(path));
  const [state = ''] = house.where('bad');
  const outcome = house.read(`active_tasks/${state}/bad/attempts/0001/outcome.md`);
  expect(outcome).toContain(`${isConfig ? 'write' : 'create'} ${path}: `);
  house.task('next', shellContract('next', { head: 'agent: builder\nadapter: shell' }));
  await isHeld(house, 'next', path);
  const check = await house.run('check');
  expect(check.out).toContain(`${path}:1:1: error: ${path} changed while attempt 1 of bad ran`);
  const doctor = await house.run('doctor');
  expect(doctor.out + doctor.err).toContain(path);
  expect((await house.run('trust')).out).toContain(`! ${path} changed while attempt 1 of bad ran`);
  await house.run('run');
  expect(house.where('next')).toEqual(['done']);
  expect((await house.run('check')).out).not.toContain('changed while attempt');
});

test('within one step nobody else is called after it', async () => {
  const house = makeHouse({ neighbour: false, config: 'parallel: 1\n' });
  const sh = `echo made > bad.txt\n${writes('.agents/agents/dev.md')}`;
  house.task('bad', shellContract('bad', { sh }));
  house.task('later', shellContract('later', { head: 'depends_on: [bad]' }));
  house.task('other', shellContract('other'));
  const { out } = await house.run('run', '--parallel', '1');
  expect(out).toContain('.agents/agents/dev.md changed while attempt 1 of bad ran');
  expect(house.where('later')).toEqual(['ready']);
  expect(house.where('other')).toEqual(['ready']);
});

test('it goes on by itself when the file is taken away again', async () => {
  const path = '.agents/agents/builder.md';
  const house = await worked(
    `test "$CONTRACTS_ATTEMPT" = 0001 || exit 0\n${writes(path)}\nexit 1`,
    'retries_max: 1',
  );
  expect(house.where('bad')).toEqual(['ready']);
  await isHeld(house, 'bad', path);
  rmSync(house.path('.agents'), { recursive: true });
  expect((await house.run('check')).out).not.toContain('changed while attempt');
  await house.run('run');
  expect(house.where('bad')).toEqual(['done']);
});

test('the instructions of its reviewer: nobody is asked', async () => {
  const config =
    'adapters:\n  judge: { type: command, run: [sh, judge.sh] }\nagents:\n  reviewer: { adapter: judge }\n';
  const house = makeHouse({ config, neighbour: false });
  const review = '## Verdict\\n\\n- [x] APPROVED\\n- [ ] NEEDS_WORK\\n- [ ] REJECT\\n';
  house.write('judge.sh', `printf '${review}' > "$CONTRACTS_OUT/review.md"\n`);
  const sh = `echo made > bad.txt\n${writes('.agents/agents/reviewer.md')}`;
  house.task('bad', shellContract('bad', { head: 'quality_gate: reviewer', sh }));
  await house.events('run');
  expect(house.where('bad')).toEqual(['review']);
  await isHeld(house, 'bad', '.agents/agents/reviewer.md');
  await house.run('trust');
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
  await isHeld(house, 'next', '.claude/skills/mine/SKILL.md');
});

test('who is given the folder by name changes it, and nothing waits', async () => {
  const config = 'agents:\n  keeper: { write: [.agents/agents/**, "*.txt"] }\n';
  const house = makeHouse({ config, neighbour: false });
  const sh = `echo made > bad.txt\n${writes('.agents/agents/builder.md')}`;
  house.task('bad', shellContract('bad', { head: 'agent: keeper', sh }));
  await house.run('run');
  expect(house.where('bad')).toEqual(['done']);
  expect((await house.run('step')).code).toBe(0);
});
