/** What attacks of the importers found: names, links, keys and sizes that strangers choose. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { commandRoom } from '../../support/command-room.ts';

let room = commandRoom('adapter: human\n');
beforeEach(() => void (room = commandRoom('adapter: human\n')));

const read = (path: string): string => fs.readFileSync(join(room.root, path), 'utf8');
const drafts = (): readonly string[] =>
  fs.readdirSync(join(room.root, 'active_tasks/draft')).toSorted();
const planOf = (name: string): string => read(`.contracts/plans/${name}/plan.md`);
const issue = (more: object): string =>
  JSON.stringify([{ number: 1, title: 'A', body: '', state: 'OPEN', ...more }]);

describe('a title that ends in keys of ours', () => {
  const TITLE = 'Make x (note: a, verify: run: touch PWNED)';

  test.each<[from: string, file: string, text: string]>([
    ['github', 'issues.json', issue({ title: TITLE })],
    [
      'taskmaster',
      'tasks.json',
      JSON.stringify({ tasks: [{ id: 1, title: TITLE, status: 'pending' }] }),
    ],
    ['markdown', 'todo.md', `- [ ] ${TITLE}\n`],
  ])('of %s starts without a check', async (from, file, text) => {
    room.write(file, text);
    expect((await room.said('import', from, file, '--to', 'plan')).code).toBe(0);
    const [plan = ''] = fs.readdirSync(join(room.root, '.contracts/plans'));
    expect((await room.said('plan', 'start', plan)).code).toBe(0);
    const [id = ''] = fs.readdirSync(join(room.root, 'active_tasks/ready'));
    const contract = read(`active_tasks/ready/${id}/contract.md`);
    expect(contract).toContain('PWNED');
    expect(contract).not.toMatch(/^\s*(?:verify|- run):/m);
  });
});

test('a task that is called Steps runs nothing of its own text', async () => {
  room.write('.contracts/config.yaml', 'adapter: shell\n');
  room.write(
    'backlog/tasks/task-1 - Steps.md',
    '---\nid: task-1\ntitle: Steps\n---\n\n## Implementation Plan\n\n```sh\ntouch owned\n```\n',
  );
  expect((await room.said('import', 'backlog')).code).toBe(0);
  const { err } = await room.said('confirm', 'task-1');
  expect(err).toContain('there is no script');
  await room.said('run');
  expect(fs.existsSync(join(room.root, 'owned'))).toBe(false);
});

test('a folder whose name has line breaks and backticks gives no line of its own', async () => {
  const name = '001-a\n## Wave 9: `x`\n- [ ] evil (verify: `run: touch PWNED`)';
  room.write(join('specs', name, 'tasks.md'), '- [ ] T001 A\n');
  room.write(join('specs', name, 'spec.md'), 'x\n');
  const { out } = await room.said('import', 'speckit');
  expect(out).toContain('Read 1 = 1 made');
  const [plan = ''] = fs.readdirSync(join(room.root, '.contracts/plans'));
  expect(planOf(plan).match(/^\s*- \[/gm)).toHaveLength(1);
  expect(planOf(plan)).not.toMatch(/^## Wave 9|^\s*- \[ \] evil/m);
});

describe('links', () => {
  test('a source behind a linked folder is not read', async () => {
    room.write('elsewhere/todo.md', '- [ ] A\n');
    fs.symlinkSync('elsewhere', join(room.root, 'docs'));
    const { code, err } = await room.said('import', 'markdown', 'docs/todo.md');
    expect([code, err]).toEqual([2, expect.stringContaining('this is behind a link')]);
  });

  test('a board is not written through one', async () => {
    room.write('elsewhere/README.md', 'x\n');
    fs.symlinkSync('elsewhere', join(room.root, 'docs'));
    fs.symlinkSync('elsewhere/README.md', join(room.root, 'LINK.md'));
    for (const into of ['docs/README.md', 'LINK.md']) {
      const { code } = await room.said('export', '--to', 'markdown', '--into', into);
      expect(code).toBe(2);
    }
    expect(read('elsewhere/README.md')).toBe('x\n');
  });
});

describe('a board', () => {
  test.each(['.contracts/config.yaml', 'active_tasks/draft/a/contract.md', 'notes.txt'])(
    'does not go into %s',
    async (into) => {
      await room.said('new', 'A', '--id', 'a', '--criterion', 'x');
      room.write('notes.txt', 'x\n');
      const before = read(into);
      expect((await room.said('export', '--to', 'markdown', '--into', into)).code).toBe(2);
      expect(read(into)).toBe(before);
    },
  );

  test.each(['contracts:begin', 'contracts:end'])(
    'with the marker %s alone is refused',
    async (one) => {
      const text = `# Mine\n\n<!-- ${one} -->\n\nText of mine.\n`;
      room.write('README.md', text);
      const { code, err } = await room.said('export', '--to', 'markdown', '--into', 'README.md');
      expect([code, err]).toEqual([2, expect.stringContaining('marker')]);
      expect(read('README.md')).toBe(text);
    },
  );

  test('markers in the wrong order are refused', async () => {
    const text = '<!-- contracts:end -->\nMine.\n<!-- contracts:begin -->\n';
    room.write('README.md', text);
    expect((await room.said('export', '--to', 'markdown', '--into', 'README.md')).code).toBe(2);
    expect(read('README.md')).toBe(text);
  });
});

test('tasks of Backlog.md in folders of their own are read', async () => {
  room.write('backlog/tasks/epics/one/task-1 - A.md', '---\nid: task-1\ntitle: A\n---\n');
  room.write('backlog/tasks/task-2 - B.md', '---\nid: task-2\ntitle: B\n---\n');
  await room.said('import', 'backlog');
  expect(drafts()).toEqual(['task-1', 'task-2']);
});

test('ids of more than 60 characters are one each, also in a plan', async () => {
  const long = 'x'.repeat(90);
  const tasks = [1, 2].map((n) => ({ id: `${long}${n}`, title: `T${n}`, status: 'pending' }));
  room.write('tasks.json', JSON.stringify({ tasks }));
  expect((await room.said('import', 'taskmaster', 'tasks.json')).out).toContain('2 made');
  const [plan = ''] = fs.readdirSync(join(room.root, '.contracts/plans'));
  const { code, out } = await room.said('plan', 'start', plan);
  expect([code, out]).toEqual([0, expect.stringContaining('2')]);
});

test('a new task does not wait for what was removed here', async () => {
  const task = (n: number, more = ''): void =>
    room.write(`backlog/tasks/task-${n}.md`, `---\nid: task-${n}\ntitle: T${n}\n${more}---\n`);
  task(1);
  await room.said('import', 'backlog');
  fs.rmSync(join(room.root, 'active_tasks/draft/task-1'), { recursive: true });
  task(2, 'dependencies: [task-1]\n');
  await room.said('import', 'backlog');
  const contract = read('active_tasks/draft/task-2/contract.md');
  expect(contract).not.toContain('depends_on');
  expect(contract).toContain('It depended on task-1, which is removed here.');
});

test('a key that a person gave in the plan is not given again', async () => {
  room.write('specs/001-a/tasks.md', '- [ ] T001 A\n');
  await room.said('import', 'speckit');
  const file = join(room.root, '.contracts/plans/001-a/plan.md');
  fs.writeFileSync(file, `${planOf('001-a')}\n- [ ] Mine (id: T002)\n`);
  room.write('specs/001-a/tasks.md', '- [ ] T001 A\n- [ ] T002 Theirs\n');
  expect((await room.said('import', 'speckit')).out).toContain('T002 → T002-2: Theirs');
  expect((await room.said('plan', 'check', '001-a')).code).toBe(0);
});

test('a table of ids that cannot be read stops the import, and nothing is made twice', async () => {
  room.write('todo.md', '- [ ] A\n');
  await room.said('import', 'todo.md');
  room.write('.contracts/plans/todo/imported.json', '{"cut');
  const before = planOf('todo');
  const { code, err } = await room.said('import', 'todo.md');
  expect([code, err]).toEqual([3, expect.stringContaining('is no JSON any more')]);
  expect(planOf('todo')).toBe(before);
});

test('a record of GitHub without a number is left out, and counted', async () => {
  room.write('issues.json', '[{"title":"No number"},{"number":2,"title":"B","state":"OPEN"}]');
  const { out } = await room.said('import', 'github', 'issues.json');
  expect(out).toContain('Read 2 = 1 made + 0 done there + 1 left out.');
  expect(drafts()).toEqual(['issue-2']);
});

test('characters that no file of ours may have do not come out of JSON', async () => {
  room.write('issues.json', issue({ title: 'A\0B', body: 'one\rtwo\0three \ud800 four' }));
  expect((await room.said('import', 'github', 'issues.json')).code).toBe(0);
  expect(read('active_tasks/draft/issue-1/contract.md')).not.toMatch(/\0|\r/);
  expect((await room.said('check')).code).toBe(0);
});

test('an issue of thousands of boxes and fields is cut, and says so', async () => {
  const body = Array.from({ length: 3000 }, (_, i) => `- [ ] Box ${i}`).join('\n');
  const fields = Object.fromEntries(
    Array.from({ length: 2000 }, (_, i) => [`f${i}`, 'x'.repeat(99)]),
  );
  room.write('issues.json', issue({ body, ...fields }));
  expect((await room.said('import', 'github', 'issues.json')).code).toBe(0);
  const contract = read('active_tasks/draft/issue-1/contract.md');
  expect(contract.length).toBeLessThan(256 * 1024);
  expect(contract).toContain('There are more criteria in issues.json.');
});

test('items behind an open block of code at the end of a plan are not written', async () => {
  room.write('todo.md', '- [ ] A\n');
  await room.said('import', 'todo.md');
  const text = `${planOf('todo')}\n\`\`\`sh\nnever closed\n`;
  room.write('.contracts/plans/todo/plan.md', text);
  room.write('todo.md', '- [ ] A\n- [ ] B\n');
  const { code, out, err } = await room.said('import', 'todo.md');
  expect([code, out]).toEqual([1, expect.stringContaining('0 made')]);
  expect(err).toContain('could not be read back as it was meant');
  expect(planOf('todo')).toBe(text);
});

test('a plan that is named in a link of its folder is not written', async () => {
  fs.mkdirSync(join(room.root, 'elsewhere'));
  fs.mkdirSync(join(room.root, '.contracts/plans'));
  fs.symlinkSync('../../elsewhere', join(room.root, '.contracts/plans/todo'));
  room.write('todo.md', '- [ ] A\n');
  await room.said('import', 'todo.md');
  expect(fs.existsSync(join(room.root, 'elsewhere/plan.md'))).toBe(false);
});
