/**
 * The power goes at every change of every story, with each of several legal remainders of what was
 * not durable. Agents are MOCK. The temporary folder is best in memory.
 */
import { expect, test } from 'vitest';
import { cleanRun, tellingDeaths } from '../support/crash-campaign.ts';
import { DURABLE } from '../support/crash-checks.ts';
import { STORIES } from '../support/crash-scenarios.ts';
import { partOfNight, sayNight } from '../support/night.ts';
import { playWithCut, SURVIVORS } from '../support/power-cuts.ts';

/** One in so many is played in a night. */
const CUTS = 16;

test.each(STORIES.map((story) => ({ name: story.name, story })))(
  `MOCK agents: $name: the power goes at every change, ${sayNight(CUTS)}`,
  async ({ story }) => {
    const clean = await cleanRun(story, DURABLE);
    const cuts = tellingDeaths(clean.trace).flatMap((life) =>
      SURVIVORS.map((survives) => ({ life, survives })),
    );
    const wrong: string[] = [...clean.wrong];
    for (const { life, survives } of partOfNight(cuts, CUTS)) {
      wrong.push(...(await playWithCut(clean, life, survives)));
    }
    expect(wrong).toEqual([]);
  },
);
