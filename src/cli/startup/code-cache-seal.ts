/**
 * What is kept of the code of a file: as V8 gives it, with a sum behind its end, by which one that was
 * cut off or overwritten is known, and how many starts have added to it. The sum finds accidents only: somebody
 * who may write the one may write the other.
 */

const WORD_BYTES = 4;
const TAIL_BYTES = 2 * WORD_BYTES;

/**
 * One word of 64: a loop that V8 has not compiled yet would take longer than the code saves. So damage
 * of 256 bytes and more is always found, and disks damage whole blocks.
 */
const STRIDE = 64;
/** Odd: what is added to a word is not the same that must be added to the sum. */
const SPREAD = 0x9e37_79b1;

/** V8 gives its code in whole words. */
function sumOf(code: Uint8Array): number {
  const words = new Int32Array(code.buffer, code.byteOffset, code.length >> 2);
  let sum = words.length;
  for (let i = 0; i < words.length; i += STRIDE) sum = ((sum << 5) - sum + (words[i] ?? 0)) | 0;
  return Math.imul(sum, SPREAD);
}

export interface Kept {
  readonly code: Buffer;
  readonly starts: number;
}

export function sealed({ code, starts }: Kept): Buffer {
  const whole = Buffer.alloc(code.length + TAIL_BYTES);
  whole.set(code);
  whole.writeInt32LE(starts, code.length);
  whole.writeInt32LE(sumOf(code), code.length + WORD_BYTES);
  return whole;
}

/** What was sealed; undefined when it is not that any more. */
export function unsealed(whole: Buffer): Kept | undefined {
  const end = whole.length - TAIL_BYTES;
  if (end <= 0) return undefined;
  const code = whole.subarray(0, end);
  if (whole.readInt32LE(end + WORD_BYTES) !== sumOf(code)) return undefined;
  return { code, starts: whole.readInt32LE(end) };
}
