/**
 * `watch` as a real process on a real tree: what a person moves by hand is worked on without another
 * command, a storm of changes leads to few looks, Ctrl-C leaves a tree that the next step continues,
 * and nothing depends on the bell.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Event } from '../../src/task/core/lines/event.ts';
import { watch } from '../../src/engine/step/watch.ts';
import { isQuiet } from '../../src/task/store/disk/watcher.ts';
import { contracts, startContracts, type Started } from '../support/binary.ts';
import { checkedLines } from '../support/json-lines.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';
import { makeWorld } from '../support/world.ts';

const NO_WATCHES = fileURLToPath(new URL('../support/no-watches.cjs', import.meta.url));

let root: string;
let started: Started | undefined;
beforeEach(async () => {
  root = sealedFolder('watch');
  await contracts(root, ['init']);
});
afterEach(async () => {
  started?.child.kill('SIGKILL');
  await started?.ended;
  started = undefined;
});

function draft(id: string, steps = `echo x > ${id}.txt`): string {
  const folder = join(root, 'active_tasks/draft', id);
  fs.mkdirSync(folder);
  const check = `run: test -s ${id}.txt`;
  fs.writeFileSync(
    join(folder, 'contract.md'),
    `---\ntitle: ${id}\nverify: ["${check}"]\n---\n\n## Success Criteria\n\n- [ ] ${check}\n\n## Steps\n\n\`\`\`sh\n${steps}\n\`\`\`\n`,
  );
  return folder;
}

const at = (state: string, id: string): string => join(root, 'active_tasks', state, id);

const watching = (...args: string[]): Promise<Started> => watchingBehind([], ...args);

/** `before` goes in front of the command. */
async function watchingBehind(before: readonly string[], ...args: string[]): Promise<Started> {
  const one = startContracts(root, ['watch', '--json', ...args], before);
  started = one;
  await until(() => one.stdout().includes('"watching"') || one.child.exitCode !== null);
  return one;
}

test('a folder moved from draft to ready is worked on at once; Ctrl-C ends it with 130', async () => {
  const folder = draft('a');
  const one = await watching('--interval', '3600');
  fs.renameSync(folder, at('ready', 'a'));
  await until(() => fs.existsSync(at('done', 'a')));
  one.child.kill('SIGINT');
  const ended = await one.ended;
  expect(ended).toMatchObject({ code: 130, stderr: '' });
  const lines = checkedLines(ended.stdout);
  expect(lines[0]).toMatchObject({ event: 'watching', bell: true, interval_seconds: 3600 });
  expect(lines.filter((line) => line.event === 'moved')).toHaveLength(3);
});

test('without a bell the interval does it', async () => {
  const folder = draft('a');
  const one = await watching('--poll', '--interval', '0.2');
  expect(checkedLines(one.stdout())[0]).toMatchObject({ event: 'watching', bell: false });
  fs.renameSync(folder, at('ready', 'a'));
  await until(() => fs.existsSync(at('done', 'a')));
});

test('MOCK of a system without watches: it is said once, and the interval does it', async () => {
  const folder = draft('a');
  const one = await watchingBehind(
    ['env', `NODE_OPTIONS=--require ${NO_WATCHES}`],
    '--interval',
    '0.2',
  );
  expect(checkedLines(one.stdout())[0]).toMatchObject({ event: 'watching', bell: false });
  fs.renameSync(folder, at('ready', 'a'));
  await until(() => fs.existsSync(at('done', 'a')));
  one.child.kill('SIGINT');
  const { code, stderr } = await one.ended;
  expect(code).toBe(130);
  expect(stderr).toBe(
    'The system no longer reports changes (ENOSPC); watch still looks every 0.2 s.\n',
  );
});

test('Ctrl-C while an agent runs: stopped, recorded, and the next run goes on', async () => {
  const script = 'if [ -e started ]; then echo x > a.txt; else touch started; sleep 600; fi';
  fs.renameSync(draft('a', script), at('ready', 'a'));
  const one = await watching();
  await until(() => fs.existsSync(join(root, 'started')));
  one.child.kill('SIGINT');
  expect((await one.ended).code).toBe(130);
  const outcome = fs.readFileSync(join(at('ready', 'a'), 'attempts/0001/outcome.md'), 'utf8');
  expect(outcome).toContain('outcome: interrupted');
  expect((await contracts(root, ['run'])).code).toBe(0);
});

/** Waits for `go-ID`; what begins and ends is written down in `log`. */
const waiting = (id: string): string =>
  `echo + >> log; touch on-${id}; until [ -e go-${id} ]; do sleep 0.02; done; echo - >> log; echo x > ${id}.txt`;

const go = (id: string): void => fs.writeFileSync(join(root, `go-${id}`), '');

function mostAtOnce(): number {
  let now = 0;
  const counts = fs
    .readFileSync(join(root, 'log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (now += line === '+' ? 1 : -1));
  return Math.max(...counts);
}

test.each([
  ['a ring', ['--interval', '3600']],
  ['the interval', ['--poll', '--interval', '0.2']],
])('while a slow agent runs, what comes is taken and done: by %s', async (_, args) => {
  fs.renameSync(draft('slow', waiting('slow')), at('ready', 'slow'));
  const one = await watching(...args);
  await until(() => fs.existsSync(join(root, 'on-slow')));
  fs.renameSync(draft('quick'), at('ready', 'quick'));
  await until(() => fs.existsSync(at('done', 'quick')));
  expect(fs.existsSync(at('in_progress', 'slow'))).toBe(true);
  go('slow');
  await until(() => fs.existsSync(at('done', 'slow')));
  one.child.kill('SIGINT');
  const ended = await one.ended;
  expect(ended).toMatchObject({ code: 130, stderr: '' });
  const claims = checkedLines(ended.stdout).filter((line) => line.event === 'claimed');
  expect(claims.map((line) => `${line.task} ${line.kind}`)).toEqual([
    'slow work',
    'quick work',
    'quick review',
    'slow review',
  ]);
});

test('steps that overlap use no more slots than there are, and each free one for what waits', async () => {
  fs.renameSync(draft('a', waiting('a')), at('ready', 'a'));
  const one = await watching('--interval', '3600', '--parallel', '2');
  await until(() => fs.existsSync(join(root, 'on-a')));
  for (const id of ['b', 'c', 'd']) fs.renameSync(draft(id, waiting(id)), at('ready', id));
  // The step that took one of them has the other two before it; the slot of `a` is free in between.
  const on = (): string[] => ['b', 'c', 'd'].filter((id) => fs.existsSync(join(root, `on-${id}`)));
  await until(() => on().length === 1);
  go('a');
  await until(() => on().length === 2);
  for (const id of ['b', 'c', 'd']) go(id);
  await until(() => ['a', 'b', 'c', 'd'].every((id) => fs.existsSync(at('done', id))));
  one.child.kill('SIGINT');
  const lines = checkedLines((await one.ended).stdout);
  expect(lines.filter((line) => line.event === 'claimed' && line.kind === 'work')).toHaveLength(4);
  expect(lines.filter((line) => line.event === 'lost_race' || line.event === 'fault')).toEqual([]);
  expect(mostAtOnce()).toBe(2);
});

test('Ctrl-C stops the agents of all steps that go on', async () => {
  fs.renameSync(draft('a', waiting('a')), at('ready', 'a'));
  const one = await watching('--interval', '3600');
  await until(() => fs.existsSync(join(root, 'on-a')));
  fs.renameSync(draft('b', waiting('b')), at('ready', 'b'));
  await until(() => fs.existsSync(join(root, 'on-b')));
  one.child.kill('SIGINT');
  expect(await one.ended).toMatchObject({ code: 130, stderr: '' });
  for (const id of ['a', 'b']) {
    const outcome = fs.readFileSync(join(at('ready', id), 'attempts/0001/outcome.md'), 'utf8');
    expect(outcome).toContain('outcome: interrupted');
  }
});

test('with all slots taken an answer is taken up, and nobody is called', async () => {
  fs.renameSync(draft('slow', waiting('slow')), at('ready', 'slow'));
  const asking = draft('asks');
  fs.renameSync(asking, at('questions', 'asks'));
  const questions = (answer: string): void =>
    fs.writeFileSync(
      join(at('questions', 'asks'), 'questions.md'),
      `## Questions\n\n1. Which?\n\n### Answer\n\n${answer}\n`,
    );
  questions('');
  const one = await watching('--interval', '3600', '--parallel', '1');
  await until(() => fs.existsSync(join(root, 'on-slow')));
  questions('this one');
  await until(() => fs.existsSync(at('ready', 'asks')));
  go('slow');
  await until(() => fs.existsSync(at('done', 'asks')));
  one.child.kill('SIGINT');
  const lines = checkedLines((await one.ended).stdout);
  const first = (found: (line: (typeof lines)[number]) => boolean): number =>
    lines.findIndex(found);
  const claimed = first((line) => line.event === 'claimed' && line.task === 'asks');
  const done = first(
    (line) => line.event === 'moved' && line.task === 'slow' && line.to === 'done',
  );
  expect(claimed).toBeGreaterThan(done);
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'waits', task: 'asks', on: 'slot' }),
  );
});

test('a thousand touches lead to few looks; what waits is told once', async () => {
  const world = makeWorld();
  world.write('active_tasks/ready/a/contract.md', '---\ntitle: A\n---\n\n## Objective\n\nx\n');
  const told: Event[] = [];
  const stop = new AbortController();
  let rests = 0;
  let storm: Promise<void> | undefined;
  const { ws } = world.process({});
  let ring: () => void = () => undefined;
  const steps = await watch(ws, {
    interval_ms: 300,
    signal: stop.signal,
    emit: (event) => void told.push(event),
    onReady: (bell) => {
      ring = bell;
    },
    onRest: () => {
      rests++;
      storm ??= (async () => {
        for (let i = 0; i < 1000; i++) {
          fs.utimesSync(join(world.root, 'active_tasks/ready/a/contract.md'), i, i);
          ring();
          // The pace of the storm: between two of its gusts the watch may go on.
          if (i % 50 === 0) await sleep(1);
        }
      })();
      if (rests === 4) stop.abort();
    },
  });
  await storm;
  expect(steps).toBeLessThan(10);
  expect(told.filter((event) => event.event === 'waits')).toHaveLength(1);
});

test('a fault is told once, and others go on meanwhile', async () => {
  const folder = draft('odd', 'true');
  const text = fs.readFileSync(join(folder, 'contract.md'), 'utf8');
  const broken = text.replaceAll('test -s odd.txt', 'no-such-program-xyz');
  fs.writeFileSync(join(folder, 'contract.md'), broken);
  fs.renameSync(folder, at('ready', 'odd'));
  const good = draft('good');
  const one = await watching('--interval', '0.2');
  await until(() => one.stdout().includes('"fault"'));
  fs.renameSync(good, at('ready', 'good'));
  await until(() => fs.existsSync(at('done', 'good')));
  one.child.kill('SIGINT');
  const lines = checkedLines((await one.ended).stdout);
  expect(lines.filter((line) => line.event === 'fault')).toHaveLength(1);
});

test('what agents and the runner write rings nothing', () => {
  const rows: [string, boolean][] = [
    ['', false],
    ['ready', false],
    ['ready/a', false],
    ['questions/a/questions.md', false],
    ['ready/a/notes', false],
    ['ready/a/attempts', true],
    ['ready/a/attempts/0001/output.log', true],
    ['.desk', true],
    ['.desk/a.0001/status.md', true],
    ['done', false],
    ['done/a', true],
    ['aborted/a/contract.md', true],
  ];
  for (const [path, quiet] of rows) expect([path, isQuiet(path)]).toEqual([path, quiet]);
});
