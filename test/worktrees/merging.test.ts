/**
 * What was done in worktrees goes into the main checkout, with the real git and MOCK agents: only what
 * was verified, dependencies first, nothing half merged, nothing thrown away.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteChanged } from '../../src/trust/changed-settings.ts';
import { trustFolder } from '../../src/trust/trust.ts';
import { done, makeGitWorld, type GitWorld, type Work } from '../support/git-world.ts';
import { openedAt } from '../support/opened.ts';

/** Writes a file named like its task; the shared one gets a line of it. */
function writes(...shared: string[]) {
  return (work: Work): number => {
    work.write(`${work.task}.txt`, `${work.task}\n`);
    for (const file of shared) work.write(file, `${work.task} says so\n`);
    return work.complete();
  };
}

const clean = (w: GitWorld): string =>
  w.git('status --short --untracked-files=no -- . :!active_tasks');

test('two agents at once in two worktrees: both are merged, worktrees and branches are gone', async () => {
  const w = makeGitWorld();
  w.contract('a');
  w.contract('b');
  let inside = 0;
  let most = 0;
  let open: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    open = resolve;
  });
  await w.run(async (work) => {
    inside += 1;
    most = Math.max(most, inside);
    if (inside === 2) open();
    await both;
    inside -= 1;
    return writes()(work);
  });
  expect(most).toBe(2);
  const { code, text } = await w.contracts('merge', '--yes');
  expect(code).toBe(0);
  expect(text).toContain('a  contracts/a → main');
  expect(w.text('a.txt') + w.text('b.txt')).toBe('a\nb\n');
  expect(clean(w)).toBe('');
  expect(w.git('branch --list contracts/*')).toBe('');
  expect(fs.existsSync(w.tree('a'))).toBe(false);
  expect(w.git('worktree list').trim().split('\n')).toHaveLength(1);
  expect((await w.contracts('merge')).text).toContain('All finished work is merged');
  expect((await w.contracts('merge', 'a', '--json')).text).toContain('"how":"already"');
});

test('nobody is asked and nothing is said: nothing is merged; a dry run says what would be', async () => {
  const w = await done('a');
  const head = w.git('rev-parse main');
  expect(await w.contracts('merge')).toMatchObject({ code: 2 });
  const dry = await w.contracts('merge', '--dry-run', '--json');
  expect(dry.code).toBe(0);
  expect(dry.text).toContain('"kind":"merge"');
  expect(w.git('rev-parse main')).toBe(head);
});

test('two in conflict: the second goes to blocked with both sides named, and an agent settles it', async () => {
  const w = makeGitWorld();
  w.contract('a');
  w.contract('b');
  await w.run(writes('shared.txt'));
  const { code, text } = await w.contracts('merge', '--yes');
  expect(code).toBe(1);
  expect(text).toContain(
    'b  done → blocked  contracts/b and main are in conflict in shared.txt (changed there by a)',
  );
  expect(w.text('shared.txt')).toBe('a says so\n');
  expect(fs.existsSync(join(w.root, 'b.txt'))).toBe(false);
  expect(clean(w)).toBe('');
  expect(fs.existsSync(join(w.root, '.git/MERGE_HEAD'))).toBe(false);
  expect(w.text('active_tasks/blocked/b/blocked.md')).toContain('contracts/b and main');
  expect(fs.existsSync(w.tree('b/b.txt'))).toBe(true);

  await w.contracts('retry', 'b', 'both lines, a first');
  let brief = '';
  await w.run((work) => {
    brief = work.brief;
    expect(work.read('shared.txt')).toMatch(/<{7}[^]*a says so[^]*>{7}/);
    work.write('shared.txt', 'a says so\nb says so\n');
    return work.complete();
  });
  expect(brief).toContain('## CONFLICT');
  expect(brief).toContain('Make a.');
  expect(brief).toContain('both lines, a first');
  expect((await w.contracts('merge', '--yes')).code).toBe(0);
  expect(w.text('shared.txt')).toBe('a says so\nb says so\n');
  expect(w.text('b.txt')).toBe('b\n');
});

test('what a person changed in a conflict that is not settled is kept, and told', async () => {
  const w = makeGitWorld();
  w.contract('a');
  w.contract('b', ['retries_max: 0']);
  await w.run(writes('shared.txt'));
  await w.contracts('merge', '--yes');
  await w.contracts('retry', 'b');
  await w.run((work) => work.complete());
  fs.writeFileSync(w.tree('b/by-hand.txt'), 'mine\n');
  await w.contracts('retry', 'b');
  const events = await w.run((work) => work.complete());
  expect(JSON.stringify(events)).toContain('was changed between two attempts');
  expect(w.git('show refs/contracts/kept/b/0004:by-hand.txt')).toBe('mine\n');
});

test('of settings that a person changed on the branch meanwhile no agent is blamed, with its marks left', async () => {
  const w = makeGitWorld();
  w.contract('a');
  w.contract('b');
  await w.run(writes('shared.txt'));
  await w.contracts('merge', '--yes');
  fs.appendFileSync(join(w.root, '.contracts/config.yaml'), '\n# of a person\n');
  w.git('add -f .contracts/config.yaml');
  w.git('commit -q -m person .contracts/config.yaml');
  await w.contracts('retry', 'b');
  let calls = 0;
  await w.run((work) => {
    if (++calls === 2) work.write('shared.txt', 'both\n');
    return work.complete();
  });
  const first = w.text('active_tasks/done/b/attempts/0003/outcome.md');
  expect(first).toContain("git's marks are still in shared.txt");
  expect(first).not.toContain('config.yaml');
});

test('an agent that leaves the marks has not settled it, and the next one finds the conflict again', async () => {
  const w = makeGitWorld();
  w.contract('a');
  w.contract('b');
  await w.run(writes('shared.txt'));
  await w.contracts('merge', '--yes');
  await w.contracts('retry', 'b');
  const seen: boolean[] = [];
  const events = await w.run((work) => {
    seen.push(work.read('shared.txt').includes('<<<<<<<'));
    if (seen.length === 2) work.write('shared.txt', 'both\n');
    return work.complete();
  });
  expect(seen).toEqual([true, true]);
  expect(JSON.stringify(events)).not.toContain('was changed between two attempts');
  const attempts = 'active_tasks/done/b/attempts';
  expect(w.text(`${attempts}/0003/outcome.md`)).toContain('outcome: failed');
  expect(w.text(`${attempts}/0003/outcome.md`)).toContain("git's marks are still in shared.txt");
  expect((await w.contracts('merge', '--yes')).code).toBe(0);
  expect(w.text('shared.txt')).toBe('both\n');
});

test('only the verified commit is merged: what came onto the branch since stays there, and so does the worktree', async () => {
  const w = await done('a');
  w.git('checkout -q contracts/a');
  fs.writeFileSync(join(w.root, 'later.txt'), 'unverified\n');
  w.git('add later.txt');
  w.git('commit -q -m later');
  w.git('checkout -q main');
  const { text } = await w.contracts('merge', '--yes');
  expect(text).toContain('worktree kept: contracts/a has commits that are not merged');
  expect(fs.existsSync(join(w.root, 'later.txt'))).toBe(false);
  expect(w.git('show contracts/a:later.txt')).toBe('unverified\n');
});

test('a worktree with uncommitted work is never removed', async () => {
  const w = await done('a');
  fs.writeFileSync(w.tree('a/thought.txt'), 'half\n');
  const { text } = await w.contracts('merge', '--yes');
  expect(text).toContain('has changes that are in no commit');
  expect(w.text(w.tree('a/thought.txt'))).toBe('half\n');
  expect(w.text('a.txt')).toBe('a\n');
});

test('a deliverable that git ignores is unmet; put into done by hand its worktree is kept, which alone holds it', async () => {
  const w = makeGitWorld();
  w.write('.gitignore', 'out/\n');
  w.git('add .gitignore');
  w.git('commit -q -m ignore');
  w.contract('a', ['deliverables: [out/a.txt]', 'reviews_max: 0']);
  await w.run((work) => {
    work.write('out/a.txt', 'a\n');
    return writes()(work);
  });
  expect((await w.contracts('merge', '--yes')).text).toContain('All finished work is merged');
  fs.renameSync(join(w.root, 'active_tasks/blocked/a'), join(w.root, 'active_tasks/done/a'));
  const { text } = await w.contracts('merge', 'a', '--yes');
  expect(text).toContain('worktree kept: out/a.txt is ignored by git');
  expect(fs.existsSync(w.tree('a/out/a.txt'))).toBe(true);
  expect(w.text('a.txt')).toBe('a\n');
});

test.each([
  ['changes are staged', 'add base.txt', 'changes are staged: base.txt'],
  ['changes are not committed', '', 'changes are not committed: base.txt'],
])('%s: nothing is merged, and what is in the way is named', async (_says, command, why) => {
  const w = await done('a');
  w.write('base.txt', 'mine\n');
  if (command !== '') w.git(command);
  const { code, text } = await w.contracts('merge', '--yes');
  expect(code).toBe(2);
  expect(text).toContain(why);
  expect(w.text('base.txt')).toBe('mine\n');
  expect(fs.existsSync(join(w.root, 'a.txt'))).toBe(false);
});

test('an untracked file in its way: git refuses, and the checkout is as it was', async () => {
  const w = await done('a');
  w.write('a.txt', 'mine\n');
  const { code, text } = await w.contracts('merge', '--yes');
  expect(code).toBe(2);
  expect(text).toContain(
    'a is not merged: a.txt is in the way of the merge in the main checkout, and not committed there. Move or remove that, then merge again; nothing was changed',
  );
  expect(text).not.toContain('fault');
  expect(w.text('a.txt')).toBe('mine\n');
  expect(clean(w)).toBe('');
  expect(w.text('active_tasks/done/a/contract.md')).toContain('Make a');
});

test('an ignored file in its way is nobody else’s copy: git refuses, and it is as it was', async () => {
  const w = makeGitWorld();
  w.write('.gitignore', '.env\n');
  w.git('add .gitignore');
  w.git('commit -qm ignore');
  w.contract('a');
  await w.run((work) => {
    work.write('.env', 'the agent’s\n');
    work.git('add -f .env');
    work.git('commit -q -m env');
    return work.complete();
  });
  w.write('.env', 'mine\n');
  const { code, text } = await w.contracts('merge', '--yes');
  expect(code).toBe(2);
  expect(text).toContain('a is not merged: .env is in the way of the merge in the main checkout');
  expect(w.text('.env')).toBe('mine\n');
});

test('what was outside its permissions is never merged, also not when it is put into done by hand', async () => {
  const w = makeGitWorld();
  w.contract('a', ['write: [src/**]', 'retries_max: 0']);
  await w.run(writes());
  fs.renameSync(join(w.root, 'active_tasks/blocked/a'), join(w.root, 'active_tasks/done/a'));
  const { code, text } = await w.contracts('merge', 'a', '--yes');
  expect(code).toBe(2);
  expect(text).toContain('left no commit');
  expect(fs.existsSync(join(w.root, 'a.txt'))).toBe(false);
});

test('a dependent begins with what is not merged yet, and is merged after it', async () => {
  const w = makeGitWorld();
  w.contract('z');
  w.contract('a', ['depends_on: [z]']);
  let seen = '';
  await w.run((work) => {
    if (work.task === 'a') seen = work.read('z.txt');
    return writes()(work);
  });
  expect(seen).toBe('z\n');
  const alone = await w.contracts('merge', 'a', '--yes');
  expect(alone.code).toBe(2);
  expect(alone.text).toContain('a is built on contracts/z, which is not merged');
  const { text } = await w.contracts('merge', '--yes');
  expect(text.indexOf('z  contracts/z')).toBeLessThan(text.indexOf('a  contracts/a'));
  expect(w.text('a.txt') + w.text('z.txt')).toBe('a\nz\n');
});

test('a checkpoint that an agent decides is merged behind what it looked at', async () => {
  const w = makeGitWorld();
  w.contract('x');
  w.contract('y');
  const head = 'v: 1\ntitle: Go on\ntype: checkpoint\nagent: po\ndepends_on: [x, y]';
  w.write('active_tasks/ready/go/contract.md', `---\n${head}\n---\n\n# Go on\n`);
  w.contract('a', ['depends_on: [go]']);
  await w.run((work) => {
    if (work.task !== 'go') return writes()(work);
    const form = join(work.call.desk, 'questions.md');
    fs.writeFileSync(form, fs.readFileSync(form, 'utf8').replace('- [ ] GO', '- [x] GO'));
    return 0;
  });
  expect(fs.existsSync(join(w.root, 'active_tasks/done/a'))).toBe(true);
  const { text } = await w.contracts('show', 'go');
  expect(text).toContain('0001  try 1 by po  questions: says GO');
  expect(text).not.toContain('not answered yet');
  const merged = await w.contracts('merge', '--yes');
  expect(merged, merged.text).toMatchObject({ code: 0 });
  const order = [...merged.text.matchAll(/^(\w+)  contracts\//gm)].map(([, id]) => id);
  expect(order).toEqual(['x', 'y', 'go', 'a']);
  expect(w.text('x.txt') + w.text('y.txt') + w.text('a.txt')).toBe('x\ny\na\n');
  expect(w.git('worktree list').trim().split('\n')).toHaveLength(1);
  expect(w.git('branch --list "contracts/*"').trim()).toBe('');
});

test('what an agent changed beside its decision is merged by name alone', async () => {
  const w = makeGitWorld();
  w.contract('x');
  const head = 'v: 1\ntitle: Go on\ntype: checkpoint\nagent: builder\ndepends_on: [x]';
  w.write('active_tasks/ready/go/contract.md', `---\n${head}\n---\n\n# Go on\n`);
  await w.run((work) => {
    if (work.task !== 'go') return writes()(work);
    work.write('more.txt', 'more\n');
    const form = join(work.call.desk, 'questions.md');
    fs.writeFileSync(form, fs.readFileSync(form, 'utf8').replace('- [ ] GO', '- [x] GO'));
    return 0;
  });
  await w.contracts('merge', '--yes');
  expect(w.text('x.txt')).toBe('x\n');
  expect(fs.existsSync(join(w.root, 'more.txt'))).toBe(false);
});

test('nothing brings along the work of a task that was aborted since', async () => {
  const w = makeGitWorld();
  w.contract('x');
  w.contract('y', ['depends_on: [x]']);
  w.contract('z', ['depends_on: [y]']);
  await w.run(writes());
  for (const words of [
    ['retry', 'x', '--again'],
    ['abort', 'x'],
  ])
    await w.contracts(...words);
  for (const ids of [[], ['y', 'z']]) {
    const { code, text } = await w.contracts('merge', ...ids, '--yes');
    expect(code).toBe(2);
    expect(text).toContain('y is built on contracts/x, and x is in aborted');
  }
  expect(fs.existsSync(join(w.root, 'x.txt'))).toBe(false);
});

test('two dependencies are joined before the dependent begins', async () => {
  const w = makeGitWorld();
  w.contract('x');
  w.contract('y');
  w.contract('z', ['depends_on: [x, y]']);
  let seen = '';
  await w.run((work) => {
    if (work.task === 'z') seen = work.read('x.txt') + work.read('y.txt');
    return writes()(work);
  });
  expect(seen).toBe('x\ny\n');
  expect((await w.contracts('merge', '--yes')).code).toBe(0);
  expect(w.text('z.txt')).toBe('z\n');
});

test('two dependencies in conflict: the dependent is blocked with both named, then an agent settles it', async () => {
  const w = makeGitWorld();
  w.contract('x');
  w.contract('y');
  w.contract('z', ['depends_on: [x, y]']);
  await w.run(writes('shared.txt'));
  const blocked = w.text('active_tasks/blocked/z/blocked.md');
  expect(blocked).toContain(
    'contracts/x and contracts/y are in conflict in shared.txt (changed there by y)',
  );
  await w.contracts('retry', 'z', 'y is right');
  let brief = '';
  await w.run((work) => {
    brief = work.brief;
    expect(work.read('shared.txt')).toContain('<<<<<<<');
    work.write('shared.txt', 'y says so\n');
    return work.complete();
  });
  expect(brief).toContain('The other side is `y`');
  expect(w.git('show contracts/z:shared.txt')).toBe('y says so\n');
  expect(w.git('merge-base --is-ancestor contracts/y contracts/z')).toBe('');
});

test('hooks, filters and drivers of the repository run for nothing that the runner does', async () => {
  const w = makeGitWorld();
  const trap = join(w.root, '.git/ran');
  const script = `#!/bin/sh\ntouch ${trap}\n`;
  for (const hook of [
    'post-checkout',
    'pre-commit',
    'post-commit',
    'post-merge',
    'reference-transaction',
  ]) {
    fs.writeFileSync(join(w.root, '.git/hooks', hook), script, { mode: 0o755 });
  }
  w.write('.gitattributes', '*.txt filter=trap merge=trap\n');
  w.git('-c core.hooksPath=/dev/null add .gitattributes');
  w.git('-c core.hooksPath=/dev/null commit -q -m attributes');
  w.git(`config filter.trap.clean ${join(w.root, '.git/hooks/pre-commit')}`);
  w.git(`config filter.trap.required true`);
  w.git(`config merge.trap.driver ${join(w.root, '.git/hooks/pre-commit')}`);
  w.git(`config core.fsmonitor ${join(w.root, '.git/hooks/pre-commit')}`);
  fs.rmSync(trap, { force: true });
  w.contract('a');
  w.contract('b');
  await w.run(writes('shared.txt'));
  await w.contracts('merge', '--yes');
  expect(fs.existsSync(trap)).toBe(false);
  expect(fs.readFileSync(join(w.root, 'a.txt'), 'utf8')).toBe('a\n');
});

test('where git is not trusted nothing is merged, until a person has looked', async () => {
  const w = await done('a');
  const head = w.git('rev-parse HEAD');
  const ws = openedAt(w.root);
  noteChanged(ws, trustFolder(ws), { id: 'a', number: 1 }, [{ path: '.git/config', git: 'was' }]);
  for (const argv of [['--yes'], ['a', '--yes'], ['--dry-run']]) {
    const { code, text } = await w.contracts('merge', ...argv);
    expect(code, argv.join(' ')).toBe(2);
    expect(text).toContain('.git/config changed while attempt 1 of a ran');
    expect(text).toContain('contracts trust');
  }
  expect((await w.contracts('list', '--all')).text).not.toContain('done, not merged');
  expect(w.git('rev-parse HEAD')).toBe(head);
  expect(fs.existsSync(join(w.root, 'a.txt'))).toBe(false);
  expect((await w.contracts('trust')).text).toContain('Trusted');
  expect((await w.contracts('list', '--all')).text).toContain('done, not merged');
  expect((await w.contracts('merge', 'a', '--yes')).code).toBe(0);
  expect(fs.readFileSync(join(w.root, 'a.txt'), 'utf8')).toBe('a\n');
});

test('what is done and not merged is said; abort and archive say where the work stays, doctor how it is removed', async () => {
  const w = await done('a');
  expect((await w.contracts('list', '--all')).text).toContain('done, not merged');
  expect((await w.contracts('show', 'a')).text).toMatch(
    /is done, not merged: its work is on branch contracts\/a at [0-9a-f]{10}\s+→ contracts merge a\n/,
  );
  expect((await w.contracts('doctor')).text).toContain('done and not merged: contracts merge a');
  const where = `its work stays in ${w.tree('a')}, branch contracts/a`;
  expect((await w.contracts('abort', 'a')).text).toContain(where);
  expect((await w.contracts('doctor')).text).toContain('its task is aborted');
  expect((await w.contracts('archive', 'a')).text).toContain(where);
  expect(w.text(w.tree('a/a.txt'))).toBe('a\n');
  expect(w.git('show contracts/a:a.txt')).toBe('a\n');
});
