/**
 * What matters is found in other words too: 60 queries over 300 learnings, written by somebody who had not
 * seen the code (bench/retrieval). The bench measures the same through the command.
 * The weights were chosen by these queries (bench/memory.mjs), so that this holds what was reached.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Kept } from '../../src/memory/core/learning.ts';
import { rank } from '../../src/memory/core/rank.ts';
import { relatedIn } from '../../src/memory/core/related.ts';

interface Query {
  readonly query: string;
  readonly relevant: readonly string[];
  readonly kind: 'shared' | 'other_words';
}

interface Scoring {
  readonly plainSearch: (kept: readonly object[]) => (query: string) => readonly string[];
  readonly scored: (
    queries: readonly object[],
    idsFor: (query: string) => readonly string[],
  ) => { readonly recall: number; readonly mrr: number };
}

const bench = new URL('../../bench/memory.mjs', import.meta.url);
const { plainSearch, scored } = (await import(bench.href)) as Scoring;
const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const related = relatedIn(read('templates/memory/related-words.txt'));
const queriesIn = (name: string) =>
  JSON.parse(read(`bench/retrieval/${name}.json`)) as readonly Query[];
const queries = queriesIn('queries');
const written = JSON.parse(read('bench/retrieval/learnings.json')) as readonly Omit<
  Kept,
  'source'
>[];
const more = {
  source: [],
  uses: [],
  returned: [],
  feedback: 0,
  created: '2026-11-01T00:00:00Z',
  file: '',
};
const kept = written.map((one): Kept => ({ ...more, ...one }));
const now = Date.parse('2026-11-27');
/** What was found for a query once is what is found again. */
function finder(all: readonly Kept[]) {
  const found = new Map<string, readonly string[]>();
  return (words: string): readonly string[] => {
    const ids =
      found.get(words) ?? rank(all, { words, now }, related).map(({ learning }) => learning.id);
    found.set(words, ids);
    return ids;
  };
}
const find = finder(kept);
const tags = JSON.parse(read('bench/retrieval/tags.json')) as Readonly<
  Record<string, readonly string[]>
>;

test('of 60 queries recall@5 is at least 0.8, and above a search for words', () => {
  const plain = scored(queries, plainSearch(kept));
  const ours = scored(queries, find);
  expect(ours.recall).toBeGreaterThanOrEqual(0.8);
  expect(ours.recall).toBeGreaterThan(plain.recall);
  expect(ours.mrr).toBeGreaterThan(plain.mrr);
});

test('half of them share no word with what they look for, and most are found all the same', () => {
  const other = queries.filter(({ kind }) => kind === 'other_words');
  expect(other.length).toBe(queries.length / 2);
  expect(scored(other, plainSearch(kept)).recall).toBe(0);
  expect(scored(other, find).recall).toBeGreaterThan(0.6);
});

test.each([
  ['as they are', {}, 0.6, 0.45],
  ['with the tags that a brief asks for', tags, 0.7, 0.55],
])(
  'of 60 queries by which nothing was chosen most are found, too: learnings %s',
  (_, tagsOf, ...least) => {
    const [all, inOther] = least;
    const queriesThen = queriesIn('queries-held-out');
    const other = queriesThen.filter(({ kind }) => kind === 'other_words');
    const those = kept.map((one) => ({ ...one, tags: tagsOf[one.id] ?? one.tags }));
    const plain = scored(queriesThen, plainSearch(those));
    const findNow = finder(those);
    expect(other.length).toBe(queriesThen.length / 2);
    const ours = scored(queriesThen, findNow);
    expect(ours.recall).toBeGreaterThan(all);
    expect(ours.recall).toBeGreaterThan(1.5 * plain.recall);
    expect(ours.mrr).toBeGreaterThan(plain.mrr);
    expect(scored(other, findNow).recall).toBeGreaterThan(inOther);
  },
);

test('the related words are lines of plain words', () => {
  const lines = read('templates/memory/related-words.txt').trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(4000);
  expect(lines.filter((line) => !/^[a-z0-9-]+(?: [a-z0-9-]+)+$/.test(line))).toEqual([]);
});
