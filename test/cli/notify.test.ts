/** `notify: bell` in the person's own settings, by the built command at a real pty: script(1) makes one. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { BINARY, contracts } from '../support/binary.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

const missing = spawnSync('script', ['--version']).status !== 0;
if (missing) console.log('LEFT OUT: the bell at a pty, because util-linux has no script here');

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

let base: string;
let root: string;
beforeEach(() => {
  base = sealedFolder('notify');
  root = join(base, 'work');
  mkdirSync(root);
  init(realDisk, root);
});

const environment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const { CI: _, ...own } = process.env;
  const homes = { XDG_CONFIG_HOME: join(base, 'config'), XDG_STATE_HOME: join(base, 'state') };
  return { ...own, ...homes, CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: 'none', ...more };
};

function settings(text: string): void {
  mkdirSync(join(base, 'config/contracts'), { recursive: true });
  writeFileSync(join(base, 'config/contracts/config.yaml'), text);
}

/** Fails at its only attempt, so it comes to blocked. */
function failing(id: string): void {
  mkdirSync(join(root, 'active_tasks/ready', id), { recursive: true });
  const head = `---\ntitle: Fail\nadapter: shell\nretries_max: 0\nverify: ["run: true"]\n---\n`;
  const body = '\n## Success Criteria\n\n- [ ] `true` passes\n\n## Steps\n\n```sh\nexit 3\n```\n';
  writeFileSync(join(root, 'active_tasks/ready', id, 'contract.md'), `${head}${body}`);
}

describe.runIf(!missing)('bell', () => {
  const bells = (verb: string, more: Record<string, string> = {}): number => {
    const command = `'${process.execPath}' '${BINARY}' ${verb}`;
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: root,
      env: environment(more),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(stdout).toContain('blocked');
    return stdout.split('\u0007').length - 1;
  };

  test('rings once for a task that needs a person; never in a CI, in --json or without the setting', () => {
    failing('first');
    expect(bells('run')).toBe(0);
    settings('notify: bell\n');
    failing('second');
    expect(bells('run')).toBe(1);
    // Both still wait.
    expect(bells('run')).toBe(0);
    failing('third');
    expect(bells('run', { CI: 'true' })).toBe(0);
    failing('fourth');
    expect(bells('run --json')).toBe(0);
  });
});

test('without a terminal there is no bell; another word is refused with the file', async () => {
  settings('notify: bell\n');
  failing('first');
  const { stdout, stderr } = await contracts(root, ['run'], [], environment());
  expect(stdout).toContain('blocked');
  expect(stdout + stderr).not.toContain('\u0007');
  settings('notify: ring\n');
  const refused = await contracts(root, ['list'], [], environment());
  expect(refused.code).toBe(2);
  expect(refused.stdout + refused.stderr).toContain('contracts/config.yaml:1');
});

test('an address gets the question and the command that answers it, without secrets, and nothing in a CI', async () => {
  const got: unknown[] = [];
  let arrived = (): void => undefined;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      got.push(JSON.parse(body));
      response.end();
      arrived();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  settings(`notify: http://127.0.0.1:${port}/me\n`);
  const asks = `printf '## Questions\n\n1. Is %s it?\n' "$TOKEN" > "$CONTRACTS_OUT/questions.md"`;
  const ask = ['new', 'Ask', '--id', 'ask', '--gate', 'person', '--sh', `TOKEN=${SECRET}; ${asks}`];
  try {
    await contracts(root, ask, [], environment());
    await contracts(root, ['confirm', 'ask'], [], environment());
    const first = new Promise<void>((resolve) => (arrived = resolve));
    await contracts(root, ['run'], [], environment({ MY_KEY: SECRET }));
    await first;
    failing('quiet');
    await contracts(root, ['run'], [], environment({ CI: 'true' }));
    expect(got).toEqual([
      {
        v: 1,
        task: 'ask',
        state: 'questions',
        reason: 'asks a question',
        root,
        question: expect.stringMatching(/^Is .*it\?$/) as unknown,
        command: 'contracts answer ask "…"',
      },
    ]);
    expect(JSON.stringify(got)).not.toContain(SECRET);
  } finally {
    server.close();
  }
});
