/** What a workspace would start, in words, and the question whether it may. Writes the answer alone. */
import type { Grant } from '../../trust/push-grant.ts';
import { grantsOf, pushGrants } from '../../trust/grants.ts';
import { changedWords } from '../../trust/changed-settings.ts';
import { openQuestion, trust, type Question, whyNever } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { filePatch } from '../../task/text/markdown/unified-diff.ts';
import { screenOf, wrap } from '../output/text-width.ts';
import type { Verb } from './verb-context.ts';

export function printQuestion({ out: plain, frame, ws }: Verb, question: Question): void {
  const { first, more, changed } = question;
  const { cells } = screenOf(frame.streams);
  const out = {
    print: (text: string) => wrap(text, cells, 6).forEach((line) => plain.print(line)),
  };
  const shown = more.filter(({ usual }) => !first || usual !== true);
  if (first) {
    out.print(`${escapeText(ws.layout.root)} is not trusted yet.`);
    out.print(
      shown.length === 0
        ? 'Its settings start no program outside of a sandbox; its contracts can name any.'
        : 'This is started outside of a sandbox, or loosens one:',
    );
  } else if (shown.length > 0) out.print('This is not allowed yet, or has changed:');
  for (const { what, words, before } of shown) {
    const lines =
      before === undefined ? `${what}: ${words}` : `${what}:\n${differing(before, words)}`;
    out.print(escapeText(lines.replaceAll(/^/gm, '    '), { multiline: true }));
  }
  for (const one of changed) out.print(`  ! ${escapeText(changedWords(one))}`);
}

function differing(before: string, after: string): string {
  const patch = filePatch({ path: '', before: `${before}\n`, after: `${after}\n` }).split('\n');
  return patch.filter((line) => /^[-+](?![-+]{2} )/.test(line)).join('\n');
}

export async function askTrust(verb: Verb): Promise<void> {
  const { ws, ask } = verb;
  if (whyNever(ws) !== undefined) return;
  // Read once: what was shown is what is trusted, whatever changes while a person reads.
  const grants = allGrants(ws);
  const question = openQuestion(ws, grants);
  if (question === undefined || ask === undefined) return;
  printQuestion(verb, question);
  if (await ask.yes('Do you trust it?', false)) trust(ws, grants, question.changed);
}

/** With the agents that may push: for these each agent is read. */
export function allGrants(ws: Workspace): readonly Grant[] {
  return [...grantsOf(ws), ...pushGrants(ws)];
}
