/**
 * Lets the lines through that can be messages of the protocol. Whatever else an agent prints on its
 * stdout (a banner, a warning, the output of a program that speaks no ACP at all) is told line by
 * line and goes no further. Holds no more than the beginning of one such line.
 */
const NEWLINE = 0x0a;
const BRACE = 0x7b;
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0d, 0x20]);
const ODD_BYTES_MAX = 2000;

export function messagesOnly(odd: (line: string) => void): TransformStream<Uint8Array, Uint8Array> {
  let line: 'begins' | 'message' | 'odd' = 'begins';
  let kept: number[] = [];
  const tell = (): void => {
    if (line === 'odd') odd(Buffer.from(kept).toString('utf8').trimEnd());
    kept = [];
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      let from = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] ?? 0;
        if (line === 'begins' && byte !== NEWLINE && !BLANKS.has(byte)) {
          line = byte === BRACE ? 'message' : 'odd';
          from = at;
        }
        if (line === 'odd' && byte !== NEWLINE && kept.length < ODD_BYTES_MAX) kept.push(byte);
        if (byte !== NEWLINE) continue;
        if (line === 'message') controller.enqueue(chunk.slice(from, at + 1));
        tell();
        line = 'begins';
      }
      if (line === 'message') controller.enqueue(chunk.slice(from));
    },
    flush: tell,
  });
}
