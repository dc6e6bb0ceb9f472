/** The end of `run`: its words as a table; and, as real processes, what it sees of a person and of others. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeTally, type Ended } from '../../src/cli/output/ending.ts';
import type { Waits } from '../../src/cli/output/group-waiting.ts';
import { makeOutput } from '../../src/cli/output/output.ts';
import { realMachine } from '../../src/process/machine.ts';
import type { Event } from '../../src/task/core/lines/event.ts';
import { problem } from '../../src/task/core/model/problem.ts';
import { contracts, startContracts, type Started } from '../support/binary.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

const waits = (task: string, more: Partial<Waits> = {}): Waits => {
  const fix = `contracts answer ${task}`;
  const asks = { code: 'questions', on: 'person', reason: 'asks a question: How?', fix } as const;
  return { event: 'waits', task, state: 'questions', ...asks, ...more };
};
const draft = (task: string): Waits =>
  waits(task, { state: 'draft', code: 'unconfirmed', fix: `contracts confirm ${task}` });
const behind = (task: string): Waits =>
  waits(task, { state: 'ready', code: 'dependencies', on: 'task', reason: 'waits for a' });
const toDone = (task: string): Event => {
  return { event: 'moved', task, from: 'review', to: 'done', trigger: 'approved', reason: '' };
};
const paid = (cost_usd?: number, input_tokens?: number): Event => {
  const ended = {
    event: 'ended',
    task: 'a',
    attempt: 1,
    kind: 'work',
    nth: 1,
    outcome: 'complete',
  } as const;
  return {
    ...ended,
    reason: '',
    ...(cost_usd && { cost_usd }),
    ...(input_tokens && { input_tokens }),
  };
};
const badName: Event = {
  event: 'problem',
  problem: problem({ code: 'bad_id', file: 'active_tasks/ready/A b', message: 'no', fix: 'mv' }),
};
const noState: Event = {
  event: 'problem',
  problem: problem({ code: 'leftover', file: 'active_tasks/Ready', message: 'no', fix: 'mv' }),
};
const all = <T>(count: number, make: (id: string) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(`t${i}`));

function ending(
  happened: readonly Event[],
  waiting: readonly Waits[],
  json = false,
  more: Partial<Ended> = {},
): string[] {
  let said = '';
  let now_ms = 0;
  const streams = { out: (text: string) => void (said += text), err: () => undefined };
  const tally = makeTally(() => now_ms);
  for (const one of happened) tally.event(one);
  now_ms = 62_000;
  tally.end(makeOutput(streams, json), { waiting, ...more });
  return said.split('\n').slice(0, -1);
}

describe('the words', () => {
  const asks = (id: string): string =>
    `${id}  questions: asks a question: How?  → contracts answer ${id}`;
  const rows: [string, string[], string[]][] = [
    ['nothing happened', ending([], []), ['0 tasks done. Nothing waits for a person.']],
    ['a task in no state', ending([noState], []), ['1 error found; see above.']],
    ['done, by name', ending([toDone('a')], []), ['1 task done: a. Nothing waits for a person.']],
    [
      'many are done',
      ending(all(7, toDone), []),
      ['7 tasks done: t0, t1, t2, t3, t4 and 2 more. Nothing waits for a person.'],
    ],
    [
      'drafts and dependants have no line',
      ending([], [behind('b'), draft('d'), waits('q')]),
      [
        asks('q'),
        '1 task waits for others. 2 tasks wait for you. 1 of them is a draft: contracts confirm d',
      ],
    ],
    [
      'but each that was named',
      ending([], [behind('b')], false, { named: true }),
      ['b  ready: waits for a  → contracts answer b', '1 task waits for others.'],
    ],
    [
      'an error that was printed before',
      ending([badName, badName], []),
      ['1 error found; see above.'],
    ],
    [
      'questions before verdicts',
      ending([], [waits('r', { state: 'review', reason: 'waits' }), waits('q')]),
      [asks('q'), 'r  review: waits  → contracts answer r', '2 tasks wait for you.'],
    ],
    [
      'what clients reported',
      ending([paid(0.25, 1200), paid(0.5)], []),
      ['0 tasks done. Nothing waits for a person.', 'Used 1,200 tokens, $0.75 in 1m02s.'],
    ],
    [
      'a pause holds many back: one line',
      ending(
        [],
        all(30, (id) => waits(id, { state: 'ready', reason: 'paused', fix: 'resume' })),
      ),
      ['t0 and 29 more  ready: paused  → resume', '30 tasks wait for you.'],
    ],
    [
      'what is paused waits for one command',
      ending(
        [],
        all(3, (id) => waits(id, { state: 'ready', code: 'paused', reason: 'p', fix: 'resume' })),
      ),
      ['t0 and 2 more  ready: p  → resume', '3 tasks are paused.'],
    ],
    [
      'a host takes it',
      ending([], [waits('h', { state: 'ready', code: 'to_delegate', on: 'host' }), waits('q')]),
      [
        asks('q'),
        'h  ready: asks a question: How?  → contracts answer h',
        '1 task waits for a host. 1 task waits for you.',
      ],
    ],
    [
      'done and not merged',
      ending([toDone('a')], [], false, { unmerged: 2 }),
      ['1 task done: a. 2 done tasks not merged: contracts merge.'],
    ],
    [
      'others wait that were not run',
      ending([toDone('a')], [], false, { others: 1 }),
      ['1 task done: a. 1 other task waits for you: contracts list --waits-for me'],
    ],
    [
      'Ctrl-C',
      ending([], [], false, { stopped: true }),
      ['Stopped by you; contracts run continues.'],
    ],
  ];
  test.each(rows)('%s', (_, lines, expected) => expect(lines).toEqual(expected));

  test('22 tasks that wait are seven lines', () => {
    const lines = ending([], [...all(13, waits), ...all(6, behind), ...all(3, draft)]);
    expect(lines.slice(0, 5)).toEqual(all(5, asks));
    expect(lines.slice(5)).toEqual([
      'and 8 more: contracts list --waits-for me',
      '6 tasks wait for others. 16 tasks wait for you. 3 of them are drafts: contracts list --state draft',
    ]);
  });
});

test('for programs it is one line: what is done, what waits, and the next command', () => {
  const [line = '', ...more] = ending([toDone('a')], [behind('b'), waits('q')], true);
  expect(more).toEqual([]);
  const next = 'contracts answer q';
  const nothing = { files: 0, checks_passed: 0, sent_back: [] };
  const ends = { v: 1, event: 'ending', done: ['a'], waits: [waits('q')], behind: 1, next };
  expect(JSON.parse(line)).toEqual({ ...ends, ...nothing });
});

describe('as real processes', () => {
  let root: string;
  const started: Started[] = [];
  beforeEach(async () => {
    root = sealedFolder('ending');
    await contracts(root, ['init']);
  });
  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.splice(0).map(({ ended }) => ended));
  });

  const run = (...args: string[]): Started => {
    const one = startContracts(root, ['run', ...args]);
    started.push(one);
    return one;
  };
  const at = (place: string): string => join(root, 'active_tasks', place);
  function ready(id: string, steps: string, head = ''): void {
    const check = `run: test -s ${id}.txt`;
    mkdirSync(at(`ready/${id}`));
    writeFileSync(
      at(`ready/${id}/contract.md`),
      `---\ntitle: ${id}\n${head}verify: ["${check}"]\n---\n\n## Success Criteria\n\n- [ ] ${check}\n\n## Steps\n\n\`\`\`sh\n${steps}\necho x > ${id}.txt\n\`\`\`\n`,
    );
  }
  const SLOW = 'touch working; until [ -e end ]; do sleep 0.02; done';
  const ASKS =
    'if [ ! -e "$CONTRACTS_OUT/previous/questions.md" ]; then printf "## Questions\\n\\n1. How?\\n" > "$CONTRACTS_OUT/questions.md"; exit; fi';

  test('an answer is taken up while another agent works; a second run says who works', async () => {
    ready('slow', SLOW);
    ready('asks', ASKS);
    const first = run();
    await until(() => existsSync(at('questions/asks/questions.md')));
    expect(await contracts(root, ['answer', 'asks', 'So.'])).toMatchObject({ code: 0 });
    await until(() => existsSync(at('done/asks')));
    expect(existsSync(at('in_progress/slow'))).toBe(true);
    const second = run();
    await until(() => second.stdout().includes('Another runner works on slow.'));
    writeFileSync(join(root, 'end'), '');
    expect(await first.ended).toMatchObject({ code: 0 });
    const { code, stdout } = await second.ended;
    expect({ code, times: stdout.split('Another runner').length - 1 }).toEqual({
      code: 0,
      times: 1,
    });
  });

  test('of one task it says what waits of the others', async () => {
    ready('stuck', '', 'depends_on: [nowhere]\n');
    ready('fine', 'true');
    const { code, stdout } = await run('fine').ended;
    expect({ code, last: stdout.split('\n').at(-2) }).toEqual({
      code: 0,
      last: '1 task done: fine. 1 file changed, 1 check passed. 1 other task waits for you: contracts list --waits-for me',
    });
  });

  test('do of a task that must wait for another one says for which, and is not 0', async () => {
    const made = (id: string) =>
      contracts(root, [
        'do',
        id,
        '--id',
        id,
        '--deliverable',
        'a.txt',
        '--gate',
        'person',
        '--sh',
        `echo ${id} > a.txt`,
      ]);
    expect(await made('one')).toMatchObject({ code: 1 });
    const { code, stdout } = await made('two');
    const verdict = 'contracts approve one, or needs-work, or reject';
    expect({ code, last: stdout.split('\n').slice(-3, -1) }).toEqual({
      code: 1,
      last: [
        `two  ready: waits for one, which writes a.txt too; one waits for a verdict in review.md  → ${verdict}`,
        '1 task waits for others. 1 other task waits for you: contracts list --waits-for me',
      ],
    });
    const { stdout: lines } = await run('two', '--json').ended;
    expect(JSON.parse(lines.split('\n').at(-2) ?? '')).toMatchObject({
      event: 'ending',
      done: [],
      waits: [{ task: 'two', code: 'same_file', on: 'task', behind: 'one', fix: verdict }],
      next: verdict,
    });
  });

  test('do is not 0 when its task was given up meanwhile', async () => {
    const gives_up = 'mv active_tasks/in_progress/one active_tasks/aborted/';
    const { code, stdout } = await contracts(root, ['do', 'One', '--id', 'one', '--sh', gives_up]);
    expect(existsSync(at('aborted/one')), stdout).toBe(true);
    expect(code, stdout).toBe(1);
  });

  test('a folder with a name that no task may have is counted, and a name is proposed', async () => {
    mkdirSync(at('ready/Fix the Login Page'));
    const { code, stdout } = await run().ended;
    expect(code).toBe(1);
    expect(stdout).toContain('Rename it to fix-the-login-page');
    expect(stdout.split('\n').at(-2)).toBe('1 error found; see above.');
  });

  test('pause --stop ends a running agent; that counts as no try', async () => {
    ready('slow', SLOW);
    const one = run();
    await until(() => existsSync(join(root, 'working')));
    await contracts(root, ['pause', '--stop', 'lunch']);
    const { code, stdout } = await one.ended;
    expect(stdout).toContain('slow  ready: everything is paused: lunch  → contracts pause --end');
    expect(code).toBe(1);
    const outcome = readFileSync(at('ready/slow/attempts/0001/outcome.md'), 'utf8');
    expect(outcome).toMatch(/^outcome: interrupted\ncode: stopped$/m);
    writeFileSync(join(root, 'end'), '');
    await contracts(root, ['pause', '--end']);
    expect(await run().ended).toMatchObject({ code: 0 });
  });

  // The runner is killed with -9; `dies`: then its agent too.
  test.each([false, true])(
    'note --now to an attempt without a runner (agent dies: %s)',
    async (dies) => {
      ready('slow', `echo $$ > pid; ${SLOW}`, 'retries_max: 0\n');
      const one = run();
      await until(() => existsSync(join(root, 'working')));
      const pid = Number(readFileSync(join(root, 'pid'), 'utf8'));
      one.child.kill('SIGKILL');
      expect(await one.ended).toMatchObject({ signal: 'SIGKILL' });
      const isAlive = (): boolean => realMachine().identify(pid) !== undefined;
      onTestFinished(() => void (isAlive() && process.kill(pid, 'SIGKILL')));
      expect(isAlive()).toBe(true);
      if (dies) {
        process.kill(pid, 'SIGKILL');
        await until(() => !isAlive());
      }
      const noted = await contracts(root, ['note', 'slow', 'In English, please', '--now']);
      expect(noted).toMatchObject({ code: 0, stderr: '' });
      expect(noted.stdout).toContain('The attempt is stopped, and does not count.');
      expect(isAlive()).toBe(false);
      writeFileSync(join(root, 'end'), '');
      const { code, stdout } = await run().ended;
      expect(code, stdout).toBe(0);
      expect(stdout).toContain('try 1: interrupted, stopped before it ended');
      const brief = readFileSync(at('done/slow/attempts/0003/desk/brief.md'), 'utf8');
      expect(brief).toContain('In English, please');
    },
  );

  test('a reason that is a line stop is told as the stop that it is', async () => {
    for (const reason of ['stop', 'lunch\nstop']) {
      const { stdout } = await contracts(root, ['pause', reason]);
      expect(stdout).toContain('Running agents are stopped');
    }
    const { stdout } = await contracts(root, ['pause', 'stop for lunch']);
    expect(stdout).toContain('Running agents finish');
  });

  test.each([true, false])('Ctrl-C says how it is now (answered: %s)', async (answered) => {
    ready('asks', ASKS, 'priority: high\n');
    ready('slow', SLOW);
    const one = run('--parallel', '1');
    await until(() => existsSync(join(root, 'working')));
    if (answered) await contracts(root, ['answer', 'asks', 'So.']);
    one.child.kill('SIGINT');
    const { code, stdout } = await one.ended;
    expect(code).toBe(130);
    expect(stdout.includes('contracts answer asks')).toBe(!answered);
  });
});
