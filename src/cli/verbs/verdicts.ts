/** approve, needs-work, reject: a person's verdict into review.md. */
import type { Command } from 'commander';
import type { Verdict } from '../../core/documents.ts';
import { giveVerdict } from '../../engine/verbs/words.ts';
import type { Frame } from '../frame.ts';
import { example, open, saidWritten, unwrap } from '../verb.ts';

export const approve = verdictVerb('APPROVED', 'contracts approve ID');
export const needsWork = verdictVerb(
  'NEEDS_WORK',
  'contracts needs-work ID "The tests are missing"',
);
export const reject = verdictVerb('REJECT', 'contracts reject ID "The tests are missing"');

function verdictVerb(verdict: Verdict, shown: string) {
  return (command: Command, frame: Frame): void => {
    command
      .argument('<id>')
      .argument('[findings]')
      .option('--json', 'one JSON value a line')
      .addHelpText('after', example(shown))
      .action((id: string, findings: string | undefined, _flags: unknown, self: Command) => {
        const verb = open(frame, self);
        if (verb === undefined) return;
        const written = unwrap(verb, giveVerdict(verb.ws, id, verdict, findings));
        if (written === undefined) return;
        saidWritten(verb, verdict.toLowerCase(), written);
        verb.out.say('Next: contracts run');
      });
  };
}
