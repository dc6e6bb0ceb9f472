/**
 * A server for tests as a process of an ordinary user: started until it says that it is ready, killed, frozen, started
 * again. PostgreSQL refuses root, and both end when the process of the test does.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { otherUser } from './as-user.ts';
import { until } from './until.ts';

/** Below the ports that the system gives to connections, so that none of these takes one between two starts. */
const PORTS = { from: 20_000, to: 32_000 };
const KEPT = 20_000;

export interface Program {
  readonly argv: readonly string[];
  /** Its working directory, which is all that it may write to. */
  readonly folder: string;
  /** What it prints once it takes connections. */
  readonly ready: RegExp;
}

export interface ServerProcess {
  readonly start: () => Promise<void>;
  /** SIGKILL to it and all of its children, as when the machine goes; resolves when none is left. */
  readonly kill: () => Promise<void>;
  /** Asks it to end. Does nothing where it has ended. */
  readonly stop: () => Promise<void>;
  /** Resolves when all of it stands still. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => void;
}

export function serverProcess({ argv, folder, ready }: Program): ServerProcess {
  let child: ChildProcess | undefined;
  const all = (): readonly number[] => {
    const pid = child?.pid;
    return pid === undefined ? [] : [pid, ...childrenOf(pid)];
  };
  const ended = async (of: readonly number[]): Promise<void> => {
    await until(`${argv[0]} to end`, () => of.every((pid) => /^[ZX]?$/.test(stateOf(pid))));
    child = undefined;
  };
  const freeze = async (): Promise<void> => {
    const pid = child?.pid;
    if (pid === undefined) return;
    send(pid, 'SIGSTOP');
    // From here on it makes no more children.
    await until(`${argv[0]} to stand still`, () => /^[TZX]?$/.test(stateOf(pid)));
    for (const one of all()) send(one, 'SIGSTOP');
  };
  const thaw = (): void => {
    for (const one of all()) send(one, 'SIGCONT');
  };
  return {
    start: async () => {
      child = spawnAs(argv, folder);
      await isReady(child, ready);
    },
    kill: async () => {
      await freeze();
      const running = all();
      for (const one of running) send(one, 'SIGKILL');
      await ended(running);
    },
    stop: async () => {
      const running = all();
      thaw();
      if (child?.pid !== undefined) send(child.pid, 'SIGINT');
      await ended(running);
    },
    freeze,
    thaw,
  };
}

function spawnAs(argv: readonly string[], folder: string): ChildProcess {
  const { before } = otherUser();
  const [program = '', ...args] = [...before, 'setpriv', '--pdeathsig=KILL', '--', ...argv];
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, LC_ALL: 'C' };
  return spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Keeps the end of what it prints, for the error of a server that does not come up. */
async function isReady(child: ChildProcess, ready: RegExp): Promise<void> {
  let said = '';
  const isUp = new Promise<void>((done) => {
    const hear = (chunk: Buffer): void => {
      said = `${said}${chunk.toString()}`.slice(-KEPT);
      if (ready.test(said)) done();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
  });
  const isGone = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with ${code ?? signal}:\n${said}`);
  });
  await Promise.race([isUp, isGone]);
  isGone.catch(() => undefined);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

/** The letter of proc_pid_stat(5): T stands still, Z is a zombie, which holds nothing any more; empty where it is gone. */
const stateOf = (pid: number): string => /\) (\w) /.exec(textOf(`/proc/${pid}/stat`))?.[1] ?? '';

const childrenOf = (pid: number): readonly number[] =>
  textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** A port on which nothing listens now. */
export async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, host, () => done(true));
    });
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}
