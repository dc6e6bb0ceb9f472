/** archive: old tasks out of done and aborted, or those that are named. */
import { archiveTasks } from '../../engine/commands/archive.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { EXIT } from '../terminal/frame.ts';
import { colourState } from '../output/output.ts';
import { idOf, verb } from '../terminal/verb-context.ts';

interface ArchiveFlags {
  readonly olderThan?: number;
  readonly dryRun?: boolean;
}

const OLD_MS = 30 * 24 * 60 * 60 * 1000;

export const runs = {
  archive: verb((verb, flags: ArchiveFlags, typed: readonly string[]) => {
    const { ws, out, frame } = verb;
    const dry_run = flags.dryRun === true;
    const { archived, problems, kept } = archiveTasks(ws, {
      ids: typed.map((one) => idOf(verb, one, typed[0])),
      older_than_ms: flags.olderThan ?? OLD_MS,
      dry_run,
    });
    for (const { id, from, to, reason } of archived) {
      const action = { kind: 'archive', from, to, reason } as const;
      if (dry_run) out.data({ v: 1, event: 'planned', task: id, action });
      else out.data({ v: 1, event: 'archived', task: id, from, to, reason });
      const would = dry_run ? 'would: ' : '';
      out.printWrapped(`${id}  ${would}${colourState(from)} → ${escapeText(to)}  ${reason}`);
    }
    for (const problem of problems) out.problem(problem);
    if (archived.length === 0 && problems.length === 0) {
      const young = kept === 1 ? '; 1 task is younger' : kept > 1 ? `; ${kept} are younger` : '';
      out.print(`Nothing is old enough${young}. Name it: contracts archive ID`);
    }
    if (problems.length > 0) frame.code = typed.length > 0 ? EXIT.usage : EXIT.people;
  }),
};
