/** `contracts check`: one tree with everything wrong in it, as lines for editors and as data. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { realPorts } from '../../src/workspace/open/workspace.ts';
import { makeHouse, mark, shellContract, type House } from '../hostile/house.ts';

const LINE = /^(.+?)(?::(\d+):(\d+))?: (error|warning): (.+)\. (\S.*)$/;

/** The lines of the report, split as a problem matcher would. */
async function report(house: House) {
  const { code, out, err } = await house.run('check');
  expect(err).toBe('');
  const lines = out.trimEnd().split('\n');
  const closing = lines.pop() ?? '';
  const found = lines.map((line) => LINE.exec(line));
  expect(found).not.toContain(null);
  // A folder has no line.
  const placed = (match: RegExpExecArray | null) =>
    `${match?.[1]}${match?.[2] ? `:${match[2]}` : ''}`;
  const problems = found.map((match) => `${placed(match)} ${match?.[4]} ${match?.[5]}`);
  return { code, closing, problems };
}

test('a good tree: no problem, exit 0', async () => {
  const house = makeHouse();
  expect(await report(house)).toEqual({
    code: 0,
    closing: '0 errors, 0 warnings in 1 live task.',
    problems: [],
  });
});

test('an empty tree: no problem, exit 0', async () => {
  const house = makeHouse({ neighbour: false });
  expect(await report(house)).toEqual({
    code: 0,
    closing: '0 errors, 0 warnings in 0 live tasks.',
    problems: [],
  });
});

test('warnings alone: exit 0, and a line each', async () => {
  const house = makeHouse();
  house.task(
    'vague',
    shellContract('vague', { head: 'titel: x', criteria: '- [ ] it is nice' }),
    'draft',
  );
  const { code, closing, problems } = await report(house);
  expect(problems).toEqual([
    'active_tasks/draft/vague/contract.md:7 warning an unknown key: kept, but not used (found "titel")',
    'active_tasks/draft/vague/contract.md:19 warning this criterion names no check and no deliverable, so the runner cannot tick it (found "it is nice", expected the command or the path of an entry under verify, or the path of a deliverable)',
  ]);
  expect(closing).toBe('0 errors, 2 warnings in 2 live tasks.');
  expect(code).toBe(0);
});

test('a checkpoint is decided in its form: its criterion needs no check', async () => {
  const house = makeHouse({ neighbour: false });
  const criteria = '- [ ] One of GO, PAUSE, REVIEW and ABORT is ticked in questions.md';
  house.task('go', shellContract('go', { head: 'type: checkpoint', criteria }));
  expect((await report(house)).problems).toEqual([]);
});

test('everything at once: sorted by file, with real paths, lines and cures; nothing is touched', async () => {
  const house = makeHouse();
  house.write('.contracts/agents/odd.md', '---\ninstructions: 3\n---\n');
  house.task('broken', '---\ntitle: [x\n---\n', 'draft');
  house.task('typed', shellContract('typed', { head: 'retries_max: many' }), 'draft');
  house.task(
    'nobody',
    shellContract('nobody', {
      head: 'agent: nobody\nquality_gate: [nobody]\ncontext_files: [gone.md]',
    }),
  );
  house.task('waits', shellContract('waits', { head: 'depends_on: [good, gone, dropped]' }));
  house.task('dropped', shellContract('dropped'), 'aborted');
  house.task('one', shellContract('one', { head: 'depends_on: [two]' }));
  house.task('two', shellContract('two', { head: 'depends_on: [one]' }));
  house.task('twice', shellContract('twice'));
  house.task('twice', shellContract('twice'), 'done');
  house.task('Capital', shellContract('capital'), 'done');
  house.write('active_tasks/aborted/stray.txt', '');
  house.task('torn', shellContract('torn', { head: 'quality_gate: [person]' }), 'review');
  house.write('active_tasks/review/torn/result.md', 'words\0');
  house.write('active_tasks/review/torn/review.md', '## Verdict\n\n- [x] APPROVED\n- [x] REJECT\n');
  mkdirSync(house.path('active_tasks/blocked/held/blocked.md'), { recursive: true });
  house.write('active_tasks/blocked/held/contract.md', shellContract('held'));
  const before = mark(house.root);
  const { code, closing, problems } = await report(house);
  expect(problems).toEqual([
    expect.stringMatching(/^\.contracts\/agents\/odd\.md:\d+ warning agent odd is left out/),
    'active_tasks/aborted/stray.txt:1 warning not a task, left alone',
    expect.stringMatching(
      /^active_tasks\/blocked\/held\/blocked\.md:1 error it is not a regular file/,
    ),
    expect.stringMatching(
      /^active_tasks\/done\/Capital error the name of this folder is not a task id/,
    ),
    expect.stringMatching(
      /^active_tasks\/draft\/broken\/contract\.md:2 error a bracket is not closed/,
    ),
    expect.stringMatching(
      /^active_tasks\/draft\/typed\/contract\.md:7 error retries_max has the wrong type \(found "many"/,
    ),
    expect.stringMatching(
      /^active_tasks\/ready\/nobody\/contract\.md:7 error this agent does not exist \(found nobody/,
    ),
    expect.stringMatching(
      /^active_tasks\/ready\/nobody\/contract\.md:8 error the gate would review its own work/,
    ),
    expect.stringMatching(
      /^active_tasks\/ready\/nobody\/contract\.md:9 error context file gone\.md: there is no such file/,
    ),
    expect.stringMatching(
      /^active_tasks\/ready\/one\/contract\.md:7 error depends on itself: one → two → one/,
    ),
    expect.stringMatching(/^active_tasks\/ready\/twice error task twice is in ready and in done/),
    expect.stringMatching(
      /^active_tasks\/ready\/two\/contract\.md:7 error depends on itself: two → one → two/,
    ),
    expect.stringMatching(
      /^active_tasks\/ready\/waits\/contract\.md:7 error depends on a task that does not exist \(found gone\)/,
    ),
    expect.stringMatching(
      /^active_tasks\/ready\/waits\/contract\.md:7 error depends on a task that is aborted \(found dropped\)/,
    ),
    expect.stringMatching(
      /^active_tasks\/review\/torn\/result\.md:1 error the file has a NUL character/,
    ),
    expect.stringMatching(
      /^active_tasks\/review\/torn\/review\.md:4 error more than one verdict is ticked, so none counts \(found APPROVED and REJECT/,
    ),
  ]);
  expect(closing).toBe('14 errors, 2 warnings in 10 live tasks.');
  expect(code).toBe(1);
  expect(mark(house.root)).toEqual(before);
});

test('the same as data, with --json', async () => {
  const house = makeHouse();
  house.task('broken', '---\ntitle: [x\n---\n', 'draft');
  const { code, events, out } = await house.events('check');
  expect(code).toBe(1);
  expect(out.trimEnd().split('\n')).toHaveLength(events.length);
  expect(events).toEqual([
    {
      v: 1,
      event: 'problem',
      problem: expect.objectContaining({ code: 'yaml', line: 2, severity: 'error' }),
    },
    { v: 1, event: 'check', tasks: 2, errors: 1, warnings: 0 },
  ]);
});

test('active_tasks elsewhere: the paths are those of the disk', async () => {
  const house = makeHouse({ config: 'active_tasks: work/tasks\n', neighbour: false });
  house.write('work/tasks/ready/bad/contract.md', shellContract('bad', { head: 'agent: nobody' }));
  house.write('work/tasks/done/bad/contract.md', shellContract('bad'));
  const { problems } = await report(house);
  expect(problems).toEqual([
    expect.stringMatching(/^work\/tasks\/ready\/bad error/),
    expect.stringMatching(
      /^work\/tasks\/ready\/bad\/contract\.md:7 error this agent does not exist/,
    ),
  ]);
});

test('a configuration that cannot be read is a problem with its line; no workspace is usage', async () => {
  const house = makeHouse({ config: 'parallel: 2\ntimeout: soon\n' });
  const { code, closing, problems } = await report(house);
  expect(problems).toEqual([expect.stringMatching(/^\.contracts\/config\.yaml:2 error timeout/)]);
  expect(closing).toBe('1 error, 0 warnings in 0 live tasks.');
  expect(code).toBe(1);
  expect((await house.run('-C', '/', 'check')).code).toBe(2);
});

test('what stands beside the states: a mistyped one is told by check, doctor and step', async () => {
  const house = makeHouse();
  house.write('active_tasks/redy/lost/contract.md', shellContract('lost'));
  house.write('active_tasks/redy/words.txt', '');
  house.write('active_tasks/notes.txt', '');
  house.write('active_tasks/README.md', '');
  house.write('active_tasks/pictures/a.txt', '');
  const { code, problems } = await report(house);
  const states = '(expected draft, ready, in_progress, questions, review, blocked, done, aborted)';
  expect(problems).toEqual([
    `active_tasks/notes.txt:1 warning notes.txt is no state ${states}`,
    `active_tasks/pictures warning pictures is no state and holds 0 tasks ${states}`,
    `active_tasks/redy error redy is no state and holds 1 task ${states}`,
  ]);
  expect(code).toBe(1);
  for (const verb of ['check', 'doctor', 'step', 'list']) {
    const { out, err } = await house.run(verb);
    expect(`${out}${err}`, verb).toContain('Did you mean ready?');
  }
  expect(house.exists('active_tasks/redy/lost/contract.md')).toBe(true);
});

/** The neighbour done by a run, then archived where `mv` puts it. */
async function archived(to: string): Promise<House> {
  const house = makeHouse();
  expect((await house.run('run')).code).toBe(0);
  rmSync(house.path('.contracts/archive'), { recursive: true, force: true });
  mkdirSync(dirname(house.path(to)), { recursive: true });
  renameSync(house.path('active_tasks/done/good'), house.path(to));
  return house;
}

test('the id of an archived task is not free, and the verbs say where it is', async () => {
  const house = await archived('.contracts/archive/good');
  const made = await house.run('new', 'Again', '--id', 'good', '--sh', 'true', '--run', 'true');
  expect(made).toMatchObject({ code: 2, out: '' });
  expect(made.err).toContain('a task of this id is archived');
  const { code, err } = await house.run('retry', 'good', '--again');
  expect(code).toBe(2);
  expect(err).toContain(
    'good is archived in .contracts/archive/good. Move it back to active_tasks/done/',
  );
  const shown = await house.run('show', 'good');
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.out).toContain('.contracts/archive/good');
  expect((await house.run('doctor')).code).toBe(0);
});

test('a task that was renamed to be the archive: doctor tells, and --fix puts it inside', async () => {
  const house = await archived('.contracts/archive');
  const told = await house.run('doctor');
  expect(told.code).toBe(1);
  expect(told.err).toContain('a task was renamed to be the archive');
  expect(told.err).toContain('contracts doctor --fix moves it to .contracts/archive/good');
  const before = house.read('.contracts/archive/attempts/0001/outcome.md');
  expect((await house.run('doctor', '--fix')).code).toBe(0);
  expect(readdirSync(house.path('.contracts/archive'))).toEqual(['good']);
  expect(house.read('.contracts/archive/good/attempts/0001/outcome.md')).toBe(before);
  expect((await house.run('doctor')).code).toBe(0);
});

test('where another task was archived into it since, that is only told', async () => {
  const house = await archived('.contracts/archive');
  house.write('.contracts/archive/other/contract.md', shellContract('other'));
  const before = mark(house.root);
  const told = await house.run('doctor', '--fix');
  expect(told.code).toBe(1);
  expect(told.err).toContain(
    'Make .contracts/archive/good and move the files of that task into it',
  );
  expect(mark(house.root)).toEqual(before);
});

test('a placeholder that no call knows is found when the configuration is read', async () => {
  const config = `adapters:
  good: { run: [sh, "{{brief_file}}", "--in={{root}}"] }
  odd:
    run:
      - node
      - "{{task}}"
      - "--x={{nope}}"
  program: { run: ["{{task}}"] }
`;
  const house = makeHouse({ config });
  const { code, problems } = await report(house);
  expect(code).toBe(1);
  expect(problems).toEqual([
    expect.stringMatching(
      /^\.contracts\/config\.yaml:7 error adapters\.odd\.run has an unknown placeholder \(found \{\{nope\}\}, expected \{\{brief_file\}\} /,
    ),
    expect.stringMatching(
      /^\.contracts\/config\.yaml:8 error adapters\.program\.run .*\(found \{\{task\}\}, expected \{\{root\}\}\)/,
    ),
  ]);
  const { code: stepped, err } = await house.run('step');
  expect(stepped).toBe(2);
  expect(err).toContain('{{nope}}');
});

test('a queue without its address or agent is found when the configuration is read', async () => {
  const config = `adapters:
  whole: { type: queue, url: 'redis://queue.lan', agent: builder }
  nowhere: { type: queue, agent: builder }
  nobody: { type: queue, url: 'redis://queue.lan' }
`;
  const { code, problems } = await report(makeHouse({ config }));
  expect(code).toBe(1);
  expect(problems).toEqual([
    expect.stringMatching(/^\.contracts\/config\.yaml:3 error adapters\.nowhere .* without url/),
    expect.stringMatching(/^\.contracts\/config\.yaml:4 error adapters\.nobody .* without agent/),
  ]);
});

test('a temporary that a killed runner left on a desk: doctor --fix removes it, and no file of an agent', async () => {
  const house = makeHouse();
  const kept = 'active_tasks/ready/cut/attempts/0001.lost/desk';
  house.task('cut', shellContract('cut'));
  const runners = `${kept}/.tmp-${'0a'.repeat(16)}`;
  const previous = `${kept}/previous/.tmp-${'1b'.repeat(16)}`;
  const agents = `${kept}/.tmp-notes`;
  const young = `${kept}/.tmp-${'2c'.repeat(16)}`;
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const path of [runners, previous, agents, young]) {
    house.write(path, 'half');
    if (path !== young) utimesSync(house.path(path), old, old);
  }
  const { out } = await house.run('doctor', '--fix');
  expect(out).toContain(`fixed  ${runners}: a writer died and left this behind`);
  expect([runners, previous, agents, young].map((path) => existsSync(house.path(path)))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('temporaries of plans: doctor reports them, doctor --fix removes the old ones', async () => {
  const house = makeHouse();
  const plan = '.contracts/plans/trip';
  house.write(`${plan}/plan.md`, '# Trip\n\n- [ ] Pack\n');
  const left = [plan, `${plan}/runs`, `${plan}/stories`, '.contracts'].map(
    (folder, i) => `${folder}/.tmp-${String(i).repeat(32)}`,
  );
  const kept = [`${plan}/.tmp-notes`, `${plan}/runs/.tmp-${'f'.repeat(32)}`];
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const path of [...left, ...kept]) {
    house.write(path, 'half');
    if (path !== kept[1]) utimesSync(house.path(path), old, old);
  }
  const told = await house.run('doctor');
  for (const path of left) expect(told.err).toContain(`${path}:1:1: warning: a writer died`);
  expect(told.err).toContain(`${kept[1]}:1:1: warning: a temporary file, made within`);
  await house.run('doctor', '--fix');
  expect(left.filter((path) => existsSync(house.path(path)))).toEqual([]);
  expect(kept.filter((path) => existsSync(house.path(path)))).toEqual(kept);
});

test('an archived id that lives again: check and doctor name both places, list goes on', async () => {
  const house = makeHouse();
  house.write('.contracts/archive/good/contract.md', shellContract('good'));
  for (const verb of ['check', 'doctor']) {
    const { code, out, err } = await house.run(verb);
    expect([verb, code]).toEqual([verb, 0]);
    expect(out + err).toContain(
      'warning: task good is in ready and in the archive; the one in ready counts. Give this one another id, or move .contracts/archive/good away',
    );
  }
  expect((await house.run('run')).code).toBe(0);
  expect(house.where('good')).toEqual(['done']);
});

test('a desk whose task is gone: doctor says to remove it by hand, also with --fix', async () => {
  const house = makeHouse();
  house.write('active_tasks/.desk/gone.0001/status.md', '- Status: IN_PROGRESS\n');
  for (const flags of [[], ['--fix']]) {
    const { err } = await house.run('doctor', ...flags);
    expect(err).toContain(
      'a desk is left over: no attempt belongs to it. Keep what you need of it, then remove it yourself: active_tasks/.desk/gone.0001',
    );
    expect(err).not.toContain('doctor --fix');
  }
  expect(existsSync(house.path('active_tasks/.desk/gone.0001/status.md'))).toBe(true);
});

test('a task in two states whose owner is dead: doctor does not send to a step that refuses', async () => {
  const house = makeHouse({ neighbour: false });
  house.task('two', shellContract('two'));
  const head = { v: 1, task: 'two', attempt: 1, kind: 'work', owner: 'process', agent: 'builder' };
  const dead = { ...realPorts().machine.self(), boot: 'another', nonce: 'n' };
  const before = { base: 0, claimed: '2026-11-21T12:00:00.000Z', contract: '', inputs: '' };
  const lines = Object.entries({ ...head, ...dead, ...before }).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}\n`,
  );
  const owner = `---\n${lines.join('')}---\n`;
  for (const state of ['ready', 'in_progress']) {
    house.write(`active_tasks/${state}/two/contract.md`, shellContract('two'));
    house.write(`active_tasks/${state}/two/attempts/0001/owner.md`, owner);
  }
  const { err } = await house.run('doctor');
  expect(err).toContain('Keep one side of this task first');
  expect(err).not.toContain('contracts step');
});

test('a ring of many tasks is one problem', async () => {
  const house = makeHouse({ neighbour: false });
  const many = 250;
  for (let n = 0; n < many; n++)
    house.task(`c-${n}`, shellContract(`c-${n}`, { head: `depends_on: [c-${(n + 1) % many}]` }));
  const { problems } = await report(house);
  expect(problems).toEqual([
    expect.stringMatching(
      /^active_tasks\/ready\/(c-\d+)\/contract\.md:7 error depends on itself: \1 → .* → … 243 more … → .* → \1/,
    ),
  ]);
});
