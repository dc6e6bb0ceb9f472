/**
 * From a path to its text, or to the problem with it. Only failures of the system are thrown; a file that
 * is missing, special, too large or not UTF-8 is a value.
 */
import { refused, type Result } from '../../task/core/model/problem.ts';
import {
  unlessShut,
  isGone,
  ReadRefused,
  type Disk,
  type ReadOptions,
} from '../../task/store/disk/disk.ts';
import { TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';

export function readBytes(
  disk: Disk,
  path: string,
  file: string,
  options: ReadOptions = { single_link: true },
): Result<Uint8Array> {
  try {
    return { ok: true, value: disk.read(path, TEXT_BYTES_MAX, options), warnings: [] };
  } catch (error) {
    if (isGone(error)) {
      const message = 'there is no such file';
      return refused({ code: 'missing_file', file, message, fix: `Write ${file}` });
    }
    if (!(error instanceof ReadRefused)) throw error;
    return refused({
      code: error.reason,
      file,
      message: error.message,
      expected: `a regular file of at most ${TEXT_BYTES_MAX / 1024} KiB`,
      fix: 'Replace it with a plain text file',
    });
  }
}

/** `file`: as problems name it. By default it has one name: a hard link could show a file from elsewhere. */
export function readText(
  disk: Disk,
  path: string,
  file: string,
  options: ReadOptions = { single_link: true },
): Result<string> {
  const bytes = readBytes(disk, path, file, options);
  return bytes.ok ? decodeText(bytes.value, file) : bytes;
}

/** Makes a problem of a file that the system shuts: for files that no task depends on. */
export function unlessClosed<T>(file: string, look: () => Result<T>): Result<T> {
  const fix = `Give the user that runs contracts leave to read ${file}`;
  return (
    unlessShut(look) ?? refused({ code: 'unreadable', file, message: 'it may not be read', fix })
  );
}

/** undefined for what is missing or cannot be read. Most are missing, and an error costs more than a stat. */
export function textIfThere(disk: Disk, path: string): string | undefined {
  if (disk.stat(path) === undefined) return undefined;
  const read = readText(disk, path, path);
  return read.ok ? read.value : undefined;
}

/** Bytes of a log that may still be written; undefined for one that is missing, refused or too long. */
export function logBytes(disk: Disk, path: string, bytes_max: number): Uint8Array | undefined {
  if (disk.stat(path)?.kind !== 'file') return undefined;
  try {
    return disk.read(path, bytes_max, { single_link: true });
  } catch (error) {
    if (error instanceof ReadRefused) return undefined;
    throw error;
  }
}

export function logLines(disk: Disk, path: string, bytes_max: number): readonly string[] {
  const text = new TextDecoder().decode(logBytes(disk, path, bytes_max));
  return text === '' ? [] : text.split(/\r?\n/);
}
