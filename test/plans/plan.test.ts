/**
 * Plans by the built command, with real files: from a list of boxes to tasks that are done, started
 * again, paused, and seen.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { stemOf } from '../../src/task/core/model/id.ts';
import { BINARY, contracts } from '../support/binary.ts';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('plan');
  const folders = ['.contracts', 'active_tasks', 'active_tasks/aborted'];
  for (const folder of folders) mkdirSync(join(root, folder));
});

const write = (path: string, text: string): void => putFile(join(root, path), text);

function plan(name: string, text: string): void {
  write(`.contracts/plans/${name}/plan.md`, text);
}

function tasks(state: string): string[] {
  try {
    return readdirSync(join(root, 'active_tasks', state)).sort();
  } catch {
    return [];
  }
}

function contractOf(state: string, begin: string): string {
  const id = tasks(state).find((one) => one.startsWith(begin));
  return readFileSync(join(root, 'active_tasks', state, id ?? begin, 'contract.md'), 'utf8');
}

const FLAT = `# A flat list

- [ ] Write \`a.txt\` (verify: file_exists)

  \`\`\`sh
  echo a > a.txt
  \`\`\`

- [ ] Write b (files: b.txt, verify: \`run: test -s b.txt\`, depends: 1)

  \`\`\`sh
  cat a.txt a.txt > b.txt
  \`\`\`

- [x] Done by hand
`;

describe('a flat list', () => {
  test('is started, worked on and done; started again, it makes nothing', async () => {
    plan('flat', FLAT);
    const dry = await contracts(root, ['plan', 'start', '--dry-run']);
    expect(dry.code, dry.stderr).toBe(0);
    expect(tasks('ready')).toEqual([]);
    const started = await contracts(root, ['plan', 'start', 'flat']);
    expect(started.code, started.stderr).toBe(0);
    expect(started.stdout).toContain('Made 2 tasks in ready; 1 item closed by hand');
    expect(tasks('ready')).toHaveLength(2);
    expect(contractOf('ready', 'write-b-')).toContain('- write-a-txt-');
    const ran = await contracts(root, ['run']);
    expect(ran.code, ran.stdout).toBe(0);
    expect(tasks('done')).toHaveLength(2);
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('a\na\n');
    const again = await contracts(root, ['plan', 'start', 'flat', '--json']);
    const lines = checkedLines(again.stdout);
    expect(lines.at(-1)).toMatchObject({ event: 'plan_started', made: 0, there: 2, closed: 1 });
    const status = await contracts(root, ['plan', 'status']);
    expect(status.stdout).toContain('3 of 3 done, 100%');
  });
});

test('run --plan runs the tasks of that plan alone; a name that no task has is refused', async () => {
  const item = (name: string) =>
    `- [ ] Write \`${name}.txt\` (verify: file_exists)\n\n  ~~~sh\n  echo x > ${name}.txt\n  ~~~\n`;
  plan('site', `# Site\n\n${item('a')}\n${item('b')}`);
  plan('shop', `# Shop\n\n${item('c')}`);
  for (const name of ['site', 'shop'])
    expect((await contracts(root, ['plan', 'start', name])).code).toBe(0);
  const own =
    '## Success Criteria\n\n- [ ] d.txt is there\n\n## Steps\n\n~~~sh\necho x > d.txt\n~~~\n';
  write('active_tasks/ready/own/contract.md', `---\ntitle: Own\n---\n\n${own}`);
  const made = () => ['a', 'b', 'c', 'd'].filter((one) => existsSync(join(root, `${one}.txt`)));
  const wrong = await contracts(root, ['run', '--plan', 'sit']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean site?')]);
  expect(made()).toEqual([]);
  const site = await contracts(root, ['run', '--plan', 'site']);
  expect(site.code, site.stdout).toBe(0);
  expect(made()).toEqual(['a', 'b']);
  expect(tasks('done')).toHaveLength(2);
  expect(tasks('ready')).toEqual(['own', expect.stringMatching(/^write-c-txt-/)]);
  const shop = await contracts(root, ['run', '--plan', 'shop', '--plan', 'site']);
  expect(shop.code, shop.stdout).toBe(0);
  expect(made()).toEqual(['a', 'b', 'c']);
  expect(tasks('ready')).toEqual(['own']);
});

const STATES = [
  'draft',
  'ready',
  'in_progress',
  'questions',
  'review',
  'blocked',
  'done',
  'aborted',
];

describe('a start that is killed', () => {
  const items = Array.from({ length: 60 }, (_, i) =>
    i === 0 ? '- [ ] Item 0' : `- [ ] Item ${i} (depends: item-${i - 1})`,
  );
  const switchFile = fileURLToPath(new URL('../support/killed-at.cjs', import.meta.url));
  const killedAt = (operation: number) =>
    contracts(root, ['plan', 'start', 'long'], [], {
      ...process.env,
      NODE_OPTIONS: `--require ${switchFile}`,
      CONTRACTS_TEST_KILLED_AT: `${operation}`,
    });

  // Before anything, within a folder that nobody sees yet, before and behind its rename, near the end.
  test.each([0, 4, 5, 6, 201, 202, 203, 340])(
    'at operation %d is completed by the next one, and every contract is there once',
    async (operation) => {
      everybodyWorks();
      plan('long', `# Long\n\n${items.join('\n')}\n`);
      const killed = await killedAt(operation);
      expect(killed.signal).toBe('SIGKILL');
      const before = tasks('ready').filter((name) => !name.startsWith('.'));
      expect(before.length).toBeLessThan(60);
      // What is there is whole, and waits for nothing that is not.
      const there = new Set(before);
      for (const id of before) {
        const needs = /^ {2}- (\S+-\w{4})$/m.exec(contractOf('ready', id))?.[1];
        expect(needs === undefined || there.has(needs), id).toBe(true);
      }
      const started = await contracts(root, ['plan', 'start', 'long', '--json']);
      expect(checkedLines(started.stdout).at(-1)).toMatchObject({
        made: 60 - before.length,
        there: before.length,
      });
      const names = tasks('ready').filter((name) => !name.startsWith('.'));
      expect(names).toHaveLength(60);
      for (const state of STATES.slice(2)) expect(tasks(state)).toEqual([]);
      const again = await contracts(root, ['plan', 'start', 'long']);
      expect(again.stdout).toContain('Made 0 tasks');
    },
  );
});

const AGENT = fileURLToPath(new URL('../support/plan-agent.mjs', import.meta.url));

/** Everybody is called, and does what the contract says. */
function everybodyWorks(): void {
  const run = JSON.stringify(['node', AGENT, '{{contract_file}}', '{{desk}}', '{{kind}}']);
  write(
    '.contracts/config.yaml',
    `adapter: all\nadapters:\n  all: { type: command, run: ${run} }\n`,
  );
}

const HOLIDAY = `# Plan: Holiday Marketing Campaign
Squad: marketing
Contract Type: campaign

## Tasks

- [ ] **Research competitors** (executor: @analyst, verify: report-exists)
- [ ] **Create brand guidelines** (executor: @brand-chief, verify: checklist)
- [ ] **Write copy for 3 channels** (executor: @copywriter, verify: @brand-reviewer)
- [ ] **Design visual assets** (executor: @designer, verify: @brand-reviewer)
- [ ] **Create distribution plan** (executor: @traffic-master, verify: checklist)
`;

const MARKETING = `name: marketing
description: Marketing team
agents:
  analyst: { description: Knows the market }
  brand-chief: { description: Leads, is_chief: true }
  copywriter: { description: Writes }
  designer: { description: Draws }
  traffic-master: { description: Places }
  brand-reviewer: { description: Reviews content against brand guidelines }
default_executor: copywriter
default_reviewer: brand-reviewer
contract_type: campaign
`;

describe('a plan for a squad', () => {
  test('is worked on by the agents that it names, and reviewed by whom it names', async () => {
    everybodyWorks();
    write('.contracts/squads/marketing/SQUAD.yaml', MARKETING);
    plan('holiday', HOLIDAY);
    const started = await contracts(root, ['plan', 'start', 'holiday', '--json']);
    expect(started.code, started.stdout).toBe(0);
    const drafts = checkedLines(started.stdout).filter((line) => line.event === 'plan_draft');
    const by = 'marketing/brand-reviewer';
    expect(drafts).toMatchObject([
      {
        agent: 'marketing/analyst',
        checks: [],
        gates: [by],
        deliverables: [expect.stringContaining('/research-competitors.md')],
      },
      { agent: 'marketing/brand-chief', checks: ['checklist'], gates: [by] },
      { agent: 'marketing/copywriter', checks: [], gates: [by] },
      { agent: 'marketing/designer', checks: [], gates: [by] },
      { agent: 'marketing/traffic-master', checks: ['checklist'], gates: [by] },
    ]);
    expect(contractOf('ready', 'write-copy-')).toContain('type: campaign');
    const ran = await contracts(root, ['run']);
    expect(ran.code, ran.stdout).toBe(0);
    expect(tasks('done')).toHaveLength(5);
  });

  test('with an agent or a verifier that nobody knows is refused with file and line', async () => {
    everybodyWorks();
    write('.contracts/squads/marketing/SQUAD.yaml', MARKETING);
    plan(
      'holiday',
      HOLIDAY.replace('@designer', '@desinger').replace('verify: checklist', 'verify: checklst'),
    );
    const checked = await contracts(root, ['plan', 'check', 'holiday']);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain(
      '.contracts/plans/holiday/plan.md:8:1: error: an unknown verifier (found checklst',
    );
    expect(checked.stdout).toContain(
      '.contracts/plans/holiday/plan.md:10:1: error: this agent does not exist (found @desinger',
    );
    expect(checked.stdout).toContain('Did you mean @designer?');
    const started = await contracts(root, ['plan', 'start', 'holiday']);
    expect(started.code).toBe(2);
    expect(tasks('ready')).toEqual([]);
  });
});

describe('a plan that was changed since', () => {
  test('what is new is made, what differs and what is gone is told, and nothing is rewritten', async () => {
    plan('flat', FLAT);
    await contracts(root, ['plan', 'start', 'flat']);
    const before = contractOf('ready', 'write-a-');
    const renamed = FLAT.replace('verify: file_exists', 'verify: file_exists, skills: art')
      .replace('- [ ] Write b', '- [ ] Write bee')
      .replace('depends: 1', 'depends: write-a-txt');
    plan('flat', renamed);
    const again = await contracts(root, ['plan', 'start', 'flat', '--json']);
    const last = checkedLines(again.stdout).at(-1);
    expect(last).toMatchObject({
      made: 1,
      there: 1,
      changed: [{ key: 'write-a-txt', line: 3, keys: ['skills'] }],
      gone: [{ state: 'ready' }],
    });
    expect(contractOf('ready', 'write-a-')).toBe(before);
    const words = await contracts(root, ['plan', 'start', 'flat']);
    expect(words.stdout).toContain('Line 3 now differs from write-a-txt (');
    const said = words.stdout + words.stderr;
    expect(said.match(/any more/g)).toHaveLength(1);
    expect(said).toMatch(/no item has the task write-b any.* contracts abort write-b\n/);
  });
});

describe('paused', () => {
  test('nothing is claimed until it is resumed; both are said again without harm', async () => {
    plan('flat', FLAT);
    await contracts(root, ['plan', 'start']);
    expect((await contracts(root, ['plan', 'pause'])).stdout).toContain('flat is paused');
    expect((await contracts(root, ['plan', 'pause', 'flat'])).stdout).toContain(
      'was already paused',
    );
    await contracts(root, ['run']);
    expect(tasks('done')).toEqual([]);
    expect((await contracts(root, ['plan', 'list'])).stdout).toContain(
      'paused: contracts plan pause flat --end',
    );
    expect((await contracts(root, ['plan', 'pause', 'flat', '--end'])).stdout).toBe(
      'flat is resumed.\n',
    );
    expect((await contracts(root, ['plan', 'pause', 'flat', '--end'])).stdout).toBe(
      'flat was not paused.\n',
    );
    await contracts(root, ['run']);
    expect(tasks('done')).toHaveLength(2);
  });
});

describe('names', () => {
  test.each([
    ['start flta', 'there is no such plan (found flta, expected flat, flow). Did you mean flat?'],
    ['status fl', 'there are several plans that this may mean (found fl, expected flat, flow)'],
    ['pause', 'there are several plans that this may mean (expected flat, flow)'],
    ['strt flat', 'Did you mean start?'],
  ])('plan %s', async (line, words) => {
    plan('flat', FLAT);
    plan('flow', FLAT);
    const said = await contracts(root, ['plan', ...line.split(' ')]);
    expect(said.code).toBe(2);
    expect(said.stderr).toContain(words);
  });

  test.each(['.contracts/plans/flat/', './.contracts/plans/flat/plan.md'])(
    'a path means the plan in it: %s',
    async (path) => {
      plan('flat', FLAT);
      plan('flow', FLAT);
      const said = await contracts(root, ['plan', 'check', path]);
      expect(said.stdout + said.stderr).toContain('flat: 0 errors');
    },
  );

  test('are offered while they are typed', () => {
    plan('flat', FLAT);
    const typed = [BINARY, 'complete', '--', 'plan', 'status', ''];
    const offered = execFileSync(process.execPath, typed, { cwd: root, encoding: 'utf8' });
    expect(offered).toBe('flat\n');
  });

  test('the path of the file means the plan, and no plan at all says how one is written', async () => {
    const none = await contracts(root, ['plan', 'start']);
    expect(none.stderr).toContain('Write one: .contracts/plans/NAME/plan.md');
    plan('flat', FLAT);
    const said = await contracts(root, ['plan', 'check', '.contracts/plans/flat/plan.md']);
    expect(said.stdout).toBe('flat: 0 errors, 0 warnings, 2 contracts of 3 items.\n');
  });

  test('a squad calls its own by their plain names, and a checkpoint is counted as one', async () => {
    const items = '## Wave 1\n\n- [ ] A (executor: @copywriter)\n\n## Wave 2\n\n- [ ] B\n';
    plan('words', `# Words\nSquad: marketing\n\n${items}`);
    write('.contracts/config.yaml', 'adapter: human\n');
    const checked = await contracts(root, ['plan', 'check', 'words']);
    expect(checked.stdout).toBe(
      'words: 0 errors, 0 warnings, 3 contracts of 2 items and 1 checkpoint.\n',
    );
    const started = await contracts(root, ['plan', 'start', 'words']);
    expect(started.stdout).toMatch(/ copywriter +\S+a\.md; by brand-reviewer$/m);
    expect(started.stdout).not.toContain('marketing/');
  });
});

describe('status', () => {
  test('tells of each item what it waits for, and nothing that is not so', async () => {
    plan('flat', FLAT);
    const before = checkedLines((await contracts(root, ['plan', 'status', '--json'])).stdout)[0];
    expect(before).toMatchObject({
      started: false,
      counts: { items: 3, done: 1, open: 2 },
      percent: 33,
    });
    await contracts(root, ['plan', 'start']);
    const [a = '', b = ''] = tasks('ready');
    renameSync(join(root, 'active_tasks/ready', a), join(root, 'active_tasks/aborted', a));
    const after = checkedLines((await contracts(root, ['plan', 'status', '--json'])).stdout)[0];
    expect(after).toMatchObject({
      started: true,
      counts: { items: 3, done: 1, dropped: 1, open: 1 },
      percent: 50,
      rows: [
        { key: 'write-a-txt', mark: '-', tasks: [{ id: a, state: 'aborted' }] },
        { key: 'write-b', mark: ' ', tasks: [{ id: b, state: 'ready' }] },
        { key: 'done-by-hand', mark: 'x', tasks: [] },
      ],
    });
  });

  test('what was given up is not done; waves add up to the plan, and each item is counted once', async () => {
    const items = '## Wave 1\n\n- [ ] A (executors: human, dev)\n- [ ] B\n\n## Wave 2\n\n- [ ] C\n';
    write('.contracts/config.yaml', 'adapter: human\n');
    plan('words', `# Words\nCheckpoint: auto\n\n${items}`);
    expect((await contracts(root, ['plan', 'start'])).code).toBe(0);
    const [first = '', second = '', b = '', c = ''] = ['a', 'a-dev', 'b', 'c'].map((word) =>
      tasks('ready').find((id) => stemOf(id) === word),
    );
    const move = (id: string, from: string, to: string): void => {
      mkdirSync(join(root, 'active_tasks', to), { recursive: true });
      renameSync(join(root, 'active_tasks', from, id), join(root, 'active_tasks', to, id));
    };
    move(first, 'ready', 'in_progress');
    move(second, 'ready', 'blocked');
    move(b, 'ready', 'aborted');
    const said = (await contracts(root, ['plan', 'status', 'words'])).stdout;
    expect(said).toContain('0 of 2 done, 0%');
    expect(said).toContain('1 at work, 1 open, 1 given up');
    expect(said).toContain('Wave 1  0 of 1 done, 1 given up');
    expect(said).toContain('Wave 2  0 of 1 done');
    for (const [id, from] of [
      [first, 'in_progress'],
      [second, 'blocked'],
      [c, 'ready'],
    ] as const) {
      move(id, from, 'aborted');
    }
    const over = (await contracts(root, ['plan', 'status', 'words'])).stdout;
    expect(over).toContain('all 3 given up');
    expect(over).not.toContain('100%');
    plan('words', '# Words\n');
    expect((await contracts(root, ['plan', 'list'])).stdout).toContain('nothing to do');
  });
});
