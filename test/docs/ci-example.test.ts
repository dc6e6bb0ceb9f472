/**
 * The workflow of docs/examples/ci: its commands, with the real npm, in a clone of a small repository whose
 * branch brings done tasks; then what `check --rerun` finds when that branch is not as it should be.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { shellContract } from '../hostile/house.ts';
import { BINARY } from '../support/binary.ts';
import { GIT_ENV } from '../support/git.ts';
import { checkedLine } from '../support/json-lines.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const FOLDER = fileURLToPath(new URL('../../docs/examples/ci/', import.meta.url));
const WORKFLOW = fs.readFileSync(join(FOLDER, 'contracts.yml'), 'utf8');

let room = '';
let origin = '';
let branch = '';
beforeAll(() => {
  room = sealedFolder('ci');
  origin = join(room, 'origin');
  const shim = join(room, 'package');
  put(shim, 'contracts.cjs', `#!/usr/bin/env node\nrequire(${JSON.stringify(BINARY)});\n`);
  const bin = { contracts: 'contracts.cjs' };
  put(shim, 'package.json', JSON.stringify({ name: 'agent-contracts', version: '1.0.0', bin }));
  fs.chmodSync(join(shim, 'contracts.cjs'), 0o755);
  fs.mkdirSync(origin);
  const dependencies = { 'agent-contracts': 'file:../package' };
  put(origin, 'package.json', JSON.stringify({ name: 'shop', private: true, dependencies }));
  put(origin, '.gitignore', 'node_modules/\n');
  sh(origin, 'git init -q -b main && npm install --package-lock-only --silent');
  sh(origin, `node ${BINARY} init`);
  put(origin, 'active_tasks/ready/old/contract.md', shellContract('old'));
  sh(origin, `node ${BINARY} run && git add -A && git commit -qm old`);
  sh(origin, 'git checkout -qb work');
  put(origin, 'active_tasks/ready/one/contract.md', shellContract('one'));
  put(origin, 'active_tasks/ready/two/contract.md', shellContract('two'));
  sh(
    origin,
    `node ${BINARY} run && node ${BINARY} archive two && git add -A && git commit -qm new`,
  );
  branch = join(room, 'branch');
  sh(room, `git clone -q ${origin} ${branch} && git -C ${branch} remote set-head origin main`);
});

const put = (folder: string, path: string, text: string): void => putFile(join(folder, path), text);

function sh(cwd: string, command: string, more: Record<string, string> = {}) {
  const npm = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const mine = { HOME: join(room, 'home'), XDG_STATE_HOME: join(room, 'state') };
  const env = { ...sealedEnv(), ...mine, ...npm, ...GIT_ENV, CONTRACTS_TRUST: '1', ...more };
  const { stdout, stderr, status } = spawnSync('sh', ['-ec', command], {
    cwd,
    env: { ...env, CONTRACTS_SANDBOX: 'none' },
    encoding: 'utf8',
  });
  return { status, stdout, text: `${stdout}${stderr}` };
}

/** As the workflow has it: another home, nothing trusted, and no key of one's own. */
function ci(command: string, cwd = branch) {
  const mine = { HOME: join(room, 'ci'), XDG_STATE_HOME: join(room, 'ci/state') };
  return sh(cwd, command, { ...mine, CONTRACTS_TRUST: '', GITHUB_BASE_REF: 'main' });
}

/** Of all tasks of the branch, in a copy of it that `change` changes. */
function found(change: string, flags = '') {
  const copy = join(room, 'copy');
  fs.cpSync(branch, copy, { recursive: true });
  try {
    sh(copy, change);
    const before = sh(copy, 'git add -A && git write-tree').stdout;
    const ran = ci(`node ${BINARY} check --rerun --trust --json --base origin/main ${flags}`, copy);
    expect(sh(copy, 'git add -A && git write-tree').stdout).toBe(before);
    const lines = ran.stdout
      .trim()
      .split('\n')
      .map((line) => checkedLine(line));
    const problems = lines.flatMap((line) => (line.event === 'problem' ? line.problem : []));
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(ran.status, ran.text).toBe(errors.length === 0 ? 0 : 1);
    return {
      lines,
      problems,
      text: problems.map((one) => `${one.code} ${one.file}: ${one.message}`),
    };
  } finally {
    fs.rmSync(copy, { recursive: true });
  }
}

test('the page shows the workflow, and its commands pass on a good branch', () => {
  expect(fs.readFileSync(join(FOLDER, 'README.md'), 'utf8')).toContain(
    `\`\`\`yaml\n${WORKFLOW}\`\`\``,
  );
  expect(WORKFLOW).toContain('fetch-depth: 0');
  const commands = [...WORKFLOW.matchAll(/^ +- run: (.*)$/gm)].map(([, command = '']) => command);
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const { status, text } = ci(command);
    expect(status, text).toBe(0);
    if (!command.includes('rerun')) continue;
    expect(text).toContain('one  check passed: run: test -s one.txt');
    expect(text).toContain('two  check passed: run: test -s two.txt');
    expect(text).not.toContain('old');
    expect(text).toContain('0 errors, 0 warnings in 2 done tasks.');
  }
});

test('it names what is not as the receipts say, changes nothing, and ends with 1', () => {
  const good = found('true');
  expect(good.text).toEqual([]);
  expect(good.lines.map(({ event }) => event)).toEqual(['checked', 'checked', 'check']);
  const done = 'active_tasks/done/one';
  const changes: readonly (readonly [string, RegExp])[] = [
    ['rm one.txt', /^stale_deliverable one.txt: one.txt is missing/m],
    [
      'rm one.txt',
      /^check_failed active_tasks\/done\/one\/contract.md: `run: test -s one.txt` passed in attempt 2, and fails now: exit 1/m,
    ],
    [
      `echo More. >> ${done}/contract.md`,
      /^bad_value \S+contract.md: the contract changed since its receipts/m,
    ],
    [
      `echo More. >> ${done}/attempts/0002/receipts.md`,
      /^broken_signature \S+receipts.md: the receipts of attempt 2 do not hold/,
    ],
    [
      'rm -r .contracts/keys',
      /^untrusted active_tasks\/done\/one\S+: the receipts of attempt 2: the key that signed is not in/m,
    ],
    ['rm -r .contracts/keys', /^untrusted .contracts\/archive\/two\S+: the receipts of/m],
    [
      'mv .contracts/keys keys && ln -s ../keys .contracts/keys',
      /^untrusted active_tasks\/done\/one\S+: the receipts of attempt 2: the key that signed/m,
    ],
    [
      `rm ${done}/attempts/*/owner.md && rm one.txt`,
      /^no_result \S+one\/contract.md: records of its attempts are missing/m,
    ],
    [
      `sed -i 's/passed: true/passed: false/' ${done}/attempts/0002/receipts.md && rm one.txt`,
      /^check_failed \S+one\/contract.md: `run: test -s one.txt` fails: exit 1/m,
    ],
  ];
  for (const [change, words] of changes)
    expect(found(change).text.join('\n'), change).toMatch(words);
});

test('it warns of receipts without a signature, of none, and of new keys', () => {
  const unsigned = found(
    "sed -i '/^signature: /d' active_tasks/done/one/attempts/0002/receipts.md",
  );
  expect(unsigned.text).toEqual(['no_result active_tasks/done/one: its receipts are not signed']);
  const none = found('rm -r active_tasks/done/one/attempts');
  expect(none.text).toContain(
    'no_result active_tasks/done/one: it was done by hand, or its receipts are missing',
  );
  const key = found('echo x > .contracts/keys/x.pub && git add -A');
  expect(key.text).toEqual([
    'untrusted .contracts/keys/x.pub: this branch adds, changes or removes a public key',
  ]);
});

test('named tasks alone; without git all; a base that is none is refused', () => {
  const tasksOf = ({ lines }: ReturnType<typeof found>) =>
    lines.flatMap((line) => (line.event === 'checked' ? line.task : []));
  expect(tasksOf(found('true', 'old'))).toEqual(['old']);
  expect(tasksOf(found('true', 'two'))).toEqual(['two']);
  const copy = join(room, 'plain');
  fs.cpSync(branch, copy, { recursive: true });
  fs.rmSync(join(copy, '.git'), { recursive: true });
  expect(ci(`node ${BINARY} check --rerun --trust`, copy).text).toContain('in 3 done tasks.');
  expect(ci(`node ${BINARY} check --rerun --trust`).text).toContain('in 2 done tasks.');
  const wrong = ci(`node ${BINARY} check --rerun --trust --base nowhere`);
  expect(wrong.status).toBe(2);
  expect(wrong.text).toContain('--base REF');
  expect(ci(`node ${BINARY} check --rerun`).status).not.toBe(0);
  expect(ci(`node ${BINARY} check one`).status).toBe(2);
});
