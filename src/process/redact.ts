/**
 * Removes secrets from lines, and from a log in place, in one pass that never writes beyond what it has
 * read. Disk errors are thrown: the caller reports that secrets may remain.
 */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { Fault } from '../task/core/model/problem.ts';
import { STARS, withoutSecrets, type Secrets } from '../task/core/base/secrets.ts';
import { writeAll } from './log-tail.ts';
import { hasProc } from './process-table.ts';

/** The text before a token decides whether it is one, so it is read again. */
const CONTEXT_CHARS = 16;
const CHUNK_BYTES = 1024 * 1024;

export function redactLine(line: string, secrets: Secrets): string {
  const bytes = Buffer.from(line, 'utf8').toString('latin1');
  const kept = withoutSecrets(bytes, secrets);
  return kept === bytes ? line : Buffer.from(kept, 'latin1').toString('utf8');
}

/** `fd`: the log as we opened it, for appending, which ignores write positions. */
export function redactLog(file: string, fd: number, secrets: Secrets): void {
  const writer = openForRewrite(file, fd);
  try {
    rewrite(writer, secrets);
  } finally {
    closeSync(writer);
  }
}

/** A log that no process writes any more. */
export function redactFileInPlace(file: string, secrets: Secrets): void {
  const { O_RDWR, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(file, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (fstatSync(fd).isFile()) rewrite(fd, secrets);
  } finally {
    closeSync(fd);
  }
}

function openForRewrite(file: string, fd: number): number {
  if (hasProc()) return openSync(`/proc/self/fd/${fd}`, constants.O_RDWR);
  const writer = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const [ours, theirs] = [fstatSync(fd), fstatSync(writer)];
  if (ours.ino === theirs.ino && ours.dev === theirs.dev) return writer;
  closeSync(writer);
  throw new Fault('tree', `${file} was replaced while it ran`, { fix: 'Check it for secrets' });
}

/** Latin-1 maps bytes to characters one to one, so positions and unknown bytes survive. */
function rewrite(fd: number, secrets: Secrets): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let [readAt, writeAt, dirty, carry, context] = [0, 0, false, '', 0];
  const emit = (text: string): void => {
    if (dirty) writeAll(fd, Buffer.from(text, 'latin1'), writeAt);
    writeAt += text.length;
  };
  for (;;) {
    const count = readSync(fd, chunk, 0, chunk.length, readAt);
    readAt += count;
    const text = carry + chunk.toString('latin1', 0, count);
    // A secret may reach into the next chunk: what could be its beginning is held back.
    const settled =
      count === 0 ? text.length : Math.max(context, text.length - secrets.longest + 1);
    let from = context;
    for (let one = secrets.next(text, from); one !== undefined; one = secrets.next(text, from)) {
      if (one.index >= settled) break;
      emit(text.slice(from, one.index));
      dirty = true;
      emit(STARS);
      from = one.index + one.length;
    }
    const keepFrom = Math.max(from, settled);
    emit(text.slice(from, keepFrom));
    context = Math.min(keepFrom, CONTEXT_CHARS);
    carry = text.slice(keepFrom - context);
    if (count === 0) break;
  }
  if (dirty) ftruncateSync(fd, writeAt);
}
