/** Rows on names: ids of folders, paths and globs in a contract, files that editors leave behind. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { expectRefused, makeHouse, mark, shellContract } from './house.ts';

describe('id with bidi, homoglyph, capitals, `CON`, `-x`, 300 characters', () => {
  const names = [
    'Capital',
    'CON',
    'con',
    'lpt1',
    '-x',
    '--version',
    'a.b',
    'ex\u202Ecod.txt',
    'p\u0430ypal',
    'a b',
    'a\nb',
    'a\u001b[2Jb',
    '$(id)',
    'a;b',
    `${'a'.repeat(64)}b`,
    'é',
    '*',
  ];

  test('folders of such names are reported, each once, and left where they are', async () => {
    const house = makeHouse();
    const folders = names.map((name) => house.task(name, shellContract('bad')));
    const before = folders.map((folder) => mark(house.path(folder)));
    const { code, events, out } = await house.events('step');
    const found = events.flatMap((event) => (event.event === 'problem' ? [event.problem] : []));
    expect(found.map((one) => [one.code, one.file]).sort()).toEqual(
      folders.map((folder) => ['bad_id', folder]).sort(),
    );
    expect(found.every((one) => one.expected?.includes('a-z') === true && one.fix !== '')).toBe(
      true,
    );
    expect(code).toBe(0);
    expect(house.where('good')).toEqual(['done']);
    expect(folders.map((folder) => mark(house.path(folder)))).toEqual(before);
    expect(printable(out)).toBe(true);
    const check = await house.run('check');
    expect(check.code).toBe(1);
    expect(check.out.match(/: error: the name of this folder is not a task id/g)).toHaveLength(
      names.length,
    );
    expect(printable(check.out)).toBe(true);
  });

  test.each([...names, 'a'.repeat(300), '../../etc', '/etc', '__proto__', ''])(
    'every verb refuses %j',
    async (name) => {
      const house = makeHouse();
      const before = mark(house.root);
      for (const argv of [
        ['confirm', '--', name],
        ['show', '--', name],
        ['abort', '--', name],
        ['answer', '--', name, 'x'],
        ['note', '--', name, 'x'],
        ['delegate', '--', name],
        ['new', `--id=${name}`, 'A title'],
      ]) {
        const { code, out, err } = await house.run(...argv);
        expect({ argv, code }).toEqual({ argv, code: 2 });
        expect(err).toContain('error: ');
        expect(printable(out + err)).toBe(true);
      }
      expect(mark(house.root)).toEqual(before);
    },
  );

  test('nothing of that kind is ever made', async () => {
    const house = makeHouse({ neighbour: false });
    for (const title of names.filter((name) => !name.startsWith('-'))) {
      const { code, out } = await house.run('new', title);
      expect(code).toBe(0);
      expect(out).toMatch(/active_tasks\/draft\/[a-z0-9][a-z0-9_-]{0,63}\/contract\.md/);
    }
  });
});

describe('the same id in two states', () => {
  test.each(['review', 'blocked', 'done', 'aborted'])(
    'ready and %s: both shown, neither moved',
    async (state) => {
      const house = makeHouse();
      const folders = [
        house.task('bad', shellContract('bad')),
        house.task('bad', shellContract('bad'), state),
      ];
      const before = folders.map((folder) => mark(house.path(folder)));
      const { events, code } = await house.events('run');
      expect(JSON.stringify(events)).toContain(
        `task bad is in ready and in ${state}; neither folder is changed`,
      );
      expect(code).toBeLessThanOrEqual(1);
      expect(folders.map((folder) => mark(house.path(folder)))).toEqual(before);
      expect(house.where('good')).toEqual(['done']);
      for (const verb of ['check', 'doctor']) {
        const said = await house.run(verb);
        expect(said.code).toBe(1);
        expect(said.out + said.err).toMatch(/task bad is in ready.*and in /);
      }
      expect((await house.run('abort', 'bad')).code).toBe(2);
    },
  );
});

describe('`../`, absolute, `\\`, `C:`, `:stream`, `git~1`, `.GIT` in any path', () => {
  const paths = [
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a\\\\b',
    'C:/x',
    'c:x',
    'file:stream',
    'git~1/config',
    '.GIT/config',
    '.git./x',
    'a//b',
    './a',
    'a/.',
    'a\\u202Eb',
    'a\\u001bb',
    'trailing./x',
    '',
  ];
  test.each(paths)('%j', async (path) => {
    const keys = ['deliverables', 'context_files', 'write'];
    const house = makeHouse();
    const file = (key: string) =>
      shellContract('bad', { head: `${key}: ["${path}"]` }).replace(
        key === 'deliverables' ? 'deliverables: [bad.txt]\n' : '\0',
        '',
      );
    for (const key of keys)
      house.task(key === 'write' ? 'bad-write' : `bad-${key.slice(0, 4)}`, file(key));
    for (const [n, check] of ['file_exists', 'matches'].entries()) {
      const value = check === 'matches' ? `${path} /x/` : path;
      house.task(
        `bad-${n}`,
        shellContract('bad').replace('  - run: test -s bad.txt', `  - ${check}: "${value}"`),
      );
    }
    const { events, code } = await house.events('run');
    const found = events.flatMap((event) =>
      event.event === 'waits' ? (event.problems ?? []) : [],
    );
    const told = found.filter((one) => ['bad_path', 'bad_value'].includes(one.code));
    expect(told.map((one) => one.file).sort()).toEqual(
      ['bad-0', 'bad-1', 'bad-cont', 'bad-deli', 'bad-write'].map(
        (id) => `active_tasks/ready/${id}/contract.md`,
      ),
    );
    expect(told.every((one) => one.line > 1)).toBe(true);
    expect(code).toBe(1);
    expect(house.where('good')).toEqual(['done']);
  });

  test('in active_tasks of the configuration', async () => {
    const house = makeHouse({ config: 'active_tasks: ../elsewhere\n' });
    const { code, err } = await house.run('run');
    expect(code).toBe(2);
    expect(err).toMatch(/^.*config\.yaml:1:1: error: active_tasks: the path has a \.\. segment/);
  });

  test('in depends_on, parent and context_from, where a path would leave the tasks', async () => {
    const house = makeHouse();
    house.task('hidden', shellContract('hidden'), 'draft');
    house.write('secret/result.md', 'a secret\n');
    const keys = [
      'depends_on: [../draft/hidden]',
      'parent: ../draft/hidden',
      'context_from: [../../secret]',
    ];
    for (const [n, head] of keys.entries()) house.task(`bad-${n}`, shellContract('bad', { head }));
    for (const n of keys.keys()) {
      await expectRefused(house, `bad-${n}`, {
        code: 'bad_value',
        says: 'a value that is not accepted',
        line: 7,
      });
    }
  });

  test('the naive test of a prefix lets a neighbour of the root through', () => {
    const [root, given] = ['/home/me/repo', '../repo-evil/x'];
    expect(join(root, given).startsWith(root)).toBe(true);
  });
});

describe('globs such as 31 nested braces, leading `!`', () => {
  const globs = [
    `${'{a,'.repeat(31)}b${'}'.repeat(31)}`,
    '!src/**',
    '+(a|b)*',
    '@(a)',
    'x'.repeat(201),
    `${'*'.repeat(50)}/${'?'.repeat(160)}`,
  ];
  test.each(globs)('%s', async (glob) => {
    const house = makeHouse();
    house.task('bad', shellContract('bad', { head: `write: ["${glob}"]` }));
    await expectRefused(house, 'bad', { code: 'bad_path', says: /pattern/, line: 7 });
  });
  test('the naive matcher inverts the meaning', () => {
    expect(picomatch('!src/**')('etc/passwd')).toBe(true);
  });
  test('many stars are matched in no time', async () => {
    const house = makeHouse();
    house.write(`${'a'.repeat(200)}`, '');
    const head = `reviews_max: 0`;
    house.task(
      'bad',
      shellContract('bad', { head })
        .replace('- run: test -s bad.txt', `- file_exists: "${'a*'.repeat(80)}b"`)
        .replace('`test -s bad.txt`', `\`${'a*'.repeat(80)}b\``),
    );
    const { code } = await house.events('run');
    expect(code).toBe(1);
    expect(house.where('bad')).toEqual(['blocked']);
    expect(house.where('good')).toEqual(['done']);
  });
});

describe('`.swp`, `~`, `#f#`, `.DS_Store`, conflict copies, unknown folders', () => {
  test('in a task folder, its notes and attempts: kept, and never taken for files of the task', async () => {
    const house = makeHouse();
    const folder = house.task('bad', shellContract('bad'));
    const complete = '# Task Result: bad\n\n- Status: COMPLETE\n';
    const strays: Record<string, string> = {
      '.contract.md.swp': 'b0VIM 8.2',
      'contract.md~': '---\nretries_max: 99\n---\n',
      '#contract.md#': '---\n',
      '.#contract.md': 'me@host',
      '.DS_Store': '\0\0',
      'contract (conflicted copy 2026-01-01).md': '---\nagent: nobody\n---\n',
      'questions (Copy).md': '## Questions\n\n1. What?\n',
      'result.md.tmp': complete,
      'RESULT.md': complete,
      'result.sync-conflict-20260101.md': complete,
      'unknown/file.txt': 'x',
      'attempts/.DS_Store': '',
      'attempts/0001 (copy)/outcome.md': '---\noutcome: complete\n---\n',
      'notes/.#note.md': 'x',
      'notes/note.md~': 'x',
    };
    for (const [name, text] of Object.entries(strays)) house.write(`${folder}/${name}`, text);
    const state_strays = [
      'ready/.DS_Store',
      'ready/bad.txt',
      'done/Thumbs.db',
      'new-state/x/contract.md',
    ];
    for (const name of state_strays) house.write(`active_tasks/${name}`, 'x');
    // A task in no state waits for somebody.
    const { code } = await house.events('run');
    expect(code).toBe(1);
    expect(house.where('bad')).toEqual(['done']);
    expect(house.where('good')).toEqual(['done']);
    for (const [name, text] of Object.entries(strays)) {
      expect([name, house.read(`active_tasks/done/bad/${name}`)]).toEqual([name, text]);
    }
    for (const name of state_strays) expect(house.exists(`active_tasks/${name}`)).toBe(true);
    const doctor = await house.run('doctor');
    expect(doctor.out + doctor.err).toContain('active_tasks/ready/.DS_Store');
    expect(doctor.out + doctor.err).toContain('active_tasks/done/Thumbs.db');
  });

  test('a conflict copy of a whole task folder is no task', async () => {
    const house = makeHouse();
    mkdirSync(house.path('active_tasks/ready/good (conflicted copy)'));
    const { events, code } = await house.events('run');
    expect(JSON.stringify(events)).toContain('the name of this folder is not a task id');
    expect(code).toBe(1);
    expect(house.where('good')).toEqual(['done']);
  });
});

/** Nothing but line ends that a terminal could obey. */
function printable(text: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text.replaceAll('\n', ''));
}
