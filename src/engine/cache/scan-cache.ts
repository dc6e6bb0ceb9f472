/**
 * What a look at a large tree found, kept with everything that the look asked of the disk: while each
 * question has the same answer, the look would find the same. A look that asked anything else (processes,
 * environment), changed anything, or saw a file written within the last two seconds is not kept. It is a
 * cache: losing it costs time only.
 */
import { join } from 'node:path';
import { errorCode, unlessGone, type Disk } from '../../task/store/disk/disk.ts';
import { put } from '../../task/store/disk/put.ts';
import { isMarked, MARKS, TracedDisk, type Trace } from '../../task/store/disk/traced-disk.ts';
import { cacheFolder, makeCacheFolder, SETTLED_MS } from '../../workspace/open/cache-folder.ts';
import { packageVersion } from '../../workspace/open/package-version.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** A look that asked for fewer is taken as fast as a certificate is read. */
export const CERTIFIED_FILES_MIN = 1000;
const FORMAT = 3;
const PIECE = 64 * 1024;
const BYTES_MAX = 512 * 1024 * 1024;

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
export function recall(ws: Workspace, look: string): Buffer | undefined {
  try {
    const bytes = ws.disk.read(fileOf(ws, look), BYTES_MAX);
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = file.indexOf('\n') + 1;
    const header = JSON.parse(file.toString('utf8', 0, end)) as Header;
    if (header.v !== FORMAT || header.settings !== settingsOf(ws)) return undefined;
    let at = end;
    const next = (length: number): Buffer => file.subarray(at, (at += length));
    const marks = numbersOf(next(header.marks));
    const paths = next(header.paths);
    const names = next(header.names);
    const found = next(header.found);
    // A page that a power cut left unwritten is zeros.
    if (found.length !== header.found || at !== file.length || found.includes(0)) return undefined;
    if (!namesHold(ws.disk, names.toString('utf8'))) return undefined;
    return marksHold(ws.disk, paths, marks) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** In place where they lie as numbers must. */
function numbersOf(bytes: Buffer): Float64Array {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  return new Float64Array(aligned.buffer, aligned.byteOffset, aligned.length / 8);
}

/** What is asked through its workspace is noted; `keep` writes the certificate, where there is one. */
export function record(ws: Workspace, look: string) {
  const traced = new TracedDisk(ws.disk, cacheFolder(ws.layout));
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
    timed: () => traced.spoil(),
    get env() {
      traced.spoil();
      return ws.env;
    },
  };
  return {
    ws: recorded,
    keep: (found: () => string): void => {
      const trace = unlessRefused(() => traced.trace());
      const isLarge = trace !== undefined && trace.paths.length > CERTIFIED_FILES_MIN;
      if (!isLarge || trace.latest_ms > began_ms - SETTLED_MS) return;
      write(ws, look, trace, found());
    },
  };
}

/** Where the disk refuses, nothing is kept: what this look found still counts. */
function unlessRefused<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function write(ws: Workspace, look: string, trace: Trace, found: string): void {
  const names: string[] = [];
  for (const [folder, inside] of trace.names) {
    names.push(folder, inside === undefined ? '' : `${inside.join('/')}/`);
  }
  // Such a name would be read as two.
  const isSplit = (one: string): boolean => /[\n\t]/.test(one);
  if (trace.paths.some(isSplit) || names.some(isSplit)) return;
  const parts = [
    Buffer.from(trace.marks.buffer, trace.marks.byteOffset, trace.marks.byteLength),
    Buffer.from(linesOf(trace.paths)),
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
    const bytes = Buffer.concat([firstLine(header), ...parts]);
    put(ws.putting, fileOf(ws, look), bytes, { durable: false });
  } catch {
    // A tree that cannot be written is looked at each time.
  }
}

/** Filled up, so that the numbers behind it lie as numbers must. */
function firstLine(header: Header): Buffer {
  const line = Buffer.from(JSON.stringify(header));
  return Buffer.concat([line, Buffer.from(`${' '.repeat(7 - (line.length % 8))}\n`)]);
}

/** A line for each run of paths in one folder: the folder, and their names behind it. */
function linesOf(paths: readonly string[]): string {
  let lines = '';
  let folder = '';
  for (const path of paths) {
    const end = path.lastIndexOf('/');
    if (end !== folder.length || !path.startsWith(folder)) {
      folder = path.slice(0, end);
      lines += `\n${folder}`;
    }
    lines += `\t${path.slice(end + 1)}`;
  }
  return lines.slice(1);
}

function marksHold(disk: Disk, bytes: Buffer, marks: Float64Array): boolean {
  let at = 0;
  for (const lines of piecesOf(bytes)) {
    for (let from = 0, end = 0; from < lines.length; from = end + 1) {
      end = endOf(lines, '\n', from);
      let to = lines.indexOf('\t', from);
      const folder = `${lines.slice(from, to)}/`;
      while (to < end) {
        const name = to + 1;
        to = Math.min(end, endOf(lines, '\t', name));
        if (!isMarked(marks, at, disk.stat(folder + lines.slice(name, to)))) return false;
        at += MARKS;
      }
    }
  }
  return at === marks.length;
}

/** Whole lines, some at a time: all of a large tree at once would take as much memory again. */
function* piecesOf(bytes: Buffer): Iterable<string> {
  for (let from = 0, to = 0; from < bytes.length; from = to + 1) {
    to = from + PIECE < bytes.length ? bytes.indexOf('\n', from + PIECE) : -1;
    if (to === -1) to = bytes.length;
    yield bytes.toString('utf8', from, to);
  }
}

function endOf(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from);
  return found === -1 ? text.length : found;
}

/** Pairs of lines: a folder, and its names; an empty line where there is no such folder. */
function namesHold(disk: Disk, text: string): boolean {
  const lines = text.split('\n');
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const now = unlessGone(() => `${disk.names(lines[i] ?? '').join('/')}/`, '');
    if (now !== lines[i + 1]) return false;
  }
  return true;
}

function fileOf(ws: Workspace, look: string): string {
  return join(cacheFolder(ws.layout), `${look}.certificate`);
}

/** All that opening the workspace has found; another version may make something else of it. */
function settingsOf({ config, home, config_home, problems }: Workspace): string {
  return JSON.stringify([packageVersion(), config, home, config_home, problems]);
}

/** To a line: few enough to be held at once, many enough that parsing them is cheap. */
const ROWS = 100;

export function rowLines(rows: readonly unknown[]): string {
  let lines = '';
  for (let from = 0; from < rows.length; from += ROWS) {
    lines += `${JSON.stringify(rows.slice(from, from + ROWS))}\n`;
  }
  return lines;
}

/** The same again, one by one. Throws what JSON.parse throws. */
export function* rowsOf<Row>(lines: Buffer): Iterable<Row> {
  for (let from = 0, to = 0; from < lines.length; from = to + 1) {
    to = lines.indexOf('\n', from);
    yield* JSON.parse(lines.toString('utf8', from, to)) as Row[];
  }
}
