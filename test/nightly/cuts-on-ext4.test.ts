/**
 * The power goes on a real ext4 at every change that the built command makes, with agents that never
 * sync: in the shared tree, with a question, with a reviewer, in a worktree with its merge.
 */
import { expect, test } from 'vitest';
import { partOfNight, sayNight } from '../support/night.ts';
import { LIVES, powerCutsMissing, Rig } from '../support/real-power-cut.ts';

const missing = powerCutsMissing();
if (missing !== undefined) console.log(`LEFT OUT: power cuts on ext4, because ${missing}`);

/** One in so many is played in a night. */
const CUTS = 2;

test.runIf(missing === undefined).each(LIVES)(
  `real processes: $name: the power goes at every change, ${sayNight(CUTS)}`,
  (life) => {
    const rig = new Rig(life);
    try {
      const points = Array.from({ length: rig.calls() }, (_, i) => i);
      const cuts = partOfNight(points, CUTS).map((at) => rig.play(at));
      expect(cuts.flatMap(({ wrong }) => wrong)).toEqual([]);
      expect(cuts.filter(({ met }) => met).length).toBeGreaterThan(cuts.length * 0.9);
    } finally {
      rig.remove();
    }
  },
);
