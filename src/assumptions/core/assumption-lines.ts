/** The shapes of the lines of `memory assumptions`, and of `memory accept --into`. */
import * as z from 'zod';
import { line, path, text } from '../../task/core/lines/line-parts.ts';

export const lines = [
  line('assumption', 'memory assumptions: one that no person has confirmed', {
    id: text,
    file: path,
    kind: z.enum(['assumption', 'decision']),
    information: text,
    confidence: z.number(),
    passed: z.int().describe('done tasks whose brief showed it'),
    came_back: z.int().describe('tasks that came back with it in their brief'),
    weight: z.number().describe('(passed + 1) / (passed + came_back + 2)'),
    plan: text.exactOptional(),
    source: z.array(text).describe('tasks whose results say it'),
  }),
  line('assumptions_asked', 'memory assumptions: the contract that asks a person', {
    id: text,
    is_new: z.boolean(),
  }),
] as const;
