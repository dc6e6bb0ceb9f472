/** What a workspace would start, in words, and the question whether it may. Writes the answer alone. */
import type { Grant } from '../engine/push-grant.ts';
import { grantsOf, pushGrants } from '../engine/trust-grants.ts';
import { changedWords } from '../engine/trust-marks.ts';
import { openQuestion, trust, type Question } from '../engine/trust.ts';
import type { Workspace } from '../engine/workspace.ts';
import { escapeText } from '../text/terminal.ts';
import type { Output } from './output.ts';
import type { Verb } from './verb.ts';

const WORDS_MAX = 160;

export function sayQuestion(out: Output, question: Question, root: string): void {
  const { first, more, changed } = question;
  const shown = more.filter(({ usual }) => usual !== true);
  if (first) {
    out.say(`${escapeText(root)} is not trusted yet.`);
    out.say(
      shown.length === 0
        ? 'Its settings start no program outside of a sandbox; its contracts can name any.'
        : 'This is started outside of a sandbox, or loosens one:',
    );
  } else if (shown.length > 0) out.say('Since it was trusted, this is new or changed:');
  for (const { what, words, before } of shown) {
    const [was, now] = before === undefined ? ['', words] : apart(before, words);
    if (before !== undefined) out.say(`  - ${escapeText(what)}: ${escapeText(cut(was))}`);
    out.say(`  ${before === undefined ? ' ' : '+'} ${escapeText(what)}: ${escapeText(cut(now))}`);
  }
  for (const one of changed) out.say(`  ! ${escapeText(changedWords(one))}`);
}

/** Of two long texts only what differs, with a little before it. */
function apart(before: string, now: string): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === now[same]) same += 1;
  const from = Math.max(0, same - 40);
  const part = (text: string): string => (from === 0 ? text : `…${text.slice(from)}`);
  return before.length <= WORDS_MAX && now.length <= WORDS_MAX
    ? [before, now]
    : [part(before), part(now)];
}

function cut(text: string): string {
  return text.length <= WORDS_MAX ? text : `${text.slice(0, WORDS_MAX)}…`;
}

/** Asks at the terminal; what is not trusted then is refused where it would be started. */
export async function askTrust({ ws, out, ask }: Verb): Promise<void> {
  // Read once: what was shown is what is trusted, whatever stands there while a person reads.
  const grants = allGrants(ws);
  const question = openQuestion(ws, grants);
  if (question === undefined || ask === undefined) return;
  sayQuestion(out, question, ws.layout.root);
  if (await ask.yes('Do you trust it?', false)) trust(ws, grants, question.changed);
}

/** Also who may push: for that each agent is read. */
export function allGrants(ws: Workspace): readonly Grant[] {
  return [...grantsOf(ws), ...pushGrants(ws)];
}
