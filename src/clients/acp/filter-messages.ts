/** Lets only possible messages of the protocol through; any other line of an agent is reported. */
const NEWLINE = 0x0a;
const BRACE = 0x7b;
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0d, 0x20]);
const ODD_BYTES_MAX = 2000;

export function messagesOnly(odd: (line: string) => void): TransformStream<Uint8Array, Uint8Array> {
  let line: 'begins' | 'message' | 'odd' = 'begins';
  let kept: number[] = [];
  const endLine = (): void => {
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
        endLine();
        line = 'begins';
      }
      if (line === 'message') controller.enqueue(chunk.slice(from));
    },
    flush: endLine,
  });
}
