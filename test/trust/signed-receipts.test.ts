/** Signed receipts and approvals by the command: another machine, one changed byte, attempts to forge. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { generateKeyPairSync, sign } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { BINARY, contractsIn } from '../support/binary.ts';
import { listTasks, openWorkspace, type Workspace } from '../../src/index.ts';
import { signaturesIn } from '../../src/engine/verify/seals.ts';
import { findAny } from '../../src/engine/queries/find-task.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { saidHere } from '../support/command-room.ts';
import { shellContract } from '../hostile/house.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

let room: string;
let root: string;
beforeEach(async () => {
  room = sealedFolder('signed');
  root = join(room, 'work');
  fs.mkdirSync(root);
  await run(root, 'init');
  put('active_tasks/ready/one/contract.md', shellContract('one'));
});

function envOf(at: string) {
  const { USER } = process.env;
  const mine = { HOME: join(room, 'home'), XDG_STATE_HOME: stateOf(at) };
  return { ...sealedEnv(), USER, ...mine, CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: 'none' };
}

async function run(at: string, ...argv: string[]) {
  const { code, out, err } = await saidHere(['-C', at, ...argv], { env: envOf(at) });
  return { text: `${err}${out}`, stdout: out, status: code };
}

const stateOf = (at: string): string => `${at}-state`;
const put = (path: string, text: string): void => putFile(join(root, path), text);

const DONE = 'active_tasks/done/one';
async function finish(): Promise<string> {
  await run(root, 'run');
  const attempts = join(root, DONE, 'attempts');
  const found = fs.readdirSync(attempts).map((one) => `${DONE}/attempts/${one}/receipts.md`);
  const file = found.find((one) => fs.existsSync(join(root, one)));
  expect(file, (await run(root, 'show', 'one')).text).toBeDefined();
  return file ?? '';
}

test('another machine checks them by the public key, and without it the key is unknown', async () => {
  await finish();
  const [pub = ''] = fs.readdirSync(join(root, '.contracts/keys'));
  const words = `receipts hold (by ${pub.slice(0, -'.pub'.length)})`;
  expect((await run(root, 'show', 'one')).text).toContain(words);
  const other = join(room, 'other');
  fs.cpSync(root, other, { recursive: true });
  expect((await run(other, 'show', 'one')).text).toContain(words);
  fs.rmSync(join(other, '.contracts/keys'), { recursive: true });
  expect((await run(other, 'show', 'one')).text).toContain('receipts unknown key');
  const key = join(stateOf(root), 'contracts/keys/ed25519.pem');
  expect(fs.statSync(key).mode & 0o777).toBe(0o600);
  expect(fs.statSync(join(key, '..')).mode & 0o777).toBe(0o700);
});

/** In each place that shows it, before all else. */
const ALSO = [
  ['show', 'one', '--receipts'],
  ['show', 'one', '--receipts', '--json'],
  ['doctor', 'one'],
  ['doctor', '--json'],
  ['check', '--json'],
];
async function saysFirst(
  name: string,
  words: RegExp,
  more: readonly string[][] = [],
): Promise<void> {
  for (const verb of [['show', 'one'], ['show', 'one', '--json'], ['doctor'], ['check'], ...more]) {
    const { text, stdout, status } = await run(root, ...verb);
    expect(text.split('\n')[0], `${name}: ${verb.join(' ')}`).toMatch(words);
    if (verb.includes('--json')) expect(stdout.split('\n')[0]).toContain('"event":"problem"');
    expect(status, verb.join(' ')).toBe(verb[0] === 'show' ? 0 : 1);
  }
}

test('one byte changed is said first by show, doctor and check', async () => {
  const file = await finish();
  const text = fs.readFileSync(join(root, file), 'utf8');
  const changes: readonly [string, RegExp, string][] = [
    ['the end', /\n$/, '\r'],
    ['a reason', /passed/, 'pasted'],
    ['the name of the key', /^signature/m, 'signaturf'],
    ['the mark of the head', /^---/, '--_'],
    ['the last bits of the signature', /(.)==\n/, '+==\n'],
    ['the last bits, that decode the same', /[AQgw]==\n/, 'B==\n'],
    ['two signatures', /^---\n(signature: .*\n)/, '---\n$1$1'],
    ['cut short', /==\n/, '\n'],
    ['another attempt', /"?contract"?: (.)/, 'contract: z'],
  ];
  for (const [name, from, to] of changes) {
    put(file, text.replace(from, to));
    expect(fs.readFileSync(join(root, file), 'utf8'), name).not.toBe(text);
    await saysFirst(name, /receipts of attempt \d+ do not hold/);
  }
  put(file, text);
  expect((await run(root, 'check')).text).not.toContain('do not hold');
  put(file, text.replace(/^signature: .*\n/m, ''));
  expect((await run(root, 'show', 'one')).text).toContain('receipts not signed');
});

test('what another key signed, or another task has, does not hold under a known name', async () => {
  const file = await finish();
  const text = fs.readFileSync(join(root, file), 'utf8');
  const [pub = ''] = fs.readdirSync(join(root, '.contracts/keys'));
  const mine = pub.slice(0, -'.pub'.length);
  const path = join(root, '.contracts/keys', pub);
  const own = fs.readFileSync(path);
  const ed = generateKeyPairSync('ed25519');
  const number = Number(/attempts\/(\d+)/.exec(file)?.[1]);
  const forge = (name: string): string => {
    const record = text.replace(/^signature: .*\n/m, '').replace('# Receipts', '# Forged');
    const said = Buffer.from(`contracts receipts 1\none\n${number}\n${name}\n${record}`);
    const code = sign(null, said, ed.privateKey).toString('base64');
    return record.replace('---\n', () => `---\nsignature: ${name} ${code}\n`);
  };
  const forgedPem = ed.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  put(file, forge(mine));
  expect((await run(root, 'show', 'one')).text).toContain('receipts do not hold');
  fs.writeFileSync(path, forgedPem);
  expect((await run(root, 'show', 'one')).text).toContain('receipts unknown key');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
  fs.writeFileSync(path, rsa.publicKey.export({ type: 'spki', format: 'pem' }));
  expect((await run(root, 'show', 'one')).text).toContain('receipts unknown key');
  const agents = `mallory-${sha256(forgedPem).slice(0, 16)}`;
  put(`.contracts/keys/${agents}.pub`, forgedPem);
  put(file, forge(agents));
  expect((await run(root, 'show', 'one')).text).toContain(`receipts hold (by ${agents})`);
  put(file, text);
  fs.writeFileSync(join(room, 'own.pub'), own);
  fs.rmSync(path);
  fs.symlinkSync(join(room, 'own.pub'), path);
  expect((await run(root, 'show', 'one')).text).toContain('receipts unknown key');
  fs.rmSync(path);
  fs.writeFileSync(path, own);
  fs.cpSync(join(root, DONE), join(root, 'active_tasks/done/two'), { recursive: true });
  expect((await run(root, 'show', 'two')).text).toContain('receipts do not hold');
  fs.appendFileSync(join(root, DONE, 'contract.md'), '\nMore.\n');
  expect((await run(root, 'show', 'one')).text).toContain('receipts do not hold');
});

test('without a key the work goes on, and doctor says why', async () => {
  fs.mkdirSync(join(stateOf(root), 'contracts'), { recursive: true });
  fs.writeFileSync(join(stateOf(root), 'contracts/keys'), 'in the way');
  await finish();
  expect((await run(root, 'show', 'one')).text).toContain('receipts not signed');
  expect((await run(root, 'doctor')).text).toContain('receipts are not signed, there is no key');
});

test('no sandbox shows the private key, even where the repository around the workspace is shown', async () => {
  const state = join(room, 'state');
  expect(spawnSync('git', ['init', '-q', room]).status).toBe(0);
  put('../beside.txt', 'shown\n');
  try {
    const key = join(state, 'contracts/keys/ed25519.pem');
    const look = `cat ${join(room, 'beside.txt')} ${key} >> seen.txt; echo x >> .contracts/keys/x.pub; echo tried >> seen.txt; test -s one.txt`;
    put(
      'active_tasks/ready/one/contract.md',
      shellContract('one').replace('run: test -s one.txt', `run: '${look}'`),
    );
    const outside = { HOME: `${room}-home`, XDG_STATE_HOME: state };
    const env = { ...sealedEnv(), ...outside, CONTRACTS_TRUST: '1' };
    const sandboxed = { ...env, CONTRACTS_SANDBOX: 'bwrap' };
    fs.appendFileSync(join(root, '.contracts/config.yaml'), '\nsandbox: bwrap\n');
    const { stdout } = contractsIn(root, ['run'], { env: sandboxed });
    expect(fs.existsSync(join(root, 'seen.txt')), stdout).toBe(true);
    expect(fs.readFileSync(key, 'utf8')).toContain('PRIVATE KEY');
    expect(fs.readFileSync(join(root, 'seen.txt'), 'utf8')).toMatch(/^(shown\ntried\n)+$/);
    expect(fs.existsSync(join(root, '.contracts/keys/x.pub'))).toBe(false);
  } finally {
    fs.rmSync(state, { recursive: true, force: true });
  }
});

const REVIEW = `${DONE}/review.md`;
async function toReview(id = 'one'): Promise<void> {
  const contract = shellContract(id, { head: 'quality_gate: person' });
  put(`active_tasks/ready/${id}/contract.md`, contract);
  await run(root, 'run');
}

/** Done, approved by the verb. Returns the name of the key. */
async function approved(): Promise<string> {
  await toReview();
  expect((await run(root, 'approve', 'one', 'Well done.')).status).toBe(0);
  await run(root, 'run');
  expect(fs.existsSync(join(root, DONE)), (await run(root, 'show', 'one')).text).toBe(true);
  return (fs.readdirSync(join(root, '.contracts/keys'))[0] ?? '').replace(/\.pub$/, '');
}

test('an approval is signed, and another machine checks it by the public key', async () => {
  const name = await approved();
  const text = fs.readFileSync(join(root, REVIEW), 'utf8');
  expect(text.trimEnd().split('\n').at(-1)).toMatch(/^<!-- signature: \S+ \S{88} -->$/);
  const other = join(room, 'other');
  fs.cpSync(root, other, { recursive: true });
  for (const at of [root, other]) {
    const words = `signed      receipts hold (by ${name}); approvals hold (by ${name})`;
    expect((await run(at, 'show', 'one')).text).toContain(words);
    const own = (await run(at, 'show', 'one', '--receipts')).text;
    expect(own).toContain(`attempt 3  APPROVED by person: approvals hold (by ${name})`);
    expect(own).toMatch(
      /attempt 2 {2}passed run: test -s one.txt {2}exit 0, 20\S+, \d+ ms, tree \w+: receipts hold/,
    );
    expect((await run(at, 'doctor')).text).toContain(
      `signed  receipts hold (by ${name}); approvals hold`,
    );
    expect((await run(at, 'doctor', 'one')).text).toContain('signed  receipts hold');
    expect((await run(at, 'check')).text).toContain('0 errors');
  }
  const json = (await run(other, 'show', 'one', '--receipts', '--json')).stdout.trim();
  expect(JSON.parse(json)).toMatchObject({
    event: 'receipts',
    receipts: [
      { attempt: 2, check: 'run: test -s one.txt', exit_code: 0, signed: `hold (by ${name})` },
      { attempt: 3, passed: true },
    ],
    approvals: [{ attempt: 3, verdict: 'APPROVED', gate: 'person', signed: `hold (by ${name})` }],
    problems: [],
  });
  fs.rmSync(join(other, '.contracts/keys'), { recursive: true });
  expect((await run(other, 'show', 'one')).text).toContain(
    'receipts unknown key; approvals unknown key',
  );
});

test('without a signature, and moved by hand, it is by hand and valid', async () => {
  await toReview();
  const form = join(root, 'active_tasks/review/one/review.md');
  const ticked = fs.readFileSync(form, 'utf8').replace('[ ] APPROVED', '[x] APPROVED');
  fs.writeFileSync(form, ticked);
  expect((await run(root, 'show', 'one', '--receipts')).text).toContain(
    'APPROVED by person: approvals by hand',
  );
  await run(root, 'run');
  expect((await run(root, 'show', 'one')).text).toMatch(
    /receipts hold \(by \S+\); approvals by hand/,
  );
  expect((await run(root, 'check')).text).toContain('0 errors');
  put('active_tasks/done/two/contract.md', shellContract('two'));
  expect((await run(root, 'show', 'two')).text).toContain('approvals by hand');
  expect((await run(root, 'show', 'two', '--receipts')).text).toContain(
    'moved to done: approvals by hand',
  );
});

test('what was done by hand has no receipts, and its checks cannot be repeated', async () => {
  put(
    'active_tasks/ready/two/contract.md',
    '---\nv: 1\ntitle: Two\nadapter: human\n---\n\n# Two\n\n## Success Criteria\n\n- [ ] it is\n',
  );
  const file = await finish();
  fs.renameSync(join(root, 'active_tasks/in_progress/two'), join(root, 'active_tasks/done/two'));
  const by_hand = await run(root, 'check', '--rerun', 'tw');
  expect(by_hand.text).toContain('warning: it was done by hand, or its receipts are missing');
  expect(by_hand).toMatchObject({ status: 0 });
  expect((await run(root, 'check', '--rerun', 'on')).text).toContain(
    '0 errors, 0 warnings in 1 done task',
  );
  fs.rmSync(join(root, file));
  const missing = await run(root, 'check', '--rerun', 'one');
  expect(missing.text).toContain('records of its attempts are missing');
  expect(missing).toMatchObject({ status: 1 });
});

test('what a person decided has no receipts, and none are missing', async () => {
  const head = 'v: 1\ntitle: Go on\ntype: checkpoint';
  put('active_tasks/ready/go/contract.md', `---\n${head}\n---\n\n# Go on\n`);
  await run(root, 'run');
  await run(root, 'answer', 'go', 'GO');
  await run(root, 'run');
  expect(fs.existsSync(join(root, 'active_tasks/done/go'))).toBe(true);
  expect((await run(root, 'check', '--rerun', 'go')).text).toContain(
    '0 errors, 0 warnings in 1 done task',
  );
});

test('a verdict that is given again is signed again, and each round keeps its own', async () => {
  await toReview();
  await run(root, 'approve', 'one');
  await run(root, 'needs-work', 'one', 'More.');
  const form = () => fs.readFileSync(join(root, 'active_tasks/review/one/review.md'), 'utf8');
  expect(form().match(/<!-- signature/g)).toHaveLength(1);
  expect((await run(root, 'show', 'one')).text).toContain('approvals hold');
  await run(root, 'run');
  await run(root, 'approve', 'one');
  await run(root, 'run');
  const { text } = await run(root, 'show', 'one', '--receipts');
  expect(text).toMatch(
    /NEEDS_WORK by person: approvals hold .*\n.*APPROVED by person: approvals hold/,
  );
});

test('an approval of another verdict, attempt, task or contract does not hold', async () => {
  await toReview();
  await run(root, 'needs-work', 'one', 'More.');
  const form = join(root, 'active_tasks/review/one/review.md');
  const before = fs.readFileSync(form, 'utf8');
  const lineOf = (text: string): string => /^<!-- signature.*$/m.exec(text)?.[0] ?? '';
  const words = /approval of attempt \d+ does not hold/;
  put(
    'active_tasks/review/one/review.md',
    before.replace('[x] NEEDS', '[ ] NEEDS').replace('[ ] APP', '[x] APP'),
  );
  expect((await run(root, 'show', 'one')).text.split('\n')[0]).toMatch(words);
  fs.writeFileSync(form, before);
  await run(root, 'run');
  await run(root, 'approve', 'one');
  const now = fs.readFileSync(form, 'utf8');
  fs.writeFileSync(form, now.replace(lineOf(now), lineOf(before)));
  expect((await run(root, 'show', 'one')).text.split('\n')[0]).toMatch(words);
  fs.writeFileSync(form, now);
  expect((await run(root, 'check')).text).toContain('0 errors');
  await toReview('two');
  const two = 'active_tasks/review/two/review.md';
  const their = fs.readFileSync(join(root, two), 'utf8').replace('[ ] APP', '[x] APP');
  put(two, `${their}${lineOf(now)}\n`);
  expect((await run(root, 'show', 'two')).text.split('\n')[0]).toMatch(words);
  await run(root, 'run');
  const contract = join(root, DONE, 'contract.md');
  fs.appendFileSync(contract, '\nMore.\n');
  await saysFirst('another contract', /do(es)? not hold/);
  expect((await run(root, 'check')).text).toMatch(words);
});

test('one changed byte of review, receipts, approved files or key is said first', async () => {
  await approved();
  const [pub = ''] = fs.readdirSync(join(root, '.contracts/keys'));
  const words = /approval of attempt 3 does not hold|receipts of attempt \d does? not hold/;
  const text = fs.readFileSync(join(root, REVIEW), 'utf8');
  put(REVIEW, text.replace('<!-- signature', '<!-- signaturf'));
  await saysFirst('the word', words, ALSO);
  put(REVIEW, text.replace('[x] APPROVED', '[x] APPROVEE'));
  expect((await run(root, 'show', 'one')).text.split('\n')[0]).toMatch(words);
  put(REVIEW, text);
  const asked = `${DONE}/attempts/0002/receipts.md`;
  const receipts = fs.readFileSync(join(root, asked), 'utf8');
  put(asked, receipts.replace('passed', 'pasted'));
  await saysFirst('receipts', /receipts of attempt 2 do not hold/);
  expect((await run(root, 'check')).text).toMatch(words);
  put(asked, receipts);
  const shown = `${DONE}/attempts/0002/seen.sums`;
  const sums = fs.readFileSync(join(root, shown), 'utf8');
  put(shown, sums.replace(/^[0-9a-f]{8}/, '00000000'));
  await saysFirst('the approved files', /approval of attempt 3 does not hold/);
  put(shown, sums);
  const key = `.contracts/keys/${pub}`;
  const pem = fs.readFileSync(join(root, key), 'utf8');
  put(
    key,
    pem.replace(
      /^(MCow.{30})(.)/m,
      (_, left: string, one: string) => `${left}${one === 'A' ? 'B' : 'A'}`,
    ),
  );
  expect((await run(root, 'show', 'one')).text).toContain(
    'receipts unknown key; approvals unknown key',
  );
});

function opened(at: string, disk: Disk = realDisk): Workspace {
  const ws = openWorkspace({ dir: at, ports: { disk } });
  if (!ws.ok) throw new Error(JSON.stringify(ws.problems));
  return ws.value;
}

test('no byte of the line of the signature can be changed', async () => {
  await approved();
  const text = fs.readFileSync(join(root, REVIEW), 'utf8');
  const from = text.indexOf('<!-- signature');
  for (let at = from; at < text.trimEnd().length; at++)
    for (const other of ['*', '\n', text[at] === 'A' ? 'B' : 'A']) {
      put(REVIEW, `${text.slice(0, at)}${other}${text.slice(at + 1)}`);
      const ws = opened(root);
      const found = findAny(ws, 'one');
      if (!found.ok) throw new Error(JSON.stringify(found.problems));
      const [approval] = signaturesIn(ws, found.value.task, found.value.folder).approvals;
      expect(approval?.kind, text.slice(from, at + 1)).toMatch(/^(broken|unknown)$/);
    }
});

test('an agent cannot give a verdict', async () => {
  await toReview();
  const inside = { ...envOf(root), CONTRACTS_TASK: 'one', CONTRACTS_OUT: root };
  for (const verb of ['approve', 'needs-work', 'reject', 'check --rerun']) {
    const args = [...verb.split(' '), 'one', ...(verb.includes(' ') ? [] : ['words'])];
    const ran = contractsIn(root, args, { env: inside });
    expect(ran.status, verb).not.toBe(0);
  }
  expect(fs.readFileSync(join(root, 'active_tasks/review/one/review.md'), 'utf8')).not.toContain(
    '<!-- sig',
  );
});

test('processes that make the key at once sign with one key', async () => {
  fs.rmSync(stateOf(root), { recursive: true, force: true });
  const copies = [...Array(8).keys()].map((n) => join(room, `copy${n}`));
  for (const at of copies) fs.cpSync(root, at, { recursive: true });
  const env = { ...envOf(root), XDG_STATE_HOME: join(room, 'shared') };
  const ends = copies.map((cwd) =>
    once(spawn(process.execPath, [BINARY, 'run'], { cwd, env, stdio: 'ignore' }), 'close'),
  );
  await Promise.all(ends);
  const names: (string | undefined)[] = [];
  for (const at of copies) {
    const { text } = await run(at, 'show', 'one');
    expect(text).not.toContain('not hold');
    names.push(/receipts hold \(by (\S+)\)/.exec(text)?.[1]);
  }
  expect(new Set(names).size).toBe(1);
  expect(names[0]).toBeDefined();
  expect(fs.readdirSync(join(room, 'shared/contracts/keys'))).toEqual(['ed25519.pem']);
});

test('a list reads no receipt, no verdict and no key of 50 done tasks', async () => {
  await approved();
  for (let n = 1; n < 50; n++)
    fs.cpSync(join(root, DONE), join(root, `active_tasks/done/one-${n}`), { recursive: true });
  const looks = (): readonly string[] => {
    const seen: string[] = [];
    const disk = new Proxy(realDisk, {
      get: (real, name: keyof Disk) => {
        const act = real[name] as (...given: unknown[]) => unknown;
        return (...given: unknown[]) => {
          seen.push(`${name} ${String(given[0])}`);
          return act.apply(real, given);
        };
      },
    });
    expect(listTasks(opened(root, disk), { states: new Set(['done']) }).tasks).toHaveLength(50);
    return seen;
  };
  const signed = looks();
  expect(signed.filter((one) => /receipts\.md|review\.md|\/keys/.test(one))).toEqual([]);
  fs.rmSync(join(root, '.contracts/keys'), { recursive: true });
  expect(looks()).toEqual(signed);
});

test('what was verified again since then decides, and the old one stays a warning', async () => {
  const file = await finish();
  fs.appendFileSync(join(root, file), 'x');
  expect((await run(root, 'check')).text).toMatch(/error: the receipts of attempt 2 do not hold/);
  await run(root, 'retry', 'one', '--again');
  await run(root, 'run');
  const { text } = await run(root, 'check');
  expect(text).toMatch(/warning: the receipts of attempt 2 do not hold/);
  expect(text).toContain('0 errors');
});

test('an approval does not hold beside another contract', async () => {
  await toReview();
  await run(root, 'approve', 'one');
  await run(root, 'run');
  const attempts = join(root, DONE, 'attempts');
  const last = fs.readdirSync(attempts).at(-1) ?? '';
  const next = join(attempts, String(Number(last) + 1).padStart(4, '0'));
  fs.cpSync(join(attempts, last), next, { recursive: true });
  const outcome = fs.readFileSync(join(next, 'outcome.md'), 'utf8').replace(/^gate: .*\n/m, '');
  fs.writeFileSync(join(next, 'outcome.md'), outcome);
  fs.rmSync(join(next, 'receipts.md'), { force: true });
  fs.copyFileSync(join(root, DONE, 'review.md'), join(attempts, last, 'review.md'));
  fs.appendFileSync(join(root, DONE, 'contract.md'), '\nSteal.\n');
  expect((await run(root, 'show', 'one')).text).toMatch(/approval of attempt \d+ does not hold/);
});
