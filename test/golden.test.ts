/**
 * Golden cases: every file of test/cases is played and compared with what it expects.
 * UPDATE_CASES=1 writes that into the file instead; read what it wrote before you commit it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CASES, listCases, PROGRAMS } from './support/golden-case.ts';
import { expectedSections, parseCase, printCase } from './support/golden-file.ts';
import { play } from './support/golden-run.ts';
import { printArchive } from './support/golden-text.ts';

const UPDATE = process.env['UPDATE_CASES'] === '1';
const FILES_MAX = 340;
const cases = listCases();

describe('golden cases', { concurrent: true }, () => {
  for (const one of cases) {
    test(`${one.topic}/${one.name}: ${one.says}`, async ({ expect: check }) => {
      const is = await play(one);
      if (UPDATE) {
        writeFileSync(one.file, printCase({ ...one.text, ...is }));
        return;
      }
      check(is.reported).toBe(one.text.reported);
      const shown = ({ reported, after }: typeof is): string =>
        printArchive({ comment: '', sections: expectedSections(reported, after) });
      check(shown(is)).toBe(shown(one.text));
    });
  }
});

test('each case says what it shows in a sentence, has steps, and expects a report', () => {
  expect(cases.length).toBeGreaterThanOrEqual(50);
  expect(cases.filter(({ name }) => !/^\d{3}-[a-z0-9-]+$/.test(name))).toEqual([]);
  expect(cases.filter(({ says }) => !says.endsWith('.'))).toEqual([]);
  expect(cases.filter(({ steps }) => steps.length === 0)).toEqual([]);
  expect(cases.filter(({ text }) => text.reported === '')).toEqual([]);
});

test('each case is written as it is printed, so that writing what it expects loses nothing', () => {
  for (const { file } of cases) {
    const text = readFileSync(file, 'utf8');
    expect(printCase(parseCase(text))).toBe(text);
  }
});

test('they are few files', () => {
  const files = [CASES, PROGRAMS].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()),
  );
  expect(files.length).toBeLessThanOrEqual(FILES_MAX);
});
