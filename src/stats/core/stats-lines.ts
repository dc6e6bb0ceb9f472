/** The shape of the lines of `stats`. */
import * as z from 'zod';
import { line, text } from '../../task/core/lines/line-parts.ts';
import type { DataOf } from '../../task/core/lines/line-types.ts';
import { COUNTED, GROUPS, KNOWN } from './figures.ts';

const each = <K extends string, T>(keys: readonly K[], shape: T) =>
  Object.fromEntries(keys.map((key) => [key, shape])) as Record<K, T>;

export const lines = [
  line(
    'stats',
    'status --stats: the total, then each name of each group: docs/reference/stats.md',
    {
      by: z.enum(['total', ...GROUPS]),
      name: text.describe('empty for the total, and for attempts without one'),
      ...each(COUNTED, z.int()),
      ...each(KNOWN, z.number().exactOptional().describe('missing where it is not known')),
      unreadable: z.int().exactOptional().describe('of the total: tasks that cannot be read whole'),
    },
  ),
  line(
    'confidence',
    'status --stats --confidence: a step of all agents, then of each: docs/reference/stats.md',
    {
      by: z.enum(['total', 'agent']),
      name: text.describe('empty for the total, and where the agent is not known'),
      /** Tenths: `from` is in it, and `to` only where that is 1. */
      from: z.number().exactOptional().describe('missing: the results name no number'),
      to: z.number().exactOptional(),
      called: z.number().exactOptional().describe('the mean of the numbers'),
      said: z.int(),
      confirmed: z.int().describe('by people'),
      rejected: z.int().describe('by people'),
      undecided: z.int(),
      share: z.number().exactOptional().describe('missing where people decided fewer than 5'),
    },
  ),
] as const;

export type ConfidenceRow = DataOf<typeof lines, 'confidence'>;
