/**
 * The file of rows: a line of JSON, then marks, then where each row begins, then the rows, in the order of the
 * board. It is a cache: one that is torn, or of another version or other settings, is as none.
 */
import { isMarked, MARKS, marksOf, type Trace } from '../../task/store/disk/traced-disk.ts';
import type { Disk, Stat } from '../../task/store/disk/disk.ts';
import { fieldsOf, idIn, ROW_FORMAT } from './row.ts';

const BYTES_MAX = 1024 * 1024 * 1024;
const KEY_END = '\x1e';
const KEY_CODE = KEY_END.charCodeAt(0);

export interface Header {
  readonly settings: string;
  /** Paths that were looked at for no task in particular; their marks are the last ones. */
  readonly shared: readonly string[];
}

/** Key and fields, and what was looked at. */
export type NewRow = readonly [key: string, fields: string, trace: Trace];

/** Loaded where there are rows. */
function crc32(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

export class RowFile {
  readonly header: Header;
  readonly length: number;
  readonly #marks: Float64Array;
  /** Two numbers a row, and two at the end: where it begins, and the number of its first mark. */
  readonly #starts: Uint32Array;
  readonly #text: Buffer;
  #next = 0;
  #places: Map<string, number> | undefined;
  #last = { row: -1, fields: [] as readonly string[] };

  private constructor(header: Header & { rows: number; marks: number }, body: Buffer) {
    this.header = header;
    this.length = header.rows;
    const [marks, starts] = [header.marks * 8, (header.rows + 1) * 8];
    this.#marks = new Float64Array(body.buffer, body.byteOffset, header.marks);
    this.#starts = new Uint32Array(body.buffer, body.byteOffset + marks, starts / 4);
    this.#text = body.subarray(marks + starts);
  }

  /** undefined where there is none that counts: what all rows share must be as it was. */
  static read(disk: Disk, path: string, settings: string, isShared: (file: RowFile) => boolean) {
    try {
      const read = disk.read(path, BYTES_MAX);
      const start = read.indexOf(0x0a) + 1;
      const header = JSON.parse(Buffer.from(read.subarray(0, start)).toString());
      if (header.v !== ROW_FORMAT || header.settings !== settings) return undefined;
      // Numbers of eight bytes lie at such addresses alone.
      const body = (read.byteOffset + start) % 8 === 0 ? read.subarray(start) : read.slice(start);
      if (crc32(body) !== header.sum) return undefined;
      const file = new RowFile(header, Buffer.from(body.buffer, body.byteOffset, body.length));
      return isShared(file) ? file : undefined;
    } catch {
      return undefined;
    }
  }

  /** Rows of this file by their number, and new ones. */
  static bytes(
    rows: readonly (number | NewRow)[],
    old: RowFile | undefined,
    header: Header,
    shared: Trace,
  ): Uint8Array {
    const starts = new Uint32Array((rows.length + 1) * 2);
    const texts: Uint8Array[] = [];
    const marks: Float64Array[] = [];
    let [at, mark] = [0, 0];
    for (const [i, row] of rows.entries()) {
      const [text, seen] =
        typeof row !== 'number'
          ? [Buffer.from(row[0] + KEY_END + row[1]), marksOf(row[2])]
          : [old?.bytesOf(row) ?? Buffer.alloc(0), old?.marksOf(row) ?? new Float64Array()];
      starts.set([at, mark], i * 2);
      texts.push(text);
      marks.push(seen);
      at += text.length;
      mark += seen.length;
    }
    starts.set([at, mark], rows.length * 2);
    const numbers = [...marks, marksOf(shared), starts].map((one) =>
      Buffer.from(one.buffer, one.byteOffset, one.byteLength),
    );
    const body = Buffer.concat([...numbers, ...texts]);
    const count = { rows: rows.length, marks: mark + shared.paths.length * MARKS };
    const line = JSON.stringify({ v: ROW_FORMAT, sum: crc32(body), ...count, ...header });
    const filled = Buffer.byteLength(line) % 8;
    return Buffer.concat([Buffer.from(`${line}${' '.repeat(7 - filled)}\n`), body]);
  }

  /** The row that begins with this key. Most come in the order of the board. */
  find(id: string, start: string): { readonly row: number; readonly key: string } | undefined {
    const key = this.#part(this.#next, true);
    if (key.startsWith(start)) return { row: this.#next++, key };
    this.#places ??= new Map(
      Array.from({ length: this.length }, (_, row) => [idIn(this.#part(row, true)), row]),
    );
    const row = this.#places.get(id);
    if (row === undefined) return undefined;
    this.#next = row + 1;
    return { row, key: this.#part(row, true) };
  }

  fields(row: number): readonly string[] {
    if (this.#last.row !== row) this.#last = { row, fields: fieldsOf(this.#part(row, false)) };
    return this.#last.fields;
  }

  /** True if it is as it was seen; `row` is `length` for what is shared. */
  isMarked(row: number, at: number, now: Stat | undefined): boolean {
    return isMarked(this.#marks, (this.#starts[row * 2 + 1] ?? 0) + at * MARKS, now);
  }

  bytesOf(row: number): Uint8Array {
    return this.#text.subarray(this.#starts[row * 2], this.#starts[row * 2 + 2]);
  }

  marksOf(row: number): Float64Array {
    return this.#marks.subarray(this.#starts[row * 2 + 1], this.#starts[row * 2 + 3]);
  }

  #part(row: number, isKey: boolean): string {
    const from = this.#starts[row * 2] ?? 0;
    const middle = this.#text.indexOf(KEY_CODE, from);
    return isKey
      ? this.#text.toString('utf8', from, middle)
      : this.#text.toString('utf8', middle + 1, this.#starts[row * 2 + 2]);
  }
}
