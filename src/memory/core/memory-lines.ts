/** The shapes of the lines of `memory`. */
import * as z from 'zod';
import { line, path, text } from '../../task/core/lines/line-parts.ts';
import { LEARNING_TYPES } from './learning.ts';

const words = z.array(text);

export const lines = [
  line('learning', 'memory: one learning', {
    id: text,
    file: path,
    candidate: z.boolean().describe('a person has not accepted it, so no brief shows it'),
    type: z.enum(LEARNING_TYPES),
    information: text,
    entities: words.describe('kind:name'),
    tags: words,
    confidence: z.number(),
    source: words.describe('tasks that taught it, and `person`'),
    from: text.describe('whose word it is, as a brief names it; empty: no brief shows it'),
    uses: words.describe('done tasks whose brief it fitted'),
    returned: words.describe('tasks that came back with it in their brief'),
    passed: z.int().describe('of `uses`, those that are done'),
    came_back: z.int().describe('`returned`, and those of `uses` that are open again'),
    weight: z.number().describe('(passed + 1) / (passed + came_back + 2)'),
    feedback: z.number(),
    created: text,
    score: z.number().exactOptional(),
    why: words.exactOptional().describe('what it has in common with the words'),
    contradicts: words.exactOptional().describe('ids of learnings that may say the opposite'),
  }),
  line('memory_changed', 'memory: what a verb did with one learning', {
    id: text,
    file: path,
    action: z.enum(['added', 'merged', 'accepted', 'rated', 'forgotten']),
    into: text.exactOptional().describe('the id of the learning that it is part of now'),
  }),
] as const;
