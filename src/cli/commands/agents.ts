/** agents: the agents that can be called here, and why others cannot; `show` tells everything about one. */
import { agentsOf } from '../../agents/engine/registry.ts';
import { agentRows, agentStory } from '../../engine/queries/list-agents.ts';
import { agentLines, agentStoryLines } from '../output/agents-text.ts';
import { EXIT } from '../terminal/frame.ts';
import { screenOf } from '../output/text-width.ts';
import { unwrapTyped, verb } from '../terminal/verb-context.ts';
import { agentsTest } from './agents-test.ts';

export const runs = {
  agents: verb(async ({ ws, out, frame }, { all = false }: { all?: boolean }) => {
    const rows = await agentRows(ws);
    const shown = all ? rows : rows.filter(({ hidden }) => !hidden);
    for (const problem of agentsOf(ws).allProblems()) out.problem(problem);
    for (const row of shown) out.data({ v: 1, event: 'agent', ...row });
    const { limit } = screenOf(frame.streams);
    for (const line of agentLines(shown, rows.length - shown.length, limit)) out.say(line);
  }),
  'agents show': verb(async (verb, _flags: unknown, name: string) => {
    const { ws, out, frame } = verb;
    const story = unwrapTyped(verb, await agentStory(ws, name));
    for (const problem of story.problems) if (!out.json) out.problem(problem);
    out.data({ v: 1, event: 'agent_story', ...story });
    for (const line of agentStoryLines(story, screenOf(frame.streams).limit)) out.say(line);
    if (!story.callable) frame.code = EXIT.people;
  }),
  'agents test': agentsTest,
};
