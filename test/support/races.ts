/**
 * The races themselves, small in every run and large at night: a crowd of steppers, kills at random
 * moments, moves by hand meanwhile. All randomness comes from a seed that the caller prints. Signals
 * go only to children of this process, and to agents that carry this arena's own root.
 */
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '../../src/task/core/lines/event.ts';
import { STATES, type State } from '../../src/task/core/model/state.ts';
import { statesOf, type Arena } from './arena.ts';
import { startContracts, type Started } from './binary.ts';
import { until } from './until.ts';

export interface Crowd {
  /** Ends when each stepper has ended; they start no new round. */
  stop(): Promise<void>;
  /** The same by force, for the end of a test that failed. */
  kill(): Promise<void>;
  events(): readonly Event[];
  /** Exit codes 3 and 70, deaths by signal, and what was said. */
  readonly failures: string[];
}

/** Steppers that are started again and again, each `run` or `step` by turns. */
export function startCrowd(arena: Arena, size: number, args: readonly string[]): Crowd {
  const going = new AbortController();
  const events: Event[] = [];
  const failures: string[] = [];
  const running: Started[] = [];
  let killed = false;
  const loop = async (n: number): Promise<void> => {
    for (let round = n; !going.signal.aborted; round++) {
      const verb = round % 2 === 0 ? 'run' : 'step';
      const started = startContracts(arena.root, [verb, '--json', ...args]);
      running[n] = started;
      const ended = await started.ended;
      const seen = parseEvents(ended.stdout);
      events.push(...seen);
      if (!killed && ![0, 1].includes(ended.code ?? -1)) {
        const faults = seen.filter((event) => event.event === 'fault');
        failures.push(
          `${verb} ended with ${ended.code ?? ended.signal}: ${JSON.stringify(faults)} ${ended.stderr}`,
        );
      }
    }
  };
  const stop = async (): Promise<void> => {
    going.abort();
    await Promise.all(loops);
  };
  const loops = Array.from({ length: size }, (_, n) => loop(n));
  return {
    stop,
    kill: () => {
      killed = true;
      for (const { child } of running) child.kill('SIGKILL');
      return stop();
    },
    events: () => events,
    failures,
  };
}

export function parseEvents(stdout: string): Event[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Event);
}

export function countIn(arena: Arena, state: State): number {
  return readdirSync(join(arena.tasks, state)).length;
}

export interface LiveAgent {
  readonly pid: number;
  readonly task: string;
}

/** Leaders of the groups of this arena's agents: by their own root in the environment, never 0 or 1. */
export function liveAgents(arena: Arena): LiveAgent[] {
  return carriers(arena).flatMap(({ pid, environment }) => {
    const task = environment.find((one) => one.startsWith('CONTRACTS_TASK='))?.slice(15);
    return task !== undefined && groupOf(pid) === pid ? [{ pid, task }] : [];
  });
}

/** Every process that carries this arena's root: agents, their wrappers and children. */
export function carriers(arena: Arena): { pid: number; environment: string[] }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) return [];
    const environment = readOrNothing(`/proc/${pid}/environ`).split('\0');
    return environment.includes(`CONTRACTS_ROOT=${arena.root}`) ? [{ pid, environment }] : [];
  });
}

function groupOf(pid: number): number {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** kill -9 to the group of one agent of this arena. */
export function killAgent({ pid }: LiveAgent): void {
  if (pid <= 1) throw new Error(`${pid} is nobody's agent`);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself just now.
  }
}

/** For the end of a test, also of one that failed: nobody of this arena stays alive. */
export function sweep(arena: Arena, started: readonly Started[] = []): void {
  for (const { child } of started) child.kill('SIGKILL');
  for (const { pid } of carriers(arena)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

export interface Killed {
  runner: number;
  agent: number;
  both: number;
}

/** Until an agent lives or the runner has ended, and then a moment: when somebody dies is chance here. */
async function someAgent(arena: Arena, moment: number, isOver: () => boolean): Promise<void> {
  await until('an agent', () => liveAgents(arena).length > 0 || isOver());
  await sleep(moment);
}

/** Kills runner, agent or both at random moments while there is always work to do. */
export async function killAtRandom(
  arena: Arena,
  random: () => number,
  kills: number,
): Promise<Killed> {
  const killed: Killed = { runner: 0, agent: 0, both: 0 };
  let runner: Started | undefined;
  let alive = false;
  try {
    while (killed.runner + killed.agent + killed.both < kills) {
      while (arena.ids.length - countIn(arena, 'done') < 6)
        arena.make('verify: ["run: sleep 0.1"]\n');
      if (!alive) {
        alive = true;
        runner = startContracts(arena.root, ['run', '--json', '--parallel', '4']);
        void runner.ended.then(() => (alive = false));
      }
      const what = (['runner', 'agent', 'both'] as const)[Math.floor(random() * 3)] ?? 'runner';
      const moment = random() * 900;
      // An agent lives for a part of that time only: first there must be one.
      if (what === 'runner') await sleep(moment);
      else await someAgent(arena, moment / 3, () => !alive);
      const agents = liveAgents(arena);
      const victim = agents[Math.floor(random() * agents.length)];
      if ((what === 'runner' && !alive) || (what !== 'runner' && victim === undefined)) continue;
      if (what !== 'agent') {
        runner?.child.kill('SIGKILL');
        await runner?.ended;
      }
      if (what !== 'runner')
        for (const one of what === 'both' ? agents : [victim])
          if (one !== undefined) killAgent(one);
      killed[what]++;
    }
  } finally {
    runner?.child.kill('SIGKILL');
    await runner?.ended;
  }
  return killed;
}

export interface HandMove {
  readonly id: string;
  readonly from: State;
  readonly to: State;
}

/** Moves tasks by rename(2) between random states, now and then straight back. */
export async function moveAtRandom(
  arena: Arena,
  random: () => number,
  moves: number,
): Promise<HandMove[]> {
  const made: HandMove[] = [];
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  while (made.length < moves) {
    await sleep(random() * 60);
    const id = pick(arena.ids) ?? '';
    const [from] = statesOf(arena, id);
    const to = pick(STATES);
    if (from === undefined || to === undefined || from === to) continue;
    if (!rename(arena, id, from, to)) continue;
    made.push({ id, from, to });
    if (random() < 0.3) {
      await sleep(random() * 20);
      if (rename(arena, id, to, from)) made.push({ id, from: to, to: from });
    }
  }
  return made;
}

/** As `mv` without a look before: false when the runner was faster. */
function rename(arena: Arena, id: string, from: State, to: State): boolean {
  try {
    renameSync(join(arena.tasks, from, id), join(arena.tasks, to, id));
    return true;
  } catch {
    return false;
  }
}
