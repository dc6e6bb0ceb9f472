/**
 * Real processes, real kills, real `mv`: samples of the races, and each kind of kill by itself.
 * The full sizes are in test/nightly/races.test.ts. Nothing here is a mock.
 */
import { describe, expect, it } from 'vitest';
import { crowdRace, handRace, killRace } from './support/race-runs.ts';

const seed = Number(process.env['RACE_SEED'] ?? Date.now() % 1_000_000);

describe(`races of real processes, RACE_SEED=${seed}`, () => {
  it('runs 60 tasks exactly as often as needed with 4 steppers at once', async () => {
    await crowdRace(4, 60, 50_000);
  });

  it('finishes everything after 10 kills at random moments', async () => {
    const killed = await killRace(seed, 10, 50_000);
    expect(killed.runner + killed.agent + killed.both).toBe(10);
  });

  it('lets 40 random moves by hand stand while steppers run', async () => {
    expect(await handRace(seed, 3, 12, 40, 50_000)).toBeGreaterThanOrEqual(40);
  });
});
