/** check: all problems of the tree, one line each, for people and for problem matchers. */
import type { Command } from 'commander';
import { EVENT_VERSION } from '../../core/event.ts';
import { formatProblem, ok, type Result } from '../../core/problem.ts';
import { checked, checkTree, type Checked } from '../../engine/verbs/check.ts';
import { checkStaged } from '../../engine/verbs/staged.ts';
import { openWorkspace, type OpenOptions } from '../../engine/workspace.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { makeOutput } from '../output.ts';
import { example, refuse } from '../verb.ts';

export function check(command: Command, frame: Frame): void {
  command
    .option('--staged', 'what git would commit, instead of what lies there')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts check\ncontracts check --staged'))
    .action((flags: { staged?: boolean }, self: Command) => {
      const options = self.optsWithGlobals<{ json?: boolean; dir?: string }>();
      const out = makeOutput(frame.streams, options.json === true);
      const where = {
        ports: frame.ports,
        ...(options.dir === undefined ? {} : { dir: options.dir }),
      };
      const looked = flags.staged === true ? checkStaged(where) : checkFolders(where);
      if (!looked.ok) {
        refuse(frame, out, looked.problems);
        return;
      }
      const found = looked.value;
      for (const problem of found.problems) {
        out.data({ v: EVENT_VERSION, event: 'problem', problem });
        // Never coloured: what matches these lines reads them from their first character.
        out.say(escapeText(formatProblem(problem)));
      }
      const { tasks, errors, warnings } = found;
      out.data({ v: EVENT_VERSION, event: 'check', tasks, errors, warnings });
      out.say(
        `${many(errors, 'error')}, ${many(warnings, 'warning')} in ${many(tasks, 'live task')}.`,
      );
      if (errors > 0) frame.code = EXIT.people;
    });
}

/** Where there is no workspace the question was wrong; a broken one is what check is for. */
function checkFolders(where: OpenOptions): Result<Checked> {
  const ws = openWorkspace({ ...where, reads: true });
  if (ws.ok) return ok(checkTree(ws.value));
  const nowhere = ws.problems.some((one) => one.code === 'missing_file');
  return nowhere ? ws : ok(checked(ws.problems, 0));
}

function many(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
