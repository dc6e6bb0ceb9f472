/**
 * A task done by a worker, as people set it up: TLS, a password, a Redis user of one prefix, a git remote, labels, a
 * machine in a network of its own; and what stops an agent on another machine.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contractsIn } from '../support/binary.ts';
import { gitOf } from '../support/git.ts';
import { machinesRoom, wrongs, type Machine, type MachinesRoom } from '../support/machines-room.ts';
import { queueServersMissing, startPostgres, startRedis } from '../support/queue-servers.ts';
import type { Server } from '../support/queue-servers.ts';
import { putFile } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

const missing = queueServersMissing();
if (missing !== undefined) console.log(`LEFT OUT: walks of machines, because ${missing}`);

async function serverOf(start: () => Promise<Server>): Promise<Server> {
  const server = await start();
  onTestFinished(server.stop);
  return server;
}

async function ended(room: MachinesRoom, run: Machine): Promise<string> {
  const { stdout, stderr } = await run.started.ended;
  expect(wrongs(room), `${stdout.slice(-3000)}\n${stderr}`).toEqual([]);
  return stdout;
}

const agentOf = (room: MachinesRoom, text: string): void =>
  putFile(join(room.base, 'agent.sh'), text);
const DONE = `printf -- '---\\nstatus: COMPLETE\\n---\\n\\n## Success Criteria\\n\\n- [x] It was done\\n' >"$CONTRACTS_OUT/result.md"`;
const stateOf = (room: MachinesRoom): string => Object.keys(room.states()).join(' ');

describe.runIf(missing === undefined)('a worker', () => {
  test.each([
    ['Redis by TLS with a password', () => startRedis({ tls: true, password: 'correct horse/+' })],
    [
      'Redis as a user of one prefix',
      () => startRedis({ acl: { user: 'team', password: 'secret', prefix: 'team' } }),
    ],
    ['PostgreSQL by TLS with a password', () => startPostgres({ tls: true })],
  ])('does tasks that come by %s', async (words, start) => {
    const server = await serverOf(start);
    const address = new URL(server.url);
    if (words.includes('prefix')) address.searchParams.set('prefix', 'team');
    const room = machinesRoom({ url: address.href, tasks: 2 });
    const { env } = server;
    await room.worker('w1', { env });
    const run = room.run({ env });
    await ended(room, run);
    const [{ log = '' } = {}] = room.outcomes();
    expect(log).toContain('"kind":"machine"');
    const { password } = address;
    for (const { log: one, reason } of room.outcomes())
      expect(`${one} ${reason}`).not.toContain(decodeURIComponent(password) || 'no password');
  });

  test('takes the tree from a git remote and leaves a branch there', async () => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 1, adapter: ', remote: far' });
    const bare = join(room.base, 'far.git');
    execFileSync('git', ['init', '-q', '--bare', bare]);
    room.git(`remote add far ${bare}`);
    await room.worker('w1');
    await ended(room, room.run());
    const refs = execFileSync('git', ['--git-dir', bare, 'for-each-ref', '--format=%(refname)']);
    const [id = ''] = room.ids;
    expect(refs.toString()).toMatch(new RegExp(`^refs/contracts/base/[0-9a-f]{40}$`, 'm'));
    expect(refs.toString()).toMatch(new RegExp(`^refs/heads/contracts/${id}/0001\\.`, 'm'));
  });

  test('asks an agent before the work; where it changed a file, there was no round', async () => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 1 });
    const ask = () => contractsIn(room.root, ['ask', ...room.ids], { env: room.envOf('owner') });
    await room.worker('w1');
    agentOf(room, 'echo early >early.txt; echo "No questions." >"$CONTRACTS_OUT/questions.md"\n');
    expect(ask().stdout).toContain('it was to be asked, and it changed files');
    agentOf(
      room,
      `test "$CONTRACTS_KIND" = ask && printf '## Questions\\n\\n1. Which?\\n' >"$CONTRACTS_OUT/questions.md"\n`,
    );
    const { stdout } = ask();
    expect(stdout).toContain('1 question of 1 task');
    expect(stateOf(room)).toBe('questions');
    expect(existsSync(join(room.root, 'early.txt'))).toBe(false);
  });

  test('says which files of its agent no commit can have', async () => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 1, retries_max: 0 });
    const sub = join(room.base, 'sub');
    putFile(join(sub, 's.txt'), 'sub\n');
    for (const args of ['init -q', 'add .', 'commit -q -m sub']) gitOf(sub)(args);
    room.git(`-c protocol.file.allow=always submodule --quiet add ${sub} vendor`);
    room.git('commit -q -m vendor');
    agentOf(
      room,
      `echo more >vendor/more.txt; git init -q own; echo x >own/x; echo done >"$CONTRACTS_TASK.txt"\n${DONE}`,
    );
    await room.worker('w1');
    await room.run().started.ended;
    const [{ outcome, reason } = { outcome: '', reason: '' }] = room.outcomes();
    expect([outcome, stateOf(room)]).toEqual(['failed', 'blocked']);
    expect(reason).toContain('no commit can have these files of its agent');
    expect(reason).toContain('own');
    expect(reason).toContain('vendor/more.txt');
  });

  test('with the labels alone gets a job that asks for them', async () => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 3, adapter: ', labels: [gpu, linux]' });
    await room.worker('plain', { flags: ['--labels', 'linux'] });
    const run = room.run();
    await room.worker('large', { flags: ['--labels', 'arm,gpu,linux'] });
    await ended(room, run);
    expect(new Set(room.starts().map(({ machine }) => machine))).toEqual(new Set(['large']));
  });

  test('with --once ends after what waits, and at once where nothing does', async () => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 1 });
    const idle = await room.worker('idle', { flags: ['--once', '--json'] });
    const { code, stdout } = await idle.started.ended;
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect([code, lines]).toMatchObject([0, [{ v: 1, event: 'worker', what: 'waits' }]]);
    const run = room.run();
    let said = '';
    for (let tries = 0; room.starts().length === 0; tries++) {
      const one = await room.worker(`once${tries}`, { flags: ['--once', '--json'] });
      const { code, stdout } = await one.started.ended;
      expect(code).toBe(0);
      said = stdout;
    }
    expect(said).toMatch(/"what":"ended",.*"exit_code":0/);
    await ended(room, run);
  });

  test('in a network of its own reaches nothing but the queue', async () => {
    const ip = (...args: readonly string[]) => spawnSync('ip', args, { encoding: 'utf8' });
    const name = `ct${process.pid}`;
    if (process.getuid?.() !== 0 || ip('netns', 'add', name).status !== 0) {
      console.log('LEFT OUT: workers in network namespaces, which only root can make');
      return;
    }
    onTestFinished(() => void ip('netns', 'del', name));
    const [own, theirs] = ['10.213.77.1', '10.213.77.2'];
    for (const words of [
      `link add ${name}a type veth peer name ${name}b netns ${name}`,
      `addr add ${own}/30 dev ${name}a`,
      `link set ${name}a up`,
      `-n ${name} addr add ${theirs}/30 dev ${name}b`,
      `-n ${name} link set ${name}b up`,
    ])
      expect(ip(...words.split(' ')).stderr).toBe('');
    const server = await serverOf(() => startRedis({ host: own, password: 'word' }));
    const room = machinesRoom({ url: server.url, tasks: 4 });
    const before = ['ip', 'netns', 'exec', name];
    await Promise.all(['n1', 'n2'].map((one) => room.worker(one, { slots: 1, before })));
    await ended(room, room.run());
  });
});

describe.runIf(missing === undefined)('an agent on another machine', () => {
  const stopped = async (room: MachinesRoom): Promise<void> => {
    await until('the agent to be stopped', () =>
      room.starts().every(({ pid }) => !existsSync(`/proc/${pid}`)),
    );
  };

  test.each([
    ['by abort', (room: MachinesRoom) => void verb(room, 'abort', room.ids[0] ?? '')],
    ['by Ctrl-C', (_: MachinesRoom, run: Machine) => void run.started.child.kill('SIGINT')],
  ])('is stopped %s, and nothing of it is taken', async (_, stop) => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 1 });
    room.hold('w1');
    await room.worker('w1');
    const run = room.run();
    await until('it to work', () => room.starts().length > 0);
    stop(room, run);
    await stopped(room);
    await run.started.ended;
    expect(room.outcomes().map(({ outcome }) => outcome)).toEqual(['interrupted']);
    expect(room.ledger().filter(({ word }) => word === 'end')).toEqual([]);
  });

  test('is stopped at its time limit, which its own machine measures', async () => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 1, retries_max: 0 });
    const contract = join(room.root, 'active_tasks/ready', room.ids[0] ?? '', 'contract.md');
    putFile(contract, readFileSync(contract, 'utf8').replace('title:', 'timeout: 2s\ntitle:'));
    room.hold('w1');
    await room.worker('w1');
    await room.run().started.ended;
    await stopped(room);
    const [{ outcome = '', reason = '' } = {}] = room.outcomes();
    expect([outcome, reason]).toEqual(['timed_out', 'stopped after 2 s']);
  });

  test('asks, and gets the answer with the next attempt', async () => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 1 });
    agentOf(
      room,
      `if grep -q 'in green' "$CONTRACTS_BRIEF"; then echo done >"$CONTRACTS_TASK.txt"; ${DONE}
else rm -f "$CONTRACTS_OUT/result.md"; printf '# Questions\\n\\n## Questions\\n\\n1. Which colour?\\n' >"$CONTRACTS_OUT/questions.md"; fi`,
    );
    await room.worker('w1');
    await room.run().started.ended;
    expect(stateOf(room)).toBe('questions');
    verb(room, 'answer', room.ids[0] ?? '', 'in green');
    await room.run().started.ended;
    expect(stateOf(room)).toBe('done');
    const attempts = room.outcomes().filter(({ kind }) => kind === 'work');
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['questions', 'complete']);
  });

  test('reviews the work of another as its gate', async () => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 1 });
    agentOf(
      room,
      `if [ "$CONTRACTS_KIND" = review ]; then printf -- '---\\nverdict: APPROVED\\n---\\n\\nRead %s.\\n' "$(cat *.txt | tail -1)" >"$CONTRACTS_OUT/review.md"
else echo "the work" >"$CONTRACTS_TASK.txt"; ${DONE}; fi`,
    );
    const contract = join(room.root, 'active_tasks/ready', room.ids[0] ?? '', 'contract.md');
    const text = readFileSync(contract, 'utf8');
    putFile(contract, text.replace('title:', 'quality_gate: critic\ntitle:'));
    putFile(
      join(room.root, '.contracts/agents/critic.md'),
      '---\nname: critic\ndescription: reads\nadapter: far\n---\n\nYou judge.\n',
    );
    await room.worker('w1');
    await room.run().started.ended;
    expect(stateOf(room)).toBe('done');
    const task = join(room.root, 'active_tasks/done', room.ids[0] ?? '');
    expect(readFileSync(join(task, 'review.md'), 'utf8')).toContain('Read the work.');
  });

  test('leaves nothing on its machine when its worker has ended', async () => {
    const { url } = await serverOf(startRedis);
    const room = machinesRoom({ url, tasks: 2 });
    const worker = await room.worker('w1');
    await ended(room, room.run());
    worker.started.child.kill('SIGTERM');
    expect((await worker.started.ended).code).toBe(0);
    const cache = join(room.base, 'homes/w1/cache/contracts-worker');
    expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([]);
  });
});

function verb(room: MachinesRoom, ...args: readonly string[]): void {
  const { status, stderr } = contractsIn(room.root, args, { env: room.envOf('owner') });
  if (status !== 0) throw new Error(`contracts ${args.join(' ')}: ${stderr}`);
}
