/**
 * The shapes of the process room: what is started, how it ended, and the gate in between.
 * Data and signatures; knows no task state and no folder layout.
 */
import type { Secrets } from '../task/core/base/secrets.ts';
import type { ProcessRef } from './machine.ts';

export interface Spawn {
  readonly argv: readonly string[];
  /** The whole environment; the mark is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: 'null' | { readonly text: string };
  /** Absolute. Opened by us for appending, never through a symlink; stdout and stderr go there. */
  readonly log: string;
  /** Absolute. Written durably by the wrapper when the program has ended. */
  readonly exit_file?: string;
  /** Unique to this start: how a child that left the group is found again. */
  readonly mark: string;
  /** From `open()` on; Infinity for none. */
  readonly timeout_ms: number;
  readonly output_max_bytes: number;
  /** Between SIGTERM and SIGKILL. */
  readonly grace_ms: number;
  /** Replaced by `***` in the log once the program has ended, and in each line at once. */
  readonly secrets: Secrets;
}

export interface Exit {
  /** As sh says it: 127 for a missing program, 128+n for one ended by signal n. Null: it never ran to an end. */
  readonly code: number | null;
  /** Set when the wrapper itself was killed. */
  readonly signal: string | null;
  readonly reason:
    'exited' | 'timed_out' | 'stalled' | 'output_limit' | 'cancelled' | 'failed_to_start';
  /** Processes that outlived the program and were ended by us. */
  readonly left_behind: number;
  /** Written by the program, before the log was cut or redacted. */
  readonly output_bytes: number;
  readonly duration_ms: number;
  readonly error?: string;
}

export interface Gated {
  /** False when there is no process to name; `done` then says why. */
  readonly started: boolean;
  /** The wrapper, leader of its own session and group. pid 0 when `started` is false. */
  readonly process: ProcessRef;
  /** Lets the program start; before it nothing ran. */
  open(): void;
  /** Never starts it. */
  abandon(): void;
  /** Always resolves. */
  readonly done: Promise<Exit>;
  cancel(reason: 'cancelled' | 'stalled'): void;
}

export interface SpawnHooks {
  /** Each complete line of output, redacted, at most 64 KiB of it. */
  onLine?(line: string): void;
  readonly signal?: AbortSignal;
}

export interface ProcessRoom {
  start(spawn: Spawn, hooks?: SpawnHooks): Gated;
}

/** Of a program that never ran. */
export function exitOf(reason: Exit['reason'], error?: string): Exit {
  const nothing = { code: null, signal: null, left_behind: 0, output_bytes: 0, duration_ms: 0 };
  return { ...nothing, reason, ...(error === undefined ? {} : { error }) };
}
