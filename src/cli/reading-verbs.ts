/** list, show, check, doctor, states: verbs that only look. */
import type { Command } from 'commander';
import { EVENT_VERSION } from '../core/event.ts';
import { formatProblem } from '../core/problem.ts';
import { isState, STATES, type State } from '../core/state.ts';
import { tableRows } from '../core/transitions.ts';
import { checked, checkTree } from '../engine/verbs/check.ts';
import { listTasks } from '../engine/verbs/list.ts';
import { doctor } from '../engine/verbs/doctor.ts';
import { storyOf } from '../engine/verbs/show.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { escapeText } from '../text/terminal.ts';
import { colourState, jsonLine, makeOutput } from './output.ts';
import { storyLines } from './show-text.ts';
import { statesTable } from './states-table.ts';
import { EXIT, type Frame } from './frame.ts';
import { collectValues, example, misused, open, refuse, unwrap } from './verb.ts';

interface ListFlags {
  readonly state: readonly string[];
  readonly all?: boolean;
  readonly ids?: boolean;
  readonly json?: boolean;
}

export function addReadingVerbs(program: Command, frame: Frame): void {
  program
    .command('list')
    .description('what stands where, and what it waits for')
    .option('--state <state>', 'only this state; may be repeated', collectValues, [])
    .option('--all', 'done and aborted too')
    .option('--ids', 'nothing but the ids')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts list\ncontracts list --state blocked'))
    .action((flags: ListFlags, command: Command) => {
      const unknown = flags.state.find((text) => !isState(text));
      if (unknown !== undefined) {
        const out = makeOutput(frame.streams, flags.json === true);
        const message = `there is no state of this name; there are ${STATES.join(', ')}`;
        refuse(frame, out, [misused(message, 'Name one: contracts list --state ready', unknown)]);
        return;
      }
      const verb = open(frame, command);
      if (verb === undefined) return;
      const wanted = flags.state.filter(isState);
      const states = flags.all === true ? STATES : wanted.length > 0 ? wanted : undefined;
      const listing = listTasks(verb.ws, states === undefined ? undefined : new Set<State>(states));
      for (const problem of listing.problems) verb.out.problem(problem);
      for (const task of listing.tasks) {
        verb.out.data({ v: 1, event: 'task', ...task });
        verb.out.say(
          flags.ids === true
            ? task.id
            : `${colourState(task.state, task.state.padEnd(11))} ${task.id}  ${escapeText(task.title)}\n            ${escapeText(task.reason)}`,
        );
      }
      if (listing.tasks.length === 0 && listing.problems.length === 0)
        verb.out.say('No tasks. Make one: contracts new "What you want"');
    });
  program
    .command('show')
    .argument('<id>')
    .description('the whole story of a task')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts show ID'))
    .action((id: string, _flags: unknown, command: Command) => {
      const verb = open(frame, command);
      if (verb === undefined) return;
      const story = unwrap(verb, storyOf(verb.ws, id));
      if (story === undefined) return;
      verb.out.data({ v: 1, event: 'story', ...story });
      for (const problem of story.problems) if (!verb.out.json) verb.out.problem(problem);
      for (const line of storyLines(story)) verb.out.say(line);
    });
  addCheck(program, frame);
  program
    .command('doctor')
    .description('what is wrong with the tree, and what this machine can do')
    .option('--fix', 'mend what can be mended without losing anything')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts doctor --fix'))
    .action((flags: { fix?: boolean }, command: Command) => {
      const verb = open(frame, command);
      if (verb === undefined) return;
      const found = doctor(verb.ws, { fix: flags.fix === true });
      for (const line of found.fixed) {
        verb.out.data({ v: 1, event: 'fixed', text: line });
        verb.out.say(`fixed  ${escapeText(line)}`);
      }
      for (const problem of found.problems) verb.out.problem(problem);
      for (const ability of found.abilities) {
        verb.out.data({ v: 1, event: 'ability', ...ability });
        verb.out.say(
          `${ability.holds ? 'yes' : 'no '}  ${ability.name.padEnd(16)} ${ability.means}`,
        );
      }
      if (found.problems.length === 0) verb.out.say('Nothing is wrong with the tree.');
      if (found.problems.some((one) => one.severity === 'error')) frame.code = EXIT.people;
    });
  program
    .command('states')
    .description('the table of transitions')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts states'))
    .action((flags: { json?: boolean }) => {
      if (flags.json !== true) frame.streams.out(`${statesTable()}\n`);
      else for (const row of tableRows()) frame.streams.out(`${jsonLine({ v: 1, ...row })}\n`);
    });
}

function addCheck(program: Command, frame: Frame): void {
  program
    .command('check')
    .description('all problems of the tree, as file:line:col: error: text, with the cure')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts check'))
    .action((_flags: unknown, command: Command) => {
      const options = command.optsWithGlobals<{ json?: boolean; dir?: string }>();
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
