/**
 * The name of the cache of a file, and its seal: a sum behind its end, by which one that was cut off
 * or overwritten is known. Used by the build, which makes caches, and by the command, which reads them.
 * Against mishaps alone: whoever can write a cache can write the source beside it.
 */

const SUM_BYTES = 4;

/**
 * One word of 64: a loop that V8 has not compiled yet would take longer than the cache saves. So damage
 * of 256 bytes and more is always looked at, and disks damage whole blocks.
 */
const STRIDE = 64;
/** Odd: what is added to a word is not the same that must be added to the sum. */
const SPREAD = 0x9e37_79b1;

/** V8 gives its caches in whole words. */
function sumOf(cache: Uint8Array): number {
  const words = new Int32Array(cache.buffer, cache.byteOffset, cache.length >> 2);
  let sum = words.length;
  for (let i = 0; i < words.length; i += STRIDE) sum = ((sum << 5) - sum + (words[i] ?? 0)) | 0;
  return Math.imul(sum, SPREAD);
}

export function cacheName(file: string, build: string): string {
  const { version, platform, arch } = process;
  return `${file.slice(0, -'.cjs'.length)}-${version}-${platform}-${arch}-${build}.v8`;
}

export function sealed(cache: Buffer): Buffer {
  const whole = Buffer.alloc(cache.length + SUM_BYTES);
  whole.set(cache);
  whole.writeInt32LE(sumOf(cache), cache.length);
  return whole;
}

/** What was sealed; undefined when it is not that any more. */
export function unsealed(whole: Buffer): Buffer | undefined {
  const end = whole.length - SUM_BYTES;
  const cache = whole.subarray(0, end);
  return end > 0 && whole.readInt32LE(end) === sumOf(cache) ? cache : undefined;
}
