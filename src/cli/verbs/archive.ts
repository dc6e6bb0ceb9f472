/** archive: old tasks out of done and aborted, or those that are named. */
import { InvalidArgumentError, type Command } from 'commander';
import { ageMs } from '../../core/duration.ts';
import { archiveTasks } from '../../engine/verbs/archive.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { colourState } from '../output.ts';
import { example, idsOf, open } from '../verb.ts';

interface ArchiveFlags {
  readonly olderThan?: number;
  readonly dryRun?: boolean;
}

export function archive(command: Command, frame: Frame): void {
  command
    .argument('[id...]', 'these, whatever their age')
    .option('--older-than <age>', 'such as 12h or 8w; 30d when left out', age)
    .option('-n, --dry-run', 'say what would be moved and move nothing')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts archive --dry-run\ncontracts archive ID'))
    .action((typed: readonly string[], flags: ArchiveFlags, self: Command) => {
      const verb = open(frame, self);
      const ids = verb === undefined ? undefined : idsOf(verb, typed);
      if (verb === undefined || ids === undefined) return;
      const dry_run = flags.dryRun === true;
      const { archived, problems, kept } = archiveTasks(verb.ws, {
        ids,
        older_than_ms: flags.olderThan ?? age('30d'),
        dry_run,
      });
      for (const { id, from, to, reason } of archived) {
        const action = { kind: 'archive', from, to, reason } as const;
        if (dry_run) verb.out.data({ v: 1, event: 'planned', task: id, action });
        else verb.out.data({ v: 1, event: 'archived', task: id, from, to, reason });
        verb.out.say(
          `${id}  ${dry_run ? 'would: ' : ''}${colourState(from)} → ${escapeText(to)}  ${reason}`,
        );
      }
      for (const problem of problems) verb.out.problem(problem);
      if (archived.length === 0 && problems.length === 0) {
        const young = kept === 1 ? '; 1 task is younger' : kept > 1 ? `; ${kept} are younger` : '';
        verb.out.say(`Nothing is old enough${young}. Name it: contracts archive ID`);
      }
      if (problems.length > 0) frame.code = typed.length > 0 ? EXIT.usage : EXIT.people;
    });
}

function age(text: string): number {
  const ms = ageMs(text);
  if (ms === undefined) throw new InvalidArgumentError('Give an age such as 12h, 30d or 8w.');
  return ms;
}
