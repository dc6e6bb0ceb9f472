/** What an attempt changed, as show, review.md and the next brief give it: the built command, real git. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { contractsIn } from '../support/binary.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

let root: string;
beforeEach(() => {
  root = sealedFolder('diff');
  fs.mkdirSync(join(root, 'home'));
  fs.mkdirSync(join(root, 'w'));
});

const at = (path: string): string => join(root, 'w', path);
const read = (path: string): string => fs.readFileSync(at(path), 'utf8');
const write = (path: string, text: string): void => putFile(at(path), text);
const env = () => ({
  ...sealedEnv(),
  HOME: join(root, 'home'),
  XDG_STATE_HOME: join(root, 'state'),
  CONTRACTS_TRUST: '1',
  CONTRACTS_SANDBOX: 'none',
  GIT_CONFIG_NOSYSTEM: '1',
});
const git = (...args: string[]): string => {
  const who = ['-c', 'user.name=n', '-c', 'user.email=n@localhost'];
  return execFileSync('git', [...who, ...args], { cwd: at(''), env: env(), encoding: 'utf8' });
};
function contracts(...argv: string[]): string {
  const run = contractsIn(at(''), argv, { env: env() });
  expect(run.stderr).not.toContain('fault');
  return run.stdout;
}
interface Shown {
  readonly files: readonly { path: string; added: number | null; removed: number | null }[];
  readonly files_note: string;
  readonly [key: string]: unknown;
}
function story(id: string): Shown {
  return JSON.parse(contracts('show', id, '--json').split('\n')[0] ?? '') as Shown;
}
const counted = (id: string): string[] =>
  story(id).files.map(({ path, added, removed }) => `${path} +${added} -${removed}`);

/** `script` is what a shell does; a person approves. */
function task(id: string, script: string, head = ''): void {
  const steps = script === '' ? '' : `\n## Steps\n\n~~~sh\n${script}\n~~~\n`;
  write(
    `active_tasks/ready/${id}/contract.md`,
    `---\ntitle: Task ${id}\nquality_gate: person\nverify: ["run: true"]\n${head}---\n\n## Success Criteria\n\n- [ ] \`run: true\` passes\n${steps}`,
  );
}

function repository(): void {
  git('init', '-q');
  write('src/a.txt', 'one\ntwo\nthree\n');
  write('.gitignore', 'built/\n');
  git('add', '-A');
  git('commit', '-qm', 'one');
  contracts('init');
}

describe('in the shared tree of a repository', () => {
  test('files and lines since the claim: dirty before, new, removed; nothing that is ignored', () => {
    repository();
    write('src/dirty.txt', 'before\n');
    write('src/gone.txt', 'a\nb\n');
    task(
      'one',
      'sed -i s/two/TWO/ src/a.txt; echo more >> src/dirty.txt; rm src/gone.txt; mkdir built; echo x > built/x; echo n > "src/ü n.txt"',
    );
    contracts('run');
    expect(counted('one')).toEqual([
      'src/a.txt +1 -1',
      'src/dirty.txt +1 -0',
      'src/gone.txt +0 -2',
      'src/ü n.txt +1 -0',
    ]);
    expect(story('one').files_note).toBe('');
    const form = read('active_tasks/review/one/review.md');
    expect(form).toContain('## Files changed\n\n- src/a.txt (+1 −1)\n- src/dirty.txt (+1 −0)\n');
    expect(form).toContain('## Evidence\n\n- [x] `run: true` passes');
    expect(form).toMatch(/\n## Checks\n\n- passed `run: true`/);
    expect(contracts('show', 'one')).toContain('\nFiles changed\n  src/a.txt (+1 −1)\n');
  });

  test('what was written this month and in the one before it is kept, and nothing earlier', () => {
    repository();
    const kept = '.contracts/cache/trees';
    for (const name of ['objects/17', 'written-2020-01/objects/17', 'written-2020-02/objects/17'])
      write(`${kept}/${name}/old`, '');
    task('one', 'echo x > x.txt');
    contracts('run');
    const [before = '', now = '', ...more] = fs.readdirSync(at(kept)).sort();
    expect([before, more]).toEqual(['written-2020-02', []]);
    expect(now).toMatch(/^written-\d{4}-\d\d$/);
    // Another month begins.
    fs.renameSync(at(join(kept, now)), at(join(kept, 'written-2020-03')));
    task('two', 'echo y > x.txt');
    contracts('run');
    expect(fs.readdirSync(at(kept)).sort()).toEqual(['written-2020-03', now]);
    expect([...counted('one'), ...counted('two')]).toEqual(['x.txt +1 -0', 'x.txt +1 -1']);
    fs.rmSync(at(join(kept, 'written-2020-03')), { recursive: true });
    expect(story('one').files_note).toBe('git no longer has their earlier contents');
    expect(counted('two')).toEqual(['x.txt +1 -1']);
  });

  test('index, HEAD, stash and objects stay as they were, and no hook, filter or nested git runs', () => {
    repository();
    const ran = join(root, 'ran');
    write('evil.sh', `#!/bin/sh\ntouch ${ran}\ncat\n`);
    fs.chmodSync(at('evil.sh'), 0o755);
    write('.gitattributes', '*.txt filter=evil\n');
    for (const name of ['post-index-change', 'pre-commit'])
      fs.writeFileSync(at(`.git/hooks/${name}`), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    write('nested/in.txt', 'x\n');
    execFileSync('git', ['init', '-q', at('nested')], { env: env() });
    for (const where of ['.', 'nested']) {
      git('-C', where, 'config', 'filter.evil.clean', at('evil.sh'));
      git('-C', where, 'config', 'core.fsmonitor', at('evil.sh'));
    }
    const state = () => [
      fs.readFileSync(at('.git/index')).toString('base64'),
      execFileSync('find', ['.git', '-type', 'f'], { cwd: at('') }).toString(),
    ];
    const before = state();
    task('one', 'echo more >> src/a.txt; echo y >> nested/in.txt');
    contracts('run');
    expect(counted('one')).toEqual(['src/a.txt +1 -0']);
    expect(state()).toEqual(before);
    expect(fs.existsSync(ran)).toBe(false);
  });

  test('others that worked at the same time are named, and the files of both are listed', () => {
    repository();
    write('.contracts/config.yaml', 'parallel: 2\n');
    task('first', 'echo f > f.txt; until [ -e go ]; do sleep 0.05; done');
    task('other', 'until [ -e f.txt ]; do sleep 0.05; done; echo o > o.txt; touch go');
    contracts('run');
    const shown = [story('first'), story('other')];
    const doubts = shown.map(({ files_note }) => files_note);
    expect(doubts).toContain(
      'files of other tasks may be among these: other worked at the same time',
    );
    expect(read('active_tasks/review/first/review.md')).toContain('o.txt (+1 −0)');
  });

  test('a task in the hands of a person: all that changed since the claim', () => {
    repository();
    task('mine', '', 'adapter: human\n');
    contracts('step');
    write('src/a.txt', 'one\n');
    const form = read('active_tasks/in_progress/mine/result.md');
    write(
      'active_tasks/in_progress/mine/result.md',
      form.replace('Status:', 'Status: COMPLETE').replaceAll('[ ]', '[x]'),
    );
    contracts('run');
    expect(counted('mine')).toEqual(['src/a.txt +0 -2']);
    expect(story('mine').files_note).toBe('all that changed in the tree since the claim');
  });

  test('all attempts since the task began: a new file that the last one wrote the same again', () => {
    repository();
    task('one', 'printf "a\\nb\\n" > new.txt', 'deliverables: new.txt\n');
    contracts('run');
    expect(story('one').files_note).toBe('');
    contracts('needs-work', 'one', 'say it better');
    write('src/mine.txt', 'of the person, between the two\n');
    contracts('run');
    expect(story('one')['calls']).toBe(2);
    expect(counted('one')).toEqual(['new.txt +2 -0']);
    expect(story('one').files_note).toBe('attempt 4 changed nothing');
    contracts('needs-work', 'one', 'once more');
    write(
      'active_tasks/review/one/contract.md',
      read('active_tasks/review/one/contract.md').replace('printf', 'echo T > src/a.txt; printf'),
    );
    contracts('run');
    expect(counted('one')).toEqual(['new.txt +2 -0', 'src/a.txt +1 -3']);
    expect(story('one').files_note).toBe('');
  });

  test('1,200 files of two attempts: all are counted, in show and in review.md, and none of a person', () => {
    repository();
    const many = Array.from({ length: 1200 }, (_, i) => `src/n${i}.txt`).sort();
    for (const path of many) write(path, 'one\n');
    write('src/mine.txt', 'one\n');
    git('add', '-A');
    git('commit', '-qm', 'many');
    task('one', 'for f in src/n*.txt; do echo more >> $f; done');
    contracts('run');
    const once = many.map((path) => `${path} +1 -0`);
    expect(counted('one')).toEqual(once);
    const form = read('active_tasks/review/one/review.md');
    expect(form.match(/^- src\/n\d+\.txt \(\+1 −0\)$/gm)).toHaveLength(100);
    expect(form).toContain('\n1100 more.');
    expect(contracts('show', 'one')).toContain('\n  … 1180 more files\n');
    contracts('needs-work', 'one', 'say it twice');
    write('src/mine.txt', 'of the person, between the two\n');
    contracts('run');
    expect(counted('one')).toEqual(once.map((line) => line.replace('+1', '+2')));
    expect(story('one').files_note).toBe('');
  });
});

describe('in a worktree', () => {
  test('after a send-back: what all attempts did, not the last alone', () => {
    repository();
    task(
      'one',
      'echo more >> a2.txt; [ -e b2.txt ] && echo b > c2.txt; echo b > b2.txt',
      'isolation: worktree\n',
    );
    contracts('run');
    contracts('needs-work', 'one', 'more');
    contracts('run');
    expect(counted('one')).toEqual(['a2.txt +2 -0', 'b2.txt +1 -0', 'c2.txt +1 -0']);
  });

  test('after a conflict: the own change against the branch, none of the other side; also once merged', () => {
    repository();
    const both = 'isolation: worktree\n';
    task('first', 'echo first > src/a.txt; echo x > first.txt', both);
    task(
      'second',
      'if grep -q "<<<" src/a.txt; then echo both > src/a.txt; else echo second > src/a.txt; echo y > second.txt; fi',
      both,
    );
    contracts('run');
    for (const id of ['first', 'second']) contracts('approve', id);
    contracts('run');
    git('add', '.contracts', '.gitignore');
    git('commit', '-qm', 'workspace');
    contracts('merge', '--yes');
    expect(fs.existsSync(at('active_tasks/blocked/second'))).toBe(true);
    contracts('retry', 'second', 'take both');
    contracts('run');
    const own = ['second.txt +1 -0', 'src/a.txt +1 -1'];
    expect(counted('second')).toEqual(own);
    contracts('approve', 'second');
    contracts('run');
    contracts('merge', '--yes');
    expect(read('src/a.txt')).toBe('both\n');
    expect(counted('second')).toEqual(own);
  });
});

test('without a repository the names are listed; lines of a file that was there are not known', () => {
  contracts('init');
  task('new', 'echo x > x.txt');
  contracts('run');
  expect(counted('new')).toEqual(['x.txt +null -null']);
  expect(story('new').files_note).toBe('');
  const outcome = 'active_tasks/review/new/attempts/0001/outcome.md';
  expect(read(outcome)).toContain('changed:\n  - x.txt\ncreated:\n  - x.txt\n');
  task('one', 'echo x >> x.txt; echo y > y.txt');
  contracts('run');
  expect(counted('one')).toEqual(['x.txt +null -null', 'y.txt +null -null']);
  expect(story('one').files_note).toBe('which lines changed is known only in a git repository');
});

test('comments at lines go to the next attempt with those lines, from a worktree too', () => {
  repository();
  task('one', 'sed -i s/two/TWO/ src/a.txt', 'isolation: worktree\n');
  contracts('run');
  expect(counted('one')).toEqual(['src/a.txt +1 -1']);
  const form = 'active_tasks/review/one/review.md';
  const text = read(form).replace('[ ] NEEDS_WORK', '[x] NEEDS_WORK');
  const elsewhere = text.replace('## Checks', 'src/a.txt:1: above all\n\n## Checks');
  write(form, `${elsewhere}- src/a.txt:2: too loud\nsrc/none.txt:9: not there\n`);
  contracts('run');
  const brief = read('active_tasks/review/one/attempts/0004/desk/brief.md');
  const [, findings = ''] = brief.split('## REVIEWER FINDINGS');
  expect(findings).toContain('- src/a.txt:2: too loud\n> TWO\nsrc/none.txt:9: not there');
  expect(findings).toContain('src/a.txt:1: above all');
});

test('show: dates, who needs it, what it cost, once each; also from the archive', () => {
  contracts('init');
  task('one', 'echo x > x.txt', 'priority: high\ntags: [now]\ncreated: 2026-01-02T03:04:05Z\n');
  task('two', 'true', 'depends_on: [one]\n');
  contracts('run');
  contracts('approve', 'one');
  contracts('step', '--only', 'one');
  const shown = story('one');
  expect(shown).toMatchObject({
    priority: 'high',
    tags: ['now'],
    created: '2026-01-02T03:04:05.000Z',
    archived: false,
    calls: 1,
    reviews: 2,
  });
  expect(shown['dependents']).toMatchObject([{ id: 'two' }]);
  expect(Date.parse(String(shown['ended']))).toBeGreaterThan(Date.parse(String(shown['claimed'])));
  const text = contracts('show', 'one');
  expect(text).toMatch(/^ {2}created {5}2026-01-02T03:04:05Z \(\d+d ago\)$/m);
  expect(text).toMatch(/^ {2}needed by {3}two \(/m);
  contracts('archive', 'one');
  expect(story('one')).toMatchObject({ archived: true, state: 'done', reviews: 2 });
  expect(contracts('show', 'one')).toContain('is archived; it was done');
});

test('show: among more than 500 live tasks nobody looks who needs it, and it says so', () => {
  contracts('init');
  task('one', 'true');
  task('two', 'true', 'depends_on: [one]\n');
  expect(story('one')).not.toHaveProperty('dependents_note');
  for (let i = 0; i < 499; i += 1) write(`active_tasks/draft/other-${i}/contract.md`, '# Other\n');
  const why = 'not looked up: more than 500 live tasks; see contracts list --graph';
  expect(story('one')).toMatchObject({ dependents: [], dependents_note: why });
  expect(contracts('show', 'one')).toContain(`needed by   ${why}`);
});
