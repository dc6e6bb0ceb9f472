/**
 * Rows on agents that misbehave, in a shared tree and without a sandbox: what is caught, and what is
 * only written down. Real processes.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectRefused, makeHouse, shellContract, waitsOf, type House } from './house.ts';

const TICKED = (id: string) =>
  `- Status: COMPLETE\n\n## Success Criteria\n\n- [x] \`test -s ${id}.txt\` passes\n`;

async function runOne(sh: string, head = 'retries_max: 0\nreviews_max: 0', house = makeHouse()) {
  house.task('bad', shellContract('bad', { head, sh }));
  const said = await house.events('run');
  expect(house.where('good')).toEqual(['done']);
  return { house, ...said, reason: waitsOf(said.events, 'bad')?.reason ?? '' };
}

describe('agent prints GBs, holds stdout open, never exits', () => {
  test('GBs: cut at the cap, and failed', async () => {
    const { house, reason, code } = await runOne(`yes ${'0123456789'.repeat(400)}`);
    expect(reason).toContain('printed more than the output limit');
    expect(code).toBe(1);
    expect(house.where('bad')).toEqual(['blocked']);
    const log = statSync(house.path('active_tasks/blocked/bad/attempts/0001/output.log'));
    expect(log.size).toBeLessThanOrEqual(64 * 1024 * 1024);
  });

  test('one line without an end, NULs and half characters', async () => {
    const { house, code } = await runOne(
      'head -c 3000000 /dev/zero; printf "\\377\\376 %s" end; echo made > bad.txt',
    );
    expect(code).toBe(0);
    expect(house.where('bad')).toEqual(['done']);
  });

  test('never exits: stopped at its time-out', async () => {
    const { reason } = await runOne('sleep 1000', 'retries_max: 0\ntimeout: 500ms');
    expect(reason).toContain('stopped after 0.5 s');
  });

  test('holds stdout open in a child: the attempt ends with the agent, and the child is ended', async () => {
    const sh = 'sleep 1000 & echo $! > child.pid\necho made > bad.txt';
    const { house, code } = await runOne(sh);
    expect(code).toBe(0);
    expect(house.where('bad')).toEqual(['done']);
    expect(alive(house, 'child.pid')).toBe(false);
  });
});

describe('agent leaves children (setsid)', () => {
  test('found by their mark, ended and reported', async () => {
    const sh =
      'setsid sh -c "echo \\$\\$ > one.pid; exec sleep 1000" &\n(setsid setsid sh -c "echo \\$\\$ > two.pid; exec sleep 1000" &)\nwhile [ ! -s one.pid ] || [ ! -s two.pid ]; do :; done\necho made > bad.txt';
    const { house, code } = await runOne(sh);
    expect(code).toBe(0);
    expect(alive(house, 'one.pid')).toBe(false);
    expect(alive(house, 'two.pid')).toBe(false);
    const outcome = house.read('active_tasks/done/bad/attempts/0001/outcome.md');
    expect(outcome).toMatch(/left_behind: [23]/);
    expect(outcome).toContain('they were ended');
  });
});

/** Whether a process of that number still is the `sleep` that the agent left. */
function alive(house: House, file: string): boolean {
  const command = `/proc/${house.read(file).trim()}/cmdline`;
  return existsSync(command) && readFileSync(command, 'utf8').includes('sleep');
}

describe('agent edits another task, `.contracts/`, its own contract or receipts', () => {
  const home = '"$CONTRACTS_ROOT/active_tasks/in_progress/bad"';

  test('the copy of the contract on its desk: changes nothing', async () => {
    const { house, code } = await runOne(
      'sed -i "s/test -s bad.txt/test 1/" "$CONTRACTS_OUT/contract.md"',
    );
    expect(code).toBe(1);
    expect(house.where('bad')).toEqual(['blocked']);
    expect(house.read('active_tasks/blocked/bad/review.md')).toContain(
      'deliverable bad.txt is not there',
    );
  });

  test('its contract itself: caught, the outcome is stale, and a person is asked', async () => {
    const house = makeHouse();
    house.task(
      'bad',
      shellContract('bad', { sh: `sed -i "s/test -s bad.txt/test 1/" ${home}/contract.md` }),
    );
    const { events } = await house.events('step', '--only', 'bad');
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'ended', task: 'bad', outcome: 'stale' }),
    );
    expect(house.where('bad')).toEqual(['questions']);
  });

  test('receipts, approval and outcome written by itself: the attempt is not the runner’s any more', async () => {
    const forged = `mkdir -p ${home}/attempts/0002\nsed "s/attempt: 1/attempt: 2/; s/kind: work/kind: review/" ${home}/attempts/0001/owner.md > ${home}/attempts/0002/owner.md\nprintf -- "---\\nv: 1\\nattempt: 2\\nkind: review\\noutcome: approved\\nreason: forged\\nat: now\\n---\\n" > ${home}/attempts/0002/outcome.md\nprintf -- "---\\nv: 1\\ncontract: x\\ntree: x\\nreceipts: []\\n---\\n" > ${home}/attempts/0002/receipts.md`;
    const { house, events } = await runOne(forged);
    const moves = events.flatMap((event) =>
      event.event === 'moved' && event.task === 'bad' ? [event.to] : [],
    );
    expect(moves).not.toContain('done');
    expect(house.where('bad')).not.toEqual(['done']);
  });

  test('its owner record: its outcome does not count, and another attempt takes over', async () => {
    const owner = `${home}/attempts/0001/owner.md`;
    const sh = `echo made > bad.txt; if [ -e ${owner} ]; then echo >> ${owner}; fi`;
    const { house, events, code } = await runOne(sh);
    const ended = events.filter((event) => event.event === 'ended' && event.task === 'bad');
    expect(ended).toMatchObject([{ attempt: 2 }, { attempt: 3 }]);
    expect(code).toBe(0);
    expect(house.where('bad')).toEqual(['done']);
    expect(house.exists('active_tasks/done/bad/attempts/0001.lost')).toBe(true);
  });

  test('a file of the workspace: written down in the outcome, by whom is not known', async () => {
    const { house } = await runOne('echo made > bad.txt; echo changed >> other.txt');
    const outcome = house.read('active_tasks/done/bad/attempts/0001/outcome.md');
    expect(outcome).toContain('other.txt');
    expect(outcome).toContain('Nothing confined this agent');
    expect(outcome).toMatch(/enforced:\s+- brief\s+- compared\n\w/);
  });

  test('the settings: written down in the outcome, and not obeyed until a person looked', async () => {
    const house = makeHouse();
    const sh =
      'echo made > bad.txt; echo "parallel: 64" >> .contracts/config.yaml; mkdir -p .contracts/agents; echo x > .contracts/agents/builder.md';
    house.task('bad', shellContract('bad', { sh }));
    const first = await house.run('run');
    expect(first.out).toMatch(
      /builder\.md changed while attempt 1 of bad ran, which had no permission to change it, and \d more/,
    );
    expect(house.where('bad')).toEqual(['review']);
    await house.run('trust');
    await house.run('run');
    const outcome = house.read('active_tasks/done/bad/attempts/0001/outcome.md');
    expect(outcome).toContain('.contracts/config.yaml');
    expect(outcome).toContain('.contracts/agents/builder.md');
  });

  test('a test that judges it: named in the receipt', async () => {
    const { house } = await runOne('mkdir -p tests; echo true > tests/one.sh; echo made > bad.txt');
    const review = readdirSync(house.path('active_tasks/done/bad/attempts')).find((name) =>
      house.exists(`active_tasks/done/bad/attempts/${name}/receipts.md`),
    );
    expect(house.read(`active_tasks/done/bad/attempts/${review}/receipts.md`)).toContain(
      'tests/one.sh',
    );
  });

  test('another task that is in review: a person is asked about its contract', async () => {
    const house = makeHouse();
    house.task('other', shellContract('other', { head: 'quality_gate: [person]' }));
    await house.run('run', '--only', 'other');
    expect(house.where('other')).toEqual(['review']);
    const edit = 'sed -i "s/test -s other.txt/test 1/" active_tasks/review/other/contract.md';
    await runOne(`echo made > bad.txt; ${edit}`, undefined, house);
    expect(house.where('other')).toEqual(['questions']);
  });

  test('the contract of a task that is not claimed yet: a person is asked about it', async () => {
    const house = makeHouse();
    house.task('later', shellContract('later', { head: 'depends_on: [bad]' }));
    await runOne(
      'echo made > bad.txt; sed -i "s/test -s later.txt/test 1/; s/deliverables.*/tags: [x]/" active_tasks/ready/later/contract.md',
      undefined,
      house,
    );
    expect(house.where('later')).toEqual(['questions']);
    expect(house.read('active_tasks/questions/later/questions.md')).toContain('-  - run: test -s');
  });

  test('NOT CAUGHT without a sandbox, but said: its own folder moved to done is done by hand, without receipts', async () => {
    const house = makeHouse();
    house.task(
      'bad',
      shellContract('bad', {
        sh: 'mv active_tasks/in_progress/bad active_tasks/done/bad; sleep 1000',
      }),
    );
    const { events } = await house.events('run');
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'moved_by_hand', task: 'bad', to: 'done' }),
    );
    const list = await house.run('list', '--all');
    expect(list.out).toContain('done by hand, no receipts');
    expect(house.where('good')).toEqual(['done']);
  });
});

describe('result says COMPLETE, nothing done; exit 0, nothing written; both questions and result; result of another task', () => {
  const config = 'adapters:\n  own: { type: command, run: [sh, agent.sh] }\n';
  async function agent(script: string, head = 'retries_max: 0\nreviews_max: 0') {
    const house = makeHouse({ config });
    house.write('agent.sh', script);
    return runOne('', `adapter: own\n${head}`, house);
  }
  const write = (text: string, name = 'result.md') =>
    `cat > "$CONTRACTS_OUT/${name}" <<'EOF'\n${text}EOF\n`;

  test.each([
    ['nothing done', write(TICKED('bad')), 'deliverable bad.txt is not there'],
    [
      'an empty deliverable',
      `: > bad.txt\n${write(TICKED('bad'))}`,
      'deliverable bad.txt is empty',
    ],
    ['exit 0, nothing written', 'true', 'no result'],
    ['an empty result', ': > "$CONTRACTS_OUT/result.md"', 'no result'],
    ['exit 3, nothing written', 'exit 3', 'exit 3, no result'],
    [
      'of another task',
      `echo made > bad.txt\n${write(`# Task Result: good\n\n${TICKED('bad')}`)}`,
      'result.md is of another task, good',
    ],
    [
      'a status that is a choice',
      `echo made > bad.txt\n${write(TICKED('bad').replace('COMPLETE', 'COMPLETE | FAILED'))}`,
      'no readable status',
    ],
    [
      'a status in two minds',
      `echo made > bad.txt\n${write(`---\nstatus: FAILED\n---\n${TICKED('bad')}`)}`,
      'no readable status',
    ],
    ['killed', 'kill -9 $$', 'signal 9'],
  ])('%s', async (_name, script, says) => {
    const { house, code } = await agent(script);
    expect(house.where('bad')).toEqual(['blocked']);
    expect(code).toBe(1);
    const told = ['blocked.md', 'review.md'].map((name) => `active_tasks/blocked/bad/${name}`);
    const words = told.filter((file) => house.exists(file)).map((file) => house.read(file));
    expect(words.join('\n')).toContain(says);
  });

  const UNTICKED: readonly (readonly [string, string, string])[] = [
    [
      'nothing ticked',
      TICKED('bad').replace('[x]', '[ ]'),
      'criterion 1 is not ticked, or is denied, in line ',
    ],
    [
      'another criterion ticked',
      '- Status: COMPLETE\n\n## Success Criteria\n',
      'criterion 1 has no box in result.md, under any heading',
    ],
    [
      'ticked in a fence',
      `- Status: COMPLETE\n\n\`\`\`\n${TICKED('bad').replace(/^- Status.*\n/, '')}\`\`\`\n`,
      'criterion 1 has no box in result.md, under any heading',
    ],
  ];
  test.each(UNTICKED)('%s, and the runner has seen it itself: done', async (_name, result) => {
    const { house, code } = await agent(`echo made > bad.txt\n${write(result)}`);
    expect([code, house.where('bad')]).toEqual([0, ['done']]);
    expect(house.read('active_tasks/done/bad/result.md')).toContain('- [x]');
  });
  test.each(UNTICKED)('%s, and no check says so: not done', async (_name, result, says) => {
    const house = makeHouse({ config });
    house.write(
      'agent.sh',
      `echo made > bad.txt\n${write(result.replace('passes', 'and it rhymes'))}`,
    );
    const head = 'adapter: own\nretries_max: 0\nreviews_max: 0';
    const criteria = '- [ ] `test -s bad.txt` and it rhymes';
    house.task('bad', shellContract('bad', { head, criteria }));
    await house.run('run', '--only', 'bad');
    expect(house.where('bad')).toEqual(['blocked']);
    expect(house.read('active_tasks/blocked/bad/review.md')).toContain(says);
  });

  test('both questions and result: the questions win, the result is kept and not judged', async () => {
    const questions = '# Questions\n\n## Questions\n\n1. Which one?\n';
    const { house, events } = await agent(
      `echo made > bad.txt\n${write(TICKED('bad'))}${write(questions, 'questions.md')}`,
    );
    expect(house.where('bad')).toEqual(['questions']);
    expect(JSON.stringify(events)).toContain('is kept, not judged');
    expect(house.exists('active_tasks/questions/bad/result.md')).toBe(false);
    expect(house.read('active_tasks/questions/bad/attempts/0001/desk/result.md')).toContain(
      'COMPLETE',
    );
  });

  test('a deliverable older than the claim', async () => {
    const house = makeHouse({ config });
    house.write('bad.txt', 'yesterday\n');
    house.write('agent.sh', write(TICKED('bad')));
    const { reason } = await runOne('', 'adapter: own\nretries_max: 0\nreviews_max: 0', house);
    expect(reason).toContain('has not changed since the task was claimed');
  });
});

describe('dependency on itself, on an aborted or unknown task, a cycle of 200', () => {
  test('on itself', async () => {
    const house = makeHouse();
    house.task('bad', shellContract('bad', { head: 'depends_on: [bad]' }));
    const { events, code } = await house.events('run');
    expect(waitsOf(events, 'bad')).toMatchObject({
      on: 'person',
      reason: 'depends on itself: bad → bad',
    });
    expect(code).toBe(1);
    expect(house.where('good')).toEqual(['done']);
  });

  test('on an unknown task', async () => {
    const house = makeHouse();
    house.task('bad', shellContract('bad', { head: 'depends_on: [good, gone]' }));
    const { events, code } = await house.events('run');
    expect(waitsOf(events, 'bad')).toMatchObject({
      on: 'person',
      reason: 'depends on gone, which does not exist',
    });
    expect(code).toBe(1);
    expect((await house.run('check')).out).toContain('active_tasks/ready/bad/contract.md:7:');
  });

  test('on an aborted task: blocked, with the words', async () => {
    const house = makeHouse();
    house.task('dropped', shellContract('dropped'), 'aborted');
    house.task('bad', shellContract('bad', { head: 'depends_on: [dropped]' }));
    const { code } = await house.events('run');
    expect(house.where('bad')).toEqual(['blocked']);
    expect(house.read('active_tasks/blocked/bad/blocked.md')).toContain(
      'dependency dropped is aborted',
    );
    expect(code).toBe(1);
    expect(house.where('good')).toEqual(['done']);
  });

  test('a cycle of 200, and what depends on it', async () => {
    const house = makeHouse();
    for (let n = 0; n < 200; n++)
      house.task(`c-${n}`, shellContract(`c-${n}`, { head: `depends_on: [c-${(n + 1) % 200}]` }));
    house.task('bad', shellContract('bad', { head: 'depends_on: [c-7]' }));
    const { events, code } = await house.events('run');
    const cycles = events.filter(
      (event) => event.event === 'waits' && event.reason.startsWith('depends on itself: c-'),
    );
    expect(cycles).toHaveLength(200);
    const whole = waitsOf(events, 'c-7')?.reason ?? '';
    expect(whole).toMatch(/^depends on itself: c-7 → c-8 → .* → c-6 → c-7$/);
    expect(whole.split(' → ')).toHaveLength(201);
    expect(waitsOf(events, 'bad')).toMatchObject({ on: 'task', reason: 'waits for c-7 (ready)' });
    expect(code).toBe(1);
    expect(house.where('good')).toEqual(['done']);
  });
});

test('the gate is the executor', async () => {
  const house = makeHouse();
  house.task('bad', shellContract('bad', { head: 'quality_gate: [builder]' }));
  await expectRefused(house, 'bad', {
    code: 'gate_is_executor',
    says: 'the gate would review its own work',
    line: 7,
  });
});
