/** `contracts memory` as a person calls it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../../src/capabilities.ts';
import { candidates } from '../../../src/cli/startup/complete.ts';
import { commandRoom } from '../../support/command-room.ts';
import { checkJsonIn } from '../../support/json-lines.ts';

const TOP = '.contracts/memory';
let room = commandRoom('adapter: human\n');
beforeEach(() => void (room = commandRoom('adapter: human\n')));

const path = (file: string): string => join(room.root, TOP, file);
const read = (file: string): string => readFileSync(path(file), 'utf8');
const said = (...argv: string[]) => room.said('memory', ...argv);

/** Each line of `--json`, which fits its shape. */
async function lines(...argv: string[]): Promise<readonly Record<string, unknown>[]> {
  const { out } = await said(...argv, '--json');
  checkJsonIn(out);
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('add', () => {
  test('keeps what was said, as a preference of a person', async () => {
    expect(await said('add', 'Use', 'Zod,', 'not io-ts')).toMatchObject({
      code: 0,
      out: 'use-zod-not-io-ts: added\n',
    });
    const text = read('preference/use-zod-not-io-ts.md');
    expect(text).toMatch(/^---\nv: 1\ntype: preference\ninformation: Use Zod, not io-ts\n/);
    expect(text).toContain('confidence: 0.9\nsource:\n  - person\n');
  });

  test.each(['person', 'person ', ' Person\n', 'ｐｅｒｓｏｎ', 'human', 'me', '', ' '])(
    '--by %j is no agent',
    async (by) => {
      expect(await said('add', 'Use Zod', `--by=${by}`)).toMatchObject({
        code: 2,
        err: expect.stringContaining('a person says it without --by'),
      });
      expect(existsSync(path('insight'))).toBe(false);
    },
  );

  test('a done task of the name of an agent does not vouch for what that agent says', async () => {
    room.write('active_tasks/done/host/contract.md', '# Host\n');
    await said('add', 'Uploads end after a minute', '--by', 'host');
    expect(await lines('show')).toMatchObject([{ source: ['agent host'], from: '' }]);
    expect(await lines('find', 'uploads')).toEqual([]);
  });

  test('with everything that can be said of it', async () => {
    const flags =
      '--type anti-pattern --entity library:zod --entity file:src/a.ts --tag forms'.split(' ');
    const [line] = await lines('add', 'Do', 'not', 'nest', ...flags, '--confidence', '0.4');
    const file = `${TOP}/anti_pattern/do-not-nest.md`;
    expect(line).toEqual({
      v: 1,
      event: 'memory_changed',
      id: 'do-not-nest',
      file,
      action: 'added',
    });
    expect(await lines('show', 'do-not-nest')).toMatchObject([
      {
        type: 'anti_pattern',
        entities: ['library:zod', 'file:src/a.ts'],
        tags: ['forms'],
        confidence: 0.4,
        candidate: false,
      },
    ]);
  });

  test('what is there already is merged', async () => {
    await said('add', 'Use Zod');
    const [line] = await lines('add', 'use zod!');
    expect(line).toMatchObject({ action: 'merged', into: 'use-zod' });
    expect(readdirSync(path('preference'))).toEqual(['use-zod.md']);
  });

  test('what a person says counts, also where a candidate says the same', async () => {
    room.write(`${TOP}/candidates/use-zod.md`, '---\ntype: correction\n---\nUse Zod\n');
    expect((await said('add', 'Use Zod')).out).toBe('use-zod-2: added\n');
    expect(await lines('find', 'zod')).toMatchObject([{ id: 'use-zod-2' }]);
  });
});

describe('refused with a cure, and nothing is written', () => {
  test.each<[argv: string, message: string, cure: string]>([
    ['add --type rumour x', '--type takes correction, decision', 'Write --type preference'],
    ['add --entity zod x', '--entity takes kind:name', 'Write --entity library:zod'],
    ['add --confidence 2 x', '--confidence is from 0 to 1', 'Write --confidence 0.8'],
    ['add --confidence high x', '--confidence', ''],
    [`add ${'word '.repeat(200)}`, 'a learning has at most 600 characters', 'in fewer words'],
    ['add', "missing required argument 'text'", ''],
    ['show use-zo', 'there is no such learning', 'use-zod'],
    ['accept', 'no candidate is named', '--all'],
    ['accept use-zod', 'there is no such learning', 'memory show'],
    ['accept --all --type rumour', '--type takes', 'Write --type preference'],
    ['feedback use-zod great', 'Allowed choices are right, wrong', ''],
    ['feedback nothing right', 'there is no such learning', 'memory show'],
    ['forget broken', 'there is no such learning', 'pattern/broken.md cannot be read'],
    ['forget use-zod nothing', 'there is no such learning', 'memory show'],
    ['find', "missing required argument 'words'", ''],
  ])('memory %s', async (argv, message, cure) => {
    room.write(`${TOP}/pattern/use-zod.md`, 'Use Zod\n');
    room.write(`${TOP}/candidates/ask-once.md`, '---\ntype: correction\n---\nAsk once\n');
    room.write(`${TOP}/pattern/broken.md`, '---\n: [\n---\n');
    const { code, err, out } = await said(...argv.split(' '));
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).toContain(cure);
    expect(readdirSync(path('')).toSorted()).toEqual(['candidates', 'pattern']);
    expect(read('pattern/use-zod.md')).toBe('Use Zod\n');
  });
});

test('find: the best first, each with its reason, and no more than was asked for', async () => {
  await said('add', 'Check forms with Zod', '--entity', 'library:zod');
  await said('add', 'Ship on Friday');
  await said('add', 'Forms need labels', '--confidence', '0.3');
  const { out } = await said('find', 'a form with library:zod');
  expect(out.split('\n')).toEqual([
    'check-forms-with-zod  preference, 0.9',
    '  Check forms with Zod',
    expect.stringMatching(/^ {2}because of library:zod, .*; from person$/),
    'forms-need-labels  preference, 0.3, verify it',
    '  Forms need labels',
    '  because of forms, labels; from person',
    '',
  ]);
  expect(await lines('find', 'form', '-n', '1')).toHaveLength(1);
  expect((await lines('find', 'form'))[0]).toMatchObject({
    score: expect.any(Number),
    why: expect.arrayContaining(['forms']),
  });
  expect((await said('find', 'qwertz')).out).toBe('No learning fits these words.\n');
});

test('accept: a candidate counts from then on, under the type that is said', async () => {
  room.write(`${TOP}/candidates/ask-once.md`, '# mine\n\nAsk once\n');
  room.write(`${TOP}/candidates/use-zod.md`, '---\ntype: decision # so be it\n---\nUse Zod\n');
  expect((await said('find', 'zod')).out).toBe('No learning fits these words.\n');
  expect((await said('show')).out).toContain('contracts memory accept --all');
  expect(await lines('accept', 'ask-once', '--type', 'preference')).toMatchObject([
    { action: 'accepted' },
  ]);
  expect(read('preference/ask-once.md')).toBe('---\ntype: preference\n---\n\n# mine\n\nAsk once\n');
  expect((await said('accept', '--all')).out).toBe('use-zod: accepted\n');
  expect((await said('accept', '--all')).out).toBe('No candidate waits.\n');
  expect(await lines('find', 'zod')).toMatchObject([
    { id: 'use-zod', type: 'decision', candidate: false },
  ]);
  expect(readdirSync(path('candidates'))).toEqual([]);
});

test('accept: never over a learning of that name', async () => {
  room.write(`${TOP}/candidates/a.md`, '---\ntype: decision\n---\nUse Zod\n');
  room.write(`${TOP}/decision/a.md`, 'Use io-ts\n');
  const { code, err } = await said('accept', 'a');
  expect(code).toBe(2);
  expect(err).toContain('a learning of this name is there');
  expect(read('decision/a.md')).toBe('Use io-ts\n');
  expect(existsSync(path('candidates/a.md'))).toBe(true);
});

test('feedback counts up and down, and moves nothing else', async () => {
  room.write(`${TOP}/pattern/use-zod.md`, '---\n# mine\ntags: [forms]\n---\nUse Zod\n');
  await said('feedback', 'use-zod', 'right');
  await said('feedback', 'use-zod', 'right');
  expect(await lines('feedback', 'use-zod', 'wrong')).toMatchObject([{ action: 'rated' }]);
  expect(read('pattern/use-zod.md')).toBe(
    '---\n# mine\ntags: [forms]\nfeedback: 1\n---\nUse Zod\n',
  );
});

test('forget: by name, by path, and twice on one line', async () => {
  room.write(`${TOP}/pattern/a.md`, 'Use Zod\n');
  room.write(`${TOP}/candidates/b.md`, '---\ntype: decision\n---\nAsk once\n');
  const { code } = await said('forget', `${TOP}/pattern/a.md`, 'b', 'b');
  expect(code).toBe(0);
  expect([...readdirSync(path('pattern')), ...readdirSync(path('candidates'))]).toEqual([]);
});

test('of several with one name none is taken unless its folder is named', async () => {
  const head = '---\ninformation: Use tabs\n---\n';
  room.write(`${TOP}/preference/same.md`, head);
  room.write(`${TOP}/pattern/same.md`, head.replace('tabs', 'two blanks'));
  const { code, err } = await said('forget', 'same');
  expect(code).toBe(2);
  expect(err).toContain('Write preference/same or pattern/same');
  await said('forget', 'pattern/same');
  expect(readdirSync(path('pattern'))).toEqual([]);
  expect(read('preference/same.md')).toBe(head);
});

test('words without an end are cut, so that they can be read again', async () => {
  await said('add', 'a'.repeat(100_000));
  expect((await said('show')).err).toBe('');
});

test('what a person adds does not go under in what an agent had guessed', async () => {
  room.write(
    `${TOP}/insight/a.md`,
    '---\nsource: [one]\nconfidence: 0.3\n---\nUse Zod for forms\n',
  );
  await said('add', 'Use Zod for forms', '--entity', 'library:zod');
  expect(await lines('show', 'use-zod-for-forms')).toMatchObject([
    { type: 'preference', confidence: 0.9, entities: ['library:zod'] },
  ]);
  await said('add', 'Use Zod for forms', '--tag', 'input', '--confidence', '1');
  expect(await lines('show', 'use-zod-for-forms')).toMatchObject([
    { confidence: 1, entities: ['library:zod'], tags: ['input'] },
  ]);
});

test('a name that a terminal would obey is shown escaped', async () => {
  const name = 'a\u001b]0;owned\u0007';
  room.write(`${TOP}/preference/${name}.md`, 'Use Zod for forms\n');
  room.write(`${TOP}/pattern/b.md`, 'Use Zod for forms\n');
  for (const argv of [['add', 'Use Zod for forms'], ['dedupe']]) {
    const { out, err } = await said(...argv);
    expect(err).toContain(String.raw`a\x1b]0;owned\x07`);
    expect(out + err).not.toContain('\u001b]');
  }
});

test('dedupe: both sources are kept, what may contradict is shown, --dry-run writes nothing', async () => {
  const one =
    '---\nsource: [one]\ntags: [a]\nfeedback: 1\n---\nCheck the input of forms with Zod\n';
  room.write(`${TOP}/pattern/a.md`, one);
  room.write(
    `${TOP}/pattern/b.md`,
    '---\nsource: [two]\ntags: [b]\nfeedback: 2\ninformation: Check the input of forms with Zod, always\n---\n\nMy own words.\n\n- old: Check forms\n',
  );
  room.write(`${TOP}/pattern/c.md`, 'Check the input of forms without Zod\n');
  const dry = await said('dedupe', '--dry-run');
  expect(dry.out.split('\n').filter(Boolean)).toEqual([
    'b: merged into a',
    'a: may contradict c; read both, forget the wrong one',
  ]);
  expect(read('pattern/a.md')).toBe(one);
  await said('dedupe');
  expect(existsSync(path('pattern/b.md'))).toBe(false);
  expect(await lines('show', 'a')).toMatchObject([
    {
      information: 'Check the input of forms with Zod',
      source: ['one', 'two'],
      tags: ['a', 'b'],
      feedback: 3,
      contradicts: ['c'],
    },
  ]);
  expect(read('pattern/a.md')).toContain(
    'My own words.\n\n- old: Check forms\n- two: Check the input of forms with Zod, always\n',
  );
  expect(existsSync(path('pattern/c.md'))).toBe(true);
});

test('dedupe: what cannot take the other in leaves it alone', async () => {
  room.write(`${TOP}/pattern/a.md`, '---\n{ information: Use Zod }\n---\n');
  room.write(`${TOP}/pattern/b.md`, '---\nsource: [two]\n---\nUse Zod\n');
  await said('dedupe');
  expect(existsSync(path('pattern/b.md'))).toBe(true);
});

test('files that cannot be read are said, beside the others', async () => {
  room.write(`${TOP}/pattern/a.md`, 'Use Zod\n');
  room.write(`${TOP}/pattern/b.md`, '---\n');
  const { out, err } = await said('show');
  expect(out).toContain('Use Zod');
  expect(err).toContain(`${TOP}/pattern/b.md`);
  expect((await room.said('check')).out).toContain(`${TOP}/pattern/b.md`);
});

test('ids are offered, and types', async () => {
  room.write(`${TOP}/pattern/use-zod.md`, 'Use Zod\n');
  room.write(`${TOP}/candidates/ask-once.md`, 'Ask once\n');
  const offered = async (...words: string[]): Promise<readonly string[]> =>
    (await candidates(['-C', room.root, 'memory', ...words], CAPABILITIES)).map(
      (line) => line.split('\t')[0] ?? '',
    );
  expect(await offered('show', '')).toEqual(['use-zod', 'ask-once']);
  expect(await offered('forget', 'a')).toEqual(['ask-once']);
  expect(await offered('accept', '')).toContain('ask-once');
  expect(await offered('add', 'x', '--type', 'cor')).toEqual(['correction']);
  expect(await offered('feedback', 'use-zod', '')).toEqual(['right', 'wrong']);
  for (const verb of ['find', 'add', 'show', 'accept', 'feedback', 'forget', 'dedupe'])
    expect(await offered('')).toContain(verb);
});
