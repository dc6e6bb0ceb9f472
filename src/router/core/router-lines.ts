/** The shape of the line of `route`. */
import * as z from 'zod';
import { line, text } from '../../task/core/lines/line-parts.ts';
import type { DataOf, LineOf } from '../../task/core/lines/line-types.ts';

const nameOrNone = z.union([text, z.null()]);

export const lines = [
  line('route', 'route: what a message asks for', {
    should_route: z.boolean(),
    workflow: nameOrNone.describe('of contracts plan workflows'),
    squad: nameOrNone.describe('of contracts squad list'),
    preset: nameOrNone.describe('of contracts team list'),
    agent: nameOrNone.describe('who begins'),
    confidence: z.number().describe('0 to 1'),
    reason: text,
    handler: z
      .enum(['workflow', 'team', 'squad', 'plan', 'direct', 'pass_through'])
      .describe('direct: the one who was asked does it or answers'),
    safety_check: z
      .enum(['PASSED', 'AGENT_SOURCE', 'ACTIVE_PLAN'])
      .describe('AGENT_SOURCE: not from the user; ACTIVE_PLAN: a plan is being worked on'),
    next: text.describe('the command; empty: none'),
    does: text.optional().describe('--agent: what this agent does'),
  }),
] as const;

export type RouterLine = LineOf<typeof lines>;
export type RouterData<E extends RouterLine['event']> = DataOf<typeof lines, E>;
