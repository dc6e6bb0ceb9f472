/**
 * The table of the sentences that problems and faults have: test/cases/sentences.tsv, a row for each, with
 * the number of the case that shows that the product says it. Every case may have a sentence of the table.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CASES } from './golden-case.ts';

const FILE = join(CASES, 'sentences.tsv');
const LOCK = `${FILE}.lock`;
/** The lock of a process that died is taken over. */
const LOCKING = new URL('../../scripts/lock.mjs', import.meta.url).href;
interface Locking {
  locked(lock: string, doing: string, work: () => void): Promise<void>;
}

/** The number of the case, by the row. */
export type Table = ReadonlyMap<string, string>;

export function readTable(): Table {
  const lines = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const at = line.indexOf('\t');
      return [line.slice(at + 1), line.slice(0, at)];
    }),
  );
}

export const numberOf = (name: string): string => name.slice(0, name.indexOf('-'));

/** Rows of the case that it does not say any more. */
export function staleRows(table: Table, name: string, said: readonly string[]): readonly string[] {
  return [...table].flatMap(([row, owner]) =>
    owner === numberOf(name) && !said.includes(row) ? [row] : [],
  );
}

/** Brings in what the case says and no row has, and takes out what it does not say any more. */
export async function updateTable(name: string, said: readonly string[]): Promise<void> {
  // Topics are played by several processes.
  const { locked } = (await import(LOCKING)) as Locking;
  return locked(LOCK, 'writes the table of sentences', () => {
    const table = new Map(readTable());
    for (const row of staleRows(table, name, said)) table.delete(row);
    for (const row of said) if (!table.has(row)) table.set(row, numberOf(name));
    writeFileSync(FILE, printTable(table));
  });
}

export function printTable(table: Table): string {
  const lines = [...table].map(([row, owner]) => `${owner}\t${row}\n`);
  return lines.toSorted((a, b) => (a < b ? -1 : 1)).join('');
}
