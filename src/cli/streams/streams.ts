/** stdout and stderr of the command. */
import { isTerminal } from './is-terminal.ts';
import { writeAll } from './write-fd.ts';

export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** `out` goes to a person's terminal. */
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

const isTTY = isTerminal(1);

/** For a file or a pipe thousands of lines become one write. */
let pending = '';
const PENDING_CHARS_MAX = 64 * 1024;

function flush(): void {
  const text = pending;
  pending = '';
  if (text !== '') writeAll(1, text);
}

export const processStreams: Streams = {
  out: (text) => {
    if (isTTY) return writeAll(1, text);
    if (pending === '') setImmediate(flush);
    pending += text;
    if (pending.length > PENDING_CHARS_MAX) flush();
  },
  err: (text) => {
    flush();
    writeAll(2, text);
  },
  isTTY,
  get columns() {
    return isTTY ? process.stdout.columns : undefined;
  },
  get rows() {
    return isTTY ? process.stdout.rows : undefined;
  },
};
