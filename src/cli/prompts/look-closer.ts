/** What a person looks with before a verdict: a pager, the editor on a folder, a shell there, the checks. */
import { resolve } from 'node:path';
import { gitIn } from '../../git/query-git.ts';
import { patchOf } from '../../engine/attempt/attempt-diff.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import type { Story } from '../../engine/queries/show.ts';
import { checkAgain } from '../../engine/review/check-again.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from '../output/colour.ts';
import { receiptLine } from '../output/show-text.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { unwrap, type Verb } from '../terminal/verb-context.ts';
import { editorOf, inTerminal } from './editor.ts';

/** The shell could not find the program. */
const MISSING = 'ended with code 127';
const COLOURS = { '+': pc.green, '-': pc.red, '@': pc.cyan, d: pc.bold };

export const LOOKS = {
  diff: async (verb: Verb, story: Story) => {
    const text = patchWords(verb, story);
    if (text === '') return verb.out.print('Nothing changed.');
    if (text === undefined)
      return verb.out.printWrapped(`The diff is not known: ${story.files_note}.`);
    if ((await inPager(verb, text)) === MISSING)
      for (const line of text.split('\n')) verb.out.print(line);
  },
  folder: async (verb: Verb, { worktree }: Story) => {
    const folder = worktree || verb.ws.layout.root;
    const why = await inTerminal(verb, editorOf(verb), { cwd: folder, more: [folder] });
    if (why !== '') verb.out.print(`The editor ${escapeText(why)}.`);
  },
  shell: async (verb: Verb, { worktree }: Story) => {
    const folder = worktree || verb.ws.layout.root;
    verb.out.print(`A shell in ${escapeText(folder)}. \`exit\` comes back here.`);
    const why = await inTerminal(verb, [verb.ws.env['SHELL'] || '/bin/sh'], { cwd: folder });
    if (why.startsWith('cannot')) verb.out.print(`The shell ${escapeText(why)}.`);
  },
  checks: async ({ ws, out }: Verb, { id }: Story) => {
    const task = unwrap({ out }, findTask(ws, id));
    const receipts = await interruptible((signal) =>
      checkAgain({ ws, emit: () => undefined, signal }, task),
    );
    if (receipts.length === 0) out.print('There is no check to run.');
    for (const one of receipts) {
      out.print(receiptLine(one));
      const printed = one.passed ? '' : escapeText(one.output.trim(), { multiline: true });
      if (printed !== '') out.print(printed);
    }
  },
} as const;

/** The diff of its work, coloured; empty without a change, undefined where it is not known. */
export function patchWords(verb: Pick<Verb, 'ws' | 'out'>, { id, files_note }: Story) {
  const { state, attempts } = unwrap(verb, findTask(verb.ws, id));
  const text = patchOf(verb.ws, taskFolder(verb.ws.layout, state, id), attempts);
  if (text === undefined || text === '') return text;
  const noted = files_note === '' ? text : `(${files_note})\n${text}`;
  return escapeText(noted, { multiline: true }).replace(/^[-+@d].*$/gm, (line) =>
    COLOURS[line[0] as keyof typeof COLOURS](line),
  );
}

/** Returns why the pager failed; empty when it ended well. */
export function inPager(verb: Pick<Verb, 'ws' | 'frame'>, text: string): Promise<string> {
  const argv = ['/bin/sh', '-c', pagerOf(verb)];
  return inTerminal(verb, argv, { input: text, away: true });
}

/** As git chooses it, but never from the configuration of a repository, which an agent can write. */
function pagerOf({ ws }: Pick<Verb, 'ws'>): string {
  const { env, layout, programs } = ws;
  const asked = ['config', '--global', '--show-origin', '-z', '--get', 'core.pager'];
  const [origin = '', set = ''] = gitIn(layout.root, ws)(asked)?.toString().split('\0') ?? [];
  const isOwn = !programs.isInside(resolve(layout.root, origin.replace(/^file:/, '')));
  const own = env['GIT_PAGER'] ?? (isOwn ? set.trim() : '');
  return own || env['PAGER'] || 'less -R';
}
