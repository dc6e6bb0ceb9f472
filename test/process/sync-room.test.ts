/**
 * The MOCK room of the crash plays beside the real one: what a program is given, and how its end is
 * told, must be the same in both, or a play finds faults that nobody has.
 */
import { describe, expect, test } from 'vitest';
import type { ProcessRoom } from '../../src/process/process-room.ts';
import { syncRoom } from '../support/sync-room.ts';
import { folder, logOf, machine, room, spawnIn } from '../clients/rig.ts';

/** More than any pipe holds. */
const BRIEF = `${'a line of a long brief\n'.repeat(500_000)}the end\n`;

const mock = syncRoom({
  machine,
  ledger: { calls: [], written: [] },
  toldNumber: ({ attempt }) => attempt,
  isDead: () => false,
});

describe.each<[string, ProcessRoom]>([
  ['the real room', room],
  ['the MOCK room', mock],
])('%s', (_, one) => {
  test('whoever ends without reading its input has ended, and that is all', async () => {
    const spawn = spawnIn(folder(), ['sh', '-c', 'echo done; exit 7'], { stdin: { text: BRIEF } });
    const gated = one.start(spawn);
    gated.open();
    expect(await gated.done).toMatchObject({ code: 7, signal: null, reason: 'exited' });
    expect(logOf(spawn)).toBe('done\n');
  });

  test('whoever reads its input gets all of it', async () => {
    const spawn = spawnIn(folder(), ['tail', '-n', '1'], { stdin: { text: BRIEF } });
    const gated = one.start(spawn);
    gated.open();
    expect(await gated.done).toMatchObject({ code: 0 });
    expect(logOf(spawn)).toBe('the end\n');
  });
});
