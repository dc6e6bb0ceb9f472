/**
 * One attempt in a worktree, with the real git and MOCK agents: what each leaves there, and what the
 * runner makes of it. The branch, the records and the main checkout are looked at.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import { gitUntrusted } from '../../src/trust/trust.ts';
import { gitAt } from '../../src/worktrees/engine/git.ts';
import { collect, delegate } from '../../src/engine/commands/delegate.ts';
import { gitOf } from '../support/git.ts';
import { makeWorld } from '../support/world.ts';
import { makeGitWorld, type Work } from '../support/git-world.ts';
import { openedAt } from '../support/opened.ts';

test('what it left uncommitted is committed by the runner; the main checkout is as it was', async () => {
  const w = makeGitWorld();
  w.contract('a', ['deliverables: [a.txt]']);
  await w.run((work) => {
    expect(work.git('rev-parse --abbrev-ref HEAD').trim()).toBe('HEAD');
    work.write('a.txt', 'a\n');
    return work.complete();
  });
  const commit = w.git('rev-parse contracts/a').trim();
  expect(w.outcome('done/a')).toContain(`branch: contracts/a\ncommit: ${commit}\n`);
  expect(w.git('show contracts/a:a.txt')).toBe('a\n');
  expect(existsSync(join(w.root, 'a.txt'))).toBe(false);
  expect(
    w.git('status --short --untracked-files=all -- . :!.contracts/keys :!active_tasks :!LEDGER.md'),
  ).toBe('');
});

test('its own commits stay, what it left besides comes on top', async () => {
  const w = makeGitWorld();
  w.contract('a');
  await w.run((work) => {
    work.write('one.txt', '1\n');
    work.git('add --all');
    work.git('commit -q -m mine');
    work.write('two.txt', '2\n');
    return work.complete();
  });
  expect(w.git('log --format=%s main..contracts/a')).toBe('Make a (a, attempt 1)\nmine\n');
});

test.each([
  ['makes a branch of its own', ['checkout -q -b other', 'add --all', 'commit -q -m mine']],
  ['goes back behind where it began', ['add --all', 'commit -q -m mine', 'reset -q --soft HEAD~2']],
  ['is on the branch itself', ['checkout -q -B contracts/a', 'add --all', 'commit -q -m mine']],
  ['begins a rebase', ['add --all', 'commit -q -m mine', 'reset -q HEAD~1', 'add --all']],
  ['hides a change from git', ['add --all', 'update-index --skip-worktree base.txt']],
])('an agent that %s: its files count', async (_says, commands) => {
  const w = makeGitWorld();
  const main = w.git('rev-parse main');
  w.git('commit -q --allow-empty -m second', 1);
  w.contract('a');
  await w.run((work) => {
    work.write('a.txt', 'a\n');
    for (const command of commands) work.git(command);
    work.write('base.txt', 'changed\n');
    return work.complete();
  });
  expect(w.outcome('done/a')).toContain('outcome: complete');
  expect(w.git('show contracts/a:a.txt')).toBe('a\n');
  expect(w.git('show contracts/a:base.txt')).toBe('changed\n');
  expect(w.git('merge-base main contracts/a')).toBe(w.git('rev-parse main'));
  expect(main).toBe(w.git('rev-parse main~1'));
  expect(w.git(`-C ${w.tree('a')} status --short`)).toBe('');
});

test('what it put into the stash is not in the commit, and is told', async () => {
  const w = makeGitWorld();
  w.contract('a');
  await w.run((work) => {
    work.write('base.txt', 'changed\n');
    work.git('stash');
    work.write('a.txt', 'a\n');
    return work.complete();
  });
  expect(w.outcome('done/a')).toContain('refs/stash was made while it worked');
  expect(w.git('show contracts/a:base.txt')).toBe('base\n');
  expect(w.git('stash show -p')).toContain('+changed');
});

test('a branch of somebody else that it moves is told', async () => {
  const w = makeGitWorld();
  w.git('branch theirs');
  w.contract('a');
  await w.run((work) => {
    work.write('a.txt', 'a\n');
    work.git('add --all');
    work.git('commit -q -m mine');
    work.git('branch -f theirs HEAD');
    return work.complete();
  });
  expect(w.outcome('done/a')).toContain('refs/heads/theirs was moved while it worked');
});

test.each([
  ['commits in it', ['init -q src/n', '-C src/n add f', '-C src/n commit -q -m x']],
  [
    'commits it as a link',
    [
      'init -q src/n',
      '-C src/n add f',
      '-C src/n commit -q -m x',
      'add src/n',
      'commit -q -m link',
    ],
  ],
  ['commits nothing in it', ['init -q src/n']],
])(
  'a repository of its own inside the worktree, and it %s: outside its permissions',
  async (_says, commands) => {
    const w = makeGitWorld();
    w.contract('a', ['retries_max: 0']);
    await w.run((work) => {
      work.write('src/n/f', 'f\n');
      work.write('a.txt', 'a\n');
      for (const command of commands) work.git(command);
      return work.complete();
    });
    expect(w.outcome('blocked/a')).toContain('outcome: violated');
    expect(w.outcome('blocked/a')).toContain('a repository of its own inside the worktree');
    expect(w.git('show refs/contracts/violated/a/0001:a.txt')).toBe('a\n');
  },
);

/** As no program of git, so that only the runner's own git could run what it names. */
const FILTER = (file: string, name: string): string =>
  `[filter "${name}"]\n\tclean = "touch ${file}; cat"\n\tsmudge = "touch ${file}; cat"\n`;

test.each(['p', 'a=b', ''])(
  'a filter %j that it configures is never run, and git is not run at all until a person has looked',
  async (name) => {
    const w = makeGitWorld();
    const ran = join(w.root, '.contracts/ran');
    w.contract('a', ['retries_max: 0']);
    await w.run((work) => {
      const config = w.text('.git/config');
      w.write('.git/config', `${config}${FILTER(ran, name)}`);
      work.write('.gitattributes', `* filter=${name}\n`);
      work.write('a.txt', 'a\n');
      return work.complete();
    });
    expect(existsSync(ran)).toBe(false);
    expect(w.outcome('blocked/a')).toContain('outcome: violated');
    expect(gitUntrusted(openedAt(w.root))?.message).toContain(
      'git is not run: .git/config changed while attempt 1 of a',
    );
    expect(w.git('for-each-ref refs/contracts')).toBe('');
    expect(w.text(w.tree('a/a.txt'))).toBe('a\n');
  },
);

test.each(['p', 'a=b', ''])(
  'a filter %j that is configured after git was asked last is off in the next run',
  (name) => {
    const w = makeGitWorld();
    const ran = join(w.root, '.contracts/ran');
    const place = {
      git_dir: join(w.root, '.git'),
      common_dir: join(w.root, '.git'),
      work_tree: w.root,
    };
    const git = gitAt(w.open(() => 0).ws, place);
    git.out(['status', '--short']);
    w.write('.git/config', `${w.text('.git/config')}${FILTER(ran, name)}`);
    w.write('.gitattributes', `* filter=${name}\n`);
    w.write('a.txt', 'a\n');
    git.out(['add', '--', 'a.txt']);
    git.out(['reset', '--quiet', '--hard']);
    expect(existsSync(ran)).toBe(false);
  },
);

const BEYOND = (work: Work): number => {
  work.write('secret.txt', 'no\n');
  work.write('src/a.txt', 'yes\n');
  return work.complete();
};

test('outside its permissions: nothing of it is on the branch, the commit is kept, the next one begins clean', async () => {
  const w = makeGitWorld();
  w.contract('a', ['write: [src/**]']);
  await w.run((work) => {
    if (work.attempt === 1) return BEYOND(work);
    expect(existsSync(join(work.call.spawn.cwd, 'secret.txt'))).toBe(false);
    expect(existsSync(join(work.call.spawn.cwd, 'src/a.txt'))).toBe(false);
    work.write('src/a.txt', 'yes\n');
    return work.complete();
  });
  const first = w.outcome('done/a');
  expect(first).toContain('outcome: violated');
  expect(first).not.toContain('\ncommit: ');
  expect(first).toMatch(/violations:\n {2}- .*secret\.txt/);
  expect(w.git('show refs/contracts/violated/a/0001:secret.txt')).toBe('no\n');
  const patch = w.text('active_tasks/done/a/attempts/0001/violation.patch');
  expect(patch).toContain('the whole is refs/contracts/violated/a/0001\n');
  expect(patch).toContain('+++ b/secret.txt\n@@ -0,0 +1 @@\n+no\n');
  expect(patch).not.toContain('src/a.txt');
  expect(w.git('ls-tree -r --name-only contracts/a')).not.toContain('secret.txt');
  expect(w.outcome('done/a', '0002')).toContain('outcome: complete');
});

test.each([
  ['a file that it made', 'docs/leak.txt', 'create docs/leak.txt'],
  ['one that was there', 'base.txt', 'write base.txt'],
])(
  'a commit outside its permissions that a later one takes back: %s',
  async (_says, path, says) => {
    const w = makeGitWorld();
    w.contract('a', ['write: [src/**]', 'retries_max: 0']);
    await w.run((work) => {
      work.write(path, 'TOPSECRET\n');
      work.git('add --all');
      work.git('commit -q -m leak');
      work.git('checkout -q HEAD~1 .');
      work.git('rm -q --cached --ignore-unmatch docs/leak.txt');
      rmSync(join(work.call.spawn.cwd, 'docs/leak.txt'), { force: true });
      work.git('commit -q --allow-empty -m nothing');
      work.write('src/z.txt', 'z\n');
      work.git('add --all');
      work.git('commit -q -m clean');
      return work.complete();
    });
    expect(w.outcome('blocked/a')).toContain('outcome: violated');
    expect(w.outcome('blocked/a')).toContain(says);
    expect(w.outcome('blocked/a')).toContain('a later commit reverted it');
    expect(w.git('branch --list contracts/a')).toBe('');
  },
);

test('commits that go back and forth where it may write are nobody’s business', async () => {
  const w = makeGitWorld();
  w.contract('a', ['write: [src/**]', 'retries_max: 0']);
  await w.run((work) => {
    for (const text of ['1\n', '2\n']) {
      work.write('src/a.txt', text);
      work.write('src/tried.txt', text);
      work.git('add --all');
      work.git(`commit -q -m ${text.trim()}`);
    }
    work.git('rm -q src/tried.txt');
    work.git('commit -q -m away');
    return work.complete();
  });
  expect(w.outcome('done/a')).toContain('outcome: complete');
});

test('outside its permissions in more than a patch may hold: bounded, and said', async () => {
  const w = makeGitWorld();
  w.contract('a', ['write: [src/**]', 'retries_max: 0']);
  await w.run((work) => {
    work.write('large.txt', 'x\n'.repeat(1024 * 1024));
    work.write('small.txt', 'no\n');
    return work.complete();
  });
  const patch = w.text('active_tasks/blocked/a/attempts/0001/violation.patch');
  expect(patch).toContain('# Too large to be shown here: 1 more\n');
  expect(patch).toContain('+++ b/small.txt');
  expect(patch.length).toBeLessThan(1024 * 1024);
});

test('outside its permissions and committed to the branch by itself: the branch is set back', async () => {
  const w = makeGitWorld();
  w.contract('a', ['write: [src/**]', 'retries_max: 0']);
  await w.run((work) => {
    work.write('secret.txt', 'no\n');
    work.git('checkout -q -B contracts/a');
    work.git('add --all');
    work.git('commit -q -m mine');
    return work.complete();
  });
  expect(w.git('rev-parse contracts/a')).toBe(w.git('rev-parse main'));
  expect(w.git('show refs/contracts/violated/a/0001:secret.txt')).toBe('no\n');
});

test('an agent may not change the folders of tasks, not even of its own copy', async () => {
  const w = makeGitWorld();
  w.contract('a', ['retries_max: 0']);
  w.git('add --all');
  w.git('commit -q -m tasks');
  await w.run((work) => {
    work.write('active_tasks/ready/a/contract.md', 'easier\n');
    return work.complete();
  });
  expect(w.outcome('blocked/a')).toContain('outcome: violated');
});

test('a task that is moved by hand while its agent works: what it did is kept on the branch', async () => {
  const w = makeGitWorld();
  w.contract('a');
  await w.run((work) => {
    work.write('a.txt', 'a\n');
    renameSync(join(w.root, 'active_tasks/in_progress/a'), join(w.root, 'active_tasks/aborted/a'));
    return work.complete();
  });
  expect(w.outcome('aborted/a')).toContain('outcome: interrupted');
  expect(w.git('show contracts/a:a.txt')).toBe('a\n');
});

test('the next attempt goes on from what the last one did, in the same folder', async () => {
  const w = makeGitWorld();
  w.contract('a');
  const folders: string[] = [];
  await w.run((work) => {
    folders.push(work.call.spawn.cwd);
    if (work.attempt > 1) expect(work.read('half.txt')).toBe('half\n');
    work.write('half.txt', 'half\n');
    return work.attempt === 1 ? work.complete('FAILED') : work.complete();
  });
  expect(folders).toHaveLength(2);
  expect(new Set(folders).size).toBe(1);
  expect(w.git('show contracts/a:half.txt')).toBe('half\n');
});

test('what a person changed there between two attempts is kept, and is not the agent’s', async () => {
  const w = makeGitWorld();
  w.contract('a', ['write: [src/**]']);
  const asks = (work: Work): number => {
    w.write(
      `active_tasks/.desk/a.000${work.attempt}/questions.md`,
      '## Questions\n\n1. Which colour?\n',
    );
    return 0;
  };
  await w.run(asks);
  writeFileSync(w.tree('a/by-hand.txt'), 'mine\n');
  w.write(
    'active_tasks/questions/a/questions.md',
    '## Questions\n\n1. Which colour?\n\n### Answer\n\nred\n',
  );
  const events = await w.run((work) => {
    expect(existsSync(join(work.call.spawn.cwd, 'by-hand.txt'))).toBe(false);
    return work.complete();
  });
  expect(JSON.stringify(events)).toContain('kept as refs/contracts/kept/a/0002');
  expect(w.git('show refs/contracts/kept/a/0002:by-hand.txt')).toBe('mine\n');
  expect(w.outcome('done/a', '0002')).toContain('outcome: complete');
});

test('without a repository, and without a commit, it waits and says what to do', async () => {
  const bare = makeWorld();
  bare.write('.contracts/config.yaml', 'isolation: worktree\n');
  bare.write(
    'active_tasks/ready/a/contract.md',
    '---\ntitle: a\nverify: ["run: true"]\n---\n\n## Success Criteria\n\n- [ ] x\n\n## Steps\n\n```sh\ntrue\n```\n',
  );
  const said = async (): Promise<string> =>
    JSON.stringify((await step(bare.process({}).ws)).events);
  expect(await said()).toContain('is not in one');
  gitOf(bare.root)('init -q -b main');
  expect(await said()).toContain('the repository has none');
});

test.each([
  ['complete', 'result.md', '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n'],
  ['failed', 'result.md', '- Status: FAILED\n'],
  ['questions', 'questions.md', '1. Which colour?\n'],
])(
  'a host whose agent went outside its permissions and says %s: violated',
  async (_says, file, text) => {
    const w = makeGitWorld();
    w.contract('a', ['write: [src/**]', 'retries_max: 0']);
    const { ws } = w.open(() => 0);
    const context = { ws, emit: () => undefined, signal: new AbortController().signal };
    const given = await delegate(context, 'a');
    expect(given.ok).toBe(true);
    writeFileSync(w.tree('a/secret.txt'), 'no\n');
    w.write(`active_tasks/.desk/a.0001/${file}`, text);
    expect(collect(context, 'a')).toMatchObject({ ok: true, value: 'blocked' });
    const written = w.outcome('blocked/a');
    expect(written).toContain('outcome: violated');
    expect(written).toMatch(/violations:\n {2}- .*secret\.txt/);
    expect(w.git('for-each-ref refs/heads/contracts')).toBe('');
    expect(w.git('show refs/contracts/violated/a/0001:secret.txt')).toBe('no\n');
  },
);

test('a repository of its own in place of the tie to ours: that alone is held against it', async () => {
  const w = makeGitWorld();
  w.contract('a', ['retries_max: 0']);
  await w.run((work) => {
    rmSync(join(work.call.spawn.cwd, '.git'));
    work.git('init -q');
    work.write('a.txt', 'a\n');
    return work.complete();
  });
  const written = w.outcome('blocked/a');
  expect(written).toContain('outcome: violated');
  expect(written).toContain('changed the link from the worktree to its repository (.git)');
  expect(written).not.toContain('removed');
  expect(written).not.toContain('made ');
});
