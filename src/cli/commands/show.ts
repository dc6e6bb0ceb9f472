/** show: the whole story of a task. */
import { storyOf } from '../../engine/queries/show.ts';
import { isBroken } from '../../engine/verify/seals.ts';
import { screenOf } from '../output/text-width.ts';
import { receiptLine, storyLines } from '../output/show-text.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { onAnyTask } from '../prompts/which-task.ts';
import { unwrap, type Verb } from '../terminal/verb-context.ts';

/** The size is for a model: a token is about four bytes. */
async function showBrief(verb: Verb, id: string): Promise<void> {
  const { nextBrief } = await import('../../engine/queries/next-brief.ts');
  const { attempt, brief, later } = unwrap(verb, nextBrief(verb.ws, id));
  const bytes = Buffer.byteLength(brief);
  const tokens = Math.round(bytes / 4);
  verb.out.data({ v: 1, event: 'brief', id, attempt, brief, bytes, tokens });
  verb.out.print(escapeText(brief.trimEnd(), { multiline: true }));
  const size = `The brief of attempt ${attempt}: ${bytes} bytes, about ${tokens} tokens. ${later}\n`;
  if (!verb.out.json) verb.frame.streams.err(size);
}

async function showReceipts({ ws, out }: Verb, id: string): Promise<void> {
  const { receiptsOf } = await import('../../engine/queries/receipts.ts');
  const { receipts, approvals, problems, ...task } = unwrap({ out }, receiptsOf(ws, id));
  for (const problem of problems) out.problem(problem);
  out.data({ v: 1, event: 'receipts', ...task, receipts, approvals, problems });
  for (const { attempt, signed, tree, ...one } of receipts) {
    const exit = one.exit_code === null ? '' : `exit ${one.exit_code}, `;
    const where = tree === '' ? '' : `, tree ${tree.slice(0, 12)}`;
    out.printWrapped(
      `attempt ${attempt}  ${receiptLine(one)}  ${exit}${one.at}, ${one.ms} ms${where}: receipts ${signed}`,
    );
  }
  for (const { attempt, verdict, gate, signed } of approvals) {
    const what = verdict === '' ? 'moved to done' : `${verdict} by ${gate}`;
    out.printWrapped(`attempt ${attempt}  ${escapeText(what)}: approvals ${signed}`);
  }
  if (receipts.length + approvals.length === 0) out.print('No check ran, and there is no verdict.');
}

export const runs = {
  show: onAnyTask<{ brief?: boolean; receipts?: boolean }>(
    'contracts show ID',
    async (verb, id, flags) => {
      const { out } = verb;
      if (flags.brief === true) return showBrief(verb, id);
      if (flags.receipts === true) return showReceipts(verb, id);
      const story = unwrap(verb, await storyOf(verb.ws, id));
      if (out.json) story.problems.filter(isBroken).forEach(out.problem);
      out.data({ v: 1, event: 'story', ...story });
      for (const problem of story.problems) if (!out.json) out.problem(problem);
      const { limit } = screenOf(verb.frame.streams);
      const now = verb.ws.machine.now();
      for (const line of storyLines(story, limit, out.path, now)) out.print(line);
    },
  ),
};
