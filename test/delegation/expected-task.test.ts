/**
 * Tasks that another runner made of a chief's desk are no agent's doing. Files are real; nothing is called.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { childTaskId } from '../../src/delegation/core/child-rules.ts';
import { isExpectedTask } from '../../src/workspace/tasks/capability.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => void (world = makeWorld()));

const CONTRACT = '# one\n\n## Success Criteria\n\n- [ ] it is there\n';
const outcome = (kind: string, word: string): string =>
  `---\nv: 1\nattempt: 1\nkind: ${kind}\noutcome: ${word}\nreason: so\nat: "2026-11-21T12:00:00Z"\nagent: builder\nenforced: []\nchanged: []\n---\n`;

test('a child that the kept desk of its parent names, once that was delegated', () => {
  const id = childTaskId('chief', 1, 'words', sha256);
  const child = `---\nv: 1\nparent: chief\n---\n\n${CONTRACT}`;
  world.write('active_tasks/ready/chief/contract.md', CONTRACT);
  world.write('active_tasks/ready/chief/attempts/0001/desk/children/words.md', child);
  world.write(`active_tasks/ready/${id}/contract.md`, child);
  world.write('active_tasks/ready/mine/contract.md', child);
  const { ws } = world.process({});
  expect(isExpectedTask(ws, id, 'ready')).toBe(false);
  world.write('active_tasks/ready/chief/attempts/0001/outcome.md', outcome('work', 'delegated'));
  expect(isExpectedTask(ws, id, 'ready')).toBe(true);
  expect(isExpectedTask(ws, 'mine', 'ready')).toBe(false);
  const at = (path: string): string => join(world.root, 'active_tasks', path);
  renameSync(at('ready/chief'), at('in_progress/chief'));
  renameSync(at(`ready/${id}`), at(`in_progress/${id}`));
  expect(isExpectedTask(ws, id, 'in_progress')).toBe(true);
});
