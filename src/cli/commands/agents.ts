/** agents: who can be called here, and why others cannot; `show` is all about one, `test` calls it once. */
import { given } from '../../task/core/base/defined-fields.ts';
import { dollars } from '../../task/core/attempts/budget.ts';
import { testAgent, type AgentTested } from '../../engine/commands/test-agent.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { skillNames, skillsNamed } from '../../agents/engine/skill-files.ts';
import { agentRows, agentStory, whoCan } from '../../engine/queries/list-agents.ts';
import { agentLines, agentStoryLines } from '../output/agents-text.ts';
import { EXIT } from '../terminal/frame.ts';
import { screenOf } from '../output/text-width.ts';
import { unwrapTyped, verb, type Verb } from '../terminal/verb-context.ts';

type AgentFlags = { readonly all?: boolean } & Partial<Record<'search' | 'can', string>>;

export const runs = {
  agents: verb(async (verb, { all = false, search = '', can }: AgentFlags) => {
    const { ws, out, frame } = verb;
    const able = can === undefined ? () => true : unwrapTyped(verb, whoCan(ws, can));
    const asked = search.toLowerCase().split(/\s+/);
    const isFound = (one: { readonly name: string; readonly description: string }): boolean =>
      asked.every((word) => `${one.name} ${one.description}`.toLowerCase().includes(word));
    const rows = (await agentRows(ws)).filter((row) => isFound(row) && able(row.name));
    const shown = all ? rows : rows.filter(({ hidden }) => !hidden);
    const skills = can === undefined ? skillsNamed(ws, skillNames(ws)).filter(isFound) : [];
    for (const problem of agentsOf(ws).allProblems()) out.problem(problem);
    for (const row of shown) out.data({ v: 1, event: 'agent', ...row });
    const { limit } = screenOf(frame.streams);
    for (const { name, description, file } of skills) {
      out.data({ v: 1, event: 'skill', name, description, file });
    }
    for (const line of agentLines(shown, skills, rows.length - shown.length, limit)) {
      out.print(line);
    }
  }),
  'agents show': verb(async (verb, _flags: unknown, name: string) => {
    const { ws, out, frame } = verb;
    const story = unwrapTyped(verb, await agentStory(ws, name));
    for (const problem of story.problems) if (!out.json) out.problem(problem);
    out.data({ v: 1, event: 'agent_story', ...story });
    for (const line of agentStoryLines(story, screenOf(frame.streams).limit)) out.print(line);
    if (!story.callable) frame.code = EXIT.people;
  }),
  'agents test': verb(testOne),
};

export async function testOne(verb: Verb, _flags: unknown, name: string): Promise<void> {
  const { ws, out, frame } = verb;
  const tested = await interruptible((signal) =>
    testAgent(ws, name, { signal, emit: () => undefined }),
  );
  const found = unwrapTyped(verb, tested);
  const { outcome, ...rest } = found;
  out.data({ v: 1, event: 'agent_tested', ...rest, ...usedOf(outcome) });
  for (const line of testLines(found)) out.print(escapeText(line));
  if (!rest.ok) frame.code = EXIT.people;
}

function usedOf(outcome: AgentTested['outcome']) {
  const { session, seconds, model, input_tokens, output_tokens, cost_usd } = outcome ?? {};
  return given({ session, seconds, model, input_tokens, output_tokens, cost_usd });
}

function testLines({ agent, adapter, called, ok, why, outcome }: AgentTested): string[] {
  const { session, seconds, input_tokens, output_tokens, cost_usd } = usedOf(outcome);
  const tokens =
    input_tokens === undefined && output_tokens === undefined
      ? []
      : [`tokens   ${input_tokens ?? 0} in, ${output_tokens ?? 0} out`];
  return [
    called ? `called   ${agent} by ${adapter}` : `called   no: ${agent} by ${adapter}`,
    ...(called ? [`session  ${session ?? 'not reported'}`] : []),
    ...(seconds === undefined ? [] : [`took     ${seconds} s`]),
    ...tokens,
    ...(cost_usd === undefined ? [] : [`cost     ${dollars(cost_usd)}`]),
    ok ? 'result   ok' : `result   no: ${why}`,
  ];
}
