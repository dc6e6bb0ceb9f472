/** Signed receipts with the built command: another machine, one changed byte, and attempts to forge. */
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { shellContract } from '../hostile/house.ts';

let room: string;
let root: string;
beforeEach(() => {
  room = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'contracts-signed-')));
  root = join(room, 'work');
  fs.mkdirSync(root);
  run(root, 'init');
  put('active_tasks/ready/one/contract.md', shellContract('one'));
});
afterEach(() => fs.rmSync(room, { recursive: true, force: true }));

function run(at: string, ...argv: string[]) {
  const { PATH, USER } = process.env;
  const mine = { HOME: join(room, 'home'), XDG_STATE_HOME: stateOf(at) };
  const env = { PATH, USER, ...mine, CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: 'none' };
  const { stdout, stderr, status } = spawnSync(process.execPath, [BINARY, ...argv], {
    cwd: at,
    env,
    encoding: 'utf8',
  });
  return { text: `${stderr}${stdout}`, stdout, status };
}

const stateOf = (at: string): string => `${at}-state`;
const put = (path: string, text: string): void => {
  fs.mkdirSync(join(root, path, '..'), { recursive: true });
  fs.writeFileSync(join(root, path), text);
};

const DONE = 'active_tasks/done/one';
function finish(): string {
  run(root, 'run');
  const attempts = join(root, DONE, 'attempts');
  const found = fs.readdirSync(attempts).map((one) => `${DONE}/attempts/${one}/receipts.md`);
  const file = found.find((one) => fs.existsSync(join(root, one)));
  expect(file, run(root, 'show', 'one').text).toBeDefined();
  return file ?? '';
}

test('another machine checks them by the public key, and without it the key is unknown', () => {
  finish();
  const [pub = ''] = fs.readdirSync(join(root, '.contracts/keys'));
  const words = `receipts hold (by ${pub.slice(0, -'.pub'.length)})`;
  expect(run(root, 'show', 'one').text).toContain(words);
  const other = join(room, 'other');
  fs.cpSync(root, other, { recursive: true });
  expect(run(other, 'show', 'one').text).toContain(words);
  fs.rmSync(join(other, '.contracts/keys'), { recursive: true });
  expect(run(other, 'show', 'one').text).toContain('receipts unknown key');
  const key = join(stateOf(root), 'contracts/keys/ed25519.pem');
  expect(fs.statSync(key).mode & 0o777).toBe(0o600);
  expect(fs.statSync(join(key, '..')).mode & 0o777).toBe(0o700);
});

test('one byte changed is said first by show, doctor and check', () => {
  const file = finish();
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
    for (const verb of [['show', 'one'], ['doctor'], ['doctor', 'one'], ['check']]) {
      const { text: said, status } = run(root, ...verb);
      expect(said.split('\n')[0], `${name}: ${verb.join(' ')}`).toMatch(
        /receipts of attempt \d+ do not hold/,
      );
      expect(status, verb.join(' ')).toBe(verb[0] === 'show' ? 0 : 1);
    }
  }
  put(file, text);
  expect(run(root, 'check').text).not.toContain('do not hold');
  put(file, text.replace(/^signature: .*\n/m, ''));
  expect(run(root, 'show', 'one').text).toContain('receipts not signed');
});

test('what another key signed, or another task has, does not hold under a known name', () => {
  const file = finish();
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
  expect(run(root, 'show', 'one').text).toContain('receipts do not hold');
  fs.writeFileSync(path, forgedPem);
  expect(run(root, 'show', 'one').text).toContain('receipts unknown key');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
  fs.writeFileSync(path, rsa.publicKey.export({ type: 'spki', format: 'pem' }));
  expect(run(root, 'show', 'one').text).toContain('receipts unknown key');
  const agents = `mallory-${sha256(forgedPem).slice(0, 16)}`;
  put(`.contracts/keys/${agents}.pub`, forgedPem);
  put(file, forge(agents));
  expect(run(root, 'show', 'one').text).toContain(`receipts hold (by ${agents})`);
  put(file, text);
  fs.writeFileSync(join(room, 'own.pub'), own);
  fs.rmSync(path);
  fs.symlinkSync(join(room, 'own.pub'), path);
  expect(run(root, 'show', 'one').text).toContain('receipts unknown key');
  fs.rmSync(path);
  fs.writeFileSync(path, own);
  fs.cpSync(join(root, DONE), join(root, 'active_tasks/done/two'), { recursive: true });
  expect(run(root, 'show', 'two').text).toContain('receipts do not hold');
  fs.appendFileSync(join(root, DONE, 'contract.md'), '\nMore.\n');
  expect(run(root, 'show', 'one').text).toContain('receipts do not hold');
});

test('without a key the work goes on, and doctor says why', () => {
  fs.mkdirSync(join(stateOf(root), 'contracts'), { recursive: true });
  fs.writeFileSync(join(stateOf(root), 'contracts/keys'), 'in the way');
  finish();
  expect(run(root, 'show', 'one').text).toContain('receipts not signed');
  expect(run(root, 'doctor').text).toContain('receipts are not signed, there is no key');
});

test('no sandbox shows the private key, even where the repository around the workspace is shown', () => {
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
    const { PATH } = process.env;
    const env = { PATH, HOME: `${room}-home`, XDG_STATE_HOME: state, CONTRACTS_TRUST: '1' };
    const sandboxed = { ...env, CONTRACTS_SANDBOX: 'bwrap' };
    fs.appendFileSync(join(root, '.contracts/config.yaml'), '\nsandbox: bwrap\n');
    const all = { cwd: root, env: sandboxed, encoding: 'utf8' } as const;
    const { stdout } = spawnSync(process.execPath, [BINARY, 'run'], all);
    expect(fs.existsSync(join(root, 'seen.txt')), stdout).toBe(true);
    expect(fs.readFileSync(key, 'utf8')).toContain('PRIVATE KEY');
    expect(fs.readFileSync(join(root, 'seen.txt'), 'utf8')).toMatch(/^(shown\ntried\n)+$/);
    expect(fs.existsSync(join(root, '.contracts/keys/x.pub'))).toBe(false);
  } finally {
    fs.rmSync(state, { recursive: true, force: true });
  }
});
