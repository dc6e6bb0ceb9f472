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
    plan: text.exactOptional(),
    source: z.array(text).describe('tasks whose results say it'),
  }),
  line('assumptions_asked', 'memory assumptions: the contract that asks a person', {
    id: text,
    is_new: z.boolean(),
  }),
] as const;
