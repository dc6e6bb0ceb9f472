/** Hashes of bytes and of files, as lower-case hex. */
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1024 * 1024;

export function sha256(...parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    // The length keeps ('ab', 'c') and ('a', 'bc') apart when several parts are hashed.
    if (parts.length > 1) hash.update(`${part.length}:`);
    hash.update(part);
  }
  return hash.digest('hex');
}

/** Of a file that is too large to be read at once; follows no link. */
export function sha256OfFile(path: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    for (let n = readSync(fd, chunk); n > 0; n = readSync(fd, chunk))
      hash.update(chunk.subarray(0, n));
  } finally {
    closeSync(fd);
  }
  return hash.digest('hex');
}
