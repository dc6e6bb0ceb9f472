/** A program is asked for its version: with nothing to read, in time, and nothing of it stays. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CLIENT_TYPES, CLIENTS } from '../../src/clients/core/records.ts';
import { askMajor, askVersion } from '../../src/clients/calls/ask-version.ts';
import { judgeVersion } from '../../src/clients/core/client-version.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

let bin = '';
beforeAll(() => void (bin = sealedFolder('ask')));

function program(name: string, text: string): string {
  const path = join(bin, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

const ENV = { PATH: '/usr/bin:/bin' };

test('what it prints, with its end; stdin is empty, and its folder goes again', async () => {
  const path = program('one', `#!/bin/sh\ncat\npwd > ${bin}/pwd\necho "one $1"; exit 3\n`);
  expect(await askVersion(path, ENV)).toEqual({
    kind: 'answered',
    text: 'one --version\n',
    code: 3,
  });
  const folder = readFileSync(join(bin, 'pwd'), 'utf8').trim();
  expect(folder).toContain('contracts-version-');
  expect(existsSync(folder)).toBe(false);
});

test('one that does not end is killed with what it started', async () => {
  const path = program('slow', `#!/bin/sh\nsleep 1000 & echo $! > ${bin}/pid; echo 1.2.3; wait\n`);
  const answer = await askVersion(path, ENV, 1500);
  expect(answer).toEqual({ kind: 'late', seconds: 1.5 });
  const pid = readFileSync(join(bin, 'pid'), 'utf8').trim();
  await until(() => isGone(pid));
});

test('a version that a call needs is asked once, until the file is another one', async () => {
  const says = (version: string, more = ''): string =>
    program(
      'often',
      `#!/bin/sh\necho asked >> ${bin}/often.log\necho opencode v${version}\n${more}`,
    );
  const path = says('2.0.24');
  expect(await Promise.all([askMajor(path, ENV), askMajor(path, ENV)])).toEqual([2, 2]);
  expect(await askMajor(path, ENV)).toBe(2);
  expect(readFileSync(join(bin, 'often.log'), 'utf8')).toBe('asked\n');
  says('1.18.33', '# another size\n');
  expect(await askMajor(path, ENV)).toBe(1);
  expect(await askMajor(join(bin, 'none'), ENV)).toBeUndefined();
});

function isGone(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}

test('what is no program, and what is not there', async () => {
  expect(await askVersion(bin, ENV)).toMatchObject({ kind: 'failed' });
  expect(await askVersion(join(bin, 'none'), ENV)).toMatchObject({ kind: 'failed' });
});

test('each client of the tests is no older than what its options were tried with', () => {
  const file = new URL('../../scripts/clients.json', import.meta.url);
  const tested = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { version: string }>;
  for (const type of CLIENT_TYPES) {
    const said = { kind: 'answered', text: tested[type]?.version ?? '', code: 0 } as const;
    expect(judgeVersion(type, CLIENTS[type].oldest, said).doubt, type).toBeUndefined();
  }
});
