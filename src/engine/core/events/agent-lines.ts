/** The shapes of the lines of `agents`; see command-lines.ts. */
import * as z from 'zod';
import { line, problems, text } from '../../../task/core/lines/line-parts.ts';
import { agentFacts, permissions } from '../../../task/core/lines/shared-lines.ts';

export const AGENT_LINES = [
  line('agent', 'agents: one of them', { ...agentFacts }),
  line('skill', 'agents', {
    name: text,
    description: text,
    file: text.describe('as shown to people'),
  }),
  line('agent_story', 'agents show', {
    ...agentFacts,
    known: z.boolean().describe('false: its file cannot be read, so its permissions are unknown'),
    models: z.array(text).describe('tried in this order'),
    permissions,
    tools: z.array(text).optional().describe('in our words; missing: all of them'),
    client_tools: z.array(text).describe('the same as the client calls them'),
    skills: z.array(z.strictObject({ name: text, found: z.boolean() })),
    delegates_to: z.array(text),
    instructions: text,
    problems,
  }),
  line('agent_tested', 'agents test', {
    agent: text,
    adapter: text,
    called: z.boolean(),
    ok: z.boolean(),
    why: text.describe('empty when it is well'),
    session: text.optional(),
    seconds: z.number().optional(),
    model: text.optional(),
    input_tokens: z.int().optional(),
    output_tokens: z.int().optional(),
    cost_usd: z.number().optional(),
  }),
] as const;
