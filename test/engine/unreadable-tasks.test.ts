/** A task that the environment does not let us read is told by whoever lists, and is not just missing. */
import { beforeEach, expect, test } from 'vitest';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../src/task/core/model/problem.ts';
import { checkTree } from '../../src/engine/doctor/check.ts';
import { doctor } from '../../src/engine/doctor/doctor.ts';
import { graphOf } from '../../src/engine/queries/graph.ts';
import { listTasks } from '../../src/engine/queries/list.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

let root: string;
beforeEach(() => {
  root = sealedFolder('unread');
  fs.mkdirSync(join(root, '.contracts'));
  for (const id of ['shut', 'open']) {
    fs.mkdirSync(join(root, 'active_tasks/ready', id), { recursive: true });
    const text = `---\ntitle: A task\n${id === 'open' ? 'depends_on: [shut]\n' : ''}---\n\n## Success Criteria\n\n- [ ] it is there\n`;
    fs.writeFileSync(join(root, 'active_tasks/ready', id, 'contract.md'), text);
  }
});

/** As `chmod 000` does to everybody but root. */
function shut(): Workspace {
  const disk: Disk = {
    ...realDisk,
    read: (path, ...rest) => {
      if (!path.endsWith('/shut/contract.md')) return realDisk.read(path, ...rest);
      throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), {
        code: 'EACCES',
      });
    },
  };
  return openedAt(root, { disk });
}

test.each<[string, (ws: Workspace) => readonly Problem[]]>([
  ['list', (ws) => listTasks(ws).problems],
  ['check', (ws) => checkTree(ws).problems],
  ['graph', (ws) => graphOf(ws).problems],
  ['doctor', (ws) => doctor(ws, { fix: false }).problems],
])('%s tells where it stands and what to do', (_, problems) => {
  expect(problems(shut())).toContainEqual(
    expect.objectContaining({
      code: 'environment',
      severity: 'error',
      file: 'active_tasks/ready/shut',
      message: expect.stringContaining('EACCES') as string,
      fix: 'Let this user read and write what is named here, then run this again',
    }),
  );
});

test('a folder without a contract is as old as the folder, not as the epoch', () => {
  fs.rmSync(join(root, 'active_tasks/ready/open/contract.md'));
  const task = listTasks(shut()).tasks.find(({ id }) => id === 'open');
  expect(Date.now() - Date.parse(task?.since ?? '')).toBeLessThan(3_600_000);
});
