/** new without questions: a contract from stdin, one that an agent is to draft, a script and its adapter. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { contractsIn } from '../support/binary.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('new');
  contracts(['init']);
});

function contracts(argv: readonly string[], input = '') {
  const env = { ...process.env, HOME: root, XDG_CONFIG_HOME: root };
  return contractsIn(root, argv, { env, input });
}
const write = (file: string, text: string): void => putFile(join(root, file), text);
const draft = (id: string) =>
  readFileSync(join(root, 'active_tasks/draft', id, 'contract.md'), 'utf8');

const CONTRACT =
  '---\ntitle: A haiku\nadapter: human\n---\n\n## Success Criteria\n\n- [ ] it is good\n';

test('--from - reads stdin; what is no contract there is refused', () => {
  expect(contracts(['new', '--from', '-', '--id', 'piped'], CONTRACT).status).toBe(0);
  expect(draft('piped')).toContain('title: A haiku');
  expect(contracts(['new', '--from', '-', '--id', 'none'], '---\ntitle: [\n---\n').status).toBe(2);
  expect(readdirSync(join(root, 'active_tasks/draft'))).not.toContain('none');
});

test('--sh is done by the shell adapter, whoever is the agent of all tasks', () => {
  write('.contracts/config.yaml', 'adapter: human\nagents: { builder: { adapter: human } }\n');
  expect(contracts(['new', 'x', '--id', 'x', '--sh', 'true', '--run', 'true']).status).toBe(0);
  expect(draft('x')).toContain('adapter: shell');
});

test.each(['new', 'do'])(
  '%s --depends-on takes several ids with commas, by their beginnings',
  (verb) => {
    for (const id of ['first-x2', 'other-y3'])
      contracts(['new', id, '--id', id, '--sh', 'true', '--run', 'true']);
    const words = ['--id', 'last', '--sh', 'true', '--run', 'true', '--depends-on'];
    const { stderr } = contracts([verb, 'x', ...words, 'first, other-y3']);
    expect(stderr).not.toContain('error');
    const state = verb === 'new' ? 'draft' : 'ready';
    const text = readFileSync(join(root, 'active_tasks', state, 'last/contract.md'), 'utf8');
    expect(text).toContain('depends_on:\n  - first-x2\n  - other-y3\n');
  },
);

test('--run NAME means the check of the configuration that has this name; any other word is a command', () => {
  const checks = '{ tests: "test -s a", all: ["run: test -s b", "file_exists: c"] }';
  write('.contracts/config.yaml', `checks: ${checks}\n`);
  const runs = ['tests', 'all', 'toString', 'ls c: d'].flatMap((one) => ['--run', one]);
  const made = contracts(['new', 'x', '--id', 'x', '--sh', 'echo 1 > a', ...runs]);
  expect(made.status, made.stderr).toBe(0);
  const entries = [...draft('x').matchAll(/^ {2}- "(.*)"$/gm)].map(([, entry]) => entry);
  expect(entries).toEqual([
    'run: test -s a',
    'run: test -s b',
    'file_exists: c',
    'run: toString',
    'run: ls c: d',
  ]);
  expect(draft('x')).toContain('- [ ] `test -s a` passes\n');
  const done = contracts(['do', 'y', '--id', 'y', '--sh', 'echo 1 > a', '--run', 'tests']);
  expect(done.stdout).toContain('check passed: run: test -s a\n');
});
