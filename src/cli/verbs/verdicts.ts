/**
 * approve, needs-work, reject: a person's verdict into review.md. At a terminal they ask which task
 * is meant, and for the findings that a task is sent back or given up with.
 */
import type { Command } from 'commander';
import type { Verdict } from '../../core/documents.ts';
import { resolveId } from '../../engine/verbs/resolve-id.ts';
import { giveVerdict } from '../../engine/verbs/words.ts';
import type { Frame } from '../frame.ts';
import { typedOrChosen } from '../pick.ts';
import {
  cannotAsk,
  example,
  missing,
  misused,
  open,
  refuse,
  saidWritten,
  stands,
  unwrap,
  type Verb,
} from '../verb.ts';

export const approve = verdictVerb('APPROVED', 'contracts approve ID');
export const needsWork = verdictVerb(
  'NEEDS_WORK',
  'contracts needs-work ID "The tests are missing"',
);
export const reject = verdictVerb('REJECT', 'contracts reject ID "The tests are missing"');

const EVENT_OF = { APPROVED: 'approved', NEEDS_WORK: 'needs_work', REJECT: 'reject' } as const;

function verdictVerb(verdict: Verdict, shown: string) {
  return (command: Command, frame: Frame): void => {
    command
      .argument('[id]', 'which task; asked for at a terminal')
      .argument('[findings]', 'what is wrong with it; asked for at a terminal')
      .option('--json', 'one JSON value a line')
      .addHelpText('after', example(shown))
      .action(
        async (
          typed: string | undefined,
          findings: string | undefined,
          _flags: unknown,
          self: Command,
        ) => {
          if (typed === undefined && cannotAsk(frame, self)) missing(self, 'id', shown);
          const verb = open(frame, self);
          if (verb === undefined) return;
          const id = await typedOrChosen(verb, typed, verb.ask, {
            state: 'review',
            question: 'Which task do you judge?',
            none: 'Nothing waits for a verdict.',
          });
          if (id === undefined || isOtherTask(verb, shown.split(' ')[1] ?? '', id, findings))
            return;
          if (await judged(verb, id, verdict, findings)) verb.out.say('Next: contracts run');
        },
      );
  };
}

/** Other verbs take many tasks: a second one in the place of the words is not written as words. */
function isOtherTask(verb: Verb, name: string, id: string, words = ''): boolean {
  const other = resolveId(verb.ws, words);
  if (!other.ok || !stands(verb, other.value, 'review')) return false;
  const fix = `One at a time: contracts ${name} ${id}; contracts ${name} ${other.value}`;
  refuse(verb.frame, verb.out, [misused('this is a task, and not what was found', fix, words)]);
  return true;
}

/** False when nothing was written. */
export async function judged(
  verb: Verb,
  id: string,
  verdict: Verdict,
  findings?: string,
): Promise<boolean> {
  const words =
    findings ??
    (verdict === 'APPROVED' || !stands(verb, id, 'review')
      ? undefined
      : await verb.ask?.text('What is wrong with it?', {
          optional: true,
          example: 'said to the agent; Enter for nothing',
        }));
  const written = unwrap(verb, giveVerdict(verb.ws, id, verdict, words));
  if (written === undefined) return false;
  saidWritten(verb, EVENT_OF[verdict], written);
  return true;
}
