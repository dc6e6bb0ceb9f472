/** import and export at the command: hostile and broken sources, the report, and what is printed. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { commandRoom } from '../../support/command-room.ts';

let room = commandRoom('adapter: human\n');
beforeEach(() => void (room = commandRoom('adapter: human\n')));

const TASK = '---\nid: task-1\ntitle: A\n---\n';

function drafts(): readonly string[] {
  const folder = join(room.root, 'active_tasks/draft');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

interface Imported {
  readonly read: number;
  readonly made: number;
  readonly done: number;
  readonly left_out: number;
  readonly problems: readonly { readonly code: string; readonly file: string }[];
}

async function imported(...argv: string[]): Promise<Imported> {
  const { out } = await room.said('import', ...argv, '--json');
  const lines = out
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one) as Imported & { event: string });
  const tasks = lines.filter(({ event }) => event === 'import_task');
  const last = lines.at(-1)!;
  expect(last.event).toBe('imported');
  // The counts add up, and each task has a line.
  expect(last.read).toBe(last.made + last.done + last.left_out);
  expect(tasks).toHaveLength(last.read);
  return last;
}

describe('a source that cannot be trusted', () => {
  test.each<[what: string, make: (path: string) => void, code: string]>([
    ['a link to a file', (path) => fs.symlinkSync('/etc/hostname', path), 'not_a_file'],
    ['a FIFO', (path) => void spawnSync('mkfifo', [path]), 'not_a_file'],
    [
      'bytes that are no text',
      (path) => fs.writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 1])),
      'encoding',
    ],
    ['a NUL', (path) => fs.writeFileSync(path, '---\nid: task-2\n---\n\0'), 'encoding'],
    ['a bare carriage return', (path) => fs.writeFileSync(path, 'a\rb'), 'encoding'],
  ])('%s is reported, and the other tasks are read', async (_what, make, code) => {
    room.write('backlog/tasks/task-1 - A.md', TASK);
    make(join(room.root, 'backlog/tasks/task-2 - B.md'));
    const { made, problems } = await imported('backlog');
    const found = problems.map((one) => one.code);
    expect(found).toContain(code);
    expect([made, drafts()]).toEqual([1, ['task-1']]);
  });

  test('a folder behind a link is not read', async () => {
    room.write('elsewhere/tasks/task-1 - A.md', TASK);
    fs.mkdirSync(join(room.root, 'backlog'));
    fs.symlinkSync('../elsewhere/tasks', join(room.root, 'backlog/tasks'));
    expect((await room.said('import', 'backlog')).code).toBe(2);
    expect(drafts()).toEqual([]);
  });

  test('a plan that waits for its gate, or a copy of it, is imported under no other name', async () => {
    const plan = '# Plan\n\n- [ ] A (executor: builder, files: a.txt)\n';
    const head = '---\nv: 1\ntitle: Plan it\nverify: ["plan_valid: big"]\n---\n';
    room.write('active_tasks/ready/plan-it/contract.md', `${head}\n# Plan it\n`);
    for (const file of ['.contracts/plans/big/plan.md', 'copy.md']) room.write(file, plan);
    room.write('other.md', '- [ ] B\n');
    for (const file of ['.contracts/plans/big/plan.md', 'copy.md']) {
      const { code, err } = await room.said('import', 'markdown', file);
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringMatching(/not approved yet[^]*plan-it/) as string,
      });
    }
    expect((await room.said('import', 'markdown', 'other.md')).code).toBe(0);
    expect(fs.readdirSync(join(room.root, '.contracts/plans'))).toEqual(['big', 'other']);
  });

  test('a plans folder that is a link is not written into', async () => {
    fs.mkdirSync(join(room.root, 'elsewhere'));
    fs.symlinkSync('../elsewhere', join(room.root, '.contracts/plans'));
    room.write('todo.md', '- [ ] A\n');
    expect((await room.said('import', 'todo.md')).code).toBe(3);
    expect(fs.readdirSync(join(room.root, 'elsewhere'))).toEqual([]);
  });

  test.each([
    ['__proto__', 'constructor', 'toString'],
    ['../../etc/passwd', 'CON', 'a\u202eb'],
    ['x'.repeat(500), '---', '🎉'],
  ])('odd ids %s, %s and %s are ids of tasks here', async (...ids) => {
    const tasks = ids.map((id) => ({ id, title: `T ${id}`, status: 'pending', dependencies: ids }));
    room.write('tasks.json', JSON.stringify({ tasks }));
    const { made } = await imported('taskmaster', 'tasks.json', '--to', 'contracts');
    expect(made).toBe(3);
    for (const id of drafts()) expect(id).toMatch(/^[a-z0-9][a-z0-9_-]{0,63}$/);
    // Once more: each is known.
    expect(await imported('taskmaster', 'tasks.json', '--to', 'contracts')).toMatchObject({
      made: 0,
      left_out: 3,
    });
  });

  test('JSON without an end, of wrong shapes, and empty', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const sources = [
      '',
      'null',
      '[]',
      '{}',
      '[1,"a",null]',
      '{"tasks":{"a":1}}',
      '{"master":null}',
      deep,
      '{"tasks":[{}]}',
    ];
    for (const [i, text] of sources.entries()) {
      room.write(`s${i}.json`, text);
      for (const tool of ['github', 'taskmaster']) {
        const { code, err } = await room.said('import', tool, `s${i}.json`);
        expect(err).not.toContain('bug');
        expect([0, 2]).toContain(code);
      }
    }
    room.write(
      't.json',
      `{"tasks":[{"id":1,"title":"A","status":"pending","odd":${deep},"details":[[[["x"]]]]}]}`,
    );
    expect(await imported('taskmaster', 't.json')).toMatchObject({ made: 1 });
  });

  test('what a terminal would obey is escaped, also in the place', async () => {
    room.write(
      'backlog/tasks/task-1 - \u001b[2J.md',
      '---\nid: task-1\ntitle: "A \\e]0;owned\\a"\n---\n',
    );
    const { out, err } = await room.said('import', 'backlog');
    expect(out + err).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(out).toContain('\\x1b');
  });

  test('a text that is too large for a contract is cut, and says where the whole is', async () => {
    room.write(
      'backlog/tasks/task-1 - A.md',
      `${TASK}## Description\n\n${'word '.repeat(60_000)}\n`,
    );
    expect(await imported('backlog')).toMatchObject({ made: 1 });
    const text = fs.readFileSync(join(room.root, 'active_tasks/draft/task-1/contract.md'), 'utf8');
    expect(text.length).toBeLessThan(256 * 1024);
    expect(text).toContain('(the whole is in backlog/tasks/task-1 - A.md)');
  });

  test('a list that is too large for a plan is left out, and others are made', async () => {
    room.write('specs/001-a/tasks.md', '- [ ] T001 A\n');
    room.write(
      'specs/002-b/tasks.md',
      Array.from({ length: 4000 }, (_, i) => `- [ ] T${i} ${'x'.repeat(90)}\n`).join(''),
    );
    const { made, left_out, problems } = await imported();
    expect([made, left_out]).toEqual([1, 4000]);
    expect(problems.map((one) => one.code)).toContain('too_large');
    expect(fs.readdirSync(join(room.root, '.contracts/plans'))).toEqual(['001-a']);
  });

  test('trust is as it was', async () => {
    room.write('todo.md', '- [ ] A (verify: run: touch owned)\n');
    await room.said('import', 'todo.md');
    await room.said('import', 'todo.md', '--to', 'contracts');
    for (const verb of [['plan', 'start', 'todo'], ['confirm', 'a'], ['run']])
      await room.said(...verb);
    expect(fs.existsSync(join(room.root, 'owned'))).toBe(false);
  });
});

test('a dependency list of hundreds is read as it is written', async () => {
  const items = Array.from({ length: 300 }, (_, i) => `- [ ] T${1000 + i} [P] Item ${i}`);
  room.write('specs/001-a/tasks.md', `## Phase 1: A\n\n${items.join('\n')}\n- [ ] T2000 The end\n`);
  await imported();
  await room.said('plan', 'start', '001-a');
  const end = fs
    .readdirSync(join(room.root, 'active_tasks/ready'))
    .find((id) => id.startsWith('t2000'))!;
  const contract = fs.readFileSync(
    join(room.root, 'active_tasks/ready', end, 'contract.md'),
    'utf8',
  );
  expect(contract.match(/^ {2}- t1\d\d\d-/gm)).toHaveLength(600);
});

test('--dry-run writes nothing', async () => {
  room.write('specs/001-a/tasks.md', '- [ ] T001 A\n');
  expect(await imported('--dry-run')).toMatchObject({ made: 1 });
  expect(fs.existsSync(join(room.root, '.contracts/plans'))).toBe(false);
});

test('of many tasks with one reason the first is shown', async () => {
  room.write('todo.md', Array.from({ length: 30 }, (_, i) => `- [x] Item ${i}\n`).join(''));
  const { out } = await room.said('import', 'todo.md');
  expect(out.trim().split('\n')).toHaveLength(2);
  expect(out).toContain('(and 29 more: --json names each)');
});

test('what is done there is done by hand here, and no receipt says more', async () => {
  room.write('backlog/tasks/task-1 - A.md', TASK.replace('title', 'status: Done\ntitle'));
  await imported('backlog', '--all');
  const { out } = await room.said('list', '--all', '--json');
  expect(JSON.parse(out.trim().split('\n')[0]!)).toMatchObject({
    id: 'task-1',
    state: 'done',
    reason: 'done by hand, no receipts',
  });
});

test('what was removed here is not made again', async () => {
  room.write('backlog/tasks/task-1 - A.md', TASK);
  await imported('backlog');
  fs.rmSync(join(room.root, 'active_tasks/draft/task-1'), { recursive: true });
  const { out } = await room.said('import', 'backlog');
  expect(out).toContain('was imported before as task-1, and removed here');
  expect(drafts()).toEqual([]);
});

test('what was put off and is wanted now stays the draft that it is', async () => {
  room.write('todo.md', '- [ ] A\n\n## Later\n\n- [ ] B\n');
  await imported('todo.md');
  room.write('todo.md', '- [ ] A\n- [ ] B\n');
  const { out } = await room.said('import', 'todo.md');
  expect(out).toContain('was imported before as b; changed there: status Later → open');
  expect(drafts()).toEqual(['b']);
});

test('of a plan that cannot be read nothing is said to be gone, and nothing is added', async () => {
  room.write('todo.md', '- [ ] A\n');
  await imported('todo.md');
  const broken = '<<<<<<< a\n=======\n>>>>>>> b\n';
  room.write('.contracts/plans/todo/plan.md', broken);
  room.write('todo.md', '- [ ] A\n- [ ] B\n');
  const { out, err, code } = await room.said('import', 'todo.md');
  expect([code, out]).toEqual([1, expect.not.stringContaining('removed')]);
  expect(err).toContain('plan.md:1:1: error');
  expect(fs.readFileSync(join(room.root, '.contracts/plans/todo/plan.md'), 'utf8')).toBe(broken);
});

test('a word of --map that is none of ours is refused', async () => {
  room.write('todo.md', '- [ ] A\n');
  for (const text of [
    'status:\n  finished: [x]\n',
    'status: x\n',
    'colour:\n  red: [x]\n',
    'agents:\n  a: [b]\n',
  ]) {
    room.write('map.yaml', text);
    expect((await room.said('import', 'todo.md', '--map', 'map.yaml')).code).toBe(2);
  }
});

describe('export', () => {
  const HOSTILE = '=cmd|calc, "quoted" | <b> `x`';
  beforeEach(async () => {
    await room.said('new', HOSTILE, '--id', 'one', '--criterion', 'x');
    await room.said('new', 'Plain', '--id', 'two', '--criterion', 'x');
  });

  test('rows of a spreadsheet: quoted, and no formula', async () => {
    const { out } = await room.said('export', '--to', 'csv');
    const [head, ...rows] = out.trim().split('\n');
    expect(head).toBe('id,state,title,agent,priority,plan,phase,tags,since,waits_for,reason');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain(`"'=cmd|calc, ""quoted"" | <b> \`x\`"`);
  });

  test('JSON is an array, and --plan takes that of a plan', async () => {
    const { out } = await room.said('export', '--to', 'json');
    expect((JSON.parse(out) as { id: string }[]).map(({ id }) => id)).toEqual(['one', 'two']);
    expect((await room.said('export', '--to', 'json', '--plan', 'x')).code).toBe(2);
  });

  test('a board goes between its markers, and the rest of the file stays', async () => {
    room.write('README.md', '# Mine\n\nBefore.\n');
    await room.said('export', '--to', 'markdown', '--into', 'README.md');
    const first = fs.readFileSync(join(room.root, 'README.md'), 'utf8');
    expect(first).toContain('# Mine\n\nBefore.\n\n<!-- contracts:begin -->');
    expect(first).toContain('\\|');
    fs.writeFileSync(join(room.root, 'README.md'), `${first}\nAfter.\n`);
    await room.said('confirm', 'two');
    await room.said('export', '--to', 'markdown', '--into', 'README.md');
    const second = fs.readFileSync(join(room.root, 'README.md'), 'utf8');
    expect(second).toContain('### ready (1)');
    expect(second.endsWith('<!-- contracts:end -->\n\nAfter.\n')).toBe(true);
    expect(second.match(/contracts:begin/g)).toHaveLength(1);
  });

  test.each([
    ['../out.md', 'markdown'],
    ['/etc/hosts', 'markdown'],
    ['missing.md', 'markdown'],
    ['README.md', 'csv'],
    ['README.md', 'xml'],
  ])('into %s as %s is refused', async (file, to) => {
    room.write('README.md', 'x\n');
    expect((await room.said('export', '--to', to, '--into', file)).code).toBe(2);
    expect(fs.readFileSync(join(room.root, 'README.md'), 'utf8')).toBe('x\n');
  });
});
