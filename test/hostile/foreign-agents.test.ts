/**
 * An agent that was written for another tool bears the name of a built-in role: the name gives it none
 * of that role's permissions. What its own file says in our keys, and what `.contracts/` says, holds.
 */
import { expect, test } from 'vitest';
import { BUILT_IN_AGENTS, ROLES } from '../../src/permissions/core/roles.ts';
import { OPEN } from '../../src/task/core/model/permissions.ts';
import { ownPermissions } from '../../src/permissions/engine/enforce/effective-permissions.ts';
import { roleOf } from '../../src/agents/engine/roles.ts';
import { makeHouse, type House } from './house.ts';
import { openedAt } from '../support/opened.ts';

const file = (more = ''): string => `---\nname: x\ndescription: mine\n${more}---\nI do all.\n`;

function allowedOf({ root }: House, name: string) {
  const env = { PATH: '', HOME: `${root}/home`, CONTRACTS_TRUST: '1' };
  const ws = openedAt(root, { env });
  const { write, create, append, git, ...rest } = ownPermissions(ws.layout, roleOf(ws, name));
  return { write, create, append, delete: rest.delete, git };
}

const { write, create, append, git } = OPEN;
const STRANGER = { write, create, append, delete: OPEN.delete, git };
const ROLE_NAMES = BUILT_IN_AGENTS.filter((name) => !name.includes('/'));

test.each([
  '.claude/agents',
  '.opencode/agent',
  '.gemini/agents',
  '.codex/agents',
  '.agents/agents',
  'home/.claude/agents',
  'home/.config/opencode/agents',
])('%s: a name gives nothing, whichever of the roles it is', (folder) => {
  const house = makeHouse({ neighbour: false });
  for (const name of ROLE_NAMES) house.write(`${folder}/${name}.md`, file());
  for (const name of ROLE_NAMES) expect(allowedOf(house, name), name).toEqual(STRANGER);
});

test('what its own file says in our keys holds, and settings do not make it the role', () => {
  const house = makeHouse({
    neighbour: false,
    config: 'agents:\n  qa: { model: m }\n',
  });
  house.write('.claude/agents/devops.md', file('write: [ci/**]\ngit: [add]\n'));
  house.write('.claude/agents/qa.md', file());
  house.write('.claude/agents/pm.md', file('tools: Read, Grep\n'));
  expect(allowedOf(house, 'devops')).toMatchObject({ write: ['ci/**'], append: [], git: ['add'] });
  expect(allowedOf(house, 'qa')).toEqual(STRANGER);
  expect(allowedOf(house, 'pm')).toMatchObject({ write: [], create: [], git: [] });
});

test('a file of ours, and settings alone, change the role and keep its row', () => {
  const house = makeHouse({ neighbour: false, config: 'agents:\n  qa: { model: m }\n' });
  house.write('.contracts/agents/devops.md', file());
  house.write('home/.config/contracts/agents/pm.md', file());
  for (const name of ['devops', 'pm', 'qa']) {
    expect(allowedOf(house, name)).toMatchObject({ git: ROLES.get(name)?.permissions.git });
    expect(allowedOf(house, name)).toMatchObject({ write: ROLES.get(name)?.permissions.write });
  }
});

test('a tool that nobody knows is reported by check and agents, and not by a step', async () => {
  const house = makeHouse({ neighbour: false });
  house.write('.claude/agents/helper.md', file('tools: [read, execute, todo, frobnicate]\n'));
  const said = '.claude/agents/helper.md:4:1: warning: unknown tools';
  expect((await house.run('check')).out.split(said)).toHaveLength(2);
  const agents = await house.run('agents');
  expect(`${agents.out}${agents.err}`.split(said)).toHaveLength(2);
  const head = 'v: 1\ntitle: a\nagent: helper\nadapter: shell\nverify: [{ run: "true" }]';
  house.task(
    'a',
    `---\n${head}\n---\n\n# a\n\n## Success Criteria\n\n- [ ] \`true\` passes\n\n## Steps\n\n\`\`\`sh\ntrue\n\`\`\`\n`,
  );
  const ran = await house.run('run');
  expect(house.where('a')).toEqual(['done']);
  expect(ran.out + ran.err).not.toContain('frobnicate');
});
