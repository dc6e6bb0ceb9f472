/** approve, needs-work, reject: a person's verdict into review.md. retry: a blocked task again, or an ended one. */
import type { Verdict } from '../../task/core/model/documents.ts';
import { resolveId } from '../../engine/board/resolve-id.ts';
import { commentWords } from '../../engine/review/quote-comments.ts';
import { addNote, giveVerdict } from '../../engine/commands/write-words.ts';
import { moveByVerb } from '../../engine/commands/moves.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import { globMatcher } from '../../task/core/base/glob.ts';
import { isTerminal, type State } from '../../task/core/model/state.ts';
import { listState } from '../../task/store/tasks/tasks.ts';
import { EXIT } from '../terminal/frame.ts';
import { hasSuffix, stemOf } from '../../task/core/model/id.ts';
import { chosen } from '../prompts/pick-task.ts';
import {
  attempted,
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
import { nextOf, reportMoved } from './moves.ts';
import { runNow } from './step.ts';
import { resolved } from './words.ts';

export const runs = {
  approve: verdictVerb('APPROVED', 'contracts approve ID'),
  'needs-work': verdictVerb('NEEDS_WORK', 'contracts needs-work ID "The tests are missing"'),
  reject: verdictVerb('REJECT', 'contracts reject ID "The tests are missing"'),
  retry: verb(async (verb, flags: { again?: boolean; run?: boolean }, typed: readonly string[]) => {
    const { ids, words } =
      typed.length > 0 ? idsAndWords(verb, typed, 'blocked') : await asked(verb);
    const moved: string[] = [];
    for (const id of ids) {
      const done = await attempted(verb.frame, () => retried(verb, id, words, flags.again));
      if (done === true) moved.push(id);
    }
    if (moved.length > 0 && verb.frame.code === EXIT.fine)
      await runNow(verb, flags.run, nextOf(verb, moved));
  }, needsId('contracts retry ID')),
};

const EVENT_OF = { APPROVED: 'approved', NEEDS_WORK: 'needs_work', REJECT: 'reject' } as const;

function verdictVerb(verdict: Verdict, shown: string): Run {
  const pick = {
    state: 'review',
    question: 'Which task do you judge?',
    none: 'Nothing waits for a verdict.',
  } as const;
  return verb(async (verb, flags: { run?: boolean }, typed: readonly string[]) => {
    const { ids, words } =
      typed.length > 0
        ? idsAndWords(verb, typed, 'review')
        : { ids: await chosen(verb, pick), words: undefined };
    const other = ids.find((id) => !isIn(verb, id, 'review'));
    if (other !== undefined && ids.length > 1) {
      const fix = 'Name only tasks in review: contracts list --state review';
      refuseUse(verb, 'this task waits for no verdict', fix, other);
    }
    for (const id of ids) await judged(verb, id, verdict, words);
    if (ids.length === 0) return;
    if (verdict === 'REJECT') verb.out.print('Next: contracts run');
    else await runNow(verb, flags.run);
  }, needsId(shown));
}

/** A pattern in quotes, such as `rev-*`: all that wait in this state. What matches none may be the words at the end. */
function expanded(verb: Verb, typed: readonly string[], state: State): readonly string[] {
  const all = typed.flatMap((one, at) => {
    if (!/^[a-z0-9_*-]*\*[a-z0-9_*-]*$/.test(one)) return one;
    const ids = listState(verb.ws.disk, verb.ws.layout, state).ids.filter(globMatcher(one));
    if (ids.length > 0) verb.out.print(`${one} is ${ids.join(', ')}`);
    else if (at === 0 || at < typed.length - 1)
      refuseUse(verb, `no task in ${state} matches`, `See: contracts list --state ${state}`, one);
    return ids.length > 0 ? ids : one;
  });
  return [...new Set(all)];
}

/** Arguments that are tasks are tasks; a last one that is none, or that has a space in it, is the words. */
export function idsAndWords(verb: Verb, given: readonly string[], state: State) {
  const typed = expanded(verb, given, state);
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

const RETRY_HINT = { optional: true, example: 'for the next attempt; Enter for none' };
const RETRY_PICK = {
  state: 'blocked',
  question: 'Which task do you try again?',
  none: 'Nothing is blocked. To take up an ended task: contracts retry ID --again',
} as const;

async function asked(verb: Verb): Promise<{ ids: readonly string[]; words?: string | undefined }> {
  const ids = await chosen(verb, RETRY_PICK);
  const words =
    ids.length > 0 ? await verb.ask?.text('How can it continue?', RETRY_HINT) : undefined;
  return { ids, words: words === '' ? undefined : words };
}

/** False where a person decided otherwise. */
async function retried(verb: Verb, id: string, words?: string, again = false): Promise<boolean> {
  const { ws } = verb;
  const { state } = unwrap(verb, findTask(ws, id));
  if (state === 'blocked' && words !== undefined) {
    await resolved(verb, id, words);
    return true;
  }
  const isOver = isTerminal(state);
  if (isOver && !again) {
    if (verb.ask === undefined) {
      const fix = `Take it up again: contracts retry ${id} --again`;
      refuseUse(verb, `${id} is ${state}, and retry alone is for a blocked task`, fix);
    }
    if (!(await verb.ask.yes(`${id} is ${state}. Take it up again?`, false))) return false;
  }
  if (isOver && words !== undefined)
    printWritten(verb, 'noted', unwrap(verb, addNote(ws, id, words)));
  reportMoved(verb, 'retry', unwrap(verb, moveByVerb(ws, isOver ? 'reopen' : 'retry', id)));
  return true;
}
