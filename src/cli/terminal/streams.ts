/** The two streams of the command, and whether a person's terminal shows them. */
import { isTerminal } from './is-terminal.ts';
import { writeAll } from './write-fd.ts';

export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** A person's terminal shows what `out` gets. */
  readonly isTTY?: boolean;
  /** Of that terminal, now. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

const isTTY = isTerminal(1);

/** What a file or a pipe gets: thousands of lines are one write, and none waits for an agent. */
let pending = '';
const PENDING_CHARS_MAX = 64 * 1024;

function flush(): void {
  const text = pending;
  pending = '';
  if (text !== '') writeAll(1, text);
}

function writeSoon(text: string): void {
  if (pending === '') setImmediate(flush);
  pending += text;
  if (pending.length > PENDING_CHARS_MAX) flush();
}

export const processStreams: Streams = {
  out: (text) => {
    if (isTTY) writeAll(1, text);
    else writeSoon(text);
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
