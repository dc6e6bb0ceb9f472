/**
 * Tasks that another runner brought where they wait are no agent's doing: those that a checkpoint sent to
 * review anew, and those that were made of a chief's desk. Files are real; nothing is called.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { childTaskId } from '../../src/delegation/core/child-rules.ts';
import { decisionHash } from '../../src/checkpoints/engine/apply-decision.ts';
import { isRunnersTask } from '../../src/delegation/engine/expected-task-moves.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { parseDecision } from '../../src/task/text/documents/documents.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const CONTRACT = '# one\n\n## Success Criteria\n\n- [ ] it is there\n';
const outcome = (kind: string, word: string): string =>
  `---\nv: 1\nattempt: 1\nkind: ${kind}\noutcome: ${word}\nreason: so\nat: "2026-11-21T12:00:00Z"\nagent: builder\nenforced: []\nchanged: []\n---\n`;

test.each([
  ['questions', 'questions.md', true],
  ['ready', 'notes/decision-1.md', true],
  ['done', 'notes/decision-1.md', true],
  ['done', 'notes/other.md', false],
  ['questions', 'elsewhere/questions.md', false],
])('sent anew by a checkpoint in %s that holds its decision as %s: %s', (state, file, is) => {
  const decision = '## Decision\n\n- [x] REVIEW\n';
  world.write(`active_tasks/${state}/cp/contract.md`, CONTRACT);
  world.write(`active_tasks/${state}/cp/${file}`, decision);
  world.write('active_tasks/review/one/contract.md', CONTRACT);
  world.write('active_tasks/review/one/attempts/0001/outcome.md', outcome('review', 'approved'));
  const hash = decisionHash(1, parseDecision(decision));
  const anew = `---\nv: 1\ncheckpoint: cp\ndecision: "${hash}"\n---\n`;
  world.write('active_tasks/review/one/attempts/0001/anew.md', anew);
  world.write('active_tasks/review/two/contract.md', CONTRACT);
  const { ws } = world.process({});
  expect(isRunnersTask(ws, 'one', 'review')).toBe(is);
  expect(isRunnersTask(ws, 'two', 'review')).toBe(false);
  expect(isRunnersTask(ws, 'two', 'nowhere')).toBe(false);
});

test('a child that the kept desk of its parent names, once that was delegated', () => {
  const id = childTaskId('chief', 1, 'words', sha256);
  const child = `---\nv: 1\nparent: chief\n---\n\n${CONTRACT}`;
  world.write('active_tasks/ready/chief/contract.md', CONTRACT);
  world.write('active_tasks/ready/chief/attempts/0001/desk/children/words.md', child);
  world.write(`active_tasks/ready/${id}/contract.md`, child);
  world.write('active_tasks/ready/mine/contract.md', child);
  const { ws } = world.process({});
  expect(isRunnersTask(ws, id, 'ready')).toBe(false);
  world.write('active_tasks/ready/chief/attempts/0001/outcome.md', outcome('work', 'delegated'));
  expect(isRunnersTask(ws, id, 'ready')).toBe(true);
  expect(isRunnersTask(ws, 'mine', 'ready')).toBe(false);
  const at = (path: string): string => join(world.root, 'active_tasks', path);
  renameSync(at('ready/chief'), at('in_progress/chief'));
  renameSync(at(`ready/${id}`), at(`in_progress/${id}`));
  expect(isRunnersTask(ws, id, 'in_progress')).toBe(true);
});
