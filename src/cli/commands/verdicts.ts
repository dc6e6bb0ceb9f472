/** approve, needs-work, reject: a person's verdict into review.md. */
import type { Verdict } from '../../task/core/model/documents.ts';
import { resolveId } from '../../engine/board/resolve-id.ts';
import { commentWords } from '../../engine/review/quote-comments.ts';
import { giveVerdict } from '../../engine/commands/write-words.ts';
import { hasSuffix, stemOf } from '../../task/core/model/id.ts';
import { chosen } from '../prompts/pick-task.ts';
import {
  refuseUse,
  needsId,
  refuse,
  printWritten,
  idsOf,
  isIn,
  unwrap,
  verb,
  type Run,
  type Verb,
} from '../terminal/verb-context.ts';

export const runs = {
  approve: verdictVerb('APPROVED', 'contracts approve ID'),
  'needs-work': verdictVerb('NEEDS_WORK', 'contracts needs-work ID "The tests are missing"'),
  reject: verdictVerb('REJECT', 'contracts reject ID "The tests are missing"'),
};

const EVENT_OF = { APPROVED: 'approved', NEEDS_WORK: 'needs_work', REJECT: 'reject' } as const;

function verdictVerb(verdict: Verdict, shown: string): Run {
  const pick = {
    state: 'review',
    question: 'Which task do you judge?',
    none: 'Nothing waits for a verdict.',
  } as const;
  return verb(async (verb, _flags: unknown, typed: readonly string[]) => {
    const { ids, words } =
      typed.length > 0
        ? idsAndWords(verb, typed)
        : { ids: await chosen(verb, pick), words: undefined };
    for (const id of ids) await judged(verb, id, verdict, words);
    if (ids.length > 0) verb.out.print('Next: contracts run');
  }, needsId(shown));
}

/** Arguments that are tasks are tasks; a last one that is none, or that has a space in it, is the words. */
function idsAndWords(verb: Verb, typed: readonly string[]) {
  const last = typed.length > 1 ? typed.at(-1) : undefined;
  const meant =
    last === undefined || /\s/.test(last) ? undefined : resolveId(verb.ws, last, verb.line.dir);
  // Of the shape of an id: a task that is not there, and no text.
  if (meant?.ok === false && hasSuffix(last ?? '')) refuse(verb, meant.problems);
  const isWords = last !== undefined && meant?.ok !== true;
  if (meant?.ok === true && last !== undefined && !isNamed(meant.value, last)) {
    const fix = `Write the id ${meant.value}, or give a text with a space: "${last} …"`;
    refuseUse(verb, `this may be a text or the task ${meant.value}`, fix, last);
  }
  const ids = idsOf(verb, isWords ? typed.slice(0, -1) : typed);
  const other = ids.find((id) => !isIn(verb, id, 'review'));
  if (other !== undefined && ids.length > 1) {
    const fix = 'Name only tasks in review: contracts list --state review';
    refuseUse(verb, 'this task waits for no verdict', fix, other);
  }
  return { ids, words: isWords ? last : undefined };
}

/** A word from the middle or the end of an id may as well be a text. */
function isNamed(id: string, typed: string): boolean {
  return id.startsWith(typed) || stemOf(id).startsWith(typed) || typed.includes('/');
}

export async function judged(verb: Verb, id: string, verdict: Verdict, findings?: string) {
  const asks = findings === undefined && verdict !== 'APPROVED' && isIn(verb, id, 'review');
  const hint = { optional: true, example: 'for the agent; Enter for none' };
  const words = asks ? await verb.ask?.text('What is wrong with it?', hint) : findings;
  printWritten(verb, EVENT_OF[verdict], unwrap(verb, giveVerdict(verb.ws, id, verdict, words)));
  if (verdict === 'NEEDS_WORK') commentWords(verb.ws, id).forEach(verb.out.printWrapped);
}
