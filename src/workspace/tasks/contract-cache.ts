/**
 * The heads of contracts that were read before, by id, while inode, size and both times of contract.md are
 * the same. A file written within two seconds before the look is not kept: it could change once more
 * unseen. A lost or torn cache costs time only. It is believed for who waits; who acts is read again.
 */
import { join } from 'node:path';
import { givenOf, headFromGiven } from '../../task/core/model/parse-head.ts';
import type { ContractSource } from '../../task/core/model/task.ts';
import type { Check, Contract } from '../../task/core/model/contract.ts';
import { ContractWords } from '../../task/core/model/contract-body.ts';
import { Fault, ok, type Result } from '../../task/core/model/problem.ts';
import type { Stat } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import type { Layout } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { parseCheck } from '../../task/text/documents/contract.ts';
import { cacheFolder, makeCacheFolder, SETTLED_MS } from '../open/cache-folder.ts';
import { contractHash, type ContractRead } from './read-contract.ts';
import type { Workspace } from '../open/workspace.ts';

/** Smaller trees are read as fast as the cache would be. */
export const CACHED_TASKS_MIN = 500;
/** Of another format, or made by another way to read contracts: raise it with either. */
const FORMAT = 2;
const BYTES_MAX = 256 * 1024 * 1024;
/** A part of the tasks that was read again, from which on the file is worth writing. */
const STALE_PART = 0.05;

type Head = Contract['head'];
/** id, inode, bytes, times; then the head, or 0 for one that must be read each time; its title and hash. */
type Row = readonly [string, number, number, number, number, Partial<Head> | 0, string, string];

export class ContractCache {
  readonly #ws: Workspace;
  readonly #known: ReadonlyMap<string, Row>;
  readonly #rows: Row[] = [];
  readonly #settled_ms: number;
  #fresh = 0;

  constructor(ws: Workspace) {
    this.#ws = ws;
    this.#settled_ms = ws.machine.now().getTime() - SETTLED_MS;
    this.#known = new Map(load(ws).map((row) => [row[0], row]));
  }

  /** What is known of this file as it is now; undefined when it must be read. */
  find(id: string, seen: Stat, read: () => ContractRead): ContractRead | undefined {
    const row = this.#known.get(id);
    if (row === undefined || seen.kind !== 'file' || seen.links !== 1) return undefined;
    const same = row[1] === seen.inode && row[2] === seen.bytes && row[3] === seen.mtime_ms;
    if (!same || row[4] !== seen.ctime_ms) return undefined;
    this.#rows.push(row);
    if (row[5] === 0) return undefined;
    return new Known(headFromGiven(row[5]), row[6], row[7], read);
  }

  /** What was read of a file that was `seen` before it was opened. */
  note(id: string, seen: Stat, { contract, source }: ContractRead): void {
    if (this.#rows.at(-1)?.[0] === id) return;
    this.#fresh++;
    if (Math.max(seen.ctime_ms, seen.mtime_ms) > this.#settled_ms) return;
    const plain = contract.ok && contract.warnings.length === 0;
    const { inode, bytes, mtime_ms, ctime_ms } = seen;
    const known = plain ? ([givenOf(contract.value.head), contract.value.title] as const) : NONE;
    this.#rows.push([id, inode, bytes, mtime_ms, ctime_ms, ...known, contractHash({ source })]);
  }

  /** Written where enough is new; whatever keeps it from being written is nobody's concern. */
  save(): void {
    if (this.#fresh <= this.#known.size * STALE_PART || this.#rows.length === 0) return;
    const rows = JSON.stringify(this.#rows);
    const bytes = Buffer.from(`${JSON.stringify({ v: FORMAT, sum: sha256(rows) })}\n${rows}`);
    try {
      makeCacheFolder(this.#ws);
      put(this.#ws.putting, fileOf(this.#ws.layout), bytes, { durable: false });
    } catch {
      // A tree that cannot be written is read as it is.
    }
  }
}

const NONE = [0, ''] as const;

function fileOf(layout: Layout): string {
  return join(cacheFolder(layout), 'contracts.json');
}

function load({ disk, layout }: Workspace): readonly Row[] {
  try {
    const read = disk.read(fileOf(layout), BYTES_MAX);
    const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
    const end = bytes.indexOf('\n');
    const head = JSON.parse(bytes.toString('utf8', 0, end)) as { v?: unknown; sum?: unknown };
    const rows = bytes.subarray(end + 1);
    if (head.v !== FORMAT || head.sum !== sha256(rows)) return [];
    return JSON.parse(rows.toString('utf8')) as Row[];
  } catch {
    return [];
  }
}

/** Head and title as they are known; anything else is read when it is asked for. */
class Known extends ContractWords implements ContractRead, Contract {
  readonly head: Head;
  readonly title: string;
  readonly source: ContractSource;
  readonly #read: () => ContractRead;
  #whole: ContractRead | undefined;

  constructor(head: Head, title: string, hash: string, read: () => ContractRead) {
    super();
    this.head = head;
    this.title = title;
    this.source = { hash };
    this.#read = read;
  }

  /** Whose head is kept has had no warnings. */
  get unknown_keys(): readonly string[] {
    return [];
  }

  get contract(): Result<Contract> {
    return ok(this);
  }

  get #file(): ContractRead {
    return (this.#whole ??= this.#read());
  }

  protected get words(): Contract {
    const { contract } = this.#file;
    if (contract.ok) return contract.value;
    const file = contract.problems[0]?.file ?? 'contract.md';
    throw new Fault('tree', `${file} changed while it was read`, { fix: 'Try again' });
  }

  get checks(): readonly Check[] {
    return this.head.verify.flatMap((entry) => {
      const check = parseCheck(entry, 'contract.md', 1);
      return check.ok ? [check.value] : [];
    });
  }

  get context_files(): readonly string[] {
    return this.words.context_files;
  }

  get lines(): ReadonlyMap<string, number> {
    return this.words.lines;
  }
}
