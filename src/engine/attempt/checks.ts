/**
 * Runs the checks of a contract, one after the other, and makes a receipt of each: command, exit
 * code, time, output (DESIGN §5). A check is run by the runner itself, in the process room, with
 * the same limits as an agent. A command that is not installed is a fault of the environment, not a
 * verdict; a file that the agent did not make, or cannot be executed, is a check that failed.
 */
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { agentEnvironment } from '../../agent/adapter.ts';
import { isInstalled, programOf } from '../../agent/program.ts';
import { checkName, type Check, type Contract } from '../../core/contract.ts';
import { unmetCriteria } from '../../core/unmet.ts';
import { Fault, unreachable } from '../../core/problem.ts';
import type { Receipt } from '../../core/record.ts';
import type { ResultDocument } from '../../core/documents.ts';
import { attemptFolder } from '../../store/layout.ts';
import { ReadRefused } from '../../store/disk.ts';
import { inside } from '../../store/tasks.ts';
import { snapshot } from '../../store/tree.ts';
import { decodeText } from '../../text/front-matter.ts';
import { headingsOf } from '../../text/sections.ts';
import { GRACE_MS, recordStart } from './call.ts';
import { isGlob, matching } from './deliverables.ts';
import { findPlace, type Running } from './running.ts';

const OUTPUT_SHOWN_BYTES = 4096;
const CHECK_OUTPUT_MAX = 64 * 1024 * 1024;
const CHECKED_FILE_MAX = 1024 * 1024;
const PATTERN_MS = 2000;

export interface CheckOptions {
  readonly contract: Contract;
  readonly result: ResultDocument | undefined;
  readonly timeout_ms: number;
}

/** All of them, also after one has failed: the findings are whole. Stops when cancelled. */
export async function runChecks(
  running: Running,
  checks: readonly Check[],
  options: CheckOptions,
): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const check of checks) {
    if (running.signal.aborted) break;
    const receipt = await runCheck(running, check, options);
    receipts.push(receipt);
    running.emit({
      event: 'checked',
      task: running.id,
      attempt: running.number,
      check: receipt.check,
      passed: receipt.passed,
      reason: receipt.reason,
    });
  }
  return receipts;
}

async function runCheck(running: Running, check: Check, options: CheckOptions): Promise<Receipt> {
  const at = running.ws.machine.now().toISOString();
  if (check.kind === 'run') return runCommand(running, check.command, at, options.timeout_ms);
  const failure = look(running, check, options);
  return {
    check: checkName(check),
    passed: failure === undefined,
    exit_code: null,
    at,
    ms: 0,
    reason: failure ?? 'passed',
    output: '',
  };
}

/** undefined when the check holds, else why it does not. */
function look(
  running: Running,
  check: Exclude<Check, { kind: 'run' }>,
  options: CheckOptions,
): string | undefined {
  switch (check.kind) {
    case 'file_exists':
      return lookForFile(running, check.path);
    case 'checklist': {
      const { contract, result } = options;
      const open =
        result === undefined ? ['there is no result.md'] : unmetCriteria(contract, result);
      return open.length === 0 ? undefined : open.join('; ');
    }
    case 'matches':
      return lookForPattern(running, check.path, check.pattern);
    case 'template':
      return lookForHeadings(running, check.path, check.headings);
    case 'named':
      return `there is no check named ${check.name}`;
    default:
      return unreachable(check);
  }
}

function lookForFile(running: Running, path: string): string | undefined {
  const { ws } = running;
  if (isGlob(path)) {
    const found = matching(snapshot(ws.disk, ws.layout), path);
    return found.length > 0 ? undefined : 'no file matches';
  }
  const found = inside(ws.disk, ws.layout.root, path);
  return found.ok ? undefined : found.why;
}

function textInside(running: Running, path: string): { text: string } | { why: string } {
  const { ws } = running;
  const found = inside(ws.disk, ws.layout.root, path);
  if (!found.ok) return { why: `${path}: ${found.why}` };
  if (found.bytes > CHECKED_FILE_MAX) return { why: `${path}: larger than 1 MiB` };
  const bytes = readOr(running, found.path, CHECKED_FILE_MAX);
  if ('why' in bytes) return { why: `${path}: ${bytes.why}` };
  const text = decodeText(bytes.bytes, path);
  return text.ok ? { text: text.value } : { why: `${path}: not readable as UTF-8 text` };
}

/** A file that somebody still writes to, or that was replaced just now, is no reason to stop. */
function readOr(
  running: Running,
  path: string,
  max: number,
): { bytes: Uint8Array } | { why: string } {
  try {
    return { bytes: running.ws.disk.read(path, max) };
  } catch (error) {
    if (error instanceof ReadRefused) return { why: error.message };
    throw error;
  }
}

/** In a context of its own with a time limit, because a pattern can take for ever. */
function lookForPattern(running: Running, path: string, pattern: string): string | undefined {
  const read = textInside(running, path);
  if ('why' in read) return read.why;
  try {
    const found: unknown = runInNewContext(
      'new RegExp(pattern, "mu").test(text)',
      { pattern, text: read.text },
      { timeout: PATTERN_MS },
    );
    return found === true ? undefined : `${path} does not match`;
  } catch (error) {
    return `the pattern could not be tried: ${error instanceof Error ? error.message : 'unknown'}`;
  }
}

function lookForHeadings(running: Running, path: string, headings: string): string | undefined {
  const file = textInside(running, path);
  if ('why' in file) return file.why;
  const wanted = textInside(running, headings);
  if ('why' in wanted) return wanted.why;
  const has = new Set(headingsOf(file.text));
  const missing = headingsOf(wanted.text).filter((heading) => !has.has(heading));
  return missing.length === 0 ? undefined : `${path} lacks: ${missing.join(', ')}`;
}

async function runCommand(
  running: Running,
  command: string,
  at: string,
  timeout_ms: number,
): Promise<Receipt> {
  const { ws } = running;
  const place = findPlace(running);
  if (place === undefined)
    throw new Fault('the task was moved away while it was checked', { fix: 'Step again' });
  const log = join(attemptFolder(place.folder, running.number), 'output.log');
  const from = ws.disk.stat(log)?.bytes ?? 0;
  const mark = ws.machine.nonce();
  const gated = ws.room.start(
    {
      argv: ['sh', '-c', command],
      env: checkEnvironment(running, mark),
      cwd: ws.layout.root,
      stdin: 'null',
      log,
      mark,
      timeout_ms,
      output_max_bytes: CHECK_OUTPUT_MAX,
      grace_ms: GRACE_MS,
      secrets: [],
    },
    { signal: running.signal },
  );
  recordStart(running, gated, {
    role: `run: ${command}`,
    adapter: 'check',
    mark,
    timeout_ms,
    folder: place.folder,
    file: 'check.md',
  });
  gated.open();
  const exit = await gated.done;
  if (exit.reason === 'failed_to_start') {
    throw new Fault(`check \`${command}\` could not be started: ${exit.error ?? ''}`, {
      fix: 'Look at limits of processes and open files, then step again',
    });
  }
  const missing = exit.reason === 'exited' && exit.code === 127 ? programOf(command) : undefined;
  if (missing !== undefined && !isInstalled(missing, ws.env['PATH'] ?? '', ws.layout.root)) {
    throw new Fault(`check \`${command}\` needs ${missing}, which is not installed here`, {
      fix: 'Install it, or correct verify in contract.md; then step again',
    });
  }
  return {
    check: `run: ${command}`,
    passed: exit.reason === 'exited' && exit.code === 0,
    exit_code: exit.code,
    at,
    ms: Math.round(exit.duration_ms),
    reason: describe(exit.reason, exit.code, exit.signal, timeout_ms),
    output: tail(running, log, from),
  };
}

function describe(
  reason: string,
  code: number | null,
  signal: string | null,
  timeout_ms: number,
): string {
  if (reason === 'timed_out') return `timed out after ${timeout_ms / 1000} s`;
  if (reason !== 'exited') return reason.replace('_', ' ');
  if (code === 0) return 'passed';
  if (code === 126) return 'exit 126: what it calls cannot be executed';
  if (code === 127) return 'exit 127: a program that it calls is missing';
  return signal === null ? `exit ${code ?? 'unknown'}` : `killed by ${signal}`;
}

function checkEnvironment(running: Running, mark: string): Record<string, string> {
  const { ws, id, number, owner } = running;
  const env = agentEnvironment(
    {
      task: id,
      attempt: number,
      kind: running.kind,
      agent: owner.agent,
      root: ws.layout.root,
      desk: '',
      brief_file: '',
      contract_file: '',
      brief: '',
      steps: [],
      state_dirs: [],
      extra_dirs: [],
      permission: 'read_only',
      env_names: [],
      interactive: false,
    },
    ws.env,
    mark,
  );
  // A check judges what lies in the workspace; it has no desk to write to.
  delete env['CONTRACTS_OUT'];
  delete env['CONTRACTS_BRIEF'];
  return env;
}

/** The end of what this check printed. */
function tail(running: Running, log: string, from: number): string {
  const found = running.ws.disk.stat(log);
  if (found === undefined || found.bytes <= from || found.bytes > CHECK_OUTPUT_MAX) return '';
  const read = readOr(running, log, CHECK_OUTPUT_MAX);
  if ('why' in read) return '';
  const bytes = read.bytes.subarray(from).subarray(-OUTPUT_SHOWN_BYTES);
  return new TextDecoder().decode(bytes).replaceAll('\0', '');
}
