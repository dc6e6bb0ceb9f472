/** A learning: what a result, a review or a person taught. Its type is the folder that it is in. */
import { PERSON } from '../../task/core/model/contract.ts';

export const WEIGHTS = {
  correction: 1.05,
  decision: 1.05,
  preference: 1.05,
  pattern: 1,
  anti_pattern: 1,
  constraint: 1,
  insight: 0.95,
} as const;
export type LearningType = keyof typeof WEIGHTS;
/** In the order of their weight. */
export const LEARNING_TYPES = Object.keys(WEIGHTS) as readonly LearningType[];
const CONFIDENCE_OF_AGENT_MAX = 0.6;

export interface Learning {
  readonly type: LearningType;
  /** One or a few sentences. */
  readonly information: string;
  /** `kind:name`, such as `library:zod` or `file:src/a.ts`. */
  readonly entities: readonly string[];
  readonly tags: readonly string[];
  /** 0 to 1. */
  readonly confidence: number;
  /** Tasks that taught it, and `person` where a person said or accepted it. Empty: somebody wrote the file by hand. */
  readonly source: readonly string[];
  /** Tasks that came to done with it in their brief. */
  readonly uses: readonly string[];
  /** Tasks that came back, or failed, with it in their brief. */
  readonly returned: readonly string[];
  /** How often it was said to be right, minus how often to be wrong. */
  readonly feedback: number;
  /** ISO 8601, UTC. */
  readonly created: string;
}

/** Types of a person: an agent's learning of one is a candidate until a person accepts it. */
export function isOfPersons(type: LearningType): boolean {
  return WEIGHTS[type] > 1;
}

export function isByPerson({ source }: Learning): boolean {
  return source.includes(PERSON);
}

/** How sure a brief calls it. `isAgreed`: an agent of another role says the same. */
export function sureness(one: Learning, isAgreed = false): number {
  const isOwn = one.source.length === 0 || isByPerson(one) || one.feedback > 0;
  return isOwn || isAgreed ? one.confidence : Math.min(one.confidence, CONFIDENCE_OF_AGENT_MAX);
}

/** True if it is to be verified before it is followed. */
export function isDoubted({ confidence, feedback }: Learning): boolean {
  return confidence < 0.5 || feedback < 0;
}

export interface OnDisk {
  /** Its file without `.md`. */
  readonly id: string;
  /** Relative to the workspace. */
  readonly file: string;
}

/** Its id is unique among all types. */
export type Kept = Learning & OnDisk;

export function isLearningType(word: string): word is LearningType {
  return (LEARNING_TYPES as readonly string[]).includes(word);
}

const ID_CHARS_MAX = 50;

/** The name of its file: its first words; `number` from 2 on makes another name. */
export function idFor(information: string, number = 1): string {
  const words = information
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    // A mark belongs to the sign before it: of an emoji it would be a word of its own.
    .map((word) => word.replace(/^\p{M}+/u, ''))
    .filter(Boolean);
  let id = '';
  for (const word of words) {
    if (id !== '' && id.length + word.length > ID_CHARS_MAX) break;
    id = [...`${id}-${word}`].slice(id === '' ? 1 : 0, ID_CHARS_MAX).join('');
  }
  return `${id || 'learning'}${number === 1 ? '' : `-${number}`}`;
}
