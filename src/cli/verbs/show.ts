/** show: the whole story of a task. */
import type { Command } from 'commander';
import { storyOf } from '../../engine/verbs/show.ts';
import type { Frame } from '../frame.ts';
import { screenOf } from '../layout.ts';
import { storyLines } from '../show-text.ts';
import { example, idOf, open, unwrap } from '../verb.ts';

export function show(command: Command, frame: Frame): void {
  command
    .argument('<id>')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts show ID'))
    .action(async (typed: string, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const id = idOf(verb, typed);
      if (id === undefined) return;
      const story = unwrap(verb, await storyOf(verb.ws, id));
      if (story === undefined) return;
      verb.out.data({ v: 1, event: 'story', ...story });
      for (const problem of story.problems) if (!verb.out.json) verb.out.problem(problem);
      const { limit } = screenOf(frame.streams);
      for (const line of storyLines(story, limit, verb.out.path)) verb.out.say(line);
    });
}
