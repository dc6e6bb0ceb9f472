/**
 * Words that mean nearly the same, or that are met together: groups of words, a line each, from
 * templates/memory/related-words.txt. Two words are near where they share groups, and small ones. Pure.
 */
import { addTo } from '../../task/core/base/groups.ts';
import { termOf } from './terms.ts';

export interface Related {
  readonly groupsOf: (term: string) => readonly number[];
  readonly weightOf: (group: number) => number;
  /** Other terms, each from 0 to 1: the cosine of the groups that both are in. */
  readonly near: (term: string) => ReadonlyMap<string, number>;
}

/** How much less a large group says than a small one. */
const SIZE = 0.75;

export function relatedIn(text: string): Related {
  const known = new Map<string, string>();
  const groups = text
    .split('\n')
    .map((line) => [...new Set(line.match(/[^ -]+/g)?.map((word) => termOf(word, known)))])
    .filter((group) => group.length > 1);
  const members = new Map<string, number[]>();
  for (const [i, group] of groups.entries()) for (const term of group) addTo(members, term, i);
  const groupsOf = (term: string): readonly number[] => members.get(term) ?? [];
  const weights = groups.map((group) => group.length ** -SIZE);
  const weightOf = (group: number): number => weights[group] ?? 1;
  const norm = (term: string): number =>
    Math.sqrt(groupsOf(term).reduce((sum, group) => sum + weightOf(group) ** 2, 0));
  const near = (term: string): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    for (const group of groupsOf(term))
      for (const other of groups[group] ?? [])
        if (other !== term) found.set(other, (found.get(other) ?? 0) + weightOf(group) ** 2);
    for (const [other, shared] of found) found.set(other, shared / (norm(term) * norm(other)));
    return found;
  };
  return { groupsOf, weightOf, near };
}
