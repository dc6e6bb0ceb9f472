/** check: all problems of the tree, one line each, for people and for problem matchers. */
import type { Command } from 'commander';
import { EVENT_VERSION } from '../../core/event.ts';
import { formatProblem } from '../../core/problem.ts';
import { checked, checkTree } from '../../engine/verbs/check.ts';
import { openWorkspace } from '../../engine/workspace.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { makeOutput } from '../output.ts';
import { example, refuse } from '../verb.ts';

export function check(command: Command, frame: Frame): void {
  command
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts check'))
    .action((_flags: unknown, self: Command) => {
      const options = self.optsWithGlobals<{ json?: boolean; dir?: string }>();
      const out = makeOutput(frame.streams, options.json === true);
      const ws = openWorkspace({
        ports: frame.ports,
        ...(options.dir === undefined ? {} : { dir: options.dir }),
      });
      // Where there is no workspace the question was wrong; a broken one is what check is for.
      if (!ws.ok && ws.problems.some((one) => one.code === 'missing_file')) {
        refuse(frame, out, ws.problems);
        return;
      }
      const found = ws.ok ? checkTree(ws.value) : checked(ws.problems, 0);
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

function many(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
