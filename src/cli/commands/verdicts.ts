/** approve, needs-work, reject: a person's verdict into review.md. */
import type { Verdict } from '../../task/core/model/documents.ts';
import { resolveId } from '../../engine/board/resolve-id.ts';
import { giveVerdict } from '../../engine/commands/write-words.ts';
import { onTask } from '../prompts/pick-task.ts';
import {
  misused,
  refuse,
  printWritten,
  isIn,
  unwrap,
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
  return onTask({ ...pick, shown, needs: ['id'] }, async (verb, id, findings) => {
    refuseOtherTask(verb, shown.split(' ')[1] ?? '', id, findings);
    await judged(verb, id, verdict, findings);
    verb.out.print('Next: contracts run');
  });
}

/** Other verbs take many tasks; here a second one would be written as words. */
function refuseOtherTask(verb: Verb, name: string, id: string, words = ''): void {
  const other = resolveId(verb.ws, words);
  if (!other.ok || !isIn(verb, other.value, 'review')) return;
  const fix = `One at a time: contracts ${name} ${id}; contracts ${name} ${other.value}`;
  refuse(verb, [misused('this is a task, not a finding', fix, words)]);
}

export async function judged(
  verb: Verb,
  id: string,
  verdict: Verdict,
  findings?: string,
): Promise<void> {
  const words =
    findings ??
    (verdict === 'APPROVED' || !isIn(verb, id, 'review')
      ? undefined
      : await verb.ask?.text('What is wrong with it?', {
          optional: true,
          example: 'for the agent; Enter for none',
        }));
  printWritten(verb, EVENT_OF[verdict], unwrap(verb, giveVerdict(verb.ws, id, verdict, words)));
}
