/** Hashes of bytes and of files, as lower-case hex. */
import { createHash } from 'node:crypto';

export function sha256(...parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    // The length keeps ('ab', 'c') and ('a', 'bc') apart when several parts are hashed.
    if (parts.length > 1) hash.update(`${part.length}:`);
    hash.update(part);
  }
  return hash.digest('hex');
}
