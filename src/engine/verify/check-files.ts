/** The checks that only look: a file that must be there, a pattern in it, its headings, its shape. */
import { pathsOf, type CheckOf, type Checks } from '../../task/core/model/checks.ts';
import type { Contract } from '../../task/core/model/contract.ts';
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

type Looked = Exclude<keyof Checks, CheckOf<'program' | 'gate' | 'capability'>['kind']>;

/** `read`: a file that the check names. */
interface At {
  readonly running: Running;
  readonly workdir: Workdir;
  readonly read: Reader;
}
type Why = string | undefined;
type Look<K extends Looked> = (at: At, check: Checks[K]) => Promise<Why> | Why;

/** undefined when the check holds, else why it does not. A merge must not lose the file that it saw. */
export async function look(running: Running, check: Checks[Looked], options: CheckOptions) {
  const { workdir, committed } = options;
  const read: Reader = (path) => textIn(running, rootOf(running, workdir, path), path);
  // Each looks at checks of its own kind.
  const lookAt = LOOKS[check.kind] as Look<Looked>;
  const why = await lookAt({ running, workdir, read }, check);
  const [path] = pathsOf(check);
  if (why !== undefined || committed === undefined || path === undefined) return why;
  if (rootOf(running, workdir, path) !== workdir.root) return undefined;
  // A JSON file may be on the desk alone.
  const isHere = (one: string): boolean => inside(running.ws.disk, workdir.root, one).ok;
  const seen = filesAt(running, workdir, path).filter(isHere);
  const isKept = (one: string): boolean => committed.has(one) || committed.isGiven(one);
  return seen[0] === undefined || seen.some(isKept) ? undefined : committed.why(seen[0]);
}

const LOOKS: { readonly [K in Looked]: Look<K> } = {
  file_exists: lookForFile,
  matches: lookForPattern,
  template: lookForHeadings,
  result: lookForSections,
  json: lookForShape,
};

function lookForFile({ running, workdir }: At, { path }: { readonly path: string }): Why {
  if (isGlob(path)) return filesAt(running, workdir, path)[0] ? undefined : 'no file matches';
  const found = inside(running.ws.disk, rootOf(running, workdir, path), path);
  return found.ok ? undefined : found.why;
}

function filesAt(running: Running, workdir: Workdir, path: string): readonly string[] {
  if (!isGlob(path)) return [path];
  return matching(snapshot(running.ws.disk, layoutOn(running, workdir)), path);
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

function lookForPattern({ read }: At, { path, pattern }: Checks['matches']): Why {
  const file = read(path);
  if ('why' in file) return file.why;
  try {
    return isMatch(pattern, 'mu', file.text) ? undefined : `${path} does not match`;
  } catch (error) {
    return `${path}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function lookForHeadings({ read }: At, { path, headings }: Checks['template']): Why {
  const file = read(path);
  if ('why' in file) return file.why;
  const wanted = read(headings);
  if ('why' in wanted) return wanted.why;
  const has = new Set(headingsOf(file.text));
  const missing = headingsOf(wanted.text).filter((heading) => !has.has(heading));
  return missing.length === 0 ? undefined : `${path} lacks: ${missing.join(', ')}`;
}

function lookForSections({ running }: At, { headings }: Checks['result']): Why {
  const file = textOfWork(running, 'result.md');
  if ('why' in file) return file.why;
  const lines = scanMarkdown(file.text);
  const missing = headings.filter((heading) => sectionText(lines, heading) === '');
  return missing.length === 0 ? undefined : `result.md says nothing under: ${missing.join(', ')}`;
}

/** Fails where the file is no JSON, or the schema none. Fetches nothing: a `$ref` elsewhere is no schema. */
async function lookForShape({ running, read }: At, { path, schema }: Checks['json']): Promise<Why> {
  const [file, shape] = [read(path), read(schema)];
  const found = 'why' in file ? textOfWork(running, path) : file;
  if ('why' in shape) return shape.why;
  if ('why' in found) return found.why;
  const { whyNoJson } = await import('./json-schema.ts');
  return whyNoJson({ name: path, text: found.text }, { name: schema, text: shape.text });
}
