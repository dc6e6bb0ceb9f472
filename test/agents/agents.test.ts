/**
 * `contracts agents`: who can be called here and why somebody cannot, in lines that fit their terminal
 * and as data; everything about one squad; names that a Tab completes. Programs on PATH are this test's own.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { askClients } from '../../src/engine/setup/find-clients.ts';
import { width } from '../../src/cli/output/text-width.ts';
import { saidHere } from '../support/command-room.ts';
import { BUILT_IN_AGENTS } from '../../src/permissions/core/roles.ts';
import { checkedLine } from '../support/json-lines.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
let env: Record<string, string> = {};

const FILES: Readonly<Record<string, string>> = {
  '.contracts/config.yaml': `adapter: mine
adapters:
  mine: { type: command, run: [tool, "{{brief_file}}"] }
  keyed: { type: command, run: [tool, "{{brief_file}}"], env: [SECRET_OF_MINE] }
agents:
  keyed-one: { adapter: keyed, description: Needs a key }
  lost: { adapter: nowhere }
  mistyped: { adapter: codx }
`,
  '.contracts/agents/house.md': `---
description: ${'Knows the house and all who live in it. '.repeat(8)}
write: docs/**
skills: [git-master, no-such-skill]
delegates_to: [scout]
---

One.
${'Another line of its instructions.\n'.repeat(12)}`,
  '.contracts/agents/off.md': '---\ndescription: Gone\ndisable: true\n---\n',
  '.contracts/agents/torn.md': '---\ntimeout: 3\n---\n',
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Looks at code\ntools: Read, Grep\nmodel: sonnet\n---\n\nYou look.\n',
  '.opencode/agent/writers/poet.md': '---\ndescription: Verse\nmode: subagent\nhidden: true\n---\n',
  'home/.gemini/agents/far.md': '---\ndescription: Yours\nkind: local\nadapter: gemini\n---\n',
  '.codex/agents/careful.toml':
    'name = "careful"\ndescription = "Looks twice"\ndeveloper_instructions = "Look."\nsandbox_mode = "read-only"\n',
  '.claude/skills/chief/agents/chief/SKILL.md': '---\ndescription: Leads\n---\nLead.\n',
  '.claude/skills/chief/agents/planner.md': '---\ndescription: Plans\n---\nPlan.\n',
};

const NO_GEMINI =
  'no login is in the files and variables of gemini; the keychain of the system was not read';

beforeAll(() => {
  root = sealedFolder('agents');
  for (const [name, text] of Object.entries(FILES)) putFile(join(root, name), text);
  // Beside it: a client in the workspace is not asked.
  const bin = `${root}-bin`;
  mkdirSync(bin);
  for (const [program, version] of [
    ['tool', ''],
    ['gemini', '9.9.9'],
    ['codex', 'codex-cli 0.20.0'],
  ] as const) {
    writeFileSync(join(bin, program), `#!/bin/sh\necho ${version}\n`);
    chmodSync(join(bin, program), 0o755);
  }
  env = { PATH: bin, HOME: join(root, 'home'), CONTRACTS_TRUST: '1' };
});

async function said(argv: readonly string[], columns?: number) {
  const all = await saidHere(['-C', root, ...argv], { env }, columns);
  return { ...all, lines: all.out.trimEnd().split('\n') };
}

async function data(...argv: string[]): Promise<readonly Record<string, unknown>[]> {
  const { lines } = await said([...argv, '--json']);
  return lines.map((line) => checkedLine(line) as unknown as Record<string, unknown>);
}

describe.each([80, 200])('in %d columns', (columns) => {
  test.each([['agents'], ['agents --all'], ['agents show house'], ['agents show devops']])(
    '%s fits',
    async (line) => {
      const { lines } = await said(line.split(' '), columns);
      expect(lines.length).toBeGreaterThan(5);
      // What is wrong with a file is told as an editor reads it, and stays whole.
      const ours = lines.filter((one) => !/ (?:error|warning): /.test(one));
      for (const one of ours) expect(width(one), one).toBeLessThanOrEqual(columns);
    },
  );

  test('one line each, in groups, nearest first', async () => {
    const { lines } = await said(['agents'], columns);
    const headings = lines.filter((line) => /^\S.*:$/.test(line.replace(/\u001b\[\d+m/g, ''))); // oxlint-disable-line no-control-regex
    expect(headings).toHaveLength(4);
    const of = (name: string) =>
      lines.filter((line) => new RegExp(`^  (?:yes|no ) +${name} `).test(line));
    for (const name of ['house', 'reviewer', 'far', 'builder', 'chief']) {
      expect(of(name), name).toHaveLength(1);
    }
    expect(of('writers/poet')).toEqual([]);
    expect(of('chief/planner')).toEqual([]);
    expect(lines.join('\n')).toMatch(/\d+ more are hidden: contracts agents --all/);
  });
});

test('--search and --can name those that fit, skills too; what is neither tool nor skill is refused', async () => {
  const named = async (...args: string[]) =>
    (await data('agents', ...args)).flatMap(({ event, name }) =>
      event === 'problem' ? [] : [`${event} ${name}`],
    );
  expect(await named('--search', 'looks CODE')).toEqual(['agent reviewer']);
  expect(await named('--search', 'definition of done')).toEqual(['skill develop-story']);
  const readers = await named('--can', 'read');
  expect(readers).toContain('agent reviewer');
  const writers = await named('--can', 'Bash');
  expect(writers).toContain('agent house');
  expect(writers).not.toContain('agent reviewer');
  expect(await named('--can', 'git-master')).toContain('agent house');
  const { code, err } = await said(['agents', '--can', 'shel']);
  expect([code, err]).toEqual([2, expect.stringContaining('Did you mean shell?')]);
});

test('whether each can be called, and why not, as data', async () => {
  const rows = (await data('agents', '--all')).filter(({ event }) => event === 'agent');
  const by = new Map(rows.map((row) => [row['name'], row]));
  expect(by.get('house')).toMatchObject({ callable: true, adapter: 'mine', source: 'project' });
  expect(by.get('reviewer')).toMatchObject({ adapter: 'mine', model: '', callable: true });
  expect(by.get('keyed-one')).toMatchObject({ callable: false, why: 'SECRET_OF_MINE is not set' });
  expect(by.get('lost')).toMatchObject({ callable: false, why: 'there is no adapter nowhere' });
  expect(by.get('mistyped')).toMatchObject({
    why: 'there is no adapter codx',
    fix: 'Did you mean codex? Add it to .contracts/config.yaml',
  });
  expect(by.get('off')).toMatchObject({ callable: false, why: 'it is switched off' });
  expect(by.get('torn')).toMatchObject({
    callable: false,
    why: expect.stringContaining('timeout') as string,
  });
  expect(by.get('far')).toMatchObject({
    source: 'user',
    file: '~/.gemini/agents/far.md',
    adapter: 'gemini',
    callable: true,
    why: NO_GEMINI,
  });
  expect(by.get('writers/poet')).toMatchObject({ hidden: true });
  expect(by.get('chief')).toMatchObject({ hidden: false });
  expect(by.get('chief/planner')).toMatchObject({ hidden: true, callable: true });
  expect(BUILT_IN_AGENTS.filter((name) => !by.has(name))).toEqual([]);
  const shown = (await data('agents')).filter(({ event }) => event === 'agent');
  expect(shown.every(({ hidden }) => hidden === false)).toBe(true);
});

test.each([
  ['claude', 'CLAUDE_CODE_USE_BEDROCK'],
  ['claude', 'CLAUDE_CODE_USE_VERTEX'],
  ['gemini', 'GOOGLE_GENAI_USE_VERTEXAI'],
])('%s by %s needs no login of its own; when it fails, the cloud is named', async (type, cloud) => {
  const config = join(root, '.contracts/config.yaml');
  const failing = `${root}-bin/failing`;
  const words =
    '{"type":"result","is_error":true,"result":"401 token expired","status":"error","error":{"message":"401 token expired"}}';
  const version = '[ "$1" = --version ] && echo 9.9.9 && exit';
  // As the status call of claude answers without a login and without a cloud.
  const status = `[ "$1" = auth ] && echo '{"loggedIn": false}' && exit $((1 - \${#${cloud}} / 4))`;
  writeFileSync(failing, `#!/bin/sh\n${version}\n${status}\necho '${words}'\nexit 145\n`);
  chmodSync(failing, 0o755);
  writeFileSync(
    config,
    `adapter: cloudy\nadapters: { cloudy: { type: ${type}, run: [failing] } }\n`,
  );
  const before = env;
  try {
    expect((await data('agents', 'show', 'builder'))[0]).toMatchObject({
      why: type === 'claude' ? 'claude auth status reports no login' : NO_GEMINI,
    });
    env = { ...env, PATH: `${env['PATH']}:/usr/bin:/bin`, [cloud]: 'true' };
    expect((await data('agents', 'show', 'builder'))[0]).toMatchObject({ why: '' });
    const [tested] = await data('agents', 'test', 'builder');
    expect(tested).toMatchObject({
      ok: false,
      why: expect.stringMatching(
        `^you are not logged in to the cloud of ${cloud}: .*401`,
      ) as string,
    });
  } finally {
    env = before;
    writeFileSync(config, FILES['.contracts/config.yaml'] ?? '');
  }
});

test('a login that leaves no file is seen by the status call, as init sees it', async () => {
  const file = `${root}-bin/claude`;
  const status = `[ "$1 $2" = 'auth status' ] && [ -e ${root}-bin/keychain ]`;
  putFile(
    file,
    `#!/bin/sh\n[ "$1" = --version ] && echo 9.9.9 && exit\n${status} && exit\necho '{"loggedIn": false}'; exit 1\n`,
  );
  chmodSync(file, 0o755);
  const config = join(root, '.contracts/config.yaml');
  writeFileSync(config, 'adapter: claude\n');
  const seen = async () => {
    const [story] = await data('agents', 'show', 'builder');
    const found = (await askClients(env, root)).find(({ name }) => name === 'claude');
    const lines = await data('doctor');
    const problems = lines.flatMap(({ problem }) => (problem as { message: string }) ?? []);
    const told = problems.flatMap(({ message }) =>
      message.includes('adapter claude') ? message : [],
    );
    return [story?.['why'], found?.words, ...told];
  };
  const how = 'Run claude and log in there, or set ANTHROPIC_API_KEY';
  const before = env;
  env = { ...env, PATH: `${env['PATH']}:/usr/bin:/bin` };
  try {
    const words = 'claude auth status reports no login';
    const told = `adapter claude: ${words}`;
    expect(await seen()).toEqual([words, `9.9.9, ${words}. ${how}`, told]);
    writeFileSync(`${root}-bin/keychain`, '');
    expect(await seen()).toEqual(['', '9.9.9, logged in']);
  } finally {
    env = before;
    rmSync(file);
    writeFileSync(config, FILES['.contracts/config.yaml'] ?? '');
  }
});

test('where the default adapter is the shell, a client’s agents are called by that client', async () => {
  const config = join(root, '.contracts/config.yaml');
  writeFileSync(config, '');
  try {
    const [story] = await data('agents', 'show', 'reviewer');
    expect(story).toMatchObject({
      adapter: 'claude',
      models: ['sonnet'],
      callable: false,
      why: 'claude is not installed',
      fix: 'codex is installed: adapter: codex in .contracts/config.yaml. Install it with npm install -g @anthropic-ai/claude-code',
      permissions: { write: [], create: [], delete: [], append: [], git: [] },
      tools: ['read', 'search'],
    });
    expect((await data('agents', 'show', 'careful'))[0]).toMatchObject({
      adapter: 'codex',
      callable: true,
      why: 'codex 0.20.0 is older than 0.169.0, the oldest version that was tested',
      fix: 'Update it: npm install -g @openai/codex',
      instructions: 'Look.',
      permissions: { write: [] },
    });
    // The list says the same, and asks each client once, whatever number of agents it calls.
    const rows = await data('agents', '--all');
    expect(rows.find(({ name }) => name === 'careful')).toMatchObject({
      why: expect.stringMatching(/^codex 0\.20\.0 is older than /) as string,
    });
  } finally {
    writeFileSync(config, FILES['.contracts/config.yaml'] ?? '');
  }
});

test('everything about one squad in words', async () => {
  const { out, code } = await said(['agents', 'show', 'house']);
  expect(code).toBe(0);
  expect(out).toContain('from          .contracts/agents/house.md (project)');
  expect(out).toContain('writes        docs/**');
  expect(out).toContain('skills        git-master, no-such-skill (not there)');
  expect(out).toContain('delegates to  scout');
  expect(out).toContain('(3 more lines in .contracts/agents/house.md)');
});

test('of a file that cannot be read nobody says what it may do', async () => {
  const { out } = await said(['agents', 'show', 'torn']);
  expect(out).toContain('its file cannot be read');
  expect(out).not.toMatch(/writes|removes|git/);
  expect((await data('agents', 'show', 'torn'))[0]).toMatchObject({ known: false });
});

test('one that cannot be called: told with its cure, exit 1', async () => {
  const { out, code } = await said(['agents', 'show', 'keyed-one']);
  expect(out).toContain('callable      no: SECRET_OF_MINE is not set. Set SECRET_OF_MINE');
  expect(code).toBe(1);
});

test('a name that nobody has: the one that was meant, exit 2', async () => {
  const { err, code } = await said(['agents', 'show', 'devosp']);
  expect(err).toContain('Did you mean devops? contracts agents show devops');
  expect(code).toBe(2);
});

test.each([
  ['agents', ['show']],
  ['agents show ch', ['chief', 'chief-of-staff']],
  ['new --agent hou', ['house']],
  ['new --gate pe', ['person']],
])('Tab behind %j', async (line, expected) => {
  const words = line === 'agents' ? ['agents', ''] : line.split(' ');
  const { out } = await saidHere(['complete', '--', '-C', root, ...words]);
  const names = out.split('\n').map((one) => one.split('\t')[0]);
  for (const name of expected) expect(names).toContain(name);
});
