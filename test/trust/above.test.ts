/**
 * A repository in a folder above the workspace comes or goes while an agent works, by the built command: it is
 * not laid at the agent's door, and no note stops the next run. What an agent makes in its own workspace is.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { contracts } from '../support/binary.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

let base = '';
let root = '';
beforeEach(() => {
  base = sealedFolder('above');
  root = join(base, 'above', 'between', 'ws');
  mkdirSync(root, { recursive: true });
  init(realDisk, root);
  writeFileSync(join(root, '.contracts/config.yaml'), 'sandbox: none\nretries_max: 0\n');
});

const sh = (script: string): Buffer => execFileSync('sh', ['-euc', script], { cwd: root });

/** Its agent does that; gives the outcome of the attempt. */
async function task(id: string, deed: string) {
  putFile(
    join(root, 'active_tasks/ready', id, 'contract.md'),
    `---\nv: 1\ntitle: ${id}\nadapter: shell\nverify: [{ run: test -s ${id}.txt }]\n---\n\n# ${id}\n\n## Success Criteria\n\n- [ ] \`test -s ${id}.txt\` passes\n\n## Steps\n\n\`\`\`sh\n${deed}\necho made > ${id}.txt\n\`\`\`\n`,
  );
  const { code, stdout, stderr } = await contracts(root, ['run'], [], {
    ...process.env,
    HOME: base,
    XDG_STATE_HOME: join(base, 'state'),
    CONTRACTS_TRUST: '1',
    GIT_CEILING_DIRECTORIES: dirname(base),
  });
  const outcome = join(root, 'active_tasks/done', id, 'attempts/0001/outcome.md');
  return { code, text: stdout + stderr, outcome: code === 0 ? readFileSync(outcome, 'utf8') : '' };
}

const expectQuiet = async (id: string, deed: string): Promise<string> => {
  const { code, text, outcome } = await task(id, deed);
  expect(code, text).toBe(0);
  expect(text).not.toMatch(/changed while attempt|untrusted/);
  return outcome;
};

describe('a repository above the workspace', () => {
  test.each([
    ['comes', 'true', 'git init -q ..'],
    ['comes with a commit', 'true', '(cd .. && git init -q && git add -A . && git commit -qm x)'],
    ['comes below another one', 'git init -q ../..', 'git init -q ..'],
  ])('%s: nothing is noticed', async (_name, before, deed) => {
    sh(before);
    const git =
      'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b';
    expect(await expectQuiet('one', `${git}\n${deed}`)).not.toContain('.git');
    await expectQuiet('two', 'true');
    sh('rm -rf ../.git');
    await expectQuiet('three', 'true');
  });

  test('goes: noticed in the outcome, and the next run has nothing to obey', async () => {
    sh('git init -q ..');
    expect(await expectQuiet('one', 'rm -rf ../.git')).toContain('removed .git/config');
    await expectQuiet('two', 'true');
  });

  test('stays, and its settings change: that is obeyed by git, so a person looks first', async () => {
    sh('git init -q ..');
    const { text } = await task('one', 'git config --file ../.git/config core.pager evil');
    expect(text).toContain('.git/config changed while attempt 1 of one ran');
  });
});

describe('one in the workspace is its agents’ doing', () => {
  test('and the note heals when it is gone again', async () => {
    const { code, text } = await task('one', 'git init -q');
    expect([code, text]).toEqual([
      3,
      expect.stringContaining('.git/config changed while attempt 1'),
    ]);
    sh('rm -rf .git');
    await expectQuiet('two', 'true');
  });

  test('even before git takes it for one', async () => {
    const deed = 'mkdir -p .git/hooks && echo evil > .git/hooks/post-checkout';
    expect(await expectQuiet('one', deed)).toContain('made .git/hooks/post-checkout');
    const { text } = await task('two', 'git init -q');
    expect(text).toContain('changed while attempt 1 of two ran');
  });

  test('an empty .git is nothing', async () => {
    expect(await expectQuiet('one', 'mkdir .git')).not.toContain('.git');
  });
});
