/**
 * Commands of docs/machines.md: each is called as it is written, and none is refused for its words. They need a second
 * machine, so that what they print is not compared.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../src/task/core/model/policy.ts';
import { BINARY } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const PAGE = readFileSync(new URL('../../docs/machines.md', import.meta.url), 'utf8');
/** How a command line that cannot be meant is refused. */
const MISREAD = /error: (?:unknown|missing required|option|too many)|\(It is now: /;

/** Blocks of the page in that language, without the indent of a list. */
const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^( *)\`\`\`${language}\n([^]*?)^\\1\`\`\``, 'gm'))].map(
    ([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

function calls(page: string): readonly string[] {
  const lines = page.split('\n').map((line) => line.trim());
  const inline = [...page.matchAll(/`(contracts [a-z][^`\n]*)`/g)].map((one) => one[1] ?? '');
  return [...lines.filter((line) => /^contracts [a-z]/.test(line)), ...inline];
}

function said(call: string): string {
  const env = { ...sealedEnv(), QUEUE_PASSWORD: 'word', CONTRACTS_QUEUE: 'redis://127.0.0.1:1' };
  const line = `contracts() { '${process.execPath}' '${BINARY}' "$@"; }; exec 2>&1; ${call}`;
  const options = { cwd: sealedFolder('page'), env, encoding: 'utf8', input: '' } as const;
  return spawnSync('sh', ['-c', line], options).stdout;
}

test('each command is one that the command knows', () => {
  const all = calls(PAGE);
  expect(all.length).toBeGreaterThan(8);
  expect(all.filter((call) => MISREAD.test(said(call)))).toEqual([]);
  const [wrong = ''] = calls('contracts new "Write HELLO.md" --write HELLO.md');
  expect(said(wrong)).toMatch(MISREAD);
});

test('each line for a shell can be read by one', () => {
  const all = blocks('sh');
  expect(all.length).toBeGreaterThan(2);
  const wrong = (input: string) => spawnSync('sh', ['-n'], { input, encoding: 'utf8' }).stderr;
  expect(all.map(wrong).filter((one) => one !== '')).toEqual([]);
});

test('each configuration is one', () => {
  const all = blocks('yaml').map((text) => configSchema().safeParse(parse(text)));
  expect(all.length).toBeGreaterThan(1);
  expect(all.filter(({ success }) => !success)).toEqual([]);
});
