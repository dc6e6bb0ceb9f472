/** show: the whole story of a task. */
import { storyOf } from '../../engine/queries/show.ts';
import { screenOf } from '../output/text-width.ts';
import { storyLines } from '../output/show-text.ts';
import { idOf, unwrap, verb } from '../terminal/verb-context.ts';

export const runs = {
  show: verb(async (verb, _flags: unknown, typed: string) => {
    const { out } = verb;
    const story = unwrap(verb, await storyOf(verb.ws, idOf(verb, typed)));
    out.data({ v: 1, event: 'story', ...story });
    for (const problem of story.problems) if (!out.json) out.problem(problem);
    const { limit } = screenOf(verb.frame.streams);
    for (const line of storyLines(story, limit, out.path)) out.print(line);
  }),
};
