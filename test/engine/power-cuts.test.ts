/**
 * The power goes on a real ext4 while the built command works, with agents that never sync: a few points
 * at every run, all of them in test/nightly/cuts-on-ext4.test.ts. Needs root and a loop device.
 */
import { expect, test } from 'vitest';
import { LIVES, powerCutsMissing, Rig } from '../support/real-power-cut.ts';

const missing = powerCutsMissing();
if (missing !== undefined) console.log(`LEFT OUT: power cuts on ext4, because ${missing}`);

/**
 * Behind the end of the first agent, where all was lost once; where a merge has moved the branch; and right
 * before the end.
 */
const PARTS = [0.62, 0.87, 0.95];

test.runIf(missing === undefined).each(LIVES)(
  'real processes: $name: after a power cut nothing is lost or torn, and no agent runs again that had ended',
  (life) => {
    const rig = new Rig(life);
    try {
      const calls = rig.calls();
      const cuts = PARTS.map((part) => rig.play(Math.floor(calls * part)));
      expect(cuts.flatMap(({ wrong }) => wrong)).toEqual([]);
      expect(cuts.map(({ met }) => met)).toEqual(PARTS.map(() => true));
    } finally {
      rig.remove();
    }
  },
);
