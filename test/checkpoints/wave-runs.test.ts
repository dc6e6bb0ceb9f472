/** What the tasks of a wave used: a call that a recovery took over counts once. */
import { expect, test } from 'vitest';
import { runOfTask } from '../../src/checkpoints/engine/wave-runs.ts';
import { makeWorld } from '../support/world.ts';

test('a call that was taken over counts once', () => {
  const world = makeWorld();
  const ended = (folder: string, attempt: number, more = ''): void =>
    world.write(
      `active_tasks/done/one/attempts/${folder}/outcome.md`,
      `---\nv: 1\nattempt: ${attempt}\nkind: work\noutcome: complete\nreason: said so\nat: 2026-11-21T12:00:00Z\nseconds: 40\ncost_usd: 2\n${more}---\n`,
    );
  ended('0001.lost', 1);
  ended('0002', 2, 'adopted: 1\n');
  const { ws } = world.process({});
  const run = runOfTask(ws, { id: 'one', state: 'done' });
  expect(run).toMatchObject({ attempts: 1, seconds: 40, cost_usd: 2 });
});
