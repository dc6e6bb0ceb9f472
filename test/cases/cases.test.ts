/** What holds for the golden cases as a whole; each topic's own test file plays them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULT_CODES, PROBLEM_CODES } from '../../src/task/core/model/problem.ts';
import { CASES, CONTRACTS, listCases, PROGRAMS } from '../support/golden-case.ts';
import { MASKS, OWN_CLOCK } from '../support/golden-mask.ts';
import { numberOf, printTable, readTable } from '../support/golden-table.ts';
import { parseCase, printCase } from '../support/golden-file.ts';

const FILES_MAX = 426;
const cases = listCases();
const topics = [...new Set(cases.map(({ topic }) => topic))];

const testOf = (topic: string): string => `/** Plays the golden cases about ${topic}. */
import { playAll } from '../../support/golden-topic.ts';
playAll('${topic}');
`;

test('each topic has a test file that plays it, and no test file plays nothing', () => {
  const played = (topic: string): boolean => {
    const file = join(CASES, topic, `${topic}.test.ts`);
    return existsSync(file) && readFileSync(file, 'utf8') === testOf(topic);
  };
  expect(topics.filter((topic) => !played(topic))).toEqual([]);
  expect(
    readdirSync(CASES, { recursive: true }).filter((name) => /\.test\./.test(String(name))),
  ).toHaveLength(topics.length + 1);
});

test('each case says what it shows in a sentence, has steps, and expects a report', () => {
  expect(cases.length).toBeGreaterThanOrEqual(50);
  expect(cases.filter(({ name }) => !/^\d{3,4}-[a-z0-9-]+$/.test(name))).toEqual([]);
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

test('the table of sentences is written as it is printed, each row is of a case, and names a code', () => {
  const table = readTable();
  expect(printTable(table)).toBe(readFileSync(join(CASES, 'sentences.tsv'), 'utf8'));
  const numbers = new Set(cases.map(({ name }) => numberOf(name)));
  const codes = [...PROBLEM_CODES, ...FAULT_CODES.map((code) => `fault: ${code}`)];
  const odd = [...table].filter(
    ([row, owner]) => !numbers.has(owner) || !codes.some((code) => row.startsWith(`${code}: `)),
  );
  expect(odd).toEqual([]);
});

test('no mask comes to those that there are', () => {
  expect(MASKS).toHaveLength(10);
  expect(OWN_CLOCK).toHaveLength(6);
});

test('they are few files', () => {
  const files = [CASES, CONTRACTS, PROGRAMS].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (one) => one.isFile() && !one.name.endsWith('.test.ts'),
    ),
  );
  expect(files.length).toBeLessThanOrEqual(FILES_MAX);
});
