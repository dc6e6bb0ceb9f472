/**
 * The machine of an attempt, wherever the agent of one is named: while it waits for a worker, while a worker has it
 * and afterwards. The relay is a MOCK that prints into the log; files and protocol are real.
 */
import { appendFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { overviewLines } from '../../src/cli/output/overview-text.ts';
import { stepWords } from '../../src/cli/output/live.ts';
import { shownText } from '../../src/engine/attempt/transcript.ts';
import { usedBefore, usedFields } from '../../src/engine/call/client-outcome.ts';
import { listTasks } from '../../src/engine/queries/list.ts';
import { overview } from '../../src/engine/queries/overview.ts';
import { step } from '../../src/engine/step/step.ts';
import { makeAttempt, makeTask } from './core/make.ts';
import { storyOf } from '../../src/engine/queries/show.ts';
import { whoOf } from '../../src/cli/output/task-cells.ts';
import { faultyDisk, unsyncedDisk } from '../support/faulty-disk.ts';
import { makeGitWorld, type GitWorld, type Work } from '../support/git-world.ts';

const CONFIG = `adapter: far
parallel: 2
retries_max: 1
adapters:
  far: { type: queue, url: "redis://127.0.0.1:1", agent: builder }
`;
let world: GitWorld;
beforeEach(() => {
  world = makeGitWorld();
  world.write('.contracts/config.yaml', CONFIG);
  world.contract('one');
});

/** What the relay prints. */
const prints = ({ call }: Work, ...lines: readonly object[]): void =>
  appendFileSync(call.spawn.log ?? '', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
const WAITING = { kind: 'noise', text: 'no worker has taken it yet (agent builder)' };
const TAKEN = { kind: 'machine', name: 'host\n 7', enforced: [] };

/** What is seen of the one task at moments while its agent works. */
async function seenAt(...moments: readonly (readonly object[])[]) {
  const seen: { list: string; step: string; tries: readonly (string | undefined)[] }[] = [];
  const disk = faultyDisk(-1, undefined, {
    ...unsyncedDisk,
    rename: (from, to) => {
      if (/\.desk\/one\.0001 -> .*desk$/.test(`${from} -> ${to}`)) disk.kill();
      else unsyncedDisk.rename(from, to);
    },
  });
  const agent = async (work: Work): Promise<number> => {
    for (const lines of moments) {
      prints(work, ...lines);
      const [task] = listTasks(ws).tasks;
      const story = await storyOf(ws, 'one');
      if (task === undefined || !story.ok) throw new Error('it is not listed');
      const tries = story.value.attempts.map(({ machine }) => machine);
      seen.push({ list: whoOf(task), step: stepWords(task), tries });
      expect(overviewLines(overview(ws), 200).join('\n')).toContain(`${whoOf(task)} #1`);
    }
    work.write('one.txt', 'one\n');
    return work.complete();
  };
  const { ws } = world.open(agent, { disk });
  await Promise.race([step(ws).catch(() => undefined), disk.died]);
  expect(disk.dead).toBe(true);
  return seen;
}

test('it waits for a worker, then the worker is named, and the outcome of a recovery has it', async () => {
  const late = { kind: 'machine', name: 'other', enforced: ['brief'] };
  const [waits, taken, ended] = await seenAt([WAITING], [TAKEN], [late]);
  expect(waits).toMatchObject({ list: 'builder', tries: [undefined] });
  expect(waits?.step).toMatch(/^waits for a worker \(\d+s\)$/);
  expect(taken).toEqual({ list: 'builder on host 7', step: '', tries: ['host 7'] });
  expect(ended?.list).toBe('builder on host 7');
  // The next step finds the runner dead, and takes over what its worker gave back.
  await world.run(() => 1);
  expect(world.outcome('done/one', '0002')).toMatch(/^machine: other$/m);
  const { words } = await world.contracts('show', 'one');
  expect(words).toContain('try 1 by builder on other (far) complete');
  const { text } = await world.contracts('show', 'one', '--json');
  expect(text).toContain('"machine":"other"');
});

test('a line of the log that is no JSON, or names no machine, names none', async () => {
  const [seen] = await seenAt([
    { kind: 'machine', name: 7 },
    { kind: 'line', text: 'machine' },
  ]);
  expect(seen?.step).toMatch(/^waits for a worker/);
});

test('what an agent of this machine prints names no machine', async () => {
  const adapters = 'adapters:\n  far: { type: command, run: [sh] }\n';
  world.write('.contracts/config.yaml', `adapter: far\nisolation: worktree\n${adapters}`);
  const [seen] = await seenAt([TAKEN]);
  expect(seen).toMatchObject({ list: 'builder', tries: [undefined] });
});

test('what a call reported is in the outcome, and in that of an attempt that takes it over', () => {
  const report = {
    denied: [],
    asked: [],
    last_message: '',
    machine: { name: 'host', enforced: [] },
  };
  const running = { task: makeTask('ready') };
  const machine = 'host';
  expect(usedFields(running, { report, model: undefined })).toMatchObject({ machine });
  const left = makeAttempt(1, { outcome: 'failed', record: { machine } }).outcome;
  expect(usedBefore(left)).toMatchObject({ machine });
});

test('the moment in which a worker takes it is a line of progress; what confined it there is none', () => {
  expect(shownText({ kind: 'machine', name: 'host', enforced: [] })).toBe('host took it');
  expect(shownText({ kind: 'machine', name: 'host', enforced: ['sandbox'] })).toBeUndefined();
});
