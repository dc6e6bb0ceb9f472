/** One program from its gate to its Exit. `done` always resolves; limits are monotonic. */
import type { ChildProcess } from 'node:child_process';
import { closeSync, fsyncSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { Duplex } from 'node:stream';
import { elapsedMs } from './elapsed.ts';
import { GATE_SHUT, GATE_WORD, syncFileSystems } from './gate.ts';
import type { ProcessRef } from './machine.ts';
import { cutTo, grownBytes, keepEnds, lineReader, type LineReader, type Log } from './log-tail.ts';
import { redactLine, redactLog } from './redact.ts';
import { exitOf, type Exit, type Gated, type Spawn, type SpawnHooks } from './spawn.ts';
import { endFamily, endReader, signalGroup, terminateFamily, type Family } from './stop.ts';

const LOOK_EVERY_MS = 200;
/** After SIGKILL: a process that the kernel cannot end (a dead disk) is given up. */
const KILL_PATIENCE_MS = 10_000;

interface Wrapped {
  readonly child: ChildProcess;
  readonly ref: ProcessRef;
  readonly log: Log;
  readonly spawn: Spawn;
  readonly hooks: SpawnHooks;
  readonly before: ReadonlySet<number>;
  readonly began_ms: number;
}

type StopReason = Exclude<Exit['reason'], 'exited' | 'failed_to_start'>;

export function gatedRun(wrapped: Wrapped): Gated {
  return new GatedRun(wrapped);
}

class GatedRun implements Gated {
  readonly started = true;
  readonly process: ProcessRef;
  #resolve: (exit: Exit) => void = () => undefined;
  readonly done = new Promise<Exit>((resolve) => {
    this.#resolve = resolve;
  });
  readonly #wrapped: Wrapped;
  #family: Family;
  readonly #lines: LineReader | undefined;
  readonly abandon = (): void => this.cancel('cancelled');
  #timer: NodeJS.Timeout | undefined;
  #openedAt: number | undefined;
  #stopReason: StopReason | undefined;
  #killAt = Number.POSITIVE_INFINITY;
  #ended = false;
  #errors: string[] = [];

  constructor(wrapped: Wrapped) {
    this.#wrapped = wrapped;
    const { child, ref, log, spawn, hooks, before, began_ms } = wrapped;
    this.process = ref;
    this.#family = { leader: ref, mark: spawn.mark, group_is_ours: true, before, began_ms };
    if (hooks.onLine !== undefined) {
      this.#lines = lineReader(log, (line) => hooks.onLine?.(redactLine(line, spawn.secrets)));
    }
    // Without a listener an error on the gate (the wrapper is gone) would end the runner.
    this.#gate()?.on('error', () => undefined);
    this.#gate()?.on('data', (data: Buffer) => {
      this.#family = { ...this.#family, reader: Number.parseInt(data.toString(), 10) };
    });
    child.on('error', () => undefined);
    // After all data on the gate.
    child.once('close', (code, signal) => void this.#finish(code, signal));
    hooks.signal?.addEventListener('abort', this.abandon, { once: true });
  }

  open(): void {
    if (this.#openedAt !== undefined || this.#stopReason !== undefined || this.#ended) return;
    this.#openedAt = elapsedMs();
    this.#gate()?.end(GATE_WORD);
    this.#watch();
  }

  /** SIGTERM now, SIGKILL after the grace. Before the gate was opened: it is shut, nothing ran. */
  cancel(reason: StopReason): void {
    if (this.#stopReason !== undefined || this.#ended) return;
    this.#stopReason = reason;
    this.#killAt = elapsedMs() + this.#wrapped.spawn.grace_ms;
    if (this.#openedAt === undefined) this.#gate()?.destroy();
    else {
      signalGroup(this.#wrapped.ref.pid, 'SIGTERM');
      this.#guarded('stopping', () => terminateFamily(this.#family));
    }
    this.#watch();
  }

  #watch(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  #look(): void {
    const now = elapsedMs();
    const { spawn, log, ref } = this.#wrapped;
    this.#guarded('reading the output', () => {
      this.#lines?.look();
      const grown = grownBytes(log);
      if (grown > spawn.output_max_bytes) this.cancel('output_limit');
      // A program that keeps flooding the disk gets no grace.
      if (grown > 2 * spawn.output_max_bytes) this.#killAt = Math.min(this.#killAt, now);
    });
    if (now > (this.#openedAt ?? now) + spawn.timeout_ms) this.cancel('timed_out');
    if (now >= this.#killAt) signalGroup(ref.pid, 'SIGKILL');
    if (now >= this.#killAt + KILL_PATIENCE_MS) {
      this.#errors.push(`process ${ref.pid} could not be ended`);
      this.#wrapped.child.unref();
      void this.#finish(null, null);
    }
  }

  async #finish(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const endedAt = elapsedMs();
    clearInterval(this.#timer);
    this.#gate()?.destroy();
    this.#wrapped.hooks.signal?.removeEventListener('abort', this.abandon);
    const { spawn } = this.#wrapped;
    const ran = this.#openedAt !== undefined;
    let left_behind = 0;
    if (ran) {
      await this.#guarded('stopping processes that were left', async () => {
        // A stopped program had its grace; after an ordinary end the left-overs get theirs.
        const grace_ms = this.#stopReason === undefined ? spawn.grace_ms : 0;
        left_behind = await endFamily(this.#family, grace_ms);
      });
      await this.#guarded('waiting for the rest of the output', () => endReader(this.#family));
      // A killed wrapper may not have reached its own sync.
      const killed = code === null ? signal !== null : this.#stopReason !== undefined;
      const { exit_file, cwd, programs } = spawn;
      if (killed && exit_file !== undefined) syncFileSystems(programs, dirname(exit_file), cwd);
    }
    const output_bytes = this.#closeLog();
    const at_gate = this.#family.reader !== undefined || this.#stopReason !== undefined;
    if (!at_gate && code === GATE_SHUT) {
      this.#resolve(exitOf('failed_to_start', `no FIFO could be made in ${tmpdir()}`));
      return;
    }
    this.#resolve({
      code: ran ? code : null,
      signal,
      reason: this.#stopReason ?? 'exited',
      left_behind,
      output_bytes,
      duration_ms: Math.round(endedAt - (this.#openedAt ?? endedAt)),
      ...(this.#errors.length === 0 ? {} : { error: this.#errors.join('; ') }),
    });
  }

  #closeLog(): number {
    const { spawn, log } = this.#wrapped;
    let output_bytes = 0;
    this.#guarded('measuring the log', () => {
      output_bytes = grownBytes(log);
      cutTo(log, spawn.output_max_bytes);
    });
    this.#guarded('reading the output', () => this.#lines?.end());
    this.#guarded('redacting secrets in the log', () =>
      redactLog(spawn.log, log.fd, spawn.secrets),
    );
    this.#guarded('shortening the log', () => keepEnds(log));
    // The outcome of an agent refers to its log.
    if (spawn.exit_file !== undefined) this.#guarded('syncing the log', () => fsyncSync(log.fd));
    this.#guarded('closing the log', () => closeSync(log.fd));
    return output_bytes;
  }

  /** `done` resolves whatever fails here. Each failure is reported once. */
  #guarded(doing: string, act: () => void): void;
  #guarded(doing: string, act: () => Promise<void>): Promise<void>;
  #guarded(doing: string, act: () => void | Promise<void>): void | Promise<void> {
    const note = (error: unknown): void => {
      const words = `${doing} failed: ${error instanceof Error ? error.message : String(error)}`;
      if (!this.#errors.includes(words)) this.#errors.push(words);
    };
    try {
      return act()?.catch(note);
    } catch (error) {
      note(error);
    }
  }

  #gate(): Duplex | undefined {
    const gate = this.#wrapped.child.stdio[3];
    return gate instanceof Duplex ? gate : undefined;
  }
}
