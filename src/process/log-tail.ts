/** The log of one program: untrusted bytes. Anything but a plain file in its place is a Fault. */
import {
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  closeSync,
  readSync,
  writeSync,
} from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { Fault } from '../task/core/model/problem.ts';

export const LINE_MAX = 64 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Read at most by one look, so that a flood does not block the runner. */
const LOOK_BYTES_MAX = 4 * 1024 * 1024;

export interface Log {
  readonly fd: number;
  /** Size when it was opened: earlier output is not this program's. */
  readonly start: number;
}

export function openLog(file: string): Log {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Opening a FIFO or a device may wait without O_NONBLOCK; a regular file ignores it.
  const fd = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  const stat = fstatSync(fd);
  if (stat.isFile() && stat.nlink === 1) return { fd, start: stat.size };
  closeSync(fd);
  const fix = 'Move it away; the runner creates a new log';
  throw new Fault('program', `${file} is not a regular file, or has hard links`, { fix });
}

export function grownBytes(log: Log): number {
  return Math.max(0, fstatSync(log.fd).size - log.start);
}

export function cutTo(log: Log, bytes: number): void {
  if (grownBytes(log) > bytes) ftruncateSync(log.fd, log.start + bytes);
}

/** Kept of a long log: its beginning and, more useful, its end. */
const HEAD_BYTES = 1024 * 1024;
const TAIL_BYTES = 4 * 1024 * 1024;

/** Replaces the middle of a longer log by a line with its size. */
export function keepEnds(log: Log, head = HEAD_BYTES, tail = TAIL_BYTES): void {
  const grown = grownBytes(log);
  if (grown <= head + tail) return;
  const end = Buffer.alloc(tail);
  let read = 0;
  while (read < tail) {
    const count = readSync(log.fd, end, read, tail - read, log.start + grown - tail + read);
    if (count === 0) break;
    read += count;
  }
  ftruncateSync(log.fd, log.start + head);
  writeAll(log.fd, Buffer.from(`\n[${grown - head - read} bytes are left out here]\n`));
  writeAll(log.fd, end.subarray(0, read));
}

/** Without a position where the file is; a log is open for appending. */
export function writeAll(fd: number, bytes: Buffer, position?: number): void {
  for (let at = 0; at < bytes.length;) {
    const to = position === undefined ? null : position + at;
    at += writeSync(fd, bytes, at, bytes.length - at, to);
  }
}

export interface LineReader {
  /** Reads new output, up to a bound. */
  look(): void;
  /** Reads the rest, an unfinished last line included. */
  end(): void;
}

export function lineReader(log: Log, onLine: (line: string) => void): LineReader {
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = log.start;
  let line = '';
  const take = (text: string): void => {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      onLine(bounded(line, part).replace(/\r$/, ''));
      line = '';
    }
    line = bounded(line, last);
  };
  const read = (bytesMax: number): void => {
    // The program may truncate its own log.
    position = Math.min(position, fstatSync(log.fd).size);
    for (let left = bytesMax; left > 0;) {
      const count = readSync(log.fd, chunk, 0, Math.min(chunk.length, left), position);
      if (count === 0) return;
      position += count;
      left -= count;
      take(decoder.write(chunk.subarray(0, count)));
    }
  };
  return {
    look: () => read(LOOK_BYTES_MAX),
    end: () => {
      read(Number.MAX_SAFE_INTEGER);
      line = bounded(line, decoder.end());
      if (line !== '') onLine(line.replace(/\r$/, ''));
      line = '';
    },
  };
}

function bounded(line: string, more: string): string {
  return line.length >= LINE_MAX ? line : (line + more).slice(0, LINE_MAX);
}
