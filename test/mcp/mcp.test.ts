/** The six tools of `contracts mcp`, through the official client library, against real tasks. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeEach, describe, expect, test } from 'vitest';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { connected, hostRoom } from './server.ts';

const TOKENS_MAX = 900;
const NAMES = ['new', 'delegate', 'collect', 'questions', 'show', 'list'];

/** A pipe with a name: who reads it waits until somebody writes. Its check reads it once something is handed in. */
function makePipe(root: string): void {
  execFileSync('mkfifo', [join(root, 'gate')]);
}
const SLOW = { title: 'Slow', run: ['test ! -e handed || cat gate'] };
const SLOW_RESULT = `# Task Result

- Status: COMPLETE

## Success Criteria

- [x] \`${SLOW.run[0]}\` passes — yes
`;

let room: ReturnType<typeof hostRoom>;
beforeEach(() => {
  room = hostRoom();
  expect(room.typed('init').status).toBe(0);
  putFile(join(room.root, '.contracts/config.yaml'), room.config);
});

const HELLO = { title: 'Write hello', deliverable: ['hello.txt'], run: ['test -s hello.txt'] };
const QUESTION = '# Questions\n\n1. Which greeting?\n';
const RESULT = `# Task Result

- Status: COMPLETE

## Success Criteria

- [x] \`test -s hello.txt\` passes — ran it
- [x] \`hello.txt\` is there — wrote it
`;

test('six tools of at most 900 tokens in all, each named as its verb', async () => {
  const { client } = await connected(room.root, room.env);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(NAMES);
  expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(TOKENS_MAX);
  expect(client.getInstructions()).toContain('delegate');
});

test('from a contract to its result: made, confirmed by a person, delegated, asked, answered, collected', async () => {
  const { call } = await connected(room.root, room.env);
  const made = await call('new', HELLO);
  const id = String(made.said['id']);
  expect(made.said).toMatchObject({ state: 'draft', questions: [], result: null });
  expect(made.said['next']).toContain(`A person types: contracts confirm ${id}`);

  const early = await call('delegate', { id });
  expect(early).toMatchObject({ error: true, said: { error: { code: 'bad_value' } } });
  expect(room.typed('confirm', id).status).toBe(0);

  const begun = await call('delegate', { id: id.slice(0, 8) });
  expect(begun.said).toMatchObject({
    id,
    state: 'in_progress',
    next: `do what its brief says, then collect ${id}`,
  });
  expect(begun.said['brief']).toContain('# Write hello');
  const desk = String(begun.said['desk']);

  expect(await call('collect', { id })).toMatchObject({
    error: true,
    said: { error: { code: 'no_result' } },
  });
  writeFileSync(join(desk, 'questions.md'), QUESTION);
  const asking = await call('collect', { id });
  expect(asking.said).toMatchObject({
    state: 'questions',
    questions: [{ n: 1, question: 'Which greeting?' }],
  });
  expect((await call('questions')).said).toMatchObject({ tasks: [{ id, questions: [{ n: 1 }] }] });
  expect((await call('questions', { id })).said['next']).toContain(`contracts answer ${id}`);
  expect(room.typed('answer', id, 'Hello').status).toBe(0);

  const again = await call('delegate', { id });
  expect(again.said['brief']).toContain('Hello');
  writeFileSync(join(room.root, 'hello.txt'), 'Hello\n');
  writeFileSync(join(String(again.said['desk']), 'result.md'), RESULT);
  const ended = await call('collect', { id });
  expect(ended.said).toMatchObject({
    state: 'done',
    next: '',
    questions: [],
    result: { checks: [{ check: 'run: test -s hello.txt', passed: true }, { passed: true }] },
  });
  const { file, text } = ended.said['result'] as Readonly<Record<string, string>>;
  expect(text).toContain('ran it');
  expect(readFileSync(join(room.root, file ?? ''), 'utf8')).toBe(text);
});

test('work that its checks refuse comes back, with why', async () => {
  const { call } = await connected(room.root, room.env);
  const id = String((await call('new', HELLO)).said['id']);
  room.typed('confirm', id);
  const { desk } = (await call('delegate', { id })).said;
  writeFileSync(join(String(desk), 'result.md'), RESULT);
  const back = await call('collect', { id });
  expect(back.said).toMatchObject({
    state: 'ready',
    next: `delegate ${id}`,
    result: { checks: [{ passed: false }, { passed: false }] },
  });
  expect((await call('delegate', { id })).said['brief']).toContain('hello.txt');
});

test('several tasks in one call: one that is refused does not keep the others', async () => {
  const { call } = await connected(room.root, room.env);
  const { said } = await call('new', {
    tasks: [
      { title: 'One', criterion: ['it is one'] },
      { title: 'Two', nonsense: true },
      { title: 'Three', timeout: 'soon' },
      { title: '--json', run: ['true'], depends_on: [] },
    ],
  });
  const [one, two, three, four] = said['tasks'] as readonly Record<string, unknown>[];
  expect(one).toMatchObject({ state: 'draft' });
  expect(two).toMatchObject({
    error: { code: 'bad_value', message: expect.stringContaining('nonsense') },
  });
  expect(three).toMatchObject({ error: { message: expect.stringContaining('timeout') } });
  expect(four).toMatchObject({ state: 'draft' });
  const { said: listed } = await call('list', { state: ['draft'] });
  expect(
    (listed['tasks'] as readonly { title: string }[]).map(({ title }) => title).toSorted(),
  ).toEqual(['--json', 'One']);
});

test('a whole contract as its text', async () => {
  const { call } = await connected(room.root, room.env);
  const text = '---\nid: by-text\n---\n# By text\n\n## Success Criteria\n\n- [ ] it is here\n';
  expect((await call('new', { from: text })).said).toMatchObject({ id: 'by-text', state: 'draft' });
  const shown = await call('show', { id: 'by-text' });
  expect(shown.said).toMatchObject({ title: 'By text', criteria: ['it is here'], attempts: [] });
});

describe('nothing is changed by wrong input', () => {
  test.each([
    ['new', { title: 7 }],
    ['new', { title: 'x', bogus: 1 }],
    ['new', {}],
    ['new', { title: 'x', timeout: 'soon' }],
    ['new', { title: 'x', id: '../up' }],
    ['new', { title: 'x', from: '# y' }],
    ['delegate', {}],
    ['delegate', { id: 'nobody' }],
    ['delegate', { id: '--all' }],
    ['collect', { id: 'nobody' }],
    ['collect', { id: 'x', wait_s: 46 }],
    ['show', { id: '' }],
    ['show', { id: '-h' }],
    ['questions', { id: 'nobody' }],
    ['list', { state: ['nowhere'] }],
    ['list', { limit: 1000 }],
  ])('%s %j', async (name, given) => {
    const { call } = await connected(room.root, room.env);
    const answer = await call(name, given);
    expect(answer.error, answer.text).toBe(true);
    expect(answer.said).toMatchObject({
      error: { code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/\w/) },
    });
    expect(answer.text.length).toBeLessThan(600);
    expect(room.typed('list', '--all', '--ids').stdout).toBe('');
  });

  test('a tool that is not there', async () => {
    const { client } = await connected(room.root, room.env);
    await expect(client.callTool({ name: 'approve', arguments: {} })).rejects.toThrow(/approve/);
  });
});

test('without a workspace each tool says how one is made', async () => {
  const { call } = await connected(sealedFolder('empty'), room.env);
  for (const [name, given] of [
    ['list', {}],
    ['new', HELLO],
    ['show', { id: 'x' }],
  ] as const)
    expect(await call(name, given)).toMatchObject({
      error: true,
      said: { error: { fix: expect.stringContaining('contracts init') } },
    });
});

test('checks that take longer than the call: it answers, they go on, and the next call has their end', async () => {
  const { call } = await connected(room.root, room.env);
  // The check ends when the test lets it.
  makePipe(room.root);
  const id = String((await call('new', SLOW)).said['id']);
  room.typed('confirm', id);
  const { desk } = (await call('delegate', { id })).said;
  writeFileSync(join(room.root, 'handed'), '');
  writeFileSync(join(String(desk), 'result.md'), SLOW_RESULT);
  const first = await call('collect', { id, wait_s: 0 });
  expect(first.said['next']).toBe(`its checks still run: collect ${id}`);
  const progressed: string[] = [];
  const second = call(
    'collect',
    { id },
    { onprogress: ({ message }: { message?: string }) => progressed.push(message ?? '') },
  );
  await writeFile(join(room.root, 'gate'), 'open\n');
  expect((await second).said).toMatchObject({ state: 'done', next: '' });
  expect(progressed).toContain('its checks run');
});

test('a call that is cancelled changes nothing that was begun', async () => {
  const { call } = await connected(room.root, room.env);
  makePipe(room.root);
  const id = String((await call('new', SLOW)).said['id']);
  room.typed('confirm', id);
  const { desk } = (await call('delegate', { id })).said;
  writeFileSync(join(room.root, 'handed'), '');
  writeFileSync(join(String(desk), 'result.md'), SLOW_RESULT);
  const stop = new AbortController();
  const begun = { signal: stop.signal, onprogress: () => stop.abort() };
  const cancelled = call('collect', { id }, begun);
  await expect(cancelled).rejects.toThrow();
  expect((await call('show', { id })).said['id']).toBe(id);
  await writeFile(join(room.root, 'gate'), 'open\n');
  expect((await call('collect', { id })).said['state']).toBe('done');
});

test('a server that is ended stops its checks, and the next one continues where they were', async () => {
  const first = await connected(room.root, room.env);
  makePipe(room.root);
  const id = String((await first.call('new', SLOW)).said['id']);
  room.typed('confirm', id);
  const { desk } = (await first.call('delegate', { id })).said;
  writeFileSync(join(room.root, 'handed'), '');
  writeFileSync(join(String(desk), 'result.md'), SLOW_RESULT);
  expect((await first.call('collect', { id, wait_s: 0 })).said['state']).not.toBe('done');
  process.kill(first.pid, 'SIGTERM');
  await first.ended;
  const second = await connected(room.root, room.env);
  expect((await second.call('show', { id })).said['next']).toContain('collect moves it on');
  const going = second.call('collect', { id });
  await writeFile(join(room.root, 'gate'), 'open\n');
  expect((await going).said).toMatchObject({ state: 'done', next: '' });
});

describe('a client with forms', () => {
  async function asking(form: Parameters<typeof connected>[2]) {
    const to = await connected(room.root, room.env, form);
    const id = String((await to.call('new', HELLO)).said['id']);
    room.typed('confirm', id);
    const { desk } = (await to.call('delegate', { id })).said;
    writeFileSync(
      join(String(desk), 'questions.md'),
      '# Questions\n\n1. Which greeting?\n2. Which file?\n',
    );
    await to.call('collect', { id });
    return { ...to, id };
  }

  test('asks the person, and writes down through whose form the answers came', async () => {
    const { call, asked, id } = await asking({
      form: () => ({ action: 'accept', content: { q1: 'Hello', q2: 'hello.txt' } }),
    });
    const answered = await call('questions', { id });
    expect(asked).toEqual([expect.stringContaining('Which greeting?')]);
    expect(answered.said['questions']).toEqual([]);
    const shown = room.typed('show', id, '--json').stdout;
    expect(shown).toContain('"answer":"hello.txt"');
    expect(shown).toContain('answered 1, 2 in a form of tried');
    expect((await call('delegate', { id })).said['brief']).toContain('Hello');
  });

  test.each(['decline', 'cancel'] as const)(
    '%s is an answer: asked once, nothing written',
    async (action) => {
      const { call, asked, id } = await asking({ form: () => ({ action }) });
      const open = await call('questions', { id });
      expect(asked).toHaveLength(1);
      expect(open.said).toMatchObject({ questions: [{ n: 1 }, { n: 2 }] });
      expect(open.said['next']).toContain(`contracts answer ${id}`);
      expect(existsSync(join(room.root, 'active_tasks/questions', id))).toBe(true);
    },
  );

  test('questions that were answered elsewhere while the form was open: others get no answer', async () => {
    const again = (): void => {
      const [line] = room.typed('list', '--state', 'questions', '--json').stdout.split('\n');
      const { id } = JSON.parse(line ?? '') as { readonly id: string };
      for (const n of [1, 2]) room.typed('answer', id, '--question', `${n}`, 'From a terminal');
      const { desk } = JSON.parse(room.typed('delegate', id, '--json').stdout.split('\n')[0] ?? '') as { readonly desk: string }; // prettier-ignore
      writeFileSync(join(desk, 'questions.md'), '# Questions\n\n1. May I delete it?\n');
      room.typed('collect', id);
    };
    const { call, id } = await asking({
      form: () => {
        again();
        return { action: 'accept', content: { q1: 'Yes', q2: 'hello.txt' } };
      },
    });
    expect((await call('questions', { id })).said).toMatchObject({
      questions: [{ n: 1, question: 'May I delete it?' }],
    });
    expect(room.typed('show', id, '--json').stdout).not.toContain('"answer":"Yes"');
  });

  test('shows quote, boxes and who else asks, and notes the answer in each of them', async () => {
    const ask = `printf '## Questions\\n\\n1. Which money?\\n\\n   > it is printed\\n\\n   - [ ] euro\\n   - [ ] krone\\n2. Which printer?\\n' > "$CONTRACTS_OUT/questions.md"\n`;
    putFile(join(room.root, '.contracts/agent.sh'), ask);
    putFile(
      join(room.root, '.contracts/config.yaml'),
      'adapter: agent\nadapters:\n  agent: { type: command, run: [sh, .contracts/agent.sh] }\n',
    );
    for (const id of ['bill', 'order'])
      room.typed('new', `The ${id}`, '--id', id, '--criterion', 'it is printed');
    room.typed('ask');
    const { call, asked } = await connected(room.root, room.env, {
      form: () => ({ action: 'accept', content: { q1: 'krone' } }),
    });
    const { said } = await call('questions', { id: 'bill' });
    expect(asked).toEqual([
      `bill is in questions, and its agent asks:
1. Which money?
   > it is printed
   The answer is also for order.
2. Which printer?
   The answer is also for order.`,
    ]);
    expect(said['questions']).toEqual([{ n: 2, question: 'Which printer?', also: ['order'] }]);
    expect((await call('show', { id: 'order' })).said['questions']).toHaveLength(1);
    expect(room.typed('show', 'bill').stdout).toContain('The person answered 1 in a form of tried');
    expect(room.typed('show', 'order').stdout).toContain('answered 1 of bill in a form of tried');
  });

  test('a field that is left empty stays open', async () => {
    const { call, id } = await asking({
      form: () => ({ action: 'accept', content: { q1: '  ', q2: 'f' } }),
    });
    expect((await call('questions', { id })).said).toMatchObject({ questions: [{ n: 1 }] });
  });
});

describe('--tools: more, under the names of other systems', () => {
  const all = { words: ['--tools', 'all'] };

  test('a group alone, all of them, and none that is not there', async () => {
    const names = async (words: string[]) => {
      const { client } = await connected(room.root, room.env, { words });
      return (await client.listTools()).tools.map(({ name }) => name).slice(NAMES.length);
    };
    expect(await names(['--tools', 'memory,plans'])).toEqual([
      'memory-lane_find',
      'memory-lane_store',
      'plan_read',
    ]);
    expect(await names(['--tools=all'])).toHaveLength(9);
    const { status, stderr } = room.typed('mcp', '--tools', 'nonsense');
    expect([status, stderr]).toEqual([2, expect.stringContaining('nonsense is no group of tools')]);
  });

  test('tasks are drafted, changed and gathered', async () => {
    const { call } = await connected(room.root, room.env, all);
    const first = await call('task-create', { subject: 'First', description: 'what is first' });
    const id = String(first.said['id']);
    expect(first.said['next']).toContain(`contracts confirm ${id}`);
    const later = await call('task-create', { subject: 'Later', blockedBy: [id] });
    const updated = await call('task-update', {
      taskId: String(later.said['id']),
      owner: 'builder',
    });
    expect(updated.said).toMatchObject({ success: true });
    expect((await call('show', { id: String(later.said['id']) })).said).toMatchObject({
      agent: 'builder',
      depends_on: [{ id }],
    });
    const handed = await call('skill_agent', {
      skill_name: 'dev',
      agent_name: 'qa',
      prompt: 'Look',
    });
    expect(handed.said).toMatchObject({
      status: 'HANDOFF_INTENT',
      metadata: { handoff: { target_agent: 'qa', prompt: 'Look' } },
    });
    const last = String(later.said['id']);
    expect(room.typed('abort', last).status).toBe(0);
    expect((await call('skill_gather', { task_ids: [id, last] })).said).toMatchObject({
      completed: [{ id: last, state: 'aborted' }],
      pending: [{ id, state: 'draft' }],
    });
  });

  test('what a person confirmed is changed by none of them', async () => {
    const { call } = await connected(room.root, room.env, all);
    for (const id of ['agreed', 'later']) await call('new', { title: id, id, run: ['true'] });
    room.typed('confirm', 'agreed');
    const text = () =>
      readFileSync(join(room.root, 'active_tasks/ready/agreed/contract.md'), 'utf8');
    const before = text();
    for (const given of [
      { taskId: 'agreed', owner: 'builder' },
      { taskId: 'agreed', addBlockedBy: ['later'] },
      { taskId: 'later', addBlocks: ['agreed'] },
    ])
      expect((await call('task-update', given)).text).toContain('agreed is no draft any more');
    expect(text()).toBe(before);
  });

  test('learnings and agents are read', async () => {
    const { call } = await connected(room.root, room.env, all);
    room.typed('memory', 'add', 'Use Zod for schemas', '--type', 'preference');
    expect((await call('memory-lane_find', { query: 'zod' })).said).toMatchObject({
      memories: [{ type: 'preference', information: 'Use Zod for schemas' }],
    });
    // What an agent says is its own word, and what it calls a person's waits for one.
    const store = (given: object) => call('memory-lane_store', given);
    const own = await store({ information: 'Uploads end after a minute', tags: 'upload,limits' });
    const said = {
      type: 'correction',
      information: 'Never use io-ts',
      entities: ['library:io-ts'],
    };
    const theirs = await store(said);
    const shown = room.typed('memory', 'show').stdout;
    expect(shown).toContain(String(own.said['id']));
    expect(shown).toMatch(/never-use-io-ts.*candidate|candidate.*never-use-io-ts/);
    expect((await call('memory-lane_find', { query: 'io-ts' })).text).not.toContain('Never');
    expect((await store({ information: 'x', type: 'nonsense' })).error).toBe(true);
    expect(theirs.error).toBe(false);
    const { agents } = (await call('skill_list')).said as { readonly agents: readonly object[] };
    expect(agents).toContainEqual(expect.objectContaining({ name: 'builder' }));
    expect((await call('skill_list', { skill: 'nobody' })).said).toEqual({ agents: [] });
    expect((await call('plan_read', { name: 'nope' })).error).toBe(true);
  });
});

test('files of a task are resources, and no others', async () => {
  const { client, call } = await connected(room.root, room.env);
  const id = String((await call('new', HELLO)).said['id']);
  const { contents } = await client.readResource({ uri: `contracts://${id}/contract.md` });
  expect(JSON.stringify(contents)).toContain('Write hello');
  for (const uri of [`contracts://${id}/..%2f..%2fx`, `contracts://nobody/contract.md`])
    await expect(client.readResource({ uri })).rejects.toThrow();
});

test('inside an attempt: three tools, which write on its desk alone', async () => {
  const desk = join(room.root, 'desk');
  mkdirSync(desk);
  const env = { ...room.env, CONTRACTS_OUT: desk, CONTRACTS_TASK: 'it', CONTRACTS_ROOT: room.root };
  const { client, call } = await connected(room.root, env);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['ask_question', 'report_status', 'submit_result']);
  // A server that was killed may have left one.
  writeFileSync(join(desk, 'status.md.new'), 'half');
  await call('report_status', { step: 'reads\nthe code', completed: ['a plan'] });
  expect(readFileSync(join(desk, 'status.md'), 'utf8')).toContain('- Current Step: reads the code');
  await call('ask_question', { questions: [{ question: 'Which?', options: ['a', 'b'] }] });
  expect(readFileSync(join(desk, 'questions.md'), 'utf8')).toContain('1. Which?\n   - [ ] a');
  const criteria = [{ text: 'it holds', holds: true, evidence: 'seen' }];
  const said = await call('submit_result', {
    status: 'COMPLETE',
    criteria,
    notes: '## Not a section',
  });
  expect(said.said['next']).toContain('stop');
  const text = readFileSync(join(desk, 'result.md'), 'utf8');
  expect(text).toContain('- [x] it holds — seen');
  expect(text).toContain('\\## Not a section');
});

test('10,000 tasks: a page of them, how many more, and those that match', async () => {
  for (let i = 0; i < 10_000; i++)
    putFile(
      join(room.root, `active_tasks/draft/t${i}/contract.md`),
      `---\ntitle: Task ${i}\n---\n`,
    );
  const { call } = await connected(room.root, room.env);
  const { said, text } = await call('list');
  expect(said['tasks']).toHaveLength(50);
  expect(said['more']).toBe(9_950);
  expect(text.length).toBeLessThan(20_000);
  const found = (await call('list', { text: 'Task 9999', limit: 2 })).said;
  expect(found['tasks']).toMatchObject([{ id: 't9999', state: 'draft' }]);
  expect((await call('show', { id: 't4711' })).said).toMatchObject({ title: 'Task 4711' });
});
