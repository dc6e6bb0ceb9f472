/** A person's verb is ended at each change: said again, it comes to the same end. Death is MOCK. */
import { expect, test } from 'vitest';
import {
  acceptCandidate,
  changeLearning,
  forgetLearning,
  readMemory,
} from '../../../src/memory/engine/store.ts';
import type { Workspace } from '../../../src/workspace/open/workspace.ts';
import { CHANGES, Died, faultyDisk, unsyncedDisk } from '../../support/faulty-disk.ts';
import { filesIn, worldOf } from '../killed-runner.ts';

const FILES = {
  '.contracts/memory/candidates/ask-once.md': '---\ntype: decision\n---\nAsk once\n',
};

const find = (ws: Workspace) => {
  const { learnings, candidates } = readMemory(ws);
  return { kept: learnings[0], candidate: candidates[0] };
};

function accepts(ws: Workspace): void {
  const { candidate } = find(ws);
  if (candidate !== undefined) acceptCandidate(ws, candidate, 'preference');
}

function edits(ws: Workspace): void {
  const { candidate } = find(ws);
  if (candidate !== undefined) changeLearning(ws, candidate, () => ({ feedback: 1 }), 'two: Ask');
}

function forgets(ws: Workspace): void {
  const { candidate } = find(ws);
  if (candidate !== undefined) forgetLearning(ws, candidate);
}

/** After its last operation it is already over. */
function died(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Died)) throw error;
  }
}

test.each([accepts, edits, forgets])('%o', (act) => {
  const clean = worldOf({ files: FILES });
  const disk = faultyDisk(-1, undefined, unsyncedDisk);
  act(clean.process({ disk }).ws);
  const expected = filesIn(clean.root, ['.contracts/memory']);
  for (const [at, { operation, path }] of disk.trace.entries()) {
    if (!CHANGES.has(operation)) continue;
    for (const kind of ['die_before', 'die_after', 'die_torn'] as const) {
      const world = worldOf({ files: FILES });
      const dying = faultyDisk(at, { kind }, unsyncedDisk);
      died(() => act(world.process({ disk: dying }).ws));
      const { ws } = world.process({ disk: unsyncedDisk });
      const { learnings, candidates } = readMemory(ws);
      if (act !== forgets) expect(learnings.length + candidates.length).toBe(1);
      act(ws);
      expect(filesIn(world.root, ['.contracts/memory']), `${kind} ${operation} ${path}`).toEqual(
        expected,
      );
    }
  }
});
