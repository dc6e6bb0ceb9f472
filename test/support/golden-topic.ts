/**
 * Plays the golden cases of one topic and compares each with what it expects. UPDATE_CASES=1 writes
 * that into the case and the table of sentences instead; read what it wrote before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, test } from 'vitest';
import { listCases } from './golden-case.ts';
import { expectedSections, parseCase, printCase } from './golden-file.ts';
import type { play as playCase } from './golden-run.ts';
import { readTable, staleRows, updateTable } from './golden-table.ts';
import { printArchive } from './golden-text.ts';

const UPDATE = process.env['UPDATE_CASES'] === '1';
const LOAD_MS = 60_000;

/** `topic` is a folder of test/cases. A worker of the test runner plays one topic at a time. */
export function playAll(topic: string): void {
  const [cases, table] = [listCases(topic), readTable()];
  describe('golden cases', { concurrent: true }, () => {
    let play: typeof playCase;
    // Not where `-t` leaves out all cases of the topic: the product takes seconds to load.
    beforeAll(async () => {
      ({ play } = await import('./golden-run.ts'));
    }, LOAD_MS);

    for (const one of cases) {
      test(`${topic}/${one.name}: ${one.says}`, async ({ expect }) => {
        const { rows, ...is } = await play(one, (row) => UPDATE || table.has(row));
        if (UPDATE) {
          writeFileSync(one.file, printCase({ ...one.text, ...is }));
          await updateTable(one.name, rows);
          expect(parseCase(readFileSync(one.file, 'utf8'))).toEqual({ ...one.text, ...is });
          return;
        }
        expect(staleRows(table, one.name, rows)).toEqual([]);
        expect(is.reported).toBe(one.text.reported);
        const shown = ({ reported, after }: typeof is): string =>
          printArchive({ comment: '', sections: expectedSections(reported, after) });
        expect(shown(is)).toBe(shown(one.text));
      });
    }
  });
}
