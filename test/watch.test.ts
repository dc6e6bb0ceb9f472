/**
 * `watch` as a real process on a real tree: what a person moves by hand is worked on without another
 * command, a storm of changes leads to few looks, Ctrl-C leaves a tree that the next step continues,
 * and nothing depends on the bell.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Event } from '../src/core/event.ts';
import { watch } from '../src/engine/verbs/watch.ts';
import { isQuiet } from '../src/store/bell.ts';
import { contracts, startContracts, type Started } from './support/binary.ts';
import { checkedLines } from './support/json-lines.ts';
import { makeWorld } from './support/world.ts';

let root: string;
let started: Started | undefined;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'contracts-watch-'));
  await contracts(root, ['init']);
});
afterEach(async () => {
  started?.child.kill('SIGKILL');
  await started?.ended;
  started = undefined;
  rmSync(root, { recursive: true, force: true });
});

function draft(id: string, steps = `echo x > ${id}.txt`): string {
  const folder = join(root, 'active_tasks/draft', id);
  mkdirSync(folder);
  const check = `run: test -s ${id}.txt`;
  writeFileSync(
    join(folder, 'contract.md'),
    `---\ntitle: ${id}\nverify: ["${check}"]\n---\n\n## Success Criteria\n\n- [ ] ${check}\n\n## Steps\n\n\`\`\`sh\n${steps}\n\`\`\`\n`,
  );
  return folder;
}

const at = (state: string, id: string): string => join(root, 'active_tasks', state, id);

/** The test's own time limit is the deadline. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

async function watching(...args: string[]): Promise<Started> {
  const one = startContracts(root, ['watch', '--json', ...args]);
  started = one;
  await until(() => one.stdout().includes('"watching"') || one.child.exitCode !== null);
  return one;
}

test('a folder moved from draft to ready is worked on at once; Ctrl-C ends it with 130', async () => {
  const folder = draft('a');
  const one = await watching('--interval', '3600');
  renameSync(folder, at('ready', 'a'));
  await until(() => existsSync(at('done', 'a')));
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
  renameSync(folder, at('ready', 'a'));
  await until(() => existsSync(at('done', 'a')));
});

test('Ctrl-C while an agent runs: stopped, recorded, and the next run goes on', async () => {
  const script = 'if [ -e started ]; then echo x > a.txt; else touch started; sleep 600; fi';
  renameSync(draft('a', script), at('ready', 'a'));
  const one = await watching();
  await until(() => existsSync(join(root, 'started')));
  one.child.kill('SIGINT');
  expect((await one.ended).code).toBe(130);
  const outcome = readFileSync(join(at('ready', 'a'), 'attempts/0001/outcome.md'), 'utf8');
  expect(outcome).toContain('outcome: interrupted');
  expect((await contracts(root, ['run'])).code).toBe(0);
});

test('a thousand touches lead to few looks; what waits is told once', async () => {
  const world = makeWorld();
  try {
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
            utimesSync(join(world.root, 'active_tasks/ready/a/contract.md'), i, i);
            ring();
            if (i % 50 === 0) await sleep(1);
          }
        })();
        if (rests === 4) stop.abort();
      },
    });
    await storm;
    expect(steps).toBeLessThan(10);
    expect(told.filter((event) => event.event === 'waits')).toHaveLength(1);
  } finally {
    world.remove();
  }
});

test('a fault is told once, and others go on meanwhile', async () => {
  const folder = draft('odd', 'true');
  const text = readFileSync(join(folder, 'contract.md'), 'utf8');
  const broken = text.replaceAll('test -s odd.txt', 'no-such-program-xyz');
  writeFileSync(join(folder, 'contract.md'), broken);
  renameSync(folder, at('ready', 'odd'));
  const good = draft('good');
  const one = await watching('--interval', '0.2');
  await until(() => one.stdout().includes('"fault"'));
  renameSync(good, at('ready', 'good'));
  await until(() => existsSync(at('done', 'good')));
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
