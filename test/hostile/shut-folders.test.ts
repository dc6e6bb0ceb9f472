/**
 * Folders that their owner may not look into: a desk that its agent shut, something of the project
 * that belongs to nobody here. As a user whom permissions hold: where the tests run as root, as nobody.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { BINARY, shellContract } from './house.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

function workspace(): { root: string; write(file: string, text: string): void } {
  const root = sealedFolder('shut');
  const owned = (path: string): void => {
    if (isRoot) chownSync(path, NOBODY, NOBODY);
  };
  owned(root);
  const folders = (path: string): void => {
    if (path === root) return;
    folders(dirname(path));
    try {
      mkdirSync(path);
      owned(path);
    } catch {
      // It is there already.
    }
  };
  return {
    root,
    write: (file, text) => {
      folders(dirname(join(root, file)));
      writeFileSync(join(root, file), text);
      owned(join(root, file));
    },
  };
}

function contracts(root: string, ...argv: string[]): { code: number | null; out: string } {
  const env = {
    ...sealedEnv(),
    HOME: root,
    CONTRACTS_SANDBOX: 'none',
    CONTRACTS_TRUST: '1',
  };
  const said = spawnSync(process.execPath, [BINARY, '-C', root, ...argv], {
    cwd: root,
    env,
    encoding: 'utf8',
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  return { code: said.status, out: `${said.stdout}${said.stderr}` };
}

const stands = (root: string, state: string): string[] =>
  readdirSync(join(root, 'active_tasks', state)).filter((name) => !name.startsWith('.'));

test('an agent that shuts its desk keeps no other task, no verb, and not even its own from its end', () => {
  const { root, write } = workspace();
  const sh = 'echo made > a.txt; chmod 000 "$CONTRACTS_OUT"';
  write('active_tasks/ready/a/contract.md', shellContract('a', { sh }));
  write('active_tasks/ready/b/contract.md', shellContract('b'));
  write('active_tasks/ready/c/contract.md', shellContract('c'));
  const { code, out } = contracts(root, 'run');
  expect(out).not.toContain('fault');
  expect(stands(root, 'done')).toEqual(['a', 'b', 'c']);
  expect(code).toBe(0);
});

test.each(['$CONTRACTS_OUT', '$CONTRACTS_OUT/documents/plans/p'])(
  'an agent that nests folders in %s deeper than a path can say keeps no task from its end',
  (place) => {
    const { root, write } = workspace();
    write('.contracts/plans/p/plan.md', '# P\n');
    const nest = 'n=$(printf "x%.0s" $(seq 200)); for i in $(seq 30); do mkdir $n && cd $n; done';
    const sh = `echo made > a.txt; mkdir -p "${place}"; (cd "${place}"; ${nest}) || true`;
    write('active_tasks/ready/a/contract.md', shellContract('a', { sh, head: 'plan: p' }));
    const { code, out } = contracts(root, 'run');
    expect(out).not.toContain('fault');
    expect(stands(root, 'done')).toEqual(['a']);
    expect(code).toBe(0);
  },
);

test('a desk that is shut while its runner is dead: doctor, list and abort do their work', () => {
  const { root, write } = workspace();
  write('active_tasks/in_progress/a/contract.md', shellContract('a'));
  write('active_tasks/in_progress/a/attempts/0001/owner.md', '---\nv: 1\n---\n');
  write('active_tasks/.desk/a.0001/previous/result.md', 'x\n');
  chmodSync(join(root, 'active_tasks/.desk/a.0001'), 0);
  for (const verb of ['list', 'doctor']) expect(contracts(root, verb).out).not.toContain('fault');
  const { out } = contracts(root, 'abort', 'a');
  expect(out).not.toContain('fault');
  expect(stands(root, 'aborted')).toEqual(['a']);
});

test('a folder of the project that may not be looked into keeps no task from its review', () => {
  const { root, write } = workspace();
  write('pgdata/x', 'x\n');
  chmodSync(join(root, 'pgdata'), 0);
  const head = 'write: ["*.txt"]';
  write('active_tasks/ready/a/contract.md', shellContract('a', { head }));
  const { code, out } = contracts(root, 'run');
  expect(out).not.toContain('fault');
  expect(stands(root, 'done')).toEqual(['a']);
  expect(code).toBe(0);
});
