/**
 * Two branches that did something with the same task, merged by a real git: check names what is left,
 * doctor explains both sides and each of its commands settles it; neither chooses.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { makeHouse, shellContract, type House } from '../hostile/house.ts';
import { gitOf } from '../support/git.ts';

let house: House;
let git: ReturnType<typeof gitOf>;

beforeEach(() => {
  house = makeHouse();
  git = gitOf(house.root);
  git('init -q -b main');
  commit('start', 0);
});

function commit(words: string, at: number): void {
  git('add -A');
  git(`commit -q -m ${words}`, at);
}

function move(from: string, to: string): void {
  mkdirSync(house.path(`active_tasks/${to}`), { recursive: true });
  renameSync(house.path(`active_tasks/${from}/good`), house.path(`active_tasks/${to}/good`));
}

/** `theirs` on a branch, `ours` on main, then the merge; what git does not settle is added as it is. */
function merge(theirs: () => void, ours: () => void): void {
  git('checkout -q -b topic');
  theirs();
  commit('theirs', 200);
  git('checkout -q main');
  ours();
  commit('ours', 100);
  try {
    git('merge -q -m merged topic', 300);
  } catch {
    commit('merged', 300);
  }
}

async function words(verb: string): Promise<{ code: number; text: string }> {
  const { code, out, err } = await house.run(verb);
  return { code, text: out + err };
}

test('both moved it: check names it, doctor tells both sides with branch, commit and age', async () => {
  merge(
    () => {
      move('ready', 'blocked');
      house.write('active_tasks/blocked/good/blocked.md', '# Blocked\n\n## Resolution\n');
    },
    () => move('ready', 'review'),
  );
  expect(house.where('good').toSorted()).toEqual(['blocked', 'review']);
  const checked = await words('check');
  expect(checked.code).toBe(1);
  expect(checked.text).toContain(
    'task good is in review and in blocked; neither folder is changed',
  );
  const { code, text } = await words('doctor');
  expect(code).toBe(1);
  expect(text).toContain('good is in 2 states:');
  expect(text).toMatch(
    /^ {2}review +never claimed; [0-9a-f]{7,} "ours" of 2026-\S+, branch main$/m,
  );
  expect(text).toMatch(
    /^ {2}blocked +never claimed; [0-9a-f]{7,} "theirs" of 2026-\S+, branch topic; the newer one$/m,
  );
  expect(text).toMatch(/^ {2}.*blocked\.md only in blocked/m);
  const fixed = await house.run('doctor', '--fix');
  expect(fixed.code).toBe(1);
  expect(house.where('good').toSorted()).toEqual(['blocked', 'review']);
});

test.each(['review', 'blocked'])('the command that keeps %s settles it', async (kept) => {
  merge(
    () => move('ready', 'blocked'),
    () => move('ready', 'review'),
  );
  const { events } = await house.events('doctor');
  const double = events.find((one) => (one as { event: string }).event === 'double') as unknown as {
    sides: { state: string; command: string; newest: boolean }[];
    differs: string[];
  };
  expect(double.sides.filter((one) => one.newest).map((one) => one.state)).toEqual(['blocked']);
  expect(double.differs).toEqual([]);
  const { command = '' } = double.sides.find((one) => one.state === kept) ?? {};
  execFileSync('sh', ['-c', command], { cwd: house.root });
  expect(house.where('good')).toEqual([kept]);
  expect((await words('doctor')).text).not.toContain('2 states');
});

test('one moved and one edited: git brings both together, and nothing is wrong', async () => {
  merge(
    () => move('ready', 'review'),
    () =>
      house.write(
        'active_tasks/ready/good/contract.md',
        `${house.read('active_tasks/ready/good/contract.md')}\nMore.\n`,
      ),
  );
  expect(house.where('good')).toEqual(['review']);
  expect(house.read('active_tasks/review/good/contract.md')).toContain('More.');
  expect((await words('check')).text).not.toContain('states');
});

test('one moved, one deleted: it stands where it was moved to, in one state', async () => {
  merge(
    () => move('ready', 'blocked'),
    () => rmSync(house.path('active_tasks/ready/good'), { recursive: true }),
  );
  expect(house.where('good')).toEqual(['blocked']);
  expect((await words('doctor')).text).not.toContain('2 states');
});

test('both changed the same lines: check names the marks with their line', async () => {
  const edit = (title: string) => () =>
    house.write('active_tasks/ready/good/contract.md', shellContract('good', { body: title }));
  merge(edit('Theirs'), edit('Ours'));
  const { code, text } = await words('check');
  expect(code).toBe(1);
  expect(text).toMatch(
    /^active_tasks\/ready\/good\/contract\.md:\d+:1: error: a merge left both sides here \(found HEAD and topic\)/m,
  );
});

test('without git: what there is, and what would be taken away is only put aside', async () => {
  rmSync(house.path('.git'), { recursive: true });
  house.task('good', shellContract('good'), 'done');
  const { code, text } = await words('doctor');
  expect(code).toBe(1);
  expect(text).toMatch(/^ {2}ready +never claimed; not known to git/m);
  expect(text).toContain('to keep done: mv active_tasks/ready/good good.ready');
});
