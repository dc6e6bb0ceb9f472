/** Chooses a squad by words; those that match none, or two equally, give the default. */
import { confidenceOf, hasTerm, wordingOf, wordsOf } from '../../task/core/base/wording.ts';
import { DEFAULT_SQUAD, type Squad } from './squad.ts';
import type { SquadData } from './squad-lines.ts';

/** `confidence`: 1 where it was named, 0 for the default. */
export type SquadChoice = SquadData<'squad_choice'>;

type Known = Pick<Squad, 'name' | 'description' | 'tags' | 'agents' | 'categories'>;

/** Below it the default is taken. */
export const CONFIDENCE_MIN = 0.5;
/** Points for a word, by where the squad has it. */
const WEIGHTS = { name: 4, tag: 3, agent: 3, category: 2, description: 1 } as const;
const TEXT_CHARS_MAX = 20_000;
const WORD_CHARS_MIN = 3;
const COMMON: ReadonlySet<string> = new Set(
  (
    'and the for with from that this what which who whom whose into onto over under all any are was were ' +
    'has have had not but its his her their our your can will would should could may might must ' +
    'team squad work works task tasks plan plans new make makes made create creates created use uses ' +
    'about after before then than them they there here when where how why one two per via'
  ).split(' '),
);

export function choiceWords({ name, why }: SquadChoice): string {
  return `squad: ${name} (no squad was named; ${why})`;
}

/** `explicit` is not looked up. */
export function chooseSquad(
  text: string,
  squads: readonly Known[],
  explicit?: string,
): SquadChoice {
  if (explicit !== undefined) {
    return { name: explicit, how: 'explicit', confidence: 1, why: 'it was named' };
  }
  const [best, second] = squads
    .map((squad) => scored(squad, text))
    .toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score === 0) return byDefault('no word points to a squad');
  const rival = second?.score ?? 0;
  const confidence = confidenceOf(best.score, rival);
  const words = best.words.slice(0, 5).join(', ');
  if (confidence < CONFIDENCE_MIN) {
    const also = rival > 0 ? `, and as much to ${second?.name ?? ''}` : '';
    return byDefault(`${words} would point to ${best.name}${also}: not enough to decide`);
  }
  return { name: best.name, how: 'inferred', confidence, why: words };
}

function byDefault(why: string): SquadChoice {
  return { name: DEFAULT_SQUAD, how: 'default', confidence: 0, why };
}

/** `words`: the strongest first. */
function scored(squad: Known, text: string) {
  const wording = wordingOf(text.slice(0, TEXT_CHARS_MAX));
  const worth = new Map<string, number>();
  const weigh = (term: string, weight: number): void => {
    const words = wordsOf(term).join(' ');
    if (words.length < (/\p{Script=Hangul}/u.test(words) ? 2 : WORD_CHARS_MIN)) return;
    if (!COMMON.has(words) && hasTerm(wording, words))
      worth.set(words, Math.max(worth.get(words) ?? 0, weight));
  };
  weigh(squad.name, WEIGHTS.name);
  for (const tag of squad.tags) weigh(tag, WEIGHTS.tag);
  for (const { name } of squad.agents) weigh(name, WEIGHTS.agent);
  for (const name of squad.categories.keys()) weigh(name, WEIGHTS.category);
  for (const word of wordsOf(squad.description)) weigh(word, WEIGHTS.description);
  const found = [...worth].toSorted((a, b) => b[1] - a[1]);
  const score = found.reduce((sum, [, weight]) => sum + weight, 0);
  return { name: squad.name, score, words: found.map(([word]) => word) };
}
