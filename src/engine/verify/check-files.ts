/** The checks that only look: a file that must be there, a pattern in it, its headings, its shape. */
import type { Check, Contract } from '../../task/core/model/contract.ts';
import { unreachable } from '../../task/core/model/problem.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import { ReadRefused } from '../../task/store/disk/disk.ts';
import { inside } from '../../task/store/tasks/tasks.ts';
import { snapshot } from '../../task/store/snapshots/fingerprint.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { headingsOf, sectionText } from '../../task/text/markdown/sections.ts';
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { isGlob, matching, rootOf } from '../attempt/deliverables.ts';
import { isMatch } from './try-pattern.ts';
import type { Committed } from '../../worktrees/engine/committed.ts';
import { layoutOn, type Workdir } from '../../worktrees/engine/workdir.ts';
import { findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';
import { keptDesk } from '../../workspace/tasks/read-attempts.ts';

const CHECKED_FILE_MAX = 1024 * 1024;

export interface CheckOptions {
  readonly contract: Contract;
  readonly workdir: Workdir;
  /** Files that git ignores: the receipt of a command that passes names them. */
  readonly ignored?: readonly string[];
  /** In the attempt: what they print. `output.log` where it is left out. */
  readonly log?: string;
  /** Absolute: what they print goes there, and nothing into the attempt. */
  readonly apart?: string;
  /** The files that can be merged, for a review in a worktree. */
  readonly committed?: Committed | undefined;
  readonly before?: readonly Receipt[] | undefined;
}

type Looking = Exclude<Check, { kind: 'run' | 'named' | 'checklist' }>;

/** undefined when the check holds, else why it does not. A merge must not lose the file that it saw. */
export async function look(running: Running, check: Looking, options: CheckOptions) {
  const why = await lookIn(running, check, options);
  const { workdir, committed } = options;
  if (why !== undefined || committed === undefined || check.kind === 'result') return why;
  const { path } = check;
  if (rootOf(running, workdir, path) !== workdir.root) return undefined;
  const { disk } = running.ws;
  const files = isGlob(path) ? matching(snapshot(disk, layoutOn(running, workdir)), path) : [path];
  // A JSON file may be on the desk alone.
  const seen = files.filter((one) => inside(disk, workdir.root, one).ok);
  const isKept = (one: string): boolean => committed.has(one) || committed.isGiven(one);
  return seen[0] === undefined || seen.some(isKept) ? undefined : committed.why(seen[0]);
}

async function lookIn(
  running: Running,
  check: Looking,
  options: CheckOptions,
): Promise<string | undefined> {
  const read: Reader = (path) => textIn(running, rootOf(running, options.workdir, path), path);
  switch (check.kind) {
    case 'file_exists':
      return lookForFile(running, options.workdir, check.path);
    case 'matches':
      return lookForPattern(read, check.path, check.pattern);
    case 'template':
      return lookForHeadings(read, check.path, check.headings);
    case 'result':
      return lookForSections(textOfWork(running, 'result.md'), check.headings);
    case 'json': {
      const [file, schema] = [read(check.path), read(check.schema)];
      const found = 'why' in file ? textOfWork(running, check.path) : file;
      if ('why' in schema) return schema.why;
      return 'why' in found ? found.why : lookForShape(found.text, schema.text, check);
    }
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

function textIn(running: Running, root: string, path: string): TextRead {
  const found = inside(running.ws.disk, root, path);
  if (!found.ok) return { why: `${path}: ${found.why}` };
  if (found.bytes > CHECKED_FILE_MAX) return { why: `${path}: larger than 1 MiB` };
  const bytes = readOr(running, found.path, CHECKED_FILE_MAX);
  if ('why' in bytes) return { why: `${path}: ${bytes.why}` };
  const text = decodeText(bytes.bytes, path);
  return text.ok ? { text: text.value } : { why: `${path}: not readable as UTF-8 text` };
}

/** A file of the last work: where its agent left it, else where a person did. */
function textOfWork(running: Running, path: string): TextRead {
  const folder = findPlace(running)?.folder ?? '';
  const work = lastEnded(running.task.attempts, 'work');
  const left = work && textIn(running, keptDesk(folder, work), path);
  return left !== undefined && 'text' in left ? left : textIn(running, folder, path);
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

function lookForPattern(read: Reader, path: string, pattern: string): string | undefined {
  const file = read(path);
  if ('why' in file) return file.why;
  try {
    return isMatch(pattern, 'mu', file.text) ? undefined : `${path} does not match`;
  } catch (error) {
    return `${path}: ${error instanceof Error ? error.message : String(error)}`;
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

function lookForSections(file: TextRead, headings: readonly string[]): string | undefined {
  if ('why' in file) return file.why;
  const lines = scanMarkdown(file.text);
  const missing = headings.filter((heading) => sectionText(lines, heading) === '');
  return missing.length === 0 ? undefined : `result.md says nothing under: ${missing.join(', ')}`;
}

/** Fails where the file is no JSON, or the schema none. Fetches nothing: a `$ref` elsewhere is no schema. */
async function lookForShape(
  text: string,
  schema: string,
  check: Extract<Check, { kind: 'json' }>,
): Promise<string | undefined> {
  const { whyNoJson } = await import('./json-schema.ts');
  return whyNoJson({ name: check.path, text }, { name: check.schema, text: schema });
}
