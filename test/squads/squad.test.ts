/**
 * `contracts squad`: what its verbs print and say as data, that a new squad is whole, that nothing is
 * replaced, and that squad_valid looks at what lies there.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { inSquad } from '../../src/squads/engine/apply-squad.ts';
import { invalidSquad } from '../../src/squads/engine/check-squad.ts';
import { parseContract } from '../../src/task/text/documents/contract.ts';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { saidHere } from '../support/command-room.ts';
import { openedAt } from '../support/opened.ts';

let root = '';
beforeEach(async () => {
  root = sealedFolder('squad');
  await said('init');
});

function said(...argv: string[]) {
  const env = { PATH: '', HOME: join(root, 'home') };
  return saidHere(['-C', root, ...argv], { env });
}

function workspace() {
  return openedAt(root, { env: { PATH: '' } });
}

test('list, show and check say as data what they print', async () => {
  const listed = checkedLines((await said('squad', 'list', '--json')).out);
  expect(listed.map((line) => line.event === 'squad' && line.name)).toEqual(['dev', 'marketing']);
  const [story] = checkedLines((await said('squad', 'show', 'marketing', '--json')).out);
  expect(story).toMatchObject({
    event: 'squad_story',
    usable: true,
    chief: 'marketing/brand-chief',
    default_executor: 'marketing/copywriter',
    problems: [],
  });
  const checked = await said('squad', 'check', '--json');
  expect(checkedLines(checked.out)).toEqual([
    { v: 1, event: 'squads_checked', squads: ['dev', 'marketing'], problems: [] },
  ]);
  expect(checked.code).toBe(0);
});

test('plan new takes several squads, by one option or by many', async () => {
  for (const flags of [
    ['--squad', 'marketing', '--squad', 'dev'],
    ['--squad', 'marketing, dev'],
  ]) {
    const { code, err } = await said('plan', 'new', 'launch the app', ...flags);
    expect(code).toBe(0);
    expect(err).toContain('For the squad marketing, with sections for dev.');
  }
});

test('its workflows are shown with what they say that they are for', async () => {
  expect((await said('squad', 'show', 'marketing')).out).toMatch(
    /Workflows, to be read\n +workflows\/campaign\.yaml: Research, message/,
  );
});

test('a plan may verify by squad_valid and plan_valid', async () => {
  const file = '.contracts/plans/p/plan.md';
  mkdirSync(join(root, '.contracts/plans/p'), { recursive: true });
  writeFileSync(
    join(root, file),
    '- [ ] A squad (executor: person, verify: `squad_valid: legal`)\n- [ ] A plan (executor: person, verify: plan_valid, files: `.contracts/plans/q/plan.md`)\n',
  );
  const checked = await said('plan', 'check', 'p');
  expect(checked.out).toContain('p: 0 errors, 0 warnings, 2 contracts of 2 items.\n');
});

test('words point to a squad', async () => {
  const { out } = await said('squad', 'list', '--for', 'a newsletter for the launch', '--json');
  expect(checkedLines(out)).toMatchObject([{ name: 'marketing', how: 'inferred' }]);
});

test('one that is not there: what was meant, and where to look', async () => {
  const { code, err } = await said('squad', 'show', 'marketin');
  expect(err).toContain('Did you mean marketing?');
  expect(code).toBe(2);
});

test('a new one is whole, and is never made twice', async () => {
  expect((await said('squad', 'new', 'legal')).code).toBe(0);
  expect(await said('squad', 'check', 'legal')).toMatchObject({
    code: 0,
    out: '1 squad: all is well.\n',
  });
  const file = join(root, '.contracts/squads/legal/SQUAD.yaml');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n# mine\n`);
  expect((await said('squad', 'new', 'legal')).code).toBe(2);
  expect(readFileSync(file, 'utf8')).toContain('# mine');
});

test.each([
  ['dev', 'dev now means this squad alone; it replaces the built-in one.\n'],
  ['legal', ''],
])('a new one that hides another is told: %s', async (name, told) => {
  const { code, err } = await said('squad', 'new', name);
  expect(code).toBe(0);
  expect(err).toBe(
    `${told}Next: describe what its agents do, then contracts squad check ${name}\n`,
  );
});

test.each(['../out', 'a/b', '.hidden', '', 'chief-of-staff', 'a b'])(
  'no squad is called %j',
  async (name) => {
    const { code } = await said('squad', 'new', name);
    expect(code).toBe(2);
  },
);

test('check says what is missing, and with what it can be mended', async () => {
  putFile(
    join(root, '.contracts/squads/torn/SQUAD.yaml'),
    `agents: { maker: { skills: [nowhere] } }
default_executor: maker
default_reviewer: maker
categories: { a: { agent: mker } }
`,
  );
  const { code, out } = await said('squad', 'check', 'torn');
  expect(code).toBe(1);
  for (const words of [
    'it has no description',
    'names an unknown agent (found mker). Did you mean maker?',
    'would review its own work',
    'without a description',
    'without instructions',
    'it names a skill that does not exist (found nowhere)',
  ]) {
    expect(out).toContain(words);
  }
});

const EVERYTHING = `name: torn
description: All of it is wrong
checkpoint_mode: sometimes
quality_gates: "yes"
agents:
  maker:
    description: Makes
    prompt: Make it
    timeout: 5
    git: [fly]
  clerk: { description: Notes, prompt: Note it, skills: [known, nowhere] }
  ghost:
skills:
  - absent
categories:
  a:
    agent: mker
  b: fast
checks:
  spelling:
    - "run:"
default_reviewer: nobody
colour: red
`;

test('everything that is wrong is told in one run, each at its place', async () => {
  const folder = join(root, '.contracts/squads/torn');
  mkdirSync(join(folder, 'agents'), { recursive: true });
  writeFileSync(join(folder, 'SQUAD.yaml'), EVERYTHING);
  writeFileSync(join(folder, 'agents/clerk.md'), '---\nmodel: x\nretries_max: lots\n---\nx\n');
  const { out } = await said('squad', 'check', 'torn');
  const places = out.split('\n').flatMap((line) => {
    const [, place, message] =
      /^\.contracts\/squads\/torn\/(\S+): (?:warning|error): (.*)$/.exec(line) ?? [];
    return place === undefined ? [] : [`${place} ${message?.slice(0, 200)}`];
  });
  expect(places.map((one) => one.split(' ')[0])).toEqual([
    'SQUAD.yaml:3:1',
    'SQUAD.yaml:4:1',
    'SQUAD.yaml:9:5',
    'SQUAD.yaml:10:11',
    'SQUAD.yaml:12:3',
    'SQUAD.yaml:14:5',
    'SQUAD.yaml:17:5',
    'SQUAD.yaml:18:3',
    'SQUAD.yaml:21:7',
    'SQUAD.yaml:22:1',
    'SQUAD.yaml:23:1',
    'agents/clerk.md:3:1',
  ]);
  for (const [i, words] of [
    [0, 'squad torn is left out: checkpoint_mode'],
    [2, 'agent torn/maker is left out: timeout'],
    [4, 'agents names an unknown agent (found ghost)'],
    [5, 'it names a skill that does not exist (found absent)'],
    [8, 'an invalid check is left out: run has no command'],
    [11, 'agent torn/clerk is left out: retries_max'],
  ] as const) {
    expect(places[i]).toContain(words);
  }
});

test('a name that nobody knows is shown as one, and is offered to nobody', async () => {
  putFile(
    join(root, '.contracts/squads/odd/SQUAD.yaml'),
    'description: x\nagents: [dev, ghost]\nskills: [nowhere]\nchief: dev\ndefault_executor: ghots\n',
  );
  const { out, err } = await said('squad', 'show', 'odd');
  expect(out).toContain('agents        dev, ghost (unknown)');
  expect(out).toContain('by ghots (unknown)');
  expect(out).toContain('skills        nowhere (unknown)');
  expect(err).toContain('SQUAD.yaml:2:15: error: agents names an unknown agent');
  const [story] = checkedLines((await said('squad', 'show', 'odd', '--json')).out);
  expect(story).toMatchObject({ unknown: ['ghost', 'nowhere', 'ghots'] });
  const made = await said('plan', 'new', 'something', '--squad', 'odd', '--name', 'some');
  const contract = readFileSync(join(root, made.out.trim()), 'utf8');
  expect(contract).toContain('`dev`');
  expect(contract).not.toContain('`ghost`');
  writeFileSync(
    join(root, '.contracts/plans/some/plan.md'),
    '# P\nSquad: odd\n\n- [ ] Do it (executor: @ghost, verify: person)\n',
  );
  const checked = await said('plan', 'check', 'some');
  expect(checked.out).toContain('plan.md:4:1: error: this agent does not exist (found @ghost');
  expect(checked.out).toContain('expected @dev, or one of those');
});

test('create writes a contract whose check looks at what lies there', async () => {
  const { out } = await said('squad', 'create', 'contract law', '--name', 'law', '--json');
  const [made] = checkedLines(out);
  const file = join(root, made?.event === 'created' ? made.file : '');
  const text = readFileSync(file, 'utf8');
  const read = parseContract(text, 'contract.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  expect(read.value.head).toMatchObject({
    agent: 'squad-creator',
    deliverables: ['.contracts/squads/law/SQUAD.yaml'],
    quality_gate: ['person'],
  });
  const valid = (said_name?: string) => invalidSquad(workspace(), root, read.value, said_name);
  expect(valid('law')).toContain('there is no squad law');
  expect(valid()).toContain('there is no squad');
  await said('squad', 'new', 'law');
  expect([valid(), valid('law'), valid('.contracts/squads/law')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  rmSync(join(root, '.contracts/squads/law/agents'), { recursive: true });
  expect(valid()).toContain('names an unknown agent');
});

test('who reviews is never who does the work, and a checkpoint is nobody’s work', () => {
  const ws = workspace();
  const gates = (head: string): readonly string[] => {
    const read = parseContract(`---\nsquad: marketing\n${head}---\n\n# T\n`, 'contract.md');
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return inSquad(ws, read.value).head.quality_gate;
  };
  expect(gates('')).toEqual(['marketing/brand-reviewer']);
  expect(gates('agent: brand-reviewer\n')).toEqual(['person']);
  expect(gates('agent: analyst\nquality_gate: copywriter\n')).toEqual(['marketing/copywriter']);
  expect(gates('type: checkpoint\n')).toEqual([]);
});

test('a warning is no error: of check, and of squad_valid', async () => {
  const folder = join(root, '.contracts/squads/law');
  mkdirSync(join(folder, 'agents'), { recursive: true });
  const yaml = 'description: Contract law\nagents: [lead, clerk, judge]\nchief: lead\n';
  writeFileSync(join(folder, 'squad.yaml'), `${yaml}default_reviewer: judge\nskills: [Verträge]\n`);
  for (const name of ['lead', 'clerk', 'judge'])
    writeFileSync(join(folder, `agents/${name}.md`), '---\nname: x\n---\nWork.\n');
  const checked = await said('squad', 'check', 'law');
  expect(checked.out).toContain('warning: an agent without a description (found clerk)');
  expect(checked.out).toContain('it names a skill that does not exist (found Verträge)');
  expect(checked.code).toBe(0);
  const read = parseContract('---\nverify: [squad_valid]\n---\n\n# T\n', 'contract.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  expect(invalidSquad(workspace(), root, read.value, 'law')).toBeUndefined();
  expect(invalidSquad(workspace(), root, read.value, '.contracts/squads/law')).toBeUndefined();
  mkdirSync(join(folder, 'skills/Verträge'), { recursive: true });
  writeFileSync(join(folder, 'skills/Verträge/skill.md'), '---\ndescription: x\n---\nSo.\n');
  expect((await said('squad', 'check', 'law')).out).not.toContain('Verträge');
  expect((await said('squad', 'show', 'law')).out).toContain('work          by law/clerk');
  writeFileSync(join(folder, 'squad.yaml'), `${yaml}default_reviewer: nobody\n`);
  const wrong = invalidSquad(workspace(), root, read.value, 'law') ?? '';
  expect(wrong.match(/names an unknown agent/g)).toHaveLength(1);
  expect(wrong).not.toContain('description');
  expect((await said('squad', 'check', 'law')).code).toBe(1);
});
