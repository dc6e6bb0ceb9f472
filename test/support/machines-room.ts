/**
 * An owner and workers as they are on machines of their own: processes with a home, settings and clock each, which know
 * only the address of a queue. The agent writes each start into a ledger outside of all of them, so that an attempt
 * that ran twice is seen. All that was started is gone when the test ends.
 */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { STATES } from '../../src/task/core/model/state.ts';
import { startContracts, type Started } from './binary.ts';
import { gitOf } from './git.ts';
import { putFile, sealedEnv, sealedFolder } from './sealed-folder.ts';
import { until } from './until.ts';

/**
 * $1 is the ledger, $2 the folder of orders, $3 the machine. While the order `hold-MACHINE` is there, its agents work
 * on and on.
 */
const AGENT = `echo "start $CONTRACTS_TASK $CONTRACTS_ATTEMPT $3 $$" >>"$1"
while [ -e "$2/hold-$3" ]; do sleep 0.05; done
sleep 0.1
echo "by $3" >"$CONTRACTS_TASK.txt"
printf -- '---\\nstatus: COMPLETE\\n---\\n\\n## Success Criteria\\n\\n- [x] It was done\\n' >"$CONTRACTS_OUT/result.md"
echo "end $CONTRACTS_TASK $CONTRACTS_ATTEMPT $3 $$" >>"$1"
`;

export interface Line {
  readonly word: 'start' | 'end';
  readonly task: string;
  readonly attempt: number;
  readonly machine: string;
  readonly pid: number;
}

export interface Machine {
  readonly name: string;
  readonly started: Started;
  readonly isOver: () => boolean;
  /** SIGKILL to it and to all that it started, as when the machine goes. */
  readonly kill: () => Promise<void>;
  /** All of it stands still. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => void;
}

interface Called {
  /** The address of the queue for this one. */
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** In front of the command. */
  readonly before?: readonly string[];
}

export interface MachinesRoom {
  readonly base: string;
  /** The owner's workspace. */
  readonly root: string;
  readonly ids: readonly string[];
  readonly keys: string;
  /** Agents of that machine do not end before `release`. */
  readonly hold: (machine: string) => void;
  readonly release: (machine: string) => void;
  readonly ledger: () => readonly Line[];
  readonly starts: (machine?: string) => readonly Line[];
  readonly worker: (
    name: string,
    called?: Called & { readonly slots?: number; readonly flags?: readonly string[] },
  ) => Promise<Machine>;
  readonly run: (called?: Called) => Machine;
  readonly envOf: (name: string, env?: Readonly<Record<string, string>>) => NodeJS.ProcessEnv;
  /** The states of all tasks, each with how many are in it. */
  readonly states: () => Readonly<Record<string, number>>;
  readonly outcomes: () => readonly Outcome[];
  readonly git: (args: string) => string;
}

export interface Outcome {
  readonly task: string;
  readonly attempt: number;
  readonly kind: string;
  readonly outcome: string;
  /** The attempt whose agent had ended under a runner that died; 0 for none. */
  readonly adopted: number;
  readonly reason: string;
  readonly log: string;
}

interface Wanted {
  readonly url: string;
  readonly tasks: number;
  /** Made before anything is put into the room. */
  readonly before?: (base: string) => void;
  readonly retries_max?: number;
  readonly max_in_flight?: number;
  /** More keys of the adapter, as in `, labels: [gpu]`. */
  readonly adapter?: string;
}

export function machinesRoom({
  url,
  tasks,
  retries_max = 20,
  max_in_flight = 8,
  adapter = '',
  before,
}: Wanted): MachinesRoom {
  const base = sealedFolder('machines');
  const [root, orders, ledger] = [join(base, 'owner'), join(base, 'orders'), join(base, 'ledger')];
  const keys = join(base, 'owners.pem');
  for (const folder of [root, orders]) mkdirSync(folder);
  before?.(base);
  appendFileSync(ledger, '');
  putFile(join(base, 'agent.sh'), AGENT);
  const envOf: MachinesRoom['envOf'] = (name, env = {}) => {
    const home = join(base, 'homes', name);
    mkdirSync(join(home, 'tmp'), { recursive: true });
    if (!existsSync(join(home, '.gitconfig')))
      putFile(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
    return {
      ...sealedEnv(),
      HOME: home,
      TMPDIR: join(home, 'tmp'),
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CACHE_HOME: join(home, 'cache'),
      CONTRACTS_TRUST: '1',
      CONTRACTS_SANDBOX: 'none',
      NO_COLOR: '1',
      LC_ALL: 'C.UTF-8',
      ...env,
    };
  };
  makeKeys(keys, envOf('owner'));
  const git = gitOf(root);
  putFile(
    join(root, '.contracts/config.yaml'),
    ownersConfig(url, `${max_in_flight}${adapter}`, retries_max),
  );
  putFile(join(root, 'base.txt'), 'base\n');
  git('init -q -b main');
  git('add --all');
  git('commit -q -m first');
  const ids = Array.from(
    { length: tasks },
    (_, n) => `task_20261121_n${String(n).padStart(4, '0')}_aaaa`,
  );
  for (const state of STATES) mkdirSync(join(root, 'active_tasks', state), { recursive: true });
  for (const id of ids)
    putFile(join(root, 'active_tasks/ready', id, 'contract.md'), contractText(id));
  const room: Pick<MachinesRoom, 'ledger' | 'starts'> = {
    ledger: () => linesOf(readFileSync(ledger, 'utf8')),
    starts: (machine) =>
      room
        .ledger()
        .filter((one) => one.word === 'start' && (machine ?? one.machine) === one.machine),
  };
  const going = new Set<Machine>();
  const machine = (name: string, at: string, args: readonly string[], called: Called): Machine => {
    const started = startContracts(at, args, called.before, envOf(name, called.env));
    const one = machineOf(name, started);
    going.add(one);
    return one;
  };
  onTestFinished(async () => {
    for (const one of readdirSync(orders)) rmSync(join(orders, one));
    await Promise.all([...going].map((one) => one.kill()));
  });
  return {
    base,
    root,
    ids,
    keys,
    envOf,
    git,
    ...room,
    hold: (name) => putFile(join(orders, `hold-${name}`), ''),
    release: (name) => rmSync(join(orders, `hold-${name}`), { force: true }),
    worker: async (name, { slots = 2, url: own = url, flags: more = [], ...called } = {}) => {
      const at = join(base, name);
      const run = ['sh', join(base, 'agent.sh'), ledger, orders, name];
      putFile(join(at, '.contracts/config.yaml'), workersConfig(run));
      const flags = ['--queue', own, '--key', keys, '--agent', 'builder', '--slots', String(slots)];
      const made = machine(name, at, ['worker', ...flags, ...more], called);
      await until(`${name} to wait for jobs`, () => made.started.stdout().includes('waits'));
      return made;
    },
    run: ({ url: own = url, ...called } = {}) => {
      putFile(
        join(root, '.contracts/config.yaml'),
        ownersConfig(own, `${max_in_flight}${adapter}`, retries_max),
      );
      return machine('owner', root, ['run', '--json'], called);
    },
    states: () => {
      const of = (state: string) => readdirSync(join(root, 'active_tasks', state)).length;
      return Object.fromEntries(
        STATES.map((state) => [state, of(state)]).filter(([, n]) => n !== 0),
      );
    },
    outcomes: () => ids.flatMap((id) => outcomesOf(root, id)),
  };
}

const ownersConfig = (url: string, max: string, retries: number): string => `adapter: far
isolation: worktree
parallel: 4
retries_max: ${retries}
adapters:
  far: { type: queue, url: ${JSON.stringify(url)}, agent: builder, max_in_flight: ${max} }
`;

const workersConfig = (run: readonly string[]): string => `adapter: far
adapters:
  far: { type: command, run: ${JSON.stringify(run)} }
agents:
  builder: { adapter: far }
`;

const contractText = (id: string): string =>
  `---\nv: 1\ntitle: ${id}\nverify: ["file_exists: ${id}.txt"]\n---\n\n# ${id}\n\n## Objective\n\nBe done once.\n\n## Success Criteria\n\n- [ ] It was done\n`;

/** As the owner makes it at its first need. */
function makeKeys(file: string, env: NodeJS.ProcessEnv): void {
  const folder = join(env['XDG_STATE_HOME'] ?? '', 'contracts/keys');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  putFile(join(folder, 'ed25519.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  execFileSync('chmod', ['600', join(folder, 'ed25519.pem')]);
  putFile(file, publicKey.export({ type: 'spki', format: 'pem' }));
}

function linesOf(text: string): readonly Line[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [word = '', task = '', attempt = '', machine = '', pid = ''] = line.split(' ');
    return {
      word: word as Line['word'],
      task,
      attempt: Number(attempt),
      machine,
      pid: Number(pid),
    };
  });
}

function machineOf(name: string, started: Started): Machine {
  const pid = started.child.pid ?? 0;
  const all = (): readonly number[] => (isOver() ? [] : [pid, ...below(pid)]);
  const isOver = (): boolean =>
    started.child.exitCode !== null || started.child.signalCode !== null;
  const freeze = async (): Promise<void> => {
    // What it starts meanwhile stands still in the next round.
    for (let found = 0; found !== all().length;) {
      const now = all();
      found = now.length;
      for (const one of now) send(one, 'SIGSTOP');
      // In D is one whose child stands still before its exec; it stops with its next step.
      await until(`${name} to stand still`, () =>
        now.every((one) => /^[DTZX]?$/.test(stateOf(one))),
      );
    }
  };
  return {
    name,
    started,
    isOver,
    freeze,
    thaw: () => all().forEach((one) => send(one, 'SIGCONT')),
    kill: async () => {
      await freeze();
      const running = all();
      for (const one of running) send(one, 'SIGKILL');
      await until(`${name} to be gone`, () => running.every((one) => /^[ZX]?$/.test(stateOf(one))));
      await started.ended;
    },
  };
}

function below(pid: number): readonly number[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.flatMap((one) => [one, ...below(one)]);
}

/** The letter of proc_pid_stat(5); empty where it is gone. */
const stateOf = (pid: number): string => /\) (\w) /.exec(textOf(`/proc/${pid}/stat`))?.[1] ?? '';

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Of each attempt of a task, as the owner's folders have it. */
function outcomesOf(root: string, task: string): readonly Outcome[] {
  return STATES.flatMap((state) => {
    const folder = join(root, 'active_tasks', state, task, 'attempts');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => /^\d{4}(?:\.lost)?$/.test(name))
      .map((name) => {
        const record = textOf(join(folder, name, 'outcome.md'));
        const field = (key: string): string =>
          new RegExp(`^${key}: *(.*)$`, 'm').exec(record)?.[1] ?? '';
        return {
          task,
          attempt: Number(name.slice(0, 4)),
          reason: field('reason'),
          adopted: Number(field('adopted')),
          outcome: name.endsWith('.lost') ? 'lost' : field('outcome'),
          kind: /^kind: *(.*)$/m.exec(textOf(join(folder, name, 'owner.md')))?.[1] ?? '',
          log: textOf(join(folder, name, 'output.log')),
        };
      });
  });
}

export interface Count {
  /** Attempts of work after the first of a task. */
  readonly second: number;
  /** Of them, those whose worker's answer was not taken, and answers that came late. */
  readonly refused: number;
  readonly late: number;
  readonly double: number;
}

const isWork = ({ kind }: Outcome): boolean => kind === 'work';

/** What is wrong once all is quiet: each task done once, by one answer, and no attempt started twice. */
export function wrongs(room: MachinesRoom): readonly string[] {
  const outcomes = room.outcomes();
  const found: string[] = [];
  const { done = 0, ...others } = room.states();
  if (done !== room.ids.length)
    found.push(`${done} of ${room.ids.length} done: ${JSON.stringify(others)}`);
  for (const id of room.ids) {
    const own = outcomes.filter(({ task }) => task === id);
    const taken = own.filter((one) => isWork(one) && one.outcome === 'complete');
    const approved = own.filter((one) => !isWork(one) && one.outcome === 'approved');
    if (taken.length !== 1) found.push(`${id} has ${taken.length} accepted answers`);
    if (approved.length !== 1) found.push(`${id} has ${approved.length} approvals`);
    if (own.some(({ outcome }) => outcome === '')) found.push(`${id} has an open attempt`);
  }
  return [...found, ...twice(room).map((one) => `${one} was started twice`)];
}

function twice(room: MachinesRoom): readonly string[] {
  const all = room.starts().map(({ task, attempt }) => `${task}, attempt ${attempt}`);
  return all.filter((one, at) => all.indexOf(one) !== at);
}

export function counted(room: MachinesRoom): Count {
  const outcomes = room.outcomes();
  // What was adopted is counted with its heir.
  const heirs = new Set(outcomes.map(({ task, adopted }) => `${task} ${adopted}`));
  const work = outcomes.filter((one) => isWork(one) && !heirs.has(`${one.task} ${one.attempt}`));
  return {
    second: work.length - new Set(work.map(({ task }) => task)).size,
    refused: work.filter(({ outcome }) => outcome !== 'complete').length,
    late: work.filter(({ log }) => log.includes('late answer')).length,
    double: twice(room).length,
  };
}
