/** squad: the teams that there are, everything about one, what is wrong with them, and ways to a new one. */
import type { Command } from 'commander';
import { formatProblem } from '../../core/problem.ts';
import { askForSquad, hiddenBy, newSquad } from '../../engine/verbs/squad-new.ts';
import { checkSquads, squadFor, squadRows, squadStory } from '../../engine/verbs/squads.ts';
import { squadsOf } from '../../engine/squad-book.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { screenOf } from '../layout.ts';
import { COMMAND_LINE } from '../output.ts';
import { squadLines, squadStoryLines } from '../squad-text.ts';
import { example, open, refuse, unwrap } from '../verb.ts';

const JSON_OPTION = ['--json', 'one JSON value a line'] as const;

export function squad(command: Command, frame: Frame): void {
  command.option(...JSON_OPTION).addHelpText(
    'after',
    example(`contracts squad list
      contracts squad show marketing
      contracts squad new legal
      contracts squad create "contract law for a small company"`),
  );
  list(command.command('list').description('all of them, nearest first'), frame);
  show(command.command('show').description('everything about one'), frame);
  check(command.command('check').description('what is wrong with one, or with all'), frame);
  make(command.command('new').description('a folder to fill in, in .contracts/squads/'), frame);
  create(command.command('create').description('a contract for squad-creator'), frame);
}

function list(command: Command, frame: Frame): void {
  command
    .option(...JSON_OPTION)
    .option('--for <words>', 'which of them these words point to, how sure that is, and why')
    .addHelpText(
      'after',
      example('contracts squad list\ncontracts squad list --for "a newsletter"'),
    )
    .action((flags: { for?: string }, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      if (flags.for !== undefined) {
        const choice = squadFor(verb.ws, flags.for);
        verb.out.data({ v: 1, event: 'squad_choice', ...choice });
        const sure = choice.how === 'inferred' ? ` (${Math.round(choice.confidence * 100)} %)` : '';
        verb.out.say(escapeText(`${choice.name}${sure}: ${choice.why}`));
        return;
      }
      const rows = squadRows(verb.ws);
      for (const problem of squadsOf(verb.ws).allProblems()) verb.out.problem(problem);
      for (const row of rows) verb.out.data({ v: 1, event: 'squad', ...row });
      for (const line of squadLines(rows, screenOf(frame.streams).limit)) verb.out.say(line);
    });
}

function show(command: Command, frame: Frame): void {
  command
    .argument('<squad>')
    .option(...JSON_OPTION)
    .addHelpText('after', example('contracts squad show marketing'))
    .action((name: string, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const story = squadStory(verb.ws, name);
      if (!story.ok) {
        const typed = ({ code }: { code: string }): boolean => code === 'unknown_squad';
        const said = story.problems.map((one) =>
          typed(one) ? { ...one, file: COMMAND_LINE } : one,
        );
        refuse(frame, verb.out, said);
        return;
      }
      if (!verb.out.json) for (const problem of story.value.problems) verb.out.problem(problem);
      verb.out.data({ v: 1, event: 'squad_story', ...story.value });
      const { limit } = screenOf(frame.streams);
      for (const line of squadStoryLines(story.value, limit)) verb.out.say(line);
    });
}

function check(command: Command, frame: Frame): void {
  command
    .argument('[squad]')
    .option(...JSON_OPTION)
    .addHelpText('after', example('contracts squad check\ncontracts squad check legal'))
    .action((name: string | undefined, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      const found = verb && unwrap(verb, checkSquads(verb.ws, name));
      if (verb === undefined || found === undefined) return;
      verb.out.data({ v: 1, event: 'squads_checked', ...found });
      for (const problem of found.problems) verb.out.tell(escapeText(formatProblem(problem)));
      const [many, wrong] = [found.squads.length, found.problems.length];
      const all = `${many} ${many === 1 ? 'squad' : 'squads'}`;
      verb.out.say(
        wrong === 0 ? `${all}: all is well.` : `${all}: ${wrong} problem${wrong === 1 ? '' : 's'}.`,
      );
      if (found.problems.some(({ severity }) => severity === 'error')) frame.code = EXIT.people;
    });
}

function make(command: Command, frame: Frame): void {
  command
    .argument('<name>', 'of the squad, and of its folder')
    .option(...JSON_OPTION)
    .addHelpText('after', example('contracts squad new legal'))
    .action((name: string, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      const hidden = verb && hiddenBy(verb.ws, name);
      const made = verb && unwrap(verb, newSquad(verb.ws, name));
      if (verb === undefined || made === undefined) return;
      verb.out.data({ v: 1, event: 'squad_made', ...made });
      if (hidden !== undefined) {
        const instead = `Wherever ${name} is named, this one is taken as a whole, and ${hidden} no more.`;
        frame.streams.err(`${escapeText(instead)}\n`);
      }
      for (const file of made.made) verb.out.say(verb.out.path(file));
      frame.streams.err(`Next: write what they do, then contracts squad check ${name}\n`);
    });
}

interface CreateFlags {
  readonly name?: string;
  readonly id?: string;
  readonly adapter?: string;
}

function create(command: Command, frame: Frame): void {
  command
    .argument('<domain>', 'the field of work, in words')
    .option('--name <name>', 'of the squad; else made of the words')
    .option('--id <id>', 'of the contract')
    .option('--adapter <name>', 'how squad-creator is called')
    .option(...JSON_OPTION)
    .addHelpText('after', example('contracts squad create "contract law" --name legal'))
    .action((domain: string, flags: CreateFlags, self: Command) => {
      const verb = open(frame, self);
      const made = verb && unwrap(verb, askForSquad(verb.ws, domain, flags));
      if (verb === undefined || made === undefined) return;
      verb.out.data({ v: 1, event: 'created', ...made });
      verb.out.say(verb.out.path(made.file));
      if (verb.out.json) return;
      for (const problem of made.problems) verb.out.problem(problem);
      frame.streams.err(`Next: contracts confirm ${made.id}\n`);
    });
}
