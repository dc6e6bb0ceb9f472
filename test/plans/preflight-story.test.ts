/** What a story lacks is told; it is refused where its squad is driven by stories. */
import { expect, test } from 'vitest';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { preflight } from '../../src/engine/preflight/preflight.ts';
import { parseContract } from '../../src/task/text/documents/contract.ts';
import { openedAt } from '../support/opened.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

function said(head: string, body = '# S\n\n## Success Criteria\n\n- [ ] it is so\n'): string[] {
  const root = sealedFolder('story');
  mkdirSync(join(root, 'active_tasks'));
  const ws = openedAt(root, { env: { PATH: '', HOME: root } });
  const read = parseContract(`---\nv: 1\n${head}\n---\n\n${body}`, 'contract.md');
  if (!read.ok) throw new Error('not read');
  const folder = join(root, 'active_tasks/ready/s');
  return preflight(ws, folder, read.value, false)
    .filter(({ found }) => found === 'type: story')
    .map(({ severity, message }) => `${severity}: ${message}`);
}

const LACKS = 'a story is not ready without';
const ALL = 'tasks, steps or an objective, an executor, a quality gate';

test.each([
  ['type: task', []],
  ['type: story', [`warning: ${LACKS} ${ALL}`]],
  ['type: story\nsquad: marketing', [`warning: ${LACKS} tasks, steps or an objective`]],
  ['type: story\nsquad: dev', [`error: ${LACKS} tasks, steps or an objective`]],
  [
    'type: story\nagent: dev\nquality_gate: [qa]',
    [`warning: ${LACKS} tasks, steps or an objective`],
  ],
])('%s', (head, expected) => {
  expect(said(head)).toEqual(expected);
});

test('one with all of it is ready', () => {
  const body = '# S\n\n## Objective\n\nDo it.\n\n## Success Criteria\n\n- [ ] it is so\n';
  expect(said('type: story\nsquad: dev', body)).toEqual([]);
  expect(said('type: story\nsquad: dev', '# S\n\n## Objective\n\nDo it.\n')).toEqual([
    `error: ${LACKS} acceptance criteria`,
  ]);
});
