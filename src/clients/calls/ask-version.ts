/**
 * Asks a program one thing, in a folder that is removed again, for a bounded time, after which it is killed
 * with all that it started. Never throws: no answer is an answer too.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { majorIn, type VersionAnswer } from '../core/client-version.ts';
import { programEnvironment, type Environment } from '../../process/adapter.ts';
import { orNothing, realOf, textOf } from '../../process/path-kind.ts';
import { spawn } from '../../process/child-process.ts';

/** Time of the slowest on a busy machine; a person waits for it. */
const TIMEOUT_MS = 20_000;
const TEXT_MAX = 4096;
/** No look for updates. */
const QUIET = { OPENCODE_DISABLE_AUTOUPDATE: '1', DISABLE_AUTOUPDATER: '1' };

export function askVersion(program: string, env: Environment, timeout_ms?: number) {
  return askProgram(program, ['--version'], programEnvironment(env), timeout_ms);
}

/** The answers of programs by path, time and size: asking costs as much as a start. */
const known = new Map<string, Promise<number | undefined>>();

/** Asks once in a process, while the file stays as it is. */
export function askMajor(program: string, env: Environment): Promise<number | undefined> {
  const { mtimeMs, size } = statSync(program, { throwIfNoEntry: false }) ?? {};
  const key = [program, mtimeMs, size].join('\0');
  const asked = known.get(key) ?? askVersion(program, env).then(majorIn);
  known.set(key, asked);
  return asked;
}

export async function askProgram(
  program: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  timeout_ms = TIMEOUT_MS,
): Promise<VersionAnswer> {
  let room: string | undefined;
  try {
    room = mkdtempSync(join(tmpdir(), 'contracts-version-'));
    const child = spawn(program, argv, {
      cwd: room,
      env: { ...env, ...QUIET, TMPDIR: room },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return await answerOf(child, timeout_ms);
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    if (room !== undefined) rmSync(room, { recursive: true, force: true, maxRetries: 2 });
  }
}

function answerOf(child: ChildProcess, timeout_ms: number): Promise<VersionAnswer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => {
      end(child);
      child.stdout?.destroy();
      resolve({ kind: 'late', seconds: timeout_ms / 1000 });
    }, timeout_ms);
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(0, TEXT_MAX);
    });
    child.on('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(late);
      resolve({ kind: 'answered', text, code });
    });
  });
}

/** The package of npm whose install script has not put the program in the place of this text. */
export function placeholderOf(path: string): string | undefined {
  const real = realOf(path) ?? '';
  const [, npm] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(real) ?? [];
  const isText = npm !== undefined && statSync(real).size < TEXT_MAX;
  return isText && !/^#!|\0/.test(textOf(real)) ? npm : undefined;
}

/** Its whole group. The number of a process that has ended may belong to another one. */
function end({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || pid <= 1 || exitCode !== null || signalCode !== null) return;
  // It may end in this moment.
  orNothing(() => process.kill(-pid, 'SIGKILL'));
}
