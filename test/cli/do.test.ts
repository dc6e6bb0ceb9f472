/**
 * do: from a sentence to a task that is done, by the built command; what it asks at a terminal is asked in
 * tmux. Without tmux these parts are left out, and it says so.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { BINARY, contractsIn } from '../support/binary.ts';
import { gitOf } from '../support/git.ts';
import { checkedLines } from '../support/json-lines.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { runInTerminal, terminalMissing, type Terminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const missing = terminalMissing();
if (missing !== undefined) console.log(`LEFT OUT: what do asks, because ${missing}`);

let room = '';
let at: Terminal | undefined;
beforeEach(() => void (room = sealedFolder('do')));

function contracts(...argv: string[]) {
  const env = { ...process.env, HOME: room, XDG_CONFIG_HOME: join(room, '.config') };
  return contractsIn(room, argv, { env });
}

const tasksIn = (state: string) =>
  fs.readdirSync(join(room, 'active_tasks', state)).filter((name) => !name.startsWith('.'));

const ASKS = `asked="$CONTRACTS_OUT/previous/questions.md"
if [ -e "$asked" ]; then sed -n '/### Answer/,$p' "$asked" | sed -n 3p > answer.txt
else printf '## Questions\\n\\n1. Which?\\n' > "$CONTRACTS_OUT/questions.md"; fi`;

test('one line makes the workspace, the task, and does it; another task is not touched', () => {
  const first = contracts('do', 'Say hello', '--run', 'test -s hi', '--sh', 'echo hi > hi');
  expect(first.status, first.stderr).toBe(0);
  expect(first.stdout).toContain(`made a workspace in ${room}`);
  expect(first.stdout).toMatch(/^1 task done: .*say-hello/m);
  contracts('new', 'Other', '--id', 'other', '--run', 'true', '--sh', 'touch never');
  contracts('confirm', 'other');
  const second = contracts('do', 'Say it', '--run', 'true', '--sh', 'true');
  expect(second.stdout).not.toContain('made a workspace');
  expect(tasksIn('ready')).toEqual(['other']);
  expect(tasksIn('done')).toHaveLength(2);
  expect(fs.existsSync(join(room, 'never'))).toBe(false);
});

test.each([[[]], [['']], [['--sh', 'true']]])('without words nothing is made: do %j', (words) => {
  const { status, stderr } = contracts('do', ...words);
  expect(status).toBe(2);
  expect(stderr).toContain('Give a title, or --from FILE: contracts do "What you want"');
  expect(fs.existsSync(join(room, '.contracts'))).toBe(false);
});

test('in a pipe it ends with the question and the command, with exit 1', () => {
  const { status, stdout } = contracts('do', 'Ask', '--id', 'ask', '--run', 'true', '--sh', ASKS);
  expect(status).toBe(1);
  expect(stdout).toContain('questions: asks a question: Which?  → contracts answer ask');
  expect(stdout).toContain('1 task waits for you.');
});

test('a contract with a problem stays a draft, and the cure is printed', () => {
  const { status, stdout, stderr } = contracts(
    'do',
    'Think',
    '--id',
    'think',
    '--agent',
    'builder',
  );
  expect(status).toBe(2);
  expect(stderr).toContain(
    'no agent is configured, and there is no script. Choose one: contracts init, or --adapter human',
  );
  expect(stdout).toContain(
    'think stays a draft. Next: correct what the error names, then contracts confirm think; contracts run',
  );
  expect(tasksIn('draft')).toEqual(['think']);
  expect(tasksIn('ready')).toEqual([]);
});

test('in a pipe, a sentence without an agent or a script leaves no draft, and names who can do it', () => {
  const config = 'adapters: { mine: { type: command, run: [node, agent.mjs] } }\n';
  fs.mkdirSync(join(room, '.contracts'));
  fs.writeFileSync(join(room, '.contracts/config.yaml'), config);
  fs.mkdirSync(join(room, 'active_tasks/draft'), { recursive: true });
  const { status, stdout, stderr } = contracts('do', 'Think', '--id', 'think', '--run', 'true');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('error: no agent and no script is given. Add --sh "commands", or --');
  for (const who of ['human', 'host', 'mine']) expect(stderr).toContain(`, or --adapter ${who}`);
  expect(stderr).not.toMatch(/adapter shell|installed/);
  expect(tasksIn('draft')).toEqual([]);
});

test('while another runner has the only slot it waits, and does its task then', async () => {
  expect(contracts('init').status).toBe(0);
  fs.writeFileSync(join(room, '.contracts/config.yaml'), 'parallel: 1\n');
  const begin = (id: string, ...words: string[]) => {
    const env = { ...process.env, HOME: room, XDG_CONFIG_HOME: join(room, '.config') };
    const argv = [BINARY, 'do', id, '--id', id, '--run', 'true', ...words];
    const child = spawn(process.execPath, argv, { cwd: room, env });
    const its = { text: '', ended: new Promise((resolve) => child.once('close', resolve)) };
    child.stdout.on('data', (bytes: Buffer) => (its.text += bytes.toString()));
    return its;
  };
  const slow = begin('slow', '--sh', 'while [ ! -e go ]; do sleep 0.1; done');
  await until(() => slow.text.includes('calls builder'));
  const fast = begin('fast', '--sh', 'true');
  await until(() => fast.text.includes('confirmed by'));
  // Silence is what is asked for: without a wait it has looked and ended by then.
  await pause(1000);
  fs.writeFileSync(join(room, 'go'), '');
  expect([await slow.ended, await fast.ended], fast.text).toEqual([0, 0]);
  expect(tasksIn('done')).toEqual(['fast', 'slow']);
});

test('a pause during the checks before the work comes before the call; resume goes on', () => {
  const check = 'test -e go || touch .contracts/PAUSED';
  const first = contracts('do', 'Go', '--id', 'go', '--run', check, '--sh', 'touch called go');
  expect(first.status).toBe(1);
  expect(first.stdout).toContain('go  ready: everything is paused  → contracts pause --end');
  expect(fs.existsSync(join(room, 'called'))).toBe(false);
  expect(tasksIn('ready')).toEqual(['go']);
  fs.writeFileSync(join(room, 'go'), '');
  contracts('pause', '--end');
  expect(contracts('run').status).toBe(0);
  expect(tasksIn('done')).toEqual(['go']);
});

/** Works, and as a reviewer approves. */
const AGENT = `if [ "$CONTRACTS_KIND" = review ]; then
  printf -- '- Verdict: APPROVED\\n\\n## Findings\\n\\nFine.\\n' > "$CONTRACTS_OUT/review.md"
else
  touch worked
  printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] Go\\n' > "$CONTRACTS_OUT/result.md"
fi
`;

test('a pause during the verification comes before the call of the reviewer', () => {
  expect(contracts('init').status).toBe(0);
  const adapters = 'adapters: { agent: { type: command, run: [sh, agent.sh] } }';
  fs.writeFileSync(
    join(room, '.contracts/config.yaml'),
    `sandbox: none\nadapter: agent\n${adapters}\n`,
  );
  fs.writeFileSync(join(room, 'agent.sh'), AGENT);
  fs.mkdirSync(join(room, '.contracts/agents'), { recursive: true });
  fs.writeFileSync(
    join(room, '.contracts/agents/reviewer.md'),
    '---\nname: reviewer\n---\n\nJudge.\n',
  );
  const check = 'test ! -e worked || test -e once || { touch once .contracts/PAUSED; }';
  contracts('new', 'Go', '--id', 'go', '--run', check, '--criterion', 'Go', '--gate', 'reviewer');
  contracts('confirm', 'go');
  const { status, stdout } = contracts('run');
  expect([status, tasksIn('review')], stdout).toEqual([1, ['go']]);
  expect(stdout).toContain('everything is paused');
  contracts('pause', '--end');
  const after = contracts('run');
  expect([after.status, tasksIn('done')], after.stdout).toEqual([0, ['go']]);
});

test('pause --end removes a PAUSED that this user cannot read', () => {
  expect(contracts('init').status).toBe(0);
  const file = join(room, '.contracts/PAUSED');
  fs.writeFileSync(file, 'lunch\n');
  fs.chmodSync(file, 0);
  const uid = process.getuid?.() === 0 ? 1001 : process.getuid?.();
  execFileSync('chown', ['-R', String(uid), room]);
  const env = { ...sealedEnv(), HOME: room, CONTRACTS_TRUST: '1' };
  const { status, stderr } = contractsIn(room, ['pause', '--end'], { env, uid });
  expect([status, fs.existsSync(file)], stderr).toEqual([0, false]);
});

/** As another host left it, without the lease by which it could expire. */
const OWNER = `---
{ v: 1, task: slow, attempt: 1, kind: work, owner: process, agent: builder, nonce: n, base: 0,
  claimed: '2026-01-01T00:00:00Z', contract: '', inputs: '', pid: 7, start: '7', boot: b, pid_ns: '',
  host: elsewhere, machine: m }
---
`;

test('while nobody can tell whether the only slot is free, a run says at once who has it', async () => {
  expect(contracts('init').status).toBe(0);
  fs.writeFileSync(join(room, '.contracts/config.yaml'), 'parallel: 1\n');
  for (const id of ['slow', 'fast']) contracts('new', id, '--id', id, '--run', 'true', '--sh', ':');
  contracts('confirm', 'fast');
  const attempt = join(room, 'active_tasks/in_progress/slow/attempts/0001');
  fs.mkdirSync(attempt, { recursive: true });
  const draft = join(room, 'active_tasks/draft/slow');
  fs.renameSync(join(draft, 'contract.md'), join(attempt, '../../contract.md'));
  fs.rmSync(draft, { recursive: true });
  fs.writeFileSync(join(attempt, 'owner.md'), OWNER);
  const said = async (enough: string, ...words: string[]): Promise<string> => {
    const env = { ...process.env, HOME: room, XDG_CONFIG_HOME: join(room, '.config') };
    const child = spawn(process.execPath, [BINARY, 'run', ...words], { cwd: room, env });
    let text = '';
    const ended = new Promise((resolve) => child.once('close', resolve));
    const heard = new Promise<void>((resolve) =>
      child.stdout.on('data', (bytes: Buffer) => {
        text += bytes.toString();
        if (text.includes(enough)) resolve();
      }),
    );
    await Promise.race([heard, ended]);
    child.kill('SIGINT');
    await ended;
    return text;
  };
  const named = await said('show slow', 'fast');
  expect(named).toContain('fast  ready: the only slot is taken  → contracts show slow\n');
  expect(contracts('show', 'slow').stdout).toContain('contracts doctor --recover NAME');
  const all = await said('--recover');
  expect(all).toContain('try 1 runs on elsewhere  → contracts doctor --recover NAME');
  expect(contracts('doctor', '--recover', 'elsewhere').status).toBe(0);
  expect(contracts('run', 'fast').status).toBe(0);
});

test('wrong usage writes nothing', () => {
  const { status, stderr } = contracts('do', 'Think', '--timeout', '5x');
  expect(status).toBe(2);
  expect(stderr).toContain('--timeout');
  expect(tasksIn('draft')).toEqual([]);
});

test('a broken workspace is reported, and no other is made below it', () => {
  const below = join(room, 'sub');
  fs.mkdirSync(below);
  contracts('init');
  spawnSync('sh', ['-c', 'echo "adapters: [" > .contracts/config.yaml'], { cwd: room });
  const { status, stdout } = contracts('-C', below, 'do', 'x', '--sh', 'true');
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(fs.readdirSync(below)).toEqual([]);
});

test('--worktree leaves the tree as it was until it is merged', () => {
  const git = gitOf(room);
  git('init -q');
  git('commit -q --allow-empty -m first');
  const done = contracts(
    'do',
    'Write',
    '--id',
    'w',
    '--worktree',
    '--deliverable',
    'w.txt',
    '--sh',
    'echo w > w.txt',
  );
  expect(done.status, done.stderr + done.stdout).toBe(0);
  expect(fs.existsSync(join(room, 'w.txt'))).toBe(false);
  expect(done.stdout).toMatch(
    /^1 task done: w\. 1 file changed \(\+1 −0\), 1 check passed\. 1 done task not merged: contracts merge\.$/m,
  );
  expect(contracts('status').stdout).toContain('Next\n  contracts merge\n');
  expect(contracts('run').stdout).toContain('1 done task not merged: contracts merge.');
  expect(contracts('merge', '--yes').status).toBe(0);
  expect(contracts('status').stdout).not.toContain('contracts merge');
  expect(fs.readFileSync(join(room, 'active_tasks/done/w/contract.md'), 'utf8')).toContain(
    'isolation: worktree',
  );
});

test('with --json each line has its shape: what was made, confirmed and done', () => {
  const { stdout } = contracts('do', 'x', '--id', 'x', '--run', 'true', '--sh', 'true', '--json');
  const [first] = stdout.split('\n');
  expect(first).toMatch(/^\{/);
  const events = (checkedLines(stdout) as { event: string; to?: string }[]).map((one) =>
    [one.event, one.to].filter(Boolean).join(' '),
  );
  expect(events.slice(0, 3)).toEqual(['created', 'moved ready', 'moved in_progress']);
  expect(events).toContain('moved done');
});

describe.runIf(missing === undefined)('at a terminal', () => {
  test('a task for a host, or while all is paused, ends it: the person has no move there', async () => {
    contracts('init');
    at = runInTerminal(room, ['do', 'Think', '--id', 'think', '--adapter', 'host']);
    expect(await at.ended()).toBe(1);
    expect(at.screen().match(/waits for a host to take it/g)).toHaveLength(1);
    await at.close();
    contracts('pause', 'lunch');
    at = runInTerminal(room, ['do', 'Say', '--id', 'say', '--run', 'true', '--sh', 'true']);
    expect(await at.ended()).toBe(1);
  });

  test('the question is answered in place, and the task continues to done', async () => {
    at = runInTerminal(room, [
      'do',
      'Ask',
      '--id',
      'ask',
      '--deliverable',
      'answer.txt',
      '--sh',
      ASKS,
    ]);
    await at.choose('What now?', 'answer');
    await at.answer('Your answer', 'blue');
    expect(await at.ended()).toBe(0);
    expect(fs.readFileSync(join(room, 'answer.txt'), 'utf8')).toBe('blue\n');
    expect(tasksIn('done')).toEqual(['ask']);
  });

  test('a sentence alone asks who does it: the agent of the workspace first', async () => {
    at = runInTerminal(room, ['do', 'Ask', '--id', 'ask', '--run', 'test -s x']);
    await at.shows('● shell: commands that you write now', 'claude: claude (not installed)');
    await at.choose('Who does it?', 'shell');
    await at.answer('Which commands?', 'echo x > x');
    expect(await at.ended()).toBe(0);
    expect(tasksIn('done')).toEqual(['ask']);
  });

  test('the card of its review is shown; skipping leaves it there with exit 1', async () => {
    const line = [
      'do',
      'Judge',
      '--id',
      'judge',
      '--gate',
      'person',
      '--deliverable',
      'y',
      '--sh',
      'echo y > y',
    ];
    at = runInTerminal(room, line);
    await at.choose('What now?', 'skip');
    expect(await at.ended()).toBe(1);
    expect(tasksIn('review')).toEqual(['judge']);
  });
});
