/**
 * What is to be mounted vanishes between the look and the mount. The bwrap of these tests removes one path just
 * before it becomes the real one, and only where its arguments name that path: the last moment there is.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { init } from '../../src/engine/setup/init.ts';
import { findProgram } from '../../src/process/program.ts';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { contracts } from '../support/binary.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

const PATH = process.env['PATH'] ?? '';
const here = sandboxMachine(PATH);
if (!here.works) console.log(`LEFT OUT: what vanishes before it is mounted, because ${here.why}`);

let base = '';
let root = '';
beforeEach(() => {
  base = sealedFolder('vanishing');
  root = join(base, 'above', 'ws');
  mkdirSync(root, { recursive: true });
  init(realDisk, root);
  const put = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text, { mode });
  };
  put('above/ws/.contracts/config.yaml', 'sandbox: bwrap\nretries_max: 0\n');
  put(
    'above/ws/active_tasks/ready/one/contract.md',
    `---\nv: 1\ntitle: one\nadapter: shell\nverify: [{ run: test -s one.txt }]\n---\n\n# one\n\n## Success Criteria\n\n- [ ] \`test -s one.txt\` passes\n\n## Steps\n\n\`\`\`sh\necho made > one.txt; ls -d .git ../.git > seen.txt || true\n\`\`\`\n`,
  );
  put(
    'bin/bwrap',
    `#!/bin/sh\ngoes=$(cat ${base}/goes)\nfor one; do [ "$one" != "$goes" ] || rm -rf "$goes"; done\nexec ${findProgram('bwrap', PATH)} "$@"\n`,
    0o755,
  );
});

const sh = (script: string): Buffer => execFileSync('sh', ['-euc', script], { cwd: root });
const run = (goes: string) => {
  writeFileSync(join(base, 'goes'), join(root, goes));
  return contracts(root, ['run', '--trust'], [], {
    ...process.env,
    PATH: `${join(base, 'bin')}:${PATH}`,
    HOME: base,
    CONTRACTS_SANDBOX: undefined,
    GIT_CEILING_DIRECTORIES: dirname(base),
  });
};

describe.runIf(here.works)('a path that vanishes before it is mounted', () => {
  test.each([
    ['a repository above the workspace', 'git init -q ..', '../.git', true],
    ['an empty .git above, which is none', 'mkdir ../.git', '../.git', false],
    ['an empty .git in the workspace', 'mkdir .git', '.git', true],
  ])('%s: the first attempt comes to its end', async (_name, make, goes, isMounted) => {
    sh(make);
    const { code, stdout, stderr } = await run(goes);
    expect(code, stdout + stderr).toBe(0);
    expect(existsSync(join(root, goes))).toBe(!isMounted);
    const attempts = readdirSync(join(root, 'active_tasks/done/one/attempts'));
    expect(attempts.filter((one) => one.startsWith('0001'))).toEqual(['0001']);
    expect(stdout + stderr).not.toContain('fault');
  });

  test.each([
    ['the repository of the workspace itself', 'git init -q', '.git'],
    ['settings of a client', 'mkdir -p .claude/agents', '.claude'],
    ['tasks of an editor', 'mkdir .vscode', '.vscode'],
  ])('%s: no program runs without that protection', async (_name, make, goes) => {
    sh(make);
    const { code, stdout, stderr } = await run(goes);
    expect(code, stdout + stderr).toBe(3);
    expect(stdout + stderr).toContain('the sandbox could not be created');
    expect(existsSync(join(root, 'one.txt'))).toBe(false);
  });
});

describe.runIf(here.works)(
  'MOCK bwrap that cannot mount a file, as where it is replaced just then',
  () => {
    const fails = (times: number): void => {
      writeFileSync(join(base, 'left'), 'x'.repeat(times));
      writeFileSync(
        join(base, 'bin/bwrap'),
        `#!/bin/sh\nfor one; do\n  if [ "$one" = --json-status-fd ] && [ -s ${base}/left ]; then\n    left=$(cat ${base}/left); printf %s "\${left#x}" > ${base}/left\n    echo '{ "child-pid": 1 }' >&8; echo "bwrap: Can't bind mount: No such file or directory" >&2; exit 1\n  fi\ndone\nexec ${findProgram('bwrap', PATH)} "$@"\n`,
      );
    };

    test.each([1, 3])('%i times: the same call begins in the end', async (times) => {
      fails(times);
      const { code, stdout, stderr } = await run('nothing');
      expect(code, stdout + stderr).toBe(0);
      const attempts = readdirSync(join(root, 'active_tasks/done/one/attempts'));
      expect(attempts.filter((one) => /^\d+$/.test(one))).toEqual(['0001', '0002']);
      expect(readFileSync(join(base, 'left'), 'utf8')).toBe('');
    });

    test('a program that itself ends with 1 runs once', async () => {
      fails(0);
      const path = join(root, 'active_tasks/ready/one/contract.md');
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace(/^echo made.*$/m, 'echo ran >> ran.txt; exit 1'));
      const { code } = await run('nothing');
      expect(code).not.toBe(0);
      expect(readFileSync(join(root, 'ran.txt'), 'utf8')).toBe('ran\n');
    });
  },
);
