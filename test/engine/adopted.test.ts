/**
 * An agent whose runner died and that ended by itself: what its client had told is in the outcome
 * of who takes it over, and counts. Processes and agents are a MOCK; files and protocol are real.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/task/core/lines/event.ts';
import { step } from '../../src/engine/step/step.ts';
import { faultyDisk, unsyncedDisk } from '../support/faulty-disk.ts';
import type { Script, ScriptedCall } from '../support/scripted-room.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.write(
    '.contracts/config.yaml',
    `adapter: me
adapters:
  me: { type: claude, run: [sh] }
agents:
  builder: { models: [first, second] }
  judge: { adapter: me, models: [third, fourth] }
`,
  );
});

function task(head = ''): void {
  world.write(
    'active_tasks/ready/one/contract.md',
    `---\nv: 1\ntitle: one\n${head}verify: ["file_exists: here.txt"]\n---\n\n# one\n\n## Objective\n\nOne.\n\n## Success Criteria\n\n- [ ] it is there\n`,
  );
}

const INIT = { type: 'system', subtype: 'init', session_id: 's-1', model: 'told', tools: [] };
const USED = {
  session_id: 's-1',
  total_cost_usd: 0.25,
  usage: { input_tokens: 100, output_tokens: 10 },
  permission_denials: [],
};
const DONE = { type: 'result', subtype: 'success', is_error: false, result: 'Done.', ...USED };
const BROKEN = {
  type: 'result',
  subtype: 'success',
  is_error: true,
  api_error_status: 500,
  result: 'API Error: 500 overloaded',
  ...USED,
};
const ASKS = {
  type: 'assistant',
  message: {
    content: [
      {
        type: 'tool_use',
        name: 'AskUserQuestion',
        input: { questions: [{ question: 'Which colour?', options: [] }] },
      },
    ],
  },
  parent_tool_use_id: null,
};

/** Into its log alone: the runner that would have read it is gone. */
function says(call: ScriptedCall, ...events: readonly object[]): void {
  const log = call.spawn.log ?? '';
  for (const one of events) appendFileSync(log, `${JSON.stringify(one)}\n`);
}

function handsIn(call: ScriptedCall): number {
  world.write('here.txt', 'here\n');
  const text = '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n';
  writeFileSync(join(call.desk, 'result.md'), text);
  return 0;
}

/** A process that is gone when the agent of the attempt has ended. */
async function dies(script: Script, number = '0001', at?: RegExp): Promise<void> {
  const taken = at ?? new RegExp(`\\.desk/one\\.${number} -> .*attempts/${number}/desk$`);
  const disk = faultyDisk(-1, undefined, {
    ...unsyncedDisk,
    rename: (from, to) => {
      if (taken.test(`${from} -> ${to}`)) disk.kill();
      else unsyncedDisk.rename(from, to);
    },
  });
  const { ws } = world.process({ disk, script });
  await Promise.race([step(ws).catch(() => undefined), disk.died]);
  expect(disk.dead).toBe(true);
}

async function steps(script: Script): Promise<readonly Event[]> {
  const { ws } = world.process({ disk: unsyncedDisk, script });
  return (await step(ws)).events;
}

function outcome(number: string): string {
  const states = ['in_progress', 'ready', 'review', 'questions', 'blocked', 'done'];
  const paths = states.map((state) =>
    join(world.root, 'active_tasks', state, 'one/attempts', number, 'outcome.md'),
  );
  const path = paths.find((one) => existsSync(one));
  return path === undefined ? '' : readFileSync(path, 'utf8');
}

describe('a work attempt that is taken over', () => {
  test('has session, model and use; they are told, and count', async () => {
    task();
    await dies((call) => {
      says(call, INIT, DONE);
      return handsIn(call);
    });
    const events = await steps(() => 0);
    const written = outcome('0002');
    expect(written).toMatch(/^outcome: complete$/m);
    expect(written).toMatch(/^adapter: me$/m);
    expect(written).toMatch(/^session: s-1$/m);
    expect(written).toMatch(/^model: first$/m);
    expect(written).toMatch(/^cost_usd: 0.25$/m);
    expect(written).toMatch(/^input_tokens: 100$/m);
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'ended', outcome: 'complete', cost_usd: 0.25 }),
    );
  });

  test('whose model failed gives way to the next one, and its session is resumed', async () => {
    task();
    await dies((call) => {
      says(call, INIT, BROKEN);
      return 1;
    });
    await steps(() => 0);
    expect(outcome('0002')).toMatch(/^reason: "?the model is not available/m);
    expect(outcome('0002')).toMatch(/^error: outage$/m);
    let argv: readonly string[] = [];
    await steps((call) => {
      if (call.kind === 'work') argv = call.spawn.argv;
      return handsIn(call);
    });
    expect(argv).toContain('second');
    expect(argv.join(' ')).toContain('--resume s-1');
  });

  test.each([
    ['said nothing is silent', () => undefined, 'silent'],
    [
      'wrote its status worked',
      (call: ScriptedCall) => writeFileSync(join(call.desk, 'status.md'), '- Status: half of it\n'),
      'working',
    ],
    ['used its model worked', (call: ScriptedCall) => says(call, INIT, DONE), 'working'],
  ] as const)('that handed in nothing and %s', async (_what, does, word) => {
    task();
    await dies((call) => {
      does(call);
      return 0;
    });
    await steps(() => 0);
    expect(outcome('0002')).toMatch(/^adopted: 1$/m);
    expect(outcome('0002')).toMatch(new RegExp(`^no_result: ${word}$`, 'm'));
    expect(outcome('0002')).toMatch(/^exit_code: 0$/m);
  });

  test('and is a script that changed nothing would end the same way again', async () => {
    world.write(
      'active_tasks/ready/one/contract.md',
      '---\nv: 1\ntitle: one\nadapter: shell\nverify: ["run: test -e here.txt"]\n---\n\n# one\n\n## Success Criteria\n\n- [ ] `test -e here.txt` passes\n\n## Steps\n\n```sh\nfalse\n```\n',
    );
    await dies(() => 1);
    await steps(() => 0);
    expect(outcome('0002')).toMatch(/^no_result: same_again$/m);
    expect(existsSync(join(world.root, 'active_tasks/blocked/one'))).toBe(true);
  });

  test('that had asked in its terminal asks', async () => {
    task();
    await dies((call) => {
      says(call, INIT, ASKS, DONE);
      return 0;
    });
    await steps(() => 0);
    expect(outcome('0002')).toMatch(/^outcome: questions$/m);
    const asked = join(world.root, 'active_tasks/questions/one/questions.md');
    expect(readFileSync(asked, 'utf8')).toContain('Which colour?');
  });

  test('that used up the budget is the last one', async () => {
    task('cost_max: 0.2\n');
    await dies((call) => {
      says(call, INIT, BROKEN);
      return 1;
    });
    await steps(() => 0);
    let calls = 0;
    const events = await steps(() => ++calls);
    expect(calls).toBe(0);
    expect(JSON.stringify(events)).toContain('$0.25 of $0.20');
  });

  test('is taken over by a run that has used what it may: nobody is called for it', async () => {
    const config = join(world.root, '.contracts/config.yaml');
    writeFileSync(config, `run_cost_max: 1\n${readFileSync(config, 'utf8')}`);
    task();
    await dies((call) => {
      says(call, INIT, DONE);
      return handsIn(call);
    });
    const { ws } = world.process({ disk: unsyncedDisk });
    await step(ws, { spending: { use: { cost_usd: 2, tokens: 0 } } });
    expect(outcome('0002')).toMatch(/^outcome: complete$/m);
  });

  test('a hook named what it changed: that is proven', async () => {
    task('write: [here.txt]\n');
    world.write('src/a.ts', '1\n');
    await dies((call) => {
      const line = { tool: 'Write', verdict: 'deny', why: 'it is not yours', paths: ['src/a.ts'] };
      writeFileSync(join(call.desk, 'hook.log'), `${JSON.stringify(line)}\n`);
      world.write('src/a.ts', 'changed\n');
      says(call, INIT, DONE);
      return handsIn(call);
    });
    await steps(() => 0);
    const written = outcome('0002');
    expect(written).toMatch(/^outcome: violated$/m);
    expect(written).toContain('Write: it is not yours');
  });

  test('its sandbox clears it of what it could not write', async () => {
    task('write: [here.txt]\n');
    world.write('src/a.ts', '1\n');
    world.write('lib/a.ts', '1\n');
    await dies((call) => {
      const attempt = join(world.root, 'active_tasks/in_progress/one/attempts/0001/agent.md');
      const was = readFileSync(attempt, 'utf8');
      const open = `enforced:\n  - brief\n  - sandbox\nwrites:\n  - ${world.root}\nshut:\n  - ${world.root}/src\n`;
      const rest = was.replace(/^enforced:\n(?: {2}- .*\n)*/m, '');
      writeFileSync(attempt, rest.replace(/\n---\n/, `\n${open}---\n`));
      world.write('src/a.ts', 'changed\n');
      world.write('lib/a.ts', 'changed\n');
      return handsIn(call);
    });
    await steps(() => 0);
    const written = outcome('0002');
    expect(written).toMatch(/enforced:\n {2}- brief\n {2}- sandbox\n {2}- compared\n/);
    expect(written).toContain('write lib/a.ts');
    expect(written).not.toContain('write src/a.ts');
  });

  test.each([
    ['missing', () => undefined],
    ['a folder', (log: string) => mkdirSync(log, { recursive: true })],
    ['no text', (log: string) => writeFileSync(log, Buffer.from([0xff, 0xfe, 10, 123, 10]))],
  ])('a log that is %s tells nothing', async (_what, put) => {
    task();
    await dies((call) => {
      put(call.spawn.log ?? '');
      return handsIn(call);
    });
    await steps(() => 0);
    expect(outcome('0002')).toMatch(/^outcome: complete$/m);
    expect(outcome('0002')).not.toContain('session');
  });
});

/** Its record of the start, as if the agent had begun at that time; its end is at 12:00:00. */
function began(number: string, at: string): void {
  const states = ['in_progress', 'review'].map((state) => `active_tasks/${state}/one/attempts`);
  const path = states
    .map((attempts) => join(world.root, attempts, number, 'agent.md'))
    .find((one) => existsSync(one));
  const text = readFileSync(path ?? '', 'utf8');
  writeFileSync(path ?? '', text.replace(/^started: .*$/m, `started: ${at}`));
}

describe('how long a call took that is taken over', () => {
  test.each([
    ['2026-11-21T11:59:48.400Z', /^seconds: 12$/m],
    // The exit record has whole seconds: a start in the last of them seems to be after the end.
    ['2026-11-21T12:00:00.900Z', /^seconds: 0$/m],
    ['soon', /^(?![^]*^seconds:)/m],
  ])('is read from the records of its start (%s) and its end', async (at, says_so) => {
    task();
    await dies(() => {
      began('0001', at);
      return 0;
    });
    const events = await steps(() => 0);
    expect(outcome('0002')).toMatch(/^adopted: 1$/m);
    expect(outcome('0002')).toMatch(says_so);
    expect(events.find((one) => one.event === 'ended' && one.attempt === 2)).toEqual(
      at === 'soon'
        ? expect.not.objectContaining({ seconds: expect.anything() })
        : expect.objectContaining({ seconds: at.startsWith('2026-11-21T11') ? 12 : 0 }),
    );
  });

  test('is what the dead runner had committed', async () => {
    task();
    await dies(
      () => ({ code: 0, duration_ms: 7_300 }),
      '0001',
      /in_progress\/one -> .*ready\/one$/,
    );
    expect(outcome('0001')).toMatch(/^seconds: 7.3$/m);
    await steps(() => 0);
    expect(outcome('0002')).toMatch(/^adopted: 1$/m);
    expect(outcome('0002')).toMatch(/^no_result: silent$/m);
    expect(outcome('0002')).toMatch(/^seconds: 7.3$/m);
  });

  test('is recorded of a review, too', async () => {
    task('quality_gate: [judge]\n');
    await steps((call) => handsIn(call));
    await dies((call) => {
      if (call.kind === 'review') began('0002', '2026-11-21T11:59:57.000Z');
      return 1;
    }, '0002');
    await steps(() => 0);
    expect(outcome('0003')).toMatch(/^adopted: 2$/m);
    expect(outcome('0003')).toMatch(/^seconds: 3$/m);
  });
});

describe('a review that is taken over', () => {
  test('has what its client told; whose model failed gives way to the next', async () => {
    task('quality_gate: [judge]\n');
    await steps((call) => handsIn(call));
    await dies((call) => {
      if (call.kind === 'review') says(call, INIT, BROKEN);
      return 1;
    }, '0002');
    await steps(() => 0);
    const written = outcome('0003');
    expect(written).toMatch(/^adopted: 2$/m);
    expect(written).toMatch(/^error: outage$/m);
    expect(written).toMatch(/^model: third$/m);
    expect(written).toMatch(/^cost_usd: 0.25$/m);
    expect(written).toContain('the model is not available');
    let argv: readonly string[] = [];
    await steps((call) => {
      if (call.kind === 'review') argv = call.spawn.argv;
      return 0;
    });
    expect(argv).toContain('fourth');
  });
});

test('a form that a dead runner had committed to is offered with the checks that passed', async () => {
  world.write('here.txt', '');
  task('quality_gate: person\n');
  await dies(handsIn, '0001', /-> .*review\/one\/review\.md$/);
  await steps(() => 0);
  expect(outcome('0003')).toMatch(/^outcome: awaits_person$/m);
  const form = readFileSync(join(world.root, 'active_tasks/review/one/review.md'), 'utf8');
  expect(form).toContain('## Checks\n\n- passed `file_exists: here.txt`');
});
