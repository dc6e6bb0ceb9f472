/**
 * Questions before the work that the contract itself wants, whoever steps, and rounds beside each other. The process
 * room is a MOCK.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { askRound } from '../../src/engine/commands/ask-round.ts';
import { addNote } from '../../src/engine/commands/write-words.ts';
import { run } from '../../src/engine/step/run.ts';
import { step } from '../../src/engine/step/step.ts';
import type { Event } from '../../src/task/core/lines/event.ts';
import { readTask } from '../../src/workspace/tasks/read-task.ts';
import type { State } from '../../src/task/core/model/state.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.agent('questions_max: 0\nretries_max: 0\n');
});

const task = (state: State, id: string, more = ''): void =>
  world.write(
    `active_tasks/${state}/${id}/contract.md`,
    `---\ntitle: ${id}\n${more}---\n\n## Success Criteria\n\n- [ ] it is there\n`,
  );
const first = (id: string, more = ''): void => task('ready', id, `ask: before\n${more}`);
const at = (path: string): string => join(world.root, 'active_tasks', path);
const asks = (desk: string, text: string): void => writeFileSync(join(desk, 'questions.md'), text);
const ONE = '## Questions\n\n1. Which one?\n';

/** A promise, and what keeps it. */
function gate(): readonly [Promise<void>, () => void] {
  let open = (): void => undefined;
  return [new Promise<void>((resolve) => (open = resolve)), () => open()];
}

const done = '- Status: COMPLETE\n\n- [x] it is there\n';
/** Kinds of the calls, in their order. */
function asked(answer: (desk: string, nth: number) => number | Promise<number>) {
  const calls: string[] = [];
  const { ws } = world.process({
    script: ({ kind, desk }) => {
      calls.push(kind);
      if (kind !== 'ask') writeFileSync(join(desk, 'result.md'), done);
      return kind === 'ask' ? answer(desk, calls.length) : 0;
    },
  });
  return { ws, calls };
}

test('is asked by the first step, and worked on after the answer', async () => {
  first('one');
  const { ws, calls } = asked((desk) => (asks(desk, ONE), 0));
  const { plan } = await step(ws, { dry_run: true });
  expect(plan.map(({ action }) => action)).toMatchObject([{ kind: 'claim', work: 'ask' }]);
  await run(ws);
  expect(calls).toEqual(['ask']);
  const path = at('questions/one/questions.md');
  writeFileSync(path, `${readFileSync(path, 'utf8').trimEnd()}\n\nThe first.\n`);
  await run(ws);
  expect(calls).toEqual(['ask', 'work']);
});

test('works in the step after the round where nothing is asked, and after a round without an answer', async () => {
  for (const id of ['one', 'silent', 'fails']) first(id);
  const { ws, calls } = asked((desk, nth) => {
    if (nth === 1) asks(desk, 'No questions.\n');
    return nth === 2 ? 3 : 0;
  });
  await step(ws, { parallel: 1 });
  expect(calls).toEqual(['ask', 'ask', 'ask']);
  await run(ws);
  expect(calls.toSorted()).toEqual(['ask', 'ask', 'ask', 'work', 'work', 'work']);
});

test('is asked while it waits for others, and again after a stop', async () => {
  task('ready', 'before');
  first('one', 'depends_on: [before]\n');
  const stop = new AbortController();
  const { ws, calls } = asked((desk, nth) => {
    if (nth > 2) return (asks(desk, ONE), 0);
    stop.abort();
    return new Promise<number>(() => undefined);
  });
  await run(ws, { only: new Set(['one']), signal: stop.signal });
  const { attempts = [] } = readTask(ws, 'ready', 'one') ?? {};
  expect(attempts.map(({ kind, outcome }) => `${kind} ${outcome?.code}`)).toEqual(['ask stopped']);
  calls.push('');
  await run(ws, { only: new Set(['one']) });
  expect(calls).toEqual(['ask', '', 'ask']);
  expect(existsSync(at('questions/one'))).toBe(true);
});

test('works at once where a script does it, or where it was begun', async () => {
  const steps = '\n## Steps\n\n```sh\ntrue\n```\n';
  world.write(
    'active_tasks/ready/sh/contract.md',
    `---\ntitle: sh\nask: before\nadapter: shell\n---\n${steps}\n## Success Criteria\n\n- [ ] it is there\n`,
  );
  task('ready', 'begun');
  const { ws, calls } = asked(() => 0);
  await step(ws, { only: new Set(['begun']) });
  renameSync(at('review/begun'), at('ready/begun'));
  first('begun');
  await run(ws);
  expect(calls).toContain('work');
  expect(calls).not.toContain('ask');
});

test('two rounds at once ask each agent once (MOCK room)', async () => {
  for (const id of ['one', 'two', 'three']) task('draft', id);
  const calls: string[] = [];
  const [bothBegan, begin] = gate();
  const script = async ({ task: id, desk }: { task: string; desk: string }) => {
    calls.push(id);
    await bothBegan;
    asks(desk, id === 'two' ? ONE : 'No questions.\n');
    return 0;
  };
  const { ws } = world.process({ script });
  const rounds = [1, 2].map(() => askRound(ws, {}, { parallel: 1 }));
  begin();
  const [first, second] = await Promise.all(rounds);
  expect(calls.toSorted()).toEqual(['one', 'three', 'two']);
  const other = [...first!.report.waiting, ...second!.report.waiting];
  expect(new Set(other.map(({ code }) => code))).toEqual(new Set(['asked_since']));
  expect(first!.ends.size + second!.ends.size).toBe(3);
});

test.each([
  'ready/victim/notes/x.md',
  'done/old/result.md',
  'done/made/result.md',
  'draft/sketch/questions.md',
  '../.contracts/archive/older/result.md',
])(
  'a round whose agent writes %s is void, whoever else writes meanwhile (MOCK room)',
  async (path) => {
    task('draft', 'x');
    task('ready', 'victim');
    task('draft', 'sketch');
    for (const old of ['active_tasks/done/old', '.contracts/archive/older'])
      world.write(`${old}/result.md`, '- Status: COMPLETE\n');
    const { ws } = world.process({
      script: ({ desk }) => {
        world.write(`active_tasks/${path}`, 'The owner says so.\n');
        asks(desk, 'No questions.\n');
        return 0;
      },
    });
    const { ends } = await askRound(ws, { ids: ['x'] }, {});
    expect(ends.get('x')).toMatchObject({ code: 'not_read_only' });
    expect(ends.get('x')?.reason).toContain(path.split('/').slice(-2).join('/'));
  },
);

test('what others of its run and commands write into tasks makes no round void (MOCK room)', async () => {
  for (const id of ['x', 'y', 'z']) task('ready', id);
  task('review', 'w');
  const [othersEnded, open] = gate();
  const left = new Set(['x', 'y']);
  const emit = (event: Event): void => {
    if (event.event === 'ended' && left.delete(event.task) && left.size === 0) open();
  };
  const { ws } = world.process({
    script: async ({ desk, task: id }) => {
      if (id === 'y') addNote(ws, 'w', 'Look again.');
      if (id === 'z') await othersEnded;
      asks(desk, id === 'x' ? ONE : 'No questions.\n');
      return 0;
    },
  });
  const { ends } = await askRound(ws, {}, { parallel: 3, emit });
  expect([...ends].map(([id, { code }]) => `${id} ${code}`).toSorted()).toEqual([
    'x questions',
    'y no_questions',
    'z no_questions',
  ]);
});
