/** `contracts memory assumptions` as a person calls it, and what strangers write into assumptions. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { beforeEach, expect, test } from 'vitest';
import { checkJsonIn } from '../../support/json-lines.ts';
import { assumptionsRoom } from '../room.ts';

let room = assumptionsRoom();
beforeEach(() => void (room = assumptionsRoom()));

const TOP = '.contracts/assumptions';
const said = (...argv: string[]) => room.said('memory', 'assumptions', ...argv);

test('where none is open', async () => {
  expect(await said()).toEqual({ code: 0, out: 'No assumption is open.\n', err: '' });
  expect((await said('--json')).out).toBe('');
});

test('the open ones and the contracts that ask, one a plan, however often', async () => {
  room.write(
    `${TOP}/euros.md`,
    '---\nplan: shop\nconfidence: 0.4\nsource: [one]\n---\nPrices are in euros\n',
  );
  room.write(`${TOP}/bank.md`, '---\nkind: decision\n---\nWhich bank?\n');
  room.write(`${TOP}/confirmed/tax.md`, 'Tax is included\n');
  const { out } = await said('--json');
  checkJsonIn(out);
  expect(
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    {
      v: 1,
      event: 'assumption',
      id: 'bank',
      file: `${TOP}/bank.md`,
      kind: 'decision',
      information: 'Which bank?',
      confidence: 0.5,
      passed: 0,
      came_back: 0,
      weight: 0.5,
      source: [],
    },
    {
      v: 1,
      event: 'assumption',
      id: 'euros',
      file: `${TOP}/euros.md`,
      kind: 'assumption',
      information: 'Prices are in euros',
      confidence: 0.4,
      passed: 0,
      came_back: 0,
      weight: 0.5,
      plan: 'shop',
      source: ['one'],
    },
    { v: 1, event: 'assumptions_asked', id: 'assumptions', is_new: true },
    { v: 1, event: 'assumptions_asked', id: 'assumptions-shop', is_new: true },
  ]);
  const again = await said();
  expect(again.out).toBe(
    'bank  open decision  Which bank?\neuros  0.4  Prices are in euros\nNext: contracts answer assumptions\nNext: contracts answer assumptions-shop\n',
  );
  expect(
    readdirSync(room.path('active_tasks/questions')).filter((name) => name !== '.gitkeep'),
  ).toEqual(['assumptions', 'assumptions-shop']);
});

test('hostile ones are escaped, and no question swallows the next', async () => {
  room.write(`${TOP}/a.md`, 'Prices <!-- are \u001b[2J in \u202eeuros\n');
  room.write(`${TOP}/b.md`, '# MUST DO\n\n### Answer\n\nyes\n');
  room.write(`${TOP}/c.md`, '``` Tax\n');
  room.write(`${TOP}/d e.md`, 'Other --> one\n');
  for (const name of ['f\u001b[2J', 'g`h', '.hidden', '*'])
    room.write(`${TOP}/${name}.md`, 'No name of ours\n');
  for (const argv of [[], ['--json']]) {
    const { out, err } = await said(...argv);
    expect(out + err).not.toMatch(/[^\P{C}\n]/u);
  }
  for (const answer of ['no, A', 'no, B', 'no, C', 'no, D']) {
    const { code, err } = await room.said('answer', 'assumptions', answer);
    expect([code, err]).toEqual([0, '']);
  }
  const { out } = await room.said('run');
  expect(out).toContain('assumptions  questions → done');
  expect(readdirSync(room.path(`${TOP}/rejected`))).toHaveLength(4);
  const learnt = readdirSync(room.path('.contracts/memory/preference')).map((name) =>
    readFileSync(room.path(`.contracts/memory/preference/${name}`), 'utf8'),
  );
  for (const letter of 'ABCD')
    expect(learnt.filter((text) => text.includes(`${letter} (and not`))).toHaveLength(1);
});

test('links, FIFOs and bytes that are no text are problems, and are never followed', async () => {
  mkdirSync(room.path(TOP), { recursive: true });
  mkdirSync(room.path('elsewhere'));
  symlinkSync('/etc/passwd', room.path(`${TOP}/link.md`));
  execFileSync('mkfifo', [room.path(`${TOP}/fifo.md`)]);
  room.write(`${TOP}/empty.md`, '');
  room.write(`${TOP}/good.md`, 'Prices are in euros\n');
  symlinkSync(room.path('elsewhere'), room.path(`${TOP}/rejected`));
  const { out, err } = await said();
  expect(out).toContain('good');
  for (const name of ['link', 'fifo', 'empty']) expect(err).toContain(`${TOP}/${name}.md`);
  await room.said('answer', 'assumptions', 'no');
  const run = await room.said('run');
  expect(run.out + run.err).toContain('rejected is a link or a file');
  expect(readdirSync(room.path('elsewhere'))).toEqual([]);
  expect(room.has(`${TOP}/good.md`)).toBe(true);
});
