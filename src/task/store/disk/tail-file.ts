/**
 * A log that is still being written, read from where the last look ended. Opened once, so that its
 * folder may move; never a link, a FIFO or a device. Bytes that are not UTF-8 are replaced.
 */
import * as fs from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { errorCode, isGone, ReadRefused } from './disk.ts';

const CHUNK_BYTES = 64 * 1024;

export interface GrowingFile {
  /** The next part of what was written since the last look; empty at its end. */
  more(): string;
  close(): void;
}

/** undefined when there is no such file. */
export function openGrowing(path: string): GrowingFile | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  let fd: number;
  try {
    fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isGone(error)) return undefined;
    if (errorCode(error) === 'ELOOP') throw new ReadRefused('not_a_file', 'it is a symbolic link');
    throw error;
  }
  const stat = fs.fstatSync(fd);
  if (!stat.isFile() || stat.nlink > 1) {
    fs.closeSync(fd);
    throw new ReadRefused('not_a_file', 'it is not a regular file, or has hard links');
  }
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let at = 0;
  return {
    more: () => {
      // A file that was cut short is read from its new end.
      at = Math.min(at, fs.fstatSync(fd).size);
      for (;;) {
        const got = fs.readSync(fd, chunk, 0, chunk.length, at);
        if (got === 0) return '';
        at += got;
        // A part of a character alone is no text yet.
        const text = decoder.write(chunk.subarray(0, got));
        if (text !== '') return text;
      }
    },
    close: () => fs.closeSync(fd),
  };
}
