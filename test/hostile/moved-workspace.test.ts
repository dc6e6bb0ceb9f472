/** A workspace that is moved away while its agent works, and another one at the same place. Real processes. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { contracts } from '../support/binary.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

const AGENT = `echo ran >> ran.txt
until [ -e go-on ]; do sleep 0.02; done
printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is done\\n' > "active_tasks/.desk/one.$CONTRACTS_ATTEMPT/result.md"
`;

function make(root: string): void {
  mkdirSync(root);
  init(realDisk, root);
  putFile(
    join(root, '.contracts/config.yaml'),
    'sandbox: none\nadapter: agent\nadapters:\n  agent: { type: command, run: [sh, .contracts/agent.sh] }\n',
  );
  putFile(join(root, '.contracts/agent.sh'), AGENT);
  putFile(
    join(root, 'active_tasks/ready/one/contract.md'),
    '---\nv: 1\ntitle: one\nverify: [{ run: "true" }]\n---\n\n# one\n\n## Success Criteria\n\n- [ ] It is done\n',
  );
}

test('its agent ends there and is not run again, and nothing is said of the next one', async () => {
  const base = sealedFolder('moved');
  const [root, moved] = [join(base, 'ws'), join(base, 'moved')];
  make(root);
  const first = contracts(root, ['run']);
  await until(() => existsSync(join(root, 'ran.txt')));
  renameSync(root, moved);
  writeFileSync(join(moved, 'go-on'), '');
  const ended = await first;
  expect(ended.code).toBe(3);
  expect(ended.stdout + ended.stderr).not.toContain('had no permission');
  const again = await contracts(moved, ['run']);
  expect(again.code, again.stdout + again.stderr).toBe(0);
  expect(readFileSync(join(moved, 'ran.txt'), 'utf8')).toBe('ran\n');
  expect(existsSync(join(moved, 'active_tasks/done/one'))).toBe(true);
  make(root);
  writeFileSync(join(root, 'go-on'), '');
  const other = await contracts(root, ['run']);
  expect(other.code, other.stdout + other.stderr).toBe(0);
});

test.each([
  ['the agent puts a copy in its place', 'cd .. && mv ws ws.old && cp -a ws.old ws && cd ws'],
  ['nobody does', ':'],
])('what an agent changed is looked at by a person: %s', async (_name, act) => {
  const base = sealedFolder('copied');
  const root = join(base, 'ws');
  make(root);
  const config = join(root, '.contracts/config.yaml');
  const narrow = 'agents:\n  narrow: { adapter: agent, write: [docs/**] }\n';
  writeFileSync(config, readFileSync(config, 'utf8') + narrow);
  const task = join(root, 'active_tasks/ready/one/contract.md');
  writeFileSync(
    task,
    readFileSync(task, 'utf8').replace('title: one', 'title: one\nagent: narrow'),
  );
  putFile(
    join(root, '.contracts/agent.sh'),
    `echo "retries_max: 7" >> .contracts/config.yaml\n${act}\n${AGENT}`,
  );
  writeFileSync(join(root, 'go-on'), '');
  const first = await contracts(root, ['run']);
  expect(first.stdout + first.stderr).toContain('had no permission');
  const copy = join(base, 'copy');
  cpSync(root, copy, { recursive: true });
  rmSync(root, { recursive: true });
  renameSync(copy, root);
  const again = await contracts(root, ['run']);
  expect(again.code).toBe(3);
  expect(again.stdout + again.stderr).toContain('had no permission');
});
