/**
 * Plays a golden case with a fault in the disk of one of its commands: that command is a process
 * that dies there, or meets an errno; others then go on until the tree says what it said without
 * the fault, and the script is continued. Every command runs in this process, through the real
 * command line; its agents are real programs in the MOCK room of sync-room.ts.
 */
import { CAPABILITIES } from '../../src/capabilities.ts';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { realMachine, type Machine } from '../../src/process/machine.ts';
import { ownGit } from '../../src/git/runner-git.ts';
import { main } from '../../src/cli/startup/program.ts';
import { untilOf } from '../../src/engine/step/run.ts';
import { step, type StepReport } from '../../src/engine/step/step.ts';
import { openWorkspace, type Ports } from '../../src/workspace/open/workspace.ts';
import {
  CHANGES,
  faultyDisk,
  unsyncedDisk,
  type FaultKind,
  type FaultyDisk,
} from './faulty-disk.ts';
import type { Action, Case } from './golden-case.ts';
import { BETWEEN_MS, makeWorkspace } from './golden-run.ts';
import { standOf, type Stand } from './golden-stand.ts';
import type { ScriptedCall } from './scripted-room.ts';
import { sealedEnv } from './sealed-folder.ts';
import { syncRoom, type Ledger } from './sync-room.ts';

/** `command` counts the commands of the script, `at` the operations of its disk. */
export interface Strike {
  readonly command: number;
  readonly at: number;
  readonly fault: FaultKind;
}

export interface PlayedCase {
  readonly root: string;
  /** How the tree stood after each command, and last when all was calm. */
  readonly stands: readonly Stand[];
  /** The disk of each command. */
  readonly disks: readonly FaultyDisk[];
  readonly ledger: Ledger;
  /** What the command that met the fault said, and its exit code; undefined when it died. */
  readonly told: string | undefined;
  /** That command came to its end all the same. */
  readonly reached: boolean;
  remove(): void;
}

const REAL = realMachine();
/** Above every pid that Linux gives away: nobody else's. */
const RUNNERS = 5_000_000;
const STEPS_MAX = 40;

/** With the run without a fault, to go on by, or undefined for that run itself. */
export async function playCase(
  one: Case,
  clean?: PlayedCase,
  strike?: Strike,
): Promise<PlayedCase> {
  const stage = new Stage(makeWorkspace(one), clean, strike);
  for (const { action } of one.steps) await stage.act(action);
  await stage.goOn([]);
  return stage.record();
}

class Stage {
  readonly #root: string;
  readonly #clean: PlayedCase | undefined;
  readonly #strike: Strike | undefined;
  readonly #stands: Stand[] = [];
  readonly #disks: FaultyDisk[] = [];
  readonly #ledger: Ledger = { calls: [], written: [] };
  /** Time passes where the script says so, as in the case itself. Files have the times of the machine. */
  #now_ms = REAL.now().getTime();
  #runners = 0;
  #told: string | undefined;
  #reached = false;

  constructor(root: string, clean: PlayedCase | undefined, strike: Strike | undefined) {
    this.#root = root;
    this.#clean = clean;
    this.#strike = strike;
  }

  record(): PlayedCase {
    const root = this.#root;
    return {
      root,
      stands: [...this.#stands, standOf(root)],
      disks: this.#disks,
      ledger: this.#ledger,
      told: this.#told,
      reached: this.#reached,
      remove: () => rmSync(root, { recursive: true, force: true }),
    };
  }

  async act(action: Action): Promise<void> {
    const at = (path: string): string => join(this.#root, this.#desk(path));
    switch (action.kind) {
      case 'contracts':
      case 'same':
        return this.#command(action.argv);
      case 'sh':
        spawnSync('sh', ['-c', lastNumbers(action.command)], { cwd: this.#root });
        return;
      case 'mv':
        renameSync(
          at(action.from),
          at(action.to + (action.to.endsWith('/') ? basename(action.from) : '')),
        );
        return;
      case 'write':
        mkdirSync(dirname(at(action.path)), { recursive: true });
        writeFileSync(at(action.path), action.text);
        return;
      case 'append':
      case 'touch':
        appendFileSync(at(action.path), action.kind === 'append' ? action.text : '');
        return;
      case 'later':
        this.#now_ms += action.minutes * 60_000;
        return;
      case 'until':
      case 'wait':
        throw new Error(`${action.kind}: nothing runs meanwhile in this room`);
    }
  }

  /** A host finds its desk by the number it was told, which a crash may have used up. */
  #desk(path: string): string {
    const [, id = ''] = /^active_tasks\/\.desk\/([^/]+)\.\d{4}\//.exec(path) ?? [];
    if (id === '') return path;
    const desks = join(this.#root, 'active_tasks/.desk');
    const names = existsSync(desks) ? readdirSync(desks) : [];
    const last = names
      .filter((name) => name.startsWith(`${id}.`))
      .sort()
      .at(-1);
    return last === undefined ? path : path.replace(/[^/]+\.\d{4}/, last);
  }

  async #command(argv: readonly string[]): Promise<void> {
    this.#now_ms += BETWEEN_MS;
    const index = this.#disks.length;
    const strike = this.#strike?.command === index ? this.#strike : undefined;
    const disk = faultyDisk(strike?.at, strike?.fault, unsyncedDisk);
    this.#disks.push(disk);
    const first = this.#clean?.disks[index]?.trace;
    // What only looked has nothing to say here.
    if (strike === undefined && first?.every((met) => !CHANGES.has(met.operation)) === true) return;
    const said = await this.#run(argv, disk);
    const wanted = this.#clean?.stands[index];
    if (strike !== undefined && wanted !== undefined) {
      this.#told = disk.dead ? undefined : said;
      const isVerb = argv[0] !== 'step' && argv[0] !== 'run';
      const stand = standOf(this.#root);
      this.#reached = isVerb ? stand.work === wanted.work : stand.all === wanted.all;
      if (!this.#reached) await this.#recover(argv, wanted);
    }
    // The stands on the way are for those who go on by them.
    if (this.#clean === undefined) this.#stands.push(standOf(this.#root));
  }

  async #run(argv: readonly string[], disk: FaultyDisk): Promise<string> {
    let text = '';
    const print = (more: string): void => {
      text += more;
    };
    const running = main(
      ['--dir', this.#root, ...argv],
      { out: print, err: print },
      this.#ports(disk),
    );
    const code = await Promise.race([running, disk.died]);
    return `${text}exit ${code ?? 'never'}`;
  }

  /** Other processes go on, as a person would: the same command again, then steps. */
  async #recover(argv: readonly string[], wanted: Stand): Promise<void> {
    const steps = argv[0] === 'step' || argv[0] === 'run';
    // Where it is all done but for a lease, a look is enough; and before one, nobody may move it.
    await this.#look();
    const reached = (): boolean => standOf(this.#root).all === wanted.all;
    const again = (): Promise<string> => this.#run(argv, faultyDisk(-1, undefined, unsyncedDisk));
    if (!steps && !reached()) await again();
    const goes_on = steps || argv[0] === 'collect' || argv[0] === 'delegate';
    if (goes_on && !reached()) await this.goOn(argv, wanted);
  }

  /** A step that is stopped before it does anything. */
  async #look(): Promise<void> {
    const disk = faultyDisk(-1, undefined, unsyncedDisk);
    const ws = openWorkspace({
      capabilities: CAPABILITIES,
      dir: this.#root,
      ports: this.#ports(disk),
    });
    if (ws.ok) await step(ws.value, { signal: AbortSignal.abort() });
  }

  /** Steps until nothing moves; ends early, as Ctrl-C would, where the tree stands as wanted. */
  async goOn(argv: readonly string[], wanted?: Stand): Promise<void> {
    const only = argv.filter((_, i) => argv[i - 1] === '--only');
    const faults = new Map<string, string>();
    const left = new Set<string>();
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const controller = new AbortController();
      const look = (): void => {
        if (wanted !== undefined && standOf(this.#root).all === wanted.all) controller.abort();
      };
      const disk = faultyDisk(-1, undefined, unsyncedDisk);
      const ws = openWorkspace({
        capabilities: CAPABILITIES,
        dir: this.#root,
        ports: this.#ports(disk),
      });
      if (!ws.ok) return;
      const report = await step(ws.value, {
        signal: controller.signal,
        emit: (event) => {
          if (event.event === 'moved' || event.event === 'wrote') look();
          // Met twice, only a person can mend it; each step would meet it again.
          if (event.event !== 'fault' || event.task === undefined) return;
          if (faults.get(event.task) === event.reason) left.add(event.task);
          faults.set(event.task, event.reason);
        },
        except: left,
        ...(only.length === 0 ? {} : { only: new Set(only) }),
      });
      const waits = !goesOn(report) && this.#waitsOut(argv, report);
      if (controller.signal.aborted || !(waits || goesOn(report))) return;
      look();
      if (controller.signal.aborted) return;
    }
    throw new Error(`still moving after ${STEPS_MAX} steps`);
  }

  /** A run waits until a pause is over; a step leaves that to the next one. */
  #waitsOut(argv: readonly string[], { events }: StepReport): boolean {
    const waiting = events.filter((event) => event.event === 'waits');
    const until = argv[0] === 'run' ? untilOf(waiting) : undefined;
    if (until !== undefined) this.#now_ms = Math.max(this.#now_ms, Date.parse(until));
    return until !== undefined;
  }

  #ports(disk: FaultyDisk): Ports {
    const now = (): Date => new Date(this.#now_ms++);
    const machine = { ...machineOf(RUNNERS + this.#runners++), now };
    const room = syncRoom({
      machine,
      ledger: this.#ledger,
      toldNumber: (call) => this.#number(call),
      isDead: () => disk.dead,
    });
    const PATH = `${process.env['PATH'] ?? ''}:${join(this.#root, 'bin')}`;
    const env = { ...sealedEnv(), PATH, CONTRACTS_SANDBOX: 'none', CONTRACTS_TRUST: '1' };
    const git = ownGit(env);
    const elapsed_ms = (): number => performance.now();
    const sleep = (ms: number): Promise<void> => {
      this.#now_ms += ms;
      return Promise.resolve();
    };
    return { disk, machine, room, git, env, sleep, tick_ms: 60_000, elapsed_ms };
  }

  /** The nth agent of a task is told the number that it had without the fault. */
  #number(call: ScriptedCall): number {
    const same = (other: ScriptedCall): boolean =>
      other.task === call.task && other.kind === call.kind;
    const nth = this.#ledger.calls.filter(same).length;
    return this.#clean?.ledger.calls.filter(same)[nth]?.attempt ?? call.attempt;
  }
}

/** A file of an attempt lies in the last one that holds it: a crash may have used up the number. */
function lastNumbers(command: string): string {
  return command.replace(/(\S+\/attempts\/)\d{4}(\/\S+)/g, '"$(ls -d $1*$2 | tail -n 1)"');
}

function goesOn(report: StepReport): boolean {
  return (
    report.progressed || report.events.some((one) => one.event === 'waits' && one.on === 'step')
  );
}

/** Only the newest process lives. */
function machineOf(pid: number): Machine {
  const self = { ...REAL.self(), pid, start: String(pid) };
  return {
    ...REAL,
    self: () => self,
    identify: (other) => (other === pid ? self : undefined),
    judge: (ref) => (ref.host !== self.host ? 'elsewhere' : ref.pid === pid ? 'alive' : 'dead'),
    ageSeconds: () => undefined,
  };
}
