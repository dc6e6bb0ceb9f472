/**
 * The surface of the command: exit codes, help, JSON, refusals, escaping. In-process through `main`
 * with streams of the test; where the process itself matters (signals, colour), the built command.
 */
import { execFile, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/frame.ts';
import { main } from '../../src/cli/startup/program.ts';
import { checkedLines } from '../support/json-lines.ts';
import { BINARY as built } from '../support/binary.ts';
import { LOOK_AFTER, SEE } from '../../src/cli/startup/look-verbs.ts';
import { ANSWER, BEGIN, MOVE_ON } from '../../src/cli/startup/work-verbs.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { VERBS } from '../support/verbs.ts';
import { saidHere } from '../support/command-room.ts';

let room: string;
beforeEach(() => void (room = sealedFolder('cli')));

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** In this process, in the workspace of the test. */
const contracts = async (...argv: string[]): Promise<Said> => saidHere(['-C', room, ...argv]);

const SHELL = 'run: test -s made.txt';

function contract(head: string, steps = 'echo x > made.txt'): string {
  return `---\ntitle: A task\nverify: ["${SHELL}"]\n${head}---\n\n## Success Criteria\n\n- [ ] ${SHELL}\n\n## Steps\n\n\`\`\`sh\n${steps}\n\`\`\`\n`;
}

const ASKS = 'printf \'## Questions\\n\\n1. Which?\\n\' > "$CONTRACTS_OUT/questions.md"';
const FAILS = 'exit 1';

/** Makes a task that stands ready to run. */
async function ready(id: string, head = '', steps?: string): Promise<void> {
  fs.writeFileSync(join(room, `${id}.md`), contract(head, steps));
  expect(await contracts('new', '--from', join(room, `${id}.md`), '--id', id)).toMatchObject({
    code: 0,
  });
  expect((await contracts('confirm', id)).code).toBe(0);
}

const verbs = VERBS.map((entry) => entry.name);

describe('exit codes', () => {
  test('0: a task comes to done and nobody is needed', async () => {
    await contracts('init');
    await ready('fine');
    const said = await contracts('run');
    expect(said).toMatchObject({ code: EXIT.fine, err: '' });
    expect(said.out).toContain('fine  review → done');
    expect(said.out).toContain(
      '1 task done: fine. 1 file changed, 1 check passed. Nothing waits for a person.',
    );
  });

  test('1: run stopped because a person is needed', async () => {
    await contracts('init');
    await ready('asks', '', ASKS);
    const said = await contracts('run');
    expect(said.code).toBe(EXIT.people);
    expect(said.out).toContain('contracts answer asks');
    expect((await contracts('step')).code).toBe(EXIT.fine);
  });

  test('3: a fault of the environment, a check whose program is missing', async () => {
    await contracts('init');
    await ready('odd', '', 'true');
    fs.writeFileSync(
      join(room, 'active_tasks/ready/odd/contract.md'),
      contract('').replaceAll('test -s made.txt', 'no-such-program-xyz'),
    );
    const said = await contracts('run');
    expect(said.code).toBe(EXIT.fault);
    expect(said.out).toContain('needs no-such-program-xyz, which is not installed here');
    expect(said.out).toContain('Install it');
    expect(said.out).toMatch(/ 1 fault met; see above\.$/m);
  });

  test('3: a folder of states that cannot be made, and the words name the cause', async () => {
    fs.mkdirSync(join(room, 'active_tasks'));
    fs.writeFileSync(join(room, 'active_tasks/draft'), 'a file, not a folder');
    const said = await contracts('new', 'A title', '--adapter', 'human');
    expect(said.code).toBe(EXIT.fault);
    expect(said.err).toMatch(/^fault: .*active_tasks\/draft/);
  });

  test('70: a mistake of ours says so, with its trace', async () => {
    let err = '';
    const broken = {
      out: () => {
        throw new TypeError('planted');
      },
      err: (text: string) => void (err += text),
    };
    await contracts('init');
    expect(await main(['-C', room, 'list'], broken)).toBe(EXIT.bug);
    expect(err).toContain('This is a bug of contracts');
    expect(err).toContain('TypeError: planted');
    expect(err).toContain('cli.test.ts');
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '130: %s stops the agent, records the attempt, and the next run goes on',
    async (signal) => {
      await contracts('init');
      const script = 'if [ -e started ]; then echo x > made.txt; else touch started; sleep 600; fi';
      await ready('long', '', script);
      const child = spawn(process.execPath, [built, '-C', room, 'run'], { stdio: 'ignore' });
      const ended = new Promise<number | null>((done) => child.once('close', done));
      await appears('started');
      child.kill(signal);
      expect(await ended).toBe(EXIT.interrupted);
      expect((await contracts('list')).out).toMatch(/^ready .*long/m);
      expect((await contracts('run')).code).toBe(EXIT.fine);
      expect((await contracts('list', '--state', 'done', '--ids')).out).toBe('long\n');
    },
  );

  test('130: Ctrl-C while the runner itself checks what the steps made counts for nothing', async () => {
    await contracts('init');
    fs.writeFileSync(join(room, 'check.sh'), 'test -e again || { touch checking; sleep 600; }\n');
    const text = contract('retries_max: 0\n').replaceAll(SHELL, 'run: sh check.sh');
    fs.writeFileSync(join(room, 'checked.md'), text);
    expect(
      (await contracts('new', '--from', join(room, 'checked.md'), '--id', 'checked')).code,
    ).toBe(0);
    expect((await contracts('confirm', 'checked')).code).toBe(0);
    for (const attempt of ['0001', '0002']) {
      fs.rmSync(join(room, 'checking'), { force: true });
      const child = spawn(process.execPath, [built, '-C', room, 'step'], { stdio: 'ignore' });
      const ended = new Promise<number | null>((done) => child.once('close', done));
      await appears('checking');
      child.kill('SIGINT');
      expect(await ended).toBe(EXIT.interrupted);
      const outcome = join(room, 'active_tasks/ready/checked/attempts', attempt, 'outcome.md');
      expect(fs.readFileSync(outcome, 'utf8')).toMatch(/^outcome: interrupted$/m);
    }
    fs.writeFileSync(join(room, 'again'), '');
    expect((await contracts('run')).code).toBe(EXIT.fine);
    expect((await contracts('list', '--state', 'done', '--ids')).out).toBe('checked\n');
  });
});

/** Waits for a file in the room; the test's own time limit is the deadline. */
async function appears(name: string): Promise<void> {
  const watcher = fs.watch(room);
  try {
    await new Promise<void>((seen) => {
      const look = (): void => {
        if (fs.readdirSync(room).includes(name)) seen();
      };
      watcher.on('change', look);
      look();
    });
  } finally {
    watcher.close();
  }
}

test('in a pipe a long name of an agent keeps the columns even', async () => {
  await contracts('init');
  const config =
    'agents: { a-long-name-of-an-agent-of-mine: { adapter: shell, description: x } }\n';
  fs.writeFileSync(join(room, '.contracts/config.yaml'), config);
  for (const [id, ...who] of [['one', '--agent', 'a-long-name-of-an-agent-of-mine'], ['two']])
    await contracts('new', 'T', '--id', `${id}`, ...who, '--sh', 'true', '--run', 'true');
  const { out } = await contracts('list');
  const at = out
    .trimEnd()
    .split('\n')
    .map((line) => line.indexOf('not confirmed yet'));
  expect(at).toEqual([at[0], at[0]]);
  expect(at[0]).toBeGreaterThan(0);
});

describe('usage is refused with 2', () => {
  test.each([
    [['stpe'], 'Did you mean step?'],
    [['lsit'], 'Did you mean list?'],
    [['urn'], 'Did you mean run?'],
    [['reviw'], 'Did you mean review?'],
    [['approbe'], 'Did you mean approve?'],
    [['delete', 'x'], 'Did you mean abort or archive?'],
    [['rm', 'x'], 'Did you mean abort or archive?'],
    [['stop'], 'Did you mean pause or abort?'],
    [['serve'], 'Did you mean list --board, watch or review?'],
    [['tui'], 'Did you mean list --board, watch or review?'],
    [['search', 'x'], 'Did you mean list --search?'],
    [['diff', 'x'], 'Did you mean show or review?'],
    [['start'], 'Did you mean do, or run?'],
    [['done', 'x'], 'Did you mean approve?'],
    [['restart', 'x'], 'Did you mean retry?'],
    [['login'], 'Did you mean agents?'],
    [['resolve', 'x', 'so'], 'It is now: contracts retry ID "…"'],
    [['list', '--sort', 'age'], 'It is now: contracts list'],
    [['foo', '--help'], "unknown command 'foo'"],
    [['plan', 'strat'], 'Did you mean start?'],
    [['step', '--paralel', '2'], 'Did you mean --parallel?'],
    [['run', '--jsn'], 'Did you mean --json?'],
    [['new', 'A', '--quality-gate', 'person'], 'unknown option'],
    [['confirm'], "missing required argument 'id'"],
    [['answer', 'x'], "missing required argument 'text'"],
    [['step', '--parallel', '0'], 'a number from 1 to 64'],
    [['step', '--parallel', 'many'], 'a number from 1 to 64'],
    [['status', 'surplus'], 'too many arguments'],
    [['answer', 'x', '2', 'yes'], 'Give it: contracts answer ID -q 2 "…"'],
    [['answer', 'x', 'use', 'it'], 'Give it: contracts answer ID "…"'],
  ])('contracts %j', async (argv, words) => {
    await contracts('init');
    const said = await contracts(...argv);
    expect(said.code).toBe(EXIT.usage);
    expect(said.out).toBe('');
    expect(said.err).toContain(words);
    expect(said.err).toMatch(/See: contracts (\S+ )?--help\n/);
  });
});

test('without a verb it is status in a workspace, and the help elsewhere', async () => {
  const help = await contracts('--help');
  expect(await contracts()).toEqual(help);
  expect(values((await contracts('--json')).out)).toMatchObject([{ workspace: '' }]);
  await contracts('init');
  const status = await contracts('status');
  expect(status.out).toContain('Nothing needs you');
  expect(await contracts()).toEqual(status);
  expect((await contracts('--frm')).err).toContain('unknown option');
});

/** What is asked, and the next useful command that the refusal must name. */
const REFUSALS: readonly (readonly [readonly string[], string])[] = [
  [['show', 'nope'], 'contracts list'],
  [['confirm', 'nope'], 'contracts list'],
  [['confirm', '../etc'], 'contracts list'],
  [['answer', 'nope', 'yes'], 'contracts list'],
  [['note', 'nope', 'hi'], 'contracts list'],
  [['step', '--only', 'nope'], 'contracts list'],
  [['run', '--only', 'nope'], 'contracts list'],
  [['delegate', 'nope'], 'contracts list'],
  [['collect', 'nope'], 'contracts list'],
  [['answer', 'draft', 'yes'], 'contracts show draft'],
  [['approve', 'draft'], 'contracts show draft'],
  [['needs-work', 'draft', 'no'], 'contracts show draft'],
  [['reject', 'draft', 'no'], 'contracts show draft'],
  [['retry', 'draft', 'so'], 'contracts show draft'],
  [['retry', 'draft'], 'contracts show draft'],
  [['step', '--explain', 'no-such'], 'contracts list'],
  [['delegate', 'draft'], 'contracts show draft'],
  [['collect', 'draft'], 'contracts delegate draft'],
  [['new'], 'contracts new'],
  [['new', ''], 'contracts new'],
  [['new', ' \t'], 'contracts new'],
  [['new', '--from', 'no-such-file.md'], 'contracts new'],
  [['new', '--from', '/'], 'contracts new'],
  [['new', '--from', '/etc/passwd/x'], 'contracts new'],
  [['new', 'Two', '--from', 'no-such-file.md'], 'contracts new'],
  [['new', 'Again', '--id', 'draft'], 'contracts show draft'],
  [['new', 'Bad', '--id', 'Not An Id'], 'contracts new'],
  [['list', '--state', 'doing'], 'contracts list --state'],
];

describe('a refusal ends with 2 and names the next useful command', () => {
  test.each(REFUSALS)('contracts %j', async (argv, next) => {
    await contracts('init');
    await contracts('new', 'A draft', '--id', 'draft', '--run', 'true', '--sh', 'true');
    const said = await contracts(...argv);
    expect(said.code).toBe(EXIT.usage);
    expect(said.err).toContain(next);
    expect(said.out).toBe('');
    const json = await contracts(...argv, '--json');
    expect(json.code).toBe(EXIT.usage);
    expect(json.err).toBe('');
    const [line] = values(json.out);
    expect(line).toMatchObject({ v: 1, event: 'problem', problem: { severity: 'error' } });
    expect(JSON.stringify(line)).toContain(next);
  });

  test('where no workspace is', async () => {
    const said = await contracts('list');
    expect(said.code).toBe(EXIT.usage);
    expect(said.err).toContain('Create one: contracts init');
  });
});

const OTHERS = 'For hosts, scripts and shells';

describe('help', () => {
  const namesIn = (out: string): readonly string[] =>
    [...out.matchAll(/^ {2}([a-z-]+)(?: \[verb\])? {2,}/gm)].flatMap(([, name]) => name ?? []);

  test('names twelve verbs, and all of them with --all', async () => {
    const { code, out } = await contracts('--help');
    expect(code).toBe(0);
    const twelve = 'init do new run retry review answer approve status list show doctor help'.split(
      ' ',
    );
    expect(namesIn(out)).toEqual(twelve);
    expect(out).toContain('--all: all commands');
    const all = await contracts('help', '--all');
    expect(all.code).toBe(0);
    expect(namesIn(all.out).toSorted()).toEqual([...verbs, 'help'].toSorted());
    expect(await contracts('--help', '--all')).toEqual(all);
  });

  test('verbs for people are in six groups, and at most thirty-seven', async () => {
    const { out } = await contracts('help', '--all');
    const headings = [...out.matchAll(/^([A-Z][a-z, ]+):$/gm)].map(([, heading]) => heading);
    const groups = ['Work', 'Answer', 'See', 'Many', 'In and out', 'Look after'];
    expect(headings).toEqual(['Options', ...groups, OTHERS, 'A first walk']);
    const known = [BEGIN, MOVE_ON, ANSWER, SEE, LOOK_AFTER].flatMap(Object.keys);
    expect(verbs).toEqual(expect.arrayContaining(known));

    const [forPeople = '', others = ''] = out.split(`\n${OTHERS}:\n`);
    expect(namesIn(forPeople).length).toBeLessThanOrEqual(40);
    expect(namesIn(others)).toEqual([
      'route',
      'mcp',
      'worker',
      'delegate',
      'collect',
      'completion',
    ]);
  });

  test.each(
    'deletes serves gate help-gate exit lint last vote match node test build move reset merg3 plann1ng'
      .split(' ')
      .map((word) => [word]),
  )('no verb of another meaning is proposed for %s', async (word) => {
    for (const argv of [[word], ['help', word], ['squad', word], ['plan', word]]) {
      const { code, err } = await contracts(...argv);
      expect(err, argv.join(' ')).not.toContain('Did you mean');
      expect(code).toBe(EXIT.usage);
    }
  });

  test('a misspelt verb is matched with all of them', async () => {
    expect((await contracts('delegat')).err).toContain('Did you mean delegate?');
  });

  test.each(verbs)('%s shows an example of itself', async (verb) => {
    const { code, out } = await contracts(verb, '--help');
    expect(code).toBe(0);
    const lines = out.slice(out.indexOf('\nExample:\n')).trim().split('\n').slice(1);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(new RegExp(`^  contracts ${verb}\\b`));
    expect(out).toContain('--json');
  });

  test('list: the help explains the marks', async () => {
    const { out } = await contracts('list', '--help');
    expect(out).toContain('! needs you, ↑ critical or high priority, ↓ low priority');
  });

  test('the version is the package’s', async () => {
    const { code, out } = await contracts('--version');
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

/** Each is held against the JSON Schema of the package. */
const values: (out: string) => unknown[] = checkedLines;

test('with --json every verb says one JSON value a line, each with v', async () => {
  const seen = new Set<string>();
  const json = async (...argv: string[]): Promise<void> => {
    const said = await contracts(...argv, '--json');
    expect(said.err, argv.join(' ')).toBe('');
    const lines = values(said.out);
    expect(lines.length, argv.join(' ')).toBeGreaterThan(0);
    for (const line of lines) expect(line, argv.join(' ')).toMatchObject({ v: 1 });
    if (argv[0] !== 'help') seen.add(argv[0] ?? '');
  };
  await json('init');
  await json('trust');
  await json('new', 'A draft', '--id', 'drafted', '--run', 'true', '--sh', 'true');
  await json('review');
  await json('do', 'At once', '--run', 'true', '--sh', 'true');
  process.env['VISUAL'] = 'true';
  await json('edit', 'drafted');
  delete process.env['VISUAL'];
  await json('pause');
  await json('pause', '--end');
  await json('ask', 'drafted');
  await json('confirm', 'drafted');
  await json('note', 'drafted', 'look', '--now');
  await json('step', '--dry-run');
  await json('step', '--explain', 'drafted');
  await json('step');
  await json('show', 'drafted');
  await json('show', 'drafted', '--brief');
  await ready(
    'asks',
    'quality_gate: person\n',
    `[ -e asked ] || { touch asked; ${ASKS}; }
[ -e "$CONTRACTS_OUT/questions.md" ] || echo x >> made.txt`,
  );
  await json('run');
  await json('answer', 'asks', 'this');
  await json('run');
  await json('needs-work', 'asks', 'more');
  await json('run');
  await json('approve', 'asks');
  await json('run');
  await json('undo', 'asks');
  await json('retry', 'asks', '--again');
  await json('abort', 'asks');
  await ready('stuck', 'retries_max: 0\n', FAILS);
  await json('run');
  await json('logs', 'stuck');
  await json('retry', 'stuck', 'again');
  await json('run');
  await json('retry', 'stuck');
  await ready('asked', 'quality_gate: person\n');
  await json('run', '--only', 'asked');
  await json('reject', 'asked', 'no');
  await ready('away', 'adapter: host\n');
  await json('delegate', 'away');
  fs.writeFileSync(
    join(room, 'active_tasks/.desk/away.0001/result.md'),
    `- Status: COMPLETE\n\n## Success Criteria\n\n- [x] ${SHELL}\n`,
  );
  await json('collect', 'away');
  await json('doctor', '--recover', 'elsewhere');
  const untilCtrlC = async (...argv: string[]): Promise<void> => {
    const before = process.listenerCount('SIGINT');
    const running = json(...argv);
    while (process.listenerCount('SIGINT') === before) await new Promise(setImmediate);
    // For it alone.
    process.listeners('SIGINT').at(-1)?.('SIGINT');
    await running;
  };
  await untilCtrlC('watch', '--poll');
  await untilCtrlC('ui', '--no-open');
  await json('report', '--markdown');
  await json('agents');
  await json('route', 'review my diff');
  await json('team', 'list');
  await json('squad', 'list');
  fs.mkdirSync(join(room, '.contracts/plans/launch'), { recursive: true });
  fs.writeFileSync(join(room, '.contracts/plans/launch/plan.md'), '# Launch\n\n- [ ] Say hello\n');
  await json('plan', 'list');
  fs.writeFileSync(join(room, 'todo.md'), '- [ ] Say it again\n');
  await json('import', 'todo.md');
  await json('export', '--to', 'csv');
  await json('memory', 'add', 'Say hello in English');
  await json('status', '--stats');
  await json('merge', '--dry-run');
  await json('archive', 'asked', '--dry-run');
  await json('archive', 'asked');
  await json('list', '--all');
  await json('list', '--board');
  await json('list', '--graph');
  await json('wait', '--timeout', '1ms');
  await json('status');
  await json('status', '--write');
  await json('check');
  await json('doctor');
  await json('help', 'states');
  await json('completion', 'fish');
  // The server speaks a protocol of its own, the demo starts commands (test/demo), and a worker needs a queue
  // (test/machines).
  const apart = new Set(['mcp', 'demo', 'worker']);
  expect([...seen].sort()).toEqual(verbs.filter((name) => !apart.has(name)).toSorted());
});

const HOSTILE = '\u001b]0;owned\u0007\u009b2J\u202egnp.exe\u2028\r';
const DRIVES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe('what others wrote never drives the terminal', () => {
  test('titles, questions and findings, in words and as JSON', async () => {
    await contracts('init');
    const asks = `printf '## Questions\\n\\n1. Which \\033[2J\\342\\200\\256 one?\\n' > "$CONTRACTS_OUT/questions.md"; printf '\\033[2Jlog\\n'`;
    await ready('bad', '', asks);
    fs.writeFileSync(
      join(room, 'active_tasks/ready/bad/contract.md'),
      contract('', asks).replace('title: A task', `title: ${JSON.stringify(`A ${HOSTILE} task`)}`),
    );
    for (const argv of [['run'], ['list'], ['show', 'bad'], ['doctor'], ['step']]) {
      for (const how of [[], ['--json']]) {
        const { out, err } = await contracts(...argv, ...how);
        for (const line of `${out}${err}`.split('\n')) {
          expect(line, [...argv, ...how].join(' ')).not.toMatch(DRIVES);
        }
      }
    }
    expect((await contracts('show', 'bad')).out).toContain('\\x1b]0;owned');
    expect((await contracts('list')).out).toContain('Which \\x1b[2J\\u202e one?');
    const [task] = values((await contracts('list', '--json')).out) as [{ title: string }];
    expect(task.title).toContain('\u001b]0;owned');
  });

  test('names of files and of arguments', async () => {
    await contracts('init');
    fs.mkdirSync(join(room, 'active_tasks/ready', '\u001b[2Jfolder'));
    for (const argv of [
      ['list'],
      ['doctor'],
      ['show', HOSTILE],
      ['new', '--from', HOSTILE],
      ['new', 'x', '--id', HOSTILE],
      ['list', '--state', HOSTILE],
      ['step', '--only', HOSTILE],
      [HOSTILE],
      ['list', `--${HOSTILE}`],
    ]) {
      const { out, err } = await contracts(...argv);
      for (const line of `${out}${err}`.split('\n')) expect(line, argv[0]).not.toMatch(DRIVES);
      expect(`${out}${err}`, argv[0]).toMatch(/\\(?:x|u00)1b/);
    }
  });
});

describe('colour', () => {
  const list = (env: Record<string, string>): Promise<string> =>
    new Promise((done, fail) => {
      const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
      const options = { env: { ...rest, ...env } };
      execFile(process.execPath, [built, '-C', room, 'list'], options, (error, out) =>
        error === null ? done(out) : fail(error),
      );
    });

  test('is there when it is asked for, not with NO_COLOR, not in a pipe', async () => {
    await contracts('init');
    await ready('plain');
    expect(await list({ FORCE_COLOR: '1' })).toContain('\u001b[36mready');
    expect(await list({ NO_COLOR: '1' })).toMatch(/^ready .* plain/);
    expect(await list({})).toMatch(/^ready .* plain/);
    expect(await list({ CI: 'true' })).toMatch(/^ready .* plain/);
  });
});

describe('whoever reads the output may stop', () => {
  /** Through a real pipe whose reader ends after one line, or before any. */
  const piped = (script: string): Promise<{ out: string; err: string; code: string }> =>
    new Promise((done, fail) => {
      const argv = ['-c', script, 'sh', process.execPath, built, room];
      execFile('sh', argv, (error, out, err) => {
        if (error !== null) return fail(error);
        done({ out, err, code: fs.readFileSync(join(room, 'code'), 'utf8').trim() });
      });
    });
  const muted = (argv: string, reader: string): ReturnType<typeof piped> =>
    piped(`{ "$1" "$2" -C "$3" ${argv}; echo $? > "$3/code"; } | ${reader}`);

  test.each(['list --ids', 'list', 'list --json', 'check', 'help states'])('%s', async (argv) => {
    await contracts('init');
    for (const id of ['one', 'two', 'three']) await ready(id);
    for (const reader of ['head -1', 'true']) {
      const { err, code } = await muted(argv, reader);
      expect(err).toBe('');
      expect(code).toBe('0');
    }
  });

  test('run goes on to the end', async () => {
    await contracts('init');
    // Closed for certain when the second task is told: the reader has ended by then.
    const waits = 'until [ -e closed ]; do sleep 0.05; done; echo x > made.txt';
    await ready('one', '', waits);
    await ready('two', 'depends_on: [one]\n', 'echo xx > made.txt');
    const { out, err, code } = await muted('run', '{ head -1; exec <&-; touch "$3/closed"; }');
    expect(out).toContain('one');
    expect({ err, code }).toEqual({ err: '', code: '0' });
    expect((await contracts('list', '--state', 'done', '--ids')).out).toBe('one\ntwo\n');
  });

  test('problems on a closed stderr', async () => {
    await contracts('init');
    const { code } = await piped(
      '{ { "$1" "$2" -C "$3" confirm a b c d; echo $? > "$3/code"; } 2>&1 >/dev/null; } | true',
    );
    expect(code).toBe('2');
  });
});

describe('a contract that no agent can be called for', () => {
  test('new says what to correct first, confirm refuses, and mv by hand still works', async () => {
    await contracts('init');
    fs.writeFileSync(join(room, 'odd.md'), contract('agent: nobody\n'));
    const made = await contracts('new', '--from', join(room, 'odd.md'), '--id', 'odd');
    expect(made.code).toBe(0);
    expect(made.err).toContain('error: this agent does not exist');
    const file = 'active_tasks/draft/odd/contract.md';
    expect(made.err).toContain(`Next: correct ${file}, then contracts confirm odd\n`);
    const refused = await contracts('confirm', 'odd');
    expect(refused).toMatchObject({ code: EXIT.usage, out: '' });
    expect(refused.err).toContain(`${file}:`);
    expect(refused.err).toContain('this agent does not exist');
    expect((await contracts('list', '--state', 'draft', '--ids')).out).toBe('odd\n');
    fs.renameSync(join(room, 'active_tasks/draft/odd'), join(room, 'active_tasks/ready/odd'));
    expect((await contracts('run')).out).toContain('this agent does not exist');
  });

  test('a dependency that is a draft does not hinder confirm, one that is nowhere does', async () => {
    await contracts('init');
    await contracts('new', 'A', '--id', 'not_yet', '--sh', 'true');
    await contracts('new', 'B', '--id', 'b', '--sh', 'true', '--depends-on', 'nowhere');
    const said = await contracts('confirm', 'b');
    expect(said.code).toBe(2);
    expect(said.err).toContain('error: depends on a task that does not exist');
    await ready('later', 'depends_on: [not_yet]\ncontext_files: [not-yet.md]\n');
    expect((await contracts('list', '--state', 'ready', '--ids')).out).toBe('later\n');
  });

  test('confirm warns of a dependency that is aborted, in the line that names it', async () => {
    await contracts('init');
    for (const id of ['gone', 'waits']) await contracts('new', 'A', '--id', id, '--sh', 'true');
    await contracts('abort', 'gone');
    const named = ['--depends-on', 'waits', '--depends-on', 'gone'];
    await contracts('new', 'Last', '--id', 'last', '--run', 'true', '--sh', 'true', ...named);
    const said = await contracts('confirm', 'last');
    expect(said).toMatchObject({ code: 0, out: 'last  draft → ready\nNext: contracts run\n' });
    const lines = fs
      .readFileSync(join(room, 'active_tasks/ready/last/contract.md'), 'utf8')
      .split('\n');
    const at = (id: string): string =>
      `active_tasks/ready/last/contract.md:${lines.findIndex((line) => line.trim() === `- ${id}`) + 1}:1`;
    expect(said.err.split('\n')).toEqual([
      expect.stringContaining(`${at('gone')}: warning: depends on a task that is aborted`),
      '',
    ]);
    expect(said.err).toContain('Take it up again (contracts retry gone --again), or take it out');
  });

  test('a criterion that can never be ticked is told by new and by confirm', async () => {
    await contracts('init');
    const flags = ['--criterion', 'it is nice', '--run', 'true', '--sh', 'true'];
    const made = await contracts('new', 'Vague', '--id', 'vague', ...flags);
    expect(made.err).toContain('warning: this criterion names no check');
    expect(made.err).toContain('Next: contracts confirm vague\n');
    const said = await contracts('confirm', 'vague');
    expect(said.code).toBe(0);
    expect(said.err).toMatch(
      /^active_tasks\/ready\/vague\/contract\.md:\d+:1: warning: this criterion/,
    );
  });
});

test('init makes the folder that it is given, with those above it', async () => {
  const said = await contracts('init', join(room, 'some/where'));
  expect(said).toMatchObject({ code: 0, err: '' });
  expect(fs.readdirSync(join(room, 'some/where/active_tasks'))).toContain('ready');
  expect((await contracts('init', join(room, 'some/where'))).out).toContain('already');
});
