/**
 * plugin/ and .claude-plugin/: what scripts/plugin.mjs makes of templates/ and package.json, without a path of a
 * machine, and without a command that decides in place of a person.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

function textIn(file: string): string {
  return fs.readFileSync(join(PROJECT, file), 'utf8');
}

function check(...folder: readonly string[]) {
  const argv = ['scripts/plugin.mjs', '--check', ...folder];
  const how = { cwd: PROJECT, env: sealedEnv(), encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, argv, how);
  return { status, files: stderr.split('\n').flatMap((line) => line.split(' ')[0] || []) };
}

test('what is committed is what the script makes, and a file more, less or other is found', () => {
  expect(check()).toEqual({ status: 0, files: [] });
  const copy = sealedFolder('plugin');
  for (const folder of ['plugin', '.claude-plugin'])
    fs.cpSync(join(PROJECT, folder), join(copy, folder), { recursive: true });
  fs.appendFileSync(join(copy, 'plugin/.mcp.json'), '\n');
  fs.rmSync(join(copy, 'plugin/commands/new.md'));
  fs.writeFileSync(join(copy, 'plugin/commands/old.md'), '');
  const stale = ['plugin/.mcp.json', 'plugin/commands/new.md', 'plugin/commands/old.md'];
  expect(check(copy)).toEqual({ status: 1, files: stale });
});

test('the manifests have the version of the package, and the server is found on the PATH', () => {
  const { version } = JSON.parse(textIn('package.json')) as { version: string };
  for (const file of ['.claude-plugin', '.codex-plugin'].map((one) => `plugin/${one}/plugin.json`))
    expect(JSON.parse(textIn(file))).toMatchObject({ name: 'contracts', version });
  const servers = { mcpServers: { contracts: { command: 'contracts', args: ['mcp'] } } };
  expect(JSON.parse(textIn('plugin/.mcp.json'))).toEqual(servers);
  const gemini = JSON.parse(textIn('plugin/gemini/gemini-extension.json')) as object;
  expect(gemini).toMatchObject({ name: 'contracts', version, ...servers });
});

/** Commands reserved for people, and what may stand before one that is shown to them. */
const RESERVED =
  /`contracts (?:confirm|answer|approve|needs-work|reject|retry|trust|undo)\b[^`]*`/g;

test.each(fs.readdirSync(join(PROJECT, 'templates/plugin/commands')))(
  'the command %s is the same for each client, and runs nothing reserved for people',
  (name) => {
    const [source, claude] = ['templates/plugin/commands', 'plugin/commands'].map((folder) =>
      textIn(`${folder}/${name}`),
    );
    const toml = textIn(`plugin/gemini/commands/contracts/${name.replace('.md', '.toml')}`);
    const body = (source ?? '').slice((source ?? '').indexOf('\n---\n\n') + 6);
    expect(claude?.endsWith(body)).toBe(true);
    expect(toml).toContain(body.replaceAll('$ARGUMENTS', '{{args}}'));
    expect(body).toContain('$ARGUMENTS');
    for (const line of body.split('\n').filter((one) => one.search(RESERVED) >= 0))
      expect(line).toMatch(/(?:Show the user|are the user's)/);
  },
);
