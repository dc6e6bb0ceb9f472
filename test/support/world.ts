/**
 * A throw-away workspace for a test: a folder, a machine with a clock and nonces that repeat, and
 * processes that the test may declare dead. Everything on the real file system.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine, ProcessRef } from '../../src/process/machine.ts';
import { init } from '../../src/engine/setup/init.ts';
import type { Ports, Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { unsyncedDisk } from './faulty-disk.ts';
import { putFile, sealedEnv, sealedFolder } from './sealed-folder.ts';
import { scriptedRoom, type Script, type ScriptedRoom } from './scripted-room.ts';
import { openedAt } from './opened.ts';

export interface World {
  readonly root: string;
  /** Writes a file below the root, with its folders. */
  write(path: string, text: string): void;
  /** The default agent is a program, which the script of a process plays. `more`: other settings. */
  agent(more?: string): void;
  /**
   * Opens the workspace as a new process: everything that an earlier one held is then dead. Its own
   * pid is the count of processes so far.
   */
  process(options: {
    readonly script?: Script;
    readonly disk?: Disk;
    readonly ports?: Partial<Ports>;
  }): Process;
  remove(): void;
}

export interface Process {
  readonly ws: Workspace;
  readonly room: ScriptedRoom;
  readonly machine: Machine;
}

const UNGUARDED = { CONTRACTS_SANDBOX: 'none', CONTRACTS_TRUST: '1' };
const START = Date.parse('2026-11-21T12:00:00Z');

/** Goes with its test; `remove` is for tests that make thousands. */
export function makeWorld(parent?: string): World {
  const root = sealedFolder('world', parent);
  init(unsyncedDisk, root);
  const shared: Shared = { pid: 0, nonces: 0, ticks: 0 };
  const write = (path: string, text: string): void => putFile(join(root, path), text);
  return {
    root,
    write,
    agent: (more = '') =>
      write(
        '.contracts/config.yaml',
        `adapter: mine\n${more}adapters:\n  mine: { type: command, run: [sh] }\n`,
      ),
    process: ({ script = () => 0, disk = realDisk, ports = {} }) => {
      shared.pid += 1;
      const machine = fakeMachine(shared, shared.pid);
      const room = scriptedRoom(machine, script);
      const { XDG_STATE_HOME } = process.env;
      const env = { ...sealedEnv(), XDG_STATE_HOME, ...UNGUARDED };
      const ws = openedAt(root, { disk, machine, room, env, tick_ms: 5, ...ports });
      return { ws, room, machine };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

interface Shared {
  pid: number;
  nonces: number;
  ticks: number;
}

/** Only the newest process lives; agents (pid of a million and more) end when their script ends. */
function fakeMachine(shared: Shared, pid: number): Machine {
  const self: ProcessRef = {
    pid,
    start: String(pid),
    boot: 'boot',
    pid_ns: 'ns',
    host: 'host',
    machine: 'machine',
  };
  return {
    self: () => self,
    identify: (other) =>
      other === shared.pid ? { ...self, pid: other, start: String(other) } : undefined,
    judge: (ref) => {
      if (ref.host !== self.host) return 'elsewhere';
      return ref.pid === shared.pid ? 'alive' : 'dead';
    },
    now: () => new Date(START + shared.ticks++ * 1000),
    nonce: () => String(++shared.nonces).padStart(32, '0'),
    random: () => 0.5,
    ageSeconds: () => undefined,
  };
}
