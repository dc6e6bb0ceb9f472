/** `on_state`: the person's own bell, rung after each move, by the runner and by verbs alike. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDetached } from '../../src/process/detached.ts';
import { notifyState } from '../../src/engine/attempt/notify.ts';
import { step } from '../../src/engine/step/step.ts';
import { checkTree } from '../../src/engine/doctor/check.ts';
import { doctor } from '../../src/engine/doctor/doctor.ts';
import { moveByVerb } from '../../src/engine/commands/moves.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { makeWorld, type World } from '../support/world.ts';
import { until } from '../support/until.ts';

const EXPECTED_BY_SHELL =
  '---\ntitle: B\nadapter: shell\n---\n\n## Success Criteria\n\n- [ ] b\n\n## Steps\n\n```sh\ntrue\n```\n';

let world: World | undefined;

async function linesOf(path: string, wanted: number): Promise<string[]> {
  return until(`${wanted} lines in ${path}`, () => {
    const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
    return lines.length >= wanted && lines;
  });
}

test('the command gets id and state as arguments, never through a shell string', async () => {
  world = makeWorld();
  const bell = `on_state: [sh, -c, 'printf "%s %s %s\\n" "$1" "$2" "$3" >> moves.log', sh, "{{id}}", "{{state}}", "of {{task}}"]\n`;
  world.write('.contracts/config.yaml', bell);
  world.write(
    'active_tasks/draft/a/contract.md',
    '---\ntitle: A\nadapter: human\n---\n\n## Success Criteria\n\n- [ ] a\n',
  );
  const { ws } = world.process({});
  expect(moveByVerb(ws, 'confirm', 'a').ok).toBe(true);
  expect(moveByVerb(ws, 'abort', 'a').ok).toBe(true);
  const lines = await linesOf(join(world.root, 'moves.log'), 2);
  expect(lines.sort()).toEqual(['a aborted of a', 'a ready of a']);
});

test('a bell that cannot ring stops nothing', async () => {
  world = makeWorld();
  world.write('.contracts/config.yaml', 'on_state: [no-such-program-here, "{{id}}"]\n');
  world.write(
    'active_tasks/draft/a/contract.md',
    '---\ntitle: A\nadapter: human\n---\n\n## Success Criteria\n\n- [ ] a\n',
  );
  const { ws } = world.process({});
  expect(moveByVerb(ws, 'confirm', 'a')).toMatchObject({ ok: true, value: { to: 'ready' } });

  // A step says it once, however much was moved; doctor and check say it with the line.
  world.write('active_tasks/ready/b/contract.md', EXPECTED_BY_SHELL);
  world.write('active_tasks/ready/c/contract.md', EXPECTED_BY_SHELL);
  const warning = expect.objectContaining({
    code: 'environment',
    severity: 'warning',
    file: '.contracts/config.yaml',
    line: 1,
    found: 'no-such-program-here',
  });
  expect(doctor(ws, { fix: false }).problems).toEqual([warning]);
  expect(checkTree(ws).problems).toContainEqual(warning);
  const { events } = await step(ws);
  expect(events.filter((one) => one.event === 'problem')).toEqual([
    { event: 'problem', problem: warning },
  ]);
  expect(events.filter((one) => one.event === 'fault')).toEqual([]);
  // Nothing moved, nothing to ring for.
  const told = (await step(ws, { only: new Set() })).events;
  expect(told.filter((one) => one.event === 'problem')).toEqual([]);
});

test('an installed bell is nothing to speak of', () => {
  world = makeWorld();
  world.write('.contracts/config.yaml', 'on_state: [sh, -c, "exit 1"]\n');
  const { ws } = world.process({});
  expect(doctor(ws, { fix: false }).problems).toEqual([]);
  expect(checkTree(ws).problems).toEqual([]);
});

test('each move of a run rings it, with task, from, to and reason in the environment', async () => {
  world = makeWorld();
  const bell = `on_state: [sh, -c, 'printf "%s|%s|%s|%s\\n" "$CONTRACTS_TASK" "$CONTRACTS_FROM" "$CONTRACTS_TO" "$CONTRACTS_REASON" >> moves.log']\n`;
  world.write('.contracts/config.yaml', bell);
  world.write(
    'active_tasks/ready/a/contract.md',
    '---\ntitle: A\nverify: ["file_exists: made.txt"]\n---\n\n## Success Criteria\n\n- [ ] file_exists: made.txt\n\n## Steps\n\n```sh\ntrue\n```\n',
  );
  const { ws } = world.process({
    script: () => {
      world?.write('made.txt', 'x');
      return 0;
    },
  });
  await step(ws);
  const lines = await linesOf(join(world.root, 'moves.log'), 3);
  expect(lines.sort()).toEqual([
    'a|in_progress|review|says it is complete',
    'a|ready|in_progress|try 1 by builder',
    'a|review|done|verification passed',
  ]);
});

test('a reason is text: nothing in it is run, cut short or refused', async () => {
  world = makeWorld();
  const bell = `on_state: [sh, -c, 'printf "%s" "$CONTRACTS_REASON" > said.tmp && mv said.tmp said.txt', "{{id}}"]\n`;
  world.write('.contracts/config.yaml', bell);
  const { ws } = world.process({});
  const evil = '$(touch evil); `touch evil`\n\'" {{id}} \0 end';
  notifyState(ws, { task: 'a', from: 'ready', to: 'blocked', reason: evil });
  await linesOf(join(world.root, 'said.txt'), 1);
  const said = readFileSync(join(world.root, 'said.txt'), 'utf8');
  expect(said).toBe('$(touch evil); `touch evil`\n\'" {{id}}   end');
  expect(existsSync(join(world.root, 'evil'))).toBe(false);
});

test('desktop: a stand-in for notify-send gets what needs a person, as text and not as markup', async () => {
  world = makeWorld();
  const standIn = (told: string): string =>
    `#!/bin/sh\nprintf '%s|%s|%s\\n' "$1" "$2" "$3" >> '${told}'\n`;
  const outside = sealedFolder('stand-in');
  const told = join(outside, 'told');
  writeFileSync(join(outside, 'notify-send'), standIn(told), { mode: 0o755 });
  // A program in the files of the project is not called.
  world.write('bin/notify-send', standIn(join(world.root, 'evil')));
  chmodSync(join(world.root, 'bin/notify-send'), 0o755);
  const PATH = `${join(world.root, 'bin')}:${outside}:${process.env['PATH'] ?? ''}`;
  const toldBy = (env: Record<string, string>) => {
    const { ws } = world?.process({ ports: { env: { PATH, ...env } } }) ?? {};
    if (ws === undefined) throw new Error('no world');
    return { ...ws, person: { notify: 'desktop' as const } };
  };
  const blocked = { task: 'a', from: 'in_progress', to: 'blocked' } as const;
  notifyState(toldBy({ CI: 'true' }), { ...blocked, reason: 'in a CI' });
  const ws = toldBy({ CI: 'false' });
  notifyState(ws, { task: 'a', from: 'ready', to: 'in_progress', reason: 'attempt 1' });
  notifyState(ws, { ...blocked, reason: 'asks <b>&\u001b[1m; $(touch evil)' });
  const lines = await linesOf(told, 1);
  expect(lines).toEqual([
    '--|contracts|a: asks &lt;b>&amp;\\x1b[1m; $(touch evil) → contracts retry a "…"',
  ]);
  expect(existsSync(join(world.root, 'evil'))).toBe(false);
  rmSync(outside, { recursive: true });
});

test('a review that waits for a verdict rings once, however often a step looks', async () => {
  world = makeWorld();
  world.write(
    'active_tasks/ready/a/contract.md',
    '---\ntitle: A\nquality_gate: person\nverify: ["file_exists: made.txt"]\n---\n\n## Success Criteria\n\n- [ ] file_exists: made.txt\n\n## Steps\n\n```sh\ntrue\n```\n',
  );
  let rings = 0;
  const script = () => {
    world?.write('made.txt', 'x');
    return 0;
  };
  const { ws } = world.process({ script, ports: { ring_bell: () => void (rings += 1) } });
  const own = { ...ws, person: { notify: 'bell' as const } };
  await step(own);
  expect(rings).toBe(1);
  await step(own);
  expect(rings).toBe(1);
});

test('a bell that goes on is killed after its time, with what it started', async () => {
  world = makeWorld();
  const pid_file = join(world.root, 'pids.txt');
  const script = 'sleep 600 & printf "%s\\n%s\\n" "$!" "$$" > pids.txt; trap "" TERM; wait';
  runDetached({
    argv: ['sh', '-c', script],
    cwd: world.root,
    env: sealedEnv(),
    timeout_seconds: 1,
  });
  const pids = (await linesOf(pid_file, 2)).map(Number);
  for (const pid of pids) {
    expect(pid).toBeGreaterThan(1);
    await gone(pid);
  }
});

test('one that ends leaves no watch behind', async () => {
  world = makeWorld();
  const script = 'echo "$PPID" > ppid.txt; printf x > done.txt';
  runDetached({
    argv: ['sh', '-c', script],
    cwd: world.root,
    env: sealedEnv(),
    timeout_seconds: 600,
  });
  await linesOf(join(world.root, 'done.txt'), 1);
  const [leader = ''] = await linesOf(join(world.root, 'ppid.txt'), 1);
  await gone(Number(leader));
  await emptyGroup(Number(leader));
});

test('nor do many that end at once', async () => {
  world = makeWorld();
  const seconds = 86_000 + (process.pid % 400);
  for (let n = 0; n < 150; n++) {
    const env = sealedEnv();
    runDetached({ argv: ['true'], cwd: world.root, env, timeout_seconds: seconds });
  }
  expect(await until('no watch is left', () => watches(seconds) === 0)).toBe(true);
});

test('nor does one whose watch cannot be ended by a TERM', async () => {
  world = makeWorld();
  const bin = join(world.root, 'bin');
  // As a sleep that was only just forked and has the trap of its shell still.
  world.write(
    'bin/sleep',
    '#!/bin/sh\ntrap "" TERM\necho "$$" > begun.txt\nexec /bin/sleep "$@"\n',
  );
  chmodSync(join(bin, 'sleep'), 0o755);
  const script = 'until [ -s begun.txt ]; do /bin/sleep 0.02; done';
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  runDetached({ argv: ['sh', '-c', script], cwd: world.root, env, timeout_seconds: 600 });
  const [watch = ''] = await linesOf(join(world.root, 'begun.txt'), 1);
  await gone(Number(watch));
});

function watches(seconds: number): number {
  const all = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.endsWith(` ${seconds}`) || line.includes(` ${seconds} `)).length;
}

/** Waits until no process has this number. */
async function gone(pid: number): Promise<void> {
  expect(await until(`${pid} ends`, () => stateOf(pid) === undefined)).toBe(true);
}

async function emptyGroup(group: number): Promise<void> {
  await until(`the group of ${group} ends`, () => {
    const members = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' });
    return !new RegExp(`^\\s*${group}\\s+[^Z]`, 'm').test(members);
  });
}

/** Undefined also for one that only waits to be reaped. */
function stateOf(pid: number): string | undefined {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return state.trim().startsWith('Z') ? undefined : state;
  } catch {
    return undefined;
  }
}
