/** Which learnings matter for some words: BM25+ over their texts and topics, weighted by what they are. Pure. */
import MiniSearch from 'minisearch';
import { WEIGHTS, type Kept } from './learning.ts';
import { termsOf, type Topics } from './terms.ts';

export interface Wanted {
  /** What a task is about, or what somebody asks. */
  readonly words: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Found {
  readonly learning: Kept;
  readonly score: number;
  /** What it has in common with what is wanted, the weightiest first. */
  readonly why: readonly string[];
}

const P = JSON.parse(process.env['P'] ?? '{}') as Record<string, number>;
const BOOST = { text: 1, names: P['names'] ?? 1.5, topics: P['topics'] ?? 0.5 };
const HALF_LIFE_DAYS = 730;

export function rank(
  learnings: readonly Kept[],
  { words, now }: Wanted,
  topics: Topics,
): readonly Found[] {
  const documents = learnings.map(({ id, information, entities, tags }) => {
    const [text, names] = [termsOf(information), termsOf([...entities, ...tags].join(' '))];
    const of = [...new Set([...text, ...names])];
    return { id, text, names, topics: of.flatMap((term) => topics.get(term) ?? []) };
  });
  const search = new MiniSearch<(typeof documents)[0]>({
    fields: Object.keys(BOOST),
    tokenize: (text) => text.split(' '),
    extractField: (one, field) => {
      const value = one[field as keyof typeof one];
      return typeof value === 'string' ? value : value.join(' ');
    },
    processTerm: (term) => term,
  });
  search.addAll(documents);
  const byId = new Map(learnings.map((one) => [one.id, one]));
  const terms = [...new Set(termsOf(words))];
  const of = terms.flatMap((term) => topics.get(term) ?? []);
  const hits = search.search([...terms, ...new Set(of)].join(' '), {
    boost: BOOST,
    bm25: { k: P['k'] ?? 1.2, b: P['b'] ?? 0.7, d: P['d'] ?? 0.5 },
    boostDocument: (id) => valueOf(byId.get(id as string)!, now),
  });
  return hits.map(({ id, score, terms: why }) => ({
    learning: byId.get(id as string)!,
    score,
    why,
  }));
}

/** Of more weight: what a person said, what helped, what is young, what is sure. */
function valueOf(one: Kept, now: number): number {
  const days = Math.max(0, now - Date.parse(one.created)) / 86_400_000;
  const age = 0.5 ** (days / HALF_LIFE_DAYS);
  const feedback = 1 + Math.max(-0.8, Math.min(0.5, one.feedback * 0.15));
  return (
    WEIGHTS[one.type] *
    feedback *
    (0.7 + 0.3 * one.confidence) *
    (0.6 + 0.4 * (Number.isNaN(age) ? 0 : age))
  );
}
