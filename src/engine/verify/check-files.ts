/** The checks that only look: a file that must be there, a pattern in it, its headings. */
import { runInNewContext } from 'node:vm';
import type { Check, Contract } from '../../task/core/model/contract.ts';
import { unreachable } from '../../task/core/model/problem.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import { ReadRefused } from '../../task/store/disk/disk.ts';
import { inside } from '../../task/store/tasks/tasks.ts';
import { snapshot } from '../../task/store/snapshots/fingerprint.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { headingsOf } from '../../task/text/markdown/sections.ts';
import { isGlob, matching, rootOf } from './deliverables.ts';
import { layoutOn, type Workdir } from '../../worktrees/engine/workdir.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';

const CHECKED_FILE_MAX = 1024 * 1024;

const PATTERN_MS = 2000;

export interface CheckOptions {
  readonly contract: Contract;
  /** Where the files are. */
  readonly workdir: Workdir;
  /** Files that git ignores: the receipt of a command that passes names them. */
  readonly ignored?: readonly string[];
  /** In the attempt: what they print. `output.log` where it is left out. */
  readonly log?: string;
  /** Absolute: what they print goes there, and nothing into the attempt. */
  readonly apart?: string;
  /** What they gave before the work. */
  readonly before?: readonly Receipt[] | undefined;
}

/** undefined when the check holds, else why it does not. */
export function look(
  running: Running,
  check: Exclude<Check, { kind: 'run' | 'named' | 'checklist' }>,
  options: CheckOptions,
): string | undefined {
  const read: Reader = (path) => textInside(running, options.workdir, path);
  switch (check.kind) {
    case 'file_exists':
      return lookForFile(running, options.workdir, check.path);
    case 'matches':
      return lookForPattern(read, check.path, check.pattern);
    case 'template':
      return lookForHeadings(read, check.path, check.headings);
    default:
      return unreachable(check);
  }
}

function lookForFile(running: Running, workdir: Workdir, path: string): string | undefined {
  const { ws } = running;
  if (isGlob(path)) {
    const found = matching(snapshot(ws.disk, layoutOn(running, workdir)), path);
    return found.length > 0 ? undefined : 'no file matches';
  }
  const found = inside(ws.disk, rootOf(running, workdir, path), path);
  return found.ok ? undefined : found.why;
}

type TextRead = { readonly text: string } | { readonly why: string };
type Reader = (path: string) => TextRead;

function textInside(running: Running, workdir: Workdir, path: string): TextRead {
  const { ws } = running;
  const found = inside(ws.disk, rootOf(running, workdir, path), path);
  if (!found.ok) return { why: `${path}: ${found.why}` };
  if (found.bytes > CHECKED_FILE_MAX) return { why: `${path}: larger than 1 MiB` };
  const bytes = readOr(running, found.path, CHECKED_FILE_MAX);
  if ('why' in bytes) return { why: `${path}: ${bytes.why}` };
  const text = decodeText(bytes.bytes, path);
  return text.ok ? { text: text.value } : { why: `${path}: not readable as UTF-8 text` };
}

/** A file that is being written or was replaced just now fails the check, and is no fault. */
export function readOr(running: Running, path: string, max: number) {
  try {
    return { bytes: running.ws.disk.read(path, max) };
  } catch (error) {
    if (error instanceof ReadRefused) return { why: error.message };
    throw error;
  }
}

/** With a time limit, because a pattern can take for ever. */
function lookForPattern(read: Reader, path: string, pattern: string): string | undefined {
  const file = read(path);
  if ('why' in file) return file.why;
  try {
    const found: unknown = runInNewContext(
      'new RegExp(pattern, "mu").test(text)',
      { pattern, text: file.text },
      { timeout: PATTERN_MS },
    );
    return found === true ? undefined : `${path} does not match`;
  } catch (error) {
    // Thrown in the other context, it is no Error of this one.
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
    return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      ? `the pattern was given up after ${PATTERN_MS / 1000} s: it takes too long on ${path}`
      : `the pattern could not be tried: ${String(message)}`;
  }
}

function lookForHeadings(read: Reader, path: string, headings: string): string | undefined {
  const file = read(path);
  if ('why' in file) return file.why;
  const wanted = read(headings);
  if ('why' in wanted) return wanted.why;
  const has = new Set(headingsOf(file.text));
  const missing = headingsOf(wanted.text).filter((heading) => !has.has(heading));
  return missing.length === 0 ? undefined : `${path} lacks: ${missing.join(', ')}`;
}
