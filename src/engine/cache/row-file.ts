/**
 * The file of rows: a line of JSON, then marks, then where each row begins, then the rows, in the order of the
 * board. It is a cache: one that is torn, or of another version or other settings, is as none.
 */
import { crc32 } from 'node:zlib';
import { isMarked, MARKS, markStat, type Trace } from '../../task/store/disk/traced-disk.ts';
import type { Disk } from '../../task/store/disk/disk.ts';
import type { State } from '../../task/core/model/state.ts';
import { fieldsOf, idIn, pathsIn } from './row.ts';

const FORMAT = 1;
const BYTES_MAX = 1024 * 1024 * 1024;
/** Numbers of each row: where its key, its fields and its head begin, and the number of its first mark. */
const [KEY, FIELDS, HEAD, MARK, STARTS] = [0, 1, 2, 3, 4] as const;

interface Header {
  readonly v: number;
  readonly settings: string;
  readonly sum: number;
  readonly rows: number;
  /** What was looked at for no task in particular; its marks are the last ones. */
  readonly shared: readonly string[];
  /** No task waits for itself. */
  readonly acyclic: boolean;
  /** Numbers, not bytes. */
  readonly marks: number;
}

export interface NewRow {
  /** Key, fields, head. */
  readonly parts: readonly string[];
  readonly trace: Trace;
}

export class RowFile {
  readonly length: number;
  readonly shared: readonly string[];
  readonly acyclic: boolean;
  readonly #marks: Float64Array;
  /** STARTS numbers a row, and as many at the end. */
  readonly #starts: Uint32Array;
  readonly #text: Buffer;
  #next = 0;
  #places: Map<string, number> | undefined;
  #last = { row: -1, fields: [] as readonly string[] };

  private constructor({ rows, shared, acyclic }: Header, marks: Float64Array, rest: Buffer) {
    this.length = rows;
    this.shared = shared;
    this.acyclic = acyclic;
    this.#marks = marks;
    const ends = (rows + 1) * STARTS * 4;
    this.#starts = new Uint32Array(rest.buffer, rest.byteOffset, ends / 4);
    this.#text = rest.subarray(ends);
  }

  /** undefined where there is none that counts. */
  static read(disk: Disk, path: string, settings: string): RowFile | undefined {
    try {
      const bytes = disk.read(path, BYTES_MAX);
      const start = bytes.indexOf(0x0a) + 1;
      const header = JSON.parse(Buffer.from(bytes.subarray(0, start)).toString()) as Header;
      if (header.v !== FORMAT || header.settings !== settings) return undefined;
      // Where numbers lie they must lie by eight.
      const isAligned = (bytes.byteOffset + start) % 8 === 0;
      const body = isAligned ? bytes.subarray(start) : bytes.slice(start);
      if (crc32(body) !== header.sum) return undefined;
      const marks = new Float64Array(body.buffer, body.byteOffset, header.marks);
      const at = header.marks * 8;
      const rest = Buffer.from(body.buffer, body.byteOffset + at, body.length - at);
      return new RowFile(header, marks, rest);
    } catch {
      return undefined;
    }
  }

  /** The row of a task, and what was looked at for it. Most come in the order of the board. */
  find(id: string, state: State): { readonly row: number; readonly paths: string } | undefined {
    const paths = pathsIn(this.#key(this.#next), id, state);
    if (paths !== undefined) return { row: this.#next++, paths };
    const row = this.rowOf(id);
    if (row === undefined) return undefined;
    this.#next = row + 1;
    const found = pathsIn(this.#key(row), id, state);
    return found === undefined ? undefined : { row, paths: found };
  }

  rowOf(id: string): number | undefined {
    this.#places ??= new Map(
      Array.from({ length: this.length }, (_, row) => [idIn(this.#key(row)), row]),
    );
    return this.#places.get(id);
  }

  fields(row: number): readonly string[] {
    if (this.#last.row === row) return this.#last.fields;
    const fields = fieldsOf(this.#between(row, FIELDS, row, HEAD));
    this.#last = { row, fields };
    return fields;
  }

  /** As headText made it. */
  head(row: number): string {
    return this.#between(row, HEAD, row + 1, KEY);
  }

  #key(row: number): string {
    return this.#between(row, KEY, row, FIELDS);
  }

  #between(row: number, which: number, next: number, end: number): string {
    return this.#text.toString('utf8', this.#start(row, which), this.#start(next, end));
  }

  /** What was seen there; `row` is `length` for what is shared. */
  isMarked(row: number, at: number, now: ReturnType<Disk['stat']>): boolean {
    return isMarked(this.#marks, this.#start(row, MARK) + at * MARKS, now);
  }

  #start(row: number, which: number): number {
    return this.#starts[row * STARTS + which] ?? 0;
  }

  /** The bytes of a file of these rows: those of this file by their number. */
  static bytes(
    rows: readonly (number | NewRow)[],
    old: RowFile | undefined,
    { shared, settings, acyclic }: { shared: Trace; settings: string; acyclic: boolean },
  ): Buffer {
    const known = (row: number): RowFile => {
      if (old === undefined) throw new Error(`there is no row ${row}`);
      return old;
    };
    const starts = new Uint32Array((rows.length + 1) * STARTS);
    const texts: Uint8Array[] = [];
    const marks: Float64Array[] = [];
    let [at, mark] = [0, 0];
    for (const [i, row] of rows.entries()) {
      const isOld = typeof row === 'number';
      const parts = isOld ? [known(row).#textOf(row)] : row.parts.map((one) => Buffer.from(one));
      const [key, fields] = isOld ? known(row).#lengths(row) : parts.map((one) => one.length);
      const seen = isOld ? known(row).#marksOf(row) : marksOf(row.trace);
      starts.set([at, at + (key ?? 0), at + (key ?? 0) + (fields ?? 0), mark], i * STARTS);
      texts.push(...parts);
      marks.push(seen);
      for (const one of parts) at += one.length;
      mark += seen.length;
    }
    starts.set([at, at, at, mark], rows.length * STARTS);
    const all = [...marks, marksOf(shared)].map((one) => bytesOf(one));
    const body = Buffer.concat([...all, bytesOf(starts), ...texts]);
    const header: Header = {
      v: FORMAT,
      settings,
      sum: crc32(body),
      rows: rows.length,
      shared: shared.paths,
      acyclic,
      marks: mark + shared.paths.length * MARKS,
    };
    const line = Buffer.from(JSON.stringify(header));
    return Buffer.concat([line, Buffer.from(`${' '.repeat(7 - (line.length % 8))}\n`), body]);
  }

  #textOf(row: number): Buffer {
    return this.#text.subarray(this.#start(row, KEY), this.#start(row + 1, KEY));
  }

  #lengths(row: number): number[] {
    const fields = this.#start(row, FIELDS);
    return [fields - this.#start(row, KEY), this.#start(row, HEAD) - fields];
  }

  #marksOf(row: number): Float64Array {
    return this.#marks.subarray(this.#start(row, MARK), this.#start(row + 1, MARK));
  }
}

function marksOf({ stats }: Trace): Float64Array {
  const marks = new Float64Array(stats.length * MARKS);
  for (const [i, stat] of stats.entries()) markStat(marks, i * MARKS, stat);
  return marks;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
