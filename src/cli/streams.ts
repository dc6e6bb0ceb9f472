/** The two streams of the command, and whether a person's terminal shows them. */

export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** A person's terminal shows what `out` gets. */
  readonly isTTY?: boolean;
  /** Of that terminal, now. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** What a file or a pipe gets: thousands of lines are one write, and none waits for an agent. */
let pending = '';
const PENDING_CHARS_MAX = 64 * 1024;

function flush(): void {
  const text = pending;
  pending = '';
  if (text !== '') process.stdout.write(text);
}

function writeSoon(text: string): void {
  if (pending === '') setImmediate(flush);
  pending += text;
  if (pending.length > PENDING_CHARS_MAX) flush();
}

export const processStreams: Streams = {
  out: (text) => {
    if (process.stdout.isTTY) process.stdout.write(text);
    else writeSoon(text);
  },
  err: (text) => {
    flush();
    process.stderr.write(text);
  },
  get isTTY() {
    return process.stdout.isTTY === true;
  },
  get columns() {
    return process.stdout.isTTY === true ? process.stdout.columns : undefined;
  },
  get rows() {
    return process.stdout.isTTY === true ? process.stdout.rows : undefined;
  },
};
