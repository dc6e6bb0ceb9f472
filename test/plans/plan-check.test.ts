/**
 * What `contracts plan check` says of a plan.md: the place of each thing that is wrong and the words that
 * help. Plans are written into a folder of this test's own; nobody is called.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { saidHere } from '../support/command-room.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('plan-check');
  mkdirSync(join(root, '.contracts'));
  writeFileSync(join(root, '.contracts/config.yaml'), 'adapter: human\n');
});

const saidAt = (columns: number | undefined, ...argv: string[]) =>
  saidHere(['-C', root, ...argv], { env: { PATH: '', HOME: join(root, 'home') } }, columns);
const said = (...argv: string[]) => saidAt(undefined, ...argv);

const write = (path: string, text: string): void => putFile(join(root, path), text);

/** Problems of the plan as `line:col severity: words`. */
async function checked(text: string): Promise<string[]> {
  write('.contracts/plans/p/plan.md', text);
  const { out } = await said('plan', 'check', 'p');
  return out.split('\n').flatMap((line) => {
    const [, place, words] = /^\.contracts\/plans\/p\/plan\.md:(\d+:\d+): (.*)$/.exec(line) ?? [];
    return place === undefined ? [] : [`${place} ${words}`];
  });
}

const ITEM = '- [ ] Do it (executor: @dev, files: `a.txt`)';

/** The plan, and how the one thing that is said of it begins and what it must say. */
const CASES: readonly (readonly [what: string, plan: string, begins: string, says: string])[] = [
  ['a squad', `# P\n\nSquad: nowhere\n\n${ITEM}\n`, '3:1 error: there is no such squad', 'nowhere'],
  [
    'a squad in the title',
    `\n# P (squad: nowhere)\n\n${ITEM}\n`,
    '2:1 error: there is no',
    'nowhere',
  ],
  [
    'a squad in front matter',
    `---\ntitle: P\nsquad: nowhere\n---\n${ITEM}\n`,
    '3:1 error: there is no',
    'nowhere',
  ],
  [
    'an agent at checkpoints',
    `# P\nCheckpoint: @nobody\n\n## Wave 1\n${ITEM}\n\n## Wave 2\n- [ ] Go on (files: \`b.txt\`)\n`,
    '2:1 error: this agent does not exist',
    '@nobody',
  ],
  [
    'a type of contract',
    `# P\n\nContract Type: poem\n\n${ITEM}\n`,
    '3:1 warning: an unknown contract type: custom is used',
    'poem',
  ],
  [
    'a wave in a plain line',
    `# P\n\n${ITEM}\n\nWave 2:\n\n- [ ] Go on (files: \`b.txt\`)\n`,
    '5:1 warning: a plain line does not begin a wave',
    'Make it a heading: ## Wave 2',
  ],
  [
    'a wave in a plain line right below an item',
    `# P\n\n${ITEM}\nWave 2\n- [ ] Go on (files: \`b.txt\`)\n`,
    '4:1 warning: a plain line does not begin a wave',
    '## Wave 2',
  ],
  [
    'a wave as a bullet',
    `# P\n\n${ITEM}\n\n- Wave 3 — the rest\n  - [ ] Go on (files: \`b.txt\`)\n`,
    '5:1 warning: a plain line does not begin a wave',
    '## Wave 3',
  ],
  [
    'a number that two items have',
    `# P\n\n- [ ] 1. A (files: \`a\`)\n- [ ] 1. B (files: \`b\`)\n- [ ] 2. C (files: \`c\`, depends: 1)\n`,
    '5:1 error: this may mean several items',
    'found 1, expected a (line 3), b (line 4)',
  ],
  [
    'a title that two items have',
    `# P\n\n- [ ] A (files: \`a\`, id: x)\n- [ ] A (files: \`b\`, id: y)\n- [ ] C (files: \`c\`, depends: A)\n`,
    '5:1 error: this may mean several items',
    'depends: x',
  ],
  [
    'a key without its colon',
    `# P\n\n- [ ] A (files: \`a\`)\n- [ ] B (files: \`b\`, executor: person; depends A)\n`,
    '4:1 warning: a colon is missing after depends',
    'depends A',
  ],
  [
    'a dependency that names nothing here',
    `# P\n\n- [ ] A (depends on the weather)\n`,
    '3:1 warning: "depends on the weather" does not count as a dependency',
    'write what it waits for: (depends: T012, Title)',
  ],
  [
    'a dependency behind a dash',
    `# P\n\n- [ ] A — depends: B\n`,
    '3:1 warning: — depends: B is ignored',
    '(depends: B)',
  ],
  [
    'a first key without its colon',
    `# P\n\n- [ ] A (executor @dev)\n`,
    '3:1 warning: (executor @dev) is ignored, a colon is missing',
    '(executor: @dev)',
  ],
  [
    'a key without its colon among dependencies',
    `# P\n\n- [ ] A (files: \`a\`)\n- [ ] B (files: \`b\`, depends: A, verify tests)\n`,
    '4:1 error: this depends on something that does not exist',
    'write a colon after it: verify: tests',
  ],
  [
    'a wave that is not there among dependencies',
    `# P\n\n## Wave 1\n- [ ] A (files: \`a\`)\n\n## Wave 3\n- [ ] B (files: \`b\`, depends: wave 7)\n`,
    '7:1 error: this depends on something that does not exist',
    'Name a wave that has items: 1, 3',
  ],
  [
    'a key without its colon among verifiers',
    `# P\n\n- [ ] A (files: \`a\`, verify: file_exists; reviewer @qa)\n`,
    '3:1 error: an unknown verifier',
    'write a colon after it: reviewer: @qa',
  ],
  ...['yes', 'on', 'all is well'].map(
    (word) =>
      [
        `a checkpoint that says ${word}`,
        `# P\nCheckpoint: ${word}\n\n${ITEM}\n`,
        '2:1 error: this is not a valid checkpoint mode',
        'Write auto (no decision), interactive (a person) or an agent',
      ] as const,
  ),
  ...['dev, marketing', 'dev + marketing', 'dev and marketing'].map(
    (word) =>
      [
        `squads: ${word}`,
        `# P\nSquad: ${word}\n\n${ITEM}\n`,
        '2:1 error: a plan has one squad',
        '## Squad: name',
      ] as const,
  ),
  ...(
    [
      ['Squads: marketing', 'plans have no key Squads; did you mean squad?'],
      ['Checkpiont: auto', 'plans have no key Checkpiont; did you mean checkpoint?'],
      ['**One at time**: yes', 'plans have no key One at time; did you mean one at a time?'],
      ['- Contract tpye: case', 'plans have no key Contract tpye; did you mean contract type?'],
      ['Exectuor: @dev', 'items have no key Exectuor; did you mean executor?'],
    ] as const
  ).map(
    ([line, says]) =>
      [`${line} in the head`, `# P\n${line}\n\n${ITEM}\n`, '2:1 warning:', says] as const,
  ),
  ...(
    [
      ['  **Exectuor**: @dev', 'items have no key Exectuor; did you mean executor?'],
      ['  - **Depend on**: a', 'items have no key Depend on; did you mean depends on?'],
      ['  - **Fiels**: x.md', 'items have no key Fiels; did you mean files?'],
      ['  **Squad**: dev | **Reviwer**: @qa', 'items have no key Reviwer; did you mean reviewer?'],
      ['  - Exectuor: @dev', 'items have no key Exectuor; did you mean executor?'],
      ['  Excutor: @dev', 'items have no key Excutor; did you mean executor?'],
    ] as const
  ).map(
    ([line, says]) =>
      [`${line} below an item`, `# P\n\n${ITEM}\n${line}\n`, '4:1 warning:', says] as const,
  ),
  ...(
    [
      ['Nine - executor: person', '(executor: person)'],
      ['Ten [executor: person]', '(executor: person)'],
      ['Ten {Executor: person}', '(Executor: person)'],
      ['Ten (Executor = person)', '(Executor: person)'],
      ['Ten (files: `a.txt`) [reviewer: @qa]', '(reviewer: @qa)'],
      ['Ten [files: `a.txt`]', '(files: `a.txt`)'],
      ['Ten — *files*: `a.txt`', '(files: `a.txt`)'],
      ['Ten — **files:** `a.txt`', '(files: `a.txt`)'],
    ] as const
  ).map(
    ([title, meant]) =>
      [
        title,
        `# P\n\n- [ ] ${title}\n`,
        '3:1 warning:',
        `is ignored; attributes need round brackets: ${meant}`,
      ] as const,
  ),
  [
    'an agent behind a title',
    '# P\n\n- [ ] Ten @builder\n',
    '3:1 warning:',
    '@builder does not name an executor there; write (executor: @builder)',
  ],
];

test.each(CASES.map(([what, plan, begins, says]) => ({ what, plan, begins, says })))(
  '$what',
  async ({ plan, begins, says }) => {
    const found = await checked(plan);
    expect(found).toHaveLength(1);
    expect(found[0]?.slice(0, begins.length)).toBe(begins);
    expect(found[0]).toContain(says);
  },
);

test.each(['# P\nSquad: s2\n\n- [ ] A', '# P\n\n- [ ] A (squad: s2)'])(
  'of a squad whose file is broken the reason is told, and no agent: %j',
  async (head) => {
    write('.contracts/squads/s2/SQUAD.yaml', 'name: s2\nagents: [\n');
    const plan = `${head} (executor: @writer, files: \`a.txt\`, reviewer: @critic)\n`;
    const found = await checked(plan);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^[23]:1 error: this squad cannot be used /);
    expect(found[0]).toContain(
      '(.contracts/squads/s2/SQUAD.yaml:3: squad s2 is left out: a bracket is not closed',
    );
    expect(found[0]).not.toContain('Did you mean');
  },
);

test.each([
  `# P\n\nWave 1 is for the ground, wave 2 for the rest.\n\n${ITEM}\n`,
  `# P\n\n- Wave 1: ground\n- Wave 2: the rest\n\n## Wave 1\n${ITEM}\n\n## Wave 2\n- [ ] B (files: \`b\`)\n`,
  `# P\n\n- [ ] A (after the storm)\n`,
  `# P\n\n- [ ] A (files: \`a\`)\n- [ ] Check links (files: \`b\`)\n- [ ] C (files: \`c\`, depends: A, Check links)\n`,
  `# P\n\nReview: soon\nVerified: by nobody\nNotes: a, b\n**Squid**\n\n${ITEM}\n`,
  `# P\n\n${ITEM}\n  - Review: soon\n  **Execution**: at night\n  **Deliverable 1**: all\n  Still: it rains\n`,
  `# P\n\n- [ ] See [executor: person](x.md) and \`[executor: person]\` (files: \`a\`)\n`,
  `# P\n\n- [ ] Write to ann@builder, and to \`@builder\` (files: \`a\`)\n`,
  `# P\n\n- [ ] Say what files: mean - all of them (files: \`a\`)\n`,
])('nothing is said of %j', async (plan) => {
  const found = await checked(plan);
  expect(found).toEqual([]);
});

test.each([
  ['- [ ] A (files: `a`)', '3:1', 'name who does it: (executor: @name)'],
  [
    '- [ ] A (files: `a`, executor: @builder)',
    '3:1',
    'Say in .contracts/config.yaml how builder is called (adapter: human, or the client',
  ],
])('where the shell has nothing to run the cure is one that helps: %s', async (item, at, says) => {
  write('.contracts/config.yaml', 'adapter: shell\n');
  const all = await checked(`# P\n\n${item}\n`);
  // There is no program here, and that is told as well.
  const found = all.filter((one) => !one.includes('is not installed'));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(`${at} error: no agent is configured`);
  expect(found[0]).toContain(says);
});

test('an item of several executors is named once by what comes after it', async () => {
  const plan =
    '# P\n\n## Wave 1\n- [ ] A (files: `a`)\n- [ ] Two steps (executor: @dev, @po, files: `b`)\n\n## Wave 2\n- [ ] C (files: `c`)\n';
  write('.contracts/plans/p/plan.md', plan);
  const { out } = await said('plan', 'start', 'p', '--dry-run');
  expect(out).toContain('after a, two-steps\n');
  expect(out).not.toContain('two-steps, two-steps');
});

test('at a terminal what is wrong is wrapped between words, and into a file it is one line', async () => {
  write('.contracts/plans/p/plan.md', `# P\nCheckpoint: yes\n\n${ITEM}\n`);
  const file = await said('plan', 'check', 'p');
  const screen = await saidAt(80, 'plan', 'check', 'p');
  const [wide, narrow] = [file.out.trimEnd().split('\n'), screen.out.trimEnd().split('\n')];
  expect(wide).toHaveLength(2);
  expect(narrow.length).toBeGreaterThan(3);
  expect(narrow.filter((line) => line.length > 80)).toEqual([]);
  expect(narrow.map((line) => line.trim()).join(' ')).toBe(wide.join(' '));
});

test('with a key that has no colon the item is as it was meant', async () => {
  const plan = '- [ ] A (files: `a`)\n- [ ] B (executor: person; depends A)\n';
  write('.contracts/plans/p/plan.md', plan);
  const { out } = await said('plan', 'start', 'p', '--dry-run', '--json');
  const drafts = out.split('\n').filter((line) => line.includes('"plan_draft"'));
  const [a, b] = drafts.map((line) => JSON.parse(line) as { id: string; depends_on: string[] });
  expect(b?.depends_on).toEqual([a?.id]);
});

test.each(['Launch', 'my launch', 'Été_2026'])('a plan in the folder %j is told', async (name) => {
  write(`.contracts/plans/${name}/plan.md`, `# P\n\n${ITEM}\n`);
  const says = `.contracts/plans/${name}/plan.md:1:1: error: this folder name is not a valid plan name`;
  const checked = await said('plan', 'check');
  expect(checked.code).toBe(1);
  expect(checked.out).toContain(says);
  for (const verb of ['list', 'status']) expect((await said('plan', verb)).err).toContain(says);
  for (const verb of ['check', 'start', 'status']) {
    const { code, err } = await said('plan', verb, name);
    expect(code).toBe(2);
    expect(err).toContain('is not a valid plan name');
    expect(err).toContain('Rename the folder: ');
  }
});
