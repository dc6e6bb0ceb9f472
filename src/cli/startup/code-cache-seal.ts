/**
 * Cached code with a sum behind it, by which damage is found, and how many starts have added to it. The sum
 * finds accidents only: whoever can write the code can write the sum.
 */

const WORD_BYTES = 4;
const TAIL_BYTES = 2 * WORD_BYTES;

/** A sum of all words takes longer than the code saves; disks damage whole blocks, and this finds 256 bytes. */
const STRIDE = 64;
/** Odd, so that no word changes the sum by as much as itself. */
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

/** undefined for what was damaged. */
export function unsealed(whole: Buffer): Kept | undefined {
  const end = whole.length - TAIL_BYTES;
  if (end <= 0) return undefined;
  const code = whole.subarray(0, end);
  if (whole.readInt32LE(end + WORD_BYTES) !== sumOf(code)) return undefined;
  return { code, starts: whole.readInt32LE(end) };
}
