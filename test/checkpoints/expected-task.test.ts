/**
 * Tasks that another runner sent to review again, because of a checkpoint, are no agent's doing. Files are
 * real; nothing is called.
 */
import { beforeEach, expect, test } from 'vitest';
import { decisionHash } from '../../src/checkpoints/engine/apply-decision.ts';
import { isExpectedTask } from '../../src/workspace/tasks/capability.ts';
import { parseDecision } from '../../src/checkpoints/text/decision.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => void (world = makeWorld()));

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
  expect(isExpectedTask(ws, 'one', 'review')).toBe(is);
  expect(isExpectedTask(ws, 'two', 'review')).toBe(false);
});
