/**
 * Which learnings matter for some words: BM25+ of the words that both have, else of words that are near to
 * them, and how alike the subjects of both are; weighted by what a learning is. Pure.
 */
import MiniSearch from 'minisearch';
import { sureness, WEIGHTS, type Kept } from './learning.ts';
import type { Related } from './related.ts';
import { termsOf, wordsByTerm } from './terms.ts';

export interface Wanted {
  /** Words of a task, or of a question. */
  readonly words: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** From 0 to 1, by what came of its tasks; one half where nothing did. */
  readonly weightOf?: (one: Kept) => number;
}

export interface Found {
  readonly learning: Kept;
  readonly score: number;
  /** Enough of what it says is in the words: it may stand in a brief. */
  readonly fits: boolean;
  /** Its words that the wanted ones have, too, or are near to; the most telling first. */
  readonly why: readonly string[];
}

const BM25 = { k: 1.2, b: 0.7, d: 0.5 };
/** Weight of a near word beside the word itself, and of other near ones beside the nearest. */
const NEAR = 3;
const OTHERS = 0.5;
/** Weight of the same subject. */
const SUBJECT = 40;
/** Learnings below which a word's rareness means nothing: many are about what the project is about. */
const FEW = 300;
/** Weight of a word that no learning has. */
const UNKNOWN = 5;
const HALF_LIFE_DAYS = 730;
/** The share of its words, rare ones weighing more, from which a learning fits. */
const FITS = 0.13;

/** Weight of a learning about something that is named. */
const NAMED = 1.5;
/** Characters that are ranked; people alone read the rest. */
const TEXT_CHARS_MAX = 4000;
/** So many get their reasons. */
const FOUND_MAX = 100;

interface Indexed {
  readonly learning: Kept;
  readonly terms: readonly string[];
  /** Each once. */
  readonly own: ReadonlySet<string>;
  readonly subject: Vector;
}

/** By group of related words. */
type Vector = ReadonlyMap<number, number>;

/** The best first, at most a hundred. */
export function rank(
  learnings: readonly Kept[],
  wanted: Wanted,
  related: Related,
): readonly Found[] {
  const terms = [...new Set(termsOf(wanted.words))];
  const known = new Map<string, string>();
  const texts = learnings.map((learning) => termsOf(textOf(learning), known));
  const words = { related, rarity: rarityIn(texts) };
  const all = learnings.map((learning, i): Indexed => {
    const own = texts[i] ?? [];
    return { learning, terms: own, own: new Set(own), subject: subjectOf(own, words) };
  });
  const { scores, nearness } = byWords(all, terms, words);
  const names = new Set(
    wanted.words
      .toLowerCase()
      .split(/[\s,;`'"()[\]<>]+/)
      .map((word) => word.replace(/(?<![.:!?])[.:!?]+$/, '')),
  );
  const alike = alikeness(all, subjectOf(terms, words));
  return all
    .map((one, i) => {
      const score = (scores.get(i) ?? 0) + SUBJECT * alike(one.subject);
      const named = one.learning.entities.filter((entity) => isNamed(entity, names));
      const more = named.length > 0 ? NAMED : 1;
      return { one, named, score: (score + more - 1) * more * valueOf(one.learning, wanted) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.one.learning.id < b.one.learning.id ? -1 : 1))
    .slice(0, FOUND_MAX)
    .map(({ one, named, score }) => {
      const { fits, why } = inCommon(one, nearness, words.rarity);
      const isAbout = named.length > 0;
      return { learning: one.learning, score, fits: fits || isAbout, why: [...named, ...why] };
    });
}

/** `library:zod` as it is; of a file its path is enough. */
function isNamed(entity: string, names: ReadonlySet<string>): boolean {
  const plain = entity.toLowerCase();
  return names.has(plain) || (plain.startsWith('file:') && names.has(plain.slice(5)));
}

function textOf({ information, entities, tags }: Kept): string {
  return [information, ...entities, ...tags].join(' ').slice(0, TEXT_CHARS_MAX);
}

type Rarity = (term: string) => number;

interface Words {
  readonly related: Related;
  readonly rarity: Rarity;
}

function rarityIn(texts: readonly (readonly string[])[]): Rarity {
  const counts = new Map<string, number>();
  for (const terms of texts)
    for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return (term) => {
    const count = counts.get(term);
    if (count === undefined) return UNKNOWN;
    return Math.log(1 + (Math.max(texts.length, FEW) - count + 0.5) / (count + 0.5));
  };
}

/** Counts each wanted term by the word itself, else by the nearest that the learning has. */
function byWords(all: readonly Indexed[], terms: readonly string[], words: Words) {
  const search = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
  });
  search.addAll(all.map(({ terms: own }, id) => ({ id, text: own.join(' ') })));
  const scores = new Map<number, number>();
  for (const { id, score } of search.search(terms.join(' '), { bm25: BM25 })) scores.set(id, score);
  const nearness = new Map<string, number>(terms.map((term) => [term, 1]));
  for (const term of terms) {
    const near = words.related.near(term);
    for (const [other, share] of near)
      nearness.set(other, Math.max(nearness.get(other) ?? 0, Math.sqrt(share)));
    for (const [id, { own }] of all.entries()) {
      if (own.has(term)) continue;
      const part = nearestIn(own, near, words.rarity);
      if (part > 0) scores.set(id, (scores.get(id) ?? 0) + part);
    }
  }
  return { scores, nearness };
}

function nearestIn(own: ReadonlySet<string>, near: ReadonlyMap<string, number>, rarity: Rarity) {
  let [best, sum] = [0, 0];
  for (const term of own) {
    const share = near.get(term);
    if (share === undefined) continue;
    const part = NEAR * Math.sqrt(share) * rarity(term);
    best = Math.max(best, part);
    sum += part;
  }
  return best + OTHERS * (sum - best);
}

function subjectOf(terms: readonly string[], { related, rarity }: Words): Vector {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const vector = new Map<number, number>();
  for (const [term, count] of counts) {
    const groups = related.groupsOf(term);
    const weight = groups.length === 0 ? 0 : rarity(term) * (1 + Math.log(count));
    for (const group of groups)
      vector.set(group, (vector.get(group) ?? 0) + weight * related.weightOf(group));
  }
  return vector;
}

/** The cosine with the wanted subject; a group that many learnings are in says little. */
function alikeness(all: readonly Indexed[], wanted: Vector): (subject: Vector) => number {
  const counts = new Map<number, number>();
  for (const { subject } of all)
    for (const group of subject.keys()) counts.set(group, (counts.get(group) ?? 0) + 1);
  const squares = new Map<number, number>();
  for (const [group, count] of counts) squares.set(group, Math.log(1 + all.length / count) ** 2);
  const rare = Math.log(1 + all.length) ** 2;
  const length = (vector: Vector): number => {
    let sum = 0;
    for (const [group, part] of vector) sum += part * part * (squares.get(group) ?? rare);
    return Math.sqrt(sum);
  };
  const whole = length(wanted);
  return (subject) => {
    let shared = 0;
    for (const [group, part] of wanted)
      shared += part * (subject.get(group) ?? 0) * (squares.get(group) ?? 0);
    return shared === 0 ? 0 : shared / (whole * length(subject));
  };
}

function inCommon(
  { learning, own }: Indexed,
  nearness: ReadonlyMap<string, number>,
  rarity: Rarity,
) {
  const words = wordsByTerm(textOf(learning));
  let [whole, shared] = [0, 0];
  const why = new Map<string, number>();
  for (const term of own) {
    const part = rarity(term) * (nearness.get(term) ?? 0);
    whole += rarity(term);
    shared += part;
    if (part > 0) why.set(words.get(term) ?? term, part);
  }
  const sorted = [...why].sort(([, a], [, b]) => b - a).map(([word]) => word);
  return { fits: whole > 0 && shared / whole >= FITS, why: sorted };
}

/** Ranks higher what a person said, what helped, what is young, what is sure. */
function valueOf(one: Kept, { now, weightOf }: Wanted): number {
  const days = Math.max(0, now - Date.parse(one.created)) / 86_400_000;
  const age = 0.5 ** (days / HALF_LIFE_DAYS);
  const feedback = 1 + Math.max(-0.8, Math.min(0.5, one.feedback * 0.15));
  const sure = 0.95 + 0.05 * sureness(one);
  const proven = 0.5 + (weightOf?.(one) ?? 0.5);
  const young = 0.9 + 0.1 * (Number.isNaN(age) ? 0 : age);
  return WEIGHTS[one.type] * feedback * sure * proven * young;
}
