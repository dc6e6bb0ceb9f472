/** What is staged (gitformat-index, 2 to 4), without the times and sizes that `git status` writes. */
import { sha256 } from '../disk/hash.ts';

const HEADER = 12;
/** Up to the hash: times, device, inode, mode, ids, size. */
const FIXED = 40;
const MODE_AT = 24;
const HASH = 20;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0x0fff;

export function stagedDigest(bytes: Uint8Array): string {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const known = index.length > HEADER && index.toString('latin1', 0, 4) === 'DIRC';
  const version = known ? index.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) return sha256(bytes);
  return stagedIn(index, version) ?? sha256(bytes);
}

function stagedIn(index: Buffer, version: number): string | undefined {
  const staged: Buffer[] = [];
  const count = index.readUInt32BE(8);
  let at = HEADER;
  for (let n = 0; n < count; n++) {
    const flags_at = at + FIXED + HASH;
    if (flags_at + 2 > index.length) return undefined;
    const flags = index.readUInt16BE(flags_at);
    const name_at = flags_at + ((flags & EXTENDED) === 0 ? 2 : 4);
    const end = endOfName(index, name_at, version, flags);
    if (end === undefined) return undefined;
    staged.push(index.subarray(at + MODE_AT, at + MODE_AT + 4));
    staged.push(index.subarray(at + FIXED, end));
    // Entries are padded to eight bytes, with at least one NUL; those of version 4 end with one.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return sha256(Buffer.concat(staged));
}

function endOfName(index: Buffer, at: number, version: number, flags: number): number | undefined {
  const length = flags & NAME_LENGTH;
  if (version !== 4 && length < NAME_LENGTH)
    return at + length <= index.length ? at + length : undefined;
  // A number comes before the rest of the name: how much of the last one is cut off.
  let from = at;
  if (version === 4) {
    while (from < index.length && ((index[from] ?? 0) & 0x80) !== 0) from++;
    from++;
  }
  const end = index.indexOf(0, from);
  return end === -1 ? undefined : end;
}
