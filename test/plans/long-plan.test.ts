/**
 * A plan of 200 tasks in ten waves, from its start to its last box, beside a second plan: in order,
 * by a person's word between the waves, through a pause, two runners at once and the death of two.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeArena, type Arena } from '../support/arena.ts';
import {
  calls,
  killedAtWork,
  killedSometime,
  planTasks,
  planText,
  run,
  said,
  writePlan,
} from '../support/long-plan.ts';
import { sweep } from '../support/races.ts';
import { leftOvers } from '../support/tree-look.ts';

const WAVES = 10;
const EACH = 20;

let arena: Arena;
beforeEach(() => void (arena = makeArena()));
afterEach(() => {
  sweep(arena);
});

const ofWave = (wave: number) =>
  planTasks(arena, 'long').filter((one) => !one.is_checkpoint && one.wave === wave);
const idsIn = (wave: number, state: string): readonly string[] =>
  ofWave(wave).flatMap((one) => (one.state === state ? [one.id] : []));
const sorted = (ids: readonly string[]): readonly string[] => [...ids].sort();

/** All of these waves are done, and of those behind them nothing was ever claimed. */
function expectStandsAfter(wave: number): void {
  const tasks = planTasks(arena, 'long');
  for (const { id, state, ...task } of tasks) {
    const isAsked = task.is_checkpoint && task.wave === wave;
    if (task.wave <= wave) expect([id, state]).toEqual([id, isAsked ? 'questions' : 'done']);
    else expect([id, state, task.is_claimed]).toEqual([id, 'ready', false]);
  }
  const late = new Set(tasks.flatMap((one) => (one.wave > wave ? one.id : [])));
  expect(calls(arena).filter((id) => late.has(id))).toEqual([]);
}

function answer(wave: number, word: string) {
  const asked = planTasks(arena, 'long').find((one) => one.is_checkpoint && one.wave === wave);
  return said(arena, 'answer', asked?.id ?? '', word);
}

/** Half of the second wave is done when the runner dies; who was at work then. */
async function dieInTheSecondWave(): Promise<readonly string[]> {
  const checkpoint = planTasks(arena, 'long').find((one) => one.is_checkpoint && one.wave === 1);
  const half = ofWave(2).slice(0, EACH / 2);
  const known = [...half, ...(checkpoint === undefined ? [] : [checkpoint])];
  await run(arena, ...known.flatMap(({ id }) => ['--only', id]));
  const done = idsIn(2, 'done').length;
  expect(done > 0 && done < EACH).toBe(true);
  const underway = await killedAtWork(arena);
  expect(sorted(idsIn(2, 'in_progress'))).toEqual(sorted(underway));
  return underway;
}

/** Nothing of the paused plan is claimed; a second plan is worked on to its end. */
async function workBesidePaused(): Promise<void> {
  await said(arena, 'plan', 'pause', 'long');
  await said(arena, 'plan', 'start', 'side');
  arena.order('go');
  const called = new Set(calls(arena));
  await run(arena);
  const side = planTasks(arena, 'side');
  const more = calls(arena).filter((id) => !called.has(id));
  expect(sorted(more)).toEqual(sorted(side.map(({ id }) => id)));
  expect(side.filter(({ state }) => state !== 'done')).toEqual([]);
  expect(idsIn(2, 'ready').length).toBeGreaterThan(0);
  await said(arena, 'plan', 'pause', 'long', '--end');
}

/** What a runner that died was writing: its name was never published, and doctor removes it. */
function cutShort(): readonly string[] {
  return leftOvers(arena).flatMap((path) => /\.(?:new|tmp)-\w+(?:\/[^/]+)?$/.exec(path)?.[0] ?? []);
}

/** Everything is done and ticked, and nobody was called twice but who was at work at a death. */
async function expectDone(underway: readonly string[], dead: readonly string[]): Promise<void> {
  const all = [...planTasks(arena, 'long'), ...planTasks(arena, 'side')];
  expect(all.filter(({ state }) => state !== 'done')).toEqual([]);
  const work = all.flatMap((one) => (one.is_checkpoint ? [] : one.id));
  expect(work).toHaveLength(WAVES * EACH + 10);
  expect(sorted([...new Set(calls(arena))])).toEqual(sorted(work));
  const again = calls(arena).filter((id, i, ids) => ids.indexOf(id) !== i);
  expect(again.filter((id) => !underway.includes(id))).toEqual([]);
  expect(arena.ledger().filter(({ word }) => word === 'overlap')).toEqual([]);
  for (const plan of ['long', 'side']) expect(planText(arena, plan)).not.toMatch(/\[[^x]\]/);
  expect(planText(arena, 'long').match(/\[x\]/g)).toHaveLength(2 * WAVES * EACH);
  const left = leftOvers(arena);
  expect(left.filter((path) => !dead.some((name) => path.endsWith(`/${name}`)))).toEqual([]);
  const { stdout, stderr } = await said(arena, 'doctor');
  for (const path of left) {
    const named = path.replace(/(\/\.(?:new|tmp)-\w+)\/.*/, '$1');
    expect(stdout + stderr).toContain(`active_tasks/${named}`);
  }
}

test('200 tasks in ten waves, and a second plan beside them', { timeout: 600_000 }, async () => {
  writePlan(arena, 'long', { waves: WAVES, each: EACH });
  writePlan(arena, 'side', { waves: 2, each: 5 }, 'Checkpoint: auto\n');
  const made = await said(arena, 'plan', 'start', 'long');
  expect(made.stdout).toContain(`Made ${WAVES * EACH + WAVES - 1} tasks`);
  await run(arena);
  expectStandsAfter(1);
  await answer(1, 'PAUSE');
  await run(arena);
  expectStandsAfter(1);
  await answer(1, 'GO');
  const underway = [...(await dieInTheSecondWave())];
  const dead = [...cutShort()];
  await workBesidePaused();
  await run(arena);
  expectStandsAfter(2);
  await answer(2, 'GO');
  await Promise.all([run(arena), run(arena)]);
  expectStandsAfter(3);
  await answer(3, 'GO');
  underway.push(...(await killedSometime(arena, EACH / 2)));
  dead.push(...cutShort());
  await run(arena);
  expectStandsAfter(4);
  for (let wave = 5; wave <= WAVES; wave++) {
    await answer(wave - 1, 'GO');
    await run(arena);
    expectStandsAfter(wave);
  }
  await expectDone(underway, dead);
});
