/** Cycles of dependencies: every task on one is named, with a path that really is one. */
import { describe, expect, test } from 'vitest';
import { cycleWords, findCycles } from '../../../src/task/core/base/dependency-graph.ts';
import * as fc from '../../support/property.ts';

type Edges = Readonly<Record<string, readonly string[]>>;

function cycles(edges: Edges): ReadonlyMap<string, readonly string[]> {
  return findCycles(new Map(Object.entries(edges)));
}

/** The slow way: can a task be reached from itself. */
function onCycle(edges: Edges, id: string): boolean {
  const seen = new Set<string>();
  const next = [...(edges[id] ?? [])];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (at === id) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    next.push(...(edges[at] ?? []));
  }
  return false;
}

function isPath(edges: Edges, path: readonly string[]): boolean {
  return path.every((id, i) => i === 0 || edges[path[i - 1] ?? '']?.includes(id) === true);
}

describe('findCycles', () => {
  const table: readonly [string, Edges, Edges][] = [
    ['nothing', {}, {}],
    ['a chain', { a: ['b'], b: ['c'], c: [] }, {}],
    ['a diamond', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, {}],
    ['a task that does not exist', { a: ['gone'] }, {}],
    ['itself', { a: ['a'], b: [] }, { a: ['a', 'a'] }],
    [
      'three',
      { a: ['b'], b: ['c'], c: ['a'] },
      { a: ['a', 'b', 'c', 'a'], b: ['b', 'c', 'a', 'b'], c: ['c', 'a', 'b', 'c'] },
    ],
    [
      'one that only leads to a cycle',
      { x: ['a'], a: ['b'], b: ['a'] },
      {
        a: ['a', 'b', 'a'],
        b: ['b', 'a', 'b'],
      },
    ],
  ];
  test.each(table)('%s', (_name, edges, expected) => {
    expect(Object.fromEntries(cycles(edges))).toEqual(expected);
  });

  test('two that overlap: every task on either is named', () => {
    const edges: Edges = { a: ['b', 'c'], b: ['d'], c: ['b'], d: ['a'] };
    const found = cycles(edges);
    expect([...found.keys()].sort()).toEqual(['a', 'b', 'c', 'd']);
    for (const [id, path] of found) {
      expect(path[0], id).toBe(id);
      expect(path.at(-1), id).toBe(id);
      expect(isPath(edges, path), path.join(' ')).toBe(true);
    }
  });

  test('of 200 tasks', () => {
    const edges = new Map(
      Array.from({ length: 200 }, (_, i) => [`t${i}`, [`t${(i + 1) % 200}`]] as const),
    );
    const found = findCycles(edges);
    expect(found.size).toBe(200);
    for (const [id, path] of found)
      expect([path.length, path[0], path[200]]).toEqual([201, id, id]);
  });

  test('of 2,000 tasks: one path for all, and few words', () => {
    const ids = Array.from({ length: 2000 }, (_, i) => `t${i}`);
    const found = findCycles(new Map(ids.map((id, i) => [id, [ids[(i + 1) % 2000]!]])));
    expect([found.size, new Set(found.values()).size]).toEqual([2000, 1]);
    expect(cycleWords(found.get('t7')!)).toBe(
      't0 → t1 → t2 → t3 → t4 → … 1993 more … → t1998 → t1999 → t0',
    );
  });

  test('a chain of 100,000 has none, and a cycle of 100,000 is found without running out', () => {
    const n = 100_000;
    const chain = new Map(Array.from({ length: n }, (_, i) => [`t${i}`, [`t${i + 1}`]] as const));
    expect(findCycles(chain).size).toBe(0);
    const ring = new Map(
      Array.from({ length: n }, (_, i) => [`t${i}`, [`t${(i + 1) % n}`]] as const),
    );
    expect(findCycles(ring).size).toBe(n);
  });

  test('finds exactly the tasks that can be reached from themselves, each with its path', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const targets = fc.uniqueArray(fc.constantFrom(...ids, 'gone'), { maxLength: 3 });
    const graph = fc.tuple(...ids.map((id) => targets.map((to) => [id, to] as const)));
    fc.assert(
      fc.property(graph, (pairs) => {
        const edges: Edges = Object.fromEntries(pairs);
        const found = cycles(edges);
        expect([...found.keys()].sort()).toEqual(ids.filter((id) => onCycle(edges, id)));
        for (const [id, path] of found) {
          expect([path[0], path.at(-1)]).toEqual([id, id]);
          expect(isPath(edges, path)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
