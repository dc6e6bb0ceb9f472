/**
 * Crash points, all of them: every disk operation of every story, died before, after and torn, and
 * refused with each errno once and for good; then deaths during the recovery. Agents are MOCK.
 * All of them take hours, so that a night plays a part (support/night.ts); CRASH_EVERY=1 is all.
 * The temporary folder is best in memory.
 */
import { expect, test } from 'vitest';
import {
  cleanRun,
  deaths,
  errnos,
  playThrough,
  recoveryTrace,
  tellingDeaths,
  type Clean,
} from '../support/crash-campaign.ts';
import type { Life } from '../support/crash-play.ts';
import { STORIES } from '../support/crash-scenarios.ts';
import { partOfNight, sayNight } from '../support/night.ts';
import { everyNth } from '../support/share.ts';

/** One in so many is played in a night. */
const DEATHS = 30;
const ERRNOS = 80;
const AGAIN = 12;

async function allOf(
  clean: Clean,
  plays: readonly (readonly Life[])[],
  n: number,
): Promise<string[]> {
  const wrong: string[] = [...clean.wrong];
  const chosen = partOfNight(plays, n);
  for (const lives of chosen) wrong.push(...(await playThrough(clean, lives)));
  console.log(`${clean.story.name}: ${chosen.length} plays, ${wrong.length} findings`);
  return wrong;
}

const table = STORIES.map((story) => ({ name: story.name, story }));

test.each(table)(
  `MOCK agents: $name: dies at every operation, ${sayNight(DEATHS)}`,
  async ({ story }) => {
    const clean = await cleanRun(story);
    expect(
      await allOf(
        clean,
        deaths(clean.trace).map((life) => [life]),
        DEATHS,
      ),
    ).toEqual([]);
  },
);

test.each(table)('MOCK agents: $name: runner and agent die together', async ({ story }) => {
  const clean = await cleanRun(story);
  const plays = Array.from({ length: clean.calls }, (_, i): Life[] => [{ kill_in_call: i }]);
  const twice = plays.flatMap((lives): Life[][] => [lives, [...lives, { kill_in_call: 0 }]]);
  expect(await allOf(clean, twice, 1)).toEqual([]);
});

test.each(table)(
  `MOCK agents: $name: every errno at every operation, ${sayNight(ERRNOS)}`,
  async ({ story }) => {
    const clean = await cleanRun(story);
    expect(
      await allOf(
        clean,
        errnos(clean.trace).map((life) => [life]),
        ERRNOS,
      ),
    ).toEqual([]);
  },
);

test.each(table)(
  `MOCK agents: $name: dies again while it recovers, ${sayNight(AGAIN)}`,
  async ({ story }) => {
    const clean = await cleanRun(story);
    const firsts = partOfNight(everyNth(tellingDeaths(clean.trace), 11), AGAIN);
    const plays: Life[][] = [];
    for (const first of firsts) {
      const trace = await recoveryTrace(story, [first]);
      // What follows is an ordinary run again: the recovery itself is near the beginning.
      const near = tellingDeaths(trace.slice(0, 150));
      plays.push(...everyNth(near, 7, plays.length).map((life) => [first, life]));
    }
    expect(await allOf(clean, plays, 1)).toEqual([]);
  },
);
