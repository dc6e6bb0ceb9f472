/** The shapes of the lines of `team`. */
import * as z from 'zod';
import { line, text } from '../../task/core/lines/line-parts.ts';
import type { DataOf, LineOf } from '../../task/core/lines/line-types.ts';

const sections = text.describe('that its result must have');

export const lines = [
  line('team', 'team list, team show: one of them', {
    name: text,
    description: text,
    members: z.array(z.strictObject({ id: text, agent: text, duty: text, sections })),
  }),
  line('team_choice', 'team auto: the team that words point to', {
    name: text,
    how: z.enum(['inferred', 'default']),
    confidence: z.number().describe('0 to 1'),
    why: text,
  }),
] as const;

export type TeamData<E extends LineOf<typeof lines>['event']> = DataOf<typeof lines, E>;
