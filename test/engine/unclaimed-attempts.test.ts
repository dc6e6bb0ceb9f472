/** doctor: an attempt folder that no runner made holds its task, and is told with the cure. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contracts } from '../support/binary.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

test('a folder that is no attempt is named; an empty one goes away with --fix', async () => {
  const root = sealedFolder('unclaimed');
  await contracts(root, ['init']);
  const attempts = join(root, 'active_tasks/ready/task/attempts');
  mkdirSync(join(attempts, '0001'), { recursive: true });
  mkdirSync(join(attempts, '0002'));
  writeFileSync(join(attempts, '0001/kept.txt'), 'x');
  writeFileSync(join(attempts, '../contract.md'), '---\ntitle: A task\n---\n');
  const said = await contracts(root, ['doctor']);
  const text = said.stdout + said.stderr;
  expect(text).toContain('it has no owner.md, so no runner made attempt 2');
  expect(text).toContain('mv active_tasks/ready/task/attempts/0001 task-attempt-1');
  await contracts(root, ['doctor', '--fix']);
  expect([existsSync(join(attempts, '0001/kept.txt')), existsSync(join(attempts, '0002'))]).toEqual(
    [true, false],
  );
});
