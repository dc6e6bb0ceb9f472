/**
 * An agent and the log of its attempt, by the built command: it has no descriptor of the log, so it can
 * print and no more. What it printed is kept when it is stopped, and when the runner is killed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { startContracts } from '../support/binary.ts';
import { inShell, makeHouse, shellContract, type House } from './house.ts';
import { until } from '../support/until.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: logs of a sandbox, because ${here.why}`);
const modes = ['none', ...(here.works ? ['bwrap'] : [])];
const onLinux = test.runIf(process.platform === 'linux');

/** The program is a sh of its own, without the steps of a contract. */
function houseOf(sandbox: string, sh: string, head = ''): House {
  const house = makeHouse({ neighbour: false });
  const run = `[sh, ${house.path('agent.sh')}]`;
  const config = `sandbox: ${sandbox}\nadapters:\n  sh-one: { run: ${run} }\n`;
  house.write('.contracts/config.yaml', config);
  house.write('agent.sh', `${sh}\n${DONE}\n`);
  house.task(
    'one',
    shellContract('one', {
      criteria: '- [ ] It was done',
      head: `adapter: sh-one\nretries_max: 0${head}`,
    }),
  );
  return house;
}

const DONE = `printf -- '---\\nstatus: COMPLETE\\n---\\n\\n## Success Criteria\\n\\n- [x] It was done\\n' > "$CONTRACTS_OUT/result.md"`;

function logOf(house: House, attempt = '0001'): string {
  const [state = ''] = house.where('one');
  return house.read(`active_tasks/${state}/one/attempts/${attempt}/output.log`);
}

const run = (house: House, before = ''): ReturnType<typeof inShell> =>
  inShell(house, `${before}exec $BIN run`, { CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: '' });

onLinux.each(modes)('what it printed cannot be taken back; sandbox: %s', (mode) => {
  const tries = [
    ': > /proc/self/fd/1',
    ': > /dev/stdout',
    'truncate -s 0 /proc/self/fd/2',
    'python3 -c "import os; os.ftruncate(1, 0)"',
    'python3 -c "import os; os.lseek(1, 0, 0); os.write(1, b\\"all fine\\")"',
    'for fd in 1 2 3 4 5 6; do : > /proc/$PPID/fd/$fd; done',
  ];
  const house = houseOf(
    mode,
    `echo the bad line; ${tries.map((one) => `(${one}) 2> /dev/null`).join('; ')}
echo by its name > /dev/stdout; ls -l /proc/self/fd; echo made > one.txt; echo the last line`,
  );
  const said = run(house);
  expect(house.where('one'), said.out).toEqual(['done']);
  const log = logOf(house);
  expect(log).toMatch(/^the bad line\n/);
  expect(log).toMatch(/\nby its name\n[^]*\nthe last line\n/);
  expect(log).toMatch(/ 1 -> .*contracts-log-\w+ \(deleted\)/);
  expect(log).not.toContain('output.log');
});

test.runIf(here.works)('in a sandbox no process that it sees has the log open', () => {
  const house = houseOf(
    'bwrap',
    `ls -l /proc/[1-9]*/fd > seen.txt; log=$(find active_tasks -name output.log)
echo x >> "$log" || echo shut; rm -f "$log" || echo kept; echo made > one.txt`,
  );
  run(house);
  expect(house.read('seen.txt')).toContain(' 1 -> ');
  expect(house.read('seen.txt')).not.toContain('output.log');
  expect(logOf(house)).toMatch(/shut\n[^]*kept\n/);
});

onLinux.each(modes)(
  'both streams come in order, and no terminal is pretended; sandbox: %s',
  (mode) => {
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}`);
    const house = houseOf(
      mode,
      `test -t 1 || test -t 2 || echo none
i=0; while [ $i -lt 200 ]; do echo "line $i"; echo "line $((i + 1))" >&2; i=$((i + 2)); done
echo made > one.txt`,
    );
    run(house);
    expect(logOf(house)).toContain(`none\n${lines.join('\n')}\n`);
  },
);

onLinux.each(modes)('last words after SIGTERM are kept; sandbox: %s', (mode) => {
  const house = houseOf(
    mode,
    `trap 'echo last words; exit 1' TERM; echo first; while :; do sleep 0.1; done`,
    '\ntimeout: 1s',
  );
  const said = run(house);
  expect(logOf(house), said.out).toMatch(/^first\n(?:Terminated\n)?last words\n$/);
});

onLinux('a process that it leaves behind holds up nothing, and its last words are kept', () => {
  const house = houseOf(
    'none',
    `sh -c 'trap "echo bye; exit" TERM; echo stays; while :; do sleep 0.1; done' &
while ! grep -q stays active_tasks/in_progress/one/attempts/0001/output.log; do sleep 0.05; done
echo made > one.txt`,
  );
  const said = run(house);
  expect(house.where('one'), said.out).toEqual(['done']);
  expect(logOf(house)).toMatch(/^stays\n(?:Terminated\n)?bye\n/);
});

onLinux('nor does one that left its session and cleared its environment', () => {
  const house = houseOf('none', `setsid env -i sleep 600 & echo $! > pid; echo made > one.txt`);
  const said = run(house);
  expect(house.where('one'), said.out).toEqual(['done']);
  // It lived on, so nobody waited for its end.
  expect(spawnSync('kill', [house.read('pid').trim()]).status).toBe(0);
});

onLinux.each(modes)('600 MB of output end it, and 5 MB are kept; sandbox: %s', (mode) => {
  const house = houseOf(mode, `head -c 600000000 /dev/zero | tr '\\0' x; sleep 60`);
  const said = run(house);
  expect(said.out).toMatch(/output/);
  const { length } = logOf(house);
  expect(length).toBeGreaterThan(5_000_000);
  expect(length).toBeLessThan(5_300_000);
});

onLinux.each(modes)(
  'the runner is killed: no line is lost, and the next one adopts; sandbox: %s',
  async (mode) => {
    const house = houseOf(
      mode,
      `i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i + 1)); done; : > ready
while [ ! -e go ]; do sleep 0.02; done
while [ $i -lt 6000 ]; do echo "line $i" >&2; i=$((i + 1)); done; echo made > one.txt`,
    );
    const { child, ended } = startContracts(house.root, ['run'], [], {
      ...process.env,
      CONTRACTS_SANDBOX: '',
    });
    await until(() => existsSync(house.path('ready')));
    child.kill('SIGKILL');
    await ended;
    house.write('go', '');
    await until(() => existsSync(house.path('active_tasks/.desk/one.0001/exit.md')));
    const log = readFileSync(house.path('active_tasks/in_progress/one/attempts/0001/output.log'));
    const lines = Array.from({ length: 6000 }, (_, i) => `line ${i}`);
    expect(log.toString()).toBe(`${lines.join('\n')}\n`);
    const said = run(house);
    expect(house.where('one'), said.out).toEqual(['done']);
    expect(said.out).not.toContain('calls builder');
  },
);

onLinux('where no FIFO can be made the environment is at fault, not the agent', () => {
  const house = houseOf('none', 'echo made > one.txt');
  const said = run(house, 'TMPDIR=/proc/nowhere ');
  expect(said.out).toContain('no FIFO could be made in /proc/nowhere');
  expect(house.where('one')).toEqual(['ready']);
});
