/** agents: who can be called here, and why somebody cannot; `show` tells everything about one. */
import type { Command } from 'commander';
import { agentsOf } from '../../engine/agent-book.ts';
import { agentRows, agentStory } from '../../engine/verbs/agents.ts';
import { agentLines, agentStoryLines } from '../agents-text.ts';
import { EXIT, type Frame } from '../frame.ts';
import { screenOf } from '../layout.ts';
import { COMMAND_LINE } from '../output.ts';
import { example, noneBelow, open, refuse } from '../verb.ts';
import { agentsTest } from './agents-test.ts';

export function agents(command: Command, frame: Frame): void {
  command
    .option('--all', 'hidden ones too, whom only others call')
    .option('--json', 'one JSON value a line')
    .addHelpText(
      'after',
      example('contracts agents\ncontracts agents show builder\ncontracts agents test builder'),
    )
    .allowExcessArguments()
    .action((flags: { all?: boolean }, self: Command) => {
      noneBelow(self);
      return listed(frame, self, flags.all === true);
    });
  show(command.command('show').description('everything about one agent'), frame);
  const trial = 'a tiny task in a scratch folder: is it called, and what does it take?';
  agentsTest(command.command('test').description(trial), frame);
}

async function listed(frame: Frame, self: Command, all: boolean): Promise<void> {
  const verb = open(frame, self);
  if (verb === undefined) return;
  const rows = await agentRows(verb.ws);
  const shown = all ? rows : rows.filter(({ hidden }) => !hidden);
  for (const problem of agentsOf(verb.ws).allProblems()) verb.out.problem(problem);
  for (const row of shown) verb.out.data({ v: 1, event: 'agent', ...row });
  const { limit } = screenOf(frame.streams);
  for (const line of agentLines(shown, rows.length - shown.length, limit)) verb.out.say(line);
}

function show(command: Command, frame: Frame): void {
  command
    .argument('<agent>')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts agents show builder'))
    .action(async (name: string, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const story = await agentStory(verb.ws, name);
      if (!story.ok) {
        // What was typed stands in no file.
        refuse(
          frame,
          verb.out,
          story.problems.map((one) => ({ ...one, file: COMMAND_LINE })),
        );
        return;
      }
      const { problems } = story.value;
      for (const problem of problems) if (!verb.out.json) verb.out.problem(problem);
      verb.out.data({ v: 1, event: 'agent_story', ...story.value });
      const { limit } = screenOf(frame.streams);
      for (const line of agentStoryLines(story.value, limit)) verb.out.say(line);
      if (!story.value.callable) frame.code = EXIT.people;
    });
}
