/**
 * Crash points, the part that is played at every run: each story is ended at each kind of rename, at
 * a spread of all other operations, in the middle of each agent, and its disk refuses work. Agents
 * are MOCK. All operations and all errnos: test/nightly/crash-points.test.ts.
 */
import { expect, test } from 'vitest';
import {
  cleanRun,
  errnos,
  lastOfEachRename,
  playThrough,
  recoveryTrace,
  shape,
  tellingDeaths,
  type Clean,
} from '../support/crash-campaign.ts';
import type { Life } from '../support/crash-play.ts';
import { STORIES } from '../support/crash-scenarios.ts';
import { everyNth, sayShare, share } from '../support/share.ts';

/** One in so many is played before each push. */
const DEATHS = 3;

async function allOf(clean: Clean, plays: readonly (readonly Life[])[]): Promise<string[]> {
  const wrong: string[] = [...clean.wrong];
  for (const lives of plays) wrong.push(...(await playThrough(clean, lives)));
  return wrong;
}

/** One refusal of each change in an attempt's folder; the process itself steps on afterwards. */
function stubborn(trace: Clean['trace']): Life[] {
  const last = lastOfEachRename(trace).filter((at) => shape(trace[at]!).includes('attempts/N'));
  return last.map((at) => ({
    at,
    fault: { kind: 'errno', code: 'EIO', for_good: false },
    stubborn: true,
  }));
}

const die = (at: number): Life => ({ at, fault: { kind: 'die_after' } });

test.each(STORIES.map((story, i) => ({ name: story.name, story, i })))(
  `MOCK agents: $name, whatever dies or refuses, ${sayShare(DEATHS)}`,
  async ({ story, i }) => {
    const clean = await cleanRun(story);
    const plays: Life[][] = [
      ...everyNth(lastOfEachRename(clean.trace), 2, i).map((at) => [die(at)]),
      ...everyNth(tellingDeaths(clean.trace), 67, i * 5).map((life) => [life]),
      ...everyNth(errnos(clean.trace), 701, i * 131).map((life) => [life]),
      ...everyNth(stubborn(clean.trace), 5, i).map((life) => [life]),
      [{ kill_in_call: i % 2 }],
    ];
    expect(await allOf(clean, share(plays, DEATHS, i))).toEqual([]);
  },
);

/** Places where a bug was found and mended; the occurrence counts from 0. */
const MENDED: readonly [story: string, shape: string, occurrence: number, why: string][] = [
  [
    'questions',
    'rename in_progress/one/.tmp -> in_progress/one/questions.md',
    0,
    'published questions were put away as old ones, and nobody saw the answers',
  ],
  [
    'last failure',
    'rename in_progress/one/.tmp -> in_progress/one/blocked.md',
    0,
    'the runner’s own blocked.md was taken for a resolution, and the count began anew',
  ],
  [
    'two gates',
    'rename review/one/.tmp -> review/one/review.md',
    1,
    'the boxes were offered again, and the tick was put aside',
  ],
  [
    'a human task',
    'rename ready/one -> in_progress/one',
    1,
    'the old result was taken for a new one, and a send-back was used up',
  ],
  [
    'put into in_progress',
    'rename in_progress/one/attempts/.new -> in_progress/one/attempts/N',
    0,
    'the result of another time was handed in',
  ],
  [
    'put into in_progress',
    'rename in_progress/one/result.md -> in_progress/one/attempts/N/result.md',
    0,
    'nobody offered the form any more',
  ],
  [
    'a host task',
    'rename .desk/one.N -> in_progress/one/attempts/N/desk',
    0,
    'the desk had gone into the attempt, and collect did not look there',
  ],
  [
    'a host task',
    'rename in_progress/one/attempts/N/.tmp -> in_progress/one/attempts/N/outcome.md',
    0,
    'a committed outcome of a host was rolled forward by nobody',
  ],
  ['a host task', 'rename ready/one -> in_progress/one', 0, 'delegated without a desk, for ever'],
  [
    'contract edited',
    'rename in_progress/one/.tmp -> in_progress/one/status.md',
    0,
    'a result for yesterday’s contract was adopted for today’s',
  ],
  [
    'a check fails',
    'rename review/one/attempts/N/.tmp -> review/one/attempts/N/outcome.md',
    0,
    'the findings of verification were never published',
  ],
  [
    'says REVIEW',
    'rename review/one -> done/one',
    0,
    'an approval whose lease had stayed counted again, and nobody was asked anew',
  ],
  [
    'agent that decides',
    'rename questions/cp -> ready/cp',
    0,
    'what it had decided was put beside its work, as if it were a question of before',
  ],
];

test('MOCK agents: settings that cannot be looked at for a moment have not changed', async () => {
  const story = STORIES.find((one) => one.name.includes('a chief with three children'));
  const clean = await cleanRun(story!);
  const at = clean.trace.flatMap((met, i) => (shape(met) === 'stat config.yaml' ? [i] : []));
  expect(at.length).toBeGreaterThan(8);
  const refused = everyNth(at, 4, 1).map((one): Life[] => [
    { at: one, fault: { kind: 'errno', code: 'EACCES', for_good: false } },
  ]);
  expect(await allOf(clean, refused)).toEqual([]);
});

test.each(MENDED.map(([name, where, nth, why]) => ({ name, where, nth, why })))(
  'MOCK agents: $name: dies after $where: $why',
  async ({ name, where, nth }) => {
    const story = STORIES.find((one) => one.name.includes(name));
    const clean = await cleanRun(story!);
    const at = clean.trace.flatMap((met, i) => (shape(met) === where ? [i] : []))[nth];
    expect(at, `no such operation: ${where}`).toBeDefined();
    expect(await allOf(clean, [[die(at!)]])).toEqual([]);
  },
);

test('MOCK agents: the recovery dies too, between the fence and its desk, and everywhere near', async () => {
  const clean = await cleanRun(STORIES.find((story) => story.name.includes('NEEDS_WORK, then'))!);
  const ended = clean.trace.findIndex((met) => shape(met).includes('attempts/N/desk'));
  const first: Life = { at: ended, fault: { kind: 'die_before' } };
  const recovery = await recoveryTrace(clean.story, [first]);
  const fence = recovery.findIndex((met) => shape(met).endsWith('.lost'));
  expect(fence).toBeGreaterThan(0);
  const near = recovery.flatMap((met, at) =>
    ['rename', 'create'].includes(met.operation) && at >= fence - 8 && at < fence + 60 ? [at] : [],
  );
  const plays = near.map((at): Life[] => [first, die(at)]);
  expect(await allOf(clean, plays)).toEqual([]);
});
