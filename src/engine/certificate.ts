/**
 * What a look at a large tree found, kept beside it with everything that the look asked of the disk:
 * while each question would be answered alike, the look would find the same and need not be taken.
 * That holds because a look is a function of the workspace's settings and of what the disk answers;
 * one that asked anything else (processes, environment) or changed anything leaves no certificate.
 * A file counts as the same while size, times and inode are; one that was written within two seconds
 * before the look could change once more within a tick of the clock, so then nothing is kept. It is a
 * cache: one that is lost, torn or cannot be written costs time only.
 */
import { join } from 'node:path';
import { isGone, type Disk, type Stat } from '../store/disk.ts';
import type { Layout } from '../store/layout.ts';
import { put } from '../store/put.ts';
import { tracedDisk, type Trace } from '../store/traced-disk.ts';
import { cacheFolder, makeCacheFolder, SETTLED_MS } from './cache-folder.ts';
import type { Workspace } from './workspace.ts';

/** Smaller trees are looked at as fast as a certificate is read. */
export const CERTIFIED_TASKS_MIN = 500;
/** Of another format, or of looks that would find something else: raise it with either. */
const FORMAT = 1;
const BYTES_MAX = 512 * 1024 * 1024;
const KINDS = ['file', 'folder', 'other'] as const;
/** Numbers of each file: kind, bytes, mtime, ctime, inode, device, links. */
const MARKS = 7;
const NOTHING = -1;

/** The first line of the file; the parts follow in this order, with so many bytes each. */
interface Header {
  readonly v: number;
  readonly settings: string;
  readonly marks: number;
  readonly paths: number;
  readonly names: number;
  readonly found: number;
}

/** What the look of that name found, as it was kept; undefined when it must be taken. */
export function recall(ws: Workspace, look: string): string | undefined {
  try {
    const bytes = ws.disk.read(fileOf(ws, look), BYTES_MAX);
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = file.indexOf('\n') + 1;
    const header = JSON.parse(file.toString('utf8', 0, end)) as Header;
    if (header.v !== FORMAT || header.settings !== settingsOf(ws)) return undefined;
    let at = end;
    const next = (length: number): Buffer => file.subarray(at, (at += length));
    const marks = next(header.marks);
    const paths = next(header.paths);
    const names = next(header.names);
    const found = next(header.found);
    if (found.length !== header.found || at !== file.length) return undefined;
    const numbers = new Float64Array(Uint8Array.from(marks).buffer);
    if (!namesHold(ws, names.toString('utf8'))) return undefined;
    if (!marksHold(ws, paths.toString('utf8'), numbers)) return undefined;
    const text = found.toString('utf8');
    // A page that a power cut left unwritten is zeros.
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

export interface Recording {
  /** The same workspace; what is asked through it is noted. */
  readonly ws: Workspace;
  /** Writes the certificate, where there is one to write. */
  keep(found: () => string): void;
}

export function record(ws: Workspace, look: string): Recording {
  const traced = tracedDisk(ws.disk, cacheFolder(ws.layout));
  const began_ms = ws.machine.now().getTime();
  const { judge, ageSeconds, identify } = ws.machine;
  const beyond =
    <A extends unknown[], R>(ask: (...args: A) => R) =>
    (...args: A): R => {
      traced.spoil();
      return ask(...args);
    };
  const recorded: Workspace = {
    ...ws,
    disk: traced.disk,
    putting: { ...ws.putting, disk: traced.disk },
    machine: {
      ...ws.machine,
      judge: beyond(judge),
      ageSeconds: beyond(ageSeconds),
      identify: beyond(identify),
    },
    get env() {
      traced.spoil();
      return ws.env;
    },
  };
  return {
    ws: recorded,
    keep: (found) => {
      const trace = traced.trace();
      if (trace === undefined || !isLarge(trace) || !isSettled(trace, began_ms)) return;
      write(ws, look, trace, found());
    },
  };
}

function isLarge(trace: Trace): boolean {
  return trace.stats.size > CERTIFIED_TASKS_MIN;
}

function isSettled({ stats }: Trace, began_ms: number): boolean {
  const settled_ms = began_ms - SETTLED_MS;
  for (const found of stats.values()) {
    if (found !== undefined && Math.max(found.ctime_ms, found.mtime_ms) > settled_ms) return false;
  }
  return true;
}

function write(ws: Workspace, look: string, trace: Trace, found: string): void {
  const { root } = ws.layout;
  const below = (path: string): string =>
    path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const marks = new Float64Array(trace.stats.size * MARKS);
  const paths: string[] = [];
  for (const [path, stat] of trace.stats) {
    if (path.includes('\n')) return;
    setMarks(marks, paths.length * MARKS, stat);
    paths.push(`${below(path)}\n`);
  }
  const names: string[] = [];
  for (const [folder, inside] of trace.names) {
    if (folder.includes('\n') || inside?.some((name) => name.includes('\n'))) return;
    names.push(`${below(folder)}\n${inside === undefined ? '' : `${inside.join('/')}/`}`);
  }
  const parts = [
    Buffer.from(marks.buffer),
    Buffer.from(paths.join('')),
    Buffer.from(names.join('\n')),
    Buffer.from(found),
  ] as const;
  const header: Header = {
    v: FORMAT,
    settings: settingsOf(ws),
    marks: parts[0].length,
    paths: parts[1].length,
    names: parts[2].length,
    found: parts[3].length,
  };
  try {
    makeCacheFolder(ws);
    const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
    put(ws.putting, fileOf(ws, look), bytes, { durable: false });
  } catch {
    // A tree that cannot be written is looked at each time.
  }
}

function setMarks(marks: Float64Array, at: number, stat: Stat | undefined): void {
  if (stat === undefined) {
    marks[at] = NOTHING;
    return;
  }
  const { kind, bytes, mtime_ms, ctime_ms, inode, device, links } = stat;
  marks.set([KINDS.indexOf(kind), bytes, mtime_ms, ctime_ms, inode, device, links], at);
}

function marksHold({ disk, layout }: Workspace, paths: string, marks: Float64Array): boolean {
  let at = 0;
  for (let from = 0; from < paths.length; at += MARKS) {
    const to = paths.indexOf('\n', from);
    if (!holds(disk.stat(whole(layout, paths.slice(from, to))), marks, at)) return false;
    from = to + 1;
  }
  return at === marks.length;
}

/** Paths are kept from the root on; one of the package itself as it is. */
function whole({ root }: Layout, path: string): string {
  return path.startsWith('/') ? path : `${root}/${path}`;
}

function holds(now: Stat | undefined, marks: Float64Array, at: number): boolean {
  if (now === undefined) return marks[at] === NOTHING;
  return (
    marks[at] === KINDS.indexOf(now.kind) &&
    marks[at + 1] === now.bytes &&
    marks[at + 2] === now.mtime_ms &&
    marks[at + 3] === now.ctime_ms &&
    marks[at + 4] === now.inode &&
    marks[at + 5] === now.device &&
    marks[at + 6] === now.links
  );
}

/** Pairs of lines: a folder, and what `names` says of it; nothing where there is no such folder. */
function namesHold({ disk, layout }: Workspace, text: string): boolean {
  const lines = text.split('\n');
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const now = namesOf(disk, whole(layout, lines[i] ?? ''));
    if (now !== lines[i + 1]) return false;
  }
  return true;
}

function namesOf(disk: Disk, folder: string): string {
  try {
    return `${disk.names(folder).join('/')}/`;
  } catch (error) {
    if (isGone(error)) return '';
    throw error;
  }
}

function fileOf(ws: Workspace, look: string): string {
  return join(cacheFolder(ws.layout), `${look}.certificate`);
}

/** All that opening the workspace has read. */
function settingsOf({ config, agents, problems }: Workspace): string {
  return JSON.stringify([config, [...agents], problems]);
}
