/** What a worker took for granted, and what it could not decide: until a person says what holds. */
import type { Learning, OnDisk } from '../../memory/core/learning.ts';

/** The type of a contract that asks about them, and how its id begins. */
export const ASKS = 'assumptions';

type Shared = 'information' | 'confidence' | 'source' | 'uses' | 'returned' | 'created';

/** The confidence of a decision says nothing. */
export interface Assumption extends Pick<Learning, Shared> {
  /** `decision`: one that a person is to make. */
  readonly kind: 'assumption' | 'decision';
  /** undefined: of tasks without a plan. */
  readonly plan: string | undefined;
  /** A person was asked about it, and may have dismissed that. */
  readonly asked: boolean;
  /** How many tasks were done when a person was last asked, or when it came up. */
  readonly done: number;
}

export type KeptAssumption = Assumption & OnDisk;

/** A person is asked beyond so many that are new, each below this confidence. */
const UNSURE = 0.6;
const UNSURE_MAX = 2;
const DECISIONS_MAX = 3;
/** Or whenever so many tasks came to done while one is open, were it dismissed before. */
const DONE_STEP = 10;

/** Why a person is asked about these of one plan now; undefined: not yet. */
export function reasonToAsk(open: readonly Assumption[], done: number): string | undefined {
  const fresh = open.filter(({ asked }) => !asked);
  const assumed = fresh.filter(({ kind }) => kind === 'assumption');
  const unsure = assumed.filter(({ confidence }) => confidence < UNSURE).length;
  if (unsure > UNSURE_MAX) return `${unsure} assumptions are below ${UNSURE}`;
  const decisions = fresh.length - assumed.length;
  if (decisions > DECISIONS_MAX) return `${decisions} decisions are open`;
  const since = Math.min(...open.map((one) => one.done));
  if (open.length > 0 && done - since >= DONE_STEP)
    return `${done - since} tasks were done while ${open.length === 1 ? 'one is' : 'some are'} open`;
  return undefined;
}

export type Answer =
  | { readonly means: 'confirmed' }
  | { readonly means: 'rejected'; readonly instead: string }
  | { readonly means: 'decided'; readonly text: string }
  | { readonly means: 'open' };

const YES =
  /^(?:yes|y|yep|ja|oui|s[ií]|sim|да|はい|是|是的|对|예|네|ok|okay|keep|keep it|confirm|confirmed|true|correct|right|sure|fine|agreed?|i agree|(?:(?:it|that|this)(?:['’]s| is)? )?(?:holds?|true|correct|right|fine|ok))$/i;
/** It stays open. */
const UNDECIDED =
  /^(?:\?+$|-+$|(?:later|skip|unknown)$|(?:maybe|perhaps|unsure|no idea|dunno|(?:i(?:['’]m| am) )?not sure|(?:i )?(?:do not|don['’]t|dont) know)\b)/i;
const YES_AND =
  /^(?:(?:yes|y|yep|ok|okay)\b(?!-)|(?:confirmed|correct|right|true|sure|fine|agreed?|keep it)\s*[,.;:!–—])/i;
/** "No more than two" is one sentence, and no refusal before it. */
const NO = /^(?:no|n|nope|reject|rejected|false|wrong)(?:[\s.!]*$|(?:\s*[,.:;!–—]|\s+-)\s*(.+)$)/i;

/** An answer that is no yes and no no says what holds instead. */
export function answerOf(kind: Assumption['kind'], text: string): Answer {
  const plain = text.replace(/\s+/g, ' ').trim();
  const bare = plain.replace(/(?<=[^\s.!])[\s.!]+$/, '');
  if (UNDECIDED.test(bare)) return { means: 'open' };
  if (kind === 'decision') return { means: 'decided', text: plain };
  if (YES.test(bare)) return { means: 'confirmed' };
  if (YES_AND.test(plain)) return { means: 'decided', text: plain };
  const no = NO.exec(plain);
  return { means: 'rejected', instead: no === null ? plain : (no[1] ?? '') };
}

/** Question for a person; the id in front says which one an answer is about. */
export function questionOf({ id, kind, information, confidence, source }: KeptAssumption): string {
  const by = source.length === 0 ? '' : ` (${source.slice(0, 3).join(', ')})`;
  const ask =
    kind === 'decision'
      ? 'What is to be done?'
      : `Assumed with confidence ${confidence}. Answer yes, or say what holds instead.`;
  return `\`${id}\`: ${information}${by} ${ask}`;
}

export function askedIn(question: string): string | undefined {
  return /^`([^`]+)`:/.exec(question.trim())?.[1];
}
