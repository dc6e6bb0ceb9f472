/** Rows on text: what a terminal would obey, templates, options, shells, secrets, brief sizes. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { inShell, makeHouse, shellContract, waitsOf } from './house.ts';

const OSC = '\u001b]0;owned\u0007\u001b]52;c;cHduZWQ=\u0007';
const CSI = '\u001b[2J\u001b[31m\u009b31m';
const OTHERS = '\b\b\b\u0085\u200b\u202Etxt.exe\u2066\u2028\u2029\u00ad';
const EVIL = `${OSC}${CSI}${OTHERS}`;
/** Anything that is not shown as a character, line ends excepted. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const shown = (text: string): string => text.replaceAll('\n', '');

describe('OSC, CSI, C1, CR, BS, bidi in titles, paths, agent output', () => {
  const verbs = [
    ['step', '-n'],
    ['list', '--all'],
    ['check'],
    ['doctor'],
    ['run'],
    ['list', '--all'],
    ['show', 'bad'],
    ['show', 'failing'],
    ['show', 'asking'],
  ];

  test('whatever a verb prints, on a terminal and as JSON, a terminal shows and does not obey', async () => {
    const house = makeHouse();
    const quoted = JSON.stringify(`Title ${EVIL}`);
    house.task(
      'bad',
      shellContract('bad', { sh: `cat evil.txt\necho made > bad.txt` }).replace(
        'title: Make bad',
        `title: ${quoted}\nagent: ${JSON.stringify(`a${EVIL}`)}`,
      ),
    );
    house.task(
      'body',
      shellContract('body', { body: `# ${EVIL}\n\n`, criteria: `- [ ] ${EVIL}` }),
      'draft',
    );
    house.task(
      'failing',
      shellContract('failing', {
        head: 'retries_max: 0',
        sh: 'cat evil.txt; cat failed.md > "$CONTRACTS_OUT/result.md"',
      }),
    );
    house.task(
      'asking',
      shellContract('asking', { sh: 'cat evil.txt; cat asked.md > "$CONTRACTS_OUT/questions.md"' }),
    );
    house.task(
      'checked',
      shellContract('checked', { head: 'reviews_max: 0' }).replace(
        'test -s checked.txt',
        'cat evil.txt; false',
      ),
    );
    house.write('evil.txt', `${EVIL}\r\nmore\r`);
    house.write(
      'failed.md',
      `# Task Result: failing\n\n- Status: FAILED\n\n## Notes\n\nIt broke ${EVIL}\n`,
    );
    house.write('asked.md', `# Questions\n\n## Questions\n\n1. Which ${EVIL}?\n`);
    house.write(`made${EVIL}.txt`, 'x');
    house.write(`active_tasks/ready/stray${EVIL}`, 'x');
    house.write(`.contracts/agents/a${EVIL}.md`, '---\ninstructions: 3\n---\n');
    for (const verb of verbs) {
      for (const json of [[], ['--json']]) {
        const { out, err, code } = await house.run(...verb, ...json);
        expect([verb, code === 70]).toEqual([verb, false]);
        expect([verb, OBEYED.test(shown(out + err))]).toEqual([verb, false]);
      }
    }
    expect(house.where('good')).toEqual(['done']);
    expect(house.where('failing')).toEqual(['blocked']);
    expect(house.where('asking')).toEqual(['questions']);
    expect(house.where('checked')).toEqual(['blocked']);
    // And what was written with such a reason can be read again.
    const again = await house.events('run');
    expect(waitsOf(again.events, 'failing')?.reason).toContain('It broke');
    expect(JSON.stringify(again.events)).not.toContain('unreadable');
  });

  test('in arguments, error messages and faults', async () => {
    const house = makeHouse();
    for (const argv of [
      ['show', EVIL],
      ['step', '--only', EVIL],
      ['list', '--state', EVIL],
      [EVIL],
      ['list', `--${EVIL}`],
      ['new', '--from', EVIL],
      ['new', 'x', '--gate', EVIL],
      ['new', 'x', '--id', EVIL],
      ['answer', 'good', EVIL],
      ['step', '-p', EVIL],
    ]) {
      const { code, out, err } = await house.run(...argv);
      expect([argv, code > 0 || argv.includes('--only')]).toEqual([argv, true]);
      expect([argv, code === 70]).toEqual([argv, false]);
      expect([argv, OBEYED.test(shown(out + err))]).toEqual([argv, false]);
    }
    const away = await house.run('-C', `/nowhere${EVIL}`, 'list');
    expect(away.code).toBe(2);
    expect(OBEYED.test(shown(away.err))).toBe(false);
  });
});

describe('`{{…}}`, newlines, quotes in a title', () => {
  const titles = [
    '{{constructor}} {{#each this}}',
    'a\npermissions: all\n---\n\n## Steps',
    '"quoted" \'twice\' `ticks`',
    '# not: [a, {b',
    '---',
    '- [x] done',
    '<!-- open',
    '```',
    '{{{id}}}',
    '@x %y &z *w !v',
  ];
  test.each(titles)('%j', async (title) => {
    const house = makeHouse();
    const flags = ['--id', 'bad', '--run', 'test 1', '--sh', 'true', `--criterion=${title}`];
    const made = await house.run('new', ...flags, '--', title);
    expect(made.code).toBe(0);
    const text = house.read('active_tasks/draft/bad/contract.md');
    const head = parse(text.split(/^---$/m)[1] ?? '') as Record<string, unknown>;
    expect(Object.keys(head).sort()).toEqual(['adapter', 'created', 'title', 'v', 'verify']);
    expect(head['title']).toBe(title);
    const listed = (await house.events('list')).events.find((one) =>
      JSON.stringify(one).includes('"bad"'),
    );
    expect(listed).toMatchObject({ title, state: 'draft' });
    await house.run('confirm', 'bad');
    const { code } = await house.events('run');
    expect([0, 1]).toContain(code);
    expect(house.where('good')).toEqual(['done']);
    const desk = ['in_progress', 'review', 'blocked', 'ready', 'done']
      .map((state) => `active_tasks/${state}/bad/attempts/0001/desk/brief.md`)
      .find((file) => house.exists(file));
    expect(house.read(desk ?? '')).toContain('You work on the task `bad`');
  });
});

describe('title `--version`, brief over 128 KiB', () => {
  test('a title that looks like an option is a title', async () => {
    const house = makeHouse({
      config:
        'adapters:\n  own: { type: command, run: [sh, agent.sh, "{{task}}", "{{brief_file}}", "--agent={{agent}}"] }\n',
    });
    // Without a result its next try would wait.
    const failed = 'echo "- Status: FAILED" > "$CONTRACTS_OUT/result.md"\n';
    house.write('agent.sh', `printf "%s\\n" "$@" > bad.txt\n${failed}`);
    const made = await house.run(
      'new',
      '--id',
      'bad',
      '--adapter',
      'own',
      '--run',
      'test -s bad.txt',
      '--',
      '--version',
    );
    expect(made.code).toBe(0);
    await house.run('confirm', 'bad');
    await house.run('run');
    expect(house.read('bad.txt').split('\n')[0]).toBe('bad');
    expect(house.where('good')).toEqual(['done']);
  });

  test('a brief of 200 KB comes by file', async () => {
    const house = makeHouse({
      config: 'adapters:\n  own: { type: command, run: [sh, agent.sh, "{{brief_file}}"] }\n',
    });
    house.write(
      'agent.sh',
      'wc -c < "$1" > bad.txt\nprintf -- "- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] \\`test -s bad.txt\\` passes\\n" > "$CONTRACTS_OUT/result.md"\n',
    );
    house.task(
      'bad',
      shellContract('bad', {
        head: 'adapter: own',
        body: `## Requirements\n\n${'words '.repeat(33_000)}\n\n`,
      }),
    );
    const { code } = await house.events('run');
    expect(code).toBe(0);
    expect(Number(house.read('bad.txt'))).toBeGreaterThan(190_000);
    expect(house.where('good')).toEqual(['done']);
  });

  test('an agent whose name would be an option is refused with words', async () => {
    const house = makeHouse({
      config: 'adapters:\n  own: { type: command, run: [sh, "{{model}}"] }\n',
    });
    house.task('bad', shellContract('bad', { head: 'adapter: own\nmodel: --help' }));
    const { code, events } = await house.events('run');
    expect(code).toBe(3);
    expect(JSON.stringify(events)).toContain('would be read as an option');
    expect(house.where('good')).toEqual(['done']);
  });
});

describe('`$(…)`, backticks, `;` in values of a command adapter', () => {
  test('arrive as they are, and run nothing', async () => {
    const value = '$(touch pwned) `touch pwned`; touch pwned & "\' {{root}} \\';
    const house = makeHouse({
      config: 'adapters:\n  own: { type: command, run: [sh, agent.sh, "model={{model}}"] }\n',
    });
    house.write('agent.sh', 'printf "%s" "$1" > got.txt\n');
    house.task(
      'bad',
      shellContract('bad', {
        head: `retries_max: 0\nadapter: own\nmodel: ${JSON.stringify(value)}`,
      }),
    );
    await house.run('run');
    expect(house.read('got.txt')).toBe(`model=${value}`);
    expect(house.exists('pwned')).toBe(false);
    expect(house.where('good')).toEqual(['done']);
  });
  test('the naive way, a shell string, runs them', () => {
    const house = makeHouse();
    inShell(house, `sh -c "echo $VALUE"`, { VALUE: '$(touch pwned)' });
    expect(house.exists('pwned')).toBe(true);
  });
});

describe('environment secrets', () => {
  test('are not inherited by agents and checks, unless named; and then not in the log', () => {
    const house = makeHouse({
      config: 'adapters:\n  own: { type: command, run: [sh, agent.sh], env: [MY_KEY] }\n',
    });
    house.write('agent.sh', 'env | sort > agent-env.txt; echo "key is $MY_KEY"\n');
    house.task('bad', shellContract('bad', { head: 'adapter: own\nretries_max: 0' }));
    house.task(
      'sh',
      shellContract('sh', { sh: 'env > step-env.txt; echo made > sh.txt' }).replaceAll(
        'test -s sh.txt',
        'env > check-env.txt',
      ),
    );
    inShell(house, '$BIN run', {
      MY_KEY: 'hunter2-hunter2',
      AWS_SECRET_ACCESS_KEY: 'aws-secret',
      GITHUB_TOKEN: 'gh-secret',
      CONTRACTS_FROM: '/outer',
      LD_PRELOAD: '',
      NODE_OPTIONS: '',
    });
    for (const file of ['agent-env.txt', 'step-env.txt', 'check-env.txt']) {
      const env = house.read(file);
      expect(env).not.toMatch(/aws-secret|gh-secret|\/outer|LD_PRELOAD|NODE_OPTIONS/);
      expect(env.includes('hunter2')).toBe(file === 'agent-env.txt');
    }
    const log = house.read('active_tasks/blocked/bad/attempts/0001/output.log');
    expect(log).toContain('key is ***');
    expect(house.where('good')).toEqual(['done']);
  });
});

describe('a workspace’s own template', () => {
  test.each([
    ['broken', '{{#if'],
    ['asking for what nobody gives', '{{nothing}}'],
    ['reaching for a prototype', '{{constructor.constructor}}'],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
  ])('%s: a fault with its name; with it gone, all goes on', async (_kind, source) => {
    const house = makeHouse();
    house.write('.contracts/templates/brief.hbs', source);
    const { code, events } = await house.events('run');
    expect(code).toBe(3);
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'fault', reason: expect.stringContaining('brief.hbs') }),
    );
    inShell(house, 'rm .contracts/templates/brief.hbs');
    expect((await house.run('run')).code).toBe(0);
    expect(house.where('good')).toEqual(['done']);
  });
});
