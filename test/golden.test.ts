/**
 * Golden cases: every folder of test/cases is played and compared with its after/ and report.txt.
 * UPDATE_CASES=1 writes them instead; read what it wrote before you commit it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listCases } from './support/golden-case.ts';
import { play } from './support/golden-run.ts';
import { readExpected, writeExpected } from './support/golden-tree.ts';

const UPDATE = process.env['UPDATE_CASES'] === '1';
const cases = listCases();

describe('golden cases', { concurrent: true }, () => {
  for (const one of cases) {
    test(`${one.name}: ${one.says}`, async ({ expect: check }) => {
      const { report, after } = await play(one);
      const after_folder = join(one.folder, 'after');
      const report_file = join(one.folder, 'report.txt');
      if (UPDATE) {
        writeExpected(after_folder, after);
        writeFileSync(report_file, report);
      }
      const expected = existsSync(report_file) ? readFileSync(report_file, 'utf8') : '';
      check(report).toBe(expected);
      check(Object.fromEntries(after)).toEqual(Object.fromEntries(readExpected(after_folder)));
    });
  }
});

test('there are at least fifty cases, and each says what it shows in a sentence', () => {
  expect(cases.length).toBeGreaterThanOrEqual(50);
  expect(cases.filter(({ name }) => !/^\d{3}-[a-z0-9-]+$/.test(name))).toEqual([]);
  expect(cases.filter(({ says }) => !says.endsWith('.'))).toEqual([]);
  expect(cases.filter(({ steps }) => steps.length === 0)).toEqual([]);
});
