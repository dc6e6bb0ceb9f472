/** The shapes of the process room: what is started, its gate, and its end. */
import type { Ending } from '../task/core/attempts/client-report.ts';
import type { Secrets } from '../task/core/base/secrets.ts';
import type { ProcessRef } from './machine.ts';
import type { Programs } from './program.ts';

export interface Spawn {
  readonly argv: readonly string[];
  /** The whole environment; the mark is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** True if its program is bubblewrap, which reports on descriptor 8. */
  readonly sandboxed?: boolean;
  /** For what the runner itself starts. */
  readonly programs?: Pick<Programs, 'isBeyond'>;
  readonly stdin: 'null' | { readonly text: string };
  /** Absolute, for stdout and stderr. Opened for appending, never through a symlink. */
  readonly log: string;
  /** Absolute. Written durably by the wrapper when the program has ended. */
  readonly exit_file?: string;
  /** Unique to this start: finds a child that left the group. */
  readonly mark: string;
  /** From `open()` on; Infinity for none. */
  readonly timeout_ms: number;
  readonly output_max_bytes: number;
  /** Between SIGTERM and SIGKILL. */
  readonly grace_ms: number;
  /** Replaced by `***` in each line at once, and in the log at its end. */
  readonly secrets: Secrets;
}

export interface Exit extends Ending {
  readonly reason: Exclude<Ending['reason'], 'unknown'>;
  /** Processes that outlived the program and were ended by us. */
  readonly left_behind: number;
  /** Before the log was cut or redacted. */
  readonly output_bytes: number;
  readonly duration_ms: number;
}

export interface Gated {
  /** False when there is no process; `done` then has the reason. */
  readonly started: boolean;
  /** The wrapper, leader of its own session and group. pid 0 when `started` is false. */
  readonly process: ProcessRef;
  /** Starts the program; nothing ran before. */
  open(): void;
  abandon(): void;
  /** Always resolves. */
  readonly done: Promise<Exit>;
  cancel(reason: 'cancelled' | 'stalled'): void;
}

export interface SpawnHooks {
  /** A complete line of output, redacted, at most 64 KiB of it. */
  onLine?(line: string): void;
  readonly signal?: AbortSignal;
}

export interface ProcessRoom {
  start(spawn: Spawn, hooks?: SpawnHooks): Gated;
}

/** The exit of a program that never ran. */
export function exitOf(reason: Exit['reason'], error?: string): Exit {
  const nothing = { code: null, signal: null, left_behind: 0, output_bytes: 0, duration_ms: 0 };
  return { ...nothing, reason, ...(error === undefined ? {} : { error }) };
}
