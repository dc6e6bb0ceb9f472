/**
 * The races of test/engine/races.test.ts in full: 16 steppers on 1,000 tasks, 200 kills at random moments,
 * 1,000 moves by hand meanwhile. Run with `npm run test:nightly`; RACE_SEED repeats a run.
 */
import { describe, expect, it } from 'vitest';
import { crowdRace, handRace, killRace } from '../support/race-runs.ts';

const seed = Number(process.env['RACE_SEED'] ?? Date.now() % 1_000_000);

describe(`races of real processes in full, RACE_SEED=${seed}`, () => {
  it('runs 1,000 tasks exactly as often as needed with 16 steppers at once', async () => {
    const lost = await crowdRace(16, 1000);
    console.log(`${lost} races were lost, none of them twice won`);
  });

  it('finishes everything after 200 kills at random moments', async () => {
    const killed = await killRace(seed, 200);
    console.log('killed', killed);
    expect(killed.runner + killed.agent + killed.both).toBe(200);
  });

  it('lets 1,000 random moves by hand stand while steppers run', async () => {
    expect(await handRace(seed, 4, 60, 1000)).toBeGreaterThanOrEqual(1000);
  });
});
