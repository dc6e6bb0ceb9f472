/**
 * Takes secret values out of a log and out of lines. Knows bytes and values, nothing of their origin.
 * The log is rewritten in place, in one pass that never writes beyond what it has read (the
 * replacement is shorter than any secret), and only from the first secret on: a log without one is
 * not touched. Errors of the disk are thrown; the caller must say that the log may hold secrets.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { Fault } from '../core/problem.ts';
import { hasProc } from './process-table.ts';

/** Shorter values would turn ordinary words into stars. */
const SECRET_MIN_CHARS = 6;
const STARS = '***';
const CHUNK_BYTES = 1024 * 1024;

/** Undefined when there is nothing worth hiding. */
export function secretPattern(
  secrets: readonly string[],
  encoding: 'latin1' | 'utf8',
): RegExp | undefined {
  const values = secrets
    .filter((secret) => secret.length >= SECRET_MIN_CHARS)
    .map((secret) => Buffer.from(secret, 'utf8').toString(encoding))
    // The longest first: a secret that begins with another must not leave its end behind.
    .toSorted((a, b) => b.length - a.length);
  if (values.length === 0) return undefined;
  return new RegExp(
    values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    'g',
  );
}

export function redactLine(line: string, pattern: RegExp | undefined): string {
  return pattern === undefined ? line : line.replace(pattern, STARS);
}

/** `fd` is the log as we opened it (for appending, which would ignore write positions). */
export function redactLog(file: string, fd: number, secrets: readonly string[]): void {
  const pattern = secretPattern(secrets, 'latin1');
  if (pattern === undefined) return;
  const longest = Math.max(...secrets.map((secret) => Buffer.byteLength(secret)));
  const writer = openForRewrite(file, fd);
  try {
    rewrite(writer, pattern, longest);
  } finally {
    closeSync(writer);
  }
}

function openForRewrite(file: string, fd: number): number {
  if (hasProc()) return openSync(`/proc/self/fd/${fd}`, constants.O_RDWR);
  const writer = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const [ours, theirs] = [fstatSync(fd), fstatSync(writer)];
  if (ours.ino === theirs.ino && ours.dev === theirs.dev) return writer;
  closeSync(writer);
  throw new Fault('tree', `${file} was replaced while it ran`, { fix: 'Look for secrets in it' });
}

/** Latin-1 maps bytes to characters one to one, so positions and unknown bytes survive. */
function rewrite(fd: number, pattern: RegExp, longest: number): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let [readAt, writeAt, dirty, carry] = [0, 0, false, ''];
  const emit = (text: string): void => {
    if (dirty) writeAll(fd, Buffer.from(text, 'latin1'), writeAt);
    writeAt += text.length;
  };
  for (;;) {
    const count = readSync(fd, chunk, 0, chunk.length, readAt);
    readAt += count;
    const text = carry + chunk.toString('latin1', 0, count);
    // A secret may reach into the next chunk: what could be its beginning is held back.
    const settled = count === 0 ? text.length : Math.max(0, text.length - longest + 1);
    let from = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      if (match.index >= settled) break;
      emit(text.slice(from, match.index));
      dirty = true;
      emit(STARS);
      from = match.index + match[0].length;
    }
    const keepFrom = Math.max(from, settled);
    emit(text.slice(from, keepFrom));
    carry = text.slice(keepFrom);
    if (count === 0) break;
  }
  if (dirty) ftruncateSync(fd, writeAt);
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}
